"""The trade-off chart: price against time of every composed option, and the sentence it shows."""

from __future__ import annotations

from gpuconfig.documents.content import Point, TradeOff
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import OPTION_KINDS
from gpuconfig.documents.naming import machine
from gpuconfig.documents.pricing import planning_total
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.performance import time_of, timed_as
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.i18n import Language
from gpuconfig.i18n.formats import shown_unit

WORTH_NAMING = 0.95
"""An option that takes at most this share of the time is faster to speak of."""
TIMES: dict[Kind, str] = {
    Kind.TRAINING: N_("Time of the training run"),
    Kind.SERVING: N_("Time per output token over all users"),
    Kind.IMAGE: N_("Time for one image"),
    Kind.VIDEO: N_("Time for one clip"),
    Kind.VISION_TRAINING: N_("Time for one sample"),
    Kind.VISION_INFERENCE: N_("Time for one sample"),
}
"""What the time axis means for each kind of work."""


def trade_off(context: DocumentContext, writer: Writer) -> TradeOff | None:
    """Price against time of every composed option; None where fewer than two have both."""
    considered = context.recommendation.considered or context.options
    if context.option is not None and context.option not in considered:
        considered = (context.option, *considered)
    timed = [option for option in considered if _seconds(option) is not None]
    if len(timed) < 2 or context.option is None:
        return None
    name = TIMES[timed_as(context.option.estimate, context.option.estimate_request.kind)]
    unit, divisor = shown_unit(_seconds(context.option) or max(_seconds(o) or 0.0 for o in timed), "s")
    thousand, scale = _money_scale(
        max(float(planning_total(context, o).amount) for o in timed),
        context.option.price.total.low.currency,
        writer,
    )
    points = tuple(
        Point(
            label=_short(option, writer),
            x=float(planning_total(context, option).amount) / scale,
            y=(_seconds(option) or 0.0) / divisor,
            front=option.pareto,
            chosen=option is context.option,
        )
        for option in timed
    )
    y_label = writer.say(N_("{name}, {unit}"), name=writer.say(name), unit=writer.word(unit))
    return TradeOff(
        title=_finding(context, timed, writer),
        x_label=writer.say(N_("Planning price, {unit}"), unit=thousand),
        y_label=y_label,
        points=points,
        legend=(writer.say(N_("recommended")), writer.say(N_("Pareto front")), writer.say(N_("dominated"))),
        summary=writer.say(
            N_(
                "{count} options; those on the front are beaten by no other in both price and time. "
                "Lower left is better."
            ),
            count=len(points),
        ),
    )


def _finding(context: DocumentContext, timed: list[Option], writer: Writer) -> str:
    """What the chart shows, as a sentence."""
    chosen = context.option
    assert chosen is not None
    own_price, own_time = planning_total(context, chosen).amount, _seconds(chosen)
    front = [o for o in timed if o.pareto and o is not chosen]
    dearer = [
        o
        for o in front
        if planning_total(context, o).amount > own_price
        and (_seconds(o) or 0.0) < WORTH_NAMING * (own_time or 0.0)
    ]
    if own_time and dearer:
        following = min(dearer, key=lambda o: planning_total(context, o).amount)
        more = planning_total(context, following) - planning_total(context, chosen)
        return writer.say(
            N_("Going faster costs more: {machine} takes {share} less time for {amount} more"),
            machine=machine(following, writer),
            share=writer.percent(1 - (_seconds(following) or 0.0) / own_time),
            amount=writer.formats.money(more),
        )
    if chosen.pareto and own_time:
        fastest = min(timed, key=lambda o: _seconds(o) or 0.0)
        if fastest is chosen:
            return writer.say(N_("No option at any price compared is faster than the recommended one"))
        return writer.say(N_("No option is both cheaper and faster than the recommended one"))
    return writer.say(N_("Price against time of the options compared"))


def _short(option: Option, writer: Writer) -> str:
    """A label for a point: 8× RTX 4090."""
    name = option.accelerator.name
    for maker in ("NVIDIA ", "GeForce ", "AMD ", "Intel "):
        name = name.replace(maker, "")
    cards = f"{option.estimate_request.hardware.gpu_count}× {name}"
    if option.kind is OptionKind.BUY:
        return cards
    return writer.say(N_("{kind}: {machine}"), kind=writer.say(OPTION_KINDS[option.kind]), machine=cards)


def _seconds(option: Option) -> float | None:
    """The time that the Pareto front was made with."""
    return time_of(option.estimate, option.estimate_request.kind)


def _money_scale(largest: float, currency: Currency, writer: Writer) -> tuple[str, float]:
    """Chinese counts in 万, English in thousands."""
    chinese = writer.language is Language.ZH
    name = "元" if chinese and currency is Currency.CNY else currency.value
    if largest < 1e5:
        return name, 1.0
    return ("万" + name, 1e4) if chinese else (f"thousand {name}", 1e3)
