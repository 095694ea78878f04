"""A whole paper as a spreadsheet: typed cells, sums as formulas, ready to print on A4.

The same content gives the same bytes: the archive is written again with the day of issue in place of the clock.
"""

from __future__ import annotations

import re
import zipfile
from datetime import datetime
from io import BytesIO

from openpyxl import Workbook

from gpuconfig.documents.content import Block, Document, Heading
from gpuconfig.documents.xlsx.cells import literal
from gpuconfig.documents.xlsx.sheet import SheetWriter


def render_xlsx(document: Document) -> bytes:
    """The paper as the bytes of an .xlsx file."""
    book = Workbook()
    book.remove(book.worksheets[0])
    names: set[str] = set()
    for index, (title, blocks) in enumerate(_chapters(document)):
        sheet = book.create_sheet(_sheet_name(title, names))
        writer = SheetWriter(sheet, document, _width(blocks))
        if index == 0:
            writer.head()
        for block in blocks:
            writer.write(block)
        writer.finish()
    properties = book.properties
    properties.title, properties.creator = literal(document.title[:250]), literal(document.author[:250])
    properties.subject, properties.keywords = document.subject, literal(document.keywords[:250])
    properties.language = document.language
    properties.created = properties.modified = datetime(*document.issued.timetuple()[:3])
    made = BytesIO()
    book.save(made)
    return _repeatable(made.getvalue(), document)


def _chapters(document: Document) -> list[tuple[str, list[Block]]]:
    """One sheet for each heading of the first level: tables of different columns do not share a grid."""
    chapters: list[tuple[str, list[Block]]] = [(document.headline or document.kind, [])]
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 1 and chapters[0][1]:
            chapters.append((block.text, []))
        chapters[-1][1].append(block)
    return chapters


def _width(blocks: list[Block]) -> int:
    """Columns of the widest table."""
    return max([len(getattr(block, "columns", ())) for block in blocks if _is_table(block)] + [4])


def _is_table(block: Block) -> bool:
    return isinstance(getattr(block, "columns", None), tuple)


def _sheet_name(title: str, taken: set[str]) -> str:
    """At most 31 characters, none that spreadsheets refuse, each name once."""
    clean = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", title).strip(" '") or "1"
    name, number = clean[:31], 2
    while name.lower() in taken:
        name, number = f"{clean[:27]} ({number})", number + 1
    taken.add(name.lower())
    return name


def _repeatable(content: bytes, document: Document) -> bytes:
    """The same archive with fixed times of its entries and of its last change."""
    stamp = (*document.issued.timetuple()[:3], 0, 0, 0)
    stamp = (max(stamp[0], 1980), *stamp[1:])
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "docProps/core.xml":
                day = f"{document.issued:%Y-%m-%d}T00:00:00Z".encode()
                data = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + day, data)
            info = zipfile.ZipInfo(entry.filename, stamp)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, data)
    return made.getvalue()
