"""Cards in slots: widths, overhang, shared lanes, chipset slots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.builds.placement import covered, overlap, place, seats_for
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.vocabulary import LaneSource
from tests.bundled_catalogue import bundled_catalogue

CPU, CHIPSET = LaneSource.CPU, LaneSource.CHIPSET
SEVEN = Motherboard(
    id="b", name="seven slots", socket="SP3",
    slots=tuple(
        Slot(position=i, physical_lanes=16, electrical_lanes=16, generation=4, source=CPU) for i in range(1, 8)
    ),
)  # fmt: skip
DESKTOP = Motherboard(
    id="d", name="desktop", socket="AM5",
    slots=(
        Slot(
            position=1, physical_lanes=16, electrical_lanes=16, generation=5, source=CPU, shared_lanes=8,
            shares_with=(4,),
        ),
        Slot(position=4, physical_lanes=16, electrical_lanes=8, generation=5, source=CPU),
        Slot(position=7, physical_lanes=16, electrical_lanes=4, generation=4, source=CHIPSET),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("width", "positions"), [(1, 1), (2, 2), (2.5, 3), (3, 3), (3.5, 4), (4, 4)])
def test_half_slots_cover_whole_brackets(width: float, positions: int) -> None:
    """3.5 slots count as four."""
    assert covered(width) == positions


def test_four_dual_slot_cards_take_1_3_5_7() -> None:
    """And reach bracket 8, one below the board."""
    placement = place(SEVEN, [2] * 4)
    assert placement is not None
    assert [s.slot.position for s in placement.seats] == [1, 3, 5, 7]
    assert placement.positions == 8


@pytest.mark.parametrize(("width", "most"), [(1, 7), (2, 4), (3, 3), (3.5, 2), (4, 2)])
def test_how_many_fit_seven_slots(width: float, most: int) -> None:
    """Seven slots carry so many and not one more."""
    assert place(SEVEN, [width] * most) is not None
    assert place(SEVEN, [width] * (most + 1)) is None


def test_eight_cards_of_four_slots_never_fit() -> None:
    """The wish published in guides."""
    assert place(SEVEN, [3.5] * 8) is None


def test_sharing_halves_the_first_slot() -> None:
    """x16 alone, x8 and x8 with two cards."""
    alone, both = place(DESKTOP, [3]), place(DESKTOP, [3, 3])
    assert alone is not None
    assert [s.lanes for s in alone.seats] == [16]
    assert both is not None
    assert [s.lanes for s in both.seats] == [8, 8]
    assert both.behind_chipset() == 0


def test_third_card_hangs_on_the_chipset() -> None:
    """Three cards: the last on four lanes of the chipset."""
    placement = place(DESKTOP, [2, 2, 2])
    assert placement is not None
    assert placement.least_lanes() == 4
    assert placement.behind_chipset() == 1


def test_named_positions_are_kept_and_overlap_is_seen() -> None:
    """Positions as the person says; a wide card over the next slot is a clash."""
    fine = seats_for(SEVEN, [3, 7], [2, 2])
    assert fine is not None
    assert overlap(fine) is None
    clash = seats_for(SEVEN, [3, 4], [3, 2])
    assert clash is not None
    assert overlap(clash) is not None
    assert seats_for(SEVEN, [9], [2]) is None


@given(st.lists(st.sampled_from([1.0, 2.0, 2.5, 3.0, 3.5, 4.0]), min_size=1, max_size=7), st.data())
def test_no_two_cards_share_a_bracket(widths: list[float], data: st.DataObject) -> None:
    """Whatever board and cards: seats never overlap, and the brackets named hold them all."""
    boards = [b for b in bundled_catalogue().motherboards() if b.positions_known and b.slots]
    board = data.draw(st.sampled_from(boards))
    placement = place(board, widths)
    if placement is None:
        return
    assert len(placement.seats) == len(widths)
    assert sorted(s.covers for s in placement.seats) == sorted(covered(w) for w in widths)
    taken = [p for s in placement.seats for p in range(s.slot.position, s.slot.position + s.covers)]
    assert len(taken) == len(set(taken))
    assert placement.positions == max(taken)
