"""Cards in the slots of a board: which slots, how many lanes each, and how far down the case they reach.

Positions are counted in brackets from the top: a card of 3.5 slots covers four, and the last card may
hang over the board's edge as far as the case has brackets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise

from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.vocabulary import LaneSource

CARD_LANES = 16  # cards are x16; a narrower slot must be open or x16 in its physical size


@dataclass(frozen=True, slots=True)
class Seat:
    """One card's slot with the lanes it has once every card is placed."""

    slot: Slot
    lanes: int | None
    covers: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Seats of all cards, in the order of the cards.

    Attributes:
        positions: brackets the case must have; None where the board's positions are not recorded.
    """

    seats: tuple[Seat, ...]
    positions: int | None

    def least_lanes(self) -> int | None:
        """Lanes of the worst seat."""
        known = [s.lanes for s in self.seats if s.lanes is not None]
        return min(known) if len(known) == len(self.seats) and known else None

    def tight(self) -> int:
        """Pairs of neighbours without an empty bracket between them."""
        seats = sorted(self.seats, key=lambda s: s.slot.position)
        return sum(1 for a, b in pairwise(seats) if b.slot.position - a.slot.position - a.covers < 1)

    def behind_chipset(self) -> int:
        """Seats whose lanes come from the chipset."""
        return sum(1 for s in self.seats if s.slot.source is LaneSource.CHIPSET)


def covered(width: float) -> int:
    """Brackets a card of `width` slots covers."""
    return max(1, math.ceil(width))


def place(board: Motherboard, widths: Sequence[float]) -> Placement | None:
    """The best seats for cards of `widths` slots, widest links first; None where they do not fit."""
    return _place(board.slots, board.positions_known, board.max_dual_width_cards,
                  board.case_positions_needed, tuple(covered(w) for w in widths))  # fmt: skip


def seats_for(board: Motherboard, positions: Sequence[int], widths: Sequence[float]) -> Placement | None:
    """The seats where the person names the positions; None where a position does not exist."""
    by_position = {s.position: s for s in board.slots}
    if any(p not in by_position for p in positions):
        return None
    chosen = tuple(by_position[p] for p in positions)
    return _placement(chosen, tuple(covered(w) for w in widths), board.positions_known)


def carried(board: Motherboard, count: int) -> Placement | None:
    """The best slots for `count` cards that stand elsewhere, on risers or cables: their width does not matter.

    Where the slots are too few and the BIOS splits them, a slot of 16 lanes feeds two cards with 8 each. None
    where that does not do either.
    """
    return _carried(board.slots, board.slots_split is True, count)


def partly_carried(board: Motherboard, widths: Sequence[float], carried_cards: int) -> Placement | None:
    """Seats where the widest `carried_cards` stand on risers, each in a slot of its own that no card covers.

    None where there is no such arrangement.
    """
    order = sorted(covered(w) for w in widths)
    seated = tuple(order[: max(0, len(order) - carried_cards)])
    return _partly(board.slots, board.positions_known, seated, len(order) - len(seated))


@lru_cache(maxsize=1024)
def _partly(slots: tuple[Slot, ...], known: bool, seated: tuple[int, ...], risers: int) -> Placement | None:
    usable = sorted((s for s in slots if s.physical_lanes >= CARD_LANES), key=lambda s: s.position)
    count = len(seated) + risers
    if not known and len(seated) > 1:
        return None  # how far apart they are is not recorded
    best = None
    for chosen in combinations(usable, count):
        for own in combinations(range(count), len(seated)):
            widths = [1] * count
            for index, width in zip(own, seated, strict=True):
                widths[index] = width
            found = _placement(chosen, tuple(widths), known)
            if (not known or overlap(found) is None) and (best is None or _worth(found) > _worth(best)):
                best = found
    return best


@lru_cache(maxsize=1024)
def _carried(slots: tuple[Slot, ...], split: bool, count: int) -> Placement | None:
    usable = [s for s in slots if s.physical_lanes >= CARD_LANES and s.source is not LaneSource.CHIPSET]
    if count <= len(usable):
        tried = [_placement(chosen, (1,) * count, known=False) for chosen in combinations(usable, count)]
        return max(tried, key=_worth, default=None)
    whole = _placement(tuple(usable), (1,) * len(usable), known=False)
    wide = [seat for seat in whole.seats if (seat.lanes or 0) >= CARD_LANES]
    more = count - len(usable)
    if not split or more > len(wide):
        return None
    halves = [Seat(seat.slot, CARD_LANES // 2, 1) for seat in wide[:more] for _ in range(2)]
    rest = [seat for seat in whole.seats if seat not in wide[:more]]
    return Placement((*rest, *halves), None)


def free_slots(board: Motherboard, placement: Placement) -> tuple[Slot, ...]:
    """Slots that the cards neither sit in nor cover."""
    taken = {p for s in placement.seats for p in range(s.slot.position, s.slot.position + s.covers)}
    return tuple(s for s in board.slots if s.position not in taken)


def beside(placement: Placement, used: Sequence[Slot], added: Slot | None = None) -> Placement:
    """The seats with the lanes they keep where `used` slots are taken too, and a seat of one bracket in `added`."""
    seats = placement.seats if added is None else (*placement.seats, Seat(added, added.electrical_lanes, 1))
    taken = {s.position for s in used} | {s.slot.position for s in seats}
    kept = []
    for seat in seats:
        shared = seat.slot.shared_lanes
        halved = shared is not None and not taken.isdisjoint(
            set(seat.slot.shares_with) - {seat.slot.position}
        )
        known = [n for n in (seat.lanes, shared if halved else None) if n is not None]
        kept.append(replace(seat, lanes=min(known, default=None)))
    return Placement(tuple(kept), placement.positions)


def overlap(placement: Placement) -> tuple[Seat, Seat] | None:
    """Two neighbours of which the upper covers the lower's slot, or None."""
    seats = sorted(placement.seats, key=lambda s: s.slot.position)
    for upper, lower in pairwise(seats):
        if upper.slot.position + upper.covers > lower.slot.position:
            return upper, lower
    return None


