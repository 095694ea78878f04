"""Offers, rental prices, electricity tariffs."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.engine.catalogue.vocabulary import (
    Channel,
    Condition,
    Confidence,
    Kind,
    Origin,
    PriceKind,
    Region,
    RentalKind,
)
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange, TaxBasis


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A dated price of one catalogue item.

    Attributes:
        low, high: of one item; equal where one price was seen.
        kind: STREET and QUOTE were seen, LIST is the maker's, CONVERTED and ASSUMED nobody asked.
        basis: how a converted or assumed amount came about.
        confidence: how far the amount was cross-checked.
        lead_time_days, stock_note: availability, where recorded.
    """

    id: str
    subject_kind: Kind
    subject_id: str
    low: Decimal
    high: Decimal
    currency: Currency
    tax: TaxBasis
    condition: Condition
    region: Region
    channel: Channel = Channel.UNKNOWN
    date: str | None
    source: str
    kind: PriceKind
    basis: str = ""
    confidence: Confidence = Confidence.LOW
    lead_time_days: int | None = None
    stock_note: str = ""
    origin: Origin = Origin.BUNDLED

    def price(self) -> MoneyRange:
        """Low and high as money."""
        return MoneyRange(Money(self.low, self.currency), Money(self.high, self.currency))

    def is_assumed(self) -> bool:
        """True where nobody was seen to ask this amount: it counts into the assumed share of a total."""
        return self.kind in (PriceKind.ASSUMED, PriceKind.CONVERTED)

    def evidence(self) -> Evidence:
        """Source and date, kind by the kind of price."""
        kinds = {
            PriceKind.STREET: EvidenceKind.MEASURED,
            PriceKind.QUOTE: EvidenceKind.MEASURED,
            PriceKind.LIST: EvidenceKind.VENDOR,
            PriceKind.CONVERTED: EvidenceKind.CALCULATED,
            PriceKind.ASSUMED: EvidenceKind.ASSUMED,
        }
        return Evidence(source=self.source, date=self.date, kind=kinds[self.kind], note=self.basis)

    def age_days(self, today: datetime.date) -> int | None:
        """Days since the price was seen, None where it is not dated."""
        day = self.evidence().day()
        return None if day is None else (today - day).days


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudOffer:
    """A rental price of an instance with `count` accelerators.

    Attributes:
        accelerator_text: as the provider names it.
        accelerator_id: catalogue id where the name tells it apart, else None.
        per_hour: price of the whole instance.
    """

    provider: str
    instance: str
    accelerator_text: str
    accelerator_id: str | None
    count: int
    per_hour: Decimal
    currency: Currency
    kind: RentalKind
    kind_text: str = ""
    region: str = ""
    date: str | None = None
    source: str = ""

    def per_gpu_hour(self) -> Decimal:
        """Price of one accelerator for an hour."""
        return self.per_hour / self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class TariffPeriod:
    """Hours of a day at one price; `period` is sharp, peak, flat or valley."""

    period: str
    hours_per_day: float
    per_kwh: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class TariffTier:
    """What energy up to a yearly amount costs on top; None: the last tier, without end."""

    up_to_kwh_per_year: float | None = None
    surcharge_per_kwh: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """Price of electricity for one kind of customer.

    Attributes:
        per_kwh_low, per_kwh_high: flat or lowest and highest of the day.
        periods: of a day, together 24 hours; none: one price all day.
        tiers: of a year, lowest first; none: no surcharge.
        kg_co2_per_kwh: of the grid, where recorded.
    """

    id: str
    name: str
    region: Region
    customer: str
    per_kwh_low: Decimal
    per_kwh_high: Decimal
    currency: Currency
    evidence: Evidence
    kg_co2_per_kwh: float | None = None
    periods: tuple[TariffPeriod, ...] = ()
    tiers: tuple[TariffTier, ...] = ()

    def per_kwh(self) -> Decimal:
        """Planning value: the middle of low and high."""
        return (self.per_kwh_low + self.per_kwh_high) / 2
