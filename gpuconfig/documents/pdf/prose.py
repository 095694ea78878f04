"""Headings, paragraphs, lists, facts, the ask, tiles and signature lines on paper."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import (
    Align,
    Ask,
    Bullets,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Signatures,
    Span,
    Style,
    Tiles,
    Tone,
)
from gpuconfig.documents.pdf.flow import Placeable
from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.style import (
    ACCENT,
    ASK_SURFACE,
    BODY,
    BORDER,
    HAIRLINE,
    HEADING,
    LEAD,
    MM,
    SMALL,
    STEP,
    TABLE,
    TEXT_WIDTH,
    TILE,
)
from gpuconfig.documents.pdf.text import TextBox, text_box

_SIZES = {Style.BODY: BODY, Style.SMALL: SMALL, Style.LEAD: LEAD}
LABEL_WIDTH = 34 * MM
ASK_LINES = 8
FEW_FACTS = 5
TALL_FACT = 300.0
"""A value higher than this is set below its label and may run over pages."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Text boxes and bare drawings at fixed places; never split."""

    height: float
    boxes: tuple[tuple[TextBox, float, float, float], ...]  # box, x, distance from the top, width
    before: float = 0.0
    after: float = 0.0
    keeps_next: bool = False
    fill: bool = False
    rules: tuple[tuple[float, float, float], ...] = ()  # x from, x to, distance from the top
    bookmark: Heading | None = None

    def least(self) -> float:
        """It cannot be divided."""
        return self.height

    def split(self, _available: float, /) -> tuple[Placeable, Placeable] | None:
        """It cannot be divided."""
        return None

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Surface, rules, then text."""
        if self.fill:
            canvas.setFillColor(ASK_SURFACE)
            canvas.rect(x, top - self.height, TEXT_WIDTH, self.height, stroke=0, fill=1)
            canvas.setFillColor(ACCENT)
            canvas.rect(x, top - self.height, 2.5, self.height, stroke=0, fill=1)
        canvas.setStrokeColor(BORDER)
        canvas.setLineWidth(HAIRLINE)
        for start, end, down in self.rules:
            canvas.line(x + start, top - down, x + end, top - down)
        for box, left, down, width in self.boxes:
            box.draw(canvas, x + left, top - down, width)


@dataclass(frozen=True, slots=True)
class Lines:
    """One text, perhaps behind a mark, that splits between its lines (never leaving one alone)."""

    box: TextBox
    indent: float = 0.0
    mark: TextBox | None = None
    before: float = 0.0
    after: float = 0.0
    keeps_next: bool = False

    @property
    def height(self) -> float:
        """Of the text."""
        return self.box.height

    def least(self) -> float:
        """Two lines, or all where there are three or fewer."""
        count = len(self.box.lines)
        return self.box.height_of(count if count <= 3 else 2)

    def split(self, available: float) -> tuple[Placeable, Placeable] | None:
        """Between lines, at least two on either page."""
        count = min(self.box.lines_within(available), len(self.box.lines) - 2)
        if count < 2:
            return None
        parts = self.box.split(self.box.height_of(count))
        return parts and (
            replace(self, box=parts[0], after=0.0),
            replace(self, box=parts[1], mark=None, before=0.0),
        )

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Mark, then text."""
        if self.mark is not None:
            self.mark.draw(canvas, x, top, self.indent)
        self.box.draw(canvas, x + self.indent, top, TEXT_WIDTH - self.indent)


def heading(block: Heading, face: Typeface) -> list[Placeable]:
    """Bold, with more space above than below."""
    size = HEADING[block.level - 1]
    tone = Tone.NORMAL
    box = text_box((Span(block.text, bold=True, tone=tone),), TEXT_WIDTH, face, size, leading=1.35)
    space = (18.0, 6.0) if block.level == 1 else (12.0, 4.0)
    return [
        Stack(box.height, ((box, 0.0, 0.0, TEXT_WIDTH),), *space, keeps_next=True, bookmark=block),
    ]


def paragraph(block: Paragraph, face: Typeface) -> list[Placeable]:
    """Running text."""
    box = text_box(block.content, TEXT_WIDTH, face, _SIZES[block.style])
    return [Lines(box, before=2.0, after=5.0)]


def bullets(block: Bullets, face: Typeface) -> list[Placeable]:
    """Each item a block of its own, so that a list may break between items."""
    indent = 16.0 if block.ordered else 11.0
    made: list[Placeable] = []
    for number, item in enumerate(block.items, 1):
        mark = f"{number}." if block.ordered else "•"
        tone = Tone.SECONDARY if block.ordered else Tone.ACCENT
        made.append(
            Lines(
                text_box(item, TEXT_WIDTH - indent, face, BODY),
                indent,
                text_box((Span(mark, tone=tone),), indent, face, BODY),
                before=1.0,
                after=3.0 if number < len(block.items) else 6.0,
            )
        )
    return made


