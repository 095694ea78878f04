"""论证报告 / Proposal to management."""

from __future__ import annotations

from gpuconfig.documents.content import Block, Contents, Document, Heading, PageBreak
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import framed
from gpuconfig.documents.sections.appendix import appendix
from gpuconfig.documents.sections.findings import findings_in_short
from gpuconfig.documents.sections.options import options_section, recommendation_section
from gpuconfig.documents.sections.ownership import outlook_section, ownership_section
from gpuconfig.documents.sections.parts import parts_section
from gpuconfig.documents.sections.performance import performance_section
from gpuconfig.documents.sections.plan import approvals, plan_section
from gpuconfig.documents.sections.requirement import requirement
from gpuconfig.documents.sections.risks import risk_section
from gpuconfig.documents.sections.summary import summary
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_


def proposal(context: DocumentContext, writer: Writer) -> Document:
    """One page to decide by, then the argument, then the evidence."""
    blocks: list[Block] = [
        *summary(context, writer),
        Contents(writer.say(N_("Contents"))),
        *requirement(context, writer),
        *options_section(context, writer),
        *recommendation_section(context, writer),
        *parts_section(context, writer),
        *findings_in_short(context, writer),
        *performance_section(context, writer),
        *ownership_section(context, writer),
        *outlook_section(context, writer),
        *risk_section(context, writer),
        *plan_section(context, writer),
        *approvals(writer),
        PageBreak(),
        *appendix(context, writer),
    ]
    return framed(context, writer, numbered(blocks))


def numbered(blocks: list[Block]) -> list[Block]:
    """The same with section numbers; the appendices carry letters of their own."""
    made: list[Block] = []
    number = 0
    for index, block in enumerate(blocks):
        if isinstance(block, PageBreak):  # the appendix begins
            return made + blocks[index:]
        if isinstance(block, Heading) and block.level == 1:
            number += 1
            made.append(Heading(f"{number}\u2002{block.text}", 1))
        else:
            made.append(block)
    return made
