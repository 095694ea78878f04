"""Data parallelism by threads of one process: published runs, what it moves and holds, where it does not exist."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.provenance.errors import InputError

TITAN, RTX_3090, A100 = "nvidia-titan-rtx-24", "nvidia-rtx-3090-24", "nvidia-a100-sxm4-80"
BRIDGE = {"intra_node": "nvlink"}
GPT_2 = {
    "architecture": {
        "layers": 12, "hidden": 768, "heads": 12, "kv_heads": 12, "head_dim": 64, "ffn": 3072, "vocab": 50257,
        "gated_mlp": False, "tied_embeddings": True,
    }
}  # fmt: skip
RUN_CLM = {
    "method": "full", "framework": "hf_trainer", "sequence_length": 1024, "micro_batch_size": 4,
    "gradient_accumulation": 1, "precision": "fp32", "checkpointing": "none", "attention_kernel": "eager",
}  # fmt: skip
"""GPT-2 on two Titan RTX with a bridge: transformers/docs/source/en/perf_train_gpu_many.md, 200 steps each."""
MEASURED_S = {"threads": 110.5948 / 200, "processes": 101.9003 / 200}


@pytest.mark.parametrize("replicas", MEASURED_S)
def test_published_steps_of_both_kinds(estimate: Any, replicas: str) -> None:
    found = estimate(TITAN, 2, model=GPT_2, split={"data": 2}, hardware=BRIDGE, replicas=replicas, **RUN_CLM)
    assert found.training.step_time_s.value == pytest.approx(MEASURED_S[replicas], rel=0.05)
    assert ("threads_of_one_process" in [w.code for w in found.warnings]) == (replicas == "threads")


def test_what_threads_add_is_copying_gathering_and_summing(estimate: Any) -> None:
    """The published difference is 43 ms: 0.5 GB of weights out, as much of gradients back, 0.8 GB of logits."""
    parts = {
        kind: estimate(TITAN, 2, model=GPT_2, split={"data": 2}, hardware=BRIDGE, replicas=kind, **RUN_CLM)
        for kind in MEASURED_S
    }
    threads, processes = (parts[k].training for k in ("threads", "processes"))
    added = threads.step_time_s.value - processes.step_time_s.value
    assert added == pytest.approx(MEASURED_S["threads"] - MEASURED_S["processes"], rel=0.25)
    for name in ("weight_gathering", "output_gathering", "gradient_reduction"):
        assert threads.time_breakdown_s[name] > processes.time_breakdown_s.get(name, 0.0)


def test_the_first_card_holds_the_logits_of_all(estimate: Any) -> None:
    def held(count: int, **more: Any) -> float:
        found = estimate(A100, count, split={"data": count}, replicas="threads", loss="full_logits", **more)
        return float(found.memory.peak_allocated_bytes.value)

    work = {"method": "lora", "framework": "hf_trainer", "micro_batch_size": 4, "sequence_length": 2048}
    grown = [held(n, **work) for n in (2, 4)]
    logits = 4 * 2048 * 128_256 * 4
    assert grown[1] - grown[0] == pytest.approx(2 * logits, rel=0.01)


def test_frozen_weights_are_copied_too(estimate: Any) -> None:
    """Adapters alone are trained, yet the whole 16 GB cross PCIe before every micro-batch."""
    work = {"method": "lora", "framework": "hf_trainer", "sequence_length": 128, "gradient_accumulation": 16}
    hardware = {"intra_node": "pcie"}
    one = estimate(RTX_3090, **work)
    two = estimate(RTX_3090, 2, split={"data": 2}, hardware=hardware, replicas="threads", **work)
    assert two.training.time_breakdown_s["weight_gathering"] > 16 * 16e9 / 32e9
    assert two.training.tokens_per_s.value < one.training.tokens_per_s.value
    assert "slower_than_one_card" in [w.code for w in two.warnings]


def test_one_card_has_no_threads_to_exchange_with(estimate: Any) -> None:
    plain, threaded = estimate(A100), estimate(A100, replicas="threads")
    assert threaded.training.step_time_s == plain.training.step_time_s
    assert threaded.memory.peak_allocated_bytes == plain.memory.peak_allocated_bytes
    assert "workload.replicas" in [a.field for a in threaded.assumptions]


def test_an_open_split_searches_whole_copies_only(ask: Any, coefficients: Any) -> None:
    request = ask(A100, 4, split="open", method="lora", framework="hf_trainer", replicas="threads")
    (found,) = estimate_training([request], coefficients)
    assert found.parallelism["data"] == 4
    assert found.parallelism["zero_stage"] == 0


@pytest.mark.parametrize(
    ("count", "split", "hardware", "framework"),
    [
        (8, {"data": 4, "tensor": 2}, {}, "other"),
        (8, {"data": 8, "zero_stage": 3}, {}, "hf_trainer"),
        (8, {"data": 8}, {}, "deepspeed"),
        (8, {"data": 8}, {"gpus_per_node": 4, "nodes": 2}, "hf_trainer"),
    ],
)
def test_impossible_threads_are_refused(
    ask: Any, coefficients: Any, count: int, split: Any, hardware: Any, framework: str
) -> None:
    request = ask(A100, count, split=split, hardware=hardware, framework=framework, replicas="threads")
    (error,) = estimate_training([request], coefficients)
    assert isinstance(error, InputError)
    assert error.field == "workload.replicas"
