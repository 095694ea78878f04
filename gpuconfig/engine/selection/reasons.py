"""Why an option stands where it stands, in sentences with figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.pricing.case import planned
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.demand import CAPTIONS, Demand
from gpuconfig.engine.selection.leaner import before_plain, told
from gpuconfig.engine.selection.performance import headroom, memory_figures, time_of, timed_as
from gpuconfig.engine.selection.ranking import (
    ASSUMED_PRICE,
    OF_PURCHASE,
    SEVERAL_MACHINES,
    TARGET,
    UNMEASURED,
    by_cost,
    cost,
    counted_cost,
    known,
    price,
)
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.request import BudgetKind
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.engine.workloads.serving import ServingWorkload

SLOWER = 1.06
"""Times as slow from which it is told: less is within the band of every estimate."""
FASTER = 0.98
"""Share of another's time from which an option is told as the faster."""
_STREAMS = {
    Kind.SERVING: "token/s",
    Kind.VISION_TRAINING: "sample/s",
    Kind.VISION_INFERENCE: "sample/s",
}
"""Work that is told by what comes out in a second, with its unit."""
TOLD_SHARE = 0.005
"""Part of a premium from which it is told: less is shown as 0 %."""

_BOUND = {
    BoundBy.COMPUTE: N_("the arithmetic of the cards limits the speed"),
    BoundBy.MEMORY: N_("the memory bandwidth of the cards limits the speed"),
    BoundBy.COMMUNICATION: N_("the links between the cards limit the speed"),
    BoundBy.PIPELINE: N_("the pipeline bubble limits the speed"),
    BoundBy.INPUT: N_("reading the data limits the speed"),
    BoundBy.HOST: N_("the host limits the speed"),
}


def explained(shown: Sequence[Option], demand: Demand) -> tuple[Option, ...]:
    """The options with why, loses_because and flips_if."""
    if not shown:
        return ()
    first = shown[0]
    result = [replace(first, why=_reasons(first, shown, demand), flips_if=_flips_first(shown, demand))]
    for place, option in enumerate(shown[1:], start=1):
        result.append(
            replace(option, why=_reasons(option, shown, demand), loses_because=_loses(option, first, demand),
                    flips_if=_flips(option, shown[:place], demand))
        )  # fmt: skip
    return tuple(result)


def _reasons(option: Option, shown: Sequence[Option], demand: Demand) -> tuple[Message, ...]:
    plain = before_plain(option, shown)
    if plain is None:
        return why(option, demand)
    less = Money(cost(plain) - cost(option), plain.price.total.low.currency).rounded()
    if less.amount > 0:
        text = N_(
            "stands before {other}, which does it as published, only because it costs {less} less over the years"
        )
    elif plain.premium > option.premium or plain.unproven:
        text = N_(
            "stands before {other}, which does it as published and costs no more, only because less is known of that "
            "one: see what counts on top of its cost"
        )
    else:  # weights of the request, which say it themselves
        return why(option, demand)
    return (*why(option, demand), Message(text, {"other": name_of(plain), "less": less}))


def why(option: Option, demand: Demand) -> tuple[Message, ...]:
    """What speaks for it: fit with headroom, time, price against budget, what limits it."""
    found: list[Message] = []
    needed, usable = memory_figures(option.estimate)
    free = headroom(option.estimate)
    if needed is not None and usable is not None and free is not None:
        text = N_("needs {needed} of {usable} on each card: {free:.0%} stay free")
        workload = option.estimate_request.workload
        if isinstance(workload, ServingWorkload) and not workload.offload_experts:
            # the engine takes the rest of the card for more of the cache; experts of the host serve few users
            text = N_("needs {needed} of {usable} on each card: {free:.0%} are left for more users")
        found.append(Message(
            text,
            {"needed": Figure(needed, unit="B"), "usable": Figure(usable, unit="B"), "free": free},
        ))  # fmt: skip
        if option.accelerator.devices > 1:
            text = N_("the software sees each card as {count} devices: this is the memory of one of them")
            found.append(Message(text, {"count": option.accelerator.devices}))
    found.extend(told(option))
    found.extend(_speed(option, demand))
    serving = option.estimate.serving
    if serving is not None and serving.tpot_ms.value is not None:
        figure = Figure(serving.tpot_ms.value / 1000, unit="s")
        found.append(Message(N_("each user waits {time} for a token"), {"time": figure}))
    budget = demand.request.budget
    if budget is not None and budget.kind is BudgetKind.PURCHASE:
        text = N_("{price} of a budget of {budget}")
        found.append(Message(text, {"price": option.price.planned().rounded(), "budget": budget.money}))
    elif budget is not None and option.tco is not None:
        text = N_("{price} a month over the years, of a budget of {budget} a month")
        found.append(Message(text, {"price": option.tco.per_month, "budget": budget.money}))
    if option.tco is not None:
        text = N_("{cost} over {years:.0f} years with electricity and resale")
        found.append(Message(text, {"cost": option.tco.planned().rounded(), "years": option.tco.years}))
    found.extend(_counted(option))
    found.extend(_copies(option))
    found.extend(_split(option))
    found.extend(_link(option))
    return tuple(found)


