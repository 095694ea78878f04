"""Tables that break over pages: repeated headers, carried sums, rows taller than a page cut between lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Cell, Row, Span, Table, Text, Tone
from gpuconfig.documents.pdf.flow import Placeable
from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.linebreak import break_lines
from gpuconfig.documents.pdf.style import (
    ACCENT,
    ASK_SURFACE,
    BORDER,
    CELL_PADDING,
    HAIRLINE,
    SECONDARY,
    SMALL,
    STEP,
    TABLE,
    TABLE_LEADING,
    TEXT_WIDTH,
)
from gpuconfig.documents.pdf.text import TextBox, text_box
from gpuconfig.engine.quantities.money import Money
from gpuconfig.i18n.formats import Formats

ROW_PADDING = 3.0
DENSE_PADDING = 1.5
MOST_FOR_A_WORD = 0.24
"""Share of the text's width up to which a column grows for a long word."""
SHORT_TITLE = 34.0
"""A column's title narrower than this stays on one line."""
SHORT_TABLE = 160.0
"""A table lower than this is not divided."""
LEAST_ROWS = 3
"""Rows above a page break, where there are as many."""
LEAST_BELOW = 2
"""Rows below it: neither a foot nor a single row stands alone."""
TALL_ROW = 200.0
"""A row higher than this may be cut; a lower one goes to the next page whole."""


@dataclass(frozen=True, slots=True)
class LaidCell:
    """Text of a cell, its place and the width it may use."""

    box: TextBox
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class LaidRow:
    """Cells of a row and what it adds to the carried sum."""

    cells: tuple[LaidCell, ...]
    amount: Decimal = Decimal(0)
    strong: bool = False
    padding: float = ROW_PADDING

    @property
    def height(self) -> float:
        """Of the tallest cell, with padding."""
        return max((cell.box.height for cell in self.cells), default=0.0) + 2 * self.padding

    def split(self, available: float) -> tuple[LaidRow, LaidRow] | None:
        """Cut every cell at `available`; None where no line fits."""
        upper, lower = [], []
        for cell in self.cells:
            if cell.box.height + 2 * self.padding <= available:
                upper.append(cell)
                lower.append(replace(cell, box=replace(cell.box, lines=())))
                continue
            parts = cell.box.split(available - 2 * self.padding)
            if parts is None:
                return None
            upper.append(replace(cell, box=parts[0]))
            lower.append(replace(cell, box=parts[1]))
        nothing = replace(self, cells=tuple(upper), amount=Decimal(0))
        return nothing, replace(self, cells=tuple(lower))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table or the part of it on one page."""

    layout: Layout
    head: LaidRow | None
    rows: tuple[LaidRow, ...]
    foot: tuple[LaidRow, ...]
    brought: Decimal | None = None  # sum of the rows on earlier pages
    continues: bool = False
    before: float = 4.0
    after: float = 10.0
    keeps_next: bool = False

    @property
    def height(self) -> float:
        """With header, carried sums and foot."""
        return sum(row.height for row in self._all_rows())

    def least(self) -> float:
        """Header and first rows; a short table whole."""
        head = self.head.height if self.head else 0.0
        if self.height < SHORT_TABLE:
            return self.height
        return (
            head + sum(min(row.height, TALL_ROW) for row in self.rows[:LEAST_ROWS]) + self._carried_height()
        )

    def split(self, available: float) -> tuple[Placeable, Placeable] | None:
        """After the last row that fits; a row taller than `TALL_ROW` is cut."""
        room = available - (self.head.height if self.head else 0.0) - self._carried_height()
        if self.brought is not None:
            room -= self._carried_height()
        count, used = 0, 0.0
        while count < len(self.rows) and used + self.rows[count].height <= room:
            used += self.rows[count].height
            count += 1
        upper, lower = list(self.rows[:count]), list(self.rows[count:])
        if lower and lower[0].height > TALL_ROW and room - used > 40:
            parts = lower[0].split(room - used)
            if parts is not None:
                upper.append(parts[0])
                lower[0] = parts[1]
        while len(upper) > LEAST_ROWS and len(lower) < LEAST_BELOW:
            lower.insert(0, upper.pop())
        if not lower and len(upper) > 1:
            lower = [upper.pop()]
        if not upper or not lower:
            return None
        sums = sum((row.amount for row in upper), self.brought or Decimal(0))
        carried = sums if self.layout.table.carried is not None else None
        return (
            replace(self, rows=tuple(upper), foot=(), continues=True, after=0.0),
            replace(self, rows=tuple(lower), brought=carried, before=0.0),
        )

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Row by row from the top; light lines between rows, an accent line under the header."""
        y = top
        rows = self._all_rows()
        foot_start = len(rows) - len(self.foot)
        for index, row in enumerate(rows):
            is_head = row is self.head
            if row.strong:
                canvas.setFillColor(ASK_SURFACE)
                canvas.rect(x, y - row.height, TEXT_WIDTH, row.height, stroke=0, fill=1)
            for cell in row.cells:
                if cell.box.lines:
                    cell.box.draw(canvas, x + cell.x, y - row.padding, cell.width)
            if self.foot and index == foot_start:
                _rule(canvas, x, y, SECONDARY, 0.8)
            y -= row.height
            _rule(canvas, x, y, ACCENT if is_head else BORDER, 0.8 if is_head else HAIRLINE)

    def _all_rows(self) -> list[LaidRow]:
        rows = [self.head] if self.head else []
        if self.brought is not None:
            rows.append(self.layout.carried_row(self.brought, brought=True))
        rows.extend(self.rows)
        if self.continues and self.layout.table.carried is not None:
            sums = sum((row.amount for row in self.rows), self.brought or Decimal(0))
            rows.append(self.layout.carried_row(sums, brought=False))
        rows.extend(self.foot)
        return rows

    def _carried_height(self) -> float:
        if self.layout.table.carried is None:
            return 0.0
        return TABLE * TABLE_LEADING + 2 * ROW_PADDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Column places of one table, and how its cells become laid-out text."""

    table: Table
    face: Typeface
    formats: Formats
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    size: float

    def row(self, cells: Row, *, strong: bool = False) -> LaidRow:
        """One row; a cell that spans takes the width of its columns and the last one's alignment."""
        laid, column, amount = [], 0, Decimal(0)
        for cell in cells:
            last = min(column + cell.span, len(self.widths)) - 1
            indent = cell.indent * STEP
            # Half a gutter on either side of a column; the table's edges stand flush with the text.
            before, after = (
                (CELL_PADDING if column else 0.0),
                (CELL_PADDING if last + 1 < len(self.widths) else 0.0),
            )
            width = self.lefts[last] + self.widths[last] - self.lefts[column] - indent - before - after
            align = self.table.columns[column].align
            box = text_box(cell.content, width, self.face, self.size, leading=TABLE_LEADING, align=align)
            laid.append(LaidCell(box, self.lefts[column] + indent + before, width))
            if column <= (self.table.carried or -1) <= last and isinstance(cell.value, Decimal):
                amount = cell.value
            column += cell.span
        return LaidRow(tuple(laid), amount, strong, DENSE_PADDING if self.table.dense else ROW_PADDING)

    def head(self) -> LaidRow | None:
        """The header, small and secondary; None where no column has a title."""
        if not any(column.title for column in self.table.columns):
            return None
        cells = tuple(
            Cell(content=(Span(column.title, bold=True, tone=Tone.SECONDARY),))
            for column in self.table.columns
        )
        return replace(self, size=SMALL).row(cells)

    def carried_row(self, amount: Decimal, *, brought: bool) -> LaidRow:
        """The line that carries the sum over a page break."""
        column = self.table.carried or 0
        label = Span(self.table.carried_labels[1 if brought else 0], tone=Tone.SECONDARY)
        currency = self.table.carried_currency
        shown = str(amount) if currency is None else self.formats.money(Money(amount, currency), cents=True)
        cells = (Cell(content=(label,), span=column), Cell(content=(Span(shown, tone=Tone.SECONDARY),)))
        return replace(self.row(cells), amount=Decimal(0))


