"""Sheets of an XLSX workbook as text, merged titles filled in, and nothing unpacked beyond the limits."""

from __future__ import annotations

import datetime
import zipfile
import zlib
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.exchange.sheet import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, Sheet, check_row, too_large

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MAX_RATIO = 200
"""How many times larger a part may be than it is packed; text packs by 5 to 30, a bomb by 1000."""


_ROW = b"<row "
_PIECE_BYTES = 2**20


def read_workbook(path: Path) -> tuple[Sheet, ...]:
    """Every sheet that has cells.

    Raises:
        DataError: no workbook, a damaged one, or one beyond the limits (a packed bomb is not unpacked).
    """
    _check_archive(path)
    import openpyxl  # heavy, and only for workbooks

    try:
        book = openpyxl.load_workbook(path, data_only=True)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise _unreadable(path, error) from None
    try:
        sheets = tuple(_sheet(path, sheet) for sheet in book.worksheets)
    finally:
        book.close()
    return tuple(sheet for sheet in sheets if any(any(row) for row in sheet.rows))


def _check_archive(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            _check_parts(path, parts)
            for part in parts:
                if part.filename.startswith("xl/worksheets/"):
                    _check_rows(path, archive, part)
    except (OSError, zipfile.BadZipFile, zlib.error) as error:
        raise _unreadable(path, error) from None
    if "xl/workbook.xml" not in {part.filename for part in parts}:
        raise _unreadable(path, KeyError("xl/workbook.xml"))


def _check_parts(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    total = sum(part.file_size for part in parts)
    if total > MAX_FILE_BYTES or len(parts) > 10_000:
        raise too_large(path.name, Message(N_("{size} MiB unpacked"), {"size": total // 2**20}))
    for part in parts:
        if part.file_size > MAX_RATIO * max(part.compress_size, 1) and part.file_size > 2**20:
            raise too_large(path.name, Message(N_("a part packed more tightly than text can be")))


def _check_rows(path: Path, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Count rows while unpacking piece by piece: a sheet of millions is refused before it fills the memory."""
    rows, tail = 0, b""
    with archive.open(part) as stream:
        while piece := stream.read(_PIECE_BYTES):
            rows += (tail + piece).count(_ROW)
            tail = piece[-(len(_ROW) - 1) :]
            if rows > MAX_ROWS:
                raise too_large(path.name, Message(N_("more than {count} rows"), {"count": MAX_ROWS}))


def _sheet(path: Path, sheet: Worksheet) -> Sheet:
    if (sheet.max_row or 0) > MAX_ROWS:
        raise too_large(path.name, Message(N_("more than {count} rows"), {"count": MAX_ROWS}))
    if (sheet.max_column or 0) > MAX_COLUMNS:
        raise too_large(path.name, Message(N_("more than {count} columns"), {"count": MAX_COLUMNS}))
    rows = [[_text(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    for area in sheet.merged_cells.ranges:
        _fill(rows, area.min_row - 1, area.max_row, area.min_col - 1, area.max_col)
    finished = tuple(tuple(row) for row in rows)
    for number, row in enumerate(finished, start=1):
        check_row(path.name, number, row)
    return Sheet(sheet.title, finished)


def _fill(rows: list[list[str]], top: int, bottom: int, left: int, right: int) -> None:
    value = rows[top][left]
    for row in rows[top:bottom]:
        row[left:right] = [value] * (min(right, len(row)) - left)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, float):
        return format(Decimal(repr(value)).normalize(), "f") if value == value else ""
    return str(value).strip()


def _unreadable(path: Path, error: Exception) -> DataError:
    reason = (
        refusal(error) if isinstance(error, OSError) else Message(N_("it is damaged, or of another kind"))
    )
    values = {"file": path.name, "reason": reason}
    return DataError("bad_workbook", Message(N_("{file} is no readable workbook: {reason}"), values))
