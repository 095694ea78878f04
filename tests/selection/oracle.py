"""The bill of materials as an integer programme for HiGHS: the oracle of the composer's enumeration.

One binary for each part (a kit and its number are one choice), one part of each kind, no two that do not
go together, watts within the 80 % rule, the peak allowance and the circuit.
"""

from __future__ import annotations

import itertools
import math

import highspy

from gpuconfig.engine.builds.feeds import offered, plug
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
from gpuconfig.engine.builds.placement import covered, place
from gpuconfig.engine.compatibility.efficiency import wall_w
from gpuconfig.engine.compatibility.transient import excursion_ratio, version_of
from gpuconfig.engine.selection.composer.lag import Lag
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf


def cheapest(need: Need, shelf: Shelf) -> float | None:
    """Least cost of a desktop without its cards; None where there is none."""
    card, count = need.accelerator, need.per_node
    placements = {b.item.id: place(b.item, [card.slots or 1.0] * count) for b in shelf.boards}
    boards = [b for b in shelf.boards if _board_takes(need, placements[b.item.id])]
    cpus = [
        c for c in itertools.chain(*shelf.cpus.values()) if (c.item.cores or 0) >= need.cores and c.item.tdp_w
    ]
    kits = [
        (k, n) for k in shelf.memory for n in range(1, 17) if k.item.capacity_bytes() * n >= need.ram_bytes
    ]
    coolers = {c.item.id: c for cs in shelf.coolers.values() for c in cs}
    coolers = [c for c in coolers.values() if c.item.cooling_w is not None and c.item.rack_units is None]
    hot = heats_case(card, need.card_w(), shelf.rule("hot_card_w"))
    cases = [
        c
        for c in shelf.cases
        if (c.item.max_gpu_length_mm or 0) >= (card.length_mm or 0) + shelf.rule("length_margin_mm")
        and c.item.expansion_slots
        and (
            not hot
            or ((c.item.max_gpu_length_mm or 0) >= shelf.rule("hot_card_case_mm") and breathes(c.item))
        )
    ]
    supplies = [s for s in shelf.supplies if _plugs(need, s.item)]
    drives = [d for d in shelf.drives if "M.2" in d.item.form_factor.upper() and d.item.nvme is not False
              and d.item.capacity_bytes >= need.drive_bytes]  # fmt: skip
    groups = {
        "board": [(b, float(b.cost)) for b in boards], "cpu": [(c, float(c.cost)) for c in cpus],
        "kit": [(k, float(k[0].cost) * k[1]) for k in kits], "cooler": [(c, float(c.cost)) for c in coolers],
        "case": [(c, float(c.cost)) for c in cases], "psu": [(s, float(s.cost)) for s in supplies],
        "drive": [(d, float(d.cost)) for d in drives],
    }  # fmt: skip
    if not all(groups.values()):
        return None
    return _solve(need, shelf, groups, placements)


def _solve(need, shelf, groups, placements) -> float | None:  # type: ignore[no-untyped-def]
    model = highspy.Highs()
    model.silent()
    model.setOptionValue("mip_rel_gap", 0.0)
    model.setOptionValue("mip_abs_gap", 1e-6)
    x = {g: [model.addBinary(obj=cost) for _, cost in parts] for g, parts in groups.items()}
    for variables in x.values():
        model.addConstr(sum(variables) == 1)
    pairs = (
        ("board", "cpu", lambda b, c: _cpu_board(c.item, b.item, placements[b.item.id])),
        ("board", "kit", lambda b, k: _kit_board(k, b.item)),
        (
            "cpu",
            "cooler",
            lambda c, o: cooler_fits(o.item, c.item) is True and o.item.cooling_w >= c.item.tdp_w,
        ),
        ("cpu", "kit", lambda c, k: _fast(k[0].item, c.item)),
        ("cooler", "case", lambda o, c: cooler_in_case(o.item, c.item) is True),
        ("psu", "case", lambda s, c: supply_in_case(s.item, c.item) is True),
        ("board", "case", lambda b, c: _board_case(need, b.item, c.item, placements[b.item.id])),
    )
    for first, second, goes in pairs:
        for i, (a, _) in enumerate(groups[first]):
            clash = [x[second][j] for j, (b, _) in enumerate(groups[second]) if not goes(a, b)]
            if clash:
                # sum of the clashing parts is at most one anyway: one row excludes all pairs of `a`
                model.addConstr(sum(clash) + x[first][i] <= 1)
    loads = shelf.loads
    watts = loads.board_w + loads.drive_w + need.card_w() * need.per_node
    cpu = sum(c.item.tdp_w * v for (c, _), v in zip(groups["cpu"], x["cpu"], strict=True))
    kit = sum((loads.rdimm_w if k.item.registered else loads.udimm_w) * k.item.modules * n * v
              for ((k, n), _), v in zip(groups["kit"], x["kit"], strict=True))  # fmt: skip
    supply = sum(s.item.rated_w * v for (s, _), v in zip(groups["psu"], x["psu"], strict=True))
    model.addConstr(cpu + kit + watts <= shelf.rule("continuous_share") * supply)
    excess = math.sqrt(need.per_node) * need.card_w() * (excursion_ratio(need.accelerator, shelf.rules) - 1)
    stands = sum(s.item.rated_w * shelf.rules.value("rules", "atx_peak_share", version_of(s.item)) * v
                 for (s, _), v in zip(groups["psu"], x["psu"], strict=True))  # fmt: skip
    model.addConstr(cpu + kit + watts + excess <= stands)
    _older_than_the_card(model, need, shelf, groups, x, placements)
    if need.circuit_w is not None:
        for (s, _), v in zip(groups["psu"], x["psu"], strict=True):
            most = _most_from(need.circuit_w, s.item, shelf)
            model.addConstr(cpu + kit + watts <= most + 1e5 * (1 - v))
    model.minimize()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return float(model.getObjectiveValue())