def lay_table(table: Table, face: Typeface, formats: Formats) -> Grid:
    """The whole table as one block."""
    lefts, widths = _places(table, face)
    size = SMALL if table.dense else TABLE
    layout = Layout(table=table, face=face, formats=formats, lefts=lefts, widths=widths, size=size)
    rows = tuple(layout.row(row, strong=index in table.strong) for index, row in enumerate(table.rows))
    return Grid(
        layout=layout, head=layout.head(), rows=rows, foot=tuple(layout.row(row) for row in table.foot)
    )


def _places(table: Table, face: Typeface) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Left edges and widths: by weight, but no column narrower than its longest unbreakable word."""
    needed = [0.0] * len(table.columns)
    for index, column in enumerate(table.columns):
        title = (Span(column.title, bold=True),)
        whole = max(face.width(line, SMALL, bold=True) for line in column.title.split("\n"))
        needed[index] = whole if whole <= SHORT_TITLE else _longest(title, face, SMALL)
    for row in (*table.rows, *table.foot):
        column_index = 0
        for cell in row:
            if cell.span == 1 and column_index < len(needed):
                wanted = _longest(cell.content, face, TABLE) + cell.indent * STEP
                needed[column_index] = max(needed[column_index], wanted)
            column_index += cell.span
    limit = max(TEXT_WIDTH * MOST_FOR_A_WORD, TEXT_WIDTH / len(needed))
    needed = [min(width, limit) + 2 * CELL_PADDING + 0.5 for width in needed]
    widths = _shared([column.weight for column in table.columns], needed)
    lefts = tuple(sum(widths[:index]) for index in range(len(widths)))
    return lefts, widths


def _longest(content: Text, face: Typeface, size: float) -> float:
    atoms = break_lines(content, 0.1, face.measure(size), cut_words=False)
    return max(line.width for line in atoms)


def _shared(weights: list[float], needed: list[float]) -> tuple[float, ...]:
    """Widths that add up to the text's: needed ones are fixed, the rest is shared by weight."""
    fixed: set[int] = set()
    while True:
        free = [index for index in range(len(weights)) if index not in fixed]
        room = TEXT_WIDTH - sum(needed[index] for index in fixed)
        total = sum(weights[index] for index in free)
        short = {index for index in free if room * weights[index] / total < needed[index]}
        if not short:
            return tuple(
                needed[index] if index in fixed else room * weight / total
                for index, weight in enumerate(weights)
            )
        fixed |= short
        if len(fixed) == len(weights):
            scale = TEXT_WIDTH / sum(needed)
            return tuple(width * scale for width in needed)


def _rule(canvas: Canvas, x: float, y: float, colour: Color, width: float) -> None:
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(width)
    canvas.line(x, y, x + TEXT_WIDTH, y)
