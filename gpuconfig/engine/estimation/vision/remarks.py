"""What a person should know about a vision run's input, beyond the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
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
