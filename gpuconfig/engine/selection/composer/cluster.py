"""What stands once for several machines: network cards' switch with every cable, racks and their distribution units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from gpuconfig.engine.builds.adapters import NIC_LANES, ports_bits_per_s, takes_slot, usable_bits_per_s
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.fits import same_network, switches_needed
from gpuconfig.engine.builds.wiring import cable_between_racks_mm, links_in_reach
from gpuconfig.engine.catalogue.enclosure import Chassis, Rack, ServerPlatform
from gpuconfig.engine.catalogue.peripheral import Cable, Nic, Switch
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.desktop import bom_line
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf

MOST_NICS = 8
SERVER_PLUG = "OSFP"
"""Of a server that is sold with its network cards."""
_PLUGS = (("QSFP-DD", "QSFP-DD"), ("QSFP56-DD", "QSFP-DD"), ("QSFP", "QSFP"), ("OSFP", "OSFP"), ("SFP", "SFP"),
          ("RJ45", "RJ45"))  # fmt: skip
"""Families of plugs by the beginning of a name, the more special first."""


@dataclass(frozen=True, slots=True)
class _Ports:
    """Network ports of one machine."""

    count: int
    bits_per_s: float
    plugs: frozenset[str]
    nic: Priced[Nic] | None = None
    nics: int = 0


@dataclass(frozen=True, slots=True)
class _Standing:
    """How machines stand in racks: what one takes, and how many go into each rack that is sold.

    Attributes:
        each_w: watts of one machine at the wall.
        racks: each rack that takes the machine with the machines it holds.
    """

    units: int
    each_w: float
    racks: tuple[tuple[Priced[Rack], int], ...]


@dataclass(frozen=True, slots=True)
class _Fabric:
    """A network with what it costs.

    Attributes:
        cables: each with its number.
        reaches: whether a cable is long enough for every link.
    """

    cost: Decimal
    ports: _Ports
    switch: Priced[Switch]
    switches: int
    cables: tuple[tuple[Priced[Cable], int], ...]
    reaches: bool


def cluster(build: Build, need: Need, shelf: Shelf) -> Build | NoBuild:
    """`build` with network, cables and racks where there are several machines; unchanged for one."""
    if need.nodes < 2:
        return build
    fabric = min(_fabrics(build, need, shelf), key=lambda f: (not f.reaches, f.cost), default=None)
    if fabric is None:
        return _no_network(need.network_bits_per_gpu * need.per_node)
    whole = _with_nics(build, fabric.ports)
    shared = (
        bom_line(Kind.SWITCH, fabric.switch, fabric.switches),
        *(bom_line(Kind.CABLE, cable, count) for cable, count in fabric.cables),
    )
    standing = _standing(whole, need, shelf)
    racks = _rack_line(standing, need.nodes, fabric.switch.item, fabric.switches)
    return replace(whole, shared=(*shared, *_racks(standing, racks, need, shelf)))


def _with_nics(build: Build, ports: _Ports) -> Build:
    if ports.nic is None:
        return build
    return replace(build, lines=(*build.lines, bom_line(Kind.NIC, ports.nic, ports.nics)))


def _fabrics(build: Build, need: Need, shelf: Shelf) -> Iterator[_Fabric]:
    """Every network that gives the rate: cards, switches without blocking, a cable for each link."""
    for ports in _ports(build, need, shelf):
        links = ports.count * need.nodes
        standing = _standing(_with_nics(build, ports), need, shelf)
        for switch in shelf.switches:
            if (switch.item.port_bits_per_s or 0) < ports.bits_per_s or not switch.item.ports:
                continue
            switches = switches_needed(switch.item.ports, links)
            if switches is None or (ports.nic is not None and not same_network(ports.nic.item, switch.item)):
                continue
            racks = _rack_line(standing, need.nodes, switch.item, switches)
            cables, reaches = _cables(ports, switch.item, switches, need.nodes, racks, shelf)
            if not cables:
                continue
            cards = Decimal(0) if ports.nic is None else ports.nic.cost * ports.nics * need.nodes
            wires = sum((cable.cost * count for cable, count in cables), Decimal(0))
            yield _Fabric(cards + switch.cost * switches + wires, ports, switch, switches, cables, reaches)


def _cables(
    ports: _Ports, switch: Switch, switches: int, nodes: int, racks: BomLine | None, shelf: Shelf
) -> tuple[tuple[tuple[Priced[Cable], int], ...], bool]:
    """A cable for each link, by its length: short ones as far as they reach, long ones beyond.

    Without blocking as many links go up from the leaves as come in from the machines.

    Returns:
        The cables, none where no plugs fit; and whether there are long ones where they are needed.
    """
    links = ports.count * nodes
    above = links if switches > 1 else 0
    rate, there = ports.bits_per_s, plug_families(switch.interface)
    near = _cable(rate, ports.plugs, there, shelf)
    if near is None:
        return (), False
    near_up = _cable(rate, there, there, shelf) or near
    copper_racks = int(shelf.rule("copper_racks"))
    if racks is None or racks.quantity <= copper_racks:
        return _counted((near, links), (near_up, above)), True
    least = cable_between_racks_mm(racks.quantity, shelf.rule("rack_pitch_mm"), shelf.rule("cable_rise_mm"))
    far = _cable(rate, ports.plugs, there, shelf, least)
    if far is None:
        return _counted((near, links), (near_up, above)), False
    leaf = (switch.ports or 2) // 2 if above else links
    beside = copper_racks * math.ceil(nodes / racks.quantity) * ports.count
    short = links_in_reach(links, leaf, beside)
    # Switches above the leaves stand once for the whole row.
    far_up = _cable(rate, there, there, shelf, least) or far
    return _counted((near, short), (far, links - short), (far_up, above)), True


def _counted(*found: tuple[Priced[Cable], int]) -> tuple[tuple[Priced[Cable], int], ...]:
    """Each cable once with the sum of its numbers."""
    counts: dict[str, tuple[Priced[Cable], int]] = {}
    for cable, count in found:
        _, before = counts.get(cable.item.id, (cable, 0))
        if count:
            counts[cable.item.id] = (cable, before + count)
    return tuple(counts.values())


def _ports(build: Build, need: Need, shelf: Shelf) -> Iterator[_Ports]:
    """Ports that give one machine its rate: its own, else those of each network card in the number it takes."""
    server = build.first(Kind.SERVER)
    if server is not None and getattr(server.item, "includes_nic", False):
        rate = shelf.rule("server_port_gbit_per_s") * 1e9  # one port a card
        yield _Ports(max(1, need.per_node), rate, frozenset((SERVER_PLUG,)))
        return
    asked = need.network_bits_per_gpu * need.per_node
    room = Machine(build, Environment(region=need.region), shelf.rules)
    for nic in shelf.nics:
        whole = ports_bits_per_s(nic.item) or 0.0
        if not takes_slot(nic.item) or not whole:
            continue
        # A slot may let less through than the ports carry, then it takes more cards.
        for nics in range(max(1, math.ceil(asked / whole)), MOST_NICS + 1):
            given = _given(room, nic.item, nics)
            if given is None:
                break
            if given >= asked:
                plugs = plug_families(nic.item.interface.split(";")[0])
                yield _Ports(nics * (nic.item.ports or 1), nic.item.port_bits_per_s or 0.0, plugs, nic, nics)
                break


def _given(room: Machine, nic: Nic, count: int) -> float | None:
    """What so many network cards give the machine in bit/s; None where it has no slots for them."""
    if room.server is not None:
        if count > room.number("server_nic_slots", room.server.id):
            return None
        return count * (usable_bits_per_s(nic, room.server.pcie_generation, None) or 0.0)
    seated = room.seated([nic] * count)
    most = room.slots_beside(nic.pcie_lanes or NIC_LANES)
    if seated is None and most is not None and count > most:
        return None
    if seated is None:
        return count * (ports_bits_per_s(nic) or 0.0)
    if None in seated.seats:
        return None
    return sum(usable_bits_per_s(nic, s.slot.generation, s.lanes) or 0.0 for s in seated.seats if s)


def _cable(
    bits_per_s: float, plugs: frozenset[str], there: frozenset[str], shelf: Shelf, least_mm: float = 0.0
) -> Priced[Cable] | None:
    """The cheapest cable that carries the rate, has a plug for each side and is long enough."""
    takes = there | (
        {"QSFP"} if "QSFP-DD" in there else frozenset()
    )  # a double-density cage takes the single plug
    for cable in shelf.cables:
        if (cable.item.rate_bits_per_s or 0.0) < bits_per_s or (cable.item.length_mm or 0.0) < least_mm:
            continue
        first, _, second = cable.item.interface.partition(" to ")
        ends = (plug_families(first), plug_families(second or first))
        if any(one & plugs and other & takes for one, other in (ends, ends[::-1])):
            return cable
    return None


@cache
def plug_families(text: str) -> frozenset[str]:
    """Families of the plugs that an interface names: `SFP28 / QSFP28` are `SFP` and `QSFP`."""
    words = re.split(r"[\s/,]+", text.upper())
    found = (next((f for start, f in _PLUGS if word.startswith(start)), None) for word in words)
    return frozenset(f for f in found if f is not None)


def _standing(build: Build, need: Need, shelf: Shelf) -> _Standing | None:
    """Machines made for a rack, by height and by the heat that air carries off; None for others."""
    units = _rack_units(build)
    if units is None:
        return None
    machine = Machine(build, Environment(region=need.region, machine_room=True), shelf.rules)
    each_w = machine.load.watts() / machine.efficiency()
    cool = max(1, int(shelf.rule("rack_kw_air") * 1000 // each_w))
    held = ((rack, min((rack.item.rack_units or 0) // units, cool)) for rack in shelf.racks)
    fits = tuple((rack, one) for rack, one in held if one and _deep_enough(build, rack.item))
    return _Standing(units, each_w, fits) if fits else None


def _rack_line(standing: _Standing | None, nodes: int, switch: Switch, switches: int) -> BomLine | None:
    """The cheapest racks for machines and switches."""
    if standing is None:
        return None
    tried = []
    for rack, one in standing.racks:
        count = math.ceil(nodes / one)
        spare = count * (rack.item.rack_units or 0) - nodes * standing.units
        tried.append((rack, count if spare >= switches * (switch.rack_units or 1) else count + 1))
    return _cheapest(Kind.RACK, tried)


def _racks(standing: _Standing | None, racks: BomLine | None, need: Need, shelf: Shelf) -> Iterator[BomLine]:
    """Racks for machines made for one, and what feeds them."""
    if standing is None or racks is None:
        return
    yield racks
    machines = math.ceil(need.nodes / racks.quantity)
    pdus = _cheapest(Kind.PDU, _distribution(standing.each_w, machines, shelf))
    if pdus is not None:
        yield replace(pdus, quantity=pdus.quantity * racks.quantity)


def _deep_enough(build: Build, rack: Rack) -> bool:
    """Whether the machine's depth is within the rack's, where both are recorded."""
    server = build.first(Kind.SERVER)
    depth = None if server is None else getattr(server.item, "depth_mm", None)
    return depth is None or rack.depth_mm is None or depth <= rack.depth_mm


def _distribution(each_w: float, machines: int, shelf: Shelf) -> list[tuple[Any, int]]:
    """Units that carry the machines of a rack whole; where none carries one, a machine hangs on several."""
    share = shelf.rule("circuit_share")
    units = [(p, int((p.item.watts or 0.0) * share // each_w)) for p in shelf.pdus if p.item.watts]
    whole: list[tuple[Any, int]] = [(p, math.ceil(machines / n)) for p, n in units if n]
    return whole or [(p, math.ceil(machines * each_w / ((p.item.watts or 0.0) * share))) for p, _ in units]


def _cheapest(kind: Kind, tried: list[tuple[Any, int]]) -> BomLine | None:
    best = min(tried, key=lambda t: t[0].cost * t[1], default=None)
    return None if best is None else bom_line(kind, *best)


def _rack_units(build: Build) -> int | None:
    """Height of one machine in a rack; None for one that stands on the floor."""
    for line in build.lines:
        if isinstance(line.item, ServerPlatform | Chassis):
            return line.item.rack_units
    return None


def _no_network(bits: float) -> NoBuild:
    return NoBuild(
        rule="network.rate",
        message=Message(N_("no priced network card, switch and cable give {required:.0f} Gbit/s a machine"),
                        {"required": bits / 1e9}),
        required=bits, unit="bit/s",
    )  # fmt: skip