@lru_cache(maxsize=4096)
def _place(
    slots: tuple[Slot, ...], known: bool, most: int | None, needed: int | None, widths: tuple[int, ...]
) -> Placement | None:
    usable = [s for s in slots if s.physical_lanes >= CARD_LANES]
    if not widths:
        return Placement((), 0)
    if len(usable) < len(widths):
        return None
    if not known:
        return _place_unknown(usable, most, needed, widths)
    order = tuple(sorted(widths, reverse=True))
    found = None
    for chosen in combinations(sorted(usable, key=lambda s: s.position), len(widths)):
        # Equal cards: order does not matter. Mixed cards: the widest sits lowest, where it may overhang.
        placement = _placement(chosen, tuple(reversed(order)), known)
        if overlap(placement) is None and (found is None or _worth(placement) > _worth(found)):
            found = placement
    return found


def _place_unknown(
    usable: list[Slot], most: int | None, needed: int | None, widths: tuple[int, ...]
) -> Placement | None:
    if len(widths) > 1 and (most is None or len(widths) > most or max(widths) > 2):
        return None
    best = sorted(usable, key=lambda s: (s.source is LaneSource.CHIPSET, -(s.electrical_lanes or 0)))
    placement = _placement(tuple(best[: len(widths)]), widths, known=False)
    positions = max(widths) if len(widths) == 1 else needed
    return Placement(placement.seats, positions)


def _placement(slots: tuple[Slot, ...], widths: tuple[int, ...], known: bool) -> Placement:
    used = {s.position for s in slots}
    seats = []
    for slot, width in zip(slots, widths, strict=True):
        shared = slot.shared_lanes is not None and not used.isdisjoint(
            set(slot.shares_with) - {slot.position}
        )
        seats.append(Seat(slot, slot.shared_lanes if shared else slot.electrical_lanes, width))
    last = max((s.slot.position + s.covers - 1 for s in seats), default=0)
    return Placement(tuple(seats), last if known else None)


def _worth(placement: Placement) -> tuple[int, int, int]:
    """More lanes on the worst seat, fewer behind the chipset, fewer brackets."""
    return (placement.least_lanes() or 0, -placement.behind_chipset(), -(placement.positions or 0))
