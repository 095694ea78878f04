"""Buying nothing beside the options: the same figures, and what follows from it."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.documents.content import Text, Tone, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.recommendation import Option, OptionKind

NAME = N_("Do nothing")


def compared(context: DocumentContext) -> bool:
    """Whether buying nothing stands beside the options: not where the work already runs on what there is."""
    return bool(context.options) and all(option.kind is not OptionKind.KEEP for option in context.options)


def figure(label: str, context: DocumentContext, writer: Writer) -> Text:
    """What buying nothing gives in the row named `label` of the comparison."""
    say = writer.say
    amount = nothing_spent(context, writer)
    known = {
        "Machine": text(say(NAME), bold=True),
        "Planning price": text(amount),
        "Low – high": text(amount),
        "Cost of ownership": text(amount),
        "Meets the target": text(say(N_("no")), tone=Tone.PROBLEM),
        "Within the budget": text(say(N_("yes")), tone=Tone.OK),
    }
    return known.get(label) or text(say(N_("none")), tone=Tone.SECONDARY)


def nothing_spent(context: DocumentContext, writer: Writer) -> str:
    """Zero in the currency that the options are priced in."""
    return writer.formats.money(Money(Decimal(0), context.options[0].price.total.low.currency))


def consequence(context: DocumentContext, writer: Writer) -> str:
    """What follows from buying nothing: the work is not done, or is rented at today's need."""
    say = writer.say
    rent = _rental(context)
    first = say(N_("Doing nothing costs nothing and leaves the work undone"))
    if rent is None:
        return writer.sentences([first, say(N_("no dated rent of a card that would do it is known"))])
    reasons = [writer.message(message) for message in rent.why]
    name = option_name(rent, writer)
    second = say(N_("Needed only now and then, the work can be rented ({machine})"), machine=name)
    return writer.sentences([first, second, *reasons])


def _rental(context: DocumentContext) -> Option | None:
    """The rental shown, or the best one looked at."""
    looked_at = (*context.options, *context.recommendation.considered)
    return next((option for option in looked_at if option.kind is OptionKind.RENT), None)
