"""Room inside the case beside the cards: radiator against cards, modules under the cooler, drives, weight."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.placement import covered
from gpuconfig.engine.catalogue.enclosure import Rack
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.mechanics import is_open_frame
from gpuconfig.engine.compatibility.remedies import cooler_instead, lower_memory, roomier_case
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule
from gpuconfig.engine.provenance.message import N_


@rule(
    "mechanics.radiator",
    N_("Radiator against cards and front fans"),
    source="https://evezone.evetech.co.za (fan 25 and radiator 30 mm: 420 becomes 365)",
)
def radiator(machine: Machine) -> Iterable[Judgement]:
    """A radiator in front takes its own and its fans' thickness from the cards' room; on top it does not."""
    cooler, case = machine.cooler, machine.case
    if cooler is None or cooler.radiator_mm is None or case is None or is_open_frame(machine):
        return ()
    lengths = [machine.card_length_mm(card) for card, _ in machine.cards]
    room = case.max_gpu_length_mm
    if not lengths or room is None:
        return ()
    known = [length for length in lengths if length is not None]
    if len(known) < len(lengths):
        return missing("accelerator.length_mm")
    longest, left = max(known), room - machine.number("radiator_front_mm")
    ids = [cooler.id, case.id]
    values: dict[str, object] = {"size": cooler.radiator_mm}
    if longest <= left:
        text = N_(
            "a radiator of {size:.0f} mm in front leaves {required:.0f} mm; the cards need {measured:.0f} mm"
        )
        return compared(Status.OK, text, values, longest, left, "mm", ids)
    text = N_("with the radiator of {size:.0f} mm in front {required:.0f} mm are left for cards of {measured:.0f} mm: "
              "it must go on top or to the side, and the front fans stay")  # fmt: skip
    return compared(Status.WARNING, text, values, longest, left, "mm", ids, roomier_case(machine))


@rule(
    "mechanics.memory_height",
    N_("Memory under the cooler"),
    source="makers' data sheets; PCPartPicker's own disclaimer that it is not checked",
)
def memory_height(machine: Machine) -> Iterable[Judgement]:
    """Tall modules meet the fan of an air cooler; bare modules fit under every one."""
    cooler = machine.cooler
    if cooler is None or not machine.kits or machine.server is not None or cooler.radiator_mm is not None:
        return ()
    if cooler.rack_units is not None:
        return ()
    heights = [kit.height_mm for kit, _ in machine.kits]
    ids = [cooler.id, *(kit.id for kit, _ in machine.kits)]
    bare = machine.number("memory_bare_mm")
    if any(height is None for height in heights):
        return () if any(kit.registered for kit, _ in machine.kits) else missing("memory.height_mm")
    tallest = max(height for height in heights if height is not None)
    if tallest <= bare:
        text = N_("modules of {measured:.0f} mm: {required:.0f} mm and less fit under every air cooler")
        return compared(Status.OK, text, {}, tallest, bare, "mm", ids)
    if cooler.memory_clearance_mm is None:
        return missing("cooler.memory_clearance_mm")
    room = cooler.memory_clearance_mm
    if tallest <= room:
        text = N_("modules of {measured:.0f} mm, {required:.0f} mm of room under the cooler")
        return compared(Status.OK, text, {}, tallest, room, "mm", ids)
    text = N_("modules of {measured:.0f} mm meet the cooler's fan: {required:.0f} mm of room")
    remedy = lower_memory(machine, room) or cooler_instead(machine)
    return compared(Status.PROBLEM, text, {}, tallest, room, "mm", ids, remedy)


@rule("storage.places", N_("Places for the drives"), source="makers' data sheets")
def drive_places(machine: Machine) -> Iterable[Judgement]:
    """M.2 drives against the board's sockets, SATA against its ports, drives of 2.5 and 3.5 inch against bays."""
    if machine.server is not None:
        return ()
    drives = [
        (line.item, line.quantity) for line in machine.build.of(Kind.DRIVE) if isinstance(line.item, Drive)
    ]
    found: list[Judgement] = []
    stick = sum(n for d, n in drives if "m.2" in d.form_factor.lower())
    board, case = machine.board, machine.case
    if stick > 1 and board is not None:
        found += _places(stick, board.m2_slots, "motherboard.m2_slots", board.id,
                         N_("{measured:.0f} M.2 drives, the board has {required:.0f} sockets"))  # fmt: skip
    sata = sum(n for d, n in drives if "sata" in d.interface.lower() and "m.2" not in d.form_factor.lower())
    if sata and board is not None:
        found += _places(sata, board.sata_ports, "motherboard.sata_ports", board.id,
                         N_("{measured:.0f} SATA drives, the board has {required:.0f} ports"))  # fmt: skip
    if board is not None:
        found += _u2_ports(sum(n for d, n in drives if _is_u2(d)), stick, board)
    large = sum(n for d, n in drives if "3.5" in d.form_factor)
    small = sum(n for d, n in drives if "2.5" in d.form_factor or "u.2" in d.form_factor.lower())
    if (large or small) and case is not None and not is_open_frame(machine):
        if case.bays_35 is None:
            return found + missing("chassis.bays_35")
        if large:
            found += _places(large, case.bays_35, "chassis.bays_35", case.id,
                             N_("{measured:.0f} drives of 3.5 inch, the case has {required:.0f} bays"))  # fmt: skip
        if small:
            # A 2.5-inch drive fits a 3.5-inch bay on a tray.
            free = (case.bays_25 or 0) + max(0, case.bays_35 - large)
            text = N_("{measured:.0f} drives of 2.5 inch, the case has {required:.0f} bays left")
            found += _places(small, free, "chassis.bays_25", case.id, text)
    return found


