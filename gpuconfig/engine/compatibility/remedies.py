"""What would mend a finding, with what it costs and what it slows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TypeVar

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.builds.feeds import EPS_ADAPTER, offered, plug
from gpuconfig.engine.builds.fits import (
    board_in_case,
    breathes,
    cooler_fits,
    cooler_in_case,
    heats_case,
    memory_fits,
    same_socket,
    supply_in_case,
)
from gpuconfig.engine.builds.placement import covered, free_slots, place
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Remedy
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.picture import display_card_price
from gpuconfig.engine.compatibility.transient import excursion_ratio, survives_transient
from gpuconfig.engine.estimation.power.capped import speed_left
from gpuconfig.engine.pricing.planning import PlannedPrice
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange

Item = TypeVar("Item", bound=CatalogueItem)


def cap_cards(machine: Machine, excess_w: float) -> Remedy | None:
    """Cap every card so that `excess_w` watts go away; None where that would be below what drivers accept."""
    drawn = [line.power_limit_w or card.tdp_w for card, line in machine.cards]
    if not drawn or any(w is None for w in drawn) or excess_w <= 0 or machine.is_whole_computer:
        return None
    total = sum(w for w in drawn if w is not None)
    share = 1 - excess_w / total
    floor = max(machine.number("cap_floor_share", card.id) for card, _ in machine.cards)
    if share < floor:
        return None
    cap = 5 * int(max(w for w in drawn if w is not None) * share // 5)
    slower = max(_slower(machine, card, line, cap) for card, line in machine.cards)
    return Remedy(
        text=Message(
            N_("cap each card to {cap} W: about {slower:.0%} slower, free"), {"cap": cap, "slower": slower}
        ),
        change={"power_limit_w": cap},
        cost=_free(machine),
        slower=slower,
    )


def _slower(machine: Machine, card: Accelerator, line: BomLine, cap_w: float) -> float:
    """Share of a card's present speed that a cap takes."""
    before = speed_left(card, line.power_limit_w or card.tdp_w or cap_w, machine.numbers)
    return max(0.0, 1 - speed_left(card, cap_w, machine.numbers) / before)


def stronger_supply(machine: Machine, rated_w: float) -> Remedy | None:
    """The cheapest supply of at least `rated_w` that stands the cards' peaks, feeds and fits them; None without one."""
    cards = [
        (line.power_limit_w or card.tdp_w or 0.0, excursion_ratio(card, machine.numbers), 1)
        for card, line in machine.cards
    ]
    continuous = machine.load.watts()

    def does(supply: PowerSupply) -> bool:
        return (
            supply.rated_w >= rated_w
            and survives_transient([(supply, 1)], continuous, cards, machine.numbers)
            and _feeds(machine, supply)
        )

    return _supply(machine, does)


def fitting_supply(machine: Machine) -> Remedy | None:
    """The cheapest supply that carries the load by the 80 % rule, with the plugs and the size that are needed."""
    return stronger_supply(machine, machine.load.watts() / machine.number("continuous_share"))


def roomier_case(machine: Machine) -> Remedy | None:
    """The cheapest case with room for board, cards, cooler and supply."""
    board, cooler, placement = machine.board, machine.cooler, machine.placement
    lengths = [machine.card_length_mm(card) for card, _ in machine.cards]
    if any(length is None for length in lengths):
        return None
    longest = max((length for length in lengths if length is not None), default=0.0)
    needed = sum(covered(card.slots or 1) for card, _ in machine.cards)
    if placement is not None and placement.positions is not None:
        needed = max(needed, placement.positions)
    margin = machine.number("length_margin_mm")
    if cooler is not None and cooler.radiator_mm is not None:
        margin = max(margin, machine.number("radiator_front_mm"))

    hot_w = machine.number("hot_card_w")
    hot = any(heats_case(c, line.power_limit_w or c.tdp_w or 0.0, hot_w) for c, line in machine.cards)
    if hot:
        longest = max(longest, machine.number("hot_card_case_mm") - margin)

    def does(case: Chassis) -> bool:
        return (
            (case.max_gpu_length_mm or 0.0) >= longest + margin
            and (case.expansion_slots or 0) >= needed
            and (board is None or board_in_case(board, case) is True)
            and (cooler is None or cooler.radiator_mm is not None or cooler_in_case(cooler, case) is True)
            and all(supply_in_case(supply, case) is not False for supply, _ in machine.supplies)
            and (not hot or breathes(case) is True)
            and (case.rack_units is None) is (machine.case is None or machine.case.rack_units is None)
        )

    return _instead(machine, Kind.CHASSIS, lambda c: c.chassis(), does, N_("the case {name} instead"))


