"""One paper in two languages: the same content composed twice and laid together, text by text.

Both compositions come from one context, so they have the same blocks in the same order; where a text reads the
same in both (names, figures) it stands once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from gpuconfig.documents.content import (
    BETWEEN,
    Ask,
    Block,
    Bullets,
    Cell,
    Contents,
    Document,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Row,
    Signatures,
    Span,
    Table,
    Text,
    Tile,
    Tiles,
    Tone,
    TradeOff,
    plain,
)

B = TypeVar("B", bound=Block)


def side_by_side(first: Document, second: Document) -> Document:
    """`first` with the texts of `second` beside or below its own.

    Raises:
        ValueError: the two are not the same paper.
    """
    if [type(block) for block in first.blocks] != [type(block) for block in second.blocks]:
        raise ValueError("the two papers have different blocks")
    pairs = zip(first.blocks, second.blocks, strict=True)
    headline = bool(first.headline)
    return replace(
        first,
        headline=_words(first.headline, second.headline),
        subtitle=_lines(first.subtitle, second.subtitle)
        if headline or first.title == second.title
        else second.title,
        kind=_words(first.kind, second.kind),
        subject=_words(first.subject, second.subject),
        missing_glyphs=_words(first.missing_glyphs, second.missing_glyphs),
        blocks=tuple(_block(one, two) for one, two in pairs),
    )


def _block(first: Block, second: Block) -> Block:
    match first, second:
        case (Heading(), Heading()):
            return Heading(_heading(first.text, second.text), first.level)
        case (Contents(), Contents()):
            return Contents(_words(first.title, second.title))
        case (Paragraph(), Paragraph()):
            return replace(first, content=_below(first.content, second.content))
        case (Bullets(), Bullets()):
            items = zip(first.items, second.items, strict=True)
            return replace(first, items=tuple(_below(one, two) for one, two in items))
        case (Facts(), Facts()):
            facts = zip(first.items, second.items, strict=True)
            return replace(first, items=tuple(_fact(one, two) for one, two in facts))
        case (Ask(), Ask()):
            lines = zip(first.content, second.content, strict=True)
            return Ask(_words(first.title, second.title), tuple(_below(one, two) for one, two in lines))
        case (Tiles(), Tiles()):
            tiles = zip(first.items, second.items, strict=True)
            return Tiles(tuple(_tile(one, two) for one, two in tiles))
        case (Table(), Table()):
            return _table(first, second)
        case (TradeOff(), TradeOff()):
            return _chart(first, second)
        case (Signatures(), Signatures()):
            return _signatures(first, second)
    return first


def _words(first: str, second: str) -> str:
    return first if first == second or not second else f"{first}{BETWEEN}{second}" if first else second


def _heading(first: str, second: str) -> str:
    """Both without the number twice: 2 方案比较 Options compared."""
    number, _, rest = second.partition("\u2002")
    return f"{first} {rest}" if rest and first.startswith(f"{number}\u2002") else _words(first, second)


def _lines(first: str, second: str) -> str:
    return first if first == second else f"{first}\n{second}"


def _below(first: Text, second: Text) -> Text:
    """The second language after or under the first, smaller and in the secondary colour; what agrees stands once."""
    said = {span.text.strip() for span in first} | set(plain(first).split("\n"))
    new = tuple(span for span in second if span.text.strip() not in said)
    if not plain(new).strip():
        return first
    smaller = tuple(
        replace(
            span,
            text=span.text.lstrip("\n") if index == 0 else span.text,
            small=True,
            bold=False,
            tone=Tone.SECONDARY if span.tone is Tone.NORMAL else span.tone,
        )
        for index, span in enumerate(new)
    )
    return (*first, Span("\n", yields=True), *smaller)


def _fact(first: Fact, second: Fact) -> Fact:
    return Fact(_words(first.label, second.label), _below(first.content, second.content))


def _tile(first: Tile, second: Tile) -> Tile:
    note = _lines(first.note, second.note)
    return replace(first, label=_words(first.label, second.label), note=note)


def _table(first: Table, second: Table) -> Table:
    columns = tuple(
        replace(one, title=_lines(one.title, two.title))
        for one, two in zip(first.columns, second.columns, strict=True)
    )
    return replace(
        first,
        columns=columns,
        rows=tuple(_row(one, two) for one, two in zip(first.rows, second.rows, strict=True)),
        foot=tuple(_row(one, two) for one, two in zip(first.foot, second.foot, strict=True)),
        caption=_words(first.caption, second.caption),
        carried_labels=(
            _words(first.carried_labels[0], second.carried_labels[0]),
            _words(first.carried_labels[1], second.carried_labels[1]),
        ),
    )


def _row(first: Row, second: Row) -> Row:
    return tuple(_cell(one, two) for one, two in zip(first, second, strict=True))


def _cell(first: Cell, second: Cell) -> Cell:
    """Figures stand once, as the first language writes them."""
    if first.value is not None:
        return first
    return replace(first, content=_below(first.content, second.content))


def _chart(first: TradeOff, second: TradeOff) -> TradeOff:
    """The axes keep the first language's unit; labels of points are names."""
    legend = tuple(_words(one, two) for one, two in zip(first.legend, second.legend, strict=True))
    return replace(
        first,
        title=_lines(first.title, second.title),
        legend=(legend[0], legend[1], legend[2]),
        summary=_lines(first.summary, second.summary),
    )


def _signatures(first: Signatures, second: Signatures) -> Signatures:
    blocks = []
    for (role, labels), (other_role, other_labels) in zip(first.blocks, second.blocks, strict=True):
        both = tuple(_words(one, two) for one, two in zip(labels, other_labels, strict=True))
        blocks.append((_words(role, other_role) if both else _lines(role, other_role), both))
    return Signatures(tuple(blocks))
