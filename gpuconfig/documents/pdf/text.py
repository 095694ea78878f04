"""A laid-out piece of text: lines at a size, drawn from the top left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Align, Span, Text, Tone
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, SMALL_FACTOR, Typeface
from gpuconfig.documents.pdf.linebreak import Line, Piece, break_lines
from gpuconfig.documents.pdf.style import LEADING, PRINTED, ROUNDING, TONES

ASCENT = 0.88  # of the em, to the top of a Chinese character
GAP = Span("   ")


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
        return self.height_of(len(self.lines))

    def height_of(self, count: int) -> float:
        """Of the first `count` lines; one with nothing but small text is lower."""
        return sum(self._size(line) for line in self.lines[:count]) * self.leading

    def lines_within(self, available: float) -> int:
        """How many lines fit into `available`."""
        count = 0
        while count < len(self.lines) and self.height_of(count + 1) <= available + ROUNDING:
            count += 1
        return count

    @property
    def natural_width(self) -> float:
        """Of the longest line."""
        return max(line.width for line in self.lines)

    def split(self, available: float) -> tuple[TextBox, TextBox] | None:
        """The lines that fit into `available` and the rest; None where none or all fit."""
        count = self.lines_within(available)
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
        writer = canvas.beginText()
        for line in self.lines:
            body = self._size(line)
            baseline = top - body * ((self.leading - 1) / 2 + ASCENT)
            top -= body * self.leading
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
        canvas.drawText(writer)

    def _size(self, line: Line) -> float:
        is_small = bool(line.pieces) and all(piece.span.small for piece in line.pieces)
        return self.size * SMALL_FACTOR if is_small else self.size


def text_box(
    content: Text,
    width: float,
    face: Typeface,
    size: float,
    *,
    leading: float = LEADING,
    align: Align = Align.LEFT,
    whole_runs: bool = False,
) -> TextBox:
    """`content` broken into lines of `width`, every character printable, as dense as the face says.

    Args:
        whole_runs: see `break_lines`.
    """
    clean = tuple(_clean(span, face) for span in content)
    size, leading = size * face.scale, leading * face.density
    measure = face.measure(size)
    lines = break_lines(clean, width, measure, whole_runs=whole_runs)
    if any(span.yields for span in clean):
        flat = tuple(GAP if span.yields else span for span in clean)
        joined = break_lines(flat, width, measure, whole_runs=whole_runs)
        lines = joined if len(joined) == 1 else lines
    return TextBox(lines, size, leading, align)


def _clean(span: Span, face: Typeface) -> Span:
    printable = face.printable(span.text)
    return span if printable == span.text else replace(span, text=printable)
