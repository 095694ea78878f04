"""Processor, memory, storage, network: sockets, kinds, counts, and how much the cards need."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gpuconfig.engine.builds.fits import memory_fits, memory_runs_mts, same_socket
from gpuconfig.engine.catalogue.host import MemoryKit
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import (
    fast_drive,
    faster_memory,
    fitting_memory,
    more_memory,
    other_board,
    other_processor,
)
from gpuconfig.engine.compatibility.rule import Essential, Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GIB


@rule("cpu.socket", N_("Processor and socket"), essential=Essential.SOCKET, source="makers' data sheets")
def socket(machine: Machine) -> Iterable[Judgement]:
    """The processor goes into the board's or the server's socket."""
    cpu = machine.cpu
    wanted = machine.board.socket if machine.board else machine.server.socket if machine.server else None
    if cpu is None or (machine.board is None and (machine.server is None or machine.server.includes_cpu)):
        return ()
    fits = same_socket(cpu, wanted)
    if fits is None:
        return missing("cpu.socket" if not cpu.socket else "motherboard.socket")
    ids = [cpu.id, *([machine.board.id] if machine.board else [])]
    values: dict[str, object] = {"cpu": cpu.name, "have": cpu.socket, "want": wanted}
    if not fits:
        remedy = other_processor(machine) or other_board(machine)
        return stated(Status.PROBLEM, N_("{cpu} needs {have}, the board has {want}"), values, ids, remedy)
    return stated(Status.OK, N_("{cpu} goes into {want}"), values, ids)


@rule("cpu.sockets", N_("Number of processors"), source="makers' data sheets")
def sockets(machine: Machine) -> Iterable[Judgement]:
    """As many processors as sockets at most; single-socket processors alone."""
    cpu = machine.cpu
    if cpu is None:
        return ()
    places = (
        machine.board.cpu_sockets if machine.board else machine.server.cpu_sockets if machine.server else None
    )
    if places is not None and machine.cpus > places:
        if machine.board is not None and "cpu_sockets" in machine.board.inferred_fields:
            return missing("motherboard.cpu_sockets")
        text = N_("{measured:.0f} processors, {required:.0f} sockets")
        return compared(Status.PROBLEM, text, {}, machine.cpus, places, "1", [cpu.id])
    if cpu.max_sockets is not None and machine.cpus > cpu.max_sockets:
        text = N_("{name} works in machines of {required:.0f} sockets at most")
        return compared(
            Status.PROBLEM, text, {"name": cpu.name}, machine.cpus, cpu.max_sockets, "1", [cpu.id]
        )
    server = machine.server
    if server is not None and not server.includes_cpu and places is not None and machine.cpus < places:
        # What hangs on the empty socket is dead: its memory slots, and its share of the slots for cards.
        most = server.accelerator_count
        dead = most is not None and len(machine.cards) > most * machine.cpus / places
        text = N_("{measured:.0f} processors in a server of {required:.0f} sockets: slots and memory of an empty "
                  "socket do not work")  # fmt: skip
        status = Status.PROBLEM if dead else Status.WARNING
        return compared(status, text, {}, machine.cpus, places, "1", [cpu.id, server.id])
    return ()


@rule("cpu.bios", N_("BIOS for the processor"), source="board makers' support lists")
def bios(machine: Machine) -> Iterable[Judgement]:
    """Newer processors on older chipsets of the same socket need a BIOS update."""
    cpu, board = machine.cpu, machine.board
    if cpu is None or board is None or not board.chipset:
        return ()
    text = f"{board.chipset} {cpu.name}".lower()
    pairs = ((("x670", "b650", "a620"), ("9950x", "9900x", "9700x", "9600x", "9800x3d")),
             (("x570", "b450", "x470"), ("5950x", "5900x", "5800x", "5600x", "5600 ")),
             (("z690", "b660"), ("13900", "14900", "14700", "13700")))  # fmt: skip
    for chipsets, names in pairs:
        if any(c in text for c in chipsets) and any(n in text for n in names):
            return stated(Status.OK, N_("{cpu} on {chipset}: the board needs a BIOS of the processor's time or later"),
                          {"cpu": cpu.name, "chipset": board.chipset}, [board.id])  # fmt: skip
    return ()


@rule("memory.type", N_("Kind of memory"), source="makers' data sheets")
def memory_type(machine: Machine) -> Iterable[Judgement]:
    """DDR4 or DDR5, registered or not, as the board has it."""
    wanted = (
        machine.board.memory_type if machine.board else machine.server.memory_type if machine.server else ""
    )
    registered = machine.board.registered if machine.board else None
    if not machine.kits or (
        machine.board is None and (machine.server is None or machine.server.includes_memory)
    ):
        return ()
    if not wanted:
        return missing("motherboard.memory_type")
    found: list[Judgement] = []
    for kit, _ in machine.kits:
        fits = memory_fits(kit, wanted, registered)
        values: dict[str, object] = {"kit": _kind(kit), "board": wanted}
        if fits is None:
            found += _unsaid(kit, wanted, registered)
        elif not fits:
            found += stated(
                Status.PROBLEM, N_("{kit} does not work in a board for {board}"), values, [kit.id],
                fitting_memory(machine),
            )  # fmt: skip
        else:
            found += stated(Status.OK, N_("{kit} in a board for {board}"), values, [kit.id])
    return found


def _unsaid(kit: MemoryKit, wanted: str, registered: bool | None) -> list[Judgement]:
    """Memory of which not all is said; registered modules are always called so, what is not called so is none."""
    if kit.memory_type and registered is False and memory_fits(replace(kit, registered=False), wanted, False):
        text = N_("{kit} in a board for {board}: not called registered, so taken for ordinary modules")
        return stated(Status.OK, text, {"kit": _kind(kit), "board": wanted}, [kit.id])
    said = {"memory.memory_type": kit.memory_type, "memory.registered": kit.registered}
    return missing(*([n for n, v in said.items() if v in (None, "")] or ["motherboard.registered"]))


@rule("memory.mixed", N_("Mixed memory"), source="makers' data sheets")
def mixed(machine: Machine) -> Iterable[Judgement]:
    """Registered and unregistered modules never work together."""
    kinds = {kit.registered for kit, _ in machine.kits if kit.registered is not None}
    if len(kinds) < 2:
        return ()
    text = N_("registered and unregistered modules do not work together")
    return stated(Status.PROBLEM, text, {}, [kit.id for kit, _ in machine.kits], fitting_memory(machine))


@rule("memory.slots", N_("Memory slots"), source="board manuals")
def slots(machine: Machine) -> Iterable[Judgement]:
    """Modules against slots and the largest capacity."""
    have = (
        machine.board.dimm_slots if machine.board else machine.server.dimm_slots if machine.server else None
    )
    modules = _modules(machine)
    if not machine.kits or have is None or modules is None:
        return ()
    if modules > have:
        text = N_("{measured:.0f} modules, {required:.0f} slots")
        ids = [kit.id for kit, _ in machine.kits]
        return compared(Status.PROBLEM, text, {}, modules, have, "1", ids, fitting_memory(machine))
    most = machine.board.max_memory_bytes if machine.board else None
    total = _capacity(machine)
    if most is not None and total > most * 1.01:
        text = N_("{measured:.0f} GiB, the board takes {required:.0f} GiB")
        return compared(Status.PROBLEM, text, {}, total / GIB, most / GIB, "GiB")
    return compared(Status.OK, N_("{measured:.0f} modules, {required:.0f} slots"), {}, modules, have, "1")


@rule("memory.channels", N_("Memory channels"), source="4 of 8 channels halve the bandwidth")
def channels(machine: Machine) -> Iterable[Judgement]:
    """Every channel of a workstation or server wants a module; half of them is half the bandwidth."""
    note = _channel_note(machine)
    if note is not None:
        used, have = note
    else:
        modules = _modules(machine)
        each = (machine.board.memory_channels if machine.board else None) or (
            machine.server.memory_channels if machine.server else None
        )  # fmt: skip
        each = each or (machine.cpu.memory_channels if machine.cpu else None)
        if not machine.kits:
            return ()
        if modules is None or each is None:
            return missing("memory.modules" if modules is None else "cpu.memory_channels")
        # Servers, and boards with two sockets, state the channels of all sockets; other boards those of one.
        single = machine.server is None and (machine.board is None or machine.board.cpu_sockets == 1)
        have = each * (max(1, machine.cpus) if single else 1)
        used = min(modules, have)
    status = Status.OK
    each_cpu = used // max(1, machine.cpus) if note is None or have > 12 else used
    odd = each_cpu > 2 and each_cpu % 2 == 1 and used < have
    if odd:
        text = N_(
            "{measured:.0f} of {required:.0f} memory channels are filled: an odd number breaks the interleaving"
        )
        return compared(Status.WARNING, text, {}, used, have, "1")
    if note is None and used < have * machine.number("channels_share"):
        status = Status.WARNING
    text = N_("{measured:.0f} of {required:.0f} memory channels are filled")
    return compared(status, text, {}, used, have, "1")


@rule("memory.speed", N_("Speed of the memory"), source="makers' data sheets of processors")
def speed(machine: Machine) -> Iterable[Judgement]:
    """Slower modules than the processor runs take bandwidth from offloading and from loading."""
    cpu = machine.cpu
    rates = [kit.speed_mts for kit, _ in machine.kits]
    if cpu is None or not rates or None in rates:
        return ()
    runs = memory_runs_mts(cpu, machine.kits[0][0].memory_type, machine.number("ddr4_mts"))
    if not runs:
        return ()
    slowest = min(r for r in rates if r is not None)
    ids = [cpu.id, *(kit.id for kit, _ in machine.kits)]
    values: dict[str, object] = {"cpu": cpu.name, "share": slowest / runs * 100}
    least = runs * machine.number("memory_speed_share")
    if slowest >= least:
        text = N_("memory of {measured:.0f} MT/s, {cpu} runs {required:.0f}")
        return compared(Status.OK, text, values, slowest, runs, "MT/s", ids)
    text = N_("memory of {measured:.0f} MT/s, {cpu} runs {required:.0f}: {share:.0f} % of its bandwidth")
    return compared(Status.WARNING, text, values, slowest, runs, "MT/s", ids, faster_memory(machine, least))


@rule("memory.two_per_channel", N_("Two modules on a channel"), source="maxj.phd (WRX90 falls to 4400)")
def two_per_channel(machine: Machine) -> Iterable[Judgement]:
    """Twice as many DDR5 modules as channels run slower."""
    board, modules = machine.board, _modules(machine)
    if board is None or board.memory_channels is None or modules is None or not machine.kits:
        return ()
    if modules <= board.memory_channels or "DDR5" not in machine.kits[0][0].memory_type.upper():
        return ()
    rates = [kit.speed_mts for kit, _ in machine.kits if kit.speed_mts is not None]
    if len(rates) < len(machine.kits):
        return missing("memory.speed_mts")
    runs, rated = machine.number("two_per_channel_mts"), min(rates)
    ids = [board.id, *(kit.id for kit, _ in machine.kits)]
    status = Status.OK if rated <= runs else Status.WARNING
    text = N_("two DDR5 modules on a channel run about {required:.0f} MT/s; these are made for {measured:.0f}: fewer "
              "and larger modules keep the speed")  # fmt: skip
    if status is Status.OK:
        text = N_(
            "two DDR5 modules on a channel run about {required:.0f} MT/s; these are made for {measured:.0f}"
        )
    return compared(status, text, {}, rated, runs, "MT/s", ids)


@rule(
    "memory.ram_vs_vram",
    N_("Host memory against the cards'"),
    source="https://github.com/stas00/ml-engineering",
)
def ram_vs_vram(machine: Machine) -> Iterable[Judgement]:
    """As much host memory as card memory is recommended; far less makes loading and offload fail."""
    total, cards = _capacity(machine), sum(card.memory_bytes or 0 for card, _ in machine.cards)
    if not machine.cards or machine.is_whole_computer or (machine.server and machine.server.includes_memory):
        return ()
    if not machine.kits or not cards or not total:
        return missing("accelerator.memory_bytes" if machine.kits else "memory")
    ratio, least = total / cards, machine.number("ram_per_vram")
    values: dict[str, object] = {"ratio": ratio, "ram": total / GIB, "vram": cards / GIB}
    if ratio < least:
        text = N_(
            "{ram:.0f} GiB of host memory for {vram:.0f} GiB on the cards ({ratio:.2f}): "
            "models do not load, offload fails"
        )
        return compared(
            Status.WARNING, text, values, ratio, least, "1", (), more_memory(machine, least * cards)
        )
    wanted = machine.number("ram_per_vram_recommended")
    text = N_(
        "{ram:.0f} GiB of host memory for {vram:.0f} GiB on the cards ({ratio:.2f}; {required:.0f} is recommended)"
    )
    return compared(Status.OK, text, values, ratio, wanted, "1")


@rule("cpu.cores", N_("Cores for each card"), source="https://github.com/ypwhs/dl-engineer-guidebook")
def cores(machine: Machine) -> Iterable[Judgement]:
    """Two to four cores a card load the data."""
    cpu, count = machine.cpu, len(machine.cards)
    if cpu is None or not count:
        return ()
    if cpu.cores is None:
        return missing("cpu.cores")
    have = cpu.cores * max(1, machine.cpus)
    needed = machine.number("cores_per_card") * count
    status = Status.OK if have >= needed else Status.WARNING
    text = N_("{measured:.0f} cores for {count} cards; {required:.0f} at least")
    remedy = None if status is Status.OK else other_processor(machine)
    return compared(status, text, {"count": count}, have, needed, "1", [cpu.id], remedy)


@rule("storage.interface", N_("Drives"), source="NVMe Gen3 x4 3.9, Gen4 7.9, Gen5 14.5 GB/s; SATA 0.6")
def storage(machine: Machine) -> Iterable[Judgement]:
    """A data set on a hard disk or SATA starves the cards."""
    drives = [line.item for line in machine.build.of(Kind.DRIVE) if isinstance(line.item, Drive)]
    if not drives or not machine.cards:
        host = machine.board is not None or (
            machine.server is not None and not machine.server.includes_drives
        )
        return missing("drive") if machine.cards and host and not machine.lists(Kind.DRIVE) else ()
    if any(d.nvme for d in drives):
        return stated(Status.OK, N_("an NVMe drive feeds the cards"))
    if any(d.nvme is None for d in drives):
        return missing("drive.nvme")
    text = N_("no NVMe drive: reading data and checkpoints at 0.6 GB/s keeps the cards waiting")
    return stated(Status.WARNING, text, {}, [d.id for d in drives], fast_drive(machine))


def _kind(kit: MemoryKit) -> str:
    form = "RDIMM" if kit.registered else "UDIMM" if kit.registered is not None else ""
    return f"{kit.memory_type} {form}".strip()


def _modules(machine: Machine) -> int | None:
    counts = [kit.modules * n for kit, n in machine.kits]
    return sum(counts) if counts and all(counts) else None


def _capacity(machine: Machine) -> int:
    # A list that names only the total has no number of modules.
    return sum(kit.module_bytes * (kit.modules or 1) * n for kit, n in machine.kits)


def _channel_note(machine: Machine) -> tuple[int, int] | None:
    """Filled and existing channels as the list says them: "4 of 24"."""
    for line in machine.build.of(Kind.MEMORY):
        found = re.search(r"(\d+)\s*of\s*(\d+)", f"{line.note} {line.item.name}")
        if found is not None:
            return int(found.group(1)), int(found.group(2))
    return None
