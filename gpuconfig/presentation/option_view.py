"""The three cards of the result page, the table of all options and the fold of the rejected."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuconfig.engine.estimation.answer import BoundBy, Verdict
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.recommendation import Nothing, Option, OptionKind, Recommendation, Rejected
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation import badges
from gpuconfig.presentation.measures import (
    energy_shown,
    headroom_shown,
    machine_kind,
    memory_shown,
    option_key,
    option_name,
    price_shown,
    risk_shown,
    speed,
    speed_shown,
    tco_shown,
)
from gpuconfig.presentation.reference import ReadyReference, Reference
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

NOTHING_KEY = "nothing"
"""Row of buying nothing: no option stands behind it."""

BOUND_WORDS = {
    BoundBy.COMPUTE: N_("compute"),
    BoundBy.MEMORY: N_("memory bandwidth"),
    BoundBy.COMMUNICATION: N_("link between cards"),
    BoundBy.PIPELINE: N_("pipeline bubbles"),
    BoundBy.INPUT: N_("reading data"),
    BoundBy.HOST: N_("host processor"),
}


BEHIND = {
    "needed": memory_shown,
    "split": memory_shown,
    "format": memory_shown,
    "time": speed_shown,
    "rate": speed_shown,
    "ratio": speed_shown,
    "price": price_shown,
    "share": price_shown,
    "hour": price_shown,
    "month": price_shown,
    "run": price_shown,
    "cost": tco_shown,
    "more": tco_shown,
    "less": tco_shown,
    "mine": risk_shown,
}
"""Where the number of a reason comes from, by its name in the sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBar:
    """Memory of the fullest card as a bar: used with its band against usable."""

    used: float | None
    low: float | None
    high: float | None
    usable: float | None
    label: Shown
    verdict: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionCard:
    """One option as the result page shows it first."""

    key: str
    rank: int
    name: str
    kind: str
    price: Shown
    time_title: str
    time: Shown
    memory: MemoryBar
    risk: Shown
    facts: tuple[tuple[str, Shown], ...]
    why: tuple[Shown, ...]
    flips: tuple[Shown, ...]
    loses: tuple[Shown, ...]


def card(option: Option, t: Translator) -> OptionCard:
    """The card of one option."""
    found = speed(option.estimate)
    facts = [
        (t.gettext(N_("Three-year cost")), tco_shown(option, t)),
        (t.gettext(N_("At the wall")), energy_shown(option, t)),
    ]
    if option.estimate.bound_by is not None:
        facts.append((t.gettext(N_("Limited by")), bound_shown(option, t)))
    return OptionCard(
        key=option_key(option),
        rank=option.rank,
        name=t.part(option_name(option)),
        kind=machine_kind(option, t),
        price=price_shown(option, t),
        time_title=t.gettext(found.title),
        time=speed_shown(option, t),
        memory=memory_bar(option, t),
        risk=risk_shown(option, t),
        facts=tuple(facts),
        why=_reasons(option.why, option, t),
        flips=_reasons(option.flips_if, option, t),
        loses=_reasons(option.loses_because, option, t),
    )


def lead(answer: Recommendation, t: Translator) -> Shown | None:
    """What to buy, for how much, and whether it costs the least; None where nothing is recommended."""
    if not answer.options:
        return None
    first = answer.options[0]
    price = price_shown(first, t)
    cheapest, count = _cheapest(first, answer)
    if first.kind is OptionKind.RENT:
        sentence = N_("Recommended: rent {name}, {price}")
    elif cheapest:
        sentence = N_(
            "Recommended: {name} ({kind}), {price}; the lowest cost over the years of {count} options"
        )
    else:
        sentence = N_("Recommended: {name} ({kind}), {price}; the first of {count} options")
    text = t.gettext(sentence).format(
        name=t.part(option_name(first)), kind=machine_kind(first, t), price=price.text, count=count
    )
    return Shown(text=text, reference=price.reference)


