"""What makes a PDF one for archives (PDF/A-2b): XMP metadata, colour profile, streams ended as the norm asks.

Fonts are embedded and links printable already where text is drawn; nothing is transparent but a logo may be.
"""

from __future__ import annotations

import re
import zlib
from datetime import date
from typing import Any
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObject, PDFString
from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Document
from gpuconfig.documents.pdf.srgb import NAME, srgb_profile

VERSION = (1, 7)
ENDING = b"endstream\nendobj\n"
PRODUCER = "ReportLab PDF Library"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OBJECT = re.compile(rb"(\d{10}) \d{5} n")

PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>2</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<pdf:Keywords>{keywords}</pdf:Keywords>
<pdf:Producer>{producer}</pdf:Producer>
<xmp:CreatorTool>gpuconfig</xmp:CreatorTool>
<xmp:CreateDate>{day}</xmp:CreateDate>
<xmp:ModifyDate>{day}</xmp:ModifyDate>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


class _Stream(PDFObject):
    """A stream written as it is, with its own dictionary."""

    __RefOnly__ = 1

    def __init__(self, entries: dict[str, object], content: bytes) -> None:
        self.entries, self.content = entries, content

    def format(self, document: Any) -> bytes:
        """Dictionary and content."""
        entries = PDFDictionary({**self.entries, "Length": len(self.content)})
        head: bytes = entries.format(document)
        return head + b"\nstream\n" + self.content + b"endstream\n"


def metadata(canvas: Canvas, document: Document) -> None:
    """Title, author, dates and language, the same in the file's two places for them."""
    title, author, subject, keywords = (
        legal(text) for text in (document.title, document.author, document.subject, document.keywords)
    )
    canvas.setTitle(title)
    canvas.setAuthor(author)
    canvas.setSubject(subject)
    canvas.setKeywords(keywords)
    canvas.setCreator("gpuconfig")
    canvas.setProducer(PRODUCER)
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.showOutline()
    inside: Any = canvas
    # Invariant mode knows one date only, of the year 2000; the day of issue is as repeatable and true.
    stamp = inside._doc._timeStamp
    stamp.YMDhms = (*document.issued.timetuple()[:3], 0, 0, 0)
    stamp.dhh = stamp.dmm = 0
    packet = PACKET.format(
        title=escape(title),
        author=escape(author),
        subject=escape(subject),
        keywords=escape(keywords),
        language=escape(document.language),
        producer=PRODUCER,
        day=_stamp(document.issued),
    )
    catalog = inside._doc.Catalog
    catalog.Metadata = _Stream({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")}, packet.encode())
    catalog.OutputIntents = PDFArray([_intent(inside)])
    catalog.__NoDefault__ = (*type(catalog).__NoDefault__, "OutputIntents")
    catalog.__Refs__ = (*type(catalog).__Refs__, "OutputIntents")


def legal(text: str) -> str:
    """`text` without what no XML document may hold."""
    return _NOT_XML.sub("□", text)


def finished(content: bytes) -> bytes:
    """The file with a line end before each `endstream`, which ReportLab leaves out, and its places counted anew.

    The cross-reference table is rebuilt from the one at the file's end; nothing else changes.
    """
    table = content.rindex(b"\nxref\n") + 1
    trailer = content.index(b"trailer\n", table)
    places = [int(found[1]) for found in _OBJECT.finditer(content, table, trailer)]
    parts, moved, size = [content[: min(places)]], {}, min(places)
    ends = dict(zip(sorted(places), [*sorted(places)[1:], table], strict=True))
    for start, end in ends.items():
        moved[start] = size
        body = content[start:end]
        if body.endswith(ENDING):
            body = body.removesuffix(ENDING) + b"\n" + ENDING
        parts.append(body)
        size += len(body)
    entries = _OBJECT.sub(lambda found: b"%010d 00000 n" % moved[int(found[1])], content[table:trailer])
    rest = content[trailer:].replace(b"startxref\n%d\n" % table, b"startxref\n%d\n" % size)
    return b"".join((*parts, entries, rest))


def _intent(canvas: Any) -> PDFDictionary:
    profile = _Stream({"N": 3, "Filter": PDFName("FlateDecode")}, zlib.compress(srgb_profile(), 9))
    return PDFDictionary(
        {
            "Type": PDFName("OutputIntent"),
            "S": PDFName("GTS_PDFA1"),
            "OutputConditionIdentifier": PDFString(NAME),
            "Info": PDFString(NAME),
            "DestOutputProfile": canvas._doc.Reference(profile),
        }
    )


def _stamp(day: date) -> str:
    return f"{day.isoformat()}T00:00:00+00:00"
