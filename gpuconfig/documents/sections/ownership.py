"""Cost over the years: purchase, electricity and the rest, less resale, for each option."""

from __future__ import annotations

from gpuconfig.documents.content import (
    Align,
    Block,
    Column,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import MoneyRange
from gpuconfig.engine.selection.recommendation import CostOfOwnership, Option

PARTS: dict[str, str] = {
    "purchase": N_("Purchase"),
    "price": N_("Purchase"),
    "rent": N_("Rent"),
    "electricity": N_("Electricity"),
    "cooling": N_("Cooling"),
    "colocation": N_("Colocation"),
    "maintenance": N_("Maintenance"),
    "spares": N_("Spare parts"),
    "staff": N_("Staff"),
    "downtime": N_("Downtime"),
    "network": N_("Network"),
    "financing": N_("Financing"),
    "resale": N_("Resale (deducted)"),
}


def ownership_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """The chosen option in parts, then all options in totals."""
    option = context.option
    if option is None or option.tco is None:
        return []
    say = writer.say
    blocks: list[Block] = [
        Heading(say(N_("Cost of ownership over {years} years"), years=option.tco.years)),
        _parts_table(option, option.tco, writer),
    ]
    facts = (
        [Fact(say(N_("Energy")), writer.figure(option.tco.energy_kwh))]
        if option.tco.energy_kwh.value is not None
        else []
    )
    if option.tco.per_month is not None:
        facts.append(Fact(say(N_("A month")), text(writer.formats.money(option.tco.per_month))))
    if facts:
        blocks.append(Facts(tuple(facts), columns=2 if len(facts) > 1 else 1))
    owned = [other for other in context.options if other.tco is not None]
    if len(owned) > 1:
        blocks.append(_options_table(context, owned, writer))
    note = N_("Forecast from price ranges and tariffs, to the yuan or dollar: for comparison, not payable.")
    blocks.append(Paragraph(text(say(note), tone=Tone.SECONDARY), Style.SMALL))
    return blocks


def _parts_table(option: Option, tco: CostOfOwnership, writer: Writer) -> Table:
    say = writer.say
    parts = dict(tco.parts) or {
        "purchase": option.price.total,
        "electricity": tco.electricity,
        "resale": tco.resale,
    }
    order = list(PARTS)
    named = sorted(
        parts.items(), key=lambda part: order.index(part[0]) if part[0] in order else len(order) - 1
    )
    rows = tuple(_amounts(say(PARTS.get(name, name)), amounts, writer) for name, amounts in named)
    foot = (_amounts(say(N_("Total")), tco.total, writer, bold=True),)
    return Table(columns=_columns(say(N_("Part of the cost")), writer), rows=rows, foot=foot)


def _options_table(context: DocumentContext, owned: list[Option], writer: Writer) -> Table:
    rows = tuple(
        _amounts(option_name(option, writer), option.tco.total, writer, bold=option is context.option)
        for option in owned
        if option.tco is not None
    )
    return Table(columns=_columns(writer.say(N_("Option")), writer), rows=rows)


def _columns(first: str, writer: Writer) -> tuple[Column, ...]:
    say = writer.say
    return (
        Column(title=first, weight=3.4),
        Column(title=say(N_("Low")), weight=1.4, align=Align.RIGHT),
        Column(title=say(N_("Middle")), weight=1.4, align=Align.RIGHT),
        Column(title=say(N_("High")), weight=1.4, align=Align.RIGHT),
    )


def _amounts(label: str, amounts: MoneyRange, writer: Writer, *, bold: bool = False) -> Row:
    money = writer.formats.money
    return (
        writer.cell(text(label, bold=bold)),
        writer.cell(money(amounts.low)),
        writer.cell(text(money(amounts.middle()), bold=bold)),
        writer.cell(money(amounts.high)),
    )
