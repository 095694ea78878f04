"""Unsloth: layers' inputs in host memory, no logits, kernels of its own."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.quantities.units import GIB

A100 = "nvidia-a100-sxm4-80"
LLAMA_2_7B = {
    "architecture": {
        "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 32, "ffn": 11008, "vocab": 32000, "gated_mlp": True,
        "tied_embeddings": False,
    }
}  # fmt: skip
QLORA = {
    "model": LLAMA_2_7B, "method": "qlora", "weight_storage": "nf4", "gradient_accumulation": 4, "checkpointing": None,
    "lora": {"rank": 8, "targets": ["all-linear"]},
}  # fmt: skip


@pytest.mark.parametrize(("length", "gib"), [(8192, 8), (16384, 10), (32768, 16), (65536, 25), (100_000, 37)])
def test_memory_is_as_published(estimate: Any, length: int, gib: int) -> None:
    """LLaMA-Factory's table of one A100, in whole GiB: https://github.com/hiyouga/LLaMA-Factory/wiki"""
    answer = estimate(A100, **QLORA, framework="unsloth", sequence_length=length)
    assert answer.memory.device_used_bytes.value / GIB == pytest.approx(gib, abs=0.5, rel=0.06)
    assert answer.memory.host_bytes.value > 0


def test_what_its_checkpointing_moves_is_said_and_ends_with_it(estimate: Any) -> None:
    moved = estimate(A100, **QLORA, framework="unsloth")
    kept = estimate(A100, **{**QLORA, "checkpointing": "none"}, framework="unsloth")
    assert {a.field: a.value for a in moved.assumptions}["workload.offload"] == "activations"
    assert "workload.offload" not in {a.field for a in kept.assumptions}
    assert kept.memory.host_bytes is None


def test_it_is_faster_than_the_trainer_it_stands_on(estimate: Any) -> None:
    """LLaMA-Factory's table: 1.1 to 1.2 times; more where adapters go through dropout."""
    own, plain = (estimate(A100, **QLORA, framework=f).training for f in ("unsloth", "hf_trainer"))
    assert 1.1 < own.tokens_per_s.value / plain.tokens_per_s.value < 1.7
