"""The years ahead: cash by year, three against five years, contracts of renting, likelihood, waiting, growth."""

from __future__ import annotations

import math
from decimal import Decimal

from gpuconfig.documents.content import (
    Align,
    Block,
    Bullets,
    Column,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Text,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.pricing.inputs import INPUTS
from gpuconfig.engine.pricing.rents import TERM_WORDS
from gpuconfig.engine.pricing.replacement import plan_in_words
from gpuconfig.engine.pricing.study import CostStudy
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.quantities.units import MONTHS
from gpuconfig.engine.selection.recommendation import OptionKind

SWINGS_SHOWN = 6
RIGHT = Align.RIGHT


def years_ahead(study: CostStudy, writer: Writer) -> list[Block]:
    """Cash paid in each year with its running sum and the value in the books."""
    say = writer.say
    flow = study.figures.cash_flow[1]
    rows: list[Row] = []
    paid = 0.0
    for year in range(math.ceil((len(flow) - 1) / MONTHS) + 1):
        months = flow[:1] if year == 0 else flow[1 + MONTHS * (year - 1) : 1 + MONTHS * year]
        paid += sum(months)
        book = study.figures.book_value[year - 1] if 0 < year <= len(study.figures.book_value) else None
        rows.append(
            (
                writer.cell(say(N_("At purchase")) if year == 0 else say(N_("Year {number}"), number=year)),
                writer.cell(_money(sum(months), study, writer)),
                writer.cell(_money(paid, study, writer)),
                writer.cell("" if book is None else _money(book, study, writer)),
            )
        )
    columns = (
        Column(title=say(N_("Year")), weight=2.0),
        Column(title=say(N_("Paid")), weight=1.4, align=RIGHT),
        Column(title=say(N_("Paid in all")), weight=1.4, align=RIGHT),
        Column(title=say(N_("Value in the books")), weight=1.4, align=RIGHT),
    )
    note = N_("The sale at the end is deducted in the last year. As planned; a forecast, not payable.")
    blocks: list[Block] = [Heading(say(N_("Cash flow by year")), 2), Table(columns=columns, rows=tuple(rows))]
    if study.horizons:
        shown = [
            say(N_("over {years} years {amount}"), years=years, amount=_money(amount, study, writer))
            for years, amount in study.horizons
        ]
        blocks.append(
            Paragraph(text(say(N_("The same machine, kept longer: {costs}."), costs=writer.join(shown))))
        )
    return [*blocks, Paragraph(text(say(note), tone=Tone.SECONDARY), Style.SMALL)]


def renting(context: DocumentContext, study: CostStudy, writer: Writer) -> list[Block]:
    """Contracts for the same cards and the same work, and what follows."""
    say = writer.say
    advice = tuple(text(words) for words in _advice(study, writer))
    if not study.rents:
        said = [say(N_("No dated rental price is recorded for this card.")), *_other_rental(context, writer)]
        blocks: list[Block] = [
            Heading(say(N_("Rent against buy")), 2),
            Paragraph(text(writer.sentences(said))),
        ]
        return [*blocks, Bullets(advice)] if advice else blocks
    rows: list[Row] = []
    for rent in study.rents:
        share = rent.break_even_utilisation.value
        month = rent.break_even_month
        rows.append(
            (
                writer.cell(say(TERM_WORDS.get(rent.terms.name, rent.terms.name))),
                writer.cell(_money(rent.terms.middle, study, writer, cents=True)),
                writer.cell(_money(rent.total.value or 0.0, study, writer)),
                writer.cell(_share(share, writer)),
                writer.cell("–" if month is None else say(N_("{months} months"), months=round(month))),
                writer.cell(
                    say(
                        N_("{count}, newest {day}"),
                        count=rent.terms.offers,
                        day=writer.day(rent.terms.newest),
                    )
                ),
            )
        )
    columns = (
        Column(title=say(N_("Contract")), weight=1.6),
        Column(title=say(N_("One card, an hour")), weight=1.1, align=RIGHT),
        Column(title=say(N_("Rent over the years")), weight=1.4, align=RIGHT),
        Column(title=say(N_("Owning is cheaper above")), weight=1.2, align=RIGHT),
        Column(title=say(N_("and used longer than")), weight=1.1, align=RIGHT),
        Column(title=say(N_("Price lists")), weight=1.9, align=RIGHT),
    )
    blocks = [Heading(say(N_("Rent against buy")), 2), Table(columns=columns, rows=tuple(rows))]
    return [*blocks, Bullets(advice)] if advice else blocks


def _other_rental(context: DocumentContext, writer: Writer) -> list[str]:
    """The rental of other cards that is compared, with its figures."""
    rented = next((option for option in context.options if option.kind is OptionKind.RENT), None)
    if rented is None:
        return []
    named = writer.say(N_("Compared instead: {machine}"), machine=option_name(rented, writer))
    return [named, *(writer.message(message) for message in rented.why)]


def replaced(context: DocumentContext, study: CostStudy, writer: Writer) -> list[Block]:
    """When the machine is sold, what comes back, and which parts go into the next one."""
    if study.replacement is None:
        return []
    build = None if context.option is None else context.option.build
    said = plan_in_words(study.replacement, build, study.case.currency)
    words = writer.sentences([writer.message(message) for message in said])
    return [Heading(writer.say(N_("Selling and replacing")), 2), Paragraph(text(words))]


def likely(context: DocumentContext, study: CostStudy, writer: Writer) -> list[Block]:
    """How sure the cost is, what it hangs on, which option is likelier the cheaper."""
    say = writer.say
    ends = {name: _money(getattr(study.spread, name), study, writer) for name in ("p10", "p50", "p90")}
    text_ = N_(
        "In half of the cases the cost stays below {p50}, in nine of ten below {p90}, in one of ten below {p10}."
    )
    items: list[Text] = [text(say(text_, **ends))]
    for other in context.options:
        case = None if other.tco is None else other.tco.case
        if case is not None and case.key in study.chances:
            chance = writer.percent(round(study.chances[case.key], 2))
            words = N_("Cheaper than {other} with a probability of {chance}.")
            items.append(text(say(words, other=option_name(other, writer), chance=chance)))
    titles = {item.name: item.title for item in INPUTS}
    rows = tuple(
        (
            writer.cell(say(titles.get(swing.name, swing.name))),
            writer.cell(_money(swing.at_low, study, writer)),
            writer.cell(_money(swing.at_high, study, writer)),
        )
        for swing in study.swings[:SWINGS_SHOWN]
    )
    columns = (
        Column(title=say(N_("The cost hangs most on")), weight=3.4),
        Column(title=say(N_("Cost at its low end")), weight=1.5, align=RIGHT),
        Column(title=say(N_("Cost at its high end")), weight=1.5, align=RIGHT),
    )
    return [
        Heading(say(N_("How sure the cost is")), 2),
        Bullets(tuple(items)),
        Table(columns=columns, rows=rows),
    ]


def _advice(study: CostStudy, writer: Writer) -> list[str]:
    say = writer.say
    said: list[str] = []
    rent = study.on_demand
    if (
        rent is not None
        and rent.break_even_month is not None
        and rent.break_even_utilisation.value is not None
    ):
        words = N_(
            "A need of less than {months} months, or work in less than {share} of the hours: rent; beyond, own."
        )
        share = writer.percent(round(rent.break_even_utilisation.value, 2))
        said.append(say(words, months=round(rent.break_even_month), share=share))
    elif rent is not None:
        said.append(say(N_("At on-demand prices owning is not cheaper within these years.")))
    mixed = next((r for r in study.rents if r.terms.kind is RentalKind.ON_DEMAND), None)
    base = study.case.bands["base_share"].value
    if mixed is not None and mixed.mixed.value is not None and isinstance(base, float) and 0 < base < 1:
        words = N_("Own an even base of {share}, rent the peaks: {amount} over the years.")
        amount = _money(mixed.mixed.value, study, writer)
        said.append(say(words, share=writer.percent(round(base, 2)), amount=amount))
    said += _waiting(study, writer)
    if study.outgrown is not None:
        words = N_("At the growth that is expected the machine is full after {months} months.")
        said.append(say(words, months=round(study.outgrown)))
    return said


def _waiting(study: CostStudy, writer: Writer) -> list[str]:
    wait = study.waiting
    if wait.saved is None or wait.value is None:
        return []
    amount = _money(abs(wait.saved[1]), study, writer)
    words = N_("Waiting three months at the drift of prices seen saves {amount}.")
    if wait.saved[1] <= 0:
        words = N_("Waiting three months at the drift of prices seen costs {amount} more.")
    said = writer.say(words, amount=amount)
    if wait.bridging is None:
        return [said]
    bridge = N_("Renting meanwhile costs {amount} more than owning would.")
    return [writer.sentences([said, writer.say(bridge, amount=_money(wait.bridging, study, writer))])]


def _share(share: float | None, writer: Writer) -> str:
    return writer.say(N_("never")) if share is None or share > 1 else writer.percent(round(share, 3))


def _money(value: float, study: CostStudy, writer: Writer, *, cents: bool = False) -> str:
    amount = Money(Decimal(str(round(value, 2))), study.case.currency)
    return writer.formats.money(amount, cents=cents)
