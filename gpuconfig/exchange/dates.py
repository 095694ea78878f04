"""Days as people write them; an order of day and month that a column does not settle is asked about."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_YEAR_FIRST = re.compile(r"(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?)?月?(?:[T ].*)?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_YEAR = re.compile(r"(\d{4})年?")


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A column of days in ISO form (a month or a year alone stays shortened).

    Attributes:
        values: by cell; None for an empty, unreadable or ambiguous one.
        ambiguous: indices of cells whose day and month could change places.
        unreadable: indices of cells that are no day.
    """

    values: tuple[str | None, ...]
    ambiguous: tuple[int, ...] = ()
    unreadable: tuple[int, ...] = ()


def read_days(cells: Sequence[str]) -> DateColumn:
    """The days of a column; one cell with a day above 12 settles the order for all of them."""
    readings = [_readings(cell) for cell in cells]
    readable = [reading for reading in readings if reading]
    orders = [order for order in ("day_first", "month_first") if all(order in r for r in readable)]
    values: list[str | None] = []
    ambiguous, unreadable = [], []
    for index, (cell, reading) in enumerate(zip(cells, readings, strict=True)):
        choices = {} if reading is None else {order: reading[order] for order in orders if order in reading}
        distinct = set(choices.values())
        if len(distinct) == 1:
            values.append(distinct.pop())
            continue
        values.append(None)
        if distinct:
            ambiguous.append(index)
        elif cell.strip():
            unreadable.append(index)
    return DateColumn(tuple(values), tuple(ambiguous), tuple(unreadable))


def _readings(cell: str) -> dict[str, str] | None:
    text = unicodedata.normalize("NFKC", cell).strip()
    if not text:
        return None
    for pattern in (_COMPACT, _YEAR_FIRST, _YEAR):
        match = pattern.fullmatch(text)
        if match:
            day = _iso(*(int(part) for part in match.groups() if part))
            return {} if day is None else {"day_first": day, "month_first": day}
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return {}
    first, second, year = (int(part) for part in match.groups())
    found = {"day_first": _iso(year, second, first), "month_first": _iso(year, first, second)}
    return {order: day for order, day in found.items() if day is not None}


def _iso(year: int, month: int | None = None, day: int | None = None) -> str | None:
    if not 1990 <= year <= 2100:
        return None
    try:
        datetime.date(year, month or 1, day or 1)
    except ValueError:
        return None
    return "-".join(f"{part:02d}" for part in (year, month, day) if part is not None)
