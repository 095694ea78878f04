"""The trade-off chart: price against time of every composed option, and the sentence it shows."""

from __future__ import annotations

from gpuconfig.documents.content import Point, TradeOff
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import OPTION_KINDS
from gpuconfig.documents.naming import duration, machine
from gpuconfig.documents.pricing import planning_total
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.quantities.units import DAY_S, HOUR_S
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.i18n import Language


def trade_off(context: DocumentContext, writer: Writer) -> TradeOff | None:
    """Price against time of every composed option; None where fewer than two have both."""
    considered = context.recommendation.considered or context.options
    if context.option is not None and context.option not in considered:
        considered = (context.option, *considered)
    timed = [option for option in considered if duration(option.estimate)[1].value is not None]
    if len(timed) < 2 or context.option is None:
        return None
    name, sample = duration(timed[0].estimate)
    longest = max(duration(option.estimate)[1].value or 0.0 for option in timed)
    unit, divisor = _time_unit(longest, sample.unit)
    thousand, scale = _money_scale(
        max(float(planning_total(context, o).amount) for o in timed),
        context.option.price.total.low.currency,
        writer,
    )
    points = tuple(
        Point(
            label=_short(option, writer),
            x=float(planning_total(context, option).amount) / scale,
            y=(duration(option.estimate)[1].value or 0.0) / divisor,
            front=option.pareto,
            chosen=option is context.option,
        )
        for option in timed
    )
    y_label = writer.say(N_("{name}, {unit}"), name=writer.say(name), unit=writer.say(unit))
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
    own_price, own_time = planning_total(context, chosen).amount, duration(chosen.estimate)[1].value
    front = [o for o in timed if o.pareto and o is not chosen]
    dearer = [o for o in front if planning_total(context, o).amount > own_price]
    if own_time and dearer:
        following = min(dearer, key=lambda o: planning_total(context, o).amount)
        time = duration(following.estimate)[1].value or own_time
        price = planning_total(context, following)
        more = price - planning_total(context, chosen)
        if time < own_time:
            return writer.say(
                N_("Going faster costs more: {machine} takes {share} less time for {amount} more"),
                machine=machine(following, writer),
                share=writer.percent(1 - time / own_time),
                amount=writer.formats.money(more),
            )
    if chosen.pareto and own_time:
        fastest = min(timed, key=lambda o: duration(o.estimate)[1].value or 0.0)
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


def _time_unit(longest: float, unit: str) -> tuple[str, float]:
    if unit != "s":
        return unit, 1.0
    if longest >= 2 * DAY_S:
        return N_("days"), DAY_S
    if longest >= 2 * HOUR_S:
        return N_("hours"), HOUR_S
    return (N_("minutes"), 60.0) if longest >= 120 else (N_("seconds"), 1.0)


def _money_scale(largest: float, currency: Currency, writer: Writer) -> tuple[str, float]:
    """Chinese counts in 万, English in thousands."""
    chinese = writer.language is Language.ZH
    name = "元" if chinese and currency is Currency.CNY else currency.value
    if largest < 1e5:
        return name, 1.0
    return ("万" + name, 1e4) if chinese else (f"thousand {name}", 1e3)
