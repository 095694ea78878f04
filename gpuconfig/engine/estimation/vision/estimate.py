"""Estimates of vision training and inference: many requests as arrays, order kept, each bad one its own error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import BoundBy, Estimate, MemoryAnswer, VisionAnswer
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Graph, quantities_of
from gpuconfig.engine.estimation.power import host, steady, sustained
from gpuconfig.engine.estimation.power.host import HOST_INPUTS
from gpuconfig.engine.estimation.single_rows import (
    Row,
    estimate_rows,
    explain_row,
    figure,
    power_answer,
    verdict,
)
from gpuconfig.engine.estimation.vision import quantities
from gpuconfig.engine.estimation.vision.remarks import (
    decoding_band,
    decoding_warnings,
    input_warnings,
    slower,
)
from gpuconfig.engine.estimation.vision.shape import GROUP
from gpuconfig.engine.estimation.vision.table import INPUTS, vision_row
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.workloads.request import EstimateRequest

ANSWERS = (
    "gpu_w",
    "wall_w",
    "samples_per_s",
    "device_samples_per_s",
    "input_samples_per_s",
    "peak_allocated_bytes",
    "device_used_bytes",
    "weights_bytes",
    "activation_bytes",
)
BAND_SCOPES = ("{mode}|{network}|{group}", "{mode}|{network}", "{mode}")


@cache
def vision_graph() -> Graph:
    """The graph, checked once."""
    return Graph(quantities_of(quantities, host, steady, sustained), (*INPUTS, *HOST_INPUTS))


def estimate_vision(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    _measurements: Sequence[Measurement] = (),
) -> list[Estimate | UserError]:
    """Answers in the order of `requests`; one that cannot be accepted becomes its error."""
    return estimate_rows(requests, coefficients, vision_row, vision_graph(), ANSWERS, _answer)


def explain_vision(request: EstimateRequest, coefficients: CoefficientSet, name: str) -> Explanation:
    """The tree behind one quantity of one request.

    Raises:
        InputError: the request is not valid, or there is no such quantity.
    """
    return explain_row(request, coefficients, vision_row, vision_graph(), name, "samples_per_s")


def _answer(
    request: EstimateRequest, row: Row, one: Mapping[str, float], coefficients: CoefficientSet
) -> Estimate:
    scopes = [s.format_map(row.scopes) for s in BAND_SCOPES]
    band = coefficients.band(GROUP, "band_memory", *scopes)
    used, usable = one["device_used_bytes"], one["usable_memory_bytes"]
    fits = verdict(used, usable, *band)
    memory = MemoryAnswer(
        peak_allocated_bytes=figure(one["peak_allocated_bytes"], *band, "B"),
        peak_reserved_bytes=figure(used - one["context_bytes"], *band, "B"),
        device_used_bytes=figure(used, *band, "B"),
        usable_bytes=usable if usable == usable else None,
        worst_phase="backward" if row.columns["training"] else "forward",
        breakdown_bytes={
            "weights": one["weights_bytes"], "activations": one["activation_bytes"], "context": one["context_bytes"],
        },
    )  # fmt: skip
    band = coefficients.band(GROUP, "band_samples", *scopes)
    cards = figure(one["device_samples_per_s"], *band, "sample/s")
    decoded = figure(one["input_samples_per_s"], *decoding_band(coefficients), "sample/s")
    waiting = one["input_samples_per_s"] < one["device_samples_per_s"]
    return Estimate(
        id=request.id,
        verdict=fits,
        memory=memory,
        vision=VisionAnswer(samples_per_s=slower(cards, decoded), bound_by=BoundBy.HOST if waiting else None),
        power=power_answer(one, GROUP, coefficients),
        assumptions=row.assumptions,
        warnings=(
            *decoding_warnings(row.columns["cpu_cores"], cards, decoded),
            *input_warnings(request, one["samples_per_s"], row.columns["size_scale"], coefficients),
        ),
    )
