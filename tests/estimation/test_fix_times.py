"""What a change costs in time is what the same estimator says of the changed run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.answer import Estimate, Fix
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.workloads.request import read_request
from gpuconfig.storage.repository import open_catalogue

Request = dict[str, Any]
TRAINING: Request = {
    "model": "llama-3-8b", "hardware": {"gpu": "nvidia-rtx-4090-24"}, "parallelism": {},
    "workload": {"kind": "training", "method": "lora", "sequence_length": 4096, "checkpointing": "none",
                 "framework": "other"},
}  # fmt: skip
SERVING: Request = {
    "model": "llama-3-8b", "hardware": {"gpu": "nvidia-rtx-3060-12"},
    "workload": {"kind": "serving", "engine": "vllm", "weight_format": "bf16", "prompt_tokens": 2000,
                 "output_tokens": 200, "concurrency": 1},
}  # fmt: skip
PICTURE: Request = {
    "model": "flux.1-dev", "hardware": {"gpu": "nvidia-rtx-4090-24"}, "workload": {"kind": "image"},
}  # fmt: skip
CLIP: Request = {
    "model": "wan2.1-t2v-14b", "hardware": {"gpu": "nvidia-rtx-4090-24"}, "workload": {"kind": "video"},
}  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return open_catalogue()


@pytest.fixture(scope="module")
def estimator(catalogue: Catalogue) -> Estimator:
    return Estimator.of(catalogue, "test")


def _estimate(catalogue: Catalogue, estimator: Estimator, request: Request) -> Estimate:
    def read(spec: object) -> Any:
        return catalogue.model(str(spec))

    found = estimator.estimate([read_request(request, read, catalogue.accelerator)])[0]
    assert isinstance(found, Estimate), found
    return found


def _changed(request: Request, change: Mapping[str, object]) -> Request:
    for field, value in change.items():
        part, _, name = field.partition(".")
        request = {**request, part: {**request.get(part, {}), name: value}}
    return request


def _fixes(estimate: Estimate) -> tuple[Fix, ...]:
    assert estimate.memory is not None
    return estimate.memory.cheapest_fixes


def test_a_larger_card_says_how_long_a_token_takes(catalogue: Catalogue, estimator: Estimator) -> None:
    before = _estimate(catalogue, estimator, TRAINING)
    fix = _fixes(before)[-1]
    assert "hardware.gpu" in fix.change
    after = _estimate(catalogue, estimator, _changed(TRAINING, fix.change))
    assert before.training is not None
    assert after.training is not None
    ratio = (before.training.tokens_per_s.value or 0) / (after.training.tokens_per_s.value or 1)
    assert fix.time_ratio == pytest.approx(ratio, rel=1e-2)
    assert f"{fix.time_ratio:.2f}" in str(fix.cost)


def test_a_change_of_serving_says_how_long_a_token_takes(catalogue: Catalogue, estimator: Estimator) -> None:
    before = _estimate(catalogue, estimator, SERVING)
    assert _fixes(before)
    assert before.serving is not None
    for fix in _fixes(before):
        after = _estimate(catalogue, estimator, _changed(SERVING, fix.change))
        assert after.serving is not None
        rates = [e.decode_tokens_per_s_per_user.value or 0 for e in (before.serving, after.serving)]
        assert fix.time_ratio == pytest.approx(rates[0] / rates[1], rel=0.02)


@pytest.mark.parametrize("request_", [PICTURE, CLIP], ids=["picture", "clip"])
def test_an_offload_says_how_long_a_picture_takes(
    catalogue: Catalogue, estimator: Estimator, request_: Request
) -> None:
    before = _estimate(catalogue, estimator, request_)
    assert _fixes(before)
    for fix in _fixes(before):
        after = _estimate(catalogue, estimator, _changed(request_, fix.change))
        assert fix.time_ratio == pytest.approx(_seconds(after) / _seconds(before), rel=1e-2)
        assert f"{fix.time_ratio:.2f}" in str(fix.cost)


def _seconds(estimate: Estimate) -> float:
    figure = estimate.image.seconds_per_image if estimate.image else estimate.video.seconds_per_clip  # type: ignore[union-attr]
    return figure.value or 0.0
