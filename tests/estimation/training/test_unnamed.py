"""A framework that is not named: as most people fare, never slower for a switch that helps, its band holds the best."""

from __future__ import annotations

from typing import Any

import pytest

H100, A100 = "nvidia-h100-sxm5-80", "nvidia-a100-sxm4-80"
SPLIT = {"data": 8, "zero_stage": 3}
NAMED = ("hf_trainer", "deepspeed", "torchtitan", "torchtune", "llm_foundry", "megatron")
"""`other` is not among them: stated, it is a stack of one's own, and a compiler tells that it is one of PyTorch."""


@pytest.mark.parametrize("framework", [None, *NAMED])
@pytest.mark.parametrize("method", ["full", "lora"])
def test_a_compiler_never_slows(estimate: Any, framework: str | None, method: str) -> None:
    plain, compiled = (
        estimate(
            H100, 8, split=SPLIT, framework=framework, method=method, compiled=on
        ).training.tokens_per_s.value
        for on in (False, True)
    )
    assert compiled >= plain


@pytest.mark.parametrize("framework", [None, "hf_trainer"])
def test_a_fused_loss_never_slows_full_training(estimate: Any, framework: str | None) -> None:
    plain, fused = (
        estimate(H100, 8, split=SPLIT, framework=framework, loss=loss).training.tokens_per_s.value
        for loss in ("full_logits", "fused")
    )
    assert fused >= plain


@pytest.mark.parametrize("gpu", [H100, A100])
def test_its_band_holds_recipes_and_submissions(estimate: Any, gpu: str) -> None:
    unnamed, *named = (
        estimate(gpu, 8, split=SPLIT, framework=framework).training.tokens_per_s
        for framework in (None, "hf_trainer", "torchtitan", "llm_foundry", "other")
    )
    assert all(unnamed.low < other.value < unnamed.high for other in named)
    assert min(other.value for other in named) <= unnamed.value <= max(other.value for other in named)
