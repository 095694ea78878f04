"""Power, heat and slots of a machine as numbers, for pictures and papers."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gpuconfig.engine.builds.placement import Placement, Seat
from gpuconfig.engine.compatibility.carriage import carriage, routed
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.transient import excursion_ratio, peak_load


def power_summary(machine: Machine) -> Mapping[str, object]:
    """Watts by part, in sum, at the wall and at the peak. None where a part's power is not known."""
    cards = [
        (line.power_limit_w or card.tdp_w or 0.0, excursion_ratio(card, machine.numbers), 1)
        for card, line in machine.cards
    ]
    rated = machine.rated_w()
    load = machine.load
    known = not load.missing
    return {
        "load_w": load.watts() if known else None,
        "known_load_w": load.watts(),
        "peak_w": peak_load(load.watts(), cards) if known else None,
        "wall_w": machine.wall_w(),
        "rated_w": rated,
        "load_share": load.watts() / rated if known and rated else None,
        "circuit_w": machine.circuit_w,
        "circuits": _circuits(machine),
        "volts": machine.volts,
        "parts": {item.part: item.watts for item in load.items},
        "missing": list(load.missing),
    }


def _circuits(machine: Machine) -> int | None:
    """Circuits that the machine takes, as far as its supplies can be spread; None where its power is not known."""
    wall = machine.wall_w()
    return None if wall is None else max(1, min(machine.feeds, math.ceil(wall / machine.circuit_w)))


def thermal_summary(machine: Machine) -> Mapping[str, object]:
    """Heat into the room, the airflow it takes at a rise of 10 K, and the ambient temperature."""
    wall = machine.wall_w()
    rise = 10.0
    return {
        "heat_w": wall,
        "btu_per_h": None if wall is None else wall * machine.number("btu_per_w"),
        "airflow_cfm": None if wall is None else machine.number("airflow_cfm_per_w_c") * wall / rise,
        "airflow_rise_k": rise,
        "ambient_c": machine.place.ambient_c,
    }


def pcie_summary(machine: Machine) -> Mapping[str, object]:
    """Slots of the board with the cards of each: in it, or at the cables that lead to it (`carried`).

    A split slot has several `cards`, of which `card` is the first.
    """
    board, placement = machine.board, machine.placement
    if board is None:
        return {"slots": []}
    elsewhere = carriage(machine).cards > 0
    if elsewhere:
        placement = routed(machine)
    seats: dict[int, list[int]] = {}
    for number, seat in enumerate(() if placement is None else _by_position(placement)):
        seats.setdefault(seat.slot.position, []).append(number)
    lanes = {} if placement is None else {s.slot.position: s.lanes for s in placement.seats}
    covers = {} if placement is None else {s.slot.position: s.covers for s in placement.seats}
    return {
        "positions_known": board.positions_known,
        "carried": elsewhere,
        "case_positions": None if machine.case is None else machine.case.expansion_slots,
        "slots": [
            {
                "position": slot.position,
                "physical_lanes": slot.physical_lanes,
                "lanes": lanes.get(slot.position, slot.electrical_lanes),
                "generation": slot.generation,
                "source": slot.source.value,
                "card": next(iter(seats.get(slot.position, [])), None),
                "cards": seats.get(slot.position, []),
                "covers": covers.get(slot.position, 0),
            }
            for slot in board.slots
        ],
    }


def _by_position(placement: Placement) -> list[Seat]:
    return sorted(placement.seats, key=lambda s: s.slot.position)
