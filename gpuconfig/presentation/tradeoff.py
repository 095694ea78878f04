"""The trade-off chart: points, Pareto front, a title that says the finding, and the same data as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import DAY_S, HOUR_S
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.i18n import Language, Translator
from gpuconfig.i18n.formats import shown_unit
from gpuconfig.presentation.measures import (
    MEASURES,
    Measure,
    energy_shown,
    headroom_shown,
    option_key,
    option_name,
    price_shown,
    risk_shown,
    speed,
    speed_shown,
    tco_shown,
    years_energy_shown,
)
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

SHAPES = ("o", "s", "t1", "d", "t", "+")
"""Markers of the series in the order of their colours: ● ■ ▲ ◆ ▼ ✚."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One option in the chart; `series` numbers the card's family."""

    key: str
    name: str
    x: float
    y: float
    front: bool
    series: int
    dominated_by: str
    details: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Everything the chart draws; axes in shown units; `y_key` is the measure upwards."""

    title: str
    summary: str
    x_title: str
    y_title: str
    y_key: str
    points: tuple[Point, ...]
    series: tuple[str, ...]
    left_out: int
    front: tuple[tuple[float, float], ...]


def told_name(option: Option, t: Translator) -> str:
    """The option's name; of a rental that it is one."""
    name = t.part(option_name(option))
    return t.gettext(N_("{name}, rented")).format(name=name) if option.kind is OptionKind.RENT else name


def measure(key: str) -> Measure:
    """A measure by its key."""
    return next(item for item in MEASURES if item.key == key)


def chart(recommendation: Recommendation, x_key: str, y_key: str, t: Translator) -> Chart:
    """Price against time, or any other two measures."""
    options = all_options(recommendation)
    x_of, y_of = _worked_out(measure(x_key), options), _worked_out(measure(y_key), options)
    known = [o for o in options if x_of.value(o) is not None and y_of.value(o) is not None]
    x_scale, x_unit = axis_scale([x_of.value(o) or 0.0 for o in known], x_of, known, t)
    y_scale, y_unit = axis_scale([y_of.value(o) or 0.0 for o in known], y_of, known, t)
    series = list(dict.fromkeys(o.accelerator.vendor.value for o in known))
    places = {
        option_key(o): ((x_of.value(o) or 0.0) / x_scale, (y_of.value(o) or 0.0) / y_scale) for o in known
    }
    front_keys = pareto(known, x_of, y_of)
    points = tuple(
        Point(
            key=option_key(option),
            name=told_name(option, t),
            x=places[option_key(option)][0],
            y=places[option_key(option)][1],
            front=option_key(option) in front_keys,
            series=series.index(option.accelerator.vendor.value),
            dominated_by=_dominated_by(option, known, x_of, y_of, front_keys, t),
            details=_details(option, t),
        )
        for option in known
    )
    front = tuple(sorted((p.x, p.y) for p in points if p.front))
    name = _axis_name(x_of, known, t), _axis_name(y_of, known, t)
    return Chart(
        title=_finding(known, front_keys, x_of, y_of, t),
        summary=_summary(points, t),
        x_title=f"{name[0]} ({x_unit})" if x_unit else name[0],
        y_title=f"{name[1]} ({y_unit})" if y_unit else name[1],
        y_key=y_key,
        points=points,
        series=tuple(series),
        left_out=len(options) - len(known),
        front=front,
    )


def _worked_out(what: Measure, options: Sequence[Option]) -> Measure:
    """The measure with its value of each option worked out once: the front asks for them by pairs."""
    known = {id(option): what.value(option) for option in options}
    return replace(what, value=lambda option: known[id(option)])


def pareto(options: Sequence[Option], x: Measure, y: Measure) -> frozenset[str]:
    """Keys of the options that no other beats in both measures."""
    return frozenset(
        option_key(a) for a in options if not any(_beats(b, a, x, y) for b in options if b is not a)
    )


def table(recommendation: Recommendation, points: Sequence[Point], t: Translator) -> Table:
    """The chart's data."""
    _ = t.gettext
    front = {point.key for point in points if point.front}
    dominated = {point.key: point.dominated_by for point in points}
    options = all_options(recommendation)
    columns = (
        Column(key="name", title=_("Option"), width=170),
        Column(key="front", title=_("Pareto front"), width=130),
        Column(key="price", title=_("Price"), numeric=True, width=180),
        Column(
            key="time", title=_(speed(options[0].estimate).title if options else N_("Time")), numeric=True
        ),
        Column(key="energy", title=_("Energy over the years"), numeric=True),
        Column(key="power", title=_("At the wall"), numeric=True),
        Column(key="headroom", title=_("Free memory"), numeric=True),
        Column(key="tco", title=_("Three-year cost"), numeric=True, width=160),
        Column(key="risk", title=_("Risk"), spare_notes=True),
    )
    rows = []
    for option in options:
        key = option_key(option)
        where = (
            _("on the front") if key in front else _("beaten by {name}").format(name=dominated.get(key, ""))
        )
        if key not in dominated:
            where = _("not drawn: a value is unknown")
        rows.append(
            Row(
                key=key,
                cells=(
                    Shown(text=told_name(option, t), sort=option.accelerator.name),
                    Shown(text=where, sort=where),
                    price_shown(option, t),
                    speed_shown(option, t),
                    years_energy_shown(option, t),
                    energy_shown(option, t),
                    headroom_shown(option, t),
                    tco_shown(option, t),
                    risk_shown(option, t),
                ),
                muted=key not in front,
            )
        )
    return Table(columns=columns, rows=tuple(rows), name=_("Trade-off"), pinned=1)


