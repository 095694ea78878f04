"""预算估算 / Budget estimate: sums that bind nobody, with their ranges and sources."""

from __future__ import annotations

from gpuconfig.documents.content import Block, Document, Fact, Facts, Heading, Paragraph, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.naming import goods, task
from gpuconfig.documents.sections.appendix import price_sources
from gpuconfig.documents.sections.ownership import ownership_section
from gpuconfig.documents.sections.parties import signed_by
from gpuconfig.documents.sections.parts import parts_section
from gpuconfig.documents.sections.requirement import budget_words
from gpuconfig.documents.sections.summary import amount_tiles, delivery, leading_note, nothing_fits
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_


def budget_estimate(context: DocumentContext, writer: Writer) -> Document:
    """Purpose, sums, lines, running cost, sources."""
    say = writer.say
    option = context.option
    if option is None:
        return form(context, writer, nothing_fits(context, writer))
    facts = (
        Fact(say(N_("Use")), text(task(context.request, writer))),
        Fact(say(N_("Machine")), text(goods(option, writer))),
        Fact(say(N_("Budget")), text(budget_words(context, writer))),
        Fact(say(N_("Delivery")), text(delivery(context, option, writer))),
    )
    blocks: list[Block] = [
        leading_note(writer),
        Facts(facts),
        amount_tiles(context, option, writer),
        *parts_section(context, writer),
        *ownership_section(context, writer),
        *price_sources(context, writer),
        Heading(say(N_("Approvals")), 2),
        signed_by((N_("Prepared by"), N_("Technical review"), N_("Finance"), N_("Approved by")), writer),
    ]
    if context.project.notes.strip():
        blocks.insert(2, Paragraph(text(context.project.notes)))
    return form(context, writer, blocks)
