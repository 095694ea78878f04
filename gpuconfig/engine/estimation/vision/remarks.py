"""What a person should know about a vision run's input, beyond the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.vision.shape import GROUP
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest


def input_warnings(
    request: EstimateRequest, samples_per_s: float, size_scale: float, coefficients: CoefficientSet
) -> Iterator[Warning_]:
    """Storage that cannot feed the cards: the first epoch comes from it, later ones from host memory if it holds them.

    Args:
        samples_per_s: images a second of the cards and the processor.
        size_scale: pixels of an image over those of the network's own size.
    """
    storage = request.hardware.storage_bytes_per_s
    if storage is None or not samples_per_s > 0:
        return
    image = coefficients.value("compute", "stored_image_bytes") * size_scale
    cold = storage * request.hardware.nodes / image
    if cold < samples_per_s:
        text = N_(
            "storage feeds {cold} images/s: the first epoch, and every one that host memory does not hold, runs at that"
        )
        yield Warning_("cold_first_epoch", Message(text, {"cold": f"{cold:,.0f}"}))


def decoding_band(coefficients: CoefficientSet) -> tuple[float, float]:
    """Ends of the rate at which a core decodes images, as factors of the usual one."""
    usual = coefficients.value(GROUP, "core_samples_per_s")
    low, high = coefficients.band(GROUP, "core_samples_per_s")
    return low / usual, high / usual


def slower(cards: Figure, decoded: Figure) -> Figure:
    """Images a second of the cards behind the processor, end by end; a processor not known holds nothing up."""
    if decoded.value is None or cards.value is None:
        return cards
    ends = zip((cards.value, cards.low, cards.high), (decoded.value, decoded.low, decoded.high), strict=True)
    value, low, high = (min(end for end in pair if end is not None) for pair in ends)
    return Figure(value, low, high, cards.unit)


def decoding_warnings(cores: float, cards: Figure, decoded: Figure) -> Iterator[Warning_]:
    """A processor that decodes fewer images than the cards take, with the cores that they would need.

    Args:
        cores: of all machines.
    """
    if cards.value is None or decoded.value is None or decoded.value >= cards.value:
        return
    text = N_(
        "{cores} processor cores decode {decoded} images/s ({low} to {high}, by the library) and set the pace; the"
        " cards take {cards}: that needs about {needed} cores, images decoded on the cards (DALI), or images stored"
        " small"
    )
    values = {"decoded": decoded.value, "low": decoded.low, "high": decoded.high, "cards": cards.value}
    shown: dict[str, object] = {name: f"{value or 0:,.0f}" for name, value in values.items()}
    shown["cores"], shown["needed"] = f"{cores:.0f}", f"{math.ceil(cores * cards.value / decoded.value)}"
    yield Warning_("decoding_bound", Message(text, shown))
