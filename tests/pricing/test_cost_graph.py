"""The graph of cost: lines, cash flow, loan and lease, tariffs, renting, samples; published sums with right answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.pricing.case import MIDDLE, Band, CostCase, cost_graph, evaluate, explain_cost, planned
from gpuconfig.engine.pricing.figures import cost_figures, rent_figures
from gpuconfig.engine.pricing.outlook import outgrown_after
from gpuconfig.engine.pricing.ownership import LINES
from gpuconfig.engine.pricing.rents import rent_terms, with_rent
from gpuconfig.engine.pricing.study import cost_study, pricing_coefficients, with_years
from gpuconfig.engine.pricing.tariffs import energy_price, mean_price, tariff_by_id
from gpuconfig.engine.pricing.uncertainty import likelier_cheaper, sample, spread, tornado
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.recommendation import OptionKind
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer_of


def case_of(row: str = "full_7b", number: int = 0) -> CostCase:
    """The cost of a machine that a recommendation bought."""
    bought = [o for o in answer_of(row).considered if o.kind is OptionKind.BUY and o.tco is not None]
    case = bought[number].tco.case  # type: ignore[union-attr]
    assert case is not None
    return case


@settings(max_examples=150, deadline=None)
@given(
    borrowed=st.floats(0, 1),
    rate=st.floats(0, 0.3),
    term=st.integers(1, 120),
    owned=st.sampled_from([0.0, 1.0]),
    freight=st.floats(0, 0.2),
    duty=st.floats(0, 0.5),
    recovered=st.sampled_from([0.0, 1.0]),
    staff=st.floats(0, 1e6),
)
def test_the_months_add_up_to_the_lines(
    borrowed: float,
    rate: float,
    term: int,
    owned: float,
    freight: float,
    duty: float,
    recovered: float,
    staff: float,
) -> None:
    """However it is paid: the cash flow sums to the total, and so do the lines and the cost at the last month."""
    case = case_of().with_values(
        financed_share=borrowed,
        interest_rate=rate,
        term_months=float(term),
        owned=owned,
        freight_share=freight,
        duty_rate=duty,
        tax_recoverable=recovered,
        staff_per_year=staff,
    )
    names = ("total_cost", "cash_flow", "cost_if_sold_by_month", *(name for name, _ in LINES))
    values = evaluate(case, names)
    total = values["total_cost"][MIDDLE]
    near = pytest.approx(total, rel=1e-9, abs=0.01)
    assert values["cash_flow"][MIDDLE].sum() == near
    assert sum(sign * values[name][MIDDLE] for name, sign in LINES) == near
    assert values["cost_if_sold_by_month"][MIDDLE][-1] == near


def test_annuity_of_a_textbook() -> None:
    """100,000 at 6 % over 36 months is 3,042.19 a month and 9,518.97 of interest."""
    case = case_of().with_values(
        accelerator_price=100_000.0,
        host_price=0.0,
        financed_share=1.0,
        interest_rate=0.06,
        term_months=36.0,
        freight_share=0.0,
        duty_rate=0.0,
    )
    assert planned(case, "loan_payment") == pytest.approx(3042.19, abs=0.01)
    assert planned(case, "interest") == pytest.approx(9518.97, abs=0.05)


def test_recovered_tax_is_thirteen_of_a_hundred_and_thirteen() -> None:
    """Of 113,000 with 13 % a general taxpayer gets 13,000 back."""
    case = case_of().with_values(
        accelerator_price=113_000.0, host_price=0.0, tax_rate=0.13, tax_recoverable=1.0
    )
    assert planned(case, "recovered_tax") == pytest.approx(13_000)


@pytest.mark.parametrize(
    ("per_kwh", "expected"), [(0.10, 613.2), (0.163, 999.5), (0.13, 797.2), (0.60, 3679.2)]
)
def test_electricity_of_one_h100_a_year(per_kwh: float, expected: float) -> None:
    """An article's "over 1,000 USD a year": 6,132 kWh, so only above 0.163 USD a kWh; 3,679 CNY at 0.60."""
    one = {name: np.array([1.0]) for name in ("utilisation", "years", "pue")}
    columns = {
        **one, "wall_w": np.array([700.0]), "idle_share": np.array([0.25]), "tier_surcharge": np.array([0.0]),
        "period_price": np.array([[per_kwh]]), "period_energy_share": np.array([[1.0]]),
    }  # fmt: skip
    assert cost_graph().evaluate(columns, ("electricity",))["electricity"][0] == pytest.approx(
        expected, rel=1e-3
    )


