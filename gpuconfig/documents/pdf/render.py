"""A whole paper as PDF bytes: lays out first, then draws, so that every page knows how many there are.

The same content gives the same bytes: no clock, no random ids. ReportLab's invariant mode fixes dates and ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import (
    Align,
    Ask,
    Block,
    Bullets,
    Contents,
    Document,
    Facts,
    Heading,
    PageBreak,
    Paragraph,
    Signatures,
    Span,
    Style,
    Table,
    Tiles,
    Tone,
    TradeOff,
)
from gpuconfig.documents.pdf import prose
from gpuconfig.documents.pdf.chart import lay_chart
from gpuconfig.documents.pdf.flow import TOP, Pager, Placeable, Placed
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, Typeface
from gpuconfig.documents.pdf.style import (
    ACCENT,
    BORDER,
    HAIRLINE,
    MARGIN,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    SMALL,
    TABLE,
    TABLE_LEADING,
    TEXT_WIDTH,
    TITLE,
    WATERMARK,
)
from gpuconfig.documents.pdf.table import lay_table
from gpuconfig.documents.pdf.text import text_box
from gpuconfig.i18n import Formats

LOGO_HEIGHT = 26.0
LOGO_WIDTH = 110.0


def render_pdf(document: Document, formats: Formats) -> bytes:
    """The paper as the bytes of a PDF file."""
    face = Typeface()
    head = _head(document, face)
    blocks: list[Placeable | None] = []
    contents: list[_ContentsBlock] = []
    for block in document.blocks:
        if isinstance(block, Contents):
            made = _ContentsBlock(block, document, face)
            contents.append(made)
            blocks.append(made)
        else:
            blocks.extend(_lay(block, face, formats))
    if face.missing and document.missing_glyphs:
        blocks.extend(prose.paragraph(_missing_note(document, face), face))
    pages = Pager(TOP - head.height - 10.0).flow(blocks)
    bookmarks = _bookmarks(pages)
    for made in contents:
        made.bookmarks = [bookmark for bookmark in bookmarks if bookmark.heading.level == 1]
    return _draw(document, head, pages, bookmarks, face)


def _lay(block: Block, face: Typeface, formats: Formats) -> list[Placeable | None]:
    match block:
        case Heading():
            return list(prose.heading(block, face))
        case Paragraph():
            return list(prose.paragraph(block, face))
        case Bullets():
            return list(prose.bullets(block, face))
        case Facts():
            return list(prose.facts(block, face))
        case Ask():
            return list(prose.ask(block, face))
        case Tiles():
            return list(prose.tiles(block, face))
        case Signatures():
            return list(prose.signatures(block, face))
        case TradeOff():
            return [lay_chart(block, face, formats)]
        case Table():
            return _lay_table(block, face, formats)
        case PageBreak():
            return [None]
    return []


def _lay_table(table: Table, face: Typeface, formats: Formats) -> list[Placeable | None]:
    made: list[Placeable | None] = []
    if table.caption:
        box = text_box((Span(table.caption, bold=True),), TEXT_WIDTH, face, TABLE)
        made.append(prose.Stack(box.height, ((box, 0.0, 0.0, TEXT_WIDTH),), 6.0, 0.0, keeps_next=True))
    made.append(lay_table(table, face, formats))
    return made


def _missing_note(document: Document, face: Typeface) -> Paragraph:
    codes = ", ".join(f"U+{ord(character):04X}" for character in sorted(face.missing)[:40])
    return Paragraph((Span(f"{document.missing_glyphs} {codes}", tone=Tone.SECONDARY),), Style.SMALL)


def _head(document: Document, face: Typeface) -> prose.Stack:
    """Kind and organisation, title, subtitle, number and date, with an accent line under all of it."""
    right = 190.0
    boxes = []
    top = LOGO_HEIGHT + 6.0 if document.logo else 0.0
    kind = text_box((Span(document.kind, bold=True, tone=Tone.ACCENT),), TEXT_WIDTH - right, face, TABLE)
    boxes.append((kind, 0.0, top, TEXT_WIDTH - right))
    organisation = text_box((Span(document.organisation),), right, face, TABLE, align=Align.RIGHT)
    boxes.append((organisation, TEXT_WIDTH - right, top, right))
    down = top + max(kind.height, organisation.height) + 3.0
    title = text_box((Span(document.title, bold=True),), TEXT_WIDTH, face, TITLE, leading=1.3)
    boxes.append((title, 0.0, down, TEXT_WIDTH))
    down += title.height + 2.0
    if document.subtitle:
        subtitle = text_box((Span(document.subtitle, tone=Tone.SECONDARY),), TEXT_WIDTH, face, TABLE + 1)
        boxes.append((subtitle, 0.0, down, TEXT_WIDTH))
        down += subtitle.height + 2.0
    line = "  ·  ".join(part for part in document.head if part)
    facts = text_box((Span(line, tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL, leading=TABLE_LEADING)
    boxes.append((facts, 0.0, down, TEXT_WIDTH))
    return prose.Stack(down + facts.height + 7.0, tuple(boxes))


def _bookmarks(pages: list[list[Placed]]) -> list[_Bookmark]:
    """Headings in order with their pages and keys."""
    found: list[_Bookmark] = []
    for number, page in enumerate(pages, 1):
        for placed in page:
            block = placed.block
            if isinstance(block, prose.Stack) and block.bookmark is not None:
                found.append(_Bookmark(block.bookmark, f"heading-{len(found) + 1}", number, placed.top))
    return found


def _draw(
    document: Document,
    head: prose.Stack,
    pages: list[list[Placed]],
    bookmarks: list[_Bookmark],
    face: Typeface,
) -> bytes:
    target = BytesIO()
    canvas = Canvas(
        target,
        pagesize=(PAGE_WIDTH, PAGE_HEIGHT),
        invariant=1,
        initialFontName=REGULAR,
        lang=document.language,  # type: ignore[arg-type]
    )
    _metadata(canvas, document)
    for number, page in enumerate(pages, 1):
        canvas.setFont(REGULAR, TABLE)
        _watermark(canvas, document, face)
        if number == 1:
            _draw_head(canvas, document, head)
            canvas.bookmarkHorizontal("top", 0, PAGE_HEIGHT)
            canvas.addOutlineEntry(document.title, "top", level=0, closed=False)
        else:
            _running_head(canvas, document, face)
        for bookmark in (mark for mark in bookmarks if mark.page == number):
            canvas.bookmarkHorizontal(bookmark.key, 0, bookmark.top + 6.0)
            level = bookmark.heading.level - 1
            canvas.addOutlineEntry(bookmark.heading.text, bookmark.key, level=level, closed=False)
        for placed in page:
            placed.block.draw(canvas, MARGIN, placed.top)
        _footer(canvas, document, face, number, len(pages))
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _metadata(canvas: Canvas, document: Document) -> None:
    canvas.setTitle(document.title)
    canvas.setAuthor(document.author)
    canvas.setSubject(document.subject)
    canvas.setKeywords(document.keywords)
    canvas.setCreator("gpuconfig")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.showOutline()


def _draw_head(canvas: Canvas, document: Document, head: prose.Stack) -> None:
    head.draw(canvas, MARGIN, TOP)
    canvas.setStrokeColor(ACCENT)
    canvas.setLineWidth(1.6)
    canvas.line(MARGIN, TOP - head.height, MARGIN + TEXT_WIDTH, TOP - head.height)
    if document.logo:
        image = ImageReader(document.logo)
        width, height = image.getSize()
        scale = min(LOGO_HEIGHT / height, LOGO_WIDTH / width)
        canvas.drawImage(image, MARGIN, TOP - height * scale, width * scale, height * scale, mask="auto")


def _running_head(canvas: Canvas, document: Document, face: Typeface) -> None:
    name = text_box(
        (Span(f"{document.kind}  ·  {document.title}", tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL
    )
    first = replace(name, lines=name.lines[:1])
    first.draw(canvas, MARGIN, PAGE_HEIGHT - 12.5 * 72 / 25.4, TEXT_WIDTH)


def _footer(canvas: Canvas, document: Document, face: Typeface, number: int, count: int) -> None:
    y = MARGIN - 2.0
    canvas.setStrokeColor(BORDER)
    canvas.setLineWidth(HAIRLINE)
    canvas.line(MARGIN, y + 4.0, MARGIN + TEXT_WIDTH, y + 4.0)
    page = document.page.format(page=number, pages=count)
    right = text_box((Span(page, tone=Tone.SECONDARY),), 90.0, face, SMALL, align=Align.RIGHT)
    left = text_box((Span(document.footer, tone=Tone.SECONDARY),), TEXT_WIDTH - 95.0, face, SMALL)
    replace(left, lines=left.lines[:1]).draw(canvas, MARGIN, y, TEXT_WIDTH)
    right.draw(canvas, MARGIN + TEXT_WIDTH - 90.0, y, 90.0)


def _watermark(canvas: Canvas, document: Document, face: Typeface) -> None:
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


@dataclass(frozen=True, slots=True)
class _Bookmark:
    """A heading and where it is."""

    heading: Heading
    key: str
    page: int
    top: float


@dataclass(slots=True)
class _ContentsBlock:
    """Headings of the first level with their page numbers, which are known once everything is placed."""

    block: Contents
    document: Document
    face: Typeface
    bookmarks: list[_Bookmark] = field(default_factory=list)
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

    def split(self, available: float) -> tuple[Placeable, Placeable] | None:
        """It cannot be divided."""
        return None

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Title, then a line with a link for each heading."""
        text_box(
            (Span(self.block.title, bold=True, tone=Tone.SECONDARY),), TEXT_WIDTH, self.face, TABLE
        ).draw(canvas, x, top, TEXT_WIDTH)
        y = top - self.line_height - 4.0
        for bookmark in self.bookmarks:
            left, right = prose.contents_line(bookmark.heading.text, str(bookmark.page), 1, self.face)
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
            canvas.linkAbsolute("", bookmark.key, area, Border="[0 0 0]")
            y -= self.line_height


def logo_path(path: str) -> str:
    """`path` where an image lies there that can be drawn, else the empty text."""
    if not path or not Path(path).is_file():
        return ""
    try:
        ImageReader(path).getSize()
    except OSError:
        return ""
    return path
