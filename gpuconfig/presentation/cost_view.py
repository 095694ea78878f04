"""The cost page: ownership line by line, figures, contracts of renting, what is likely, what to do."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.pricing.ownership import CostLine
from gpuconfig.engine.pricing.study import CostStudy, cost_study
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.i18n import Translator
from gpuconfig.presentation.measures import (
    machine_kind,
    option_key,
    option_name,
    price_shown,
    tco_shown,
    years_energy_shown,
)
from gpuconfig.presentation.option_view import all_options, nothing_row
from gpuconfig.presentation.reference import PriceReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

PART_WORDS = {
    "purchase": N_("Purchase"),
    "freight": N_("Freight and insurance"),
    "import_duty": N_("Import duty"),
    "recovered_tax": N_("Recovered tax"),
    "electricity": N_("Electricity"),
    "cooling": N_("Cooling"),
    "maintenance": N_("Maintenance"),
    "spares": N_("Spare parts"),
    "colocation": N_("Rack space"),
    "staff": N_("People"),
    "interest": N_("Interest"),
    "lease_payments": N_("Lease"),
    "resale": N_("Resale, comes back"),
    "rent": N_("Rent"),
}

FIGURES: tuple[tuple[str, str], ...] = (
    ("present_cost", N_("Cost in today's money")),
    ("cost_per_gpu_hour", N_("One useful hour of one card")),
    ("cost_per_run", N_("One training run")),
    ("depreciation_per_year", N_("Depreciation a year")),
    ("price_per_kwh", N_("Price of a kilowatt-hour")),
    ("downtime_share", N_("Share of downtime")),
)
MILLIONS = {
    "token": N_("A million tokens"),
    "image": N_("A million images"),
    "clip": N_("A million clips"),
    "sample": N_("A million samples"),
}
WITH_CENTS = frozenset({"cost_per_gpu_hour", "cost_per_million", "cost_per_run", "price_per_kwh"})


def study_of(
    option: Option, answer: Recommendation, services: Services, growth: float | None = None
) -> CostStudy | None:
    """The study of an option against the others of the answer (long); None for a rental or an unknown cost."""
    if option.tco is None or option.tco.case is None:
        return None
    rivals = [o.tco.case for o in answer.options if o is not option and o.tco is not None and o.tco.case]
    return cost_study(
        option.tco.case, option.accelerator, option.count, services.catalogue(), rivals, growth or 0.0
    )


def ownership_table(option: Option, t: Translator) -> Table:
    """Cost over the years line by line; the lines add up to the total in both columns."""
    _ = t.gettext
    tco = option.tco
    columns = (
        Column(key="part", title=_(N_("Kind of cost")), width=200),
        Column(key="amount", title=_(N_("As planned")), numeric=True, width=120),
        Column(key="range", title=_(N_("Low – high")), numeric=True, width=200),
        Column(key="share", title=_("Share"), numeric=True, width=80),
    )
    if tco is None:
        return Table(columns=columns, rows=(), name=_("Cost of ownership"))
    whole = tco.planned().amount
    lines = tco.lines or tuple(
        CostLine(name=name, low=part.low, middle=part.middle(), high=part.high)
        for name, part in tco.parts.items()
    )
    rows = [_line_row(option, line, whole, t) for line in lines]
    reference = PriceReference(option, "tco", N_("Cost over the years"))
    total = (
        Shown(text=_total_words(tco.years, t), best=True),
        Shown(text=t.formats.money(tco.planned()), reference=reference, best=True),
        Shown(text=t.formats.money_range(tco.total), reference=reference),
        Shown(text=""),
    )
    rows.append(Row(key="total", cells=total))
    return Table(columns=columns, rows=tuple(rows), name=_("Cost of ownership"), pinned=1)


def _total_words(years: float, t: Translator) -> str:
    return t.gettext(N_("Total over {years} years")).format(years=t.formats.number(years))


def _line_row(option: Option, line: CostLine, whole: Decimal, t: Translator) -> Row:
    title = PART_WORDS.get(line.name, line.name)
    reference = PriceReference(option, line.name, title)
    share = float(line.middle.amount / whole) if whole else None
    word = t.gettext(title)
    ends = MoneyRange(*sorted((line.low, line.high), key=lambda m: m.amount))
    return Row(
        key=line.name,
        cells=(
            Shown(text=word, sort=word),
            Shown(text=t.formats.money(line.middle), reference=reference, sort=float(line.middle.amount)),
            Shown(text=t.formats.money_range(ends), reference=reference),
            Shown(
                text=t.formats.percent(None if share is None else round(share, 3)),
                reference=reference,
                sort=share,
            ),
        ),
    )


def headline_facts(option: Option, t: Translator) -> tuple[tuple[str, Shown], ...]:
    """The whole cost, the monthly cost and the energy, known before anything else is worked out."""
    tco = option.tco
    if tco is None:
        return ()
    whole = Shown(
        text=t.formats.money(tco.planned()),
        note=f"({t.formats.money_range(tco.total)})",
        reference=PriceReference(option, "tco", N_("Cost over the years")),
    )
    facts = [(_total_words(tco.years, t), whole)]
    if tco.per_month is not None:
        monthly = PriceReference(option, "tco", N_("Cost a month"))
        facts.append(
            (t.gettext(N_("Cost a month")), Shown(text=t.formats.money(tco.per_month), reference=monthly))
        )
    return (*facts, (t.gettext(N_("Energy over the years")), years_energy_shown(option, t)))


def study_facts(option: Option, study: CostStudy, t: Translator) -> tuple[tuple[str, Shown], ...]:
    """The figures that follow from the cost; what is unknown says so."""
    made: list[tuple[str, Shown]] = []
    titles = [*FIGURES]
    if study.case.work:
        titles.insert(2, ("cost_per_million", MILLIONS[study.case.work]))
    for name, title in titles:
        figure = study.figures.single[name]
        if name == "cost_per_run" and figure.value is None:
            continue
        reference = PriceReference(option, name, title)
        text, band = _figure(name, figure, study, t)
        made.append((t.gettext(title), Shown(text=text, note=band, reference=reference)))
    ends = (study.spread.p10, study.spread.p50, study.spread.p90)
    p10, p50, p90 = (t.formats.money(_forecast(end, study.case.currency)) for end in ends)
    likely = t.gettext(N_("{middle}; nine of ten above {low}, nine of ten below {high}"))
    reference = PriceReference(option, "tco", N_("Likely cost"))
    shown = Shown(text=likely.format(middle=p50, low=p10, high=p90), reference=reference)
    return (*made, (t.gettext(N_("Likely cost (P50, P10, P90)")), shown))


def _figure(name: str, figure: Figure, study: CostStudy, t: Translator) -> tuple[str, str]:
    """The value in words, and its band."""
    if figure.value is None:
        return t.unknown, ""
    if name == "downtime_share":
        return t.formats.percent(round(figure.value, 4)), ""
    if name == "price_per_kwh":
        unit = f"{study.case.currency.value}/kWh"
        return f"{t.formats.number(figure.value, 4)} {unit}", ""
    currency, cents = study.case.currency, name in WITH_CENTS
    text = t.formats.money(_forecast(figure.value, currency), cents=cents)
    if figure.low is None or figure.high is None:
        return text, ""
    low, high = (t.formats.money(_forecast(end, currency), cents=cents) for end in (figure.low, figure.high))
    return text, f"({low}–{high})"


def _forecast(value: float, currency: Currency) -> Money:
    """A forecast as money for showing, never for paying."""
    return Money(Decimal(str(round(value, 2))), currency)


def options_cost_table(recommendation: Recommendation, t: Translator) -> Table:
    """All options by price and by cost over the years."""
    _ = t.gettext
    columns = (
        Column(key="name", title=_("Option"), width=180),
        Column(key="kind", title=_("Machine"), width=110),
        Column(key="price", title=_("Price"), numeric=True, width=190),
        Column(key="tco", title=_(N_("Cost over the years")), numeric=True, width=190),
    )
    rows = tuple(
        Row(
            key=option_key(option),
            cells=(
                Shown(text=t.part(option_name(option)), sort=option.accelerator.name),
                Shown(text=machine_kind(option, t)),
                price_shown(option, t),
                tco_shown(option, t),
            ),
        )
        for option in all_options(recommendation)
    )
    return Table(
        columns=columns,
        rows=rows + nothing_row(recommendation, t, columns),
        name=_("Cost of all options"),
        pinned=1,
    )
