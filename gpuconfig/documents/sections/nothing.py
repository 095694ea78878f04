"""Buying nothing beside the options: the same figures, and what follows from it."""

from __future__ import annotations

from gpuconfig.documents.content import Text, Tone, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, OptionKind

NAME = N_("Do nothing")


def compared(context: DocumentContext) -> bool:
    """Whether buying nothing stands beside the options: not where the work already runs on what there is."""
    bought = all(option.kind is not OptionKind.KEEP for option in context.options)
    return bool(context.options) and bought and context.recommendation.nothing is not None


def figure(label: str, context: DocumentContext, writer: Writer) -> Text:
    """What buying nothing gives in the row named `label` of the comparison."""
    say = writer.say
    nothing = context.recommendation.nothing
    if nothing is None:
        return ()
    amount = nothing_spent(context, writer)
    years = say(N_("over {years} years"), years=nothing.tco.years)
    known = {
        "Machine": text(say(NAME), bold=True),
        "Planning price": text(amount),
        "Low – high": text(amount),
        "Cost of ownership": text(writer.formats.money(nothing.tco.planned()))
        + text(f" {years}", tone=Tone.SECONDARY),
        "Meets the target": text(say(N_("no")), tone=Tone.PROBLEM),
        "Within the budget": text(say(N_("yes")), tone=Tone.OK),
    }
    return known.get(label) or text(say(N_("none")), tone=Tone.SECONDARY)


def nothing_spent(context: DocumentContext, writer: Writer) -> str:
    """Zero in the currency that the options are priced in."""
    nothing = context.recommendation.nothing
    return "" if nothing is None else writer.formats.money(nothing.price.planned())


def consequence(context: DocumentContext, writer: Writer) -> str:
    """What follows from buying nothing: the work is not done, or is rented at today's need."""
    say = writer.say
    rent = _rental(context)
    nothing = context.recommendation.nothing
    flips = [] if nothing is None else [writer.message(message) for message in nothing.flips_if]
    first = say(N_("Doing nothing costs nothing and leaves the work undone"))
    if rent is None:
        none = say(N_("no dated rent of a card that would do it is known"))
        return writer.sentences([first, *flips, none])
    reasons = [writer.message(message) for message in rent.why]
    name = option_name(rent, writer)
    second = say(N_("Needed only now and then, the work can be rented ({machine})"), machine=name)
    return writer.sentences([first, *flips, second, *reasons])


def _rental(context: DocumentContext) -> Option | None:
    """The rental shown, or the best one looked at."""
    looked_at = (*context.options, *context.recommendation.considered)
    return next((option for option in looked_at if option.kind is OptionKind.RENT), None)
