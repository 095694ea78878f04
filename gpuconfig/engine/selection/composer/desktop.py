"""Desktops, workstations and open frames from single parts: the cheapest that fits, by exact enumeration with bounds.

Boards and processors are walked cheapest first; what is left (memory, cooler, case, supply, drive) splits
into small independent choices once board and processor are fixed. A partial sum that reaches the best
total found so far ends its branch, therefore the result is the optimum over the priced parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from gpuconfig.engine.builds.build import BomLine, CardLink, Via
from gpuconfig.engine.builds.fits import socket_key
from gpuconfig.engine.builds.placement import Placement, carried, free_slots, place
from gpuconfig.engine.catalogue.enclosure import Chassis
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.blower import blower_for
from gpuconfig.engine.selection.composer.carriers import Carrier, Carriers, adapters_fed, cost_of
from gpuconfig.engine.selection.composer.feeding import Feeding
from gpuconfig.engine.selection.composer.lag import Lag
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.screen import Screen
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf
from gpuconfig.engine.selection.composer.surroundings import Surroundings

NIC_LANES = 8
"""Size of the slot that a machine of a cluster keeps free for its network card."""


@dataclass(frozen=True, slots=True)
class Found:
    """Lines of one node without the cards, and their cost; links of the cards where risers carry them.

    Attributes:
        cost: what was made small: the price of the lines and what counts like a price.
        splits_slots: one slot feeds several cards.
    """

    cost: Decimal
    lines: tuple[BomLine, ...]
    links: tuple[CardLink, ...] = ()
    splits_slots: bool = False


@dataclass(frozen=True, slots=True)
class _Host:
    """A board with what it needs; `counted` is no part of its price and counts like one."""

    board: Priced[Motherboard]
    cpu: Priced[Cpu]
    memory: Priced[MemoryKit]
    kits: int
    placement: Placement
    carrier: Carrier
    counted: Decimal

    def cost(self) -> Decimal:
        parts = self.board.cost + self.cpu.cost + self.memory.cost * self.kits + cost_of(self.carrier)
        return parts + self.counted


def compose_desktop(need: Need, shelf: Shelf) -> Found | NoBuild:
    """The cheapest desktop or workstation with the cards in its slots, or the rule that forbids it."""
    return _card_unfit(need, shelf) or _compose(need, shelf, Blame(), in_frame=False)


def compose_frame(need: Need, shelf: Shelf) -> Found | NoBuild:
    """The cheapest open frame with the cards on risers or cables, or the rule that forbids it."""
    return _card_unfit(need, shelf) or _compose(need, shelf, Blame(), in_frame=True)


def _compose(need: Need, shelf: Shelf, blame: Blame, in_frame: bool) -> Found | NoBuild:
    drive = _drive(need, shelf)
    if drive is None:
        return NoBuild(rule="storage.capacity", message=Message(N_("no priced drive is large enough")))
    blower = blower_for(need, shelf) if need.is_passive() else None
    behind_mm, blowers = 0.0, Decimal(0)
    if blower is not None:
        behind_mm, blowers = blower.item.height_mm or 0.0, blower.cost * need.per_node
    around = Surroundings(need, shelf, blame, in_frame, behind_mm)
    same = drive.cost + blowers
    least = same + around.least()
    cards_w = need.card_w() * need.per_node
    best: Found | None = None
    for host in _hosts(need, shelf, blame, in_frame):
        cost = host.cost()
        if best is not None and cost + least >= best.cost:
            continue
        watts = host_watts(host.board.item, host.cpu.item, host.memory.item, host.kits, shelf) + cards_w
        three = around.cheapest(
            host.board.item, host.placement, host.cpu.item, watts, adapters_fed(host.carrier)
        )
        if three is None:
            continue
        total = cost + same + sum((part.cost for part in three), Decimal(0))
        if best is None or total < best.cost:
            links = _links(need, host.placement) if in_frame else ()
            slots = {seat.slot.position for seat in host.placement.seats}
            best = Found(total, _lines(host, *three, drive), links, len(slots) < need.per_node)
    if best is not None and blower is not None:
        best = replace(best, lines=(*best.lines, bom_line(Kind.COOLER, blower, need.per_node)))
    return best if best is not None else blame.verdict()


def _card_unfit(need: Need, shelf: Shelf) -> NoBuild | None:
    card = need.accelerator
    if need.is_module():
        return NoBuild(
            rule="mechanics.card_form",
            message=Message(
                N_("{card} is a module: it goes only into a server made for it"), {"card": card.name}
            ),
        )
    if need.is_passive() and blower_for(need, shelf) is None:
        return NoBuild(
            rule="cooling.passive_card",
            message=Message(
                N_("{card} has no fan: it needs the ducted airflow of a server chassis"), {"card": card.name}
            ),
        )
    missing = [name for name in ("slots", "tdp_w", "power_connectors") if getattr(card, name) is None]
    if missing:
        return NoBuild(
            rule="mechanics.card_unknown",
            message=Message(
                N_("{card}: {fields} not known, so fit and power cannot be judged"),
                {"card": card.name, "fields": ", ".join(missing)},
            ),
        )
    return None


def _links(need: Need, placement: Placement) -> tuple[CardLink, ...]:
    """What each carried card's link is: no rule could read it from a seat."""
    own = need.accelerator.pcie_lanes or 16
    return tuple(
        CardLink(gpu=i, generation=seat.slot.generation, via=Via.CPU,
                 lanes=None if seat.lanes is None else min(own, seat.lanes))
        for i, seat in enumerate(placement.seats)
    )  # fmt: skip


