"""Cost over the years: line by line, three and five years, renting, what is likely and what it hangs on."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.documents.content import (
    Align,
    Block,
    Column,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.naming import option_name
from gpuconfig.documents.sections import nothing
from gpuconfig.documents.sections.options import for_one_run
from gpuconfig.documents.sections.outlook import likely, renting, replaced, years_ahead
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.pricing.ownership import CostLine
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.recommendation import CostOfOwnership, Option

PARTS: dict[str, str] = {
    "purchase": N_("Purchase"),
    "price": N_("Purchase"),
    "freight": N_("Freight and insurance"),
    "import_duty": N_("Import duty"),
    "recovered_tax": N_("Recovered tax (deducted)"),
    "rent": N_("Rent"),
    "electricity": N_("Electricity"),
    "cooling": N_("Cooling"),
    "colocation": N_("Colocation"),
    "maintenance": N_("Maintenance"),
    "spares": N_("Spare parts"),
    "staff": N_("Staff"),
    "interest": N_("Interest"),
    "lease_payments": N_("Lease"),
    "resale": N_("Resale (deducted)"),
}


def ownership_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """The chosen option line by line, then all options in totals, then the outlook."""
    option = context.option
    if option is None or option.tco is None:
        return []
    say = writer.say
    blocks: list[Block] = [
        Heading(say(N_("Cost of ownership over {years} years"), years=option.tco.years)),
        _parts_table(option, option.tco, writer),
        Facts(tuple(_facts(context, option.tco, writer)), columns=2),
    ]
    owned = [other for other in context.options if other.tco is not None]
    if len(owned) > 1:
        blocks.append(_options_table(context, owned, writer))
    note = N_("Forecast from price ranges and tariffs, to the yuan or dollar: for comparison, not payable.")
    blocks.append(Paragraph(text(say(note), tone=Tone.SECONDARY), Style.SMALL))
    return blocks


def outlook_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """Three and five years, cash flow, renting against owning, likelihood; nothing where no study was made."""
    if context.study is None:
        return []
    return [
        *years_ahead(context.study, writer),
        *renting(context, context.study, writer),
        *replaced(context, context.study, writer),
        *likely(context, context.study, writer),
    ]


def _facts(context: DocumentContext, tco: CostOfOwnership, writer: Writer) -> list[Fact]:
    say, money = writer.say, writer.formats.money
    facts = []
    if tco.energy_kwh.value is not None:
        facts.append(Fact(say(N_("Energy")), writer.figure(tco.energy_kwh)))
    if tco.per_month is not None and not for_one_run(context):
        facts.append(Fact(say(N_("Cost a month")), text(money(tco.per_month))))
    study = context.study
    if study is None:
        return facts
    named = (
        ("present_cost", N_("Cost in today's money"), False),
        ("cost_per_gpu_hour", N_("Cost of one useful card hour"), True),
        ("cost_per_million", N_("Cost of a million units of work"), True),
        ("cost_per_run", N_("Cost of one training run"), True),
        ("depreciation_per_year", N_("Depreciation a year"), False),
    )
    words = {"token": N_("Cost of a million tokens"), "image": N_("Cost of a million images")}
    for name, title, cents in named:
        value = study.figures.single[name].value
        if value is None:
            continue
        shown = words.get(study.case.work, title) if name == "cost_per_million" else title
        amount = Money(Decimal(str(round(value, 2))), study.case.currency)
        facts.append(Fact(say(shown), text(money(amount, cents=cents))))
    return facts


def _parts_table(option: Option, tco: CostOfOwnership, writer: Writer) -> Table:
    say = writer.say
    parts = dict(tco.parts) or {
        "purchase": option.price.total,
        "electricity": tco.electricity,
        "resale": tco.resale,
    }
    lines = tco.lines or tuple(
        CostLine(name=name, low=part.low, middle=part.middle(), high=part.high)
        for name, part in parts.items()
    )
    rows = tuple(
        _amounts(say(PARTS.get(line.name, line.name)), line.low, line.middle, line.high, writer)
        for line in lines
    )
    total = _amounts(say(N_("Total")), tco.total.low, tco.planned(), tco.total.high, writer, bold=True)
    return Table(columns=_columns(say(N_("Part of the cost")), writer), rows=rows, foot=(total,))


def _options_table(context: DocumentContext, owned: list[Option], writer: Writer) -> Table:
    rows: tuple[Row, ...] = tuple(
        _amounts(
            option_name(option, writer),
            option.tco.total.low,
            option.tco.planned(),
            option.tco.total.high,
            writer,
            bold=option is context.option,
        )
        for option in owned
        if option.tco is not None
    )
    idle = context.recommendation.nothing
    if idle is not None and nothing.compared(context):
        total = idle.tco.total
        rows += (_amounts(writer.say(nothing.NAME), total.low, idle.tco.planned(), total.high, writer),)
    return Table(columns=_columns(writer.say(N_("Option")), writer), rows=rows)


def _columns(first: str, writer: Writer) -> tuple[Column, ...]:
    say = writer.say
    return (
        Column(title=first, weight=3.4),
        Column(title=say(N_("Low")), weight=1.4, align=Align.RIGHT),
        Column(title=say(N_("As planned")), weight=1.4, align=Align.RIGHT),
        Column(title=say(N_("High")), weight=1.4, align=Align.RIGHT),
    )


def _amounts(
    label: str, low: Money, middle: Money, high: Money, writer: Writer, *, bold: bool = False
) -> Row:
    money = writer.formats.money
    return (
        writer.cell(text(label, bold=bold)),
        writer.cell(money(low)),
        writer.cell(text(money(middle), bold=bold)),
        writer.cell(money(high)),
    )
