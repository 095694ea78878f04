"""Estimates of vision training and inference: many requests as arrays, order kept, each bad one its own error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate, MemoryAnswer, VisionAnswer
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Graph, quantities_of
from gpuconfig.engine.estimation.power import host, sustained
from gpuconfig.engine.estimation.power.host import HOST_INPUTS
from gpuconfig.engine.estimation.single_rows import (
    Row,
    estimate_rows,
    explain_row,
    figure,
    power_answer,
    verdict,
)
from gpuconfig.engine.estimation.vision import quantities, run
from gpuconfig.engine.estimation.vision.remarks import (
    decoding_band,
    decoding_warnings,
    storage_warnings,
    stored_band,
)
from gpuconfig.engine.estimation.vision.shape import GROUP
from gpuconfig.engine.estimation.vision.table import INPUTS, vision_row
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.units import TERA
from gpuconfig.engine.workloads.request import EstimateRequest

ANSWERS = (
    "gpu_w",
    "wall_w",
    "samples_per_s",
    "device_samples_per_s",
    "input_samples_per_s",
    "storage_samples_per_s",
    "dataset_bytes",
    "kept_in_host",
    "first_epoch_samples_per_s",
    "later_samples_per_s",
    "step_time_s",
    "model_flops_per_gpu",
    "mfu",
    "scaling_efficiency",
    "time_to_train_s",
    "energy_wh_per_msample",
    *(name for _, name, _ in run.PARTS),
    *("epochs", "dataset_images", "host_memory_bytes", "cache_share"),
    "peak_allocated_bytes",
    "device_used_bytes",
    "weights_bytes",
    "activation_bytes",
)
BAND_SCOPES = ("{mode}|{network}|{group}", "{mode}|{network}", "{mode}")


@cache
def vision_graph() -> Graph:
    """The graph, checked once."""
    return Graph(quantities_of(quantities, run, host, sustained), (*INPUTS, *HOST_INPUTS))


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
    stored = figure(one["storage_samples_per_s"], *stored_band(coefficients), "sample/s")
    return Estimate(
        id=request.id,
        verdict=fits,
        memory=memory,
        vision=_speed(one, (cards, decoded, stored), row.columns["training"] > 0),
        power=power_answer(one, GROUP, coefficients),
        assumptions=row.assumptions,
        warnings=(*decoding_warnings(row.columns["cpu_cores"], cards, decoded), *storage_warnings(one)),
    )


def _speed(one: Mapping[str, float], rates: tuple[Figure, ...], training: bool) -> VisionAnswer:
    """Every figure with the band of the rate: the ends of what limits it go through the run's formulas.

    Args:
        rates: of the cards, of decoding and of storage.
    """
    if rates[0].value is None:
        return VisionAnswer()
    names = ("device_samples_per_s", "input_samples_per_s", "storage_samples_per_s")
    ends = {
        name: np.array([float("nan") if end is None else end for end in (f.value, f.low, f.high)])
        for name, f in zip(names, rates, strict=True)
    }
    values: dict[str, Any] = {**one, **ends}
    for quantity in (run.first_epoch_samples_per_s, run.later_samples_per_s, run.samples_per_s):
        values[quantity.name] = quantity.function(*(values[name] for name in quantity.parameters))

    def rate(name: str, by: str, unit: str, scale: float = 1.0, sign: int = 1) -> Figure:
        share = values[by] / values[by][0]
        _, low, high = share if sign > 0 else 1 / share[[0, 2, 1]]
        return figure(one[name] * scale, low, high, unit)

    total = "samples_per_s"
    bound, used = run.bound_by(one), rate("mfu", total, "1")
    flops = rate("model_flops_per_gpu", total, "TFLOP/s", 1 / TERA)
    if not training:
        return VisionAnswer(
            samples_per_s=rate(total, total, "sample/s"), model_tflops_per_gpu=flops, mfu=used, bound_by=bound,
            energy_wh_per_msample=rate("energy_wh_per_msample", total, "Wh", sign=-1),
        )  # fmt: skip
    parts = {shown: one[name] for shown, name, _ in run.PARTS if one[name] > 0}
    return VisionAnswer(
        samples_per_s=rate(total, total, "sample/s"),
        first_epoch_samples_per_s=rate("first_epoch_samples_per_s", "first_epoch_samples_per_s", "sample/s"),
        step_time_s=rate("step_time_s", total, "s", sign=-1),
        model_tflops_per_gpu=flops,
        mfu=used,
        bound_by=bound,
        time_breakdown_s=parts,
        scaling_efficiency=figure(one["scaling_efficiency"], 1.0, 1.0, "1"),
        time_to_train_s=rate("time_to_train_s", total, "s", sign=-1),
        energy_wh_per_msample=rate("energy_wh_per_msample", total, "Wh", sign=-1),
    )
