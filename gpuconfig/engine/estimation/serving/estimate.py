"""Estimates of LLM serving: many requests as arrays, order kept, each bad one its own error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import InputTable, Value
from gpuconfig.engine.estimation.serving.answers import serving_estimate
from gpuconfig.engine.estimation.serving.capacity import users_within_targets
from gpuconfig.engine.estimation.serving.fixes import add_fixes
from gpuconfig.engine.estimation.serving.graph import ANSWERS, serving_graph
from gpuconfig.engine.estimation.serving.table import ServingRow, input_notes, serving_row, stacked
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest

CHUNK = 4096
"""Requests evaluated as one array."""

CONTRACT_NAMES = {"ttft_ms": "ttft_s", "tpot_ms": "tpot_s", "max_concurrency": "cached_sequences"}
"""Names of the answer that the graph computes in another unit or under another name."""


def estimate_serving(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    _measurements: Sequence[Measurement] = (),
    fixes: bool = True,
) -> list[Estimate | UserError]:
    """Answers in the order of `requests`; one that cannot be accepted becomes its error.

    Args:
        fixes: what would make it fit is worked out for each that does not.
    """
    answers: list[Estimate | UserError] = []
    for start in range(0, len(requests), CHUNK):
        answers.extend(_chunk(requests[start : start + CHUNK], coefficients, fixes))
    return answers


def explain_serving(request: EstimateRequest, coefficients: CoefficientSet, name: str) -> Explanation:
    """The tree behind one quantity of one request.

    Raises:
        InputError: the request is not valid, or there is no such quantity.
    """
    graph, name = serving_graph(), CONTRACT_NAMES.get(name, name)
    if name not in graph.quantities and name not in graph.inputs:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(graph.quantities)})
        raise InputError("unknown_value", "quantity", name, Message(N_("no such quantity")), accepted)
    row = serving_row(request, coefficients)
    wanted = (name,) if name in graph.quantities else ("tpot_s",)
    values = graph.evaluate(stacked([row]).columns, wanted)
    return graph.explain(name, values, input_notes(row, coefficients))


def _chunk(
    requests: Sequence[EstimateRequest], coefficients: CoefficientSet, fixes: bool
) -> list[Estimate | UserError]:
    rows: list[ServingRow | UserError] = []
    for request in requests:
        try:
            rows.append(serving_row(request, coefficients))
        except UserError as error:
            rows.append(error)
    good = [i for i, row in enumerate(rows) if isinstance(row, ServingRow)]
    answers: list[Any] = list(rows)
    if not good:
        return answers
    chosen = [rows[i] for i in good]
    table = stacked(chosen)  # type: ignore[arg-type]
    values = serving_graph().evaluate(table.columns, ANSWERS)
    users = users_within_targets(table, chosen, coefficients)  # type: ignore[arg-type]
    for place, i in enumerate(good):
        row = chosen[place]
        answers[i] = serving_estimate(requests[i], row, _at(values, place), users[place], coefficients)  # type: ignore[arg-type]
    if fixes:
        add_fixes(requests, answers, coefficients)
    return answers


def _at(values: Mapping[str, Value], place: int) -> dict[str, float]:
    """The values of one row as plain floats."""
    return {
        name: float(v[place] if np.ndim(v) and np.size(v) > 1 else np.ravel(v)[0])
        for name, v in values.items()
    }


def replaced(table: InputTable, **columns: Value) -> InputTable:
    """A table with some columns replaced, for searches over layouts."""
    return table.replaced(**columns)
