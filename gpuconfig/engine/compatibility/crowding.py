"""What cards without a gap between them cost: how close they stand, and the power they hold in the warm air."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gpuconfig.engine.builds.placement import Placement
from gpuconfig.engine.catalogue.vocabulary import OPEN_FANS
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.estimation.inputs.network import architecture_scope
from gpuconfig.engine.estimation.power.capped import speed_left
from gpuconfig.engine.estimation.power.limits import GROUP
from gpuconfig.engine.estimation.power.sustained import cooled_w


@dataclass(frozen=True, slots=True)
class Crowd:
    """The hottest of cards that stand close.

    Attributes:
        gap_mm: least free room between two cards.
        own_w: what the card draws in cool air.
        full_c: temperature of the room up to which it holds that.
        each_w: power that every further kelvin takes.
        held_w, slower: at the temperature of the place, where that is known.
    """

    gap_mm: float
    own_w: float
    full_c: float
    each_w: float
    held_w: float | None
    slower: float


def crowd_of(machine: Machine, placement: Placement) -> Crowd | None:
    """The figures of the cards with open fans by the formula of the estimates; None where board power is not known."""
    open_cards = [(card, line.power_limit_w or card.tdp_w)
                  for card, line in machine.cards if card.cooling in OPEN_FANS]  # fmt: skip
    known = [(card, own) for card, own in open_cards if own is not None and card.tdp_w is not None]
    if not known or len(known) < len(open_cards):
        return None
    card, own = max(known, key=lambda pair: pair[1])
    tdp = card.tdp_w or own
    scopes, rise = (card.id, architecture_scope(card)), machine.number("neighbour_rise_c")
    rated, hottest = (machine.numbers.value(GROUP, name, *scopes) for name in ("rated_inlet_c", "throttle_c"))
    each = tdp / (hottest - rated)
    room = machine.place.ambient_c
    held = None if room is None else min(own, float(cooled_w.function(tdp, room + rise, rated, hottest)))
    slower = 0.0
    if held is not None:
        slower = 1 - speed_left(card, held, machine.numbers) / speed_left(card, own, machine.numbers)
    # A card below its board power holds that in air as much warmer as the rest of the heat would have taken.
    full = rated + max(0.0, tdp - own) / each - rise
    return Crowd(_least_gap_mm(machine, placement), own, full, each, held, max(0.0, slower))


def _least_gap_mm(machine: Machine, placement: Placement) -> float:
    pairs = zip(placement.seats, machine.cards, strict=False)
    seated = sorted((seat.slot.position, card.slots or float(seat.covers)) for seat, (card, _) in pairs)
    brackets = min((below - top - width for (top, width), (below, _) in pairwise(seated)), default=0.0)
    return max(0.0, brackets) * machine.number("slot_pitch_mm")
