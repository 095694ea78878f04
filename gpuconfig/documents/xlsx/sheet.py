"""One worksheet: blocks one under the other on a grid of as many columns as its widest table."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Border, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from gpuconfig.documents.content import (
    Align,
    Ask,
    Block,
    Bullets,
    Document,
    Facts,
    Heading,
    Paragraph,
    Row,
    Signatures,
    Style,
    Table,
    Text,
    Tiles,
    Tone,
    TradeOff,
    plain,
    text,
)
from gpuconfig.documents.xlsx.cells import (
    COLOURS,
    FONT,
    FOOT_LINE,
    HEAD_LINE,
    ROW_LINE,
    SURFACE,
    literal,
    put,
    put_text,
    resolve,
)

PAGE_CHARACTERS = 96
"""Half-width characters on a printed line, shared by the columns."""
LINE_HEIGHT = 15.0


@dataclass(slots=True)
class SheetWriter:
    """Writes blocks from the top down.

    Attributes:
        width: columns of the grid.
    """

    sheet: Worksheet
    document: Document
    width: int
    row: int = 1
    _needed: list[float] = field(default_factory=list)
    _repeat: str = ""

    def head(self) -> None:
        """Kind, title, number and date, the draft mark."""
        document = self.document
        self._line(text(document.organisation), size=10)
        self._line(text(document.headline or document.title, bold=True), size=16)
        self._line(text(document.subtitle or document.kind), size=11)
        self._line(text("  ·  ".join(part for part in (*document.head, document.watermark) if part)), size=9)
        self.row += 1

    def write(self, block: Block) -> None:
        """One block; page breaks and contents have no meaning here."""
        match block:
            case Heading():
                self.row += 1
                self._line(text(block.text, bold=True), size=14 if block.level == 1 else 11)
            case Paragraph():
                self._line(block.content, size=9 if block.style is Style.SMALL else 10)
            case Bullets():
                self._list(block)
            case Facts():
                for fact in block.items:
                    self._pair(fact.label, fact.content)
            case Ask() | Tiles():
                self._opening(block)
            case Table():
                self._table(block)
            case TradeOff():
                self._points(block)
            case Signatures():
                self._signatures(block)
            case _:
                return

    def _list(self, block: Bullets) -> None:
        for number, item in enumerate(block.items, 1):
            self._line((*text(f"{number}. " if block.ordered else "• "), *item))

    def _opening(self, block: Ask | Tiles) -> None:
        """The ask on a tinted ground, or the main figures as pairs."""
        if isinstance(block, Ask):
            self._line(text(block.title, bold=True), surface=True)
            for content in block.content:
                self._line(content, surface=True)
            return
        for tile in block.items:
            note = f"  ({tile.note})" if tile.note else ""
            self._pair(tile.label, (*text(tile.value, bold=True), *text(note)))

    def finish(self) -> None:
        """Column widths, paper, footer."""
        shares = self._needed or [1.0] * self.width
        total = sum(shares) or 1.0
        scale = min(1.0, PAGE_CHARACTERS / total)
        for index, share in enumerate(shares, 1):
            self.sheet.column_dimensions[get_column_letter(index)].width = max(6.0, share * scale + 1.5)
        sheet = self.sheet
        sheet.sheet_view.showGridLines = False
        sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
        sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        footer: Any = sheet.oddFooter
        footer.left.text = literal(self.document.footer)[:200].replace("&", "&&")
        footer.right.text = "&P / &N"
        if self._repeat:
            sheet.print_title_rows = self._repeat

    def _cell(self, column: int) -> SheetCell:
        """The cell of the current row; rows are written before they are merged."""
        cell = self.sheet.cell(self.row, column)
        assert isinstance(cell, SheetCell)
        return cell

    def _line(self, content: Text, *, size: float = 10, surface: bool = False) -> None:
        """Text over the whole width."""
        cell = self._cell(1)
        put_text(cell, content, size=size)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        if surface:
            for column in range(1, self.width + 1):
                self._cell(column).fill = SURFACE
        self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=1, end_column=self.width)
        lines = sum(max(1, -(-_characters(part) // PAGE_CHARACTERS)) for part in plain(content).split("\n"))
        self.sheet.row_dimensions[self.row].height = min(400.0, LINE_HEIGHT * size / 10 * lines)
        self.row += 1

    def _pair(self, label: str, content: Text) -> None:
        """Label over the first two columns, what it says over the rest."""
        split = 2 if self.width > 4 else 1
        first, second = self._cell(1), self._cell(split + 1)
        put_text(first, text(label))
        first.font = Font(name=FONT, size=10, color=COLOURS[Tone.SECONDARY])
        put_text(second, content)
        for cell in (first, second):
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        if split > 1:
            self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=1, end_column=split)
        if self.width > split + 1:
            self.sheet.merge_cells(
                start_row=self.row, end_row=self.row, start_column=split + 1, end_column=self.width
            )
        lines = max(1, -(-_characters(plain(content)) // (PAGE_CHARACTERS * 3 // 4)))
        self.sheet.row_dimensions[self.row].height = min(400.0, LINE_HEIGHT * lines)
        self.row += 1

    def _table(self, table: Table) -> None:
        if table.caption:
            self._line(text(table.caption, bold=True))
        if any(column.title for column in table.columns):
            for index, column in enumerate(table.columns, 1):
                cell = self._cell(index)
                put_text(cell, text(column.title, bold=True), size=9)
                cell.alignment = Alignment(
                    horizontal="right" if column.align is Align.RIGHT else "left",
                    vertical="bottom",
                    wrap_text=True,
                )
                cell.border = HEAD_LINE
            if not self._repeat and len(table.rows) > 20:
                self._repeat = f"{self.row}:{self.row}"
            self.row += 1
        body = (self.row, self.row + max(len(table.rows), 1) - 1)
        foot_start = self.row + len(table.rows)
        for row in table.rows:
            self._row(table, row, body, foot_start, ROW_LINE)
        for row in table.foot:
            self._row(table, row, body, foot_start, FOOT_LINE)
        self._measure(table)
        self.row += 1

    def _row(self, table: Table, row: Row, body: tuple[int, int], foot_start: int, line: Border) -> None:
        for index in range(1, len(table.columns) + 1):
            self._cell(index).border = line
        column = 0
        lines = 1
        for cell in row:
            target = self._cell(column + 1)
            align = table.columns[min(column, len(table.columns) - 1)].align
            put(target, cell, align, formula=resolve(cell.formula, 1, self.row, body, foot_start))
            if cell.span > 1:
                self.sheet.merge_cells(
                    start_row=self.row,
                    end_row=self.row,
                    start_column=column + 1,
                    end_column=column + cell.span,
                )
            weight = sum(c.weight for c in table.columns[column : column + cell.span])
            share = max(6.0, PAGE_CHARACTERS * weight / sum(c.weight for c in table.columns))
            parts = plain(cell.content).split("\n")
            lines = max(lines, sum(max(1, -(-_characters(part) // int(share))) for part in parts))
            column += cell.span
        self.sheet.row_dimensions[self.row].height = min(400.0, LINE_HEIGHT * lines)
        self.row += 1

    def _measure(self, table: Table) -> None:
        """Widths by the weights of the table with the most columns."""
        if len(table.columns) >= len(self._needed):
            total = sum(column.weight for column in table.columns)
            self._needed = [PAGE_CHARACTERS * column.weight / total for column in table.columns]

    def _points(self, chart: TradeOff) -> None:
        """The chart's points as a table with the same finding above it."""
        self._line(text(chart.title, bold=True), size=11)
        for index, title in enumerate((chart.legend[0], chart.x_label, chart.y_label, chart.legend[1]), 1):
            cell = self._cell(index)
            put_text(cell, text("" if index == 1 else title, bold=True), size=9)
            cell.alignment = Alignment(wrap_text=True, vertical="bottom")
            cell.border = HEAD_LINE
        self.row += 1
        for point in sorted(chart.points, key=lambda p: p.x):
            mark = f" ★ {chart.legend[0]}" if point.chosen else ""
            put_text(self._cell(1), text(point.label + mark, bold=point.chosen))
            for column, value in ((2, point.x), (3, point.y)):
                cell = self._cell(column)
                cell.value = value
                cell.number_format = "#,##0.00"
                cell.font = Font(name=FONT, size=10)
            put_text(self._cell(4), text("✓" if point.front else ""))
            self.row += 1
        self._line(text(chart.summary), size=9)

    def _signatures(self, block: Signatures) -> None:
        self.row += 1
        for role, labels in block.blocks:
            self._pair(role, text("      ".join(f"{label}: ____________" for label in labels)))


def _characters(shown: str) -> int:
    """Width in half-width characters: a Chinese one counts two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in shown)
