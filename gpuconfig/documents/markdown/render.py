"""A whole paper as GitHub-flavoured Markdown; everything a person wrote is escaped and so shown literally."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from gpuconfig.documents.content import (
    Align,
    Ask,
    Block,
    Bullets,
    Document,
    Facts,
    Heading,
    Paragraph,
    Row,
    Signatures,
    Span,
    Table,
    Text,
    Tiles,
    TradeOff,
    text,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")
_LINE_START = re.compile(r"^(\s*\d*)([-+=.)])(?=\s)", re.MULTILINE)
_RULES = {Align.LEFT: ":---", Align.RIGHT: "---:", Align.CENTRE: ":---:"}


def render_markdown(document: Document) -> str:
    """The paper as text."""
    lines = [f"# {escape(document.headline or document.title)}", ""]
    for part in (document.subtitle or document.kind, document.organisation):
        if part:
            lines += [escape(part), ""]
    head = [part for part in (*document.head, document.watermark) if part]
    lines += [escape(" · ".join(head)), ""]
    for block in document.blocks:
        lines.extend(_block(block))
    lines += ["---", "", escape(document.footer), ""]
    return "\n".join(lines)


def escape(shown: str) -> str:
    """`shown` so that Markdown and HTML print it as it stands, on one line."""
    clean = "".join(
        character if character == "\n" or unicodedata.category(character)[0] != "C" else "□"
        for character in shown.replace("\r\n", "\n").replace("\t", " ")
    )
    escaped = _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", clean.replace("&", "&amp;")))
    return "<br>".join(part.strip() for part in escaped.split("\n"))


def _text(content: Text) -> str:
    return "".join(_span(span) for span in content)


def _span(span: Span) -> str:
    shown = escape(span.text)
    if not span.text.strip():
        return shown if "\n" in span.text else span.text
    if span.link:
        return f"[{shown}](<{quote(span.link, safe=':/?#@!$&()*+,;=%~-._')}>)"
    if not span.bold:
        # strip() in `escape` must not glue words of neighbouring spans.
        return f"{_edge(span.text, start=True)}{shown}{_edge(span.text, start=False)}"
    # Emphasis does not close between a punctuation mark and a Chinese character: marks stay outside.
    start, end = 0, len(span.text)
    while start < end and _is_mark(span.text[start]):
        start += 1
    while end > start and _is_mark(span.text[end - 1]):
        end -= 1
    before, core, after = span.text[:start], span.text[start:end], span.text[end:]
    emphasised = f"{escape(before)}**{escape(core)}**{escape(after)}" if core else shown
    return f"{_edge(span.text, start=True)}{emphasised}{_edge(span.text, start=False)}"


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PZ"


def _edge(shown: str, *, start: bool) -> str:
    edge = shown[:1] if start else shown[-1:]
    return " " if edge == " " else ""


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield from (f"{'#' * (block.level + 1)} {escape(block.text)}", "")
        case Paragraph():
            yield from (_text(block.content), "")
        case Bullets():
            for number, item in enumerate(block.items, 1):
                yield f"{number}. {_text(item)}" if block.ordered else f"- {_text(item)}"
            yield ""
        case Facts():
            yield from _grid(
                ("", ""), (Align.LEFT, Align.LEFT), [(escape(f.label), _text(f.content)) for f in block.items]
            )
        case Ask():
            yield f"> **{escape(block.title)}**"
            for content in block.content:
                yield from (">", f"> {_text(content)}")
            yield ""
        case Tiles():
            rows = [(escape(t.label), f"**{escape(t.value)}**", escape(t.note)) for t in block.items]
            yield from _grid(("", "", ""), (Align.LEFT,) * 3, rows)
        case Table():
            yield from _table(block)
        case TradeOff():
            yield from _points(block)
        case Signatures():
            yield from _signatures(block)
        case _:
            return


def _signatures(block: Signatures) -> Iterator[str]:
    rows = [
        (escape(role), escape("　".join(f"{label}：" for label in labels))) for role, labels in block.blocks
    ]
    yield from _grid(("", ""), (Align.LEFT, Align.LEFT), rows)


def _table(table: Table) -> Iterator[str]:
    if table.caption:
        yield from (f"**{escape(table.caption)}**", "")
    titles = tuple(escape(column.title) for column in table.columns)
    rows = [_cells(row, len(titles)) for row in (*table.rows, *table.foot)]
    yield from _grid(titles, tuple(column.align for column in table.columns), rows)


def _cells(row: Row, width: int) -> tuple[str, ...]:
    made: list[str] = []
    for cell in row:
        made.append("&emsp;" * cell.indent + _text(cell.content))
        made += [""] * (cell.span - 1)
    return tuple(made[:width])


def _points(chart: TradeOff) -> Iterator[str]:
    yield from (f"**{escape(chart.title)}**", "")
    rows = [
        (
            _text(text(point.label + (f" ★ {chart.legend[0]}" if point.chosen else ""), bold=point.chosen)),
            f"{point.x:,.2f}",
            f"{point.y:,.2f}",
            "✓" if point.front else "",
        )
        for point in sorted(chart.points, key=lambda p: p.x)
    ]
    titles = ("", escape(chart.x_label), escape(chart.y_label), escape(chart.legend[1]))
    yield from _grid(titles, (Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT), rows)
    yield from (escape(chart.summary), "")


def _grid(
    titles: tuple[str, ...], aligns: tuple[Align, ...], rows: Sequence[tuple[str, ...]]
) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "| " + " | ".join(_RULES[align] for align in aligns) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
