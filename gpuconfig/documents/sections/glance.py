"""At a glance, for the first page: each option in a line with why it was not chosen, and what was taken as given."""

from __future__ import annotations

from gpuconfig.documents.content import Align, Block, Cell, Column, Heading, Row, Table, Text, Tone, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import duration, option_name
from gpuconfig.documents.pricing import planning_total
from gpuconfig.documents.sections import nothing
from gpuconfig.documents.sections.options import lost_because, period
from gpuconfig.documents.sections.requirement import assumed
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option

OPTIONS_SHOWN = 4
ASSUMPTIONS_SHOWN = 4
REASONS_SHOWN = 1


def alternatives(context: DocumentContext, writer: Writer) -> list[Block]:
    """The options in one line each, and why each of the others was not chosen."""
    if len(context.options) < 2 or context.option is None:
        return []
    say = writer.say
    shown = context.options[:OPTIONS_SHOWN]
    times = writer.figures([duration(option.estimate)[1] for option in shown])
    rows: tuple[Row, ...] = tuple(
        (
            _named(context, option, writer),
            writer.cell(
                text(writer.formats.money(planning_total(context, option))) + period(context, option, writer)
            ),
            writer.cell(time),
            writer.cell(writer.formats.money(option.tco.planned()) if option.tco else writer.unknown()),
        )
        for option, time in zip(shown, times, strict=True)
    )
    if nothing.compared(context):
        spent = writer.cell(nothing.nothing_spent(context, writer))
        rows += ((writer.cell(say(nothing.NAME)), spent, writer.cell(say(N_("not done"))), spent),)
    columns = (
        Column(title=say(N_("Option")), weight=3.6),
        Column(title=say(N_("Planning price")), weight=1.5, align=Align.RIGHT),
        Column(title=say(duration(shown[0].estimate)[0]), weight=1.7, align=Align.RIGHT),
        Column(title=say(N_("Cost of ownership")), weight=1.2, align=Align.RIGHT),
    )
    table = Table(columns=columns, rows=rows, strong=frozenset({context.options.index(context.option)}))
    return [Heading(say(N_("The options")), 2), table]


def _named(context: DocumentContext, option: Option, writer: Writer) -> Cell:
    if option is context.option:
        return writer.cell(text(option_name(option, writer), bold=True))
    why = writer.say(N_("not chosen: {reason}"), reason=lost_because(option, writer, most=REASONS_SHOWN))
    return writer.cell(text(option_name(option, writer)) + text("\n" + why, tone=Tone.SECONDARY, small=True))


def taken_as_given(context: DocumentContext, writer: Writer) -> tuple[Text, ...]:
    """The first defaults that were taken where nothing was said, and where all of them stand."""
    lines = assumed(context, writer)
    if not lines:
        return ()
    pair = N_("{name}: {value}")
    shown = [writer.say(pair, name=line.title, value=line.value) for line in lines[:ASSUMPTIONS_SHOWN]]
    where = writer.say(N_("All {count} assumptions, each with its reason: section 1."), count=len(lines))
    words = writer.sentences([writer.join(shown), where])
    return (text(writer.say(N_("Taken as given: ")), bold=True) + text(words),)
