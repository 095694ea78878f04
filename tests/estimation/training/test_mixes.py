"""Mixes that do not exist are refused by name; formats and optimizers cost what their arithmetic costs."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.acceptance import check_request
from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.provenance.errors import InputError

H100, B200, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-b200-sxm-180", "nvidia-rtx-4090-24"


@pytest.mark.parametrize(
    ("framework", "split", "field"),
    [
        ("deepspeed", {"pipeline": 2, "data": 4, "zero_stage": 3}, "parallelism.zero_stage"),
        ("torchtune", {"pipeline": 2, "data": 4}, "parallelism.pipeline"),
        ("hf_trainer", {"pipeline": 4, "tensor": 2}, "parallelism.pipeline"),
    ],
)
def test_what_a_framework_does_not_split_is_refused(
    ask: Any, coefficients: Any, framework: str, split: dict[str, int], field: str
) -> None:
    with pytest.raises(InputError) as refused:
        check_request(ask(H100, 8, split=split, framework=framework), coefficients)
    assert refused.value.field == field


def test_megatron_and_deepspeed_take_the_splits_that_they_offer(ask: Any, coefficients: Any) -> None:
    check_request(
        ask(H100, 8, split={"pipeline": 2, "data": 4, "zero_stage": 1}, framework="deepspeed"), coefficients
    )
    check_request(ask(H100, 8, split={"pipeline": 4, "tensor": 2}, framework="megatron"), coefficients)


@pytest.mark.parametrize(
    ("split", "work", "field"),
    [
        ({"pipeline": 4, "virtual_pipeline": 2, "data": 2}, {"gradient_accumulation": 6}, "virtual_pipeline"),
        ({"context": 8}, {"sequence_length": 4099}, "context"),
        ({"expert": 2, "data": 8}, {}, "expert"),
        ({"tensor": 2, "expert_tensor": 2, "data": 4}, {}, "expert_tensor"),
    ],
)
def test_degrees_that_do_not_divide_are_refused(
    ask: Any, coefficients: Any, split: dict[str, int], work: dict[str, int], field: str
) -> None:
    (error,) = estimate_training([ask(H100, 8, split=split, framework="megatron", **work)], coefficients)
    assert isinstance(error, InputError)
    assert error.field == f"parallelism.{field}"
    assert "divisor of 0" not in error.message.english()


def test_the_search_interleaves_only_whole_groups(ask: Any, coefficients: Any) -> None:
    """Six micro-batches are no whole groups of four stages."""
    request = ask(H100, 8, split="open", framework="megatron", model="llama-3-70b", gradient_accumulation=6)
    (answer,) = estimate_training([request], coefficients)
    chosen = answer.parallelism
    assert chosen["virtual_pipeline"] == 1 or 6 % chosen["pipeline"] == 0


def test_fp16_on_a_later_card_is_today_s_software(estimate: Any) -> None:
    half, brain = (
        estimate(B200, 8, framework="megatron", precision=p, checkpointing="none").training.tokens_per_s.value
        for p in ("fp16", "bf16")
    )
    assert half == pytest.approx(brain, rel=0.01)


@pytest.mark.parametrize(("gpu", "native"), [(H100, False), (B200, True)])
def test_scales_by_block_need_units_for_them(estimate: Any, gpu: str, native: bool) -> None:
    answer = estimate(gpu, 8, framework="megatron", precision="mxfp8")
    assert ("precision_not_supported" in {w.code for w in answer.warnings}) != native


@pytest.mark.parametrize(
    "gpu", [RTX_4090, H100, "nvidia-a100-sxm4-80", "nvidia-rtx-3090-24", "nvidia-rtx-5090-32"]
)
def test_tf32_is_never_slower_than_fp32(estimate: Any, gpu: str) -> None:
    narrow, wide = (estimate(gpu, precision=p).training.tokens_per_s.value for p in ("tf32", "fp32"))
    assert narrow >= wide


def test_splitting_the_norms_saves_their_traffic(estimate: Any) -> None:
    split = {"tensor": 8, "data": 1}
    whole, divided, unsaid = (
        estimate(H100, 8, split={**split, **more}, framework="megatron").training.tokens_per_s.value
        for more in ({"sequence": False}, {"sequence": True}, {})
    )
    assert divided > 1.02 * whole
    assert unsaid == pytest.approx(divided)


def test_muon_pays_for_its_products_and_shards_share_them(estimate: Any) -> None:
    """Five iterations over 8B weights: about a second on one card, an eighth where eight share the states."""

    def stepped(optimizer: str, stage: int) -> float:
        answer = estimate(
            H100, 8, split={"data": 8, "zero_stage": stage}, optimizer=optimizer, gradient_accumulation=1
        )
        return float(answer.training.time_breakdown_s["optimizer"])

    alone, shared = (stepped("muon", stage) - stepped("lion", stage) for stage in (0, 1))
    assert 0.3 < alone < 3.0
    assert shared == pytest.approx(alone / 8, rel=0.2)
