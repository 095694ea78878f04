"""The content of a paper without layout: what PDF, XLSX and Markdown are all written from.

Text is in the reader's language already and is always literal: nothing in it is markup, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from gpuconfig.documents.slot_map import SlotPicture
from gpuconfig.documents.watt_flow import WattFlow
from gpuconfig.engine.quantities.money import Currency


class Tone(StrEnum):
    """What a piece of text means; the renderer chooses the colour and never relies on colour alone."""

    NORMAL = "normal"
    SECONDARY = "secondary"
    ACCENT = "accent"
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


BETWEEN = " / "
"""Between the two languages of a short text."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text of one look.

    Attributes:
        link: an address it leads to.
        yields: a line end that is a gap instead where the whole text has room on one line.
    """

    text: str
    bold: bool = False
    tone: Tone = Tone.NORMAL
    link: str = ""
    small: bool = False
    yields: bool = False


Text = tuple[Span, ...]


def text(*parts: str | Span, bold: bool = False, tone: Tone = Tone.NORMAL, small: bool = False) -> Text:
    """Spans from strings and spans; the empty ones are dropped."""
    spans = (Span(p, bold=bold, tone=tone, small=small) if isinstance(p, str) else p for p in parts)
    return tuple(span for span in spans if span.text)


def bold(content: Text) -> Text:
    """The same in bold."""
    return tuple(replace(span, bold=True) for span in content)


def plain(content: Text) -> str:
    """The bare text."""
    return "".join(span.text for span in content)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 or 2; it becomes a bookmark and a line of the contents."""

    text: str
    level: int = 1


class Style(StrEnum):
    """Size of a paragraph."""

    BODY = "body"
    SMALL = "small"
    LEAD = "lead"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    content: Text
    style: Style = Style.BODY


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; numbered where `ordered`."""

    items: tuple[Text, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and what it says."""

    label: str
    content: Text


@dataclass(frozen=True, slots=True)
class Facts:
    """Labelled values; `columns` of them side by side; `keep`: on the page of what follows (signatures)."""

    items: tuple[Fact, ...]
    columns: int = 1
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """The box that says what is asked of the reader."""

    title: str
    content: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the few figures a paper opens with."""

    label: str
    value: str
    note: str = ""
    tone: Tone = Tone.NORMAL


@dataclass(frozen=True, slots=True)
class Tiles:
    """Main figures in a row."""

    items: tuple[Tile, ...]


class Align(StrEnum):
    """Where a column's content stands."""

    LEFT = "left"
    RIGHT = "right"
    CENTRE = "centre"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table; `weight` is its share of the width."""

    title: str
    weight: float = 1.0
    align: Align = Align.LEFT


Value = Decimal | int | float | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: what is printed, and for the spreadsheet the value behind it.

    Attributes:
        value: typed value; None leaves the printed text in the spreadsheet.
        currency: the value is money.
        percent: the value is a share.
        formula: spreadsheet formula; `{c3}` is the cell in column 3 (from 0) of the same row, `{all3}` column 3
            of all body rows, `{foot0_6}` column 6 of foot row 0.
        indent: steps of 8 pt.
        span: how many columns it covers.
    """

    content: Text
    value: Value = None
    currency: Currency | None = None
    percent: bool = False
    formula: str = ""
    indent: int = 0
    span: int = 1


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under repeated headers.

    Attributes:
        foot: rows under a heavier line: subtotal, tax, total.
        carried: column whose running sum is carried over a page break; the cells' `value` counts.
        carried_labels: "carried forward" and "brought forward".
        first_column_heads: the first column names its row.
        strong: indices of body rows printed on the surface colour (the recommended one).
        dense: small and close, for evidence that is looked up and not read.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    foot: tuple[Row, ...] = ()
    caption: str = ""
    carried: int | None = None
    carried_labels: tuple[str, str] = ("", "")
    carried_currency: Currency | None = None
    first_column_heads: bool = False
    strong: frozenset[int] = frozenset()
    dense: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One option on the trade-off chart.

    Attributes:
        front: on the Pareto front.
        chosen: the recommended one.
    """

    label: str
    x: float
    y: float
    x_low: float | None = None
    x_high: float | None = None
    front: bool = False
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeOff:
    """A scatter of options with their Pareto front; the title says the finding."""

    title: str
    x_label: str
    y_label: str
    points: tuple[Point, ...]
    legend: tuple[str, str, str]  # recommended, on the front, dominated
    summary: str


@dataclass(frozen=True, slots=True)
class PowerPicture:
    """Watts from the wall to each part; on paper as bands, elsewhere the tables around it say the same."""

    title: str
    flow: WattFlow


@dataclass(frozen=True, slots=True)
class SlotMapPicture:
    """Board and case from the side; on paper to scale, elsewhere the table before it says the same."""

    picture: SlotPicture


@dataclass(frozen=True, slots=True)
class Signatures:
    """Blocks to sign: role, and the labels of its lines (name, signature, date, ...)."""

    blocks: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """Table of contents with page numbers."""

    title: str


@dataclass(frozen=True, slots=True)
class PageBreak:
    """What follows starts a page."""


Block = (
    Heading
    | Paragraph
    | Bullets
    | Facts
    | Ask
    | Tiles
    | Table
    | TradeOff
    | PowerPicture
    | SlotMapPicture
    | Signatures
    | Contents
    | PageBreak
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole paper.

    Attributes:
        language: BCP 47 tag for the file's metadata.
        title: what the paper is about.
        headline: printed large in place of the title where it is the kind of paper that matters.
        kind: name of the kind of paper, printed above the title.
        footer: what stands left of the page number; `page` is a template with {page} and {pages}.
        stamp: versions the paper was made with, in its metadata.
        watermark: empty where the paper is final.
        logo: path of an image; empty for none.
    """

    title: str
    headline: str = ""
    subtitle: str = ""
    kind: str
    head: tuple[str, ...]
    organisation: str = ""
    language: str
    footer: str
    page: str
    author: str
    subject: str
    keywords: str
    issued: date
    watermark: str = ""
    missing_glyphs: str = ""
    logo: str = ""
    blocks: Sequence[Block] = field(default_factory=tuple)
