"""A laid-out piece of text: lines at a size, drawn from the top left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Align, Span, Text, Tone
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, SMALL_FACTOR, Typeface
from gpuconfig.documents.pdf.linebreak import Line, Piece, break_lines
from gpuconfig.documents.pdf.style import LEADING, PRINTED, TONES

ASCENT = 0.88  # of the em, to the top of a Chinese character


@dataclass(frozen=True, slots=True)
class TextBox:
    """Lines of `size` points with `leading` (distance of two baselines over the size)."""

    lines: tuple[Line, ...]
    size: float
    leading: float
    align: Align = Align.LEFT

    @property
    def line_height(self) -> float:
        """From baseline to baseline."""
        return self.size * self.leading

    @property
    def height(self) -> float:
        """Of all lines."""
        return len(self.lines) * self.line_height

    @property
    def natural_width(self) -> float:
        """Of the longest line."""
        return max(line.width for line in self.lines)

    def split(self, available: float) -> tuple[TextBox, TextBox] | None:
        """The lines that fit into `available` and the rest; None where none or all fit."""
        count = int((available + 0.01) / self.line_height)
        if not 0 < count < len(self.lines):
            return None
        return replace(self, lines=self.lines[:count]), replace(self, lines=self.lines[count:])

    def clipped(self, count: int) -> TextBox:
        """At most `count` lines; what is left out is marked by an ellipsis."""
        if len(self.lines) <= count:
            return self
        last = self.lines[count - 1]
        end = last.pieces[-1] if last.pieces else Piece(Span(""), "", 0.0)
        marked = replace(end, text=end.text[:-1] + "…")
        return replace(
            self, lines=(*self.lines[: count - 1], replace(last, pieces=(*last.pieces[:-1], marked)))
        )

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draw with the top edge at `top` (points from the bottom of the page)."""
        baseline = top - (self.line_height - self.size) / 2 - self.size * ASCENT
        writer = canvas.beginText()
        for line in self.lines:
            start = x
            if self.align is Align.RIGHT:
                start += width - line.width
            elif self.align is Align.CENTRE:
                start += (width - line.width) / 2
            for piece in line.pieces:
                size = self.size * SMALL_FACTOR if piece.span.small else self.size
                writer.setTextOrigin(start, baseline)
                writer.setFont(BOLD if piece.span.bold else REGULAR, size)
                writer.setFillColor(TONES[Tone.ACCENT if piece.span.link else piece.span.tone])
                writer.textOut(piece.text)
                if piece.span.link:
                    area = (start, baseline - size * 0.2, start + piece.width, baseline + size)
                    canvas.linkURL(piece.span.link, area, relative=0, thickness=0, F=PRINTED)
                start += piece.width
            baseline -= self.line_height
        canvas.drawText(writer)


def text_box(
    content: Text,
    width: float,
    face: Typeface,
    size: float,
    *,
    leading: float = LEADING,
    align: Align = Align.LEFT,
) -> TextBox:
    """`content` broken into lines of `width`, every character printable."""
    clean = tuple(_clean(span, face) for span in content)
    return TextBox(break_lines(clean, width, face.measure(size)), size, leading, align)


def _clean(span: Span, face: Typeface) -> Span:
    printable = face.printable(span.text)
    return span if printable == span.text else replace(span, text=printable)
