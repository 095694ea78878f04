"""Known values, and what must hold for every training estimate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.catalogue.vocabulary import Precision as PeakPrecision
from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.estimation.training.estimate import estimate_training, explain_training
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.workloads.hardware import InterNode, Pcie

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
COMMUNICATION = (
    "tensor_parallel", "context_parallel", "expert_parallel", "pipeline_transfers", "weight_gathering",
    "gradient_reduction", "output_gathering",
)  # fmt: skip
H100, A100, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-a100-sxm4-80", "nvidia-rtx-4090-24"


def test_peak_of_rtx_4090_is_with_fp32_accumulation(catalogue: Any, ask: Any, coefficients: Any) -> None:
    card = catalogue.accelerator(RTX_4090)
    assert card.peak_flops(PeakPrecision.BF16) == pytest.approx(165.2e12, rel=0.001)
    tree = explain_training(ask(RTX_4090), coefficients, "mfu")
    peak = next(node for node in tree.inputs if node.name == "product_peak_flops")
    assert peak.value == pytest.approx(165.2e12, rel=0.001)


def test_bubble_is_p_minus_1_over_m_plus_p_minus_1(estimate: Any) -> None:
    answer = estimate(H100, 8, split={"pipeline": 4, "data": 2}, gradient_accumulation=12)
    parts = answer.training.time_breakdown_s
    stages = sum(
        parts.get(name, 0.0)
        for name in ("matrix_products", "attention", "output_head", "memory_bound_kernels", "kernel_launches",
                     "tensor_parallel", "pipeline_transfers", "pipeline_bubble")
    )  # fmt: skip
    assert parts["pipeline_bubble"] / stages == pytest.approx(3 / (12 + 3), rel=0.001)


def test_parts_add_up_to_the_step(estimate: Any) -> None:
    for split in (
        {"data": 8, "zero_stage": 3},
        {"tensor": 2, "pipeline": 2, "data": 2},
        {"context": 4, "data": 2},
    ):
        training = estimate(H100, 8, split=split).training
        assert sum(training.time_breakdown_s.values()) == pytest.approx(training.step_time_s.value, rel=1e-6)


def test_one_card_has_no_communication(estimate: Any) -> None:
    training = estimate(H100).training
    assert not set(COMMUNICATION) & set(training.time_breakdown_s)
    assert training.scaling_efficiency.value == pytest.approx(1.0)


def test_fp8_is_faster_than_bf16_but_not_twice(estimate: Any) -> None:
    for framework in ("megatron", "other"):
        speeds = [
            estimate(
                H100, 8, precision=p, framework=framework, checkpointing="none"
            ).training.tokens_per_s.value
            for p in ("fp8", "bf16")
        ]
        assert 1.2 <= speeds[0] / speeds[1] <= 1.6


def test_two_4090_are_limited_by_pcie_and_have_no_nvlink(ask: Any, coefficients: Any) -> None:
    request = ask(RTX_4090, 2, method="lora")
    (answer,) = estimate_training([request], coefficients)
    codes = {w.code for w in answer.warnings}
    assert "pcie_without_peer_to_peer" in codes
    asked = ask(RTX_4090, 2, method="lora", hardware={"intra_node": "nvlink"})
    (claimed,) = estimate_training([asked], coefficients)
    assert "no_fast_link" in {w.code for w in claimed.warnings}
    assert claimed.training.tokens_per_s.value == pytest.approx(answer.training.tokens_per_s.value)


def test_more_cards_can_be_slower_and_it_is_said(estimate: Any) -> None:
    """Full training over x1 risers: reducing the gradients takes longer than the work it shares."""
    thin = {"pcie": {"generation": 3, "lanes": 1}}
    one = estimate(RTX_4090, 1, gradient_accumulation=1, sequence_length=512, model="qwen2.5-0.5b")
    eight = estimate(
        RTX_4090, 8, gradient_accumulation=1, sequence_length=512, hardware=thin, model="qwen2.5-0.5b"
    )
    assert eight.training.tokens_per_s.value < one.training.tokens_per_s.value
    assert "slower_than_one_card" in {w.code for w in eight.warnings}
    assert eight.training.bound_by is BoundBy.COMMUNICATION


def test_lora_skips_weight_gradients(estimate: Any) -> None:
    full = estimate(A100, checkpointing="none").training
    lora = estimate(A100, checkpointing="none", method="lora").training
    assert 1.15 < lora.tokens_per_s.value / full.tokens_per_s.value < 1.6


def test_adapters_without_dropout_are_faster(estimate: Any) -> None:
    work = {"method": "lora", "framework": "hf_trainer"}
    speeds = [
        estimate(A100, **work, lora={"dropout": share}).training.tokens_per_s.value
        for share in (0, 0.05, None)
    ]
    assert speeds[0] > 1.1 * speeds[1]
    assert speeds[1] == speeds[2]


def test_power_limit_costs_less_speed_than_power(estimate: Any) -> None:
    free = estimate(RTX_4090, method="lora")
    capped = estimate(RTX_4090, method="lora", hardware={"power_limit_w": 300})
    speed = capped.training.tokens_per_s.value / free.training.tokens_per_s.value
    assert 300 / 450 < speed < 1.0
    assert capped.power.gpu_w.value <= 300 < free.power.gpu_w.value


def test_unsupported_precision_is_said(estimate: Any) -> None:
    answer = estimate(A100, precision="fp8")
    assert "precision_not_supported" in {w.code for w in answer.warnings}


def test_open_checkpointing_is_none_where_it_fits(ask: Any, coefficients: Any) -> None:
    small = {"parameters_b": 0.5}
    requests = [
        ask(A100, model=small, checkpointing=None, sequence_length=1024),
        ask(RTX_4090, checkpointing=None, method="lora", sequence_length=8192, framework="hf_trainer"),
    ]
    roomy, tight = estimate_training(requests, coefficients)
    assert roomy.parallelism["checkpointing"] == "none"
    assert tight.parallelism["checkpointing"] == "full"


def test_open_split_is_searched_and_reported(ask: Any, coefficients: Any) -> None:
    (answer,) = estimate_training([ask(H100, 8, split="open", gradient_accumulation=None)], coefficients)
    assert answer.parallelism["data"] * answer.parallelism["tensor"] * answer.parallelism["pipeline"] == 8
    assert "parallelism" in {a.field for a in answer.assumptions}


def test_impossible_mix_is_refused_and_the_others_go_on(ask: Any, coefficients: Any) -> None:
    good, bad = ask(H100, 8), ask(H100, 8, split={"tensor": 3, "data": 2})
    answers = estimate_training([good, bad, good], coefficients)
    assert isinstance(answers[1], InputError)
    assert answers[1].field == "parallelism.tensor"
    assert answers[0].training == answers[2].training


def test_unknown_card_data_give_no_speed(ask: Any, coefficients: Any) -> None:
    request = ask(H100)
    blank = replace(request, accelerator=replace(request.accelerator, bandwidth_bytes_per_s=None))
    (answer,) = estimate_training([blank], coefficients)
    assert answer.training.tokens_per_s.value is None
    assert answer.notes


def test_every_quantity_has_unit_title_and_formula() -> None:
    for item in training_graph().quantities.values():
        assert item.title
        assert item.formula
        assert item.unit


@FEW
@given(gbit=st.floats(5, 400), more=st.floats(1.0, 8.0))
def test_more_network_never_slows(ask: Any, coefficients: Any, gbit: float, more: float) -> None:
    base = ask(H100, 8, nodes=4, split={"data": 32, "zero_stage": 3})
    slow, fast = (
        replace(base, hardware=replace(base.hardware, inter_node=InterNode(gbit_per_s_per_gpu=g)))
        for g in (gbit, gbit * more)
    )
    first, second = (a.training.tokens_per_s.value for a in estimate_training([slow, fast], coefficients))
    assert second >= first * (1 - 1e-9)


@FEW
@given(lanes=st.sampled_from([1, 2, 4, 8]), split=st.sampled_from(["data", "zero", "tensor", "pipeline"]))
def test_more_lanes_never_slow(ask: Any, coefficients: Any, lanes: int, split: str) -> None:
    splits = {
        "data": {"data": 4}, "zero": {"data": 4, "zero_stage": 3}, "tensor": {"tensor": 4, "data": 1},
        "pipeline": {"pipeline": 4, "data": 1},
    }  # fmt: skip
    base = ask(RTX_4090, 4, split=splits[split], method="lora")
    narrow, wide = (
        replace(base, hardware=replace(base.hardware, pcie=Pcie(generation=4, lanes=(w,))))
        for w in (lanes, 16)
    )
    first, second = (a.training.tokens_per_s.value for a in estimate_training([narrow, wide], coefficients))
    assert second >= first * (1 - 1e-9)


@FEW
@given(
    gpu=st.sampled_from([H100, A100, RTX_4090, "amd-mi300x-192", "nvidia-b200-sxm-180", "nvidia-t4-16"]),
    micro=st.integers(1, 64), length=st.sampled_from([128, 512, 2048, 8192, 65536]),
    method=st.sampled_from(["full", "lora", "qlora"]), precision=st.sampled_from(["bf16", "fp8", "tf32"]),
)  # fmt: skip
def test_efficiency_never_over_one(
    ask: Any, coefficients: Any, gpu: str, micro: int, length: int, method: str, precision: str
) -> None:
    request = ask(gpu, 8, micro_batch_size=micro, sequence_length=length, method=method, precision=precision)
    (answer,) = estimate_training([request], coefficients)
    training = answer.training
    assert 0 < training.mfu.value < 1
    assert training.tokens_per_s.low < training.tokens_per_s.value < training.tokens_per_s.high


@FEW
@given(tokens=st.floats(1e6, 1e13), factor=st.floats(1.1, 100))
def test_time_scales_with_tokens(ask: Any, coefficients: Any, tokens: float, factor: float) -> None:
    requests = [ask(H100, 8, dataset_tokens=t) for t in (tokens, tokens * factor)]
    first, second = (a.training.time_to_train_s.value for a in estimate_training(requests, coefficients))
    assert second / first == pytest.approx(factor, rel=1e-6)


def test_large_runs_lose_time_to_failures(ask: Any, coefficients: Any) -> None:
    """One machine loses next to nothing; sixteen thousand cards some percent (Llama 3 reports over 90 % effective)."""
    requests = [ask(H100, 8, nodes=n, dataset_tokens=1e12) for n in (1, 2048)]
    shares = [
        1e12 / (a.training.tokens_per_s.value * a.training.time_to_train_s.value)
        for a in estimate_training(requests, coefficients)
    ]
    assert 0.99 < shares[0] < 1.0
    assert 0.85 < shares[1] < 0.97


@FEW
@given(rate=st.floats(1e8, 2e10), more=st.floats(1.0, 20.0), offload=st.sampled_from(["nvme", "none"]))
def test_faster_drives_never_slow(
    ask: Any, coefficients: Any, rate: float, more: float, offload: str
) -> None:
    requests = [
        ask(RTX_4090, 2, split={"data": 2, "zero_stage": 3}, offload=offload, framework="deepspeed",
            hardware={"storage_bytes_per_s": r})
        for r in (rate, rate * more)
    ]  # fmt: skip
    first, second = (a.training.tokens_per_s.value for a in estimate_training(requests, coefficients))
    assert second >= first * (1 - 1e-9)


@FEW
@given(
    gpu=st.sampled_from([H100, A100, RTX_4090, "amd-mi300x-192"]), stage=st.sampled_from(["sft", "dpo", "grpo", "ppo"]),
    method=st.sampled_from(["full", "lora"]), micro=st.integers(1, 16),
)  # fmt: skip
def test_one_card_never_communicates(
    ask: Any, coefficients: Any, gpu: str, stage: str, method: str, micro: int
) -> None:
    (answer,) = estimate_training(
        [ask(gpu, stage=stage, method=method, micro_batch_size=micro)], coefficients
    )
    assert not set(COMMUNICATION) & set(answer.training.time_breakdown_s)
    assert answer.training.scaling_efficiency.value == pytest.approx(1.0)
    assert 0 < answer.training.mfu.value < 1


def test_megatron_of_2021_is_said_and_a_version_names_todays(estimate: Any) -> None:
    """Whole layers recomputed on an A100 without a version: unfused attention, nothing overlapped; slower, and told."""
    old, new, other = (
        estimate(A100, 8, split={"data": 8}, method="pretrain", **work)
        for work in (
            {"framework": "megatron"},
            {"framework": "megatron", "framework_version": "core_0.9"},
            {"framework": "hf_trainer"},
        )
    )
    said = ("workload.framework_version", "2021")
    assert said in [(a.field, a.value) for a in old.assumptions]
    assert said not in [(a.field, a.value) for a in new.assumptions]
    assert old.training.mfu.value < new.training.mfu.value
    assert new.training.mfu.value > other.training.mfu.value
