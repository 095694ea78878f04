"""Estimates of vision training and inference: many requests as arrays, order kept, each bad one its own error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate, MemoryAnswer, PowerAnswer, Verdict, VisionAnswer
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Graph, InputTable, quantities_of
from gpuconfig.engine.estimation.vision import quantities
from gpuconfig.engine.estimation.vision.table import GROUP, INPUTS, VisionRow, vision_row
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest

ANSWERS = (
    "gpu_w",
    "samples_per_s",
    "peak_allocated_bytes",
    "device_used_bytes",
    "weights_bytes",
    "activation_bytes",
)
POWER_BAND = (0.7, 1.1)
BAND_SCOPES = ("{mode}|{network}|{architecture}", "{mode}|{network}", "{mode}")


@cache
def vision_graph() -> Graph:
    """The graph, checked once."""
    return Graph(quantities_of(quantities), INPUTS)


def estimate_vision(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    _measurements: Sequence[Measurement] = (),
) -> list[Estimate | UserError]:
    """Answers in the order of `requests`; one that cannot be accepted becomes its error."""
    rows: list[Any] = []
    for request in requests:
        try:
            rows.append(vision_row(request, coefficients))
        except UserError as error:
            rows.append(error)
    good = [i for i, row in enumerate(rows) if isinstance(row, VisionRow)]
    if not good:
        return rows
    table = InputTable.stacked([InputTable(rows[i].columns) for i in good])
    values = vision_graph().evaluate(table.columns, ANSWERS)
    for place, i in enumerate(good):
        one = {n: float(values[n][place]) for n in (*ANSWERS, "context_bytes", "usable_memory_bytes")}
        rows[i] = _answer(requests[i], rows[i], one, coefficients)
    return rows


def explain_vision(request: EstimateRequest, coefficients: CoefficientSet, name: str) -> Explanation:
    """The tree behind one quantity of one request.

    Raises:
        InputError: the request is not valid, or there is no such quantity.
    """
    graph = vision_graph()
    if name not in graph.quantities and name not in graph.inputs:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(graph.quantities)})
        raise InputError("unknown_value", "quantity", name, Message(N_("no such quantity")), accepted)
    row = vision_row(request, coefficients)
    wanted = (name,) if name in graph.quantities else ("samples_per_s",)
    values = graph.evaluate(InputTable.stacked([InputTable(row.columns)]).columns, wanted)
    return graph.explain(name, values, row.notes)


def _answer(
    request: EstimateRequest, row: VisionRow, one: dict[str, float], coefficients: CoefficientSet
) -> Estimate:
    scopes = [s.format_map(row.scopes) for s in BAND_SCOPES]
    low, high = coefficients.band(GROUP, "band_samples", *scopes)
    memory_low, memory_high = coefficients.band(GROUP, "band_memory", *scopes)
    rate, used, usable = one["samples_per_s"], one["device_used_bytes"], one["usable_memory_bytes"]
    allocated = one["peak_allocated_bytes"]
    memory = MemoryAnswer(
        peak_allocated_bytes=_figure(allocated, memory_low, memory_high, "B"),
        peak_reserved_bytes=_figure(used - one["context_bytes"], memory_low, memory_high, "B"),
        device_used_bytes=_figure(used, memory_low, memory_high, "B"),
        usable_bytes=usable if usable == usable else None,
        worst_phase="backward" if row.columns["training"] else "forward",
        breakdown_bytes={
            "weights": one["weights_bytes"], "activations": one["activation_bytes"], "context": one["context_bytes"],
        },
    )  # fmt: skip
    power = PowerAnswer(gpu_w=_figure(one["gpu_w"], *POWER_BAND, "W"))
    return Estimate(
        id=request.id, verdict=_verdict(used, usable, memory_low, memory_high), memory=memory,
        vision=VisionAnswer(samples_per_s=_figure(rate, low, high, "sample/s")), power=power,
        assumptions=row.assumptions,
    )  # fmt: skip


def _figure(value: float, low: float, high: float, unit: str) -> Figure:
    return Figure(None, unit=unit) if value != value else Figure(value, value * low, value * high, unit)


def _verdict(used: float, usable: float, low: float, high: float) -> Verdict:
    if used != used or usable != usable:
        return Verdict.UNKNOWN
    if used * high <= usable:
        return Verdict.FITS
    return Verdict.DOES_NOT_FIT if used * low > usable else Verdict.TOO_CLOSE
