"""Electricity as the person's own bill says: over a recorded tariff, or a new one; kept in the overlay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from gpuconfig.engine.catalogue.market import Tariff, TariffPeriod
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.tariffs import with_period_prices
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_number
from gpuconfig.exchange.plan import CellChange, ImportPlan, RowResult, RowState
from gpuconfig.presentation.desk.workplace import Workplace

MOST = Decimal(100)
"""Price of a kilowatt-hour above which it is a slip of the keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TariffEntry:
    """What a person types.

    Attributes:
        id: of a recorded tariff to go over, or a name of one's own.
        price: of a kilowatt-hour all day; empty where `periods` says more.
        periods: prices of sharp, peak, flat and valley hours, over those of the recorded tariff.
        date: ISO day; empty: today.
    """

    id: str
    price: str = ""
    periods: Mapping[str, str] = field(default_factory=dict)
    region: Region = Region.CN
    date: str = ""
    source: str = ""


class TariffBook:
    """Own tariffs over the user's overlay."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def typed(self, entry: TariffEntry, style: NumberStyle = NumberStyle.POINT) -> ImportPlan:
        """The tariff as a plan that nothing has written yet; `Importer.apply` writes it.

        Raises:
            InputError: no name, no price, hours the tariff does not have, no day, or no source.
        """
        name = entry.id.strip()
        if not name:
            raise InputError("missing", "tariff", None, Message(N_("name a recorded tariff, or your own")))
        if not entry.source.strip():
            raise InputError("missing", "source", None, Message(N_("say who says so")))
        known = {tariff.id: tariff for tariff in self._place.catalogue.tariffs()}
        base = known.get(name.lower()) or known.get(name)
        prices = {key: _price(key, text, style) for key, text in entry.periods.items() if text.strip()}
        one = _price("price", entry.price, style) if entry.price.strip() else None
        periods = () if one is not None else _periods(base, prices, name)
        ends = [one] if one is not None else [part.per_kwh for part in periods]
        row = self._row(entry, base, name, periods, ends)
        return ImportPlan(title=row.name, source=entry.source.strip(), rows=(row,))

    def _row(
        self,
        entry: TariffEntry,
        base: Tariff | None,
        name: str,
        periods: Sequence[TariffPeriod],
        ends: Sequence[Decimal],
    ) -> RowResult:
        region = entry.region if base is None else base.region
        foreign = Currency.CNY if region is Region.CN else Currency.USD
        low, high = min(ends), max(ends)
        data = {
            "id": name if base is None else base.id,
            "name": name if base is None else base.name,
            "region": region.value,
            "customer": "industrial" if base is None else base.customer,
            "per_kwh_low": format(low, "f"),
            "per_kwh_high": format(high, "f"),
            "currency": (foreign if base is None else base.currency).value,
            "kg_co2_per_kwh": None if base is None else base.kg_co2_per_kwh,
            "source": entry.source.strip(),
            "date": self._day(entry.date),
            "evidence_kind": "measured",
            "note": "",
            "periods": json.dumps(
                [
                    {"period": p.period, "hours_per_day": p.hours_per_day, "per_kwh": format(p.per_kwh, "f")}
                    for p in periods
                ]
            ),
        }
        return RowResult(
            line=0,
            state=RowState.ADDED if base is None else RowState.CHANGED,
            data=data,
            table="tariff",
            name=str(data["name"]),
            changes=() if base is None else _changes(base, periods, low, high),
        )

    def _day(self, typed: str) -> str:
        day = read_days([typed]).values[0] if typed.strip() else self._place.today().isoformat()
        if day is None:
            raise InputError(
                "wrong_type", "date", typed, Message(N_("this is no day")), Message("2026-12-02")
            )
        return day


def _price(name: str, typed: str, style: NumberStyle) -> Decimal:
    number = read_number(typed).alone(style)
    if number is None or not 0 < number <= MOST:
        reason = Message(N_("this is no price of a kilowatt-hour"))
        raise InputError("out_of_range", name, typed, reason, Message("0.01-100"))
    return Decimal(str(number))


def _periods(base: Tariff | None, prices: Mapping[str, Decimal], name: str) -> tuple[TariffPeriod, ...]:
    """The hours of the recorded tariff at the prices typed.

    Raises:
        InputError: nothing typed, or hours that the tariff does not have.
    """
    if not prices:
        raise InputError("missing", "price", None, Message(N_("a price of a kilowatt-hour is needed")))
    there = () if base is None else tuple(part.period for part in base.periods)
    for key in prices:
        if key not in there:
            accepted = Message(N_("one of {names}"), {"names": ", ".join(there or ("price",))})
            reason = Message(N_("{tariff} has no such hours"), {"tariff": name})
            raise InputError("unknown_value", key, format(prices[key], "f"), reason, accepted)
    assert base is not None  # without it no period is there
    return with_period_prices(base, prices).periods


def _changes(
    base: Tariff, periods: Sequence[TariffPeriod], low: Decimal, high: Decimal
) -> tuple[CellChange, ...]:
    old = {part.period: part.per_kwh for part in base.periods}
    moved = [
        (p.period, old[p.period], p.per_kwh) for p in periods if old.get(p.period) not in (None, p.per_kwh)
    ]
    if not periods:
        moved = [("per_kwh", (base.per_kwh_low + base.per_kwh_high) / 2, (low + high) / 2)]
    return tuple(CellChange(name, format(before, "f"), format(after, "f")) for name, before, after in moved)
