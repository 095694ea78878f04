"""采购申请 / Purchase requisition: what a purchasing office needs to start."""

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
    Table,
    Text,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.naming import goods, task
from gpuconfig.documents.pricing import PricedBuild, PricedLine, priced_build
from gpuconfig.documents.sections.parties import signed_by
from gpuconfig.documents.sections.parts import currency_notes, totals
from gpuconfig.documents.sections.requirement import budget_words
from gpuconfig.documents.sections.specification import specification
from gpuconfig.documents.sections.summary import nothing_fits
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

COLUMNS = 7
REASONS = 4
"""Of the choice, where nobody wrote a purpose."""
ROLES = (
    N_("Department"),
    N_("Technical review"),
    N_("Finance"),
    N_("Purchasing"),
    N_("Person in charge"),
)


def requisition(context: DocumentContext, writer: Writer) -> Document:
    """Applicant, purpose, lines, money, enclosures, approvals.

    Raises:
        InputError: `option` where the chosen one buys nothing.
    """
    if context.option is None:
        return form(context, writer, nothing_fits(context, writer))
    priced = priced_build(context)
    if priced is None:
        raise InputError("impossible", "option", None, Message(N_("this option buys nothing")))
    say = writer.say
    blocks: list[Block] = [
        _applicant(context, writer),
        Heading(say(N_("Purpose and necessity")), 2),
        Paragraph(_purpose(context, writer)),
        Facts((Fact(say(N_("Existing resources")), text(context.terms.existing)),)),
        Heading(say(N_("Goods")), 2),
        _lines(priced, writer),
        *currency_notes(context, priced, writer),
        Heading(say(N_("Money")), 2),
        _money(context, writer),
        Heading(say(N_("Approvals")), 2),
        signed_by(ROLES, writer),
    ]
    return form(context, writer, blocks)


def _applicant(context: DocumentContext, writer: Writer) -> Facts:
    given, organisation = context.terms, context.organisation
    fields = (
        (N_("Organisation"), organisation.name),
        (N_("Department"), organisation.department),
        (N_("Applicant"), given.applicant or organisation.contact),
        (N_("Telephone"), organisation.phone),
        (N_("Date of application"), writer.day(context.issued)),
        (N_("Needed by"), given.needed_by),
        (N_("Urgency"), given.urgency or writer.say(N_("○ normal  ○ urgent  ○ very urgent"))),
        (N_("Number"), context.document_number),
    )
    return Facts(tuple(Fact(writer.say(label), text(value)) for label, value in fields), columns=2)


def _purpose(context: DocumentContext, writer: Writer) -> Text:
    if context.terms.purpose:
        return text(context.terms.purpose)
    option = context.option
    assert option is not None
    said = writer.say(
        N_("{machine} for {task}."), machine=goods(option, writer), task=task(context.request, writer)
    )
    reasons = writer.sentences([writer.message(message) for message in option.why[:REASONS]])
    gap = "" if said.endswith("。") else " "
    return text(said + gap + reasons + (gap + context.project.notes if context.project.notes else ""))


def _lines(priced: PricedBuild, writer: Writer) -> Table:
    say, included = writer.say, priced.bill.rule.included
    columns = (
        Column(title=say(N_("No.")), weight=0.5),
        Column(title=say(N_("Item")), weight=3.4),
        Column(title=say(N_("Specification")), weight=2.6),
        Column(title=say(N_("Unit")), weight=0.6),
        Column(title=say(N_("Qty")), weight=0.6, align=Align.RIGHT),
        Column(
            title=say(N_("Est. unit price, tax incl.") if included else N_("Est. unit price, excl. tax")),
            weight=1.6,
            align=Align.RIGHT,
        ),
        Column(
            title=say(N_("Est. amount, tax incl.") if included else N_("Est. amount, excl. tax")),
            weight=1.6,
            align=Align.RIGHT,
        ),
    )
    return Table(
        columns=columns,
        rows=tuple(_row(index, line, priced, writer) for index, line in enumerate(priced.lines)),
        foot=totals(priced, COLUMNS, writer),
        carried=COLUMNS - 1,
        carried_labels=(say(N_("carried forward")), say(N_("brought forward"))),
        carried_currency=priced.currency,
    )


def _row(index: int, line: PricedLine, priced: PricedBuild, writer: Writer) -> Row:
    kind = text(line.category(writer), tone=Tone.SECONDARY, small=True)
    return (
        writer.count_cell(index + 1),
        Cell(content=text(writer.part(line.line.item.name) + "  ") + kind),
        writer.cell(text(specification(line.line, writer), small=True)),
        writer.cell(line.unit(writer)),
        writer.count_cell(line.quantity),
        writer.money_cell(priced.bill.prices[index], priced.currency),
        writer.money_cell(priced.bill.charged[index], priced.currency, formula="ROUND({c4}*{c5},2)"),
    )


def _money(context: DocumentContext, writer: Writer) -> Facts:
    fields = (
        (N_("Budget item"), context.terms.budget_item),
        (N_("Budget"), budget_words(context, writer)),
        (N_("Source of the money"), context.terms.funding),
        (
            N_("Enclosures"),
            writer.join(
                [
                    writer.say(N_("at least three quotations")),
                    writer.say(N_("proposal or technical specification")),
                ]
            ),
        ),
    )
    return Facts(tuple(Fact(writer.say(label), text(value)) for label, value in fields), keep=True)
