"""比价表 / Price comparison: the options side by side, and the form three sellers' offers are laid into."""

from __future__ import annotations

from gpuconfig.documents.content import (
    Align,
    Block,
    Cell,
    Column,
    Document,
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
from gpuconfig.documents.frame import form
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.pricing import priced_build, total_of
from gpuconfig.documents.sections.options import comparison_tables, lost_because
from gpuconfig.documents.sections.parties import signed_by
from gpuconfig.documents.sections.summary import nothing_fits
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_

SELLERS = 3


def price_comparison(context: DocumentContext, writer: Writer) -> Document:
    """Options, sellers' offers, the choice and its reasons."""
    if context.option is None:
        return form(context, writer, nothing_fits(context, writer))
    say = writer.say
    blocks: list[Block] = [
        Heading(say(N_("Options"))),
        *comparison_tables(context, context.options, writer),
        _differences(context, writer),
        Heading(say(N_("Offers for the recommended option"))),
        Paragraph(
            text(say(N_("To be filled in from the sellers' quotations.")), tone=Tone.SECONDARY), Style.SMALL
        ),
        _offers(context, writer),
        Heading(say(N_("Choice and reasons"))),
        _choice(context, writer),
        signed_by((N_("Compared by"), N_("Reviewed by"), N_("Approved by")), writer),
    ]
    return form(context, writer, blocks)


def _differences(context: DocumentContext, writer: Writer) -> Table:
    """Each option's price against the recommended one."""
    option = context.option
    assert option is not None
    base = total_of(context, option)
    rows: list[Row] = []
    for other in context.options:
        total = total_of(context, other)
        reason = lost_because(other, writer) if other is not option else writer.say(N_("recommended"))
        rows.append(
            (
                writer.cell(text(option_name(other, writer), bold=other is option)),
                writer.money_cell(total.amount, total.currency),
                writer.money_cell((total - base).amount, total.currency),
                writer.cell(reason),
            )
        )
    columns = (
        Column(title=writer.say(N_("Option")), weight=2.6),
        Column(title=writer.say(N_("Total")), weight=1.5, align=Align.RIGHT),
        Column(title=writer.say(N_("Difference")), weight=1.5, align=Align.RIGHT),
        Column(title=writer.say(N_("Reason")), weight=3.4),
    )
    return Table(columns=columns, rows=tuple(rows))


def _offers(context: DocumentContext, writer: Writer) -> Table:
    """A column for this estimate as the reference and one for each seller."""
    say = writer.say
    priced = priced_build(context)
    rate = priced.bill.rule.rate if priced else None
    assert context.option is not None
    untaxed = rate is None and priced is not None and not priced.bill.rule.included
    price = N_("Price, excl. tax") if untaxed else N_("Price, tax incl.")
    reference = {
        N_("Model as specified"): text(say(N_("yes"))),
        price: text(writer.money(total_of(context, context.option))),
        N_("Tax rate"): text(writer.percent(rate)) if rate is not None else writer.unknown(),
    }
    labels = (
        N_("Model as specified"),
        N_("Deviation"),
        price,
        N_("Tax rate"),
        N_("Kind of invoice"),
        N_("Lead time"),
        N_("Payment"),
        N_("Warranty"),
        N_("Valid until"),
        N_("Difference to the lowest"),
    )
    empty = Cell(content=())
    rows = tuple(
        (writer.cell(say(label)), Cell(content=reference.get(label, ())), *(empty for _ in range(SELLERS)))
        for label in labels
    )
    columns = (
        Column(title="", weight=1.4),
        Column(title=say(N_("Reference (this estimate)")), weight=1.6),
        *(
            Column(title=say(N_("Seller {letter}"), letter=letter), weight=1.6)
            for letter in "ABCDEF"[:SELLERS]
        ),
    )
    return Table(columns=columns, rows=rows, first_column_heads=True)


def _choice(context: DocumentContext, writer: Writer) -> Facts:
    option = context.option
    assert option is not None
    reasons = writer.sentences([writer.message(message) for message in option.why])
    fields = (
        (N_("Recommended option"), option_name(option, writer)),
        (N_("Reasons"), reasons),
        (N_("Chosen seller"), ""),
        (N_("Why not the lowest price"), ""),
    )
    return Facts(tuple(Fact(writer.say(label), text(value)) for label, value in fields))
