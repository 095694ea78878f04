"""What nobody is known to run never stands before what is known to work, and says so."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.selection.proof import Proof, doubts, measured_kinds, proof_of, with_doubts
from gpuconfig.engine.selection.ranking import counted_cost, order
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer, answer_of, estimator, request

DEEPSEEK: dict[str, Any] = {
    "model": "deepseek-v3",
    "workload": {"kind": "serving"},
    "target": {"users": 50},
    "budget": {"amount": "3000000", "currency": "CNY"},
}


def proven(row: dict[str, Any], gpu: str, cards: int, split: dict[str, object] | None = None) -> Proof:
    """What is known of `cards` of one kind in one machine at the row's work."""
    wanted, card = request(row), bundled_catalogue().accelerator(gpu)
    asked = EstimateRequest(
        id="x", kind=wanted.kind, model=wanted.model, accelerator=card, workload=wanted.workload,
        hardware=Hardware(gpu=card.id, gpus_per_node=cards),
    )  # fmt: skip
    numbers = estimator().coefficients
    measured = measured_kinds(bundled_catalogue(), numbers, wanted.kind)
    found = Estimate(id="x", verdict=Verdict.FITS, parallelism=split or {})
    return proof_of(asked, found, measured, numbers)


@pytest.mark.parametrize(
    ("gpu", "cards", "split", "behind"),
    [
        ("nvidia-h100-sxm5-80", 8, {"tensor": 8}, False),
        ("nvidia-rtx-4090-24", 8, {"tensor": 8}, False),
        ("nvidia-rtx-4090-24", 16, {"tensor": 8, "pipeline": 2}, True),
        ("nvidia-rtx-4090-24", 16, {"tensor": 8, "data": 2}, False),
        ("amd-mi300x-192", 8, {"tensor": 8}, False),
        ("amd-rx-9070-16", 32, {"tensor": 8, "pipeline": 4}, True),
        ("intel-arc-pro-b70-32", 1, {}, True),
        ("apple-m3-ultra", 1, {}, False),
    ],
)
def test_software_and_cards_that_are_known_to_serve(
    gpu: str, cards: int, split: dict[str, object], behind: bool
) -> None:
    """Copies of the model beside one another need no proof of their own; cards that share one do."""
    proof = proven(DEEPSEEK, gpu, cards, split)
    card = bundled_catalogue().accelerator(gpu)
    asked = EstimateRequest(
        id="x", kind=Kind.SERVING, model=request(DEEPSEEK).model, accelerator=card,
        workload=request(DEEPSEEK).workload, hardware=Hardware(gpu=card.id, gpus_per_node=cards),
    )  # fmt: skip
    found, stands_behind = doubts(proof, asked, estimator().coefficients)
    assert stands_behind is behind
    assert bool([f for f in found if f.rule in ("proof.stack", "proof.scale")]) is behind
    assert all(f.status is Status.WARNING and card.name in f.message.english() for f in found)


def test_an_architecture_that_was_measured_is_evidence() -> None:
    """Nothing is nearer than the architecture, then the family, then the software."""
    shares = [
        proven(DEEPSEEK, gpu, 1).evidence for gpu in ("nvidia-h100-sxm5-80", "amd-mi210-64", "huawei-910b-64")
    ]
    assert shares[0] == 0
    assert 0 < shares[1] < shares[2] == 1


def test_a_large_model_is_not_first_on_many_cheap_cards() -> None:
    """DeepSeek-V3 for 3,000,000 CNY: all that is proven stands before all that is not; the findings say what is not."""
    found = answer(DEEPSEEK)
    considered = [o for o in found.considered if o.within_budget]
    flags = [o.unproven for o in considered]
    assert flags == sorted(flags)
    assert not found.options[0].unproven
    doubtful = [o for o in considered if o.unproven]
    assert doubtful
    for option in doubtful:
        assert option.check is not None
        assert {f.rule for f in option.check.findings} & {"proof.stack", "proof.scale"}
        assert option.risk_parts["software"] + option.risk_parts["scale"] > 0


def test_want_of_a_measurement_counts_as_cost() -> None:
    """Of two options of the same cost the measured one stands first; the order follows the counted cost."""
    one = answer_of("lora_7b_two_4090").options[0]
    unmeasured = replace(one, premium=0.25, accelerator=replace(one.accelerator, id="a"))
    ranked = order([unmeasured, replace(one, premium=0.0)], Kind.TRAINING, None)
    assert [o.premium for o in ranked] == [0.0, 0.25]
    considered = answer_of("full_7b").considered

    def key(option: Option) -> tuple[bool, bool, bool]:
        return (not option.within_budget, option.meets_target is False, option.unproven)

    for before, after in pairwise(considered):
        assert key(before) <= key(after)
        if key(before) == key(after):
            assert counted_cost(before) <= counted_cost(after)


def test_doubts_replace_earlier_ones() -> None:
    """A machine judged anew is not doubted twice."""
    option = answer_of("lora_7b_two_4090").options[0]
    finding, _ = doubts(Proof(stack=1.0, together=9, known=1, evidence=1.0), option.estimate_request,
                        estimator().coefficients)  # fmt: skip
    twice = with_doubts(with_doubts(option.check, finding), finding)
    assert twice is not None
    assert len([f for f in twice.findings if f.rule.startswith("proof.")]) == len(finding) == 3


def test_risk_weights_add_up_to_one() -> None:
    parts = answer_of("lora_7b_two_4090").options[0].risk_parts
    weights = [estimator().coefficients.value("selection", "risk_weight", name) for name in parts]
    assert sum(weights) == pytest.approx(1.0)
