"""A whole paper as PDF bytes: lays out first, then draws, so that every page knows how many there are.

The same content gives the same bytes: no clock, no random ids. ReportLab's invariant mode fixes dates and ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import (
    Ask,
    Block,
    Bullets,
    Contents,
    Document,
    Facts,
    Heading,
    PageBreak,
    Paragraph,
    PowerPicture,
    Signatures,
    SlotMapPicture,
    Span,
    Style,
    Table,
    Tiles,
    Tone,
    TradeOff,
)
from gpuconfig.documents.pdf import prose
from gpuconfig.documents.pdf.archive import VERSION, finished, legal, metadata
from gpuconfig.documents.pdf.chart import lay_chart
from gpuconfig.documents.pdf.contents import Bookmark, ContentsBlock
from gpuconfig.documents.pdf.decoration import draw_head, footer, lay_head, running_head, watermark
from gpuconfig.documents.pdf.flow import BOTTOM, TOP, Placeable, Placed, flowed, squeeze_for
from gpuconfig.documents.pdf.fonts import REGULAR, Typeface
from gpuconfig.documents.pdf.slot_map import lay_slots
from gpuconfig.documents.pdf.style import (
    MARGIN,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    TABLE,
    TEXT_WIDTH,
)
from gpuconfig.documents.pdf.table import lay_table
from gpuconfig.documents.pdf.text import text_box
from gpuconfig.documents.pdf.watt_flow import lay_flow
from gpuconfig.i18n.formats import Formats

DENSITIES = (1.0, 0.94, 0.88, 0.84, 0.8, 0.78)
"""How dense a summary may be set to stay on one page; below the last its notes are hard to read."""


def render_pdf(document: Document, formats: Formats) -> bytes:
    """The paper as the bytes of a PDF file."""
    face = Typeface()
    head = lay_head(document, face)
    first_top = TOP - head.height - 10.0
    length = _summary_length(document.blocks)
    summary, squeeze = _summary(document, length, face, formats, first_top - BOTTOM)
    blocks = [*summary, *_laid(document, range(length, len(document.blocks)), face, formats)]
    if face.missing and document.missing_glyphs:
        blocks.extend(prose.paragraph(_missing_note(document, face), face))
    pages = flowed(blocks, first_top, squeeze)
    bookmarks = _bookmarks(pages)
    for made in blocks:
        if isinstance(made, ContentsBlock):
            made.bookmarks = [bookmark for bookmark in bookmarks if bookmark.heading.level == 1]
    return _draw(document, head, pages, bookmarks, face)


def _summary_length(blocks: Sequence[Block]) -> int:
    """How many blocks stand before the contents or the first page's end."""
    ends = (index for index, block in enumerate(blocks) if isinstance(block, Contents | PageBreak))
    return next(ends, 0)


def _summary(
    document: Document, length: int, face: Typeface, formats: Formats, room: float
) -> tuple[list[Placeable | None], float]:
    """The summary, as much denser and with gaps as much tighter as keeps it on the first page, where that can be."""
    for density in DENSITIES:
        laid = _laid(document, range(length), replace(face, density=density), formats)
        squeeze = squeeze_for([block for block in laid if block is not None], room)
        if squeeze is not None:
            return laid, squeeze
    return _laid(document, range(length), face, formats), 1.0


def _laid(document: Document, numbers: range, face: Typeface, formats: Formats) -> list[Placeable | None]:
    """The blocks of these numbers laid out; None starts a page."""
    around = (None, *document.blocks, None)
    blocks: list[Placeable | None] = []
    for number in numbers:
        before, block, following = around[number], document.blocks[number], around[number + 2]
        if isinstance(block, Contents):
            blocks.append(ContentsBlock(block, document, face))
        else:
            blocks.extend(_kept(_lay(block, face, formats), block, before, following))
    return blocks


def _kept(
    laid: list[Placeable | None], block: Block, before: Block | None, following: Block | None
) -> list[Placeable | None]:
    """A note that leads a table stays with it, a short line between two headings with the second."""
    if not isinstance(block, Paragraph):
        return laid
    leads = isinstance(following, Table | Facts)
    opens = isinstance(before, Heading) and isinstance(following, Heading) and following.level > 1
    return [
        replace(line, keeps_next=True)
        if isinstance(line, prose.Lines) and (leads or (opens and len(line.box.lines) <= 2))
        else line
        for line in laid
    ]


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
        case TradeOff() | PowerPicture() | SlotMapPicture():
            return [_lay_picture(block, face, formats)]
        case Table():
            return _lay_table(block, face, formats)
        case PageBreak():
            return [None]
    return []


def _lay_picture(
    block: TradeOff | PowerPicture | SlotMapPicture, face: Typeface, formats: Formats
) -> Placeable:
    match block:
        case TradeOff():
            return lay_chart(block, face, formats)
        case PowerPicture():
            return lay_flow(block.flow, block.title, face)
    return lay_slots(block.picture, face)


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


def _bookmarks(pages: list[list[Placed]]) -> list[Bookmark]:
    """Headings in order with their pages and keys."""
    found: list[Bookmark] = []
    for number, page in enumerate(pages, 1):
        for placed in page:
            block = placed.block
            if isinstance(block, prose.Stack) and block.bookmark is not None:
                found.append(Bookmark(block.bookmark, f"heading-{len(found) + 1}", number, placed.top))
    return found


def _draw(
    document: Document,
    head: prose.Stack,
    pages: list[list[Placed]],
    bookmarks: list[Bookmark],
    face: Typeface,
) -> bytes:
    target = BytesIO()
    # The stubs say that a font's name is a number.
    canvas = Canvas(
        target,
        pagesize=(PAGE_WIDTH, PAGE_HEIGHT),
        invariant=1,
        initialFontName=REGULAR,  # type: ignore[arg-type]
        lang=document.language,
        pdfVersion=VERSION,
    )
    metadata(canvas, document)
    for number, page in enumerate(pages, 1):
        canvas.setFont(REGULAR, TABLE)
        watermark(canvas, document, face)
        if number == 1:
            draw_head(canvas, document, head)
            canvas.bookmarkHorizontal("top", 0, PAGE_HEIGHT)
            canvas.addOutlineEntry(legal(document.title), "top", level=0, closed=False)
        else:
            running_head(canvas, document, face)
        for bookmark in (mark for mark in bookmarks if mark.page == number):
            canvas.bookmarkHorizontal(bookmark.key, 0, bookmark.top + 6.0)
            level = bookmark.heading.level - 1
            canvas.addOutlineEntry(legal(bookmark.heading.text), bookmark.key, level=level, closed=False)
        for placed in page:
            placed.block.draw(canvas, MARGIN, placed.top)
        footer(canvas, document, face, number, len(pages))
        canvas.showPage()
    canvas.save()
    return finished(target.getvalue())