def _seat(
    need: Need, shelf: Shelf, blame: Blame, board: Motherboard, carriers: Carriers | None
) -> tuple[Placement, Carrier] | None:
    """Where the cards hang on the board, and what carries them away from it."""
    if carriers is not None:
        placement = carried(board, need.per_node)
        carrier = None if placement is None else carriers.carrier_for(placement)
        if placement is None or carrier is None:
            blame.slots(need, board)
            return None
    else:
        placement, carrier = place(board, [need.accelerator.slots or 1.0] * need.per_node), ()
        if placement is None:
            blame.slots(need, board)
            return None
        if placement.positions is not None and placement.positions > shelf.most_brackets:
            blame.brackets(need, placement.positions, shelf.most_brackets)
            return None
    if not _lanes_enough(need, placement):
        blame.lanes(need, placement)
        return None
    judged = need.nodes > 1 and (carriers is not None or board.positions_known)
    if judged and not any(s.physical_lanes >= NIC_LANES for s in free_slots(board, placement)):
        blame.network(need)
        return None
    return placement, carrier


def _hosts(need: Need, shelf: Shelf, blame: Blame, in_frame: bool) -> Iterator[_Host]:
    carriers = Carriers(shelf, need.accelerator.pcie_generation) if in_frame else None
    memories: dict[tuple[str, bool | None, int, int, float], tuple[Priced[MemoryKit], int] | None] = {}
    processors: dict[tuple[str, str, int], list[Priced[Cpu]]] = {}
    lag, screen = Lag(need, shelf), Screen(need, shelf)
    for board in shelf.boards:
        seated = _seat(need, shelf, blame, board.item, carriers)
        if seated is None:
            continue
        placement, carrier = seated
        slots = board.item.dimm_slots or 0
        channels = min(board.item.memory_channels or 2, slots or 2)
        lanes = sum(s.lanes or 0 for s in placement.seats)
        # A switch on the board feeds more lanes than the processor has: then its own count is no limit.
        wanted = (socket_key(board.item.socket), board.item.memory_type.upper(),
                  0 if "plx" in board.item.slots_text.lower() else lanes)  # fmt: skip
        if wanted not in processors:
            processors[wanted] = _cpus(need, shelf, screen, *wanted)
        slot = oldest(placement)
        for cpu in processors[wanted]:
            runs = shelf.runs_mts(cpu.item, board.item.memory_type)
            asked = (board.item.memory_type, board.item.registered, slots, channels, runs)
            if asked not in memories:
                memories[asked] = shelf.cheapest_memory(shelf.kits_for(*asked[:2]), need, *asked[2:])
            memory = memories[asked]
            if memory is None:
                blame.memory(need, board.item)
                break
            counted = lag.cost(slot, cpu.item.pcie_generation) + screen.cost(board.item, cpu.item)
            yield _Host(board, cpu, memory[0], memory[1], placement, carrier, counted)


