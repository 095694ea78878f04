"""Prices of one item: every offer with its age, and adding what the person was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import (
    Channel,
    Condition,
    Confidence,
    Kind,
    Origin,
    PriceKind,
    Region,
)
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, TaxBasis
from gpuconfig.exchange.amounts import read_money
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_number
from gpuconfig.presentation.desk.workplace import Workplace

LONGEST_LEAD_DAYS = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceEntry:
    """A price as it is typed.

    Attributes:
        low, high: one piece, for example `￥12,999`; an empty `high` means one price.
        date: day it was asked on, `2026-12-02`, `2026-12` or `2026`.
        source: supplier, shop or address; a price must have one.
        lead_time_days: days until delivery; empty is unknown.
    """

    low: str
    high: str = ""
    currency: Currency = Currency.CNY
    tax: TaxBasis = TaxBasis.UNKNOWN
    condition: Condition = Condition.NEW
    region: Region = Region.CN
    channel: Channel = Channel.UNKNOWN
    kind: PriceKind = PriceKind.STREET
    date: str = ""
    source: str = ""
    lead_time_days: str = ""
    stock_note: str = ""


class PriceBook:
    """Offers of the catalogue and the person's own."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def offers(self, kind: Kind, item_id: str) -> Sequence[Offer]:
        """Every offer of an item, the newest first."""
        found = self._place.catalogue.offers(kind, item_id)
        return sorted(found, key=lambda offer: offer.date or "", reverse=True)

    def add(
        self, kind: Kind, item_id: str, entry: PriceEntry, style: NumberStyle = NumberStyle.POINT
    ) -> None:
        """Keep a price as one undoable step.

        Raises:
            InputError: an amount, a date or a number of days that cannot be, or no source; the field is named as
                in `PriceEntry`.
            DataError: the database cannot be written.
        """
        item = self._place.catalogue.part(kind, item_id)
        low = read_money(entry.low, "low", entry.currency, style)
        high = read_money(entry.high, "high", low.currency, style) if entry.high.strip() else low
        if low.amount <= 0 or high.amount < low.amount or high.currency is not low.currency:
            field, reason = ("low", N_("a price is more than zero"))
            if low.amount > 0:
                field, reason = (
                    "high",
                    N_("the highest price is not below the lowest, and of the same currency"),
                )
            raise InputError("out_of_range", field, getattr(entry, field), Message(reason))
        if not entry.source.strip():
            raise InputError(
                "missing",
                "source",
                None,
                Message(N_("say who asked this price: a shop, a supplier, an address")),
            )
        row = {
            "id": self._new_id(kind, item_id),
            "subject_kind": kind.value,
            "subject_id": item.id,
            "low": format(low.amount, "f"),
            "high": format(high.amount, "f"),
            "currency": low.currency.value,
            "tax": entry.tax.value,
            "condition": entry.condition.value,
            "region": entry.region.value,
            "channel": entry.channel.value,
            "date": self._day(entry.date),
            "source": entry.source.strip(),
            "kind": entry.kind.value,
            "confidence": Confidence.HIGH.value,
            "lead_time_days": _days(entry.lead_time_days, style),
            "stock_note": entry.stock_note.strip(),
        }
        with self._place.step(f"{item.name}: {row['low']} {row['currency']}") as step:
            step.put("offer", [row])

    def _new_id(self, kind: Kind, item_id: str) -> str:
        """An id that no offer of the item has, though others were taken away."""
        taken = {offer.id for offer in self.offers(kind, item_id)}
        return next(name for n in count() if (name := f"own-{item_id}-{n}") not in taken)

    def remove(self, offer: Offer) -> None:
        """Take away a price that the person added, as one undoable step; raises InputError for the bundle's."""
        if offer.origin is not Origin.USER:
            raise InputError("impossible", "id", offer.id, Message(N_("this price comes with the program")))
        name = self._place.catalogue.part(offer.subject_kind, offer.subject_id).name
        with self._place.step(f"{name}: {offer.low} {offer.currency.value} ✕") as step:
            step.delete("offer", {"id": offer.id})

    def _day(self, text: str) -> str:
        today = self._place.today()
        column = read_days([text.strip() or today.isoformat()])
        accepted = Message(N_("a day like {example}, not in the future"), {"example": "2026-12-02"})
        day = column.values[0]
        if day is None:
            reason = N_("day and month could change places") if column.ambiguous else N_("this is no date")
            raise InputError("wrong_type", "date", text, Message(reason), accepted)
        if day > today.isoformat():
            raise InputError("out_of_range", "date", text, Message(N_("this day has not come yet")), accepted)
        return day


def _days(text: str, style: NumberStyle) -> int | None:
    if not text.strip():
        return None
    value = read_number(text).alone(style)
    if value is None or value != value.to_integral_value() or not 0 <= value <= LONGEST_LEAD_DAYS:
        accepted = Message(
            N_("whole days up to {most}; empty where it is not known"), {"most": LONGEST_LEAD_DAYS}
        )
        raise InputError(
            "out_of_range", "lead_time_days", text, Message(N_("this is no number of days")), accepted
        )
    return int(value)
