"""The first page of a proposal: what to buy, for how much, why, by when, and what is asked of the reader."""

from __future__ import annotations

from gpuconfig.documents.content import (
    Ask,
    Block,
    Bullets,
    Heading,
    Paragraph,
    Signatures,
    Style,
    Text,
    Tile,
    Tiles,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import duration, goods, machine, speed, task
from gpuconfig.documents.pricing import priced_build, tax_rule, total_of
from gpuconfig.documents.sections.glance import alternatives, taken_as_given
from gpuconfig.documents.sections.options import for_one_run, tax_basis
from gpuconfig.documents.sections.requirement import budget_words
from gpuconfig.documents.sections.risks import risks
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.performance import headroom
from gpuconfig.engine.selection.recommendation import Option, OptionKind

REASONS_SHOWN = 2
RISKS_SHOWN = 3


def summary(context: DocumentContext, writer: Writer) -> list[Block]:
    """The page a manager decides by."""
    if context.option is None:
        return nothing_fits(context, writer)
    option = context.option
    total = total_of(context, option)
    blocks: list[Block] = [_ask(context, option, total, writer), _tiles(context, option, total, writer)]
    blocks += [Heading(writer.say(N_("Why this")), 2), Bullets(_reasons(context, option, writer))]
    blocks += alternatives(context, writer)
    found = risks(context, writer)[:RISKS_SHOWN]
    if found:
        blocks.append(Heading(writer.say(N_("Main risks")), 2))
        blocks.append(
            Bullets(
                tuple(
                    text(writer.say(N_("{name}: "), name=risk.title), bold=True) + text(risk.mitigation)
                    for risk in found
                )
            )
        )
    blocks += [Heading(writer.say(N_("By when, and on what terms")), 2)]
    blocks += [Bullets(_terms(context, option, writer))]
    return [*blocks, leading_note(writer), _decision(writer)]


def _decision(writer: Writer) -> Signatures:
    """Where the reader decides, at the foot of the page."""
    say = writer.say
    return Signatures(
        (
            (say(N_("Decision: ○ approved  ○ with changes  ○ refused")), ()),
            ("", (say(N_("Signature and date")),)),
        )
    )


def nothing_fits(context: DocumentContext, writer: Writer) -> list[Block]:
    """The first page where no option meets the limits: says so and what would work."""
    smallest = context.recommendation.smallest_budget_that_works
    lines: list[Text] = [
        text(writer.say(N_("No machine meets the requirement within the given limits.")), bold=True)
    ]
    if smallest is not None:
        lines.append(
            text(
                writer.say(
                    N_("The smallest budget that works is {amount}, for {machine}."),
                    amount=writer.money(smallest.amount.rounded()),
                    machine=machine(smallest.option, writer),
                )
            )
        )
    used = context.recommendation.with_used_parts
    if used is not None:
        amount = writer.money(used.price.planned().rounded())
        words = N_("Allowing used parts, the least is {amount}, for {machine}.")
        if used.within_budget:
            words = N_("Allowing used parts, {machine} for {amount} would do.")
        lines.append(text(writer.say(words, amount=amount, machine=machine(used, writer))))
    lines.append(
        text(writer.say(N_("Decide whether to raise the budget, relax a constraint or shrink the task.")))
    )
    return [Ask(writer.say(N_("What is asked")), tuple(lines))]


def _ask(context: DocumentContext, option: Option, total: Money, writer: Writer) -> Ask:
    """One sentence to say yes or no to, the amount in 大写, and how firm it is."""
    lines = [text(_request(context, option, total, writer), bold=True)]
    words = writer.words(total) if option.kind is OptionKind.BUY else ""
    if words:
        lines.append(text(writer.say(N_("In words: {words}"), words=words)))
    if option.price.missing:
        count = len(option.price.missing)
        note = writer.say(N_("{count} parts have no price yet: the amount is a lower bound."), count=count)
        lines.append(text(note, tone=Tone.WARNING))
    firm = writer.say(
        N_(
            "Expected range {range} ({basis}); {share} of it rests on assumed or converted prices, "
            "the oldest price is of {date}."
        ),
        range=writer.about(option.price.total),
        basis=tax_basis(option, writer),
        share=writer.percent(option.price.assumed_share),
        date=writer.day(context.price_date),
    )
    lines.append(text(firm, tone=Tone.SECONDARY))
    return Ask(writer.say(N_("What is asked")), tuple(lines))


def _request(context: DocumentContext, option: Option, total: Money, writer: Writer) -> str:
    """What is asked, by the kind of option."""
    say, what = writer.say, task(context.request, writer)
    if option.kind is OptionKind.RENT and option.tco is not None and for_one_run(context):
        return say(
            N_("Approve renting {machine} for one run, {total} in all, to be used for {task}."),
            machine=machine(option, writer),
            total=writer.formats.money(option.tco.planned()),
            task=what,
        )
    if option.kind is OptionKind.RENT and option.tco is not None and option.tco.per_month is not None:
        return say(
            N_(
                "Approve renting {machine} for {month} a month, {total} over {years} years, to be used for {task}."
            ),
            machine=machine(option, writer),
            month=writer.formats.money(option.tco.per_month),
            total=writer.formats.money(option.tco.planned()),
            years=option.tco.years,
            task=what,
        )
    sentences = {
        OptionKind.BUY: N_(
            "Approve the purchase of {machine} for {amount} ({basis}), to be used for {task}."
        ),
        OptionKind.RENT: N_("Approve renting {machine} for {amount} ({basis}), to be used for {task}."),
        OptionKind.KEEP: N_("Approve keeping {machine} for {task}; further spending {amount} ({basis})."),
    }
    return say(
        sentences[option.kind],
        machine=goods(option, writer),
        amount=writer.money(total),
        basis=basis(context, option, writer),
        task=what,
    )


def basis(context: DocumentContext, option: Option, writer: Writer) -> str:
    """Tax in the amount to be paid, in words."""
    rule = tax_rule(context, option)
    if option.kind is not OptionKind.BUY:
        return tax_basis(option, writer)
    if rule.rate is None:
        return writer.say(
            N_("tax included, rate not stated") if rule.included else N_("without tax: rate not given")
        )
    return writer.say(N_("incl. {rate} VAT"), rate=writer.percent(rule.rate))


def _tiles(context: DocumentContext, option: Option, total: Money, writer: Writer) -> Tiles:
    time_name, time = duration(option.estimate)
    speed_name, rate = speed(option.estimate)
    share = headroom(option.estimate)
    verdict = option.estimate.verdict
    formats = writer.formats
    owned = option.tco
    items = [
        Tile(
            writer.say(N_("To be paid")),
            formats.money(total),
            writer.say(N_("budget {budget}"), budget=budget_words(context, writer)),
        ),
        Tile(
            writer.say(time_name),
            formats.quantity(time.value, time.unit),
            _allowed(context, option, _band(time, writer), writer),
        ),
    ]
    if rate is not time:
        items.append(
            Tile(writer.say(speed_name), formats.quantity(rate.value, rate.unit), _band(rate, writer))
        )
    fits = verdict is Verdict.FITS
    items.append(
        Tile(
            writer.say(N_("Memory left per card")),
            writer.percent(share),
            writer.say(N_("at the upper end of the need")),
            Tone.NORMAL if fits else Tone.WARNING,
        )
    )
    if owned is not None and len(items) < 4:
        items.append(
            Tile(
                writer.say(N_("Cost over {years} years"), years=owned.years),
                formats.money(owned.planned()),
            )
        )
    return Tiles(tuple(items))


def amount_tiles(context: DocumentContext, option: Option, writer: Writer) -> Tiles:
    """Sum, range, share of assumed prices and age, for papers about money."""
    say, formats = writer.say, writer.formats
    total = total_of(context, option)
    return Tiles(
        (
            Tile(say(N_("Total")), formats.money(total), basis(context, option, writer)),
            Tile(
                say(N_("Range")), writer.about(option.price.total), say(N_("low – high of the prices found"))
            ),
            Tile(
                say(N_("Assumed share")),
                writer.percent(option.price.assumed_share),
                say(N_("oldest price {date}"), date=writer.day(context.price_date)),
                Tone.WARNING if option.price.assumed_share > 0 else Tone.NORMAL,
            ),
        )
    )


def _band(figure: Figure, writer: Writer) -> str:
    between = writer.between(figure)
    return writer.say(N_("90 % band {band}"), band=between) if between else writer.say(N_("no band known"))


def _allowed(context: DocumentContext, option: Option, band: str, writer: Writer) -> str:
    """A training run's band with the time that it may take, where a deadline is given."""
    deadline = context.request.target.deadline_s
    if deadline is None or option.estimate.training is None:
        return band
    limit = writer.formats.quantity(deadline, "s")
    return writer.say(N_("{band}; {deadline} allowed"), band=band, deadline=limit)


def _reasons(context: DocumentContext, option: Option, writer: Writer) -> tuple[Text, ...]:
    said = [text(writer.message(message)) for message in option.why[:REASONS_SHOWN]]
    if not said:
        said.append(
            text(
                writer.say(
                    N_(
                        "It meets the requirement and is first by the ranking rule: target and budget, "
                        "then three-year cost, then time."
                    )
                )
            )
        )
    considered = len(context.recommendation.considered) or len(context.options)
    said.append(
        text(
            writer.say(
                N_(
                    "{strategies} strategies on {options} machines were compared; {rejected} candidates fell out."
                ),
                strategies=context.recommendation.strategies,
                options=considered,
                rejected=len(context.recommendation.rejected),
            )
        )
    )
    return tuple(said)


def _terms(context: DocumentContext, option: Option, writer: Writer) -> tuple[Text, ...]:
    if context.valid_until is not None:
        decision = writer.say(N_("By {day}: prices are held until then."), day=context.valid_until)
    else:
        decision = writer.say(
            N_("Prices are of {date} and later; have them quoted anew before ordering."),
            date=writer.day(context.price_date),
        )
    return (
        text(writer.say(N_("Decision: ")), bold=True) + text(decision),
        text(writer.say(N_("Delivery: ")), bold=True) + text(delivery(context, option, writer)),
        *taken_as_given(context, writer),
    )


def delivery(context: DocumentContext, option: Option, writer: Writer) -> str:
    """The longest lead time known and for how many parts none is."""
    priced = priced_build(context, option)
    if priced is None or option.kind is not OptionKind.BUY:
        return writer.say(N_("Nothing is to be delivered."))
    times = [line.line.offer.lead_time_days if line.line.offer else None for line in priced.lines]
    known = [days for days in times if days is not None]
    if not known:
        return writer.say(N_("Lead times are not known; ask for them with the quotations."))
    return writer.say(
        N_("{days} days for the slowest part; lead time unknown for {missing} of {count} parts."),
        days=max(known),
        missing=len(times) - len(known),
        count=len(times),
    )


def leading_note(writer: Writer) -> Paragraph:
    """What kind of paper this is: an estimate binds nobody."""
    note = N_("This is an estimate by {program}; it is not an offer and binds nobody.")
    return Paragraph(text(writer.say(note, program="gpuconfig"), tone=Tone.SECONDARY), Style.SMALL)