@rule(
    "mechanics.sag", N_("Weight of the cards"), advice=True, source="makers' data sheets; builders' practice"
)
def sag(machine: Machine) -> Iterable[Judgement]:
    """The slot carries about a kilogram; long three-slot cards hang on it: a support goes under them."""
    if machine.case is None or machine.server is not None or is_open_frame(machine):
        return ()
    limit = machine.number("card_weight_kg")
    weighed = [card for card, _ in machine.cards if card.weight_kg is not None]
    heaviest = max(weighed, key=lambda c: c.weight_kg or 0.0, default=None)
    if heaviest is not None and heaviest.weight_kg is not None and heaviest.weight_kg > limit:
        text = N_("{name} weighs {measured:.1f} kg, a slot alone carries about {required:.1f} kg: a support under the "
                  "card, and for transport the card out")  # fmt: skip
        return compared(
            Status.WARNING, text, {"name": heaviest.name}, heaviest.weight_kg, limit, "kg", [heaviest.id]
        )
    long = machine.number("gpu_sag_mm")
    heavy = [c for c, _ in machine.cards
             if c.weight_kg is None and (c.length_mm or 0) >= long and covered(c.slots or 1) >= 3]  # fmt: skip
    if not heavy:
        return ()
    text = N_("{name} is {measured:.0f} mm long and three slots wide: a support under the card from {required:.0f} mm "
              "on, and for transport the card out")  # fmt: skip
    return compared(Status.OK, text, {"name": heavy[0].name}, heavy[0].length_mm, long, "mm", [heavy[0].id])


@rule("mechanics.rack_load", N_("Load of the rack"), source="makers' data sheets")
def rack_load(machine: Machine) -> Iterable[Judgement]:
    """Weight of all machines against what the rack carries."""
    lines = machine.build.anywhere(Kind.RACK)
    racks = [(line.item, line.quantity) for line in lines if isinstance(line.item, Rack)]
    server = machine.server
    if not racks or server is None:
        return ()
    if server.weight_kg is None or any(rack.max_load_kg is None for rack, _ in racks):
        return missing("server.weight_kg" if server.weight_kg is None else "rack.max_load_kg")
    have = sum((rack.max_load_kg or 0.0) * count for rack, count in racks)
    needed = server.weight_kg * machine.build.machines()
    status = Status.OK if needed <= have else Status.PROBLEM
    text = N_("{measured:.0f} kg of machines, the rack carries {required:.0f} kg")
    return compared(status, text, {}, needed, have, "kg", [server.id])


def _is_u2(drive: Drive) -> bool:
    return any(word in f"{drive.form_factor} {drive.interface}".lower() for word in ("u.2", "u.3"))


def _u2_ports(count: int, sticks: int, board: Motherboard) -> list[Judgement]:
    """U.2 drives on a board whose record names no port for them go through adapters, each in an M.2 socket."""
    record = f"{board.slots_text} {board.conflicts} {board.name}".lower()
    if not count or any(word in record for word in ("u.2", "u2", "slimsas", "mcio", "oculink", "sff-8643")):
        return []
    if board.m2_slots is None:
        return missing("motherboard.m2_slots")
    free = max(0, board.m2_slots - sticks)
    if count > free:
        text = N_("{measured:.0f} U.2 drives: the board's record names no port for them, and {required:.0f} M.2 "
                  "sockets are left for adapters")  # fmt: skip
        return compared(Status.PROBLEM, text, {}, count, free, "1", [board.id])
    text = N_("{measured:.0f} U.2 drives: the board's record names no port for them; each takes an adapter in one of "
              "the {required:.0f} M.2 sockets left, a cable and a power plug")  # fmt: skip
    return compared(Status.WARNING, text, {}, count, free, "1", [board.id])


def _places(count: int, have: int | None, field: str, part: str, text: str) -> list[Judgement]:
    if have is None:
        return missing(field)
    status = Status.OK if count <= have else Status.PROBLEM
    return compared(status, text, {}, count, have, "1", [part])
