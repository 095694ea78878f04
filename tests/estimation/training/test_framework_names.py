"""Frameworks by the names people write, and InternEvo by its published rates."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.workloads.training import Framework

A100 = "nvidia-a100-sxm4-80"
INTERNLM_7B = {
    "architecture": {
        "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 32, "head_dim": 128, "ffn": 11008, "vocab": 103168,
        "gated_mlp": True, "tied_embeddings": False, "parameters_b": 7.321,
    }
}  # fmt: skip
PUBLISHED = {1: 4078, 16: 3928, 128: 3625}
"""Machines of eight A100: tokens/s a card of InternLM 7B (InternLM/InternEvo, doc/en/train_performance.md)."""


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("NeMo", Framework.MEGATRON), ("Megatron-Bridge", Framework.MEGATRON), ("megatron-lm", Framework.MEGATRON),
        ("TRL", Framework.HF_TRAINER), ("LLaMA-Factory", Framework.HF_TRAINER), ("ms-swift", Framework.HF_TRAINER),
        ("lit-gpt", Framework.LITGPT), ("LLM Foundry", Framework.LLM_FOUNDRY), ("InternEvo", Framework.INTERNEVO),
    ],
)  # fmt: skip
def test_names_of_what_is_built_on_them_are_understood(ask: Any, written: str, meant: Framework) -> None:
    assert ask(A100, framework=written).workload.framework is meant


def test_an_unknown_framework_is_refused_with_the_known_ones(ask: Any) -> None:
    with pytest.raises(InputError) as refused:
        ask(A100, framework="paddle")
    assert refused.value.field == "workload.framework"
    assert "internevo" in refused.value.message.english()


@pytest.mark.parametrize("machines", PUBLISHED)
def test_internevo_by_its_published_rates(estimate: Any, machines: int) -> None:
    network = {"inter_node": {"gbit_per_s_per_gpu": 50, "rdma": True}}
    found = estimate(
        A100, 8, nodes=machines, split={"data": 8 * machines, "zero_stage": 1}, hardware=network, model=INTERNLM_7B,
        framework="internevo", method="pretrain", sequence_length=2048, micro_batch_size=2, gradient_accumulation=4,
        checkpointing=None,
    )  # fmt: skip
    rate = found.training.tokens_per_s_per_gpu
    assert rate.value == pytest.approx(PUBLISHED[machines], rel=0.2)
    assert rate.low < PUBLISHED[machines] < rate.high
