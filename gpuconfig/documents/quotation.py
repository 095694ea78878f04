"""报价单 / Quotation: it can bind, therefore it names its seller or is not made."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from gpuconfig.documents.bill import Bill
from gpuconfig.documents.content import (
    Align,
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Row,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.pricing import PricedBuild, PricedLine, priced_build
from gpuconfig.documents.sections.parties import buyer, seller, signed_by, terms
from gpuconfig.documents.sections.parts import currency_notes, totals
from gpuconfig.documents.sections.specification import specification
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

COLUMNS = 10


def quotation(context: DocumentContext, writer: Writer) -> Document:
    """Seller, buyer, lines, sums, terms, signatures.

    Raises:
        InputError: `seller.name` where no seller is given, `option` where there is nothing to offer.
    """
    if context.seller is None or not context.seller.name.strip():
        raise InputError(
            "missing", "seller.name", None, Message(N_("a quotation needs a seller: it can bind"))
        )
    priced = priced_build(context)
    if priced is None:
        raise InputError("missing", "option", None, Message(N_("there is no machine with parts to quote")))
    blocks: list[Block] = [
        *seller(context.seller, writer),
        *buyer(context, writer),
        Heading(writer.say(N_("Goods")), 2),
        lines_table(context, priced, writer),
        *currency_notes(context, priced, writer),
        *terms(context, writer),
        signed_by((N_("Seller"), N_("Buyer")), writer, seal=True),
    ]
    return replace(form(context, writer, blocks), organisation=context.seller.name)


def lines_table(context: DocumentContext, priced: PricedBuild, writer: Writer) -> Table:
    """The goods with both unit prices, rate, amount, lead time and warranty."""
    say = writer.say
    included = priced.bill.rule.included
    right = Align.RIGHT
    columns = (
        Column(title=say(N_("No.")), weight=0.4),
        Column(title=say(N_("Name, make, model, specification")), weight=3.6),
        Column(title=say(N_("Unit")), weight=0.5),
        Column(title=say(N_("Qty")), weight=0.5, align=right),
        Column(title=say(N_("Lead time")), weight=0.8),
        Column(title=say(N_("Warranty")), weight=0.8),
        Column(title=say(N_("Unit price, excl. tax")), weight=1.3, align=right),
        Column(title=say(N_("Tax rate")), weight=0.6, align=right),
        Column(title=say(N_("Unit price, tax incl.")), weight=1.3, align=right),
        Column(
            title=say(N_("Amount, tax incl.") if included else N_("Amount, excl. tax")),
            weight=1.4,
            align=right,
        ),
    )
    rows = tuple(_row(context, index, line, priced, writer) for index, line in enumerate(priced.lines))
    return Table(
        columns=columns,
        rows=rows,
        foot=totals(priced, COLUMNS, writer),
        carried=COLUMNS - 1,
        carried_labels=(say(N_("carried forward")), say(N_("brought forward"))),
        carried_currency=priced.currency,
    )


def _row(
    context: DocumentContext, index: int, priced_line: PricedLine, priced: PricedBuild, writer: Writer
) -> Row:
    line = priced_line.line
    offer = line.offer
    days = offer.lead_time_days if offer else None
    lead = writer.say(N_("{days} days"), days=days) if days is not None else context.terms.lead_time
    name = text(
        " ".join(
            part for part in (_brand(line.item.brand, line.item.name), writer.part(line.item.name)) if part
        )
    )
    kind = priced_line.category(writer)
    details = [kind, line.item.part_number or "", specification(line, writer)]
    name += text("\n" + " · ".join(part for part in details if part), tone=Tone.SECONDARY, small=True)
    bill = priced.bill
    net, gross = both_prices(bill, index)
    rate = bill.rule.rate
    return (
        writer.count_cell(index + 1),
        Cell(content=name),
        writer.cell(priced_line.unit(writer)),
        writer.count_cell(priced_line.quantity),
        writer.cell(lead),
        writer.cell(context.terms.warranty),
        writer.money_cell(
            net, bill.currency, formula=f"ROUND({{c8}}/(1+{rate}),2)" if bill.rule.included and rate else ""
        ),
        writer.percent_cell(rate),
        writer.money_cell(
            gross,
            bill.currency,
            formula=f"ROUND({{c6}}*(1+{rate}),2)" if not bill.rule.included and rate else "",
        ),
        writer.money_cell(
            bill.charged[index],
            bill.currency,
            formula="ROUND({c3}*{c8},2)" if bill.rule.included else "ROUND({c3}*{c6},2)",
        ),
    )


def both_prices(bill: Bill, index: int) -> tuple[Decimal | None, Decimal | None]:
    """Unit price without and with tax; the one that is not charged is for information."""
    price = bill.prices[index]
    if price is None:
        return None, None
    if bill.rule.included:
        return bill.net_price(price), price
    return price, bill.gross_price(price)


def _brand(brand: str, name: str) -> str:
    return "" if brand.lower() in name.lower() else brand
