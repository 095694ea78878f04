"""What every paper has around its content: title, numbers, footer, watermark, parties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpuconfig.documents.content import Block, Document, Fact, Facts, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import paper_title
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language
from gpuconfig.settings import Organisation


def form(context: DocumentContext, writer: Writer, blocks: Sequence[Block]) -> Document:
    """A paper of the office: its kind is the headline, what it is about stands below."""
    paper = framed(context, writer, blocks)
    return replace(paper, headline=paper.kind, subtitle=paper.title, kind="")


def framed(context: DocumentContext, writer: Writer, blocks: Sequence[Block], title: str = "") -> Document:
    """The paper around `blocks`."""
    say = writer.say
    version = say(N_("version {revision}"), revision=context.revision)
    day = writer.day(context.price_date)
    dated = (say(N_("prices of {day}"), day=day),) if context.kind.has_prices else ()
    footer = "  ·  ".join((context.document_number, version, *dated))
    used = dict(context.versions) or dict(context.recommendation.versions)
    return Document(
        title=title or paper_title(context, writer),
        kind=say(context.kind.heading),
        head=(
            say(N_("No. {number}"), number=context.document_number),
            version,
            writer.day(context.issued),
            say(N_("valid until {day}"), day=context.valid_until) if context.valid_until else "",
        ),
        organisation=context.organisation.name,
        language="zh-CN" if writer.language is Language.ZH else "en-US",
        footer=footer,
        page=writer.word(N_("page {page} / {pages}")),
        author=context.organisation.name or "gpuconfig",
        subject=say(context.kind.heading),
        keywords=", ".join(f"{name} {value}" for name, value in used.items()),
        issued=context.issued,
        watermark=watermark(context, writer),
        missing_glyphs=say(N_("□ stands for characters that the typeface of this paper lacks:")),
        logo=context.organisation.logo,
        blocks=tuple(blocks),
    )


def watermark(context: DocumentContext, writer: Writer) -> str:
    """The draft mark until prices are agreed, while any part of the total is assumed."""
    option = context.option
    firm = context.prices_frozen or (
        option is not None and option.price.assumed_share == 0 and not option.price.missing
    )
    return "" if firm or not context.kind.has_prices else writer.say(N_("DRAFT"))


def party(organisation: Organisation, writer: Writer) -> Facts:
    """Name, tax number, bank and contacts of one side; what is not given stays empty, to be filled in."""
    fields = (
        (N_("Full name"), organisation.name),
        (N_("Department"), organisation.department),
        (N_("Tax number"), organisation.tax_number),
        (N_("Address"), organisation.address),
        (N_("Bank and account"), " ".join(p for p in (organisation.bank, organisation.bank_account) if p)),
        (N_("Contact"), organisation.contact),
        (N_("Telephone"), organisation.phone),
        (N_("E-mail"), organisation.email),
    )
    return Facts(tuple(Fact(writer.say(label), text(value)) for label, value in fields), columns=2)