def facts(block: Facts, face: Typeface) -> list[Placeable]:
    """Label and value in `columns` pairs a row, a light line under each row; a few rows stay together."""
    made: list[Placeable] = []
    rows = range(0, len(block.items), block.columns)
    for start in rows:
        last = start + block.columns >= len(block.items)
        row = _fact_row(block.items[start : start + block.columns], block.columns, face)
        for part in row:
            keeps = block.keep or (len(rows) <= FEW_FACTS and not last and part.height < TALL_FACT)
            made.append(replace(part, after=8.0 if last else 0.0, keeps_next=keeps))
    return made


def _fact_row(items: tuple[Fact, ...], columns: int, face: Typeface) -> list[Stack | Lines]:
    share = TEXT_WIDTH / columns
    label_width = LABEL_WIDTH if columns == 1 else min(LABEL_WIDTH, share * 0.34)
    boxes, tall = [], []
    height = 0.0
    for column, fact in enumerate(items):
        left = column * share
        label = text_box((Span(fact.label, tone=Tone.SECONDARY),), label_width - STEP, face, TABLE)
        value = text_box(fact.content, share - label_width - STEP / 2, face, TABLE)
        boxes.append((label, left, 2.5, label_width))
        if value.height > TALL_FACT:
            tall.append(Lines(text_box(fact.content, TEXT_WIDTH, face, TABLE)))
            value = text_box((Span("↓"),), label_width, face, TABLE)
        boxes.append((value, left + label_width, 2.5, share - label_width))
        height = max(height, label.height, value.height)
    rule = ((0.0, TEXT_WIDTH, height + 5.0),)
    return [Stack(height + 5.0, tuple(boxes), rules=rule), *tall]


def ask(block: Ask, face: Typeface) -> list[Placeable]:
    """A tinted box with an accent edge."""
    pad = 11.0
    width = TEXT_WIDTH - 2 * pad
    title = text_box((Span(block.title, bold=True, tone=Tone.ACCENT),), width, face, TABLE)
    boxes = [(title, pad, 8.0, width)]
    down = 8.0 + title.height + 2.0
    for content in block.content:
        box = text_box(content, width, face, LEAD if down < 40 else BODY).clipped(ASK_LINES)
        boxes.append((box, pad, down, width))
        down += box.height + 2.0
    return [Stack(down + 7.0, tuple(boxes), before=4.0, after=10.0, fill=True)]


def tiles(block: Tiles, face: Typeface) -> list[Placeable]:
    """Label, large value, note; side by side, at most four in a row."""
    per_row = len(block.items) if len(block.items) <= 4 else 3
    made: list[Placeable] = []
    share = TEXT_WIDTH / per_row
    width = share - 1.5 * STEP
    for start in range(0, len(block.items), per_row):
        cells = block.items[start : start + per_row]
        labels = [text_box((Span(c.label, tone=Tone.SECONDARY),), width, face, SMALL) for c in cells]
        size = TILE
        while size > 9 and any(face.width(c.value, size, bold=True) > width for c in cells):
            size -= 0.5
        values = [
            text_box((Span(c.value, bold=True, tone=c.tone),), width, face, size, leading=1.35) for c in cells
        ]
        notes = [
            text_box((Span(c.note, tone=Tone.SECONDARY),), width, face, SMALL, leading=1.35) for c in cells
        ]
        boxes = []
        heights = [max(b.height for b in row) for row in (labels, values, notes)]
        for column in range(len(cells)):
            down = 5.0
            for row, height in zip((labels, values, notes), heights, strict=True):
                boxes.append((row[column], column * share, down, width))
                down += height
        total = sum(heights) + 11.0
        rules = ((0.0, TEXT_WIDTH, 0.0), (0.0, TEXT_WIDTH, total))
        made.append(Stack(total, tuple(boxes), before=4.0, after=8.0, rules=rules))
    return made


def signatures(block: Signatures, face: Typeface) -> list[Placeable]:
    """Roles side by side, each with lines to write on."""
    per_row = min(5, max(2, len(block.blocks)))
    share = TEXT_WIDTH / per_row
    made: list[Placeable] = []
    for start in range(0, len(block.blocks), per_row):
        boxes, rules, height = [], [], 0.0
        for column, (role, labels) in enumerate(block.blocks[start : start + per_row]):
            left = column * share
            title = text_box((Span(role, bold=True),), share - STEP, face, BODY)
            boxes.append((title, left, 4.0, share))
            down = 4.0 + title.height + 12.0 if role else 4.0
            for label in labels:
                box = text_box((Span(label, tone=Tone.SECONDARY),), share * 0.45, face, SMALL)
                boxes.append((box, left, down, share))
                rules.append(
                    (left + box.natural_width + 5.0, left + share - 2 * STEP, down + box.line_height)
                )
                down += max(box.height, 12.0) + 10.0
            height = max(height, down)
        made.append(Stack(height, tuple(boxes), before=6.0, after=8.0, rules=tuple(rules)))
    return made


def contents_line(title: str, page: str, level: int, face: Typeface) -> tuple[TextBox, TextBox]:
    """One line of the contents: the title, cut to one line, and the page number."""
    indent = STEP * 1.5 * (level - 1)
    left = text_box((Span(title),), TEXT_WIDTH - indent - 30, face, TABLE)
    right = text_box((Span(page, tone=Tone.SECONDARY),), 28, face, TABLE, align=Align.RIGHT)
    return replace(left, lines=left.lines[:1]), right
