"""Experts that are launched one by one, and weights that are gathered matrix by matrix: published runs of both."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.compute.passes import experts_hit

A100, H100 = "nvidia-a100-sxm4-80", "nvidia-h100-sxm5-80"
FORWARD = {(1, 16): (269.94, 64.32), (1, 128): (480.20, 76.51), (4, 128): (523.33, 80.24)}
"""Batch and length: forward of Qwen1.5-MoE-A2.7B looped and grouped, ms (docs-benchmarks/experts-backends)."""


def _shape(**more: Any) -> dict[str, Any]:
    return {
        "architecture": {
            "head_dim": 128,
            "vocab": 151936,
            "gated_mlp": True,
            "tied_embeddings": False,
            **more,
        }
    }


QWEN2_7B = _shape(layers=28, hidden=3584, heads=28, kv_heads=4, ffn=18944)
QWEN2_57B_A14B = _shape(
    layers=28, hidden=3584, heads=28, kv_heads=4, ffn=18944, experts=64, experts_per_token=8, expert_ffn=2560,
    shared_experts=1, shared_expert_ffn=20480,
)  # fmt: skip
QWEN3_30B_A3B = _shape(
    layers=48, hidden=2048, heads=32, kv_heads=4, ffn=6144, experts=128, experts_per_token=8, expert_ffn=768
)
LORA = {"method": "lora", "lora": {"rank": 64, "targets": ["all-linear"]}}


@pytest.mark.parametrize(("batch", "length"), FORWARD)
def test_published_forward_of_looped_experts(coefficients: Any, batch: int, length: int) -> None:
    """What the loop takes beyond grouped products is what the experts that are hit take to launch."""
    looped, grouped = FORWARD[batch, length]
    hit = experts_hit.function(routed_tokens_per_gpu=4.0 * batch * length, experts=60.0, expert_parallel=1.0)
    seconds = 24 * hit * coefficients.value("compute", "looped_expert_seconds", "hf_trainer")
    assert seconds == pytest.approx((looped - grouped) / 1000, rel=0.35)


def test_few_tokens_hit_few_experts() -> None:
    def hit(rows: float) -> float:
        return float(experts_hit.function(routed_tokens_per_gpu=rows, experts=128.0, expert_parallel=1.0))

    assert hit(8.0) == pytest.approx(8.0, rel=0.05)
    assert hit(8192.0) == pytest.approx(128.0)


def test_release_5_of_transformers_is_several_times_as_fast(estimate: Any) -> None:
    """Six times is what its makers and those of Unsloth publish."""
    work = {"model": QWEN3_30B_A3B, "framework": "hf_trainer", "sequence_length": 2048, **LORA}
    four, five = (estimate(A100, framework_version=v, **work).training for v in ("4.57", "5.0"))
    assert 4 < five.tokens_per_s.value / four.tokens_per_s.value < 12
    assert four.bound_by.value == "host"
    left_open = estimate(A100, **work)
    assert left_open.training.tokens_per_s.value == four.tokens_per_s.value
    assert "workload.framework_version" in [a.field for a in left_open.assumptions]


def test_zero_3_gathers_every_expert(estimate: Any) -> None:
    """Steps of 64 short samples on eight H100 took 10.1 s with 7B and 271 s with 57B-A14B (QwenLM/Qwen3 issue 736)."""
    work = {"framework": "deepspeed", "sequence_length": 512, "gradient_accumulation": 8, **LORA}
    split = {"data": 8, "zero_stage": 3}
    for model, measured in ((QWEN2_7B, 10.1), (QWEN2_57B_A14B, 271.4)):
        step = estimate(H100, 8, split=split, model=model, **work).training.step_time_s.value
        assert step == pytest.approx(measured, rel=0.25)


def test_long_batches_hide_the_gathering_of_dense_layers(estimate: Any) -> None:
    work = {"model": QWEN2_7B, "sequence_length": 8192, "micro_batch_size": 2, "checkpointing": "full"}
    split = {"data": 8, "zero_stage": 3}
    by_matrix, by_layer = (
        estimate(H100, 8, split=split, framework=f, **work).training.step_time_s.value
        for f in ("deepspeed", "hf_trainer")
    )
    assert by_matrix == pytest.approx(by_layer, rel=0.1)
