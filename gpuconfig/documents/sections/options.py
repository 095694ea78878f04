"""Options side by side, why the others lost, and the trade-off chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from gpuconfig.documents.content import (
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Text,
    Tone,
    bold,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import BOUNDS, OPTION_KINDS, VERDICTS
from gpuconfig.documents.naming import duration, option_name, speed
from gpuconfig.documents.pricing import planning_total
from gpuconfig.documents.sections import nothing
from gpuconfig.documents.sections.fallen import fallen_out
from gpuconfig.documents.sections.tradeoff import trade_off
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.pricing.wishes import Duration
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.performance import headroom
from gpuconfig.engine.selection.recommendation import Option, OptionKind

MOST_COLUMNS = 4
"""Options in one table; more follow in a further table."""


def options_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """The comparison, the chart and what was not compared."""
    options = context.options
    blocks: list[Block] = [Heading(writer.say(N_("Options compared")))]
    if not options:
        blocks.append(Paragraph(text(writer.say(N_("No option meets the requirement within the limits.")))))
    blocks += comparison_tables(context, options, writer)
    kinds = {option.kind for option in (*options, *context.recommendation.considered)}
    if nothing.compared(context):
        blocks.append(Paragraph(text(nothing.consequence(context, writer), tone=Tone.SECONDARY), Style.SMALL))
    if options and OptionKind.RENT not in kinds:
        name = writer.say(OPTION_KINDS[OptionKind.RENT])
        note = writer.say(N_("Not compared in this paper: {kinds}."), kinds=name)
        blocks.append(Paragraph(text(note, tone=Tone.SECONDARY), Style.SMALL))
    chart = trade_off(context, writer)
    if chart is not None:
        blocks.append(chart)
    return blocks


def comparison_tables(context: DocumentContext, options: tuple[Option, ...], writer: Writer) -> list[Block]:
    """One column an option, at most `MOST_COLUMNS` a table."""
    blocks: list[Block] = []
    for start in range(0, len(options), MOST_COLUMNS):
        shown = options[start : start + MOST_COLUMNS]
        titles = [
            writer.say(N_("Option {number}"), number=start + index + 1)
            + (f" ★ {writer.say(N_('recommended'))}" if option is context.option else "")
            for index, option in enumerate(shown)
        ]
        idle = start + MOST_COLUMNS >= len(options) and nothing.compared(context)
        if idle:
            titles.append(writer.say(N_("Option {number}"), number=len(options) + 1))
        rows = _rows(context, shown, writer, idle=idle)
        columns = (
            Column(title="", weight=1.5),
            *(Column(title=title, weight=2.0) for title in titles),
        )
        blocks.append(Table(columns=columns, rows=rows, first_column_heads=True))
    return blocks


def _rows(
    context: DocumentContext, options: tuple[Option, ...], writer: Writer, *, idle: bool
) -> tuple[Row, ...]:
    """Grouped by what a decision weighs; the best of a row is bold; `idle` adds buying nothing as the last."""
    say = writer.say
    costs = [o.tco.planned().amount if o.tco else None for o in options]
    prices = [planning_total(context, o).amount for o in options]
    times = [duration(o.estimate)[1] for o in options]
    best_price, best_cost = _least(prices), _least(costs)
    best_time = _least([figure.value for figure in times])
    timed = writer.figures(times)
    speeds = writer.figures([speed(o.estimate)[1] for o in options])
    lasting, paced = duration(options[0].estimate)[0], speed(options[0].estimate)[0]
    labels: list[tuple[str, Callable[[int, Option], Text]]] = [
        (N_("Machine"), lambda _, o: text(option_name(o, writer), bold=True)),
        (
            N_("Split of the work"),
            lambda _, o: text(writer.parallelism(o.estimate.parallelism) or say(N_("none"))),
        ),
        (
            N_("Planning price"),
            lambda i, o: (
                text(writer.formats.money(planning_total(context, o)), bold=i == best_price)
                + period(context, o, writer)
            ),
        ),
        (N_("Low – high"), lambda _, o: text(writer.about(o.price.total))),
        (N_("Tax basis"), lambda _, o: text(tax_basis(o, writer))),
        (N_("Assumed share"), lambda _, o: text(writer.percent(o.price.assumed_share))),
        (N_("Oldest price"), lambda _, o: text(writer.day(o.price.oldest_date))),
        (lasting, lambda i, _: bold(timed[i]) if i == best_time else timed[i]),
        *([(paced, lambda i, _: speeds[i])] if paced != lasting else []),  # of an image they are the same
        *(
            [(N_("Limited by"), lambda _, o: _bound(o, writer))]
            if any(o.estimate.training for o in options)
            else []
        ),
        (N_("Card memory"), lambda _, o: _memory(o, writer)),
        (N_("Cost of ownership"), lambda i, o: _ownership(context, o, i == best_cost, writer)),
        (N_("Risk (0–1)"), lambda _, o: _risk(o, writer)),
        (N_("Meets the target"), lambda _, o: _yes_no(o.meets_target, writer)),
        (N_("Within the budget"), lambda _, o: _yes_no(o.within_budget, writer)),
    ]
    rows: list[Row] = []
    for label, show in labels:
        cells = tuple(Cell(content=show(index, option)) for index, option in enumerate(options))
        cells += (Cell(content=nothing.figure(label, context, writer)),) if idle else ()
        rows.append((writer.cell(text(say(label), tone=Tone.SECONDARY)), *cells))
    return tuple(rows)


def tax_basis(option: Option, writer: Writer) -> str:
    """What the option's range contains; rents are as the providers list them."""
    if option.kind is OptionKind.RENT:
        return writer.say(N_("as the providers list it"))
    return writer.say(N_("tax included") if option.price.tax_included else N_("without tax"))


