"""Servers as an integer programme for HiGHS: the oracle of the composer's enumeration of platforms."""

from __future__ import annotations

import itertools

import highspy

from gpuconfig.engine.builds.fits import cooler_fits, memory_fits, same_socket
from gpuconfig.engine.selection.composer.lag import Lag
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.server import unfit, watts_for_processor
from gpuconfig.engine.selection.composer.shelf import Shelf

SERVER_DRIVES = ("U.2", "U.3", "E1.S", "E3.S")
LOW_MM = 150


def cheapest_server(need: Need, shelf: Shelf) -> float | None:
    """Least cost of a filled server without its cards; None where there is none."""
    model = highspy.Highs()
    model.silent()
    model.setOptionValue("mip_rel_gap", 0.0)
    model.setOptionValue("mip_abs_gap", 1e-6)
    platforms, lag = [], Lag(need, shelf)
    drives = [
        d for d in shelf.drives if any(w in d.item.form_factor.upper() for w in SERVER_DRIVES)
        and d.item.nvme is not False and d.item.capacity_bytes >= need.drive_bytes
    ]  # fmt: skip
    for platform in shelf.servers:
        if unfit(platform.item, need, shelf) is None:
            behind = 0 if platform.item.includes_accelerators else lag.cost(platform.item.pcie_generation)
            taken = model.addBinary(obj=float(platform.cost + behind))
            platforms.append(taken)
            _fill(model, taken, platform.item, need, shelf, drives)
    if not platforms:
        return None
    model.addConstr(sum(platforms) == 1)
    model.minimize()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return float(model.getObjectiveValue())


def _fill(model, taken, item, need, shelf, drives):  # type: ignore[no-untyped-def]
    """One processor, cooler, kit and drive for a platform that is taken and does not contain them."""
    sockets = item.cpu_sockets or 2
    cpus = [
        c for c in itertools.chain(*shelf.cpus.values())
        if same_socket(c.item, item.socket) and c.item.cores and c.item.cores * sockets >= need.cores
        and (c.item.max_sockets is None or c.item.max_sockets >= sockets)
        and (c.item.tdp_w or 0) <= watts_for_processor(item, need, shelf)
    ]  # fmt: skip
    if not item.includes_cpu:
        coolers = {c.item.id: c for c in itertools.chain(*shelf.coolers.values())}
        low = [c for c in coolers.values() if _low(c.item, item)]
        chosen = [model.addBinary(obj=float(c.cost) * sockets) for c in cpus]
        cooled = [model.addBinary(obj=float(c.cost) * sockets) for c in low]
        model.addConstr(sum(chosen) == taken)
        model.addConstr(sum(cooled) == taken)
        for cpu, mine in zip(cpus, chosen, strict=True):
            wrong = [v for c, v in zip(low, cooled, strict=True) if not _cools(c.item, cpu.item)]
            if wrong:
                model.addConstr(sum(wrong) + mine <= 1)
        if not item.includes_memory:
            kits = _kits(item, cpus, sockets, need, shelf)
            filled = [model.addBinary(obj=cost) for cost, _ in kits]
            model.addConstr(sum(filled) == taken)
            for cpu, mine in zip(cpus, chosen, strict=True):
                runs = min((cpu.item.memory_mts or 0) * shelf.rule("memory_speed_share"),
                           max((speed for _, speed in kits), default=0))  # fmt: skip
                slow = [v for (_, speed), v in zip(kits, filled, strict=True) if speed < runs]
                if slow:
                    model.addConstr(sum(slow) + mine <= 1)
    if not item.includes_drives:
        model.addConstr(sum(model.addBinary(obj=float(d.cost)) for d in drives) == taken)


def _low(cooler, platform):  # type: ignore[no-untyped-def]
    if cooler.radiator_mm is not None:
        return False
    if cooler.rack_units is not None:
        return platform.rack_units is None or cooler.rack_units <= platform.rack_units
    return cooler.height_mm is not None and cooler.height_mm <= LOW_MM


def _cools(cooler, cpu):  # type: ignore[no-untyped-def]
    strong = cooler.cooling_w is None or cpu.tdp_w is None or cooler.cooling_w >= cpu.tdp_w
    return strong and cooler_fits(cooler, cpu) is True


def _kits(item, cpus, sockets, need, shelf):  # type: ignore[no-untyped-def]
    """Costs and speeds of kits that reach the memory and fill every channel; half of them where no kit fills all."""
    if not cpus:
        return []
    kind = item.memory_type or " ".join(cpus[0].item.memory_types if cpus else ())
    channels = item.memory_channels or (cpus[0].item.memory_channels or 8) * sockets
    slots = item.dimm_slots or channels
    found: list[tuple[float, int]] = []
    for least in (min(channels, slots), max(1, channels // 2)):
        found = [
            (float(k.cost) * n, k.item.speed_mts or 0) for k in shelf.memory for n in range(1, slots + 1)
            if memory_fits(k.item, kind, True) and k.item.capacity_bytes() * n >= need.ram_bytes
            and k.item.modules * n <= slots and k.item.modules * n % least == 0
        ]  # fmt: skip
        if found:
            break
    return found
