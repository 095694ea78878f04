"""From columns to answers: every pipeline stage is a row; the worst stage and phase are named and broken down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.answer import MemoryAnswer, StageMemory, Verdict
from gpuconfig.engine.estimation.graph import Graph
from gpuconfig.engine.estimation.memory.breakdown import PARTS, breakdown_of
from gpuconfig.engine.estimation.memory.peaks import PHASES
from gpuconfig.engine.provenance.figure import Figure

STAGES_SHOWN = 64
"""Stages of a longer pipeline are sampled evenly; the first and the last are always among them."""
WANTED = (
    "device_used_low_bytes",
    "device_used_high_bytes",
    "host_bytes",
    "drive_bytes",
    *(f"{phase}_phase_bytes" for phase in PHASES),
)

Columns = Mapping[str, float]
Arrays = Mapping[str, Any]


def memory_answers(graph: Graph, rows: Sequence[Columns]) -> list[MemoryAnswer]:
    """Memory of each row of `rows` (columns of `names.TRAINING_INPUTS`), in order."""
    if not rows:
        return []
    owner, stage = stage_rows([r["pipeline_parallel"] for r in rows])
    columns = {name: np.array([r[name] for r in rows])[owner] for name in rows[0]}
    columns["pipeline_stage"] = stage
    values = graph.evaluate(columns, WANTED)
    used = np.broadcast_to(values["device_used_bytes"], owner.shape)
    parts, phases = breakdown_of(values, len(owner))
    starts = np.searchsorted(owner, np.arange(len(rows) + 1))
    return [
        _answer(values, parts, phases, slice(starts[i], starts[i + 1]), used, stage) for i in range(len(rows))
    ]


def stage_rows(pipeline_parallel: Sequence[float]) -> tuple[Any, Any]:
    """For each configuration and each pipeline stage shown: the configuration's index, and the stage."""
    owner, stage = [], []
    for index, degree in enumerate(pipeline_parallel):
        count = min(int(degree), STAGES_SHOWN)
        owner.append(np.full(count, index))
        stage.append(np.round(np.linspace(0, degree - 1, count)))
    return np.concatenate(owner), np.concatenate(stage)


def memory_verdict(answer: MemoryAnswer) -> Verdict:
    """Whether the band of what the device uses lies within, over or around the usable memory."""
    used, usable = answer.device_used_bytes, answer.usable_bytes
    if usable is None or used.low is None or used.high is None:
        return Verdict.UNKNOWN
    if used.high <= usable:
        return Verdict.FITS
    return Verdict.DOES_NOT_FIT if used.low > usable else Verdict.TOO_CLOSE


def _answer(values: Arrays, parts: Any, phases: Any, rows: slice, used: Any, stage: Any) -> MemoryAnswer:
    worst = rows.start + int(np.argmax(used[rows]))
    shown = tuple(
        StageMemory(int(stage[i]), _figure(values, "peak_allocated_bytes", "allocated", i),
                    _figure(values, "peak_reserved_bytes", "reserved", i))
        for i in range(rows.start, rows.stop)
    )  # fmt: skip
    host, drives = (_at(values[name], worst) for name in ("host_bytes", "drive_bytes"))
    usable = _at(values["usable_memory_bytes"], worst)
    return MemoryAnswer(
        peak_allocated_bytes=_figure(values, "peak_allocated_bytes", "allocated", worst),
        peak_reserved_bytes=_figure(values, "peak_reserved_bytes", "reserved", worst),
        device_used_bytes=_device_figure(values, worst),
        usable_bytes=None if np.isnan(usable) else round(usable),
        worst_stage=int(stage[worst]),
        by_stage=shown,
        worst_phase=PHASES[int(phases[worst])],
        breakdown_bytes=_rounded(parts[:, worst], _at(values["peak_allocated_bytes"], worst)),
        host_bytes=Figure(float(round(host)), unit="B") if host > 0 else None,
        drive_bytes=Figure(float(round(drives)), unit="B") if drives > 0 else None,
    )


def _rounded(parts: Any, allocated: float) -> dict[str, float]:
    """Whole bytes that add up to the whole-byte peak plus context."""
    result = {name: float(round(value)) for name, value in zip(PARTS, parts, strict=True)}
    total = float(round(allocated)) + result["context"]
    result["transient"] += total - sum(result.values())
    return result


def _figure(values: Arrays, name: str, counter: str, index: int) -> Figure:
    value = _at(values[name], index)
    low, high = _at(values[f"{counter}_low"], index), _at(values[f"{counter}_high"], index)
    return Figure(_bytes(value), _bytes(value * low), _bytes(value * high), "B")


def _device_figure(values: Arrays, index: int) -> Figure:
    value, low, high = (_at(values[f"device_used_{end}bytes"], index) for end in ("", "low_", "high_"))
    return Figure(_bytes(value), _bytes(low), _bytes(high), "B")


def _bytes(value: float) -> float | None:
    return None if np.isnan(value) else float(round(value))


def _at(column: Any, index: int) -> float:
    return float(column[index] if np.size(column) > 1 else np.ravel(column)[0])
