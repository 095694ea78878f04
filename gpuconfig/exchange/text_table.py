"""Text tables of any spreadsheet: UTF-8 with or without mark, UTF-16, GB18030; comma, semicolon or tab."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.sheet import MAX_CELL_CHARACTERS, MAX_FILE_BYTES, Sheet, check_row, too_large

DELIMITERS = (",", ";", "\t", "|")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_LINES = 20


def read_text_table(path: Path) -> Sheet:
    """The table in a text file.

    Raises:
        DataError: no known encoding, a broken quotation, or a file beyond the limits.
    """
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise too_large(path.name, Message(N_("{size} MiB"), {"size": size // 2**20}))
    return parse_text_table(decode(path.read_bytes(), path.name), path.name)


def decode(data: bytes, file: str) -> str:
    """`data` as text: by its mark, else strict UTF-8, UTF-16 without a mark, then GB18030.

    Raises:
        DataError: none of them reads it without a wrong character.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding, file)
    for encoding in ("utf-8", *_unmarked_utf16(data), "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text
    raise _unreadable(file)


def parse_text_table(text: str, file: str) -> Sheet:
    """The table in `text`; the delimiter is the one that gives the most even columns.

    Raises:
        DataError: a broken quotation, or a table beyond the limits.
    """
    csv.field_size_limit(4 * MAX_CELL_CHARACTERS)
    delimiter = _delimiter(text)
    rows = []
    try:
        for number, cells in enumerate(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), start=1
        ):
            row = tuple(cell.strip() for cell in cells)
            check_row(file, number, row)
            rows.append(row)
    except csv.Error as error:
        what = Message(N_("line {line}: {reason}"), {"line": len(rows) + 1, "reason": str(error)})
        if "field larger" in str(error):
            raise too_large(file, what) from None
        raise DataError("bad_table", Message(N_("{file}: {what}"), {"file": file, "what": what})) from None
    return Sheet(Path(file).stem, tuple(rows))


def _decoded(data: bytes, encoding: str, file: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise _unreadable(file) from None


def _unreadable(file: str) -> DataError:
    text = N_("{file}: the encoding is none of UTF-8, UTF-16 and GB18030")
    return DataError("bad_encoding", Message(text, {"file": file}))


def _unmarked_utf16(data: bytes) -> tuple[str, ...]:
    """Where every second byte of the start is zero, the text is UTF-16 without its mark."""
    start = data[:200]
    if len(start) < 4:
        return ()
    if start[1::2].count(0) > len(start) // 4:
        return ("utf-16-le",)
    return ("utf-16-be",) if start[0::2].count(0) > len(start) // 4 else ()


def _delimiter(text: str) -> str:
    head = "\n".join(text.splitlines()[:_SAMPLE_LINES])

    def evenness(delimiter: str) -> tuple[int, int]:
        try:
            widths = [
                len(row) for row in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if row
            ]
        except csv.Error:
            return 0, 0
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) if usual > 1 else 0), usual

    return max(DELIMITERS, key=evenness)
