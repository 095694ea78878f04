"""Network cards: slots for them beside the accelerators, and what a slot lets through of the ports."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.adapters import NIC_LANES, ports_bits_per_s, takes_slot, usable_bits_per_s
from gpuconfig.engine.builds.wiring import cable_between_racks_mm
from gpuconfig.engine.catalogue.peripheral import Cable
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.links import FULL_LANES
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


@rule("network.slots", N_("Network cards"), source="board manuals; data sheets of GPU servers")
def slots(machine: Machine) -> Iterable[Judgement]:
    """Network cards need slots beside the accelerators', wide enough for their connector."""
    nics = [nic for nic in machine.nics if takes_slot(nic)]
    if not nics:
        return ()
    ids = list(dict.fromkeys(nic.id for nic in nics))
    if machine.server is not None:
        return _in_server(machine, len(nics), ids)
    board, seated = machine.board, machine.seated_nics
    if board is None:
        return ()
    text = N_("{required:.0f} network cards; {measured:.0f} find a slot wide enough beside the accelerators")
    if seated is not None:
        have = sum(seat is not None for seat in seated.seats)
        status = Status.OK if have == len(nics) else Status.PROBLEM
        return compared(status, text, {}, have, len(nics), "1", [board.id, *ids])
    most = machine.slots_beside(min(nic.pcie_lanes or NIC_LANES for nic in nics))
    if most is not None and most < len(nics):
        return compared(Status.PROBLEM, text, {}, most, len(nics), "1", [board.id, *ids])
    return missing("motherboard.slots.position") if machine.cards else ()


def _in_server(machine: Machine, count: int, ids: list[str]) -> Iterable[Judgement]:
    """Slots of a server beside its accelerators, as its maker tells, else as usual; more than any has do not fit."""
    server = machine.server
    assert server is not None
    row = machine.numbers.find("rules", "server_nic_slots", server.id)
    if row is None or row.value is None:
        return ()
    most = row.value if row.scope != "*" or row.high is None else row.high
    values: dict[str, object] = {"server": server.name}
    if count > most:
        text = N_("{required:.0f} network cards; {server} has {measured:.0f} slots for them at most")
        return compared(Status.PROBLEM, text, values, most, count, "1", [server.id, *ids])
    if count > row.value:
        text = N_(
            "{required:.0f} network cards; servers like {server} have {measured:.0f} slots for them, few have more"
        )
        return compared(Status.WARNING, text, values, row.value, count, "1", [server.id, *ids])
    text = N_("{required:.0f} network cards; {server} has slots for {measured:.0f}")
    return compared(Status.OK, text, values, row.value, count, "1", [server.id, *ids])


@rule("network.slot_rate", N_("Slots of the network cards"), source="PCI-SIG")
def slot_rate(machine: Machine) -> Iterable[Judgement]:
    """The lesser of ports and slot is what a network card gives."""
    seats: list[tuple[int | None, int | None]] = []
    nics = [nic for nic in machine.nics if takes_slot(nic)]
    if machine.seated_nics is not None:
        found = machine.seated_nics.seats
        nics = [nic for nic, seat in zip(nics, found, strict=True) if seat is not None]
        seats = [(s.slot.generation, s.lanes) for s in found if s is not None]
    elif machine.server is not None and machine.server.pcie_generation is not None:
        seats = [(machine.server.pcie_generation, FULL_LANES)] * len(nics)
    for nic, (generation, lanes) in zip(nics, seats, strict=False):
        ports, usable = ports_bits_per_s(nic), usable_bits_per_s(nic, generation, lanes)
        if ports is None or usable is None or usable >= ports:
            continue
        text = N_(
            "{nic}: its slot lets {measured:.0f} Gbit/s through, its ports carry {required:.0f}; work over"
            " several machines gets the lesser"
        )
        found_, wanted = usable / 1e9, ports / 1e9
        return compared(Status.WARNING, text, {"nic": nic.name}, found_, wanted, "Gbit/s", [nic.id])
    if not seats:
        return ()
    return stated(Status.OK, N_("slots let through what the ports of the network cards carry"))


@rule(
    "network.cable_reach",
    N_("Reach of the network cables"),
    source="IEEE 802.3 (copper of 100 Gbit/s and more)",
)
def cable_reach(machine: Machine) -> Iterable[Judgement]:
    """Copper joins machines of one rack and its neighbours; beyond them links take AOC or fibre with transceivers."""
    shared = machine.build.shared
    racks = sum(line.quantity for line in shared if line.kind is Kind.RACK)
    cables = [line.item for line in shared if isinstance(line.item, Cable)]
    copper = [cable for cable in cables if cable.cable_type == "DAC"]
    optical = [cable for cable in cables if cable.is_optical()]
    reached = machine.number("copper_racks")
    if not racks or not (copper or optical):
        return ()
    ids = [cable.id for cable in copper or optical]
    if racks <= reached:
        text = N_("copper cables reach all racks") if copper else N_("optical cables reach all racks")
        return stated(Status.OK, text, {}, ids)
    if not optical:
        text = N_(
            "copper cables reach {measured:.0f} neighbouring racks, the machines stand in {required:.0f}: links between"
            " far racks take AOC cables, or fibre with two transceivers, which this list does not hold"
        )
        return compared(Status.WARNING, text, {}, reached, racks, "1", ids)
    return _optical_reach(machine, racks, optical)


def _optical_reach(machine: Machine, racks: int, optical: list[Cable]) -> Iterable[Judgement]:
    """The longest optical cables against the way from the middle of the row of racks to its end."""
    lengths = [cable.length_mm for cable in optical if cable.length_mm is not None]
    if not lengths:
        return missing("cable.length_mm")
    pitch, rise = machine.number("rack_pitch_mm"), machine.number("cable_rise_mm")
    needed, longest = cable_between_racks_mm(racks, pitch, rise), max(lengths)
    ids = [cable.id for cable in optical]
    values: dict[str, object] = {"racks": racks, "m": longest / 1e3, "needed": needed / 1e3}
    if longest < needed:
        text = N_("optical cables of {m:.0f} m; from the middle of a row of {racks} racks to its end takes "
                  "{needed:.0f} m")  # fmt: skip
        return compared(Status.WARNING, text, values, longest, needed, "mm", ids)
    text = N_(
        "optical cables of {m:.0f} m join the racks that copper does not reach: {needed:.0f} m are needed"
    )
    return compared(Status.OK, text, values, longest, needed, "mm", ids)
