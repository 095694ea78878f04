"""Purchase: export status, condition, availability, warranty, prices."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Condition, ExportStatus, Market, Region
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, rule, stated
from gpuconfig.engine.pricing.planning import same_market
from gpuconfig.engine.provenance.message import N_, Message


@rule("purchase.export", N_("Export status"), advice=True, source="US BIS rules 2023-10-17 and 2026-01-15")
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


@rule("purchase.condition", N_("Used or modified goods"), advice=True, source="makers' warranty terms")
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


@rule("purchase.import", N_("Imports"), advice=True, source="the catalogue's offers and export status")
def imports(machine: Machine) -> Iterable[Judgement]:
    """Parts that nobody sells where the buyer is: duty, delivery and warranty are of another country."""
    region = machine.place.region
    if region is None:
        return ()
    bought = [line for line in machine.build.lines if not line.reused]
    abroad = [line.item for line in bought
              if line.offer is not None and not same_market(line.offer.region, region)]  # fmt: skip
    if region is not Region.CN:
        made = {
            card.id: card for card, line in machine.cards if not line.reused and _comes_from_china(card, line)
        }
        abroad += [card for card in made.values() if card not in abroad]
    if not abroad:
        return ()
    text = N_(
        "no sale in {region} is known of {names}: an import, with its duty, delivery and no maker's warranty"
    )
    values: dict[str, object] = {"region": region.value, "names": "; ".join(item.name for item in abroad)}
    return stated(Status.WARNING, text, values, [item.id for item in abroad])


def _comes_from_china(card: Accelerator, line: BomLine) -> bool:
    """Made for China, or altered there and never seen on sale elsewhere."""
    return card.made_for_china() or (card.modified and line.offer is not None and line.offer.is_assumed())


@rule("purchase.availability", N_("Availability"), advice=True, source="makers' product pages")
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


@rule("purchase.price", N_("Prices"), advice=True, source="the catalogue's offers")
def price(machine: Machine) -> Iterable[Judgement]:
    """Parts of a proposal without any price: the total is a lower bound."""
    if not any(line.price is not None for line in machine.build.lines):
        return ()
    lacking = [line.item.name for line in machine.build.lines if line.price is None and not line.reused]
    if not lacking:
        return ()
    return stated(Status.WARNING, N_("no price for: {names}"), {"names": ", ".join(lacking)})
