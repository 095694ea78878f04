"""Who buys, who sells, on which terms, and who signs."""

from __future__ import annotations

from gpuconfig.documents.content import Block, Fact, Facts, Heading, Signatures, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import party
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.settings import Organisation


def buyer(context: DocumentContext, writer: Writer) -> list[Block]:
    """The organisation the machine is bought for."""
    return [Heading(writer.say(N_("Buyer")), 2), party(context.organisation, writer)]


def seller(organisation: Organisation, writer: Writer) -> list[Block]:
    """The supplier that offers."""
    return [Heading(writer.say(N_("Seller")), 2), party(organisation, writer)]


def terms(context: DocumentContext, writer: Writer) -> list[Block]:
    """Payment, delivery, acceptance, warranty, invoice; what is not given is left to be filled in."""
    given = context.terms
    fields = (
        (N_("Payment"), given.payment),
        (N_("Delivery time"), given.lead_time),
        (N_("Place of delivery"), given.delivery),
        (N_("Acceptance"), given.acceptance),
        (N_("Warranty"), given.warranty),
        (N_("Service after the sale"), given.service),
        (N_("Kind of invoice"), given.invoice),
        (N_("Valid until"), writer.day(context.valid_until) if context.valid_until else ""),
        (N_("Remarks"), given.remarks),
    )
    facts = tuple(Fact(writer.say(label), text(value)) for label, value in fields)
    return [Heading(writer.say(N_("Terms")), 2), Facts(facts, columns=2, keep=True)]


def signed_by(roles: tuple[str, ...], writer: Writer, *, seal: bool = False) -> Signatures:
    """Blocks to sign; with a place for the seal between companies."""
    last = writer.say(N_("Date"))
    first = writer.say(N_("Signature and seal") if seal else N_("Signature"))
    return Signatures(tuple((writer.say(role), (first, last)) for role in roles))