def _cheapest(first: Option, answer: Recommendation) -> tuple[bool, int]:
    """Whether the first option costs least over the years of those within the budget, and how many they are."""
    working = [option for option in all_options(answer) if option.within_budget]
    costs = [option.tco.planned().amount for option in working if option.tco is not None]
    least = first.tco is not None and first.tco.planned().amount <= min(costs, default=0)
    return least and len(working) > 1, len(working)


def _reasons(messages: tuple[Message, ...], option: Option, t: Translator) -> tuple[Shown, ...]:
    """Sentences, each with the figure of the option that its numbers come from."""
    return tuple(
        Shown(text=render(message, t), reference=_behind(message, option, t)) for message in messages
    )


def _behind(message: Message, option: Option, t: Translator) -> Reference | None:
    shown = next((shown for name, shown in BEHIND.items() if name in message.values), None)
    return None if shown is None else shown(option, t).reference


def memory_bar(option: Option, t: Translator) -> MemoryBar:
    """The bar's numbers and words."""
    memory = option.estimate.memory
    used = memory.device_used_bytes if memory is not None else None
    return MemoryBar(
        used=used.value if used else None,
        low=used.low if used else None,
        high=used.high if used else None,
        usable=memory.usable_bytes if memory is not None else None,
        label=memory_shown(option, t),
        verdict=verdict_shown(option, t),
    )


def verdict_shown(option: Option, t: Translator) -> Shown:
    """Whether the work fits the cards; the memory behind it opens."""
    return replace(badges.verdict(option.estimate.verdict, t), reference=memory_shown(option, t).reference)


def _fit_shown(option: Option, t: Translator) -> Shown:
    """Whether the work fits, and what stays free, which it sorts by."""
    free = headroom_shown(option, t)
    shown = verdict_shown(option, t)
    if not isinstance(free.sort, float):
        return shown
    return replace(shown, note=t.gettext(N_("{share} free")).format(share=free.text), sort=free.sort)


def bound_shown(option: Option, t: Translator) -> Shown:
    """What limits the speed, with the times behind it."""
    work = option.estimate.training or option.estimate.vision
    bound = option.estimate.bound_by
    parts = () if work is None else tuple(work.time_breakdown_s.items())
    inputs = tuple(
        Explanation(name=name, title=name, value=value, unit="s", mark=Mark.CALCULATED)
        for name, value in parts
    )
    explanation = Explanation(
        name="bound_by",
        title=N_("What limits the speed"),
        value=None if bound is None else BOUND_WORDS[bound],
        unit="1",
        mark=Mark.CALCULATED,
        inputs=inputs,
    )
    if bound is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=ReadyReference(explanation))
    return Shown(text=t.gettext(BOUND_WORDS[bound]), reference=ReadyReference(explanation), sort=bound.value)


def options_table(recommendation: Recommendation, t: Translator) -> Table:
    """Every option that was composed, ranked ones first."""
    _ = t.gettext
    options = all_options(recommendation)
    speed_title = speed(options[0].estimate).title if options else N_("Speed")
    columns = (
        Column(key="rank", title=_("Rank"), numeric=True),
        Column(key="name", title=_("Option")),
        Column(key="kind", title=_("Machine")),
        Column(key="price", title=_("Price"), numeric=True),
        Column(key="time", title=_(speed_title), numeric=True),
        Column(key="memory", title=_("Memory fit")),
        Column(key="tco", title=_("Three-year cost"), numeric=True),
        Column(key="risk", title=_("Risk"), spare_notes=True),
    )
    rows = tuple(_row(place, option, t) for place, option in enumerate(options, start=1))
    return Table(
        columns=columns, rows=rows + nothing_row(recommendation, t, columns), name=_("All options"), pinned=2
    )


def nothing_row(
    recommendation: Recommendation, t: Translator, columns: tuple[Column, ...]
) -> tuple[Row, ...]:
    """Buying nothing with the figures that it shares with options, under the titles of `columns`."""
    nothing = recommendation.nothing
    if nothing is None or not recommendation.options:
        return ()
    name, missed = t.gettext(N_("Do nothing")), t.gettext(N_("not done"))
    known = {
        "name": Shown(text=name, sort=name),
        "price": _of_nothing(nothing, "total", N_("price of all parts"), nothing.price.planned(), t),
        "time": Shown(text=missed, tone=Tone.PROBLEM),
        "tco": _of_nothing(nothing, "tco", N_("cost over the years"), nothing.tco.planned(), t),
    }
    return (Row(key=NOTHING_KEY, cells=tuple(known.get(c.key, Shown(text="")) for c in columns), muted=True),)


