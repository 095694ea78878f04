"""Figures of image and video generation that no fit reads, and the rules they rest on."""

from __future__ import annotations

import json
from collections import defaultdict
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.diffusion.estimate import estimate_diffusion

CARD = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 1, "nodes": 1}
PICTURE = {
    "kind": "image",
    "engine": "diffusers",
    "precision": "bf16",
    "width": 1024,
    "height": 1024,
    "steps": 20,
}


@pytest.fixture
def generate(read: Any, coefficients: Any) -> Any:
    def one(model: str, **work: Any) -> Estimate:
        request = read({"model": model, "workload": {**PICTURE, **work}, "hardware": CARD})
        (found,) = estimate_diffusion([request], coefficients)
        assert isinstance(found, Estimate)
        return found

    return one


def test_sources_that_no_fit_reads_are_predicted(catalogue: Any, read: Any, coefficients: Any) -> None:
    """Published time and memory of other programs and cards, from 24 GB at home to 141 GB."""
    unseen = catalogue.measurements("image_check")
    answers = estimate_diffusion([read(json.loads(m.request)) for m in unseen], coefficients)
    errors: dict[str, dict[str, list[float]]] = {"memory": defaultdict(list), "time": defaultdict(list)}
    inside = []
    for measured, answer in zip(unseen, answers, strict=True):
        assert isinstance(answer, Estimate)
        figure = attrgetter(measured.quantity)(answer)
        kind = "memory" if measured.quantity.startswith("memory") else "time"
        errors[kind][measured.fields["origin"]].append(abs(figure.value / measured.value - 1))
        inside.append(figure.low <= measured.value <= figure.high)
    assert len(unseen) >= 45
    for kind, most in (("memory", 0.1), ("time", 0.22)):
        assert np.mean([np.median(e) for e in errors[kind].values()]) < most, kind
    assert np.mean(inside) > 0.75


def test_a_picture_to_be_edited_goes_through_the_denoiser_too(generate: Any) -> None:
    """Twice the tokens: twice the products, four times the attention."""
    plain, edit = (generate(m).image.seconds_per_image.value for m in ("flux.1-dev", "flux.1-kontext-dev"))
    assert 1.9 < edit / plain < 2.6


def test_sequential_offload_waits_for_copies_from_the_host(generate: Any) -> None:
    """FLUX.1 dev fetches 23.8 GB for each of 20 steps."""
    fetched = generate("flux.1-dev", offload="sequential").image.seconds_per_image.value
    assert fetched - generate("flux.1-dev").image.seconds_per_image.value > 20 * 23.8 / 7


def test_packed_files_are_never_wide_on_the_card(generate: Any) -> None:
    packed, torchao = (generate("flux.1-dev", precision=p).memory for p in ("gguf:q8_0", "int8"))
    assert torchao.worst_phase == "loading"
    assert packed.worst_phase != "loading"
    assert packed.peak_allocated_bytes.value < 27e9 < torchao.peak_allocated_bytes.value
