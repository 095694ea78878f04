"""Scaling efficiency: against the best that one card or one machine holds, never over one without its cause."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.estimation.training.scaling import ABOVE, CARD, MACHINE, NAMED_FROM, UNHELD

H100, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-rtx-4090-24"
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def split_of(draw: st.DrawFn, cards: int) -> Any:
    if draw(st.booleans()):
        return "open"
    tensor = draw(st.sampled_from([1, 1, 2]))
    pipeline = draw(st.sampled_from([1, 1, 2]))
    zero = draw(st.integers(0, 3)) if pipeline == 1 else draw(st.integers(0, 1))
    return {
        "tensor": tensor, "pipeline": pipeline, "data": cards // (tensor * pipeline), "zero_stage": zero,
    }  # fmt: skip


@FEW
@given(
    gpu=st.sampled_from([H100, RTX_4090, "amd-mi300x-192", "nvidia-a100-pcie-80"]), nodes=st.sampled_from([1, 2, 4]),
    model=st.sampled_from(["llama-3-8b", "llama-3.2-1b", "qwen3-30b-a3b", "mixtral-8x7b-v0.1"]),
    method=st.sampled_from(["full", "lora", "qlora"]), length=st.sampled_from([512, 4096, 16384]),
    offload=st.sampled_from(["none", "none", "optimizer", "optimizer_and_parameters"]), data=st.data(),
)  # fmt: skip
def test_over_one_only_with_its_cause(
    ask: Any,
    coefficients: Any,
    gpu: str,
    nodes: int,
    model: str,
    method: str,
    length: int,
    offload: str,
    data: Any,
) -> None:
    split = data.draw(split_of(4 * nodes))
    work = {"framework": "deepspeed", "offload": offload} if offload != "none" else {"framework": None}
    if split == "open":
        work |= {"micro_batch_size": None, "gradient_accumulation": None, "checkpointing": None}
    request = ask(gpu, 4, nodes, split, model=model, method=method, sequence_length=length, **work)
    (answer,) = estimate_training([request], coefficients)
    assert answer.training is not None
    told = [note.text for note in answer.notes]
    both = ((answer.training.scaling_efficiency, CARD), (answer.training.node_scaling_efficiency, MACHINE))
    for figure, kind in both:
        assert (figure.value is None) == (UNHELD[kind] in told)
        over = figure.value is not None and figure.value >= NAMED_FROM
        assert over == (ABOVE[kind] in told)


def test_efficiency_is_against_the_best_that_one_card_and_one_machine_hold(
    ask: Any, coefficients: Any
) -> None:
    work: dict[str, Any] = {"model": "llama-3.2-1b", "framework": "hf_trainer", "checkpointing": None}
    split = {"data": 16, "zero_stage": 2}
    requests = [
        ask(H100, 8, 2, split, **work),
        ask(H100, 8, 1, "open", **work),
        ask(H100, 1, 1, "open", **work),
    ]
    many, machine, card = (a.training for a in estimate_training(requests, coefficients))
    each = many.tokens_per_s_per_gpu.value
    assert many.scaling_efficiency.value == pytest.approx(each / card.tokens_per_s_per_gpu.value)
    assert many.node_scaling_efficiency.value == pytest.approx(each / machine.tokens_per_s_per_gpu.value)


def test_what_one_card_cannot_hold_has_no_efficiency_against_it(ask: Any, coefficients: Any) -> None:
    """70B in full: neither one card nor one machine holds it, eight machines do."""
    (answer,) = estimate_training([ask(H100, 8, 8, "open", model="llama-3-70b")], coefficients)
    assert answer.training.tokens_per_s.value > 0
    assert answer.training.scaling_efficiency.value is None
    assert answer.training.node_scaling_efficiency.value is None
    assert {UNHELD[CARD], UNHELD[MACHINE]} <= {note.text for note in answer.notes}


def test_less_recomputation_on_more_cards_is_told(ask: Any, coefficients: Any) -> None:
    """30B with 128 experts in full nearly fills one machine; two hold it without recomputing."""
    work: dict[str, Any] = {"micro_batch_size": None, "gradient_accumulation": None, "checkpointing": None}
    request = ask(H100, 8, 2, "open", model="qwen3-30b-a3b", framework=None, **work)
    (answer,) = estimate_training([request], coefficients)
    assert answer.training.node_scaling_efficiency.value > 1.1
    (note,) = (note for note in answer.notes if note.text == ABOVE[MACHINE])
    assert note.values["part"]