def cooler_instead(machine: Machine) -> Remedy | None:
    """The cheapest cooler that mounts, carries the processor's heat and fits the case."""
    cpu, case = machine.cpu, machine.case
    if cpu is None or cpu.tdp_w is None:
        return None
    watts = cpu.tdp_w

    def does(cooler: Cooler) -> bool:
        return (
            cooler_fits(cooler, cpu) is True
            and (cooler.cooling_w or 0.0) >= watts
            and (case is None or cooler_in_case(cooler, case) is True)
            and (cooler.rack_units is None or machine.server is not None)
        )

    return _instead(machine, Kind.COOLER, lambda c: c.coolers(), does, N_("the cooler {name} instead"))


def more_memory(machine: Machine, needed_bytes: float) -> Remedy | None:
    """The cheapest kits of the board's kind that reach `needed_bytes`."""
    return _memory(machine, needed_bytes, lambda _kit: True)


def fitting_memory(machine: Machine) -> Remedy | None:
    """As much memory as is listed, of the kind that the board takes and within its slots."""
    return more_memory(machine, _listed(machine))


def faster_memory(machine: Machine, mts: float) -> Remedy | None:
    """As much memory as is listed, of the speed that the processor runs."""
    return _memory(machine, _listed(machine), lambda kit: (kit.speed_mts or 0) >= mts)


def lower_memory(machine: Machine, room_mm: float) -> Remedy | None:
    """As much memory as is listed, of modules no higher than `room_mm`."""
    return _memory(machine, _listed(machine), lambda kit: (kit.height_mm or 1e9) <= room_mm)


def other_board(machine: Machine) -> Remedy | None:
    """The cheapest board for processor, memory, case and cards."""
    cpu, case = machine.cpu, machine.case
    widths = [card.slots for card, _ in machine.cards]
    if cpu is None or any(width is None for width in widths):
        return None
    modules = sum(kit.modules * n for kit, n in machine.kits)

    def does(board: Motherboard) -> bool:
        return (
            same_socket(cpu, board.socket) is True
            and board.cpu_sockets >= machine.cpus
            and (board.dimm_slots or 0) >= modules
            and all(memory_fits(kit, board.memory_type, board.registered) is True for kit, _ in machine.kits)
            and (case is None or board_in_case(board, case) is True)
            and place(board, [width or 1.0 for width in widths]) is not None
        )

    return _instead(
        machine, Kind.MOTHERBOARD, lambda c: c.motherboards(), does, N_("the board {name} instead")
    )


def other_processor(machine: Machine) -> Remedy | None:
    """The cheapest processor for the board with cores enough for the cards."""
    board = machine.board
    if board is None:
        return None
    cores = machine.number("cores_per_card") * len(machine.cards)

    def does(cpu: Cpu) -> bool:
        return (
            same_socket(cpu, board.socket) is True
            and (cpu.cores or 0) >= cores
            and cpu.tdp_w is not None
            and (machine.cooler is None or cooler_fits(machine.cooler, cpu) is True)
            and (machine.cooler is None or (machine.cooler.cooling_w or 0.0) >= cpu.tdp_w)
        )

    return _instead(machine, Kind.CPU, lambda c: c.cpus(), does, N_("the processor {name} instead"))


def fast_drive(machine: Machine) -> Remedy | None:
    """The cheapest NVMe drive of at least the listed capacity."""
    listed = [line.item for line in machine.build.of(Kind.DRIVE) if isinstance(line.item, Drive)]
    least = max((drive.capacity_bytes for drive in listed), default=0)

    def does(drive: Drive) -> bool:
        stick = "M.2" in drive.form_factor.upper()
        return drive.nvme is True and drive.capacity_bytes >= least and stick is (machine.server is None)

    return _instead(machine, Kind.DRIVE, lambda c: c.drives(), does, N_("the drive {name} instead"))


def larger_ups(machine: Machine, volt_amperes: float) -> Remedy | None:
    """The cheapest UPS of at least `volt_amperes`."""

    def does(ups: Ups) -> bool:
        return (ups.va or 0.0) >= volt_amperes

    return _instead(machine, Kind.UPS, lambda c: c.ups_units(), does, N_("the UPS {name} instead"))


