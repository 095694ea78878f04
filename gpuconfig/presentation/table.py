"""Tables as data: what every list on a page is, and how it is copied."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig.presentation.shown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column; figures stand right, words left."""

    key: str
    title: str
    numeric: bool = False
    help: str = ""
    width: int = 0
    """Least width in pixels at 100 %; 0 lets the content decide."""
    wide: bool = False
    """As wide as its longest text: sentences that a person reads to their end."""
    spare_notes: bool = False
    """Its notes stand in the tool tip alone where the table would otherwise be wider than its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; `heading` rows name a group and have no cells."""

    key: str
    cells: tuple[Shown, ...]
    heading: str = ""
    muted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns and rows; `pinned` columns stay when the rest scrolls."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    name: str = ""
    pinned: int = 0


def sorted_rows(table: Table, column: int, descending: bool = False) -> tuple[Row, ...]:
    """Rows by one column; unknown values last whichever way."""

    def value(row: Row) -> float | str | None:
        return row.cells[column].sort if column < len(row.cells) else None

    rows = [row for row in table.rows if not row.heading]
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    texts = any(isinstance(value(row), str) for row in known)
    known.sort(key=lambda row: str(value(row)) if texts else value(row), reverse=descending)  # type: ignore[arg-type,return-value]
    return (*known, *unknown)


def to_csv(table: Table, rows: Sequence[Row] | None = None) -> str:
    """The table for a spreadsheet, with a byte-order mark so that Excel reads Chinese."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([column.title.replace("\n", " ") for column in table.columns])
    for row in table.rows if rows is None else rows:
        writer.writerow([_safe(row.heading)] if row.heading else [_safe(cell.plain()) for cell in row.cells])
    return "\ufeff" + out.getvalue()


def to_markdown(table: Table, rows: Sequence[Row] | None = None) -> str:
    """The table for a wiki or an issue."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    lines = [line([column.title for column in table.columns])]
    lines.append(line(["--:" if column.numeric else ":--" for column in table.columns]))
    for row in table.rows if rows is None else rows:
        if row.heading:
            lines.append(line([f"**{row.heading}**"] + [""] * (len(table.columns) - 1)))
        else:
            lines.append(line([f"**{cell.plain()}**" if cell.best else cell.plain() for cell in row.cells]))
    return "\n".join(lines) + "\n"


def to_text(rows: Sequence[Row]) -> str:
    """Rows separated by tabs, as a spreadsheet takes them from the clipboard."""
    return "\n".join(row.heading or "\t".join(cell.plain() for cell in row.cells) for row in rows)


def _safe(text: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe."""
    return (
        "'" + text if text[:1] in ("=", "@", "+") or (text[:1] == "-" and not text[1:2].isdigit()) else text
    )
