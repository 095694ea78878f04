"""What renting costs by contract: on demand, reserved, spot, from the dated price lists of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.market import CloudOffer
from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.pricing.case import Band, CostCase
from gpuconfig.engine.pricing.inputs import INPUTS
from gpuconfig.engine.pricing.resale import GROUP
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money

RECENT = 12
"""Newest price lists looked at for one contract."""

SHARED = ("flex", "calendar")
"""Contracts that are neither on demand nor a reservation of years: start when there is room, or for a fixed week."""

TERM_WORDS = {
    "on_demand": N_("on demand"),
    "spot": N_("spot"),
    "reserved": N_("reserved"),
    "reserved-1y": N_("reserved, 1 year"),
    "reserved-3y": N_("reserved, 3 years"),
    "reserved-6mo": N_("reserved, 6 months"),
}
"""How a contract is called for a person; one that is not here is shown by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RentTerms:
    """One kind of contract.

    Attributes:
        name: on_demand, reserved-1y, reserved-3y ..., spot.
        low, middle, high: one accelerator for an hour, in the buyer's currency; the middle is the median list.
        offers: how many price lists.
        oldest, newest: their dates.
    """

    name: str
    kind: RentalKind
    low: float
    middle: float
    high: float
    offers: int
    oldest: str
    newest: str
    source: str


def rent_terms(
    offers: Iterable[CloudOffer], accelerator_id: str, count: int, rate: ExchangeRate | None, case: CostCase
) -> tuple[RentTerms, ...]:
    """Contracts for `count` cards, cheapest kind of contract last; instances larger than needed are left out."""
    return terms_in(case.currency, offers, accelerator_id, count, rate)


def terms_in(
    currency: Currency,
    offers: Iterable[CloudOffer],
    accelerator_id: str,
    count: int,
    rate: ExchangeRate | None,
) -> tuple[RentTerms, ...]:
    """The same in one currency; without a rate, of the price lists in that currency alone."""
    groups: dict[str, list[CloudOffer]] = {}
    for offer in offers:
        if offer.accelerator_id != accelerator_id or offer.count > count or offer.kind is RentalKind.ESTIMATE:
            continue
        if any(word in offer.kind_text for word in SHARED):
            continue
        if offer.currency is not currency and rate is None:
            continue
        name = offer.kind_text if offer.kind is RentalKind.RESERVED and offer.kind_text else offer.kind.value
        groups.setdefault(name, []).append(offer)
    made = [_terms(name, group[:RECENT], rate, currency) for name, group in groups.items()]
    order = (RentalKind.ON_DEMAND, RentalKind.RESERVED, RentalKind.SPOT)
    return tuple(sorted(made, key=lambda t: (order.index(t.kind), t.name)))


def with_rent(case: CostCase, terms: RentTerms, coefficients: CoefficientSet) -> CostCase:
    """The case with the price, the paid hours and the repeated work of one contract."""
    rework = coefficients.row(GROUP, "rework_share", terms.kind.value)
    titles = {item.name: item for item in INPUTS}
    source = Evidence(terms.source, terms.newest or None, EvidenceKind.VENDOR, terms.name)
    low, high = rent_range(terms, coefficients)
    reserved = 1.0 if terms.kind is RentalKind.RESERVED else 0.0
    bands = {
        **case.bands,
        "rent_per_gpu_hour": Band(terms.middle, low, high, 1),
        "reserved": Band(reserved, reserved, reserved),
        "rework_share": Band(rework.value or 0.0, rework.low or 0.0, rework.high or 0.0, 1),
    }
    notes: dict[str, Input] = {
        **case.notes,
        "rent_per_gpu_hour": replace(titles["rent_per_gpu_hour"], evidence=source, mark=Mark.VENDOR),
        "rework_share": replace(titles["rework_share"], evidence=rework.evidence, mark=Mark.ASSUMED),
    }
    return replace(case, bands=bands, notes=notes)


def rent_spread(terms: RentTerms, coefficients: CoefficientSet) -> float | None:
    """Share up and down that is taken where too few price lists tell how far providers differ; None: they tell."""
    if terms.offers >= coefficients.value(GROUP, "rent_spread_lists"):
        return None
    return coefficients.value(GROUP, "rent_spread")


def rent_range(terms: RentTerms, coefficients: CoefficientSet) -> tuple[float, float]:
    """Low and high of an hour of one card: the ends of the price lists, further out where these are too few."""
    spread = rent_spread(terms, coefficients) or 0.0
    return min(terms.low, terms.middle * (1 - spread)), max(terms.high, terms.middle * (1 + spread))


def _terms(
    name: str, offers: Sequence[CloudOffer], rate: ExchangeRate | None, currency: Currency
) -> RentTerms:
    prices = sorted(_price(offer, rate, currency) for offer in offers)
    dates = sorted(offer.date for offer in offers if offer.date)
    return RentTerms(
        name=name,
        kind=offers[0].kind,
        low=prices[0],
        middle=prices[len(prices) // 2],
        high=prices[-1],
        offers=len(prices),
        oldest=dates[0] if dates else "",
        newest=dates[-1] if dates else "",
        source=offers[0].source,
    )


def _price(offer: CloudOffer, rate: ExchangeRate | None, currency: Currency) -> float:
    money = Money(offer.per_gpu_hour(), offer.currency)
    return float((money if rate is None else rate.convert(money, currency)).amount)