def _most_from(circuit_w, supply, shelf) -> float:  # type: ignore[no-untyped-def]
    """Load that a supply gives from a circuit of so many watts, by halving."""
    low, high = 0.0, circuit_w
    for _ in range(50):
        middle = (low + high) / 2
        enough = wall_w(shelf.rules, None, [(supply, middle)]) <= circuit_w
        low, high = (middle, high) if enough else (low, middle)
    return low


def _older_than_the_card(model, need, shelf, groups, x, placements) -> None:  # type: ignore[no-untyped-def]
    """What an old host counts against itself: at least what its slots do, at least what its processor does."""
    counted, lag = model.addVariable(lb=0.0, obj=1.0), Lag(need, shelf)
    slots = [_slots(placements[b.item.id]) for b, _ in groups["board"]]
    links = [c.item.pcie_generation for c, _ in groups["cpu"]]
    for generations, variables in ((slots, x["board"]), (links, x["cpu"])):
        terms = [float(lag.cost(g)) * v for g, v in zip(generations, variables, strict=True)]
        model.addConstr(counted >= sum(terms))


def _slots(placement):  # type: ignore[no-untyped-def]
    generations = [seat.slot.generation for seat in placement.seats]
    return None if None in generations else min(generations)


def _board_takes(need, placement) -> bool:  # type: ignore[no-untyped-def]
    if placement is None:
        return False
    least = placement.least_lanes()
    if need.per_node == 1:
        return least is None or least >= min(need.lanes, need.accelerator.pcie_lanes or 16)
    return least is not None and least >= need.lanes and placement.behind_chipset() == 0


def _plugs(need, supply) -> bool:  # type: ignore[no-untyped-def]
    offer = offered([(supply, 1)])
    plugging = None if offer is None else plug([(need.accelerator, need.per_node)], 1, offer)
    if supply.rated_w < (need.accelerator.recommended_psu_w or 0):
        return False
    return plugging is not None and plugging.works()


def _cpu_board(cpu, board, placement) -> bool:  # type: ignore[no-untyped-def]
    lanes = sum(s.lanes or 0 for s in placement.seats)
    usable = cpu.usable_pcie_lanes or cpu.pcie_lanes
    enough = usable is None or usable >= lanes or "plx" in board.slots_text.lower()
    kind = not cpu.memory_types or any(t.upper()[:4] in board.memory_type.upper() for t in cpu.memory_types)
    return same_socket(cpu, board.socket) is True and enough and kind


def _kit_board(kit, board) -> bool:  # type: ignore[no-untyped-def]
    item, count = kit
    slots = board.dimm_slots or 0
    modules = item.item.modules * count
    channels = min(board.memory_channels or 2, slots or 2)
    fits = memory_fits(item.item, board.memory_type, board.registered)
    return bool(fits) and modules <= slots and modules % channels == 0


def _fast(kit, cpu) -> bool:  # type: ignore[no-untyped-def]
    """A grade below what the processor runs, which for DDR4 is 3200 MT/s at most."""
    runs = min(cpu.memory_mts or 0, 3200 if kit.memory_type == "DDR4" else 1e9)
    return (kit.speed_mts or 0) >= 0.87 * runs


def _board_case(need, board, case, placement) -> bool:  # type: ignore[no-untyped-def]
    positions = placement.positions
    if positions is None:
        positions = covered(need.accelerator.slots or 1) if need.per_node == 1 else math.inf
    return positions <= case.expansion_slots and board_in_case(board, case) is True
