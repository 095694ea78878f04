"""A run is told not to fit only where no usual value of what its request leaves open makes it fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.training.estimate import estimate_training

H100, H200 = "nvidia-h100-sxm5-80", "nvidia-h200-sxm-141"
MEGATRON = {"framework": "megatron", "checkpointing": "none"}
SHARED_8B = {**MEGATRON, "micro_batch_size": 1, "sequence_length": 2048}
LLAMA_3_8B_MATRICES = 32 * 4096 * (2 * 4096 + 2 * 1024 + 3 * 14336)


def _taken(answer: Estimate) -> dict[str, str]:
    return {a.field: a.value for a in answer.assumptions}


def test_megatron_shards_its_optimizer_where_the_run_does_not_fit_without(estimate: Any) -> None:
    split = {"data": 8}
    stated = estimate(H100, 8, split={**split, "zero_stage": 0}, **SHARED_8B)
    left_open = estimate(H100, 8, split=split, **SHARED_8B)
    sharded = estimate(H100, 8, split={**split, "zero_stage": 1}, **SHARED_8B)
    assert stated.verdict is Verdict.DOES_NOT_FIT
    assert _taken(left_open)["parallelism.zero_stage"] == "1"
    assert left_open.memory == sharded.memory
    assert left_open.verdict is not Verdict.DOES_NOT_FIT
    assert left_open.parallelism["zero_stage"] == 1


def test_what_fits_by_the_defaults_keeps_them(estimate: Any) -> None:
    answer = estimate(H100, 8, split={"data": 8}, model={"parameters_b": 0.5}, **SHARED_8B)
    assert answer.parallelism["zero_stage"] == 0
    assert not {"parallelism.zero_stage", "parallelism.sequence"} & _taken(answer).keys()


def test_norms_are_split_where_the_run_does_not_fit_without(estimate: Any) -> None:
    long = {**MEGATRON, "sequence_length": 8192, "micro_batch_size": 6}
    split = {"tensor": 8, "data": 1, "zero_stage": 0}
    whole = estimate(H100, 8, split={**split, "sequence": False}, **long)
    left_open = estimate(H100, 8, split=split, **long)
    assert whole.verdict is Verdict.DOES_NOT_FIT
    assert _taken(left_open)["parallelism.sequence"] == "true"
    assert left_open.memory == estimate(H100, 8, split={**split, "sequence": True}, **long).memory


def test_open_recomputation_lowers_the_low_end_and_leaves_the_speed(estimate: Any) -> None:
    split = {"data": 8, "zero_stage": 1}
    work = {**SHARED_8B, "sequence_length": 8192, "micro_batch_size": 2}
    none = estimate(H100, 8, split=split, **work)
    left_open = estimate(H100, 8, split=split, **{**work, "checkpointing": None})
    assert (none.verdict, left_open.verdict) == (Verdict.DOES_NOT_FIT, Verdict.TOO_CLOSE)
    assert left_open.training == none.training
    assert left_open.memory.device_used_bytes.value == none.memory.device_used_bytes.value
    assert left_open.memory.device_used_bytes.low < none.memory.device_used_bytes.low
    assert _taken(left_open)["workload.checkpointing"] == "none"


def test_what_no_setting_makes_fit_does_not_fit(estimate: Any) -> None:
    answer = estimate(
        H100, 8, split={"data": 8}, model={"parameters_b": 70}, framework="megatron", checkpointing=None
    )
    assert answer.verdict is Verdict.DOES_NOT_FIT


def test_frozen_weights_in_eight_bits_are_one_of_their_copies(estimate: Any) -> None:
    """By default 16-bit weights beside two 8-bit copies; where that does not fit, the copies alone."""
    work = {**MEGATRON, "method": "lora", "precision": "fp8", "sequence_length": 2048}
    roomy = estimate(H200, 1, **work)
    tight = estimate(H200, 1, **{**work, "sequence_length": 2048, "micro_batch_size": 40})
    saved = roomy.memory.breakdown_bytes["weights"] - tight.memory.breakdown_bytes["weights"]
    assert _taken(tight)["workload.weight_storage"] == "fp8"
    assert saved == pytest.approx(2 * LLAMA_3_8B_MATRICES, rel=0.01)


def test_settled_checkpointing_is_said(estimate: Any) -> None:
    for parameters, value in ((0.5, "none"), (8, "full")):
        answer = estimate(H100, model={"parameters_b": parameters}, checkpointing=None, micro_batch_size=4)
        assert answer.parallelism["checkpointing"] == _taken(answer)["workload.checkpointing"] == value


def test_a_card_of_unknown_memory_settles_nothing(ask: Any, coefficients: Any) -> None:
    request = ask(H100, 8, split={"data": 8}, **SHARED_8B)
    blank = replace(request, accelerator=replace(request.accelerator, memory_bytes=None, usable_bytes=None))
    (answer,) = estimate_training([blank], coefficients)
    assert answer.verdict is Verdict.UNKNOWN
    assert "parallelism.zero_stage" not in _taken(answer)
