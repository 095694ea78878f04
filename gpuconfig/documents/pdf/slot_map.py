"""Board and case from the side as vectors on paper: brackets, cards and connectors to one scale."""

from __future__ import annotations

from typing import Any, Literal

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color

from gpuconfig.documents.content import Span, Tone
from gpuconfig.documents.pdf.chart import ChartBlock
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, Typeface
from gpuconfig.documents.pdf.style import ACCENT, BORDER, LEAD, SECONDARY, SMALL, TEXT, TEXT_WIDTH
from gpuconfig.documents.pdf.text import text_box
from gpuconfig.documents.slot_map import PITCH_MM, CardBlock, SlotLine, SlotPicture

Anchor = Literal["start", "end"]
SCALE = 0.82
"""Points a millimetre: the longest cases for cards (about 470 mm) still leave room for the brackets' numbers."""
GUTTER = 18.0
HEAD = 12.0
CONNECTOR = 3.0
CARD_FILL = Color(0.04, 0.39, 0.81, alpha=0.10)
CASE_FILL = Color(0.96, 0.97, 0.98)
UNKNOWN_LENGTH_MM = 267.0
"""Drawn with a broken outline where a card's length is not recorded: a full-length card without its bracket."""


def lay_slots(picture: SlotPicture, face: Typeface) -> ChartBlock:
    """Title, drawing, and what it means in words."""
    head = text_box((Span(picture.title, bold=True),), TEXT_WIDTH, face, LEAD)
    words = text_box((Span(picture.summary, tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL)
    return ChartBlock(head, _Sheet(picture, face).drawing, words)


class _Sheet:
    """One drawing; y counts down from the upper edge."""

    def __init__(self, picture: SlotPicture, face: Typeface) -> None:
        self.picture, self.face = picture, face
        self.row = PITCH_MM * SCALE
        self.height = HEAD + picture.rows() * self.row + 4.0
        self.drawing: Any = Drawing(TEXT_WIDTH, self.height)
        # else the renderer starts with Helvetica, which is not embedded
        self.drawing.__dict__["initialFontName"] = REGULAR
        self._case()
        for card in picture.cards:
            self._card(card)
        for line in picture.lines:
            if not any(c.position < line.position < c.position + c.brackets for c in picture.cards):
                self._slot(line)  # those under a card are of no use, and its words stand there

    def _top(self, position: float) -> float:
        return HEAD + (position - 1) * self.row

    def _rect(self, x: float, top: float, width: float, height: float, **look: Any) -> None:
        self.drawing.add(Rect(x, self.height - top - height, width, height, **look))

    def _text(
        self, x: float, middle: float, words: str, bold: bool, colour: Color, anchor: Anchor = "start"
    ) -> None:
        font = BOLD if bold else REGULAR
        self.drawing.add(String(x, self.height - middle - SMALL / 3, self.face.printable(words), fontName=font,
                                fontSize=SMALL, fillColor=colour, textAnchor=anchor))  # fmt: skip

    def _case(self) -> None:
        """Brackets from the top, and the room for cards where the case names it."""
        picture = self.picture
        brackets = picture.case_brackets or picture.rows()
        length = picture.case_length_mm
        if length is not None:
            width = min(length * SCALE, TEXT_WIDTH - GUTTER)
            self._rect(GUTTER, self._top(1), width, brackets * self.row, fillColor=CASE_FILL, strokeColor=BORDER,
                       strokeWidth=0.5)  # fmt: skip
            self._text(GUTTER + width, HEAD / 2, picture.case_label, False, SECONDARY, "end")
        for number in range(1, picture.rows() + 1):
            y = self.height - self._top(number)
            self.drawing.add(Line(GUTTER - 3, y, GUTTER, y, strokeColor=BORDER, strokeWidth=0.5))
            if number <= brackets:
                self._text(GUTTER - 6, self._top(number) + self.row / 2, str(number), False, SECONDARY, "end")

    def _card(self, card: CardBlock) -> None:
        length = card.length_mm
        room = min((UNKNOWN_LENGTH_MM if length is None else length) * SCALE, TEXT_WIDTH - GUTTER)
        dashes = {} if length is not None else {"strokeDashArray": [3, 2]}
        self._rect(GUTTER, self._top(card.position) + 1, room, card.brackets * self.row - 2, fillColor=CARD_FILL,
                   strokeColor=ACCENT, strokeWidth=0.9, rx=2, ry=2, **dashes)  # fmt: skip
        # A card of one bracket shares the row with what its slot gives.
        single = card.brackets < 2
        middle = self._top(card.position) + (
            self.row / 2 if single else self.row * card.brackets - self.row * 0.55
        )
        start = GUTTER + (150 if single else 8)
        size = self.face.width(card.label, SMALL)
        left = GUTTER + room - 6 - size - 8 - start
        self._text(start, middle, self.face.shortened(card.name, SMALL, left * 0.95), True, TEXT)
        self._text(GUTTER + room - 6, middle, card.label, False, SECONDARY, "end")

    def _slot(self, line: SlotLine) -> None:
        """The connector where the board has it, and what it gives, right of it."""
        middle = self._top(line.position) + self.row / 2
        width = line.connector_mm * SCALE
        self._rect(
            GUTTER + 8, middle - CONNECTOR / 2, width, CONNECTOR, fillColor=SECONDARY, strokeColor=None
        )
        self._text(GUTTER + 14 + width, middle, line.label, False, SECONDARY)
