"""Renting and buying nothing among the machines: by the cost of the need that was said."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.units import HOUR_S, YEAR_H
from gpuconfig.engine.selection.ranking import cost, counted_cost
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.i18n import Language, load, render
from gpuconfig.presentation.cost_view import options_cost_table
from gpuconfig.presentation.option_view import NOTHING_KEY, find_option, options_table
from tests.selection.requests import ROWS, answer, answer_of, request


def needed(row: str, need: str, **more: object) -> Recommendation:
    return answer({**ROWS[row], "cost": {"need": need, **more}})


def rental(found: Recommendation) -> Option:
    return next(o for o in found.options if o.kind is OptionKind.RENT)


def told(option: Option) -> str:
    t = load(Language.EN)
    return " | ".join(render(m, t) for m in (*option.why, *option.loses_because, *option.flips_if))


def test_one_run_is_rented_for_its_hours_alone() -> None:
    found = needed("full_7b", "one_run")
    rented = found.options[0]
    assert rented.kind is OptionKind.RENT
    assert rented.estimate.training is not None
    seconds = rented.estimate.training.time_to_train_s.value
    assert seconds is not None
    assert rented.tco is not None
    longer = rental(needed("full_7b", "continuous"))
    assert longer.tco is not None
    assert longer.tco.case is None
    hours = Decimal(str(seconds / HOUR_S))
    per_hour = rented.tco.planned().amount / hours
    assert 0 < rented.tco.planned().amount < longer.tco.planned().amount
    assert per_hour < 8 * 100  # yuan for eight cards and an hour, storage included
    assert "only one run is needed" in told(rented)
    for option in found.options[1:]:
        assert "more over the years than renting" in told(option)


def test_a_machine_for_one_run_works_its_hours_and_no_more() -> None:
    once = next(o for o in needed("full_7b", "one_run").options if o.kind is OptionKind.BUY)
    assert once.tco is not None
    assert once.tco.case is not None
    assert once.estimate.training is not None
    seconds = once.estimate.training.time_to_train_s.value
    assert seconds is not None
    share = once.tco.case.bands["utilisation"].value
    assert share == pytest.approx(seconds / HOUR_S / (once.tco.years * YEAR_H))


@pytest.mark.parametrize("need", ["one_run", "continuous"])
def test_a_said_need_orders_machines_and_rental_by_its_cost(need: str) -> None:
    found = needed("full_7b", need)
    costs = [counted_cost(option) for option in found.options]
    assert costs == sorted(costs)
    assert all(counted_cost(o) == cost(o) for o in found.options if not o.premium)
    assert [o.rank for o in found.options] == list(range(1, len(costs) + 1))
    assert rental(found)


def test_hardly_any_hours_make_the_rental_first_only_where_the_need_is_said() -> None:
    said = needed("full_7b", "continuous", utilisation=0.02)
    assert said.options[0].kind is OptionKind.RENT
    unsaid = answer({**ROWS["full_7b"], "cost": {"utilisation": 0.02}})
    last = unsaid.options[-1]
    assert last.kind is OptionKind.RENT
    assert cost(last) < cost(unsaid.options[0])
    assert "how long it is needed was not said" in told(last)
    assert "first once the need is said" in told(last)


def test_only_training_has_runs() -> None:
    with pytest.raises(InputError) as error:
        request({**ROWS["serve_70b"], "cost": {"need": "one_run"}})
    assert error.value.field == "cost.need"
    request({**ROWS["serve_70b"], "cost": {"need": "continuous"}})


@pytest.mark.parametrize("row", sorted(ROWS))
def test_buying_nothing_stands_last_with_the_same_figures(row: str) -> None:
    found = answer_of(row)
    nothing = found.nothing
    assert nothing is not None
    assert nothing.rank == len(found.options) + 1
    assert nothing.tco.planned().amount == nothing.price.total.high.amount == 0
    assert nothing.meets_target is False
    if found.options:
        least = min(cost(o) for o in found.options)
        (flip,) = nothing.flips_if
        assert flip.values["cost"].amount == least.quantize(Decimal("0.01"))  # type: ignore[attr-defined]


def test_the_contract_gives_buying_nothing_the_keys_of_an_option() -> None:
    t = load(Language.EN)
    body = recommendation_contract(answer_of("full_7b"), lambda message: render(message, t))
    nothing, first = body["do_nothing"], body["options"][0]
    assert nothing["kind"] == "keep"
    assert set(nothing) <= set(first)
    assert set(nothing["price"]) == set(first["price"])
    assert set(nothing["tco"]) == set(first["tco"])
    assert nothing["price"]["amount"] == "0.00"


def test_what_runs_on_what_there_is_has_no_such_row() -> None:
    parts = {"gpu": [{"ref": "nvidia-rtx-4090-24", "quantity": 2}]}
    found = answer(
        {
            **ROWS["lora_7b_two_4090"],
            "constraints": {**ROWS["lora_7b_two_4090"]["constraints"], "reuse": parts},
        }
    )
    kept = any(o.kind is OptionKind.KEEP for o in (*found.options, *found.considered))
    assert (found.nothing is None) is kept


@pytest.mark.parametrize("language", Language)
def test_pages_show_it_as_a_row_that_chooses_nothing(language: Language) -> None:
    found, t = answer_of("full_7b"), load(language)
    for table in (options_table(found, t), options_cost_table(found, t)):
        row = table.rows[-1]
        assert row.key == NOTHING_KEY
        assert [c.text for c in row.cells].count(t.formats.money(found.options[0].price.total.low * 0)) == 2
    assert find_option(found, NOTHING_KEY) is None