def for_one_run(context: DocumentContext) -> bool:
    """Whether the machine is needed for one run alone."""
    return context.request.cost.need is Duration.ONE_RUN


def period(context: DocumentContext, option: Option, writer: Writer) -> Text:
    """What a rent's price spans; nothing for a purchase."""
    if option.kind is not OptionKind.RENT or option.tco is None:
        return ()
    if for_one_run(context):
        return text(f" {writer.say(N_('for one run'))}", tone=Tone.SECONDARY, small=True)
    years = writer.say(N_("over {years} years"), years=option.tco.years)
    return text(f" {years}", tone=Tone.SECONDARY, small=True)


def _least(values: Sequence[Decimal | float | None]) -> int | None:
    """Index of the least known value where there are several to compare."""
    known = [(value, index) for index, value in enumerate(values) if value is not None]
    return min(known)[1] if len(known) > 1 else None


def _bound(option: Option, writer: Writer) -> Text:
    bound = option.estimate.bound_by
    return writer.unknown() if bound is None else text(writer.say(BOUNDS[bound]))


def _memory(option: Option, writer: Writer) -> Text:
    share = headroom(option.estimate)
    verdict = option.estimate.verdict
    tone = Tone.OK if verdict is Verdict.FITS else Tone.WARNING
    words = text(writer.say(VERDICTS[verdict]), tone=tone)
    if share is None:
        return words
    return words + text(writer.say(N_(", {share} left"), share=writer.percent(share)))


def _ownership(context: DocumentContext, option: Option, best: bool, writer: Writer) -> Text:
    if option.tco is None:
        return writer.unknown()
    amount = writer.formats.money(option.tco.planned())
    if option.kind is OptionKind.RENT:
        return text(amount, bold=best) + period(context, option, writer)
    years = writer.say(N_("over {years} years"), years=option.tco.years)
    return text(amount, bold=best) + text(f" {years}", tone=Tone.SECONDARY)


def _risk(option: Option, writer: Writer) -> Text:
    """The stated sum; of a rent it is not known."""
    return writer.unknown() if option.risk is None else text(writer.formats.number(option.risk, 2))


def _yes_no(value: bool | None, writer: Writer) -> Text:
    if value is None:
        return writer.unknown()
    return (
        text(writer.say(N_("yes")), tone=Tone.OK) if value else text(writer.say(N_("no")), tone=Tone.PROBLEM)
    )


def recommendation_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """Why the chosen option, why not the others, and what would change the choice."""
    say = writer.say
    option = context.option
    blocks: list[Block] = [Heading(say(N_("Recommendation and reasons")))]
    if option is not None:
        blocks.append(
            Paragraph(
                text(say(N_("Recommended: {machine}."), machine=option_name(option, writer)), bold=True)
            )
        )
        blocks += _list(N_("Why this"), option.why, writer)
        blocks += _list(N_("What would change the choice"), option.flips_if, writer)
    others = [other for other in context.options if other is not option]
    if others:
        blocks.append(Heading(say(N_("Why not the others")), 2))
        blocks.append(Bullets(tuple(_lost(other, writer) for other in others)))
    rejected = context.recommendation.rejected
    if option is None:
        return blocks + fallen_out(rejected, writer)
    if rejected:
        note = N_(
            "{count} candidates that fell out, with the reason of each kind: at the end of the appendix."
        )
        words = text(say(note, count=len(rejected)), tone=Tone.SECONDARY)
        blocks.append(Paragraph(words, Style.SMALL))
    return blocks


def _list(title: str, messages: tuple[Message, ...], writer: Writer) -> list[Block]:
    items = tuple(text(writer.message(message)) for message in messages)
    return [Heading(writer.say(title), 2), Bullets(items)] if items else []


def _lost(other: Option, writer: Writer) -> Text:
    name = writer.say(N_("{name}: "), name=option_name(other, writer))
    return text(name, bold=True) + text(lost_because(other, writer))


def lost_because(other: Option, writer: Writer, most: int | None = None) -> str:
    """The reasons an option was not recommended, the first `most` of them, as sentences."""
    reasons = [writer.message(message) for message in other.loses_because[:most]]
    return writer.sentences(reasons) or writer.say(N_("ranked lower by three-year cost and time"))