def _of_nothing(nothing: Nothing, name: str, title: str, amount: Money, t: Translator) -> Shown:
    """What is paid where nothing is bought, with the reason behind it."""
    explanation = Explanation(
        name=name,
        title=title,
        value=float(amount.amount),
        unit=amount.currency.value,
        mark=Mark.CALCULATED,
        source="; ".join(render(why, t) for why in nothing.why),
    )
    return Shown(
        text=t.formats.money(amount), sort=float(amount.amount), reference=ReadyReference(explanation)
    )


def all_options(recommendation: Recommendation) -> tuple[Option, ...]:
    """Ranked options, then every other one that was composed."""
    keys = {option_key(option) for option in recommendation.options}
    others = tuple(option for option in recommendation.considered if option_key(option) not in keys)
    return recommendation.options + others


def find_option(recommendation: Recommendation | None, key: str) -> Option | None:
    """The option a project remembers; the first one where it is not there any more."""
    if recommendation is None or key == NOTHING_KEY:
        return None
    everything = all_options(recommendation)
    if recommendation.smallest_budget_that_works is not None:
        everything += (recommendation.smallest_budget_that_works.option,)
    first = everything[0] if everything else None
    return next((option for option in everything if option_key(option) == key), first)


def _row(place: int, option: Option, t: Translator) -> Row:
    rank = t.formats.count(place) if option.rank else ""  # rentals and machines count together
    cells = (
        Shown(text=rank, sort=float(place) if option.rank else None),
        Shown(text=t.part(option_name(option)), sort=option.accelerator.name),
        Shown(text=machine_kind(option, t), sort=machine_kind(option, t)),
        price_shown(option, t),
        speed_shown(option, t),
        _fit_shown(option, t),
        tco_shown(option, t),
        risk_shown(option, t),
    )
    return Row(key=option_key(option), cells=cells, muted=option.estimate.verdict is Verdict.DOES_NOT_FIT)


def rejected_table(rejected: tuple[Rejected, ...], t: Translator) -> Table:
    """What fell out, with the figure that decided."""
    _ = t.gettext
    columns = (
        Column(key="name", title=_("Accelerator"), width=200),
        Column(key="measured", title=_("Value"), numeric=True, width=110),
        Column(key="required", title=_(N_("Limit")), numeric=True, width=110),
        Column(key="reason", title=_("Reason"), width=320, wide=True),
    )
    rows = tuple(
        Row(
            key=f"{item.accelerator}:{item.code}:{number}",
            cells=(
                Shown(text=t.part(item.name), sort=item.name),
                _rejected_figure(item, item.measured, N_("What it comes to"), t),
                _rejected_figure(item, item.required, N_("What it is held to"), t),
                Shown(text=render(item.reason, t), sort=item.code),
            ),
        )
        for number, item in enumerate(rejected)
    )
    return Table(columns=columns, rows=rows, name=_("Rejected"), pinned=1)


def _rejected_figure(item: Rejected, value: float | None, title: str, t: Translator) -> Shown:
    if value is None:
        return Shown(text="")
    explanation = Explanation(
        name=item.code,
        title=title,
        value=value,
        unit=item.unit or "1",
        mark=Mark.CALCULATED,
        source=item.name,
    )
    return Shown(
        text=amount_text(value, item.unit, t),
        sort=value,
        reference=ReadyReference(explanation),
    )


def amount_text(value: float, unit: str, t: Translator) -> str:
    """A value whose unit may be a currency."""
    if unit in ("CNY", "USD"):
        from decimal import Decimal

        from gpuconfig.engine.quantities.money import Currency, Money

        return t.formats.money(Money(Decimal(str(value)), Currency(unit)))
    return t.formats.quantity(value, unit or "1")
