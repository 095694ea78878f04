"""Purchase: export status, condition, availability, warranty, prices."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.catalogue.vocabulary import Condition, ExportStatus, Market, Region
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, rule, stated
from gpuconfig.engine.provenance.message import N_, Message


@rule("purchase.export", N_("Export status"), source="US BIS rules 2023-10-17 and 2026-01-15")
def export(machine: Machine) -> Iterable[Judgement]:
    """Cards that need a US licence for China, or are stopped at its customs."""
    if machine.place.region is not Region.CN:
        return ()
    found: list[Judgement] = []
    for card in {c.id: c for c, _ in machine.cards}.values():
        if card.export_status in (ExportStatus.LICENCE, ExportStatus.CASE_BY_CASE):
            text = N_("{card} needs a licence for China: {rule}")
            if not card.export_china:
                text = N_("{card} needs a licence for China")
            found += stated(
                Status.WARNING, text, {"card": card.name, "rule": Message(card.export_china)}, [card.id]
            )
        elif card.export_status is ExportStatus.CHINA_VARIANT:
            text = N_("{card} is a variant for China: {rule}")
            found += stated(
                Status.OK, text, {"card": card.name, "rule": Message(card.export_china)}, [card.id]
            )
    return found


@rule("purchase.condition", N_("Used or modified goods"), source="makers' warranty terms")
def condition(machine: Machine) -> Iterable[Judgement]:
    """A card altered after it was made has no warranty; used goods have an unknown past."""
    found: list[Judgement] = []
    for line in machine.card_lines:
        if getattr(line.item, "modified", False):
            # Who lists a machine that stands already knows it; who buys one is warned.
            status = Status.OK if machine.place.region is None else Status.WARNING
            text = N_("{name} was altered after it left its maker: no maker's warranty, no firmware updates")
            found += stated(status, text, {"name": line.item.name}, [line.item.id])
            continue
        offer = line.offer
        if offer is not None and offer.condition in (Condition.USED, Condition.REFURBISHED):
            text = N_("the price of {name} is that of a used card: ask for its past, burn it in on receipt")
            found += stated(Status.WARNING, text, {"name": line.item.name}, [line.item.id])
        elif offer is not None and offer.condition is Condition.UNKNOWN:
            text = N_("the price of {name} does not say whether the card is new")
            found += stated(Status.OK, text, {"name": line.item.name}, [line.item.id])
    return [*found, *_used_parts(machine)]


def _used_parts(machine: Machine) -> list[Judgement]:
    """Parts around the cards whose price is that of used ones, in one sentence."""
    used = [
        line.item
        for line in machine.build.lines
        if line not in machine.card_lines
        and line.offer is not None
        and line.offer.condition in (Condition.USED, Condition.REFURBISHED)
    ]
    if not used:
        return []
    text = N_("priced as used parts: {names}; no maker's warranty, test each on receipt")
    return stated(
        Status.WARNING, text, {"names": "; ".join(item.name for item in used)}, [item.id for item in used]
    )


@rule("purchase.availability", N_("Availability"), source="makers' product pages")
def availability(machine: Machine) -> Iterable[Judgement]:
    """Products that are no longer made, or not yet sold."""
    found: list[Judgement] = []
    for line in machine.card_lines:
        market = getattr(line.item, "market", None)
        if line.offer is None and not line.reused:
            continue
        if market is Market.END_OF_LIFE:
            text = N_("{name} is no longer made: remaining stock or used, the price moves quickly")
            found += stated(Status.OK, text, {"name": line.item.name}, [line.item.id])
        elif market is Market.ANNOUNCED:
            found += stated(
                Status.WARNING,
                N_("{name} is announced, not on sale"),
                {"name": line.item.name},
                [line.item.id],
            )
    return found


@rule("purchase.price", N_("Prices"), source="the catalogue's offers")
def price(machine: Machine) -> Iterable[Judgement]:
    """Parts of a proposal without any price: the total is a lower bound."""
    if not any(line.price is not None for line in machine.build.lines):
        return ()
    lacking = [line.item.name for line in machine.build.lines if line.price is None and not line.reused]
    if not lacking:
        return ()
    return stated(Status.WARNING, N_("no price for: {names}"), {"names": ", ".join(lacking)})
