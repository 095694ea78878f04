"""The most users whose times stay within the targets, found on a grid of users for all requests at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import InputTable
from gpuconfig.engine.estimation.serving.bands import band
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.table import ServingRow

USERS = np.unique(np.concatenate([np.arange(1, 33), np.round(np.geomspace(32, 8192, 49))])).astype(float)
"""Users tried."""


def users_within_targets(
    table: InputTable, rows: Sequence[ServingRow], coefficients: CoefficientSet
) -> list[tuple[float, float, float] | None]:
    """Value, low and high of the most users within TTFT and TPOT targets; None for a request without targets."""
    asked = [i for i, r in enumerate(rows) if r.settings.ttft_target_ms or r.settings.tpot_target_ms]
    found: list[tuple[float, float, float] | None] = [None] * len(rows)
    if not asked:
        return found
    columns = {n: np.broadcast_to(c, (len(rows),))[asked][:, None] for n, c in table.columns.items()}
    data = columns["data_parallel"]
    values = serving_graph().evaluate(
        {**columns, "concurrency": USERS[None, :] * data}, ("ttft_s", "tpot_s", "slots")
    )
    for place, i in enumerate(asked):
        settings = rows[i].settings
        whole = settings.data
        ttft = np.broadcast_to(values["ttft_s"], (len(asked), USERS.size))[place] * 1000
        tpot = np.broadcast_to(values["tpot_s"], (len(asked), USERS.size))[place] * 1000
        slots = np.broadcast_to(values["slots"], (len(asked), USERS.size))[place]
        first, token = (band(rows[i].scopes, n, coefficients) for n in ("ttft", "tpot"))
        edges = ((1.0, 1.0), (first[1], token[1]), (first[0], token[0]))
        found[i] = tuple(  # type: ignore[assignment]
            _most(ttft * a, tpot * b, slots, settings.ttft_target_ms, settings.tpot_target_ms) * whole
            for a, b in edges
        )
    return found


def _most(
    ttft: np.ndarray,
    tpot: np.ndarray,
    slots: np.ndarray,
    ttft_target: float | None,
    tpot_target: float | None,
) -> float:
    """The most users before a target is broken or a user has to wait for a slot; 0 where one user is too many."""
    ok = slots >= USERS - 0.5
    if ttft_target:
        ok &= ttft <= ttft_target
    if tpot_target:
        ok &= tpot <= tpot_target
    broken = np.flatnonzero(~ok)
    if broken.size == 0:
        return float(USERS[-1])
    first = int(broken[0])
    if first == 0:
        return 0.0
    return float(USERS[first - 1])
