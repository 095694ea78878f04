"""Exchanging one part: only what passes every rule, with the right difference."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.alternatives import EXCHANGEABLE, alternatives, alternatives_of
from gpuconfig.engine.selection.recommend import buyer_of
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import ROWS, answer_of, estimator, request

PLACE = Environment(region=Region.CN)


@pytest.mark.parametrize("kind", [k for k in EXCHANGEABLE if k is not Kind.NIC])
def test_every_alternative_is_sound(kind: Kind) -> None:
    """No problem, a price, cheapest first; the composed part is the cheapest or ties."""
    build = answer_of("lora_8b").options[0].build
    assert build is not None
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    found = alternatives(build, kind, PLACE, bundled_catalogue(), Pricer(bundled_catalogue(), buyer))
    assert found
    assert all(a.check.verdict is not Status.PROBLEM for a in found)
    assert [a.difference.amount for a in found] == sorted(a.difference.amount for a in found)
    present = build.first(kind)
    assert present is not None
    assert present.item.id not in {a.line.item.id for a in found}


def test_difference_is_that_of_the_total() -> None:
    """The price of the new part less the price of the old one."""
    build = answer_of("lora_8b").options[0].build
    assert build is not None
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    pricer = Pricer(bundled_catalogue(), buyer)
    present = build.first(Kind.POWER_SUPPLY)
    assert present is not None
    assert present.price is not None
    for other in alternatives(build, Kind.POWER_SUPPLY, PLACE, bundled_catalogue(), pricer):
        assert other.line.price is not None
        assert other.difference == (other.line.price.middle() - present.price.middle()).rounded()


def test_all_parts_of_an_option_at_once() -> None:
    """The same as asked part by part, for the buyer of the request; parts without a choice are left out."""
    build = answer_of("lora_8b").options[0].build
    assert build is not None
    pricer = Pricer(bundled_catalogue(), buyer_of(request(ROWS["lora_8b"]), estimator().coefficients))
    found = alternatives_of(build, PLACE, bundled_catalogue(), pricer)
    assert set(found) <= set(EXCHANGEABLE)
    assert Kind.NIC not in found
    assert found[Kind.CPU] == alternatives(build, Kind.CPU, PLACE, bundled_catalogue(), pricer)


def test_a_blower_for_cards_is_no_cooler_of_a_processor() -> None:
    build = answer_of("lora_8b").options[0].build
    assert build is not None
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    found = alternatives(build, Kind.COOLER, PLACE, bundled_catalogue(), Pricer(bundled_catalogue(), buyer))
    assert not [a for a in found if a.line.item.is_for_cards()]  # type: ignore[attr-defined]
