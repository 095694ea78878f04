"""What allowing used parts would open, told where new parts alone leave nothing to buy."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.i18n import Language, load, render
from tests.selection.requests import answer


def pictures(model: str, amount: int, condition: str = "new") -> dict[str, Any]:
    return {
        "model": model,
        "workload": {"kind": "image"},
        "budget": {"amount": str(amount), "currency": "CNY"},
        "constraints": {"condition": condition},
    }


def just_too_little(model: str) -> int:
    """A sum that no machine of new parts stays within."""
    least = answer(pictures(model, 100)).smallest_budget_that_works
    assert least is not None
    return int(least.amount.amount) - 1


@pytest.mark.parametrize("model", ["sdxl", "sd1.5"])
def test_what_used_parts_would_do_is_told_with_figures(model: str) -> None:
    amount = just_too_little(model)
    found = answer(pictures(model, amount))
    best = answer(pictures(model, amount, "used_ok")).options[0]
    assert not found.options
    assert found.with_used_parts is not None
    assert found.with_used_parts.accelerator.id == best.accelerator.id
    t = load(Language.EN)
    body = recommendation_contract(found, lambda message: render(message, t))
    told = body["with_used_parts"]
    assert float(told["amount"]) <= amount
    assert told["option"]["accelerator"] == best.accelerator.id
    price = t.formats.money(best.price.total.middle().rounded())
    assert any(best.accelerator.name in note and price in note for note in body["notes"])


def test_where_even_used_parts_are_too_dear_the_cheapest_of_them_is_told() -> None:
    found = answer(pictures("sd1.5", 100))
    assert found.with_used_parts is not None
    assert not found.with_used_parts.within_budget
    assert "nothing is within the budget" in render(found.notes[-1], load(Language.EN))


def test_nothing_is_told_of_used_parts_where_new_ones_do_or_used_ones_were_asked_for() -> None:
    assert answer(pictures("sd1.5", 20000)).with_used_parts is None
    assert answer(pictures("sd1.5", 100, "used_ok")).with_used_parts is None
