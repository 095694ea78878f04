"""The board's slots with the cards in them, in millimetres: what the picture on paper shows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

PITCH_MM = 20.32
"""From one bracket to the next: 0.8 inch by definition."""


@dataclass(frozen=True, slots=True)
class SlotLine:
    """One slot: bracket counted from the top, connector in mm, and what it gives."""

    position: int
    connector_mm: float
    label: str


@dataclass(frozen=True, slots=True)
class CardBlock:
    """One card: its uppermost bracket, how many it takes (3.5 stays 3.5), length in mm where it is known."""

    position: int
    brackets: float
    length_mm: float | None
    name: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPicture:
    """A board in its case, seen from the side.

    Attributes:
        case_brackets, case_length_mm: what the case has for cards; None where not known.
    """

    title: str
    lines: tuple[SlotLine, ...]
    cards: tuple[CardBlock, ...]
    case_brackets: int | None
    case_length_mm: float | None
    case_label: str
    summary: str

    def rows(self) -> int:
        """Brackets from the first to the lowest that a slot, a card or the case has."""
        ends = [line.position for line in self.lines]
        ends += [card.position + ceil(card.brackets) - 1 for card in self.cards]
        return max((*ends, self.case_brackets or 1))