def screen_card(machine: Machine) -> Remedy | None:
    """A small card for the screen in a slot that the others leave free; None where none is free."""
    board, placement = machine.board, machine.placement
    if (
        board is not None
        and placement is not None
        and board.positions_known
        and not free_slots(board, placement)
    ):
        return None
    pricer = machine.pricer
    text = N_("a small card for the screen in a free slot: one lane and about {watts:.0f} W are enough")
    return Remedy(
        text=Message(text, {"watts": machine.number("display_card_w")}),
        cost=None if pricer is None else display_card_price(pricer, machine.numbers),
    )


def eps_adapters(machine: Machine, count: int) -> Remedy | None:
    """The adapters that are missing between 8-pin plugs and EPS sockets of cards."""
    if machine.pricer is None:
        return None
    catalogue = machine.pricer.catalogue
    cable = next((c for c in catalogue.cables() if c.cable_type == EPS_ADAPTER), None)
    if cable is None:
        return None
    price = machine.pricer.price(Kind.CABLE, cable)
    return Remedy(
        text=Message(N_("add {count} x {name}"), {"count": count, "name": cable.name}),
        change={Kind.CABLE.value: cable.id, "quantity": count},
        cost=None if price is None else price.price * count,
    )


def _supply(machine: Machine, does: Callable[[PowerSupply], bool]) -> Remedy | None:
    if machine.server is not None:
        return None
    case = machine.case

    def fits(supply: PowerSupply) -> bool:
        low = supply.full_power_min_volts is not None and machine.volts < supply.full_power_min_volts
        return does(supply) and not low and (case is None or supply_in_case(supply, case) is not False)

    return _instead(
        machine, Kind.POWER_SUPPLY, lambda c: c.power_supplies(), fits, N_("the supply {name} instead")
    )


def _feeds(machine: Machine, supply: PowerSupply) -> bool:
    """Whether one supply has the plugs for all cards; not asked where the cards' own are not known."""
    offer = offered([(supply, 1)])
    if offer is None:
        return False
    plugging = plug([(card, 1) for card, _ in machine.cards], 1, offer)
    return plugging is None or plugging.works()


def _memory(machine: Machine, needed_bytes: float, does: Callable[[MemoryKit], bool]) -> Remedy | None:
    """Kits by the cost of as many as it takes."""
    host = machine.board or machine.server
    pricer = machine.pricer
    if host is None or pricer is None or needed_bytes <= 0:
        return None
    registered = machine.board.registered if machine.board is not None else True
    slots = host.dimm_slots or 0
    most = machine.board.max_memory_bytes if machine.board is not None else None
    if most is not None and needed_bytes > most:
        return None
    best: tuple[Decimal, MemoryKit, int, PlannedPrice] | None = None
    for kit in pricer.catalogue.memory_kits():
        if (
            not kit.capacity_bytes()
            or not does(kit)
            or memory_fits(kit, host.memory_type, registered) is not True
        ):
            continue
        count = max(1, int(-(-needed_bytes // kit.capacity_bytes())))
        found = pricer.price(Kind.MEMORY, kit) if kit.modules * count <= slots else None
        if found is not None and (best is None or found.middle().amount * count < best[0]):
            best = (found.middle().amount * count, kit, count, found)
    if best is None:
        return None
    _, kit, count, found = best
    text = N_("{count} x {name} instead")
    return Remedy(
        text=Message(text, {"count": count, "name": kit.name}),
        change={Kind.MEMORY.value: kit.id, "quantity": count},
        cost=found.price * count,
    )


def _listed(machine: Machine) -> float:
    return float(sum(kit.module_bytes * (kit.modules or 1) * n for kit, n in machine.kits))


def _instead(
    machine: Machine,
    kind: Kind,
    parts: Callable[..., Iterable[Item]],
    does: Callable[[Item], bool],
    text: str,
) -> Remedy | None:
    """The cheapest priced part that does; None without prices or without one."""
    pricer = machine.pricer
    if pricer is None:
        return None
    best: tuple[Decimal, Item, PlannedPrice] | None = None
    for item in parts(pricer.catalogue):
        found = pricer.price(kind, item) if does(item) else None
        if found is not None and (best is None or found.middle().amount < best[0]):
            best = (found.middle().amount, item, found)
    if best is None:
        return None
    _, item, found = best
    return Remedy(text=Message(text, {"name": item.name}), change={kind.value: item.id}, cost=found.price)


def _free(machine: Machine) -> MoneyRange | None:
    if machine.pricer is None:
        return None
    nothing = Money(Decimal(0), machine.pricer.buyer.currency)
    return MoneyRange(nothing, nothing)
