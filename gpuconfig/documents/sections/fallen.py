"""Candidates that fell out, those of one reason together."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.documents.content import (
    Align,
    Block,
    Column,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.recommendation import Rejected

REASONS_SHOWN = 15


def fallen_out(rejected: tuple[Rejected, ...], writer: Writer, title: str = "") -> list[Block]:
    """Each reason with its candidates, the first `REASONS_SHOWN`; a figure stands beside it where it names none.

    Args:
        title: heading of an appendix of its own; empty where a section's heading stands above.
    """
    if not rejected:
        return []
    groups: dict[tuple[str, float | None, float | None, str], list[str]] = {}
    for item in rejected:
        key = (writer.message(item.reason), item.measured, item.required, item.unit)
        groups.setdefault(key, []).append(writer.part(item.name))
    shown = list(groups.items())[:REASONS_SHOWN]
    sides = [
        (_side(m, unit, reason, writer), _side(r, unit, reason, writer)) for (reason, m, r, unit), _ in shown
    ]
    beside = any(found or needed for found, needed in sides)
    rows: tuple[Row, ...] = tuple(
        (
            writer.cell(writer.join(names)),
            writer.cell(reason),
            *((writer.cell(found), writer.cell(needed)) if beside else ()),
        )
        for ((reason, *_), names), (found, needed) in zip(shown, sides, strict=True)
    )
    figures = (
        Column(title=writer.say(N_("Found")), weight=1.3, align=Align.RIGHT),
        Column(title=writer.say(N_("Needed or limit")), weight=1.3, align=Align.RIGHT),
    )
    columns = (
        Column(title=writer.say(N_("Candidate")), weight=2.6),
        Column(title=writer.say(N_("Why it fell out")), weight=4.0),
        *(figures if beside else ()),
    )
    heading = Heading(title) if title else Heading(writer.say(N_("Candidates that fell out")), 2)
    blocks: list[Block] = [heading]
    hidden = len(rejected) - sum(len(names) for _, names in shown)
    if hidden > 0:
        note = writer.say(N_("{count} more fell out for reasons of the same kinds."), count=hidden)
        blocks.append(Paragraph(text(note, tone=Tone.SECONDARY), Style.SMALL))
    return [*blocks, Table(columns=columns, rows=rows, dense=True)]


def _side(value: float | None, unit: str, reason: str, writer: Writer) -> str:
    """A figure that the reason does not name already."""
    if value is None:
        return ""
    if unit in ("CNY", "USD"):
        shown = writer.formats.money(Money(Decimal(str(value)), Currency(unit)))
    else:
        shown = writer.formats.quantity(value, unit)
    return "" if shown in reason else shown
