"""What stands once for several machines: network cards' switch with every cable, racks and their distribution units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from gpuconfig.engine.builds.adapters import NIC_LANES, ports_bits_per_s, takes_slot, usable_bits_per_s
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.fits import same_network, switches_needed
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
class _Fabric:
    cost: Decimal
    ports: _Ports
    switch: Priced[Switch]
    switches: int
    cable: Priced[Cable]
    cables: int


def cluster(build: Build, need: Need, shelf: Shelf) -> Build | NoBuild:
    """`build` with network, cables and racks where there are several machines; unchanged for one."""
    if need.nodes < 2:
        return build
    fabric = min(_fabrics(build, need, shelf), key=lambda f: f.cost, default=None)
    if fabric is None:
        return _no_network(need.network_bits_per_gpu * need.per_node)
    lines = build.lines
    if fabric.ports.nic is not None:
        lines = (*lines, bom_line(Kind.NIC, fabric.ports.nic, fabric.ports.nics))
    shared = (
        bom_line(Kind.SWITCH, fabric.switch, fabric.switches),
        bom_line(Kind.CABLE, fabric.cable, fabric.cables),
    )
    whole = replace(build, lines=lines, shared=shared)
    return replace(whole, shared=(*shared, *_racks(whole, need, shelf)))


def _fabrics(build: Build, need: Need, shelf: Shelf) -> Iterator[_Fabric]:
    """Every network that gives the rate: cards, switches without blocking, a cable for each link."""
    for ports in _ports(build, need, shelf):
        links = ports.count * need.nodes
        for switch in shelf.switches:
            if (switch.item.port_bits_per_s or 0) < ports.bits_per_s or not switch.item.ports:
                continue
            switches = switches_needed(switch.item.ports, links)
            if switches is None or (ports.nic is not None and not same_network(ports.nic.item, switch.item)):
                continue
            cable = _cable(ports, switch.item, shelf)
            if cable is None:
                continue
            # Without blocking as many links go up from the leaves as come in from the machines.
            cables = links if switches == 1 else 2 * links
            cards = Decimal(0) if ports.nic is None else ports.nic.cost * ports.nics * need.nodes
            cost = cards + switch.cost * switches + cable.cost * cables
            yield _Fabric(cost, ports, switch, switches, cable, cables)


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


def _cable(ports: _Ports, switch: Switch, shelf: Shelf) -> Priced[Cable] | None:
    """The cheapest cable that carries the rate and has a plug for each side."""
    there = plug_families(switch.interface)
    takes = there | (
        {"QSFP"} if "QSFP-DD" in there else frozenset()
    )  # a double-density cage takes the single plug
    for cable in shelf.cables:
        if (cable.item.rate_bits_per_s or 0.0) < ports.bits_per_s:
            continue
        first, _, second = cable.item.interface.partition(" to ")
        ends = (plug_families(first), plug_families(second or first))
        if any(one & ports.plugs and other & takes for one, other in (ends, ends[::-1])):
            return cable
    return None


def plug_families(text: str) -> frozenset[str]:
    """Families of the plugs that an interface names: `SFP28 / QSFP28` are `SFP` and `QSFP`."""
    words = re.split(r"[\s/,]+", text.upper())
    found = (next((f for start, f in _PLUGS if word.startswith(start)), None) for word in words)
    return frozenset(f for f in found if f is not None)


def _racks(build: Build, need: Need, shelf: Shelf) -> Iterator[BomLine]:
    """Racks for machines made for one, by height and by the heat that air carries off, and what feeds them."""
    units = _rack_units(build)
    if units is None:
        return
    switches = sum(
        line.quantity * (getattr(line.item, "rack_units", None) or 1)
        for line in build.shared
        if line.kind is Kind.SWITCH
    )
    place = Environment(region=need.region, machine_room=True)
    machine = Machine(build, place, shelf.rules)
    each_w = machine.load.watts() / machine.efficiency()
    cool = max(1, int(shelf.rule("rack_kw_air") * 1000 // each_w))
    tried = []
    for rack in shelf.racks:
        one = min((rack.item.rack_units or 0) // units, cool)
        if one and _deep_enough(build, rack.item):
            count = math.ceil(need.nodes / one)
            spare = count * (rack.item.rack_units or 0) - need.nodes * units
            tried.append((rack, count if spare >= switches else count + 1))
    racks = _cheapest(Kind.RACK, tried)
    if racks is None:
        return
    yield racks
    pdus = _cheapest(Kind.PDU, _distribution(each_w, math.ceil(need.nodes / racks.quantity), shelf))
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
