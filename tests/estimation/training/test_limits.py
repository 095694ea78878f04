"""What limits a run beside the cards: storage, drives, processors, failures; and stages that generate."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import BoundBy

H100, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-rtx-4090-24"
NVME = {"offload": "nvme", "framework": "deepspeed"}
SPLIT = {"data": 2, "zero_stage": 3}


def drives(estimate: Any, rate: float | None) -> Any:
    hardware = {} if rate is None else {"storage_bytes_per_s": rate}
    return estimate(RTX_4090, 2, split=SPLIT, hardware=hardware, gradient_accumulation=1, **NVME)


def test_drives_bound_the_offload_to_nvme(estimate: Any) -> None:
    slow, usual, fast = (drives(estimate, rate).training.step_time_s.value for rate in (5e8, 3e9, 2.4e10))
    assert slow > 3 * usual
    assert usual > fast
    # 16-bit weights twice and, read and written, 12 bytes of states a parameter: 8 billion at half a gigabyte a second
    assert slow > 8e9 * (2 * 12) / 5e8


def test_drives_that_are_not_stated_are_assumed_aloud(estimate: Any) -> None:
    open_, usual = drives(estimate, None), drives(estimate, 3e9)
    assert open_.training.step_time_s.value == pytest.approx(usual.training.step_time_s.value)
    fields = [a.field for a in open_.assumptions]
    assert "hardware.storage_bytes_per_s" in fields
    assert "hardware.storage_bytes_per_s" not in [a.field for a in usual.assumptions]


def test_host_memory_offload_is_not_bound_by_drives(estimate: Any) -> None:
    work = {"offload": "optimizer_and_parameters", "framework": "deepspeed"}
    slow, fast = (
        estimate(RTX_4090, 2, split=SPLIT, hardware={"storage_bytes_per_s": rate}, **work)
        for rate in (1e8, 1e10)
    )
    assert slow.training.step_time_s.value == fast.training.step_time_s.value


def test_more_host_lanes_speed_up_offload(estimate: Any) -> None:
    work = {"offload": "optimizer_and_parameters", "framework": "deepspeed", "gradient_accumulation": 1}
    narrow, wide = (
        estimate(RTX_4090, 2, split=SPLIT, hardware={"pcie": {"generation": 4, "lanes": [lanes]}}, **work)
        for lanes in (4, 16)
    )
    assert narrow.training.tokens_per_s.value < wide.training.tokens_per_s.value
    assert narrow.memory.host_bytes.value > 8e9 * 12


def test_adam_in_the_host_takes_as_long_as_published(estimate: Any) -> None:
    """Steps of Qwen2.5 3B on two A100 40 GB with ZeRO-Offload: 2.38 s with bound cores, 3.08 s without.

    https://github.com/deepspeedai/DeepSpeed/pull/7474; length and batch, not stated there, weigh little.
    """
    model = {
        "architecture": {
            "layers": 36, "hidden": 2048, "heads": 16, "kv_heads": 2, "head_dim": 128, "ffn": 11008, "vocab": 151936,
            "gated_mlp": True, "tied_embeddings": True,
        }
    }  # fmt: skip
    for card in ("nvidia-a100-sxm4-40", "nvidia-a100-pcie-40"):
        step = estimate(
            card, 2, split={"data": 2, "zero_stage": 3}, model=model, offload="optimizer", framework="deepspeed",
            gradient_accumulation=1, sequence_length=1024,
        ).training.step_time_s  # fmt: skip
        assert 2.0 < step.value < 3.1
        assert step.low <= 2.38316
        assert step.high >= 3.08444


def test_images_are_bound_by_processor_and_storage(estimate: Any) -> None:
    work = {"image_tokens": 64, "sequence_length": 64, "micro_batch_size": 64}
    free, few_cores, slow_disk = (
        estimate(H100, 8, hardware=hardware, **work).training
        for hardware in ({}, {"cpu_cores": 1}, {"storage_bytes_per_s": 1e7})
    )
    assert free.bound_by is not BoundBy.INPUT
    assert few_cores.bound_by is BoundBy.INPUT
    assert few_cores.samples_per_s.value == pytest.approx(150)
    assert slow_disk.bound_by is BoundBy.INPUT
    assert slow_disk.samples_per_s.value == pytest.approx(1e7 / (110_000 + 4 * 128), rel=0.01)


def test_goodput_falls_with_the_number_of_cards(estimate: Any) -> None:
    small, large = (estimate(H100, 8, nodes=n) for n in (1, 2048))
    assert small.training.goodput.value > 0.99
    assert large.training.goodput.value < 0.95
    assert "goodput" in [w.code for w in large.warnings]
    assert "goodput" not in [w.code for w in small.warnings]


def _goodput(estimate: Any, model: str, nodes: int, storage: float | None = None, **split: Any) -> float:
    hardware = {} if storage is None else {"storage_bytes_per_s": storage}
    answer = estimate(
        H100, 8, model=model, nodes=nodes, hardware=hardware, method="pretrain", framework="megatron",
        split={"zero_stage": 1, **split},
    )  # fmt: skip
    return float(answer.training.goodput.value)


def test_goodput_knows_what_is_written_and_where_to(estimate: Any) -> None:
    """64 machines: 14 bytes for each of 405 billion weights are 89 GB on each; 100 MB/s take a quarter of an hour."""
    deep = {"tensor": 8, "pipeline": 16}
    small, large = (
        _goodput(estimate, m, 64, **s) for m, s in (("llama-3.2-1b", {}), ("llama-3.1-405b", deep))
    )
    slow = _goodput(estimate, "llama-3.1-405b", 64, 1e8, **deep)
    assert small > large > slow
    assert small > 0.99
    assert slow < 0.94
    between, writing = 1.82e8 / 512, 5 + 405e9 * 14 / 64 / 1e8
    lost = (2 * writing / between) ** 0.5 + (600 + writing) / between
    assert 1 - slow == pytest.approx(lost, rel=0.12)


def test_goodput_falls_with_cards_and_rises_with_storage(estimate: Any) -> None:
    shares = [_goodput(estimate, "llama-3-8b", nodes, 1e9) for nodes in (1, 8, 64, 512, 4096)]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share < 1 for share in shares)
    rates = [_goodput(estimate, "llama-3-8b", 8, rate) for rate in (1e6, 1e7, 1e8, 1e9, 1e10)]
    assert rates == sorted(rates)
    assert rates[0] > 0


def test_replicas_that_are_not_sharded_write_once(estimate: Any) -> None:
    """One machine writes all the states of an unsharded model; sharded ones are written by all machines at once."""
    assert _goodput(estimate, "llama-3.2-1b", 64, 1e8, zero_stage=0) < _goodput(
        estimate, "llama-3.2-1b", 64, 1e8
    )


@pytest.mark.parametrize("method", ["full", "lora"])
def test_stages_cost_what_they_compute(estimate: Any, method: str) -> None:
    found = {
        stage: estimate(H100, 8, split={"data": 8, "zero_stage": 3}, stage=stage, method=method)
        for stage in ("sft", "reward", "dpo", "grpo", "ppo")
    }
    speed = {stage: answer.training.tokens_per_s.value for stage, answer in found.items()}
    assert speed["sft"] > speed["dpo"] > speed["grpo"] > speed["ppo"]
    parts = {stage: answer.training.time_breakdown_s for stage, answer in found.items()}
    assert "generation" not in parts["dpo"]
    assert parts["grpo"]["generation"] > 0
    assert parts["grpo"]["generation"] == pytest.approx(parts["ppo"]["generation"])
    assert parts["ppo"]["scoring"] == pytest.approx(3 * parts["grpo"]["scoring"])
    assert {a.value for a in found["ppo"].assumptions if a.field == "workload.stage"} == {"ppo"}
    for answer in found.values():
        step = answer.training.step_time_s.value
        assert sum(answer.training.time_breakdown_s.values()) == pytest.approx(step, rel=1e-6)


def test_generation_is_bound_by_reading_the_weights(estimate: Any, coefficients: Any) -> None:
    """One sequence a card: 2,048 of 4,096 tokens, each reading 16 GB as serving does and launching 32 layers."""
    answer = estimate(H100, stage="grpo", method="lora", gradient_accumulation=1, framework="hf_trainer")
    seconds = answer.training.time_breakdown_s["generation"]
    share = coefficients.value("serving", "weight_stream_fraction", "vllm|16bit", "vllm")
    launch = coefficients.value("serving", "layer_seconds", "vllm|hopper|16bit", "vllm|16bit", "vllm")
    assert seconds == pytest.approx(2048 * (16.06e9 / (3.35e12 * share) + 32 * launch), rel=0.05)
    assert answer.training.bound_by is BoundBy.MEMORY


def test_pairs_count_as_one_sample_of_two_sequences(estimate: Any) -> None:
    training = estimate(H100, stage="dpo", method="lora").training
    assert training.tokens_per_s.value == pytest.approx(2 * 4096 * training.samples_per_s.value)


def test_each_fix_says_what_it_costs_in_time(estimate: Any) -> None:
    work = {"checkpointing": "none", "micro_batch_size": 4, "framework": "deepspeed"}
    split = {"zero_stage": 2, "data": 4}
    answer = estimate("nvidia-a100-sxm4-80", 4, split=split, **work)
    fixes = [f for f in answer.memory.cheapest_fixes if "hardware.gpu" not in f.change]
    assert fixes
    for fix in fixes:
        assert fix.time_ratio is not None
        assert 0.5 < fix.time_ratio < 20
        if fix.change.get("workload.checkpointing") == "full":
            assert fix.time_ratio > 1.15
    recomputed = next(f for f in fixes if dict(f.change) == {
        "workload.loss": "fused_linear", "workload.checkpointing": "full"})  # fmt: skip
    changed = {"loss": "fused_linear", "checkpointing": "full"}
    again = estimate("nvidia-a100-sxm4-80", 4, split=split, **{**work, **changed})
    ratio = answer.training.tokens_per_s.value / again.training.tokens_per_s.value
    assert recomputed.time_ratio == pytest.approx(ratio, rel=0.01)
