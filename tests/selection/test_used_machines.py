"""Pictures at home with used and modified goods: a machine within the sum, each used part marked."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Condition, Kind
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from tests.selection.requests import answer

USED = {"condition": "used_ok"}


def bought(found: Recommendation) -> list[Option]:
    return [option for option in found.options if option.build is not None and option.build.lines]


def findings(option: Option) -> tuple[Finding, ...]:
    assert option.check is not None
    return option.check.findings


def pictures(model: str, amount: int, **constraints: object) -> Recommendation:
    return answer(
        {
            "model": model,
            "workload": {"kind": "image"},
            "budget": {"amount": str(amount), "currency": "CNY"},
            "constraints": {**USED, **constraints},
        }
    )


@pytest.mark.parametrize(("model", "amount"), [("sdxl", 6000), ("sd1.5", 3000), ("sd1.5", 4000)])
def test_a_machine_within_the_sum(model: str, amount: int) -> None:
    found = pictures(model, amount)
    options = [option for option in bought(found) if option.price.total.middle().amount <= amount]
    assert options
    for option in options:
        assert option.build is not None
        assert not [f for f in findings(option) if f.status is Status.PROBLEM]


@pytest.mark.parametrize(
    "card", ["nvidia-rtx-2080ti-22-mod", "nvidia-v100-sxm2-16-adapter", "nvidia-rtx-3060-12"]
)
def test_used_and_modified_goods_are_marked(card: str) -> None:
    found = pictures("sdxl", 6000, accelerators=[card])
    (option, *_) = bought(found)
    assert option.build is not None
    marked = {part for f in findings(option) if f.rule == "purchase.condition" for part in f.parts}
    used = {
        line.item.id
        for line in option.build.lines
        if line.offer is not None and line.offer.condition in (Condition.USED, Condition.MODIFIED)
    }
    assert card in used
    assert any(line.kind is Kind.CPU for line in option.build.lines if line.item.id in used)
    assert used <= marked


def test_nothing_used_unless_it_is_accepted() -> None:
    found = answer(
        {
            "model": "sdxl",
            "workload": {"kind": "image"},
            "budget": {"amount": "20000", "currency": "CNY"},
        }
    )
    options = bought(found)
    assert options
    for option in options:
        assert option.build is not None
        assert not [
            line.item.id
            for line in option.build.lines
            if line.offer is not None and line.offer.condition in (Condition.USED, Condition.MODIFIED)
        ]
