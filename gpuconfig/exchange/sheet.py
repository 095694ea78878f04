"""A table as read from a file: cells as text, with their place, and limits that hostile files run into."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message

MAX_FILE_BYTES = 200 * 2**20
MAX_ROWS = 200_000
MAX_COLUMNS = 500
MAX_CELL_CHARACTERS = 32_767
"""What a spreadsheet program allows in one cell."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is run by spreadsheet programs."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet; `rows[i]` is line `first_line + i` of the file."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    first_line: int = 1

    def line(self, index: int) -> int:
        """Line number of a row for messages."""
        return self.first_line + index


def too_large(file: str, what: Message) -> DataError:
    """The error of a file beyond the limits; nothing of it is imported."""
    text = N_("{file} is too large to import: {what}")
    return DataError("too_large", Message(text, {"file": file, "what": what}))


def check_row(file: str, number: int, cells: tuple[str, ...]) -> None:
    """Refuse rows beyond the limits.

    Raises:
        DataError: too many rows or columns, or an enormous cell.
    """
    if number > MAX_ROWS:
        raise too_large(file, Message(N_("more than {count} rows"), {"count": MAX_ROWS}))
    if len(cells) > MAX_COLUMNS:
        raise too_large(file, Message(N_("more than {count} columns"), {"count": MAX_COLUMNS}))
    if any(len(cell) > MAX_CELL_CHARACTERS for cell in cells):
        what = Message(N_("a cell of more than {count} characters"), {"count": MAX_CELL_CHARACTERS})
        raise too_large(file, what)


def safe(cell: str) -> str:
    """`cell` so that a spreadsheet shows it instead of running it; plain numbers stay numbers."""
    if cell.startswith(FORMULA_STARTS) and not is_number(cell):
        return "'" + cell
    return cell


def unsafe(cell: str) -> str:
    """What `safe` made of a cell, undone."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def is_number(cell: str) -> bool:
    """Whether a cell is a plain number, with a point and without groups."""
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip("+-0123456789.eE") == ""
