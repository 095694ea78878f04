"""What stands around the text of a page: the head of the paper, running heads, footers, the draft mark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import BETWEEN, Align, Document, Span, Text, Tone
from gpuconfig.documents.pdf.flow import TOP
from gpuconfig.documents.pdf.fonts import BOLD, Typeface
from gpuconfig.documents.pdf.prose import Stack
from gpuconfig.documents.pdf.style import (
    ACCENT,
    BORDER,
    HAIRLINE,
    MARGIN,
    MM,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    SMALL,
    TABLE,
    TABLE_LEADING,
    TEXT_WIDTH,
    TITLE,
    WATERMARK,
)
from gpuconfig.documents.pdf.text import text_box

TITLE_LINES = 4
SUBTITLE_LINES = 6
LOGO_HEIGHT = 26.0
LOGO_WIDTH = 110.0


def lay_head(document: Document, face: Typeface) -> Stack:
    """Kind and organisation, title, subtitle, number and date, with an accent line under all of it."""
    right = 190.0
    boxes = []
    top = LOGO_HEIGHT + 6.0 if logo_path(document.logo) else 0.0
    organisation = text_box((Span(document.organisation),), right, face, TABLE, align=Align.RIGHT).clipped(
        SUBTITLE_LINES
    )
    boxes.append((organisation, TEXT_WIDTH - right, top, right))
    down = top
    if document.kind:
        kind = text_box((Span(document.kind, bold=True, tone=Tone.ACCENT),), TEXT_WIDTH - right, face, TABLE)
        boxes.append((kind, 0.0, top, TEXT_WIDTH - right))
        down += max(kind.height, organisation.height) + 3.0
    first, slash, second = (document.headline or document.title).partition(BETWEEN)
    headline: Text = (Span(first + slash.rstrip(), bold=True),)
    if second:  # a second language that does not fit beside the first begins a line of its own
        headline += (Span("\n", yields=True), Span(second, bold=True))
    width = TEXT_WIDTH if document.kind else TEXT_WIDTH - right
    title = text_box(headline, width, face, TITLE, leading=1.3, whole_runs=True).clipped(TITLE_LINES)
    boxes.append((title, 0.0, down, width))
    down += max(title.height, 0.0 if document.kind else organisation.height) + 2.0
    if document.subtitle:
        subtitle = text_box(
            (Span(document.subtitle, tone=Tone.SECONDARY),), TEXT_WIDTH, face, TABLE + 1
        ).clipped(SUBTITLE_LINES)
        boxes.append((subtitle, 0.0, down, TEXT_WIDTH))
        down += subtitle.height + 2.0
    line = "  ·  ".join(part for part in document.head if part)
    facts = text_box(
        (Span(line, tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL, leading=TABLE_LEADING
    ).clipped(SUBTITLE_LINES)
    boxes.append((facts, 0.0, down, TEXT_WIDTH))
    return Stack(down + facts.height + 7.0, tuple(boxes))


def draw_head(canvas: Canvas, document: Document, head: Stack) -> None:
    """The head, the accent line under it and the logo above it."""
    head.draw(canvas, MARGIN, TOP)
    canvas.setStrokeColor(ACCENT)
    canvas.setLineWidth(1.6)
    canvas.line(MARGIN, TOP - head.height, MARGIN + TEXT_WIDTH, TOP - head.height)
    logo = logo_path(document.logo)
    if logo:
        image = ImageReader(logo)
        width, height = image.getSize()
        scale = min(LOGO_HEIGHT / height, LOGO_WIDTH / width)
        canvas.drawImage(image, MARGIN, TOP - height * scale, width * scale, height * scale, mask="auto")


def running_head(canvas: Canvas, document: Document, face: Typeface) -> None:
    """From the second page on: kind and title on one line."""
    words = face.printable(f"{document.headline or document.kind}  ·  {document.title}".replace("\n", " "))
    shown = face.shortened(words[:300], SMALL, TEXT_WIDTH)
    name = text_box((Span(shown, tone=Tone.SECONDARY),), TEXT_WIDTH + 1.0, face, SMALL)
    first = replace(name, lines=name.lines[:1])
    first.draw(canvas, MARGIN, PAGE_HEIGHT - 12.5 * MM, TEXT_WIDTH)


def footer(canvas: Canvas, document: Document, face: Typeface, number: int, count: int) -> None:
    """Number, version, date of prices on the left; page of pages on the right."""
    y = MARGIN - 2.0
    canvas.setStrokeColor(BORDER)
    canvas.setLineWidth(HAIRLINE)
    canvas.line(MARGIN, y + 4.0, MARGIN + TEXT_WIDTH, y + 4.0)
    page = document.page.format(page=number, pages=count)
    right = text_box((Span(page, tone=Tone.SECONDARY),), 90.0, face, SMALL, align=Align.RIGHT)
    left = text_box((Span(document.footer, tone=Tone.SECONDARY),), TEXT_WIDTH - 95.0, face, SMALL)
    replace(left, lines=left.lines[:1]).draw(canvas, MARGIN, y, TEXT_WIDTH)
    right.draw(canvas, MARGIN + TEXT_WIDTH - 90.0, y, 90.0)


def watermark(canvas: Canvas, document: Document, face: Typeface) -> None:
    """Under everything else, so that it never covers a figure."""
    if not document.watermark:
        return
    shown = face.printable(document.watermark)
    size = min(110.0, 110.0 * 430.0 / max(face.width(shown, 110.0, bold=True), 1.0))
    canvas.saveState()
    canvas.translate(PAGE_WIDTH / 2, PAGE_HEIGHT / 2)
    canvas.rotate(52)
    canvas.setFont(BOLD, size)
    canvas.setFillColor(WATERMARK)
    canvas.drawCentredString(0, -size / 3, shown)
    canvas.restoreState()


def logo_path(path: str) -> str:
    """`path` where an image lies there that can be drawn, else the empty text."""
    if not path or not Path(path).is_file():
        return ""
    try:
        ImageReader(path).getSize()
    except OSError:
        return ""
    return path
