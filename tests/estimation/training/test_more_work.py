"""More work never takes less time: what traffic hides behind is used once."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.training.estimate import estimate_training

CARDS = ("nvidia-rtx-3090-24", "nvidia-rtx-4090-24", "nvidia-a100-sxm4-80", "nvidia-h100-sxm5-80")
OFFLOADS = ("none", "optimizer", "parameters", "optimizer_and_parameters", "activations", "nvme")
WIDENED = {
    "sequence_length": lambda n: 2 * n, "micro_batch_size": lambda n: n + 1,
    "gradient_accumulation": lambda n: n + 1,
}  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    gpu=st.sampled_from(CARDS), count=st.sampled_from([1, 2, 8]), stage=st.integers(0, 3),
    offload=st.sampled_from(OFFLOADS), method=st.sampled_from(["full", "lora", "qlora"]),
    framework=st.sampled_from(["deepspeed", "hf_trainer", "torchtitan", "other"]),
    checkpointing=st.sampled_from(["none", "selective", "full"]),
    length=st.sampled_from([256, 1024, 4096]), micro=st.integers(1, 8), accumulation=st.integers(1, 8),
    widened=st.sampled_from(sorted(WIDENED)),
)  # fmt: skip
def test_a_step_with_more_work_is_never_shorter(
    ask: Any, coefficients: Any, gpu: str, count: int, stage: int, length: int, micro: int, accumulation: int,
    widened: str, **work: Any,
) -> None:  # fmt: skip
    size = {"sequence_length": length, "micro_batch_size": micro, "gradient_accumulation": accumulation}
    split = {"data": count, "zero_stage": stage}
    requests = [
        ask(gpu, count, split=split, **work, **sizes)
        for sizes in (size, {**size, widened: WIDENED[widened](size[widened])})
    ]
    less, more = (a.training.step_time_s.value for a in estimate_training(requests, coefficients))
    assert more >= less * (1 - 1e-9)
