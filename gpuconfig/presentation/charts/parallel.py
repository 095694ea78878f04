"""Every option over every measure at once: up is better on each upright."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.i18n import Translator
from gpuconfig.presentation.charts.model import Axis, Parallel, Thread
from gpuconfig.presentation.measures import MEASURES, Measure, option_key, speed
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.table import Table
from gpuconfig.presentation.tradeoff import chart, measure_words, told_name
from gpuconfig.presentation.tradeoff import table as tradeoff_table


def parallel(recommendation: Recommendation, t: Translator) -> Parallel | None:
    """None with fewer than two options."""
    options = all_options(recommendation)
    if len(options) < 2:
        return None
    ranked = {option_key(option) for option in recommendation.options}
    scales = [(measure, _ends(options, measure)) for measure in MEASURES]
    shown = [(measure, ends) for measure, ends in scales if ends is not None]
    vendors = list(dict.fromkeys(o.accelerator.vendor.value for o in options))
    threads = tuple(
        Thread(
            key=option_key(option),
            name=told_name(option, t),
            places=tuple(_place(option, measure, ends) for measure, ends in shown),
            front=option_key(option) in ranked,
            number=vendors.index(option.accelerator.vendor.value),
        )
        for option in options
    )
    axes = tuple(
        Axis(key=measure.key, title=_title(measure, options, t), best=words[0], worst=words[1])
        for measure, ends in shown
        for words in [_words(measure, ends, options, t)]
    )
    return Parallel(
        title=_finding(threads, axes, t),
        summary=t.gettext(
            N_(
                "Up is better on every upright. Bold threads are the ranked options; "
                "a broken thread lacks a value."
            )
        ),
        axes=axes,
        threads=threads,
        table=_table(recommendation, t),
    )


def _table(recommendation: Recommendation, t: Translator) -> Table:
    return tradeoff_table(recommendation, chart(recommendation, "price", "time", t).points, t)


def _ends(options: Sequence[Option], measure: Measure) -> tuple[float, float] | None:
    """Best and worst value; None where nothing is known."""
    known = [value for o in options if (value := measure.value(o)) is not None]
    if not known:
        return None
    low, high = min(known), max(known)
    return (low, high) if measure.lower_is_better else (high, low)


def _place(option: Option, measure: Measure, ends: tuple[float, float]) -> float | None:
    value = measure.value(option)
    best, worst = ends
    if value is None:
        return None
    return 1.0 if best == worst else (value - worst) / (best - worst)


def _title(measure: Measure, options: Sequence[Option], t: Translator) -> str:
    if measure.key == "time":
        return t.gettext(speed(options[0].estimate).time_title)
    return t.gettext(measure.title)


def _words(
    measure: Measure, ends: tuple[float, float], options: Sequence[Option], t: Translator
) -> tuple[str, str]:
    return measure_words(ends[0], measure, options, t), measure_words(ends[1], measure, options, t)


def _finding(threads: Sequence[Thread], axes: Sequence[Axis], t: Translator) -> str:
    """Which option is best most often."""
    wins = {thread.name: sum(place == 1.0 for place in thread.places) for thread in threads}
    name = max(wins, key=lambda key: wins[key])
    return t.gettext(N_("{name} is best in {count} of {all} measures")).format(
        name=name, count=wins[name], all=len(axes)
    )
