"""Values into spreadsheet cells: typed, and text that can never become a formula."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

from gpuconfig.documents.content import Align, Cell, Text, Tone, plain
from gpuconfig.engine.quantities.money import Currency

FONT = "Microsoft YaHei"  # on every Chinese office computer; others substitute
LONGEST_TEXT = 32_767
MONEY_FORMATS = {Currency.CNY: '"¥"#,##0.00', Currency.USD: '"$"#,##0.00'}
PERCENT_FORMAT = "0.##%"
COLOURS = {
    Tone.NORMAL: "1B2430",
    Tone.SECONDARY: "55606E",
    Tone.ACCENT: "0B63CE",
    Tone.OK: "1E7B4A",
    Tone.WARNING: "8A5200",
    Tone.PROBLEM: "B3261E",
    Tone.UNKNOWN: "5B6472",
}
SURFACE = PatternFill("solid", fgColor="EEF4FC")
ROW_LINE = Border(bottom=Side("thin", color="D9DEE5"))
HEAD_LINE = Border(bottom=Side("medium", color="0B63CE"))
FOOT_LINE = Border(top=Side("thin", color="55606E"), bottom=Side("thin", color="D9DEE5"))

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def put_text(target: SheetCell, content: Text, *, bold: bool = False, size: float = 10) -> None:
    """Write `content` as literal text, whatever it begins with; a lone link stays a link."""
    shown = literal(plain(content))
    target.value = shown
    target.data_type = "s"  # openpyxl takes "=..." for a formula
    if shown.startswith(_STARTS_FORMULA):
        target.quotePrefix = True  # and a spreadsheet would when the cell is edited
    first = content[0] if content else None
    target.font = Font(
        name=FONT,
        size=size,
        bold=bold or (first is not None and all(span.bold for span in content)),
        color=COLOURS[first.tone if first is not None and len(content) == 1 else Tone.NORMAL],
    )
    if len(content) == 1 and first is not None and first.link and len(first.link) < 2000:
        target.hyperlink = first.link
        target.font = Font(name=FONT, size=size, color=COLOURS[Tone.ACCENT])


def put(target: SheetCell, cell: Cell, align: Align, *, formula: str = "") -> None:
    """Write a table's cell with its type, number format and formula."""
    if formula or cell.value is not None:
        bold = bool(cell.content) and all(span.bold for span in cell.content)
        target.value = f"={formula}" if formula else _number(cell)
        target.font = Font(name=FONT, size=10, bold=bold, color=COLOURS[Tone.NORMAL])
        if cell.currency is not None:
            target.number_format = MONEY_FORMATS[cell.currency]
            if cell.value is None:  # "unknown" until a price is filled in, and nothing in the sum
                shown = literal(plain(cell.content)).replace('"', "")
                target.number_format += f';-{MONEY_FORMATS[cell.currency]};"{shown}"'
        elif cell.percent:
            target.number_format = PERCENT_FORMAT
        elif isinstance(cell.value, date):
            target.number_format = "yyyy-mm-dd"
    else:
        put_text(target, cell.content)
    horizontal = {Align.LEFT: "left", Align.RIGHT: "right", Align.CENTRE: "center"}[align]
    target.alignment = Alignment(horizontal=horizontal, vertical="top", wrap_text=True, indent=cell.indent)


def literal(text: str) -> str:
    """`text` without the characters a spreadsheet file cannot hold, each shown as □, and no longer than allowed."""
    clean = _CONTROL.sub("□", text.replace("\r\n", "\n").replace("\r", "\n"))
    return clean if len(clean) <= LONGEST_TEXT else clean[: LONGEST_TEXT - 1] + "…"


def resolve(formula: str, first_column: int, row: int, body: tuple[int, int], foot_start: int) -> str:
    """A content formula with cell addresses in place of `{c3}`, `{all3}` and `{foot0_3}`."""

    def address(match: re.Match[str]) -> str:
        kind, index, column = match[1], match[2], match[3]
        if kind == "foot":
            return f"{get_column_letter(first_column + int(column))}{foot_start + int(index)}"
        letter = get_column_letter(first_column + int(index))
        return f"{letter}{row}" if kind == "c" else f"{letter}{body[0]}:{letter}{body[1]}"

    return re.sub(r"\{(c|all|foot)(\d+)(?:_(\d+))?\}", address, formula)


def _number(cell: Cell) -> Decimal | int | float | date | None:
    value = cell.value
    return value.quantize(Decimal("0.01")) if isinstance(value, Decimal) and cell.currency else value
