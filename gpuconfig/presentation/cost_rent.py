"""Renting against owning in words, contracts and a chart: computed from the study of one option."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.pricing.case import cost_graph
from gpuconfig.engine.pricing.figures import RentFigures
from gpuconfig.engine.pricing.inputs import INPUTS
from gpuconfig.engine.pricing.rents import TERM_WORDS
from gpuconfig.engine.pricing.replacement import plan_in_words
from gpuconfig.engine.pricing.study import CostStudy
from gpuconfig.engine.pricing.uncertainty import Swing
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.i18n import Language, Translator, render
from gpuconfig.presentation.charts.model import Bar, Bars
from gpuconfig.presentation.measures import option_name
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

SWINGS_SHOWN = 8
EVEN = N_("Share of the hours from which owning is cheaper")


def rent_table(study: CostStudy, t: Translator) -> Table:
    """One row a kind of contract: rent over the years, the use and the month from which owning is cheaper."""
    _ = t.gettext
    columns = (
        Column(key="terms", title=_("Contract"), width=130),
        Column(key="hour", title=_(N_("One card, an hour")), numeric=True, width=170),
        Column(key="total", title=_(N_("Rent over the years")), numeric=True, width=130),
        Column(key="use", title=_(N_("Owning is cheaper above")), numeric=True, width=150),
        Column(key="month", title=_(N_("Owning is cheaper after")), numeric=True, width=150),
        Column(key="mixed", title=_(N_("Own the base, rent the peak")), numeric=True, width=170),
        Column(key="date", title=_(N_("Price lists")), width=130),
    )
    rows = tuple(_row(study, rent, t) for rent in study.rents)
    return Table(columns=columns, rows=rows, name=_("Rent against buy"), pinned=1)


def _row(study: CostStudy, rent: RentFigures, t: Translator) -> Row:
    terms, currency = rent.terms, study.case.currency
    unit = currency.value
    formats = t.formats

    def money(value: float | None, cents: bool = False) -> str:
        if value is None:
            return t.unknown
        return formats.money(Money(Decimal(str(round(value, 2))), currency), cents=cents)

    leaf = _hourly(rent, unit)
    hour = f"{money(terms.middle, True)} ({money(terms.low, True)}–{money(terms.high, True)})"
    share = rent.break_even_utilisation.value
    use = t.gettext(N_("never")) if share is None or share > 1 else formats.percent(round(share, 3))
    month = t.gettext(N_("never in these years"))
    if rent.break_even_month is not None:
        month = t.gettext(N_("{months} months")).format(months=formats.number(rent.break_even_month))
    name = t.gettext(TERM_WORDS.get(terms.name, terms.name))
    mixed = rent.mixed.value if terms.kind is not RentalKind.RESERVED else None
    dates = " – ".join(dict.fromkeys(d for d in (terms.oldest, terms.newest) if d))
    total = _opened("rent_total", N_("Rent over the years"), rent.total, unit, leaf)
    even, peak = _even(rent, unit), _peak(rent, unit)
    mixed_shown = Shown(text="") if mixed is None else Shown(text=money(mixed), sort=mixed, reference=peak)
    return Row(
        key=terms.name,
        cells=(
            Shown(text=name, sort=name),
            Shown(text=hour, reference=ReadyReference(leaf), sort=terms.middle),
            Shown(text=money(rent.total.value), reference=total, sort=rent.total.value),
            Shown(text=use, sort=share, reference=even),
            Shown(text=month, sort=rent.break_even_month),
            mixed_shown,
            Shown(text=f"{terms.offers} · {dates}"),
        ),
    )


def _hourly(rent: RentFigures, unit: str) -> Explanation:
    terms = rent.terms
    return Explanation(
        name="rent_per_gpu_hour", title=N_("Rent of one accelerator for an hour"), value=terms.middle,
        low=terms.low, high=terms.high, unit=f"{unit}/h", mark=Mark.VENDOR, source=terms.source,
    )  # fmt: skip


def _even(rent: RentFigures, unit: str) -> ReadyReference:
    """From which share of the hours owning is cheaper."""
    return _opened("break_even_utilisation", EVEN, rent.break_even_utilisation, "1", _hourly(rent, unit))


def _peak(rent: RentFigures, unit: str) -> ReadyReference:
    """What owning the base and renting the peak costs."""
    title = N_("Own the base, rent the peak")
    return _opened("mixed_cost", title, rent.mixed, unit, _hourly(rent, unit))


def _opened(name: str, title: str, figure: Figure, unit: str, leaf: Explanation) -> ReadyReference:
    item = cost_graph().quantities[name]
    return ReadyReference(
        Explanation(
            name=name, title=title, value=figure.value, low=figure.low, high=figure.high, unit=unit,
            mark=Mark.CALCULATED, formula=item.formula, inputs=(leaf,),
        )
    )  # fmt: skip


def advice(answer: Recommendation, study: CostStudy, t: Translator) -> tuple[Shown, ...]:
    """What follows for this buyer: how long to rent, how much to own, whether to wait, when it is outgrown."""
    said = [*_rent_or_own(study, t), *_mixed(study, t), *_waiting(study, t), *_growth(study, t)]
    said += _replaced(answer, study, t)
    middle = _leaf("tco_total", N_("Cost over the years"), study.spread.p50, study.case.currency.value)
    names = {
        o.tco.case.key: t.part(option_name(o)) for o in answer.options if o.tco is not None and o.tco.case
    }
    for key, chance in study.chances.items():
        text = t.gettext(N_("Costs less than {other} with a probability of {chance}."))
        shown = text.format(other=names.get(key, key), chance=t.formats.percent(round(chance, 2)))
        said.append(
            _said(shown, _leaf("chance_of_less", N_("Probability of costing less"), chance, "1", middle))
        )
    return tuple(said)


def _said(text: str, explanation: Explanation) -> Shown:
    return Shown(text=text, reference=ReadyReference(explanation))


def _leaf(name: str, title: str, value: float | None, unit: str, *inputs: Explanation) -> Explanation:
    return Explanation(
        name=name, title=title, value=value, unit=unit, mark=Mark.CALCULATED, inputs=tuple(inputs)
    )


def _rent_or_own(study: CostStudy, t: Translator) -> list[Shown]:
    rent = study.on_demand
    if rent is None:
        return [Shown(text=t.gettext(N_("No dated rental price is recorded for this card.")))]
    even = _even(rent, study.case.currency.value)
    share, month = rent.break_even_utilisation.value, rent.break_even_month
    if share is None or share > 1 or month is None:
        text = t.gettext(N_("Rent: at on-demand prices owning is not cheaper within these years."))
        return [Shown(text=text, reference=even)]
    text = t.gettext(
        N_(
            "Short need: rent. Needed for more than {months} months, or at work above {share} of the hours: own."
        )
    )
    told = text.format(months=t.formats.number(month), share=t.formats.percent(round(share, 2)))
    return [Shown(text=told, reference=even)]


def _mixed(study: CostStudy, t: Translator) -> list[Shown]:
    rent = study.on_demand
    if rent is None or rent.mixed.value is None or rent.total.value is None:
        return []
    base, peak = (study.case.bands[name].value for name in ("base_share", "peak_time_share"))
    if not isinstance(base, float) or not 0 < base < 1:
        return []
    text = t.gettext(
        N_(
            "With an even base of {base} and peaks in {peak} of the hours: own the base, rent the peak for {cost}."
        )
    )
    cost = t.formats.money(Money(Decimal(round(rent.mixed.value)), study.case.currency))
    shares = (t.formats.percent(round(float(v), 2)) for v in (base, peak if isinstance(peak, float) else 0.0))
    told = text.format(base=next(shares), peak=next(shares), cost=cost)
    return [Shown(text=told, reference=_peak(rent, study.case.currency.value))]


def _waiting(study: CostStudy, t: Translator) -> list[Shown]:
    wait = study.waiting
    if wait.drift is None or wait.saved is None or wait.value is None:
        return [Shown(text=t.gettext(N_("Waiting: no drift of prices is recorded for this card.")))]
    currency = study.case.currency
    saved = t.formats.money(Money(Decimal(round(abs(wait.saved[1]))), currency))
    falls = wait.saved[1] > 0
    text = N_("Waiting three months: prices like this fell, {saved} would be saved;") if falls else N_(
        "Waiting three months: prices like this rose, {saved} more would be paid;"
    )  # fmt: skip
    words = t.gettext(text).format(saved=saved) + ("" if t.language is Language.ZH else " ")
    unit = currency.value
    why = _leaf(
        "waiting", N_("Gain of waiting three months"), wait.value, unit,
        _leaf("price_drift", N_("Drift of the card's price in three months"), wait.drift, "1"),
        _leaf("price_fall", N_("What the machine's price falls meanwhile"), wait.saved[1], unit),
        _leaf("rent_meanwhile", N_("What renting meanwhile costs more"), wait.bridging, unit),
    )  # fmt: skip
    if wait.bridging is None:
        return [_said(words + t.gettext(N_("renting meanwhile has no recorded price.")), why)]
    bridge = t.formats.money(Money(Decimal(round(wait.bridging)), currency))
    pays = N_("renting meanwhile costs {rent} more: waiting pays.") if wait.value > 0 else N_(
        "renting meanwhile costs {rent} more: waiting does not pay."
    )  # fmt: skip
    return [_said(words + t.gettext(pays).format(rent=bridge), why)]


def _growth(study: CostStudy, t: Translator) -> list[Shown]:
    if study.outgrown is None:
        return []
    text = t.gettext(N_("At the growth that is expected, the machine is full after {months} months."))
    full = _leaf("months_until_full", N_("Months until the machine is full"), study.outgrown, "1")
    return [_said(text.format(months=t.formats.number(round(study.outgrown))), full)]


def _replaced(answer: Recommendation, study: CostStudy, t: Translator) -> list[Shown]:
    if study.replacement is None:
        return []
    costed = [(o.tco.case.key, o.build) for o in answer.considered if o.tco is not None and o.tco.case]
    build = next((build for key, build in costed if key == study.case.key and build is not None), None)
    stop = "。" if t.language is Language.ZH else "."
    said = [render(m, t) for m in plan_in_words(study.replacement, build, study.case.currency)]
    unit = study.case.currency.value
    plan = _leaf(
        "replacement", N_("Cost of owning until the machine is replaced"), study.replacement.cost, unit,
        _leaf("months", N_("Months until then"), study.replacement.months, "1"),
        _leaf("cards", N_("What the cards sell for then"), study.replacement.cards, unit),
        _leaf("whole", N_("What the whole machine sells for then"), study.replacement.whole, unit),
    )  # fmt: skip
    return [_said(f"{words[:1].upper()}{words[1:]}{stop}", plan) for words in said]


def tornado_chart(study: CostStudy, t: Translator) -> Bars | None:
    """What moves the cost most: one bar an input, as long as the cost moves between the input's ends."""
    swings = study.swings[:SWINGS_SHOWN]
    if not swings:
        return None
    titles = {item.name: t.gettext(item.title) for item in INPUTS}
    most = titles.get(swings[0].name, swings[0].name)
    currency = study.case.currency
    return Bars(
        title=t.gettext(N_("The cost hangs most on: {name}")).format(name=most),
        summary=t.gettext(
            N_(
                "Each bar: how far the cost over the years moves while one input goes from end to end of its range."
            )
        ),
        x_title=currency.value,
        parts=(t.gettext(N_("moves by")),),
        columns=("high",),
        bars=tuple(Bar(key=s.name, name=titles.get(s.name, s.name), parts=(s.width,)) for s in swings),
        table=_swing_table(swings, titles, study, t),
    )


def _swing_table(swings: tuple[Swing, ...], titles: dict[str, str], study: CostStudy, t: Translator) -> Table:
    _ = t.gettext
    columns = (
        Column(key="quantity", title=_(N_("Input"))),
        Column(key="low", title=_(N_("Cost at its low end")), numeric=True),
        Column(key="high", title=_(N_("Cost at its high end")), numeric=True),
    )
    currency = study.case.currency

    def cell(swing: Swing, value: float) -> Shown:
        leaf = Explanation(
            name=swing.name, title=swing.name, value=value, unit=currency.value, mark=Mark.CALCULATED
        )
        text = t.formats.money(Money(Decimal(round(value)), currency))
        return Shown(text=text, sort=value, reference=ReadyReference(leaf), tone=Tone.NORMAL)

    rows = tuple(
        Row(key=s.name, cells=(Shown(text=titles.get(s.name, s.name)), cell(s, s.at_low), cell(s, s.at_high)))
        for s in swings
    )
    return Table(columns=columns, rows=rows, name=_(N_("What the cost hangs on")), pinned=1)