def test_electricity_is_not_most_of_the_cost() -> None:
    """Claims of 60-80 % for electricity fail: a dense server spends most on the machine."""
    for number in range(3):
        values = evaluate(case_of("full_7b", number), ("electricity", "cooling", "hardware_price"))
        bill = values["electricity"][MIDDLE] + values["cooling"][MIDDLE]
        assert bill / (bill + values["hardware_price"][MIDDLE]) < 0.4


def test_valley_first_pays_the_cheapest_hours() -> None:
    """A machine that works a third of the day and rests at nothing pays the valley price alone."""
    tariff = tariff_by_id(bundled_catalogue().tariffs(), "cn-jiangsu-industrial")
    third = energy_price(tariff, 1 / 3, 0.0, 1000.0, valley_first=True)
    assert mean_price(third) == pytest.approx(0.252)
    even = energy_price(tariff, 1 / 3, 0.0, 1000.0, valley_first=False)
    assert mean_price(even) == pytest.approx((7.5 * 1.008 + 8.5 * 0.63 + 8 * 0.252) / 24)


@pytest.mark.parametrize(
    ("kwh", "expected"),
    [(2000, 0.538), (4800, 0.538 + 0.05 * 2040 / 4800), (10_000, 0.538 + (102 + 1560) / 10_000)],
)
def test_tiers_of_a_household(kwh: float, expected: float) -> None:
    """0.538, then 0.05 more above 2,760 kWh and 0.30 more above 4,800."""
    tariff = tariff_by_id(bundled_catalogue().tariffs(), "cn-zhejiang-household")
    assert mean_price(energy_price(tariff, 1.0, 0.25, kwh, False)) == pytest.approx(expected)


def test_every_day_of_a_tariff_has_24_hours() -> None:
    """Periods leave no hole."""
    for tariff in bundled_catalogue().tariffs():
        if tariff.periods:
            assert sum(p.hours_per_day for p in tariff.periods) == pytest.approx(24, abs=0.001)


def test_break_even_lies_where_both_cost_the_same() -> None:
    """At the break-even utilisation owning and renting cost the same, to the last digit."""
    case = case_of().with_values(rent_per_gpu_hour=5.0, rent_extra_per_month=0.0, failure_rate=0.0)
    share = planned(case, "break_even_utilisation")
    assert math.isfinite(share)
    there = case.with_values(utilisation=share)
    # the mean price of energy of a flat tariff does not depend on the use
    assert planned(there, "total_cost") == pytest.approx(planned(there, "rent_total"), rel=1e-6)


def test_break_even_month_is_the_first() -> None:
    """One month earlier owning had cost more."""
    case = case_of().with_values(rent_per_gpu_hour=9.0)
    values = evaluate(case, ("break_even_month", "cost_if_sold_by_month", "rent_by_month"))
    month = int(values["break_even_month"][MIDDLE])
    own, rent = values["cost_if_sold_by_month"][MIDDLE], values["rent_by_month"][MIDDLE]
    assert own[month] <= rent[month]
    assert month == 1 or own[month - 1] > rent[month - 1]


def test_reserved_cards_are_paid_around_the_clock() -> None:
    """The same price by the hour costs more reserved than on demand at half the hours."""
    case = case_of().with_values(rent_per_gpu_hour=5.0, failure_rate=0.0, rent_extra_per_month=0.0)
    by_hour, reserved = (planned(case.with_values(reserved=flag), "rent_total") for flag in (0.0, 1.0))
    share = case.bands["utilisation"].value
    assert isinstance(share, float)
    assert by_hour / reserved == pytest.approx(share)


def test_contracts_of_the_catalogue() -> None:
    """H100: on demand, reserved and spot each with their own dated lists; spot is cheapest an hour."""
    catalogue, coefficients = bundled_catalogue(), pricing_coefficients(bundled_catalogue())
    case = case_of()
    rate = catalogue.exchange_rate(Currency.USD, Currency.CNY)
    terms = rent_terms(catalogue.cloud_offers(), "nvidia-h100-sxm5-80", 8, rate, case)
    kinds = {t.kind for t in terms}
    assert kinds == {RentalKind.ON_DEMAND, RentalKind.RESERVED, RentalKind.SPOT}
    by_kind = {t.kind: t for t in terms}
    assert by_kind[RentalKind.SPOT].middle < by_kind[RentalKind.ON_DEMAND].middle
    for each in terms:
        assert each.low <= each.middle <= each.high
        assert each.oldest <= each.newest
        figures = rent_figures(case, each, coefficients)
        assert figures.total.value == pytest.approx((figures.per_month.value or 0) * 36)
        tree = explain_cost(with_rent(case, each, coefficients), "break_even_utilisation")
        assert tree.formula
        assert {i.name for i in tree.inputs} == {"fixed_cost", "rent_at_full_use", "energy_cost_at_full_use"}


