"""The PCIe links of the cards: as said, else as the seats give them."""

from __future__ import annotations

from gpuconfig.engine.builds.build import CardLink, Via
from gpuconfig.engine.catalogue.vocabulary import Kind, LaneSource
from gpuconfig.engine.compatibility.carriage import routed
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.quantities.pcie import LANE_BYTES_PER_S

FULL_LANES = 16


def card_links(machine: Machine) -> tuple[CardLink, ...]:
    """One link a card: as said, else from its seat on the board or in the server."""
    cards = machine.cards
    said = {x.gpu: x for x in machine.links if x.gpu is not None}
    common = next((x for x in machine.links if x.gpu is None), None)
    placement = routed(machine)
    narrow = 1 if _on_single_lanes(machine) else FULL_LANES
    found = []
    for i, (card, _) in enumerate(cards):
        link = said.get(i) or common
        if link is None and placement is not None and i < len(placement.seats):
            seat = placement.seats[i]
            via = Via.CHIPSET if seat.slot.source is LaneSource.CHIPSET else Via.CPU
            lanes = None if seat.lanes is None else min(seat.lanes, card.pcie_lanes or FULL_LANES, narrow)
            link = CardLink(gpu=i, generation=seat.slot.generation, lanes=lanes, via=via)
        if link is not None:
            found.append(link)
    return tuple(found)


def link_rate(link: CardLink) -> float | None:
    """Bytes a second in one direction."""
    if link.lanes is None or link.generation is None:
        return None
    return LANE_BYTES_PER_S.get(link.generation, 0.0) * link.lanes or None


def _on_single_lanes(machine: Machine) -> bool:
    """Risers of one lane under every card."""
    risers = [(line.item, line.quantity) for line in machine.build.of(Kind.RISER)]
    single = [n for r, n in risers if getattr(r, "lanes", None) == 1 or "usb" in r.name.lower()]
    return bool(risers) and sum(single) >= len(machine.cards)


def remarks_of(machine: Machine) -> str:
    """Free text about the links, with the names of the risers, in lower case."""
    risers = " ".join(line.item.name for line in machine.build.of(Kind.RISER))
    return f"{' '.join(machine.build.remarks)} {risers}".lower()
