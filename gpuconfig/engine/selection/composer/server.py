"""Servers: platforms for PCIe cards filled with processors and memory, and systems that contain their modules."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from gpuconfig.engine.builds.fits import socket_key, supply_count_survives
from gpuconfig.engine.builds.load import platform_watts
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import OPEN_FANS, Cooling, FormFactor, Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.desktop import Found, bom_line
from gpuconfig.engine.selection.composer.lag import Lag
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf
from gpuconfig.engine.selection.composer.surroundings import planned_length

Host = tuple[Priced[Cpu], int, Priced[Cooler] | None]
Hosts = dict[tuple[str | None, int | None, int | None, float], tuple[Host, ...]]
"""The cheapest processors with coolers for each speed of memory, by what a platform asks of them."""
_OWN_FANS = OPEN_FANS | {Cooling.LIQUID}


def compose_server(need: Need, shelf: Shelf) -> Found | NoBuild:
    """The cheapest server that takes the cards, or the rule that forbids it."""
    best: Found | None = None
    refused: NoBuild | None = None
    hosts: Hosts = {}
    lag = Lag(need, shelf)
    for platform in shelf.servers:
        if best is not None and platform.cost >= best.cost:
            break
        why = unfit(platform.item, need, shelf)
        if why is not None:
            refused = _nearer(refused, why, platform.item, need)
            continue
        found = _fill(platform, need, shelf, hosts, lag)
        if isinstance(found, NoBuild):
            refused = found
        elif best is None or found.cost < best.cost:
            best = found
    if best is not None:
        return best
    return refused or NoBuild(
        rule="mechanics.card_form",
        message=Message(
            N_("no priced server in the catalogue takes {card}"), {"card": need.accelerator.name}
        ),
    )


def unfit(platform: ServerPlatform, need: Need, shelf: Shelf) -> NoBuild | None:
    """Why the platform does not take the cards; None where it does."""
    card = need.accelerator
    values = {"server": platform.name, "card": card.name}
    if platform.accelerator_form is not card.form_factor or (
        platform.accelerators and card.id not in platform.accelerators
    ):
        return NoBuild(
            rule="mechanics.card_form", message=Message(N_("{server} is not made for {card}"), values)
        )
    count = platform.accelerator_count
    exact = platform.includes_accelerators
    if count is None or need.per_node > count or (exact and need.per_node != count):
        return NoBuild(
            rule="mechanics.card_count", message=Message(N_("{server} takes another number of cards"), values),
            measured=count, required=need.per_node, unit="1",
        )  # fmt: skip
    if exact:
        return None
    if need.card_w() == 0:
        return NoBuild(
            rule="power.continuous", message=Message(N_("the power of {card} is not known"), values)
        )
    if card.form_factor is FormFactor.PCIE:
        return _card_unfit(platform, need, shelf) or _power_short(platform, need, shelf)
    return _power_short(platform, need, shelf)


def _card_unfit(platform: ServerPlatform, need: Need, shelf: Shelf) -> NoBuild | None:
    card = need.accelerator
    values = {"server": platform.name, "card": card.name}
    if card.slots is None:
        return NoBuild(
            rule="mechanics.card_unknown", message=Message(N_("the width of {card} is not known"), values)
        )
    widest = platform.max_accelerator_slots or 2.0
    if card.slots > widest:
        return NoBuild(
            rule="pcie.slot_spacing",
            message=Message(N_("{card} is {required} slots wide, {server} takes {measured}"),
                            {**values, "required": card.slots, "measured": widest}),
            measured=widest, required=card.slots, unit="1",
        )  # fmt: skip
    longest, length = platform.max_accelerator_length_mm, planned_length(card, shelf)
    if longest is not None and length > longest:
        return NoBuild(
            rule="mechanics.card_length", message=Message(N_("{card} is too long for {server}"), values),
            measured=longest, required=length, unit="mm",
        )  # fmt: skip
    if card.cooling in _OWN_FANS and platform.passive_cards is not False:
        return NoBuild(
            rule="cooling.card_in_server",
            message=Message(
                N_("{card} blows its heat sideways: {server} cools cards from front to rear"), values
            ),
        )
    if need.is_passive() and platform.passive_cards is False:
        return NoBuild(
            rule="cooling.passive_card",
            message=Message(N_("{server} has no ducted airflow for cards without a fan"), values),
        )
    if card.cooling is None:
        return NoBuild(
            rule="cooling.card_in_server", message=Message(N_("the cooling of {card} is not known"), values)
        )
    hottest = platform.max_accelerator_w
    if hottest is not None and need.card_w() > hottest:
        return NoBuild(
            rule="cooling.card_power", message=Message(N_("{server} cools fewer watts a card"), values),
            measured=hottest, required=need.card_w(), unit="W",
        )  # fmt: skip
    return None


def watts_for_processor(platform: ServerPlatform, need: Need, shelf: Shelf) -> float:
    """What supplies and circuits leave for one processor beside the cards; endless where they are not asked."""
    delivered = _delivered(platform)
    if platform.includes_cpu or delivered is None:
        return math.inf
    limit = min(delivered, _circuit(platform, need) * shelf.rule("efficiency_230"))
    return (limit - _without_processors(platform, need, shelf)) / (platform.cpu_sockets or 2)


def _delivered(platform: ServerPlatform) -> float | None:
    """Watts that remain with the spare supplies failed, within what the maker rates the machine at."""
    left = supply_count_survives(platform)
    return min((w for w in (left, platform.max_system_power_w) if w is not None), default=None)


def _without_processors(platform: ServerPlatform, need: Need, shelf: Shelf) -> float:
    base = platform_watts(platform, cards_listed=True, table=shelf.loads)
    return base + need.card_w() * need.per_node


def _coolest_w(platform: ServerPlatform, shelf: Shelf) -> float:
    """The least that the processors to be bought draw; 0 where they are inside or none is priced."""
    if platform.includes_cpu or platform.socket is None:
        return 0.0
    priced = shelf.cpus.get(socket_key(platform.socket), ())
    return (platform.cpu_sockets or 2) * min((c.item.tdp_w for c in priced if c.item.tdp_w), default=0.0)


def _power_short(platform: ServerPlatform, need: Need, shelf: Shelf) -> NoBuild | None:
    most = _delivered(platform)
    values = {"server": platform.name}
    if most is None:
        return NoBuild(
            rule="power.continuous", message=Message(N_("the supplies of {server} are not known"), values)
        )
    needed = _without_processors(platform, need, shelf) + _coolest_w(platform, shelf)
    if needed > most:
        return NoBuild(
            rule="power.continuous",
            message=Message(N_("{required:.0f} W needed, {server} delivers {measured:.0f} W"),
                            {**values, "required": needed, "measured": most}),
            measured=most, required=needed, unit="W",
        )  # fmt: skip
    wall, limit = needed / shelf.rule("efficiency_230"), _circuit(platform, need)
    if wall <= limit:
        return None
    return NoBuild(
        rule="power.mains_circuit", measured=wall, required=limit, unit="W",
        message=Message(N_("{measured:.0f} W at the wall; the circuit carries {required:.0f} W for long"),
                        {"measured": wall, "required": limit}),
    )  # fmt: skip


def _circuit(platform: ServerPlatform, need: Need) -> float:
    """What the circuits carry for long: a feed for each supply that works, or the outlet that was named."""
    if need.server_feed_w is not None:
        return need.server_feed_w * max(1, (platform.psu_count or 1) - (platform.psu_redundant or 0))
    if need.circuit_w is not None and need.circuits is not None:
        return need.circuit_w * need.circuits
    return math.inf


def _fill(
    platform: Priced[ServerPlatform], need: Need, shelf: Shelf, hosts: Hosts, lag: Lag
) -> Found | NoBuild:
    item = platform.item
    if need.host_bytes_per_s and (item.includes_cpu or item.includes_memory):
        return NoBuild(
            rule="memory.capacity",
            message=Message(N_("the memory that comes with {server} is not known"), {"server": item.name}),
        )
    taken: list[tuple[Kind, Priced[Any], int]] = [(Kind.SERVER, platform, 1)]
    if not item.includes_cpu:
        room = watts_for_processor(item, need, shelf)
        asked = (item.socket, item.cpu_sockets, item.rack_units, room)
        if asked not in hosts:
            hosts[asked] = _processors(item, need, shelf, room)
        board = _populated(item, hosts[asked], need, shelf)
        if isinstance(board, NoBuild):
            return board
        taken += board
    if not item.includes_drives:
        drive = _drive(need, shelf)
        if drive is None:
            return NoBuild(rule="storage.capacity", message=Message(N_("no priced drive is large enough")))
        taken.append((Kind.DRIVE, drive, 1))
    behind = Decimal(0) if item.includes_accelerators else lag.cost(item.pcie_generation)
    cost = sum((part.cost * count for _, part, count in taken), behind)
    return Found(cost, tuple(bom_line(*each) for each in taken))


def _populated(
    item: ServerPlatform, hosts: tuple[Host, ...], need: Need, shelf: Shelf
) -> list[tuple[Kind, Priced[Any], int]] | NoBuild:
    """The cheapest processors, coolers and memory for the sockets of a platform that comes without them."""
    if not hosts:
        text = N_("no priced processor with a cooler fits {server}")
        return NoBuild(rule="cpu.socket", message=Message(text, {"server": item.name}))
    found: list[list[tuple[Kind, Priced[Any], int]]] = []
    for cpu, sockets, cooler in hosts:
        parts: list[tuple[Kind, Priced[Any], int]] = [(Kind.CPU, cpu, sockets)]
        if cooler is not None:
            parts.append((Kind.COOLER, cooler, sockets))
        if not item.includes_memory:
            memory = _memory(item, cpu.item, sockets, need, shelf)
            if memory is None:
                continue
            parts.append((Kind.MEMORY, *memory))
        found.append(parts)
    if not found:
        text = N_("no priced memory fills {server}")
        return NoBuild(rule="memory.capacity", message=Message(text, {"server": item.name}),
                       required=need.ram_bytes, unit="B")  # fmt: skip
    return min(found, key=lambda parts: sum(part.cost * count for _, part, count in parts))


def _processors(item: ServerPlatform, need: Need, shelf: Shelf, most_w: float) -> tuple[Host, ...]:
    """For each speed of memory that processors run the cheapest with its cooler."""
    if item.socket is None:
        return ()
    sockets = item.cpu_sockets or 2
    found: dict[int | None, tuple[Decimal, Host]] = {}
    for cpu in shelf.cpus.get(socket_key(item.socket), ()):
        runs = cpu.item.memory_mts
        if runs in found and cpu.cost * sockets >= found[runs][0]:
            continue
        most = cpu.item.max_sockets
        if (
            cpu.item.cores is None
            or cpu.item.cores * sockets < need.cores
            or (cpu.item.tdp_w or 0.0) > most_w
            or need.host_bytes_per_s > (cpu.item.memory_bytes_per_s() or 0) * sockets
            or (most is not None and most < sockets)
        ):
            continue
        cooler = _cooler(item, cpu.item, shelf)
        if cooler is None:
            continue
        cost = (cpu.cost + cooler.cost) * sockets
        if runs not in found or cost < found[runs][0]:
            found[runs] = (cost, (cpu, sockets, cooler))
    return tuple(host for _, host in found.values())


def _cooler(item: ServerPlatform, cpu: Cpu, shelf: Shelf) -> Priced[Cooler] | None:
    for cooler in shelf.coolers.get(socket_key(cpu.socket), ()):
        carries = cooler.item.cooling_w is None or cpu.tdp_w is None or cooler.item.cooling_w >= cpu.tdp_w
        units = cooler.item.rack_units
        fits = units is None or item.rack_units is None or units <= item.rack_units
        low = units is not None or (cooler.item.height_mm is not None and cooler.item.height_mm <= 150)
        if carries and fits and low and cooler.item.radiator_mm is None:
            return cooler
    return None


def _memory(
    item: ServerPlatform, cpu: Cpu, sockets: int, need: Need, shelf: Shelf
) -> tuple[Priced[MemoryKit], int] | None:
    kits = shelf.kits_for(item.memory_type or " ".join(cpu.memory_types), True)
    # The platform states its channels over all sockets, the processor its own.
    channels = item.memory_channels or (cpu.memory_channels or 8) * sockets
    slots = item.dimm_slots or channels
    runs = shelf.runs_mts(cpu, item.memory_type or "")
    full = shelf.cheapest_memory(kits, need, slots, min(channels, slots), runs)
    return full or shelf.cheapest_memory(kits, need, slots, max(1, channels // 2), runs)


def _drive(need: Need, shelf: Shelf) -> Priced[Drive] | None:
    for drive in shelf.drives:
        server_form = any(w in drive.item.form_factor.upper() for w in ("U.2", "U.3", "E1.S", "E3.S"))
        if server_form and drive.item.nvme is not False and drive.item.capacity_bytes >= need.drive_bytes:
            return drive
    return None


def _nearer(known: NoBuild | None, new: NoBuild, platform: ServerPlatform, need: Need) -> NoBuild:
    """Keep the obstacle of the platform that comes closest: one of the right form over one of another."""
    if known is None or (
        known.rule == "mechanics.card_form" and platform.accelerator_form is need.accelerator.form_factor
    ):
        return new
    return known
