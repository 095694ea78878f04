"""A province's tariff can be chosen, and its price replaced by that of the bill: shown as given, not as recorded."""

from __future__ import annotations

import pytest

from gpuconfig.engine.pricing.case import CostCase, explain_cost, planned
from gpuconfig.engine.pricing.study import pricing_coefficients
from gpuconfig.engine.pricing.tariffs import energy_price, tariff_by_id
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import ROWS, answer

PROVINCE = "cn-jiangsu-industrial"


def case_with(**cost: object) -> CostCase:
    made = answer({**ROWS["full_7b"], "cost": cost})
    tco = made.options[0].tco
    assert tco is not None
    assert tco.case is not None
    return tco.case


def leaf(tree: Explanation, name: str) -> Explanation:
    found = [tree]
    while found:
        node = found.pop()
        if node.name == name:
            return node
        found += node.inputs
    raise AssertionError(name)


def test_a_chosen_province_shows_its_source() -> None:
    case = case_with(tariff=PROVINCE)
    node = leaf(explain_cost(case, "electricity"), "period_price")
    tariff = tariff_by_id(bundled_catalogue().tariffs(), PROVINCE)
    assert node.evidence is not None
    assert node.evidence.source == tariff.evidence.source
    assert node.mark is not Mark.GIVEN
    assert float(tariff.per_kwh_low) < planned(case, "price_per_kwh") < float(tariff.per_kwh_high)


def test_the_price_of_the_bill_goes_over_the_province_and_is_marked_as_given() -> None:
    recorded, edited = case_with(tariff=PROVINCE), case_with(tariff=PROVINCE, per_kwh=0.9)
    assert planned(edited, "price_per_kwh") == pytest.approx(0.9)
    assert planned(recorded, "price_per_kwh") != pytest.approx(0.9)
    node = leaf(explain_cost(edited, "electricity"), "period_price")
    assert node.mark is Mark.GIVEN
    assert node.evidence is None
    ratio = planned(edited, "electricity") / planned(recorded, "electricity")
    assert ratio == pytest.approx(0.9 / planned(recorded, "price_per_kwh"), rel=1e-6)


def test_the_price_of_one_period_goes_over_that_period_alone() -> None:
    recorded, edited = case_with(tariff=PROVINCE), case_with(tariff=PROVINCE, per_kwh_peak=1.5)
    tariff = tariff_by_id(bundled_catalogue().tariffs(), PROVINCE)
    peak = next(part for part in tariff.periods if part.period == "peak")
    before, after = planned(recorded, "price_per_kwh"), planned(edited, "price_per_kwh")
    assert after - before == pytest.approx((1.5 - float(peak.per_kwh)) * peak.hours_per_day / 24, rel=1e-6)
    assert leaf(explain_cost(edited, "electricity"), "period_price").mark is Mark.GIVEN


def test_a_period_that_the_tariff_has_not_changes_nothing() -> None:
    recorded, edited = (
        case_with(tariff="cn-industrial-mean"),
        case_with(tariff="cn-industrial-mean", per_kwh_peak=1.5),
    )
    assert planned(edited, "electricity") == pytest.approx(planned(recorded, "electricity"))
    assert leaf(explain_cost(edited, "electricity"), "period_price").evidence is not None


@pytest.mark.parametrize(
    ("name", "flat", "mean"),
    [
        (
            "cn-beijing-industrial",
            0.681335,
            (1.0 * 1.057777 + 7.6667 * 0.926841 + 7.3333 * 0.681335 + 8 * 0.435829) / 24,
        ),
        ("cn-hubei-industrial", 0.651886, (2 * 1.049999 + 6 * 0.848961 + 8 * 0.651886 + 8 * 0.432924) / 24),
        ("cn-hubei-commercial", 0.735686, (2 * 1.133999 + 6 * 0.930961 + 8 * 0.735686 + 8 * 0.516924) / 24),
        (
            "cn-chongqing-industrial",
            0.762307,
            (1.359680 / 1.5 + 7.3333 * 1.133067 + 8 * 0.762307 + 8 * 0.379188) / 24,
        ),
    ],
)
def test_published_tables_of_provinces_are_recorded_as_they_were_read(
    name: str, flat: float, mean: float
) -> None:
    tariff = tariff_by_id(bundled_catalogue().tariffs(), name)
    assert tariff.evidence.kind is not EvidenceKind.ASSUMED
    assert float(next(part.per_kwh for part in tariff.periods if part.period == "flat")) == pytest.approx(
        flat
    )
    even = energy_price(tariff, 1.0, 0.15, 1000.0, valley_first=False)
    assert sum(p * s for p, s in zip(even.middle, even.shares, strict=True)) == pytest.approx(mean, rel=1e-3)


def test_storage_and_data_sent_out_have_a_source() -> None:
    numbers = pricing_coefficients(bundled_catalogue())
    for name in ("storage_usd_gb_month", "egress_usd_gb"):
        row = numbers.row("pricing", name)
        assert row.evidence is not None
        assert row.evidence.kind is EvidenceKind.VENDOR
        assert row.evidence.source.startswith("https://")