def oldest(placement: Placement) -> int | None:
    """Generation of the oldest slot that a card sits in; None where one is not recorded."""
    found = [seat.slot.generation for seat in placement.seats]
    return None if None in found else min((g for g in found if g is not None), default=None)


def _lanes_enough(need: Need, placement: Placement) -> bool:
    least = placement.least_lanes()
    if need.per_node == 1:
        return least is None or least >= min(need.lanes, need.accelerator.pcie_lanes or 16)
    return least is not None and least >= need.lanes and placement.behind_chipset() == 0


def _cpus(
    need: Need, shelf: Shelf, screen: Screen, socket: str, memory_type: str, lanes: int
) -> list[Priced[Cpu]]:
    """Processors with `lanes` of their own that no other beats in price, heat, links, memory and showing a picture."""
    result: list[Priced[Cpu]] = []
    coolest: dict[tuple[int, bool, float], float] = {}
    for cpu in shelf.cpus.get(socket, ()):
        usable = cpu.item.usable_pcie_lanes or cpu.item.pcie_lanes
        if cpu.item.cores is None or cpu.item.cores < need.cores or cpu.item.tdp_w is None:
            continue
        if need.host_bytes_per_s > (cpu.item.memory_bytes_per_s() or 0):
            continue
        links, shown = cpu.item.pcie_generation or 0, screen.shown_by(cpu.item)
        runs = shelf.runs_mts(
            cpu.item, memory_type
        )  # one that runs slower memory takes the kits of a faster one too
        beaten = any(
            watts <= cpu.item.tdp_w
            for (g, picture, mts), watts in coolest.items()
            if g >= links and picture >= shown and mts <= runs
        )
        if beaten or (usable is not None and usable < lanes):
            continue
        if cpu.item.memory_types and not any(t.upper()[:4] in memory_type for t in cpu.item.memory_types):
            continue
        coolest[links, shown, runs] = cpu.item.tdp_w
        result.append(cpu)
    return result


def host_watts(board: Motherboard, cpu: Cpu, kit: MemoryKit, kits: int, shelf: Shelf) -> float:
    """Continuous load of a desktop host without its cards."""
    registered = bool(kit.registered or board.registered or cpu.registered)
    loads = shelf.server_loads if registered else shelf.loads
    each = loads.rdimm_w if kit.registered else loads.udimm_w
    return loads.board_w + (cpu.tdp_w or 0) + each * kit.modules * kits + loads.drive_w


def _drive(need: Need, shelf: Shelf) -> Priced[Drive] | None:
    for drive in shelf.drives:
        if drive.item.nvme is not False and "M.2" in drive.item.form_factor.upper() and (
            drive.item.capacity_bytes >= need.drive_bytes
        ):  # fmt: skip
            return drive
    return None


def _lines(
    host: _Host,
    cooler: Priced[Cooler],
    case: Priced[Chassis],
    feeding: Feeding,
    drive: Priced[Drive],
) -> tuple[BomLine, ...]:
    starters = () if feeding.count() < 2 or feeding.starter is None else (feeding.starter,)
    return (
        bom_line(Kind.MOTHERBOARD, host.board),
        bom_line(Kind.CPU, host.cpu),
        bom_line(Kind.MEMORY, host.memory, host.kits),
        bom_line(Kind.COOLER, cooler),
        *(bom_line(Kind.POWER_SUPPLY, supply, count) for supply, count in feeding.supplies),
        *(bom_line(Kind.CABLE, starter, feeding.count() - 1) for starter in starters),
        *(bom_line(Kind.CABLE, *adapters) for adapters in (feeding.adapters,) if adapters is not None),
        bom_line(Kind.CHASSIS, case),
        *(bom_line(Kind.RISER, part, count) for part, count in host.carrier),
        bom_line(Kind.DRIVE, drive),
    )


def bom_line(kind: Kind, part: Priced[Any], quantity: int = 1, power_limit_w: float | None = None) -> BomLine:
    """A priced line of the bill of materials."""
    return BomLine(
        kind=kind,
        item=part.item,
        quantity=quantity,
        offer=None if part.price is None else part.price.offer,
        price=None if part.price is None else part.price.price,
        converted=part.price is not None and part.price.converted,
        assumed=part.price is not None and part.price.assumed,
        reused=part.price is None,
        power_limit_w=power_limit_w,
    )
