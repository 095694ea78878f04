"""The build sheet: parts with quantities, prices and marks; subtotal, tax, total and 大写."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from gpuconfig.documents.bill import Rounding
from gpuconfig.documents.content import (
    Align,
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.pricing import PricedBuild, PricedLine, is_converted, priced_build
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_

AMOUNT = 6
"""Column of the amounts."""


def parts_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """Heading, table with totals, notes on the marks."""
    priced = priced_build(context)
    if priced is None:
        return []
    return [Heading(writer.say(N_("Parts and prices"))), *parts_table(context, priced, writer)]


def parts_table(context: DocumentContext, priced: PricedBuild, writer: Writer) -> list[Block]:
    """The bill as a table, its total in words, and what the marks mean."""
    say = writer.say
    included = priced.bill.rule.included
    with_tax, without_tax = N_("Unit price, tax incl."), N_("Unit price, excl. tax")
    amount_with, amount_without = N_("Amount, tax incl."), N_("Amount, excl. tax")
    columns = (
        Column(title=say(N_("No.")), weight=0.5),
        Column(title=say(N_("Category")), weight=1.1),
        Column(title=say(N_("Part")), weight=3.9),
        Column(title=say(N_("Price mark")), weight=2.1),
        Column(title=say(N_("Qty")), weight=0.6, align=Align.RIGHT),
        Column(title=say(with_tax if included else without_tax), weight=1.6, align=Align.RIGHT),
        Column(title=say(amount_with if included else amount_without), weight=1.7, align=Align.RIGHT),
    )
    rows = tuple(_row(index, line, priced, writer) for index, line in enumerate(priced.lines))
    table = Table(
        columns=columns,
        rows=rows,
        foot=totals(priced, len(columns), writer),
        carried=AMOUNT,
        carried_labels=(say(N_("carried forward")), say(N_("brought forward"))),
        carried_currency=priced.currency,
    )
    return [table, *_notes(context, priced, writer)]


def _row(index: int, line: PricedLine, priced: PricedBuild, writer: Writer) -> Row:
    item = line.line.item
    name = text(writer.part(item.name))
    details = [part for part in (item.part_number or "", line.line.note) if part]
    if line.line.power_limit_w is not None:
        limit = writer.formats.quantity(line.line.power_limit_w, "W")
        details.append(writer.say(N_("power limit {watts}"), watts=limit))
    if details:
        name += text("\n" + " · ".join(details), tone=Tone.SECONDARY, small=True)
    return (
        writer.count_cell(index + 1),
        writer.cell(line.category(writer)),
        writer.cell(name),
        Cell(content=tuple(replace(span, small=True) for span in line.mark(writer))),
        writer.count_cell(line.quantity),
        writer.money_cell(priced.bill.prices[index], priced.currency),
        writer.money_cell(priced.bill.charged[index], priced.currency, formula="ROUND({c4}*{c5},2)"),
    )


def totals(priced: PricedBuild, columns: int, writer: Writer) -> tuple[Row, ...]:
    """Foot of a bill: net, tax and gross under one another, and under the total its amount in words."""
    words = writer.words(priced.total)
    if not words:
        return _sums(priced, columns, writer)
    label = text(writer.say(N_("Total in words")) + "  ", tone=Tone.SECONDARY)
    return (*_sums(priced, columns, writer), (Cell(content=label + text(words, bold=True), span=columns),))


def _sums(priced: PricedBuild, columns: int, writer: Writer) -> tuple[Row, ...]:
    """Net, tax and gross, each with its spreadsheet formula."""
    bill, say = priced.bill, writer.say
    rate = bill.rule.rate
    column = columns - 1

    def foot(label: str, amount: Decimal, formula: str, *, bold: bool = False) -> Row:
        words = Cell(content=text(label, bold=bold), span=column)
        return (words, writer.money_cell(amount, bill.currency, bold=bold, formula=formula))

    subtotal = f"SUM({{all{column}}})"
    if rate is None:
        return (foot(say(N_("Total (tax not stated)")), bill.total.gross, subtotal, bold=True),)
    percent = writer.percent(rate)
    per_line = bill.rule.rounding is Rounding.PER_LINE
    if bill.rule.included:
        net_formula = (
            f"SUMPRODUCT(ROUND({{all{column}}}/(1+{rate}),2))"
            if per_line
            else f"ROUND({subtotal}/(1+{rate}),2)"
        )
        return (
            foot(say(N_("Amount without tax")), bill.total.net, net_formula),
            foot(say(N_("VAT {rate}"), rate=percent), bill.total.tax, f"{subtotal}-{{foot0_{column}}}"),
            foot(say(N_("Total, tax included")), bill.total.gross, subtotal, bold=True),
        )
    tax_formula = (
        f"SUMPRODUCT(ROUND({{all{column}}}*{rate},2))" if per_line else f"ROUND({{foot0_{column}}}*{rate},2)"
    )
    return (
        foot(say(N_("Subtotal without tax")), bill.total.net, subtotal),
        foot(say(N_("VAT {rate}"), rate=percent), bill.total.tax, tax_formula),
        foot(
            say(N_("Total, tax included")),
            bill.total.gross,
            f"{{foot0_{column}}}+{{foot1_{column}}}",
            bold=True,
        ),
    )


def _notes(context: DocumentContext, priced: PricedBuild, writer: Writer) -> list[Block]:
    """What the marks mean, after the notes on tax and currency."""
    marks = N_(
        "Unit prices are the middle of the lowest and highest price found. Street: seen in a shop; list: the "
        "maker's; converted: from another currency, nobody asks this amount; assumed: no price was found."
    )
    note = Paragraph(text(writer.say(marks), tone=Tone.SECONDARY), Style.SMALL)
    return [*currency_notes(context, priced, writer), note]


def currency_notes(context: DocumentContext, priced: PricedBuild, writer: Writer) -> list[Block]:
    """Rate and rounding of the tax, parts without a price, exchange rate with its date."""
    say, rule = writer.say, priced.bill.rule
    notes = [say(N_("Currency: {currency}."), currency=priced.currency.value)]
    if rule.rate is not None:
        per_line = rule.rounding is Rounding.PER_LINE
        notes.append(
            say(
                N_("Tax {rate}, {where}. Source of the rate: {source}, {date}."),
                rate=writer.percent(rule.rate),
                where=say(N_("rounded to the cent in each line") if per_line else N_("rounded on the total")),
                source=say(rule.source) or say(N_("given by the user")),
                date=rule.date or say(N_("undated")),
            )
        )
    if priced.bill.missing:
        notes.append(
            say(N_("{count} parts have no price and are not in the total."), count=priced.bill.missing)
        )
    if context.rate is not None and any(is_converted(line.line) for line in priced.lines):
        notes.append(
            say(
                N_("Converted at 1 {base} = {rate} {target} ({date})."),
                base=context.rate.base.value,
                rate=str(context.rate.rate),
                target=context.rate.target.value,
                date=writer.day(context.rate.evidence.date),
            )
        )
    return [Paragraph(text(writer.sentences(notes), tone=Tone.SECONDARY), Style.SMALL)]
