"""Sell and replace: when, what comes back, which parts stay."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.pricing.case import planned
from gpuconfig.engine.pricing.replacement import REUSABLE, plan_in_words, replacement, reusable
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.i18n import Language, load, render
from tests.selection.requests import answer_of


def bought() -> Option:
    return next(o for o in answer_of("full_7b").considered if o.kind is OptionKind.BUY and o.tco is not None)


def test_at_the_end_of_the_years_the_plan_is_the_cost_of_ownership() -> None:
    option = bought()
    assert option.tco is not None
    case = option.tco.case
    assert case is not None
    plan = replacement(case, None)
    assert plan is not None
    assert not plan.full
    assert plan.months == round(option.tco.years * 12)
    assert plan.whole == pytest.approx(planned(case, "resale"))
    assert plan.cost == pytest.approx(planned(case, "total_cost"))
    assert 0 < plan.cards < plan.whole


def test_a_machine_that_is_full_sooner_is_sold_sooner_and_for_more() -> None:
    case = bought().tco.case  # type: ignore[union-attr]
    assert case is not None
    late, early = replacement(case, None), replacement(case, 14.6)
    assert late is not None
    assert early is not None
    assert (early.months, early.full) == (14, True)
    assert early.cards > late.cards
    assert early.cost < late.cost


@pytest.mark.parametrize("outgrown", [0.0, 0.4])
def test_a_machine_full_from_the_start_has_no_plan(outgrown: float) -> None:
    case = bought().tco.case  # type: ignore[union-attr]
    assert case is not None
    assert replacement(case, outgrown) is None


def test_board_supply_and_case_are_named_and_cards_are_not() -> None:
    option = bought()
    assert option.tco is not None
    assert option.tco.case is not None
    assert option.build is not None
    names = reusable(option.build)
    kinds = {line.item.name: line.kind for line, _ in option.build.all_lines()}
    assert names
    assert all(kinds[name] in REUSABLE for name in names)
    assert Kind.ACCELERATOR not in {kinds[name] for name in names}
    assert reusable(None) == ()
    plan = replacement(option.tco.case, None)
    assert plan is not None
    chinese = load(Language.ZH)
    said = [render(m, chinese) for m in plan_in_words(plan, option.build, option.tco.case.currency)]
    assert "显卡可转卖约 ¥" in said[0]
    assert names[0] in said[-1]
