"""Bookmarks and the table of contents."""

from __future__ import annotations

from dataclasses import dataclass, field

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Contents, Document, Heading, Span, Tone
from gpuconfig.documents.pdf.flow import Placeable
from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.prose import contents_line
from gpuconfig.documents.pdf.style import BORDER, HAIRLINE, PRINTED, TABLE, TEXT_WIDTH
from gpuconfig.documents.pdf.text import text_box


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A heading and where it is."""

    heading: Heading
    key: str
    page: int
    top: float


@dataclass(slots=True)
class ContentsBlock:
    """Headings of the first level with their page numbers, which are known once everything is placed."""

    block: Contents
    document: Document
    face: Typeface
    bookmarks: list[Bookmark] = field(default_factory=list)
    before: float = 8.0
    after: float = 10.0
    keeps_next: bool = False
    line_height: float = TABLE * 1.55

    @property
    def height(self) -> float:
        """A title and a line for each heading."""
        headings = sum(isinstance(b, Heading) and b.level == 1 for b in self.document.blocks)
        return self.line_height * (headings + 1) + 6.0

    def least(self) -> float:
        """It cannot be divided."""
        return self.height

    def split(self, _available: float, /) -> tuple[Placeable, Placeable] | None:
        """It cannot be divided."""
        return None

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Title, then a line with a link for each heading."""
        text_box(
            (Span(self.block.title, bold=True, tone=Tone.SECONDARY),), TEXT_WIDTH, self.face, TABLE
        ).draw(canvas, x, top, TEXT_WIDTH)
        y = top - self.line_height - 4.0
        for bookmark in self.bookmarks:
            left, right = contents_line(bookmark.heading.text, str(bookmark.page), 1, self.face)
            left.draw(canvas, x, y, TEXT_WIDTH)
            right.draw(canvas, x + TEXT_WIDTH - 28, y, 28)
            canvas.setStrokeColor(BORDER)
            canvas.setLineWidth(HAIRLINE)
            canvas.setDash(1, 2)
            canvas.line(
                x + left.natural_width + 6, y - TABLE, x + TEXT_WIDTH - right.natural_width - 6, y - TABLE
            )
            canvas.setDash()
            area = (x, y - self.line_height, x + TEXT_WIDTH, y)
            canvas.linkAbsolute("", bookmark.key, area, Border="[0 0 0]", F=PRINTED)
            y -= self.line_height
