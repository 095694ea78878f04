"""What is not known of an option counts as cost, is told, and never passes for known."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.engine.estimation.answer import Estimate, ServingAnswer, Verdict
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.demand import demand_of
from gpuconfig.engine.selection.notes import warnings_of
from gpuconfig.engine.selection.performance import TAIL, close_targets, judged_targets
from gpuconfig.engine.selection.ranking import (
    ASSUMED_PRICE,
    SEVERAL_MACHINES,
    TARGET,
    counted_cost,
    order,
    premium_parts,
)
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.engine.selection.request import Target, Weights
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.i18n import Language, load, render
from gpuconfig.presentation.measures import price_shown, risk_shown
from tests.selection.requests import ROWS, TODAY, answer, answer_of, estimator, request


def served(tpot: Figure) -> Estimate:
    users = Figure(20.0, 18.0, 22.0)
    return Estimate(id="x", verdict=Verdict.FITS, serving=ServingAnswer(tpot_ms=tpot, max_concurrency=users))


@pytest.mark.parametrize(
    ("value", "high", "limit", "chance"),
    [
        (50.0, 100.0, 50.0, 0.5),
        (50.0, 100.0, 100.0, TAIL),
        (50.0, 100.0, 70.0, 0.212),
        (50.0, 100.0, 40.0, 0.702),
    ],
)
def test_the_band_tells_the_chance_of_missing(value: float, high: float, limit: float, chance: float) -> None:
    """Half where the planning value is the limit, five in a hundred where the band ends there."""
    estimate = served(Figure(value, 25.0, high))
    (judged,) = judged_targets(estimate, Kind.SERVING, Target(tpot_ms=limit))
    assert judged.chance_of_missing() == pytest.approx(chance, abs=2e-3)


def test_a_target_is_close_where_the_band_crosses_it_and_no_further() -> None:
    banded, bare = Figure(40.0, 30.0, 60.0), Figure(40.0)

    def close(target: Target, tpot: Figure) -> list[str]:
        return [judged.name for judged in close_targets(served(tpot), Kind.SERVING, target)]

    assert close(Target(tpot_ms=50), banded) == ["tpot_ms"]
    assert close(Target(tpot_ms=61), banded) == []
    assert close(Target(tpot_ms=39), banded) == []  # missed outright: not close, refused
    assert close(Target(users=19), banded) == ["users"]
    assert close(Target(users=17), banded) == []
    assert close(Target(tpot_ms=50), bare) == []  # no band, no claim


def plain(**changes: Any) -> Option:
    return replace(answer_of("lora_7b_two_4090").options[0], premium=0.0, premium_parts={}, **changes)


@pytest.mark.parametrize("row", sorted(ROWS))
def test_no_cheaper_guess_stands_before_a_price_that_was_seen_within_its_doubt(row: str) -> None:
    """Whatever stands first by a doubtful price is cheaper than what follows by more than that doubt."""
    options = [o for o in answer_of(row).options if o.kind is OptionKind.BUY]
    for before, after in pairwise(options):
        assert counted_cost(before) <= counted_cost(after)
        for option in (before, after):
            assert option.premium == pytest.approx(sum(option.premium_parts.values()))
            doubtful = ASSUMED_PRICE in option.premium_parts
            assert doubtful or option.price.assumed_share < 0.01


def test_premium_counts_what_is_not_known() -> None:
    option = answer_of("lora_7b_two_4090").options[0]
    assert option.build is not None
    numbers = estimator().coefficients
    cost = Decimal(100000)
    seen = replace(
        option.build,
        lines=tuple(
            replace(x, assumed=False, offer=None if x.offer is None else replace(x.offer, date="2026-11-01"))
            for x in option.build.lines
        ),
    )
    guessed = replace(seen, lines=tuple(replace(x, assumed=True) for x in seen.lines))
    undated = replace(
        seen,
        lines=tuple(
            replace(x, offer=None if x.offer is None else replace(x.offer, date=None)) for x in seen.lines
        ),
    )
    assert premium_parts(seen, cost, 0.0, 0.0, numbers) == {}
    paid = float(option.price.planned().amount / cost)
    least = numbers.value("selection", "price_premium", "assumed")
    for build in (guessed, undated):
        found = premium_parts(build, cost, 0.0, 0.0, numbers)
        assert set(found) == {ASSUMED_PRICE}
        assert found[ASSUMED_PRICE] >= least * paid - 1e-4
    two = premium_parts(replace(seen, nodes=2), cost, 0.0, 0.0, numbers)
    assert two == {SEVERAL_MACHINES: pytest.approx(0.2 * paid, abs=1e-3)}


def test_a_target_met_for_sure_stands_first_where_costs_are_within_the_uncertainty() -> None:
    """Not where it costs more than that."""
    numbers = estimator().coefficients
    build = answer_of("lora_7b_two_4090").options[0].build
    assert build is not None
    parts = premium_parts(replace(build, lines=()), Decimal(1), 0.0, 0.5, numbers)
    share = parts[TARGET]
    assert share == pytest.approx(numbers.value("selection", "target_premium"))
    assert premium_parts(replace(build, lines=()), Decimal(1), 0.0, TAIL, numbers) == {}
    hair = replace(plain(), premium=share, premium_parts=parts)
    assert hair.tco is not None
    for factor, first in ((1 + share / 2, "sure"), (1 + share * 2, "hair")):
        dearer = Money(hair.tco.planned().amount * Decimal(str(factor)), hair.price.total.low.currency)
        sure = replace(plain(), tco=replace(hair.tco, middle=dearer))
        best = order([hair, sure], Kind.TRAINING, None)[0]
        assert ("sure" if best.premium == 0 else "hair") == first


def test_a_hair_is_warned_of_in_both_languages() -> None:
    took = answer_of("lora_7b_two_4090").options[0].estimate.training
    assert took is not None
    limit = (took.time_to_train_s.value or 0) * 1.01
    found = answer({**ROWS["lora_7b_two_4090"], "target": {"deadline_s": limit}})
    close = [w for w in found.warnings if w.code == "target_close"]
    assert close
    assert TARGET in found.options[0].premium_parts
    for language, words in ((Language.EN, "missed with a chance of about 4"), (Language.ZH, "概率约为 4")):
        assert words in render(close[0].message, load(language))
        assert any(
            "%" in render(w, load(language)) and "{" not in render(w, load(language))
            for w in found.options[0].why
        )
    loose = answer({**ROWS["lora_7b_two_4090"], "target": {"deadline_s": limit * 3}})
    assert not [w for w in loose.warnings if w.code == "target_close"]


def test_a_full_card_and_a_budget_passed_at_the_dear_end_are_warned_of() -> None:
    wanted = request(ROWS["lora_7b_two_4090"])
    numbers = estimator().coefficients
    demand, option = demand_of(wanted, numbers), answer_of("lora_7b_two_4090").options[0]
    memory = option.estimate.memory
    assert memory is not None
    assert memory.usable_bytes

    def codes(changed: Option) -> set[str]:
        return {w.code for w in warnings_of([changed], demand, TODAY, numbers)}

    full = Figure(memory.usable_bytes * 0.95, 0.0, memory.usable_bytes * 0.97, "B")
    filled = replace(memory, device_used_bytes=full, peak_allocated_bytes=full)
    assert "memory_close" not in codes(option)
    assert "memory_close" in codes(replace(option, estimate=replace(option.estimate, memory=filled)))
    assert wanted.budget is not None
    over = MoneyRange(option.price.total.low, wanted.budget.money * 2)
    assert "budget_close" not in codes(option)
    assert "budget_close" in codes(replace(option, price=replace(option.price, total=over)))


def test_a_rental_has_no_known_risk_and_a_range() -> None:
    found = answer_of("full_7b")
    rented = next(o for o in found.options if o.kind is OptionKind.RENT)
    assert rented.risk is None
    assert rented.tco is not None
    for total, planned in (
        (rented.price.total, rented.price.planned()),
        (rented.tco.total, rented.tco.planned()),
    ):
        assert total.low < planned < total.high
    t = load(Language.EN)
    body = recommendation_contract(found, lambda message: render(message, t))
    assert len(body["options"]) == found.asked
    shown = body["rental"]
    assert shown["risk"] is None
    assert float(shown["price"]["low"]) < float(shown["price"]["amount"]) < float(shown["price"]["high"])
    for language in Language:
        words = load(language)
        assert risk_shown(rented, words).text == words.unknown
        assert words.formats.money_range(rented.price.total) == price_shown(rented, words).text


def test_unknown_risk_never_wins_a_weighted_order() -> None:
    known, unknown = plain(risk=0.9), plain(risk=None)
    ranked = order([unknown, known], Kind.TRAINING, Weights(cost=0, time=0, energy=0, risk=1))
    assert [o.risk for o in ranked] == [0.9, None]
    body = {**ROWS["full_7b"], "weights": {"risk": 1}, "cost": {"need": "continuous", "utilisation": 0.02}}
    assert answer(body).options[0].kind is OptionKind.BUY
