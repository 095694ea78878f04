"""What a person should know about a vision run's input, beyond the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.vision.shape import GROUP
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GB


def storage_warnings(one: Mapping[str, float]) -> Iterator[Warning_]:
    """Storage that cannot feed the cards: in the first epoch, or in all where host memory does not keep the images.

    Args:
        one: quantities and columns of the request.
    """
    cold = one["storage_samples_per_s"]
    fed = min(one["device_samples_per_s"], _known(one["input_samples_per_s"]))
    if not cold < fed:
        return
    values: dict[str, object] = {"cold": f"{cold:,.0f}", "warm": f"{fed:,.0f}"}
    if one["kept_in_host"]:
        text = N_(
            "storage feeds {cold} images/s: the first epoch runs at that; later ones, read from host memory, at {warm}"
        )
        yield Warning_("cold_first_epoch", Message(text, values))
        return
    if math.isnan(one["dataset_images"]):
        text = N_(
            "storage feeds {cold} images/s of the {warm} that could be trained, and sets the pace: how many images"
            " there are (workload.dataset_images) is not stated, so no epoch is taken to find them in host memory"
        )
    elif math.isnan(one["host_memory_bytes"]):
        text = N_(
            "storage feeds {cold} images/s of the {warm} that could be trained, and sets the pace: the size of host"
            " memory is not stated, so no epoch is taken to find the {data} GB of images there"
        )
    else:
        text = N_(
            "storage feeds {cold} images/s of the {warm} that could be trained, and sets the pace of every epoch: the"
            " {data} GB of images do not stay in {room} GB, what {memory} GB of host memory leave for files"
        )
    for name, value in (
        ("data", one["dataset_bytes"]), ("memory", one["host_memory_bytes"]),
        ("room", one["host_memory_bytes"] * one["cache_share"]),
    ):  # fmt: skip
        values[name] = f"{value / GB:,.0f}"
    yield Warning_("storage_bound", Message(text, values))


def _known(rate: float) -> float:
    return math.inf if math.isnan(rate) else rate


def decoding_band(coefficients: CoefficientSet) -> tuple[float, float]:
    """Ends of the rate at which a core decodes images, as factors of the usual one."""
    usual = coefficients.value(GROUP, "core_samples_per_s")
    low, high = coefficients.band(GROUP, "core_samples_per_s")
    return low / usual, high / usual


def stored_band(coefficients: CoefficientSet) -> tuple[float, float]:
    """Ends of the rate at which storage feeds images, as factors of the usual one: by the size of their files."""
    usual = coefficients.value("compute", "stored_image_bytes")
    small, large = coefficients.band("compute", "stored_image_bytes")
    return usual / large, usual / small


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