def _speed(option: Option, demand: Demand) -> list[Message]:
    """How long the work takes; of work in a stream, how much comes out."""
    seconds = time_of(option.estimate, demand.request.kind)
    kind = timed_as(option.estimate, demand.request.kind)
    if seconds is None:
        return []
    if kind in _STREAMS:
        text = N_("{rate} in all")
        return [Message(text, {"rate": Figure(1 / seconds, unit=_STREAMS[kind])})]
    return [
        Message(N_("{what}: {time}"), {"what": Message(CAPTIONS[kind]), "time": Figure(seconds, unit="s")})
    ]


def _copies(option: Option) -> list[Message]:
    """That a served model stands on the cards more than once, and how many answer together."""
    copies = option.parallelism.get("data")
    if option.estimate.serving is None or not isinstance(copies, int) or copies == 1:
        return []
    text = N_("{count} copies of the model share the users, {cards} cards each")
    if copies == option.count:
        text = N_("{count} copies of the model share the users, one on each card")
    return [Message(text, {"count": copies, "cards": option.count // copies})]


def _split(option: Option) -> list[Message]:
    """How the work is shared where the cards' memories add up."""
    mix = option.parallelism
    parts: list[Message] = []
    zero, tensor, pipeline = (mix.get(name) for name in ("zero_stage", "tensor", "pipeline"))
    if isinstance(tensor, int) and tensor > 1:
        text = N_("tensor parallel over {cards} cards")
        if option.accelerator.devices > 1:
            text = N_("tensor parallel over {cards} devices of the cards")
        parts.append(Message(text, {"cards": tensor}))
    if isinstance(pipeline, int) and pipeline > 1:
        parts.append(Message(N_("{stages} pipeline stages"), {"stages": pipeline}))
    data = mix.get("data")
    if isinstance(zero, int) and zero > 0 and isinstance(data, int) and data > 1:
        text = N_("states sharded over {cards} cards (ZeRO {stage})")
        if option.accelerator.devices > 1:
            text = N_("states sharded over {cards} devices of the cards (ZeRO {stage})")
        parts.append(Message(text, {"cards": data, "stage": zero}))
    if not parts:
        return []
    return [
        Message(
            N_("no single card is asked to hold it: {split}, so the memories of all cards count"),
            {"split": parts},
        )
    ]


def _link(option: Option) -> list[Message]:
    found = []
    bound = option.estimate.bound_by
    if bound is not None and (option.count > 1 or option.estimate.vision is not None):
        found.append(Message(_BOUND[bound]))
    card = option.accelerator
    if option.count > option.nodes and card.link is None and card.link_known:
        if card.peer_to_peer is False:
            text = N_("{card}: no NVLink and no direct PCIe transfers between cards: "
                      "traffic goes through host memory and is the limit of scaling")  # fmt: skip
        else:
            text = N_("{card}: no link between cards but PCIe")
        found.append(Message(text, {"card": card.name}))
    return found


def _counted(option: Option) -> list[Message]:
    """What counts on top of the cost in the order, each part with its share."""
    texts = {
        ASSUMED_PRICE: N_(
            "counts {share:.0%} dearer in the order: prices that nobody was seen to ask here may be off by as much"
        ),
        SEVERAL_MACHINES: N_("counts {share:.0%} dearer in the order: {nodes} machines must work as one"),
        TARGET: N_("counts {share:.0%} dearer in the order: an asked target is not met for sure"),
        UNMEASURED: N_(
            "counts {share:.0%} dearer in the order: this work was not measured on cards of its architecture"
        ),
    }
    return [
        Message(texts[name], {"share": share, "nodes": option.nodes})
        for name, share in option.premium_parts.items()
        if share >= TOLD_SHARE
    ]


def _loses(option: Option, first: Option, demand: Demand) -> tuple[Message, ...]:
    found = []
    extra = cost(option) - cost(first)
    currency = first.price.total.low.currency
    if extra > 0:
        text = N_("{more} more over {years:.0f} years than {other}")
        values: dict[str, object] = {
            "more": Money(extra, currency).rounded(),
            "other": name_of(first),
            "years": None if option.tco is None else option.tco.years,
        }
        if option.tco is None:
            text = N_("{more} more than {other}")
        found.append(Message(text, values))
    elif counted_cost(option) > counted_cost(first):
        text = N_(
            "costs {less} less over the years than {other} as planned, but {counted} against {theirs} with what is "
            "not known of the two"
        )
        values = {
            "less": Money(-extra, currency).rounded(),
            "other": name_of(first),
            "counted": Money(counted_cost(option), currency).rounded(),
            "theirs": Money(counted_cost(first), currency).rounded(),
        }
        found.append(Message(text, values))
    ratio = _ratio(option, first, demand)
    if ratio is not None and ratio > SLOWER:
        found.append(
            Message(N_("{ratio:.2g} times as slow as {other}"), {"ratio": ratio, "other": name_of(first)})
        )
    if option.risk is not None and first.risk is not None and option.risk > first.risk + 0.05:
        text = N_("more risk: {mine:.2f} against {theirs:.2f}")
        found.append(Message(text, {"mine": option.risk, "theirs": first.risk}))
    if option.unproven and not first.unproven:
        found.append(Message(N_("stands behind what is known to work: see its findings")))
    if option.meets_target is False:
        found.append(Message(N_("misses the target")))
    return tuple(found)


def _flips(option: Option, before: Sequence[Option], demand: Demand) -> tuple[Message, ...]:
    """What would put an option before all those `before` it."""
    found = []
    first, kind = before[0], demand.request.kind
    share = _change_of_price(option, counted_cost(option) - counted_cost(first))
    if by_cost(demand.request.weights) and known(option) >= known(first) and share is not None and share < 1:
        found.append(Message(N_("first if its price falls by {share:.0%}"), {"share": share}))
    mine = time_of(option.estimate, kind)
    times = [time_of(other.estimate, kind) for other in before]
    least = min((seconds for seconds in times if seconds is not None), default=None)
    if mine is not None and least is not None and mine < FASTER * least:
        text, values = N_("first if it must be done in less than {time}"), {"time": Figure(least, unit="s")}
        stream = _STREAMS.get(timed_as(option.estimate, kind))
        if stream is not None:
            text, values = (
                N_("first if more than {rate} are asked"),
                {"rate": Figure(1 / least, unit=stream)},
            )
        found.append(Message(text, values))
    return tuple(found)


def _flips_first(shown: Sequence[Option], demand: Demand) -> tuple[Message, ...]:
    if len(shown) < 2:
        return ()
    first, second = shown[0], shown[1]
    share = _change_of_price(first, counted_cost(second) - counted_cost(first))
    if not by_cost(demand.request.weights) or known(second) < known(first) or share is None:
        return ()
    text = N_("{other} takes its place if its price rises by {share:.0%}")
    return (Message(text, {"other": name_of(second), "share": share}),)


def _change_of_price(option: Option, difference: Decimal) -> float | None:
    """Share by which the price of an option must change for its counted cost to change by `difference`.

    Resale and upkeep are shares of the price and follow it; None where no price would do.
    """
    paid = price(option)
    if difference <= 0 or paid <= 0:
        return None
    case = None if option.tco is None else option.tco.case
    follows = float(paid)
    if case is not None:
        given = case.with_values(accelerator_price=0.0, host_price=0.0)
        follows = planned(case, "total_cost") - planned(given, "total_cost")
    paid_parts = sum(s for n, s in option.premium_parts.items() if n in OF_PURCHASE)
    follows = follows * (1 + option.premium - paid_parts) + float(cost(option)) * paid_parts
    return None if follows <= 0 else _whole_percent(difference / Decimal(str(follows)))


def _whole_percent(share: Decimal) -> float:
    """The next whole percent: a change that is told as enough must be."""
    return math.ceil(share * 100) / 100


def name_of(option: Option) -> str:
    """`2× RTX 4090`, or `2 × 8× H100 SXM` where there are several machines."""
    each = f"{option.count // max(option.nodes, 1)}× {option.accelerator.name}"
    return each if option.nodes <= 1 else f"{option.nodes} × {each}"


def _ratio(option: Option, first: Option, demand: Demand) -> float | None:
    mine, theirs = time_of(option.estimate, demand.request.kind), time_of(first.estimate, demand.request.kind)
    return None if mine is None or not theirs else mine / theirs