def axis_scale(
    values: Sequence[float], what: Measure, options: Sequence[Option], t: Translator
) -> tuple[float, str]:
    """Divisor and unit that keep the axis readable."""
    largest = max((abs(value) for value in values), default=0.0)
    if what.unit == "money":
        symbol = options[0].price.total.low.currency.value if options else ""
        if largest >= 1e5:
            if t.language is Language.ZH:  # Chinese counts in ten thousands
                return 1e4, t.gettext(N_("ten thousand {currency}")).format(currency=symbol)
            return 1e3, t.gettext(N_("thousand {currency}")).format(currency=symbol)
        return 1.0, symbol
    if what.unit == "s":
        steps = ((3 * DAY_S, DAY_S, N_("days")), (3 * HOUR_S, HOUR_S, "h"), (120, 60.0, "min"), (0, 1.0, "s"))
        return next((divisor, t.gettext(unit)) for least, divisor, unit in steps if largest >= least)
    if what.unit == "share":
        return 0.01, "%"
    if what.unit == "1":
        return 1.0, ""
    unit, divisor = shown_unit(largest, what.unit)
    return divisor, unit


def measure_words(value: float, what: Measure, options: Sequence[Option], t: Translator) -> str:
    """One value of a measure in words: with its unit, as axes and ends of uprights show it."""
    if what.key == "risk":
        return t.formats.number(value, 2)
    if what.unit == "share":
        return t.formats.percent(round(value, 2))
    divisor, unit = axis_scale([value], what, options, t)
    return f"{t.formats.number(value / divisor)} {unit}".strip()


def _axis_name(what: Measure, options: Sequence[Option], t: Translator) -> str:
    if what.key == "time" and options:
        return t.gettext(speed(options[0].estimate).time_title)
    return t.gettext(what.title)


def _better(value: float, other: float, what: Measure) -> bool:
    return value < other if what.lower_is_better else value > other


def _beats(b: Option, a: Option, x: Measure, y: Measure) -> bool:
    bx, by, ax, ay = x.value(b), y.value(b), x.value(a), y.value(a)
    if bx is None or by is None or ax is None or ay is None:
        return False
    no_worse = not _better(ax, bx, x) and not _better(ay, by, y)
    return no_worse and (_better(bx, ax, x) or _better(by, ay, y))


def _dominated_by(
    option: Option, options: Sequence[Option], x: Measure, y: Measure, front: frozenset[str], t: Translator
) -> str:
    if option_key(option) in front:
        return ""
    return next((told_name(o, t) for o in options if option_key(o) in front and _beats(o, option, x, y)), "")


def _details(option: Option, t: Translator) -> tuple[tuple[str, str], ...]:
    found = speed(option.estimate)
    return (
        (t.gettext(N_("Price")), price_shown(option, t).plain()),
        (t.gettext(found.title), speed_shown(option, t).plain()),
        (t.gettext(N_("Free memory")), headroom_shown(option, t).plain()),
        (t.gettext(N_("Risk")), risk_shown(option, t).plain()),
    )


def _finding(options: Sequence[Option], front: frozenset[str], x: Measure, y: Measure, t: Translator) -> str:
    """What the chart shows, as its title: what more money buys along the front."""
    ends = sorted((o for o in options if option_key(o) in front), key=lambda o: x.value(o) or 0.0)
    if not ends:
        return t.gettext(N_("Nothing to compare yet"))
    if len(ends) == 1:
        return t.gettext(N_("{name} is best in both measures")).format(name=told_name(ends[0], t))
    if (x.key, y.key) != ("price", "time"):
        return t.ngettext(
            "{count} option on the Pareto front", "{count} options on the Pareto front", len(ends)
        )
    first, last = ends[0], ends[-1]
    faster = (y.value(first) or 0.0) / (y.value(last) or 1.0)
    dearer = (x.value(last) or 0.0) / (x.value(first) or 1.0)
    if not faster or not dearer:
        return t.ngettext(
            "{count} option on the Pareto front", "{count} options on the Pareto front", len(ends)
        )
    return t.gettext(N_("{last} is {faster} times as fast as {first} for {dearer} times the price")).format(
        last=told_name(last, t),
        first=told_name(first, t),
        faster=t.formats.number(faster, 2),
        dearer=t.formats.number(dearer, 2),
    )


def _summary(points: Sequence[Point], t: Translator) -> str:
    """The chart in words, for screen readers and under it."""
    names = t.formats.join([point.name for point in sorted(points, key=lambda p: p.x) if point.front])
    drawn = t.ngettext("{count} option drawn.", "{count} options drawn.", len(points))
    return drawn + " " + t.gettext(N_("On the Pareto front, cheapest first: {names}.")).format(names=names)
