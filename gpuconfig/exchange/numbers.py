"""Numbers as people and spreadsheets write them; a text with two readings is never read silently.

"1,500" is fifteen hundred in English and Chinese writing and one and a half in German or French. A column often
tells which: one cell that only one writing allows decides for all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class NumberStyle(StrEnum):
    """Which mark parts the decimals; the other one, a space or an apostrophe parts the thousands."""

    POINT = "point"
    COMMA = "comma"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text means in each style; None where the style does not allow it.

    Attributes:
        grouped: a mark between thousands stands beside the decimals, so that the text alone tells its style.
    """

    point: Decimal | None
    comma: Decimal | None
    grouped: bool = False

    @property
    def is_number(self) -> bool:
        """True where some style reads it."""
        return self.point is not None or self.comma is not None

    @property
    def is_ambiguous(self) -> bool:
        """True where both styles read it, and differently."""
        return self.point is not None and self.comma is not None and self.point != self.comma

    def by(self, style: NumberStyle) -> Decimal | None:
        """The value in `style`."""
        return self.point if style is NumberStyle.POINT else self.comma

    def alone(self, style: NumberStyle) -> Decimal | None:
        """The value of a single text for a reader used to `style`; None where it must be asked about.

        A text of the other style is taken only where it cannot be a slip: "12 999,00" yes, "1,5" no.
        """
        value = self.by(style)
        if value is None and self.grouped:
            return self.comma if style is NumberStyle.POINT else self.point
        return value


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """A column of numbers.

    Attributes:
        style: the writing that all cells allow; None where two remain that differ, or none.
        values: by cell, None for an empty or unreadable one.
        ambiguous: indices of the cells that decide nothing and would read differently.
        unreadable: indices of the cells that are no number in the style.
    """

    style: NumberStyle | None
    values: tuple[Decimal | None, ...]
    ambiguous: tuple[int, ...] = ()
    unreadable: tuple[int, ...] = ()


_SIGNS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "‐": "-"})
_SPACES = re.compile(r"(?<=\d)[\s'’_\u00a0\u202f](?=\d{3}(?!\d))")
_PATTERNS = {
    NumberStyle.POINT: re.compile(r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?|[+-]?\.\d+"),
    NumberStyle.COMMA: re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?|[+-]?,\d+"),
}
_LEADING_ZERO_GROUP = re.compile(r"[+-]?0[.,]\d{3}")


def read_number(text: str) -> Reading:
    """Both readings of one text; full-width digits, spaces between thousands and a trailing plain sign are allowed."""
    plain = unicodedata.normalize("NFKC", text).translate(_SIGNS).strip()
    closed = _SPACES.sub("", plain)
    grouped = closed != plain or ("." in plain and "," in plain)
    return Reading(_read(closed, NumberStyle.POINT), _read(closed, NumberStyle.COMMA), grouped)


def read_column(cells: Sequence[str]) -> ColumnReading:
    """The numbers of a column in the one style that all its cells allow."""
    readings = [read_number(cell) if cell.strip() else None for cell in cells]
    known = [r for r in readings if r is not None and r.is_number]
    possible = [style for style in NumberStyle if all(r.by(style) is not None for r in known)]
    unreadable = tuple(i for i, r in enumerate(readings) if r is not None and not r.is_number)
    ambiguous = tuple(i for i, r in enumerate(readings) if r is not None and r.is_ambiguous)
    if len(possible) == 2 and ambiguous:
        certain = tuple(None if r is None or r.is_ambiguous else r.point for r in readings)
        return ColumnReading(None, certain, ambiguous, unreadable)
    if not possible:
        return ColumnReading(None, tuple(None for _ in readings), ambiguous, unreadable)
    style = possible[0]
    return ColumnReading(style, tuple(None if r is None else r.by(style) for r in readings), (), unreadable)


def _read(plain: str, style: NumberStyle) -> Decimal | None:
    if not _PATTERNS[style].fullmatch(plain):
        return None
    if style is NumberStyle.POINT:
        # "0,125" is not a group of thousands: nobody writes a leading zero before one.
        return None if "," in plain and _LEADING_ZERO_GROUP.match(plain) else Decimal(plain.replace(",", ""))
    if "." in plain and _LEADING_ZERO_GROUP.match(plain):
        return None
    return Decimal(plain.replace(".", "").replace(",", "."))
