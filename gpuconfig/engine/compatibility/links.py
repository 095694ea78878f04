"""The PCIe links of the cards: as said, else as the seats give them."""

from __future__ import annotations

from gpuconfig.engine.builds.build import CardLink, Via
from gpuconfig.engine.builds.fits import is_open
from gpuconfig.engine.builds.placement import carried
from gpuconfig.engine.catalogue.vocabulary import Kind, LaneSource
from gpuconfig.engine.compatibility.machine import Machine

LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.56e9}
"""One direction of one lane by generation, after line coding."""

FULL_LANES = 16


def card_links(machine: Machine) -> tuple[CardLink, ...]:
    """One link a card: as said, else from its seat on the board or in the server."""
    cards = machine.cards
    said = {x.gpu: x for x in machine.links if x.gpu is not None}
    common = next((x for x in machine.links if x.gpu is None), None)
    placement = None if is_carried(machine) else machine.placement
    if (
        placement is None
        and machine.board is not None
        and (is_carried(machine) or _hangs_in_a_frame(machine))
    ):
        placement = carried(machine.board, len(cards))
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


def is_carried(machine: Machine) -> bool:
    """Cards that sit on risers or cables, not in the board's slots."""
    text = remarks_of(machine)
    return machine.lists(Kind.RISER) or any(
        w in text for w in ("riser", "mcio", "slimsas", "oculink", "bifurcation", "switch", "tb3", "egpu")
    )


def _hangs_in_a_frame(machine: Machine) -> bool:
    """Cards in an open frame that cannot sit side by side on the board: on risers, though none is listed."""
    return machine.placement is None and machine.case is not None and is_open(machine.case)


def _on_single_lanes(machine: Machine) -> bool:
    """Risers of one lane under every card."""
    risers = [(line.item, line.quantity) for line in machine.build.of(Kind.RISER)]
    single = [n for r, n in risers if getattr(r, "lanes", None) == 1 or "usb" in r.name.lower()]
    return bool(risers) and sum(single) >= len(machine.cards)


def remarks_of(machine: Machine) -> str:
    """Free text about the links, with the names of the risers, in lower case."""
    risers = " ".join(line.item.name for line in machine.build.of(Kind.RISER))
    return f"{' '.join(machine.build.remarks)} {risers}".lower()
