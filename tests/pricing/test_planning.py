"""The planning price: which offer counts, in which currency and tax basis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from gpuconfig.engine.catalogue.host import Cooler
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, Origin, PriceKind, Region
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, TaxBasis

COOLER = Cooler(id="c", name="a cooler")
CHINA = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))


@dataclass
class Prices:
    """As much of a catalogue as a pricer reads."""

    all: Sequence[Offer]

    def offers(self, kind: Kind, item_id: str) -> Sequence[Offer]:
        return [o for o in self.all if (o.subject_kind, o.subject_id) == (kind, item_id)]

    def exchange_rate(self, base: Currency, target: Currency) -> ExchangeRate:
        return ExchangeRate(base, target, Decimal("7"), Evidence("test", "2026-06"))


def offer(amount: str, **more: object) -> Offer:
    """A new street price in China with tax, changed by `more`."""
    plain = Offer(
        id="o", subject_kind=Kind.COOLER, subject_id="c", low=Decimal(amount), high=Decimal(amount),
        currency=Currency.CNY, tax=TaxBasis.INCLUDED, condition=Condition.NEW, region=Region.CN, date="2026-06",
        source="s", kind=PriceKind.STREET,
    )  # fmt: skip
    return replace(plain, **more)  # type: ignore[arg-type]


def planned(offers: Sequence[Offer], buyer: Buyer = CHINA):  # type: ignore[no-untyped-def]
    """The planning price over `offers`."""
    return Pricer(Prices(offers), buyer).price(Kind.COOLER, COOLER)  # type: ignore[arg-type]


USD = {"currency": Currency.USD, "region": Region.US, "tax": TaxBasis.EXCLUDED}


def test_order_of_kinds() -> None:
    """Seen beats quoted beats list beats converted beats assumed, whatever is newer."""
    kinds = (PriceKind.STREET, PriceKind.QUOTE, PriceKind.LIST, PriceKind.CONVERTED, PriceKind.ASSUMED)
    offers = [offer(str(100 + i), kind=kind, date=f"2026-0{i + 1}") for i, kind in enumerate(kinds)]
    for i in range(len(kinds)):
        assert planned(offers[i:]).middle().amount == 100 + i


def test_newest_of_equals() -> None:
    """Of two street prices the newer one."""
    assert planned([offer("100", date="2025-09"), offer("120", date="2026-02")]).middle().amount == 120


def test_abroad_is_a_conversion() -> None:
    """A US street price is converted with the rate, taxed on import, and counts as assumed."""
    found = planned([offer("100", **USD)])
    assert found.middle().amount == Decimal("791.00")
    assert found.converted
    assert found.assumed


def test_seen_here_beats_newer_abroad() -> None:
    """An older Chinese street price comes before a newer American one."""
    assert planned([offer("100", date="2025-01"), offer("10", date="2026-09", **USD)]).middle().amount == 100


def test_foreign_guesses_come_last() -> None:
    """A price that was itself converted abroad is not converted back where an assumption for here exists."""
    here = offer("100", kind=PriceKind.ASSUMED)
    there = offer("10", kind=PriceKind.CONVERTED, **USD)
    assert planned([there, here]).middle().amount == 100


def test_used_is_never_merged_into_new() -> None:
    """Who wants new goods gets no price of used ones."""
    used = [offer("50", condition=Condition.USED)]
    assert planned(used) is None
    assert planned(used, replace(CHINA, used_ok=True)).middle().amount == 50


def test_tax_basis() -> None:
    """Without tax in, with tax out, and back."""
    bare = offer("100", tax=TaxBasis.EXCLUDED)
    assert planned([bare]).middle().amount == Decimal("113.00")
    without = replace(CHINA, tax_included=False)
    assert planned([bare], without).middle().amount == 100
    assert planned([offer("113")], without).middle().amount == Decimal("100.00")


def test_low_and_high_stay_apart() -> None:
    """The band of a price is kept, its middle is planned with."""
    found = planned([offer("100", high=Decimal("140"))])
    assert (found.price.low.amount, found.price.high.amount, found.middle().amount) == (100, 140, 120)


@pytest.mark.parametrize("currency", list(Currency))
def test_same_currency_is_not_converted(currency: Currency) -> None:
    """Only another currency is a conversion."""
    found = planned([offer("700")], replace(CHINA, currency=currency))
    assert found.converted is (currency is not Currency.CNY)
    assert not found.assumed
    assert found.middle() == Money(
        Decimal("700.00") if currency is Currency.CNY else Decimal("100.00"), currency
    )


def test_a_quotation_in_hand_replaces_what_others_were_asked() -> None:
    seen = offer("100", date="2026-12")
    quoted = offer("130", kind=PriceKind.QUOTE, date="2026-10", origin=Origin.USER)
    assert planned([seen, quoted]).middle().amount == 130
    guessed = offer("130", kind=PriceKind.ASSUMED, basis="a guess", origin=Origin.USER)
    assert planned([seen, guessed]).middle().amount == 100


def test_a_year_alone_is_not_newer_than_a_day_of_it() -> None:
    assert planned([offer("100", date="2026"), offer("120", date="2026-11-30")]).middle().amount == 120
