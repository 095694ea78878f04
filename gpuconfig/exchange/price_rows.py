"""Prices read from files as rows of an import plan: what is new, what moved, what stays, what cannot be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from gpuconfig.engine.catalogue.market import CloudOffer, Offer
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import ExchangeRate
from gpuconfig.exchange.plan import CellChange, RowResult, RowState
from gpuconfig.exchange.quotation import QuoteLine

Row = Mapping[str, str | int | None]

_CLOUD_KEY = ("provider", "instance", "accelerator_text", "count", "kind", "region")
_SURE = 0.9
"""From here on a match of a quotation's line needs no second look."""


def cloud_rows(rows: Sequence[Row], known: Sequence[CloudOffer]) -> list[RowResult]:
    """Rental prices against the newest ones of the same instance.

    Args:
        rows: as `read_cloud_prices` gives them.
        known: the catalogue's, newest first.
    """
    before: dict[tuple[str, ...], CloudOffer] = {}
    for offer in known:
        before.setdefault(_cloud_key({n: getattr(offer, n) for n in _CLOUD_KEY}), offer)
    families = _families(known)
    found, seen = [], set[tuple[str, ...]]()
    for line, row in enumerate(rows, start=2):
        key = _cloud_key(row)
        name = (
            f"{row['provider']} {row['instance']} {row['count']}× {row['accelerator_text']} {row['region']}"
        )
        if key in seen:
            reason = Message(N_("the same price stands in the file twice"))
            found.append(RowResult(line=line, state=RowState.REJECTED, name=name, reasons=(reason,)))
            continue
        seen.add(key)
        old = before.get(key)
        after = str(row["per_hour"])
        state, changes = _moved(None if old is None else old.per_hour, after, "per_hour")
        notes = () if row["accelerator_id"] else (Message(N_("the catalogue has no card of this name")),)
        other = families.get(_family(str(row["instance"])), frozenset()) - {str(row["accelerator_id"])}
        if (
            row["accelerator_id"]
            and other
            and str(row["accelerator_id"]) not in families[_family(str(row["instance"]))]
        ):
            text = N_("instances of this series are known with another card: {cards}")
            notes = (Message(text, {"cards": ", ".join(sorted(other))}),)
        found.append(
            RowResult(
                line=line,
                state=state,
                data=row,
                table="cloud_offer",
                name=name.strip(),
                changes=changes,
                reasons=notes,
                like=None if old is None else old.instance,
                likeness=0.0 if old is None else 1.0,
            )
        )
    return found


def quote_rows(
    lines: Sequence[QuoteLine], offers: Sequence[Row], known: Mapping[str, Offer]
) -> list[RowResult]:
    """Lines of a quotation against offers taken in before.

    Args:
        lines: as read; those without a match or a price are rejected with the reason.
        offers: of the usable lines, as `quote_offers` gives them, in order.
        known: the user's offers by id.
    """
    ready = iter(offers)
    found = []
    for line in lines:
        if line.unit_price is None or line.match is None:
            reasons = line.problems or (Message(N_("no part of the catalogue is like this line")),)
            found.append(RowResult(line=line.line, state=RowState.REJECTED, name=line.name, reasons=reasons))
            continue
        kind, item_id, sure = line.match
        offer = next(ready)
        old = known.get(str(offer["id"]))
        state, changes = _moved(None if old is None else old.low, str(offer["low"]), "low")
        doubt = (Message(N_("only likely the same part: please look")),) if sure < _SURE else ()
        found.append(
            RowResult(
                line=line.line,
                state=state,
                kind=kind,
                data=offer,
                table="offer",
                name=line.name,
                changes=changes,
                reasons=(*line.problems, *doubt),
                like=item_id,
                likeness=sure,
            )
        )
    return found


def rate_row(row: Row, known: ExchangeRate | None) -> RowResult:
    """An exchange rate against the newest one."""
    same = known is not None and known.base.value == row["base"] and known.target.value == row["target"]
    old = known.rate if known is not None and same else None
    state, changes = _moved(old, str(row["rate"]), "rate")
    if state is RowState.UNCHANGED and known is not None and known.evidence.date != row["date"]:
        state = RowState.CHANGED
        changes = (CellChange("date", known.evidence.date or "", str(row["date"])),)
    return RowResult(
        line=0,
        state=state,
        data=row,
        table="exchange_rate",
        name=f"{row['base']}/{row['target']}",
        changes=changes,
    )


def _families(known: Sequence[CloudOffer]) -> dict[str, frozenset[str]]:
    """Which cards are known in instances of one series ("GN10Xp.2XLARGE40" is of the series gn10xp)."""
    found: dict[str, set[str]] = {}
    for offer in known:
        if offer.accelerator_id and (family := _family(offer.instance)):
            found.setdefault(family, set()).add(offer.accelerator_id)
    return {family: frozenset(cards) for family, cards in found.items()}


def _family(instance: str) -> str:
    series, dot, _ = instance.lower().partition(".")
    return series if dot and len(series) >= 3 else ""


def _moved(before: Decimal | None, after: str, field: str) -> tuple[RowState, tuple[CellChange, ...]]:
    if before is None:
        return RowState.ADDED, ()
    if before == Decimal(after):
        return RowState.UNCHANGED, ()
    return RowState.CHANGED, (CellChange(field, str(before), after),)


def _cloud_key(row: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in _CLOUD_KEY)