def test_the_same_input_draws_the_same() -> None:
    """Samples repeat exactly; the middle lies inside P10 and P90, and those inside the corners."""
    case = case_of()
    first, second = sample(case), sample(case)
    assert (first == second).all()
    found, values = spread(first), evaluate(case, ("total_cost",))["total_cost"]
    assert found.p10 < found.p50 < found.p90
    assert values[0] * 0.5 < found.p10
    assert found.p90 < values[2] * 1.5
    assert len(first) == 10_000


@given(share=st.floats(0.01, 0.99), span=st.floats(0.1, 1e6))
@settings(max_examples=60, deadline=None)
def test_triangular_draws_have_the_right_mean(share: float, span: float) -> None:
    """The mean of a triangular distribution is the mean of its three corners."""
    band = Band(share * span, 0.0, span)
    case = case_of()
    case = CostCase(currency=case.currency, bands={**case.bands, "staff_per_year": band}, notes=case.notes)
    drawn = sample(case, "staff") / 3
    assert float(np.mean(drawn)) == pytest.approx((0 + share * span + span) / 3, rel=0.03)


def test_tornado_is_sorted_and_sure_inputs_move_nothing() -> None:
    """Widest first; a sure input is not in it."""
    cases = [case_of(number=number) for number in range(8)]
    prices = [case.bands["accelerator_price"] for case in cases]
    swings = tornado(next(c for c, band in zip(cases, prices, strict=True) if band.low < band.high))
    widths = [s.width for s in swings]
    assert widths == sorted(widths, reverse=True)
    assert "years" not in {s.name for s in swings}
    assert "accelerator_price" in {s.name for s in swings}


def test_a_cheaper_twin_is_surely_cheaper() -> None:
    """Options share the draws of what they share: a twin that costs less in the shelf costs less in all draws."""
    case = case_of()
    dearer = case.with_values(staff_per_year=1.0)
    assert likelier_cheaper(case, dearer) == 1.0
    assert likelier_cheaper(dearer, case) == 0.0


def test_growth_fills_the_machine() -> None:
    """From half to full at 41.4 % a year takes two years; what does not grow never fills."""
    assert outgrown_after(0.5, math.sqrt(2) - 1) == pytest.approx(24)
    assert outgrown_after(0.5, 0.0) is None
    assert outgrown_after(1.0, 0.5) == 0


def test_study_says_all_and_longer_costs_more() -> None:
    """Three and five years, contracts, cash of every month, the chance against each rival."""
    bought = [o for o in answer_of("full_7b").options if o.tco is not None and o.tco.case is not None]
    option, rival = bought[0], bought[1]
    assert option.tco is not None and rival.tco is not None  # noqa: PT018
    study = cost_study(
        option.tco.case,
        option.accelerator,
        option.count,
        bundled_catalogue(),
        [rival.tco.case],
        0.5,  # type: ignore[arg-type, list-item]
    )
    (three, low), (five, high) = study.horizons
    assert (three, five) == (3.0, 5.0)
    assert low < high
    assert low == pytest.approx(float(option.tco.planned().amount), abs=0.02)
    assert len(study.figures.cash_flow[1]) == 37
    assert set(study.chances) == {rival.tco.case.key}  # type: ignore[union-attr]
    assert study.outgrown is not None


def test_present_cost_is_what_the_future_is_worth_today() -> None:
    """Without discounting it is the total; with it, costs to come and the resale weigh less."""
    case = case_of()
    assert planned(case.with_values(discount_rate=0.0), "present_cost") == pytest.approx(
        planned(case, "total_cost")
    )
    figures = cost_figures(case)
    assert figures.book_value[-1] >= 0
    longer = with_years(
        case, 5.0, answer_of("full_7b").options[0].accelerator, pricing_coefficients(bundled_catalogue())
    )
    assert len(longer.bands["month"].value) == 61  # type: ignore[arg-type]
