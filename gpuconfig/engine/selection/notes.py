"""What the reader of a recommendation must know besides the options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.leaner import told
from gpuconfig.engine.selection.performance import (
    JUDGED,
    TARGETS,
    UNITS,
    Judged,
    asked_target,
    close_targets,
    headroom,
    memory_figures,
)
from gpuconfig.engine.selection.recommendation import Option, Rejected
from gpuconfig.engine.selection.request import BudgetKind
from gpuconfig.engine.workloads.request import WORK, Kind
from gpuconfig.engine.workloads.training import Method, Offload, Optimizer, TrainingWorkload

GROUP = "selection"
MANY_DAYS = 90  # prices of parts older than this are told
STATES_BYTES = 16  # bf16 weights and gradients, fp32 master, momentum and variance of a parameter
LARGEST_COMMON_CARD_BYTES = 80 * 10**9


def warnings_of(
    options: Sequence[Option], demand: Demand, today: date, coefficients: CoefficientSet
) -> tuple[Warning_, ...]:
    """What whoever signs for one of the options shown must know of it."""
    found: list[Warning_] = []
    for option in options:
        found.extend(_target_warnings(option, demand))
        found.extend(_memory_warnings(option, coefficients))
        found.extend(_price_warnings(option, demand, today))
        if option.leaner:
            text = N_("option {rank} does the work leaner than published: {how}")
            found.append(Warning_("leaner", Message(text, {"rank": option.rank, "how": list(told(option))})))
        found.extend(_supply_warnings(option, demand.request.constraints.available_within_days))
    return tuple(found)


def _target_warnings(option: Option, demand: Demand) -> Iterator[Warning_]:
    """Asked targets that the planning value meets and the bad end of its band misses."""
    for judged in close_targets(option.estimate, demand.request.kind, asked_target(demand.request)):
        text = N_("option {rank}: {what}")
        yield Warning_("target_close", Message(text, {"rank": option.rank, "what": close_said(judged)}))


def close_said(judged: Judged) -> Message:
    """How near a target is to being missed."""
    text = N_(
        "{target}: {value} is predicted, at least {limit} is asked, and the lower end of the 90 % band, {end}, "
        "misses it: missed with a chance of about {chance:.0%}"
    )
    if judged.most:
        text = N_(
            "{target}: {value} is predicted, at most {limit} is asked, and the upper end of the 90 % band, {end}, "
            "misses it: missed with a chance of about {chance:.0%}"
        )
    ends = {"value": judged.figure.value, "limit": judged.limit, "end": judged.end}
    return Message(
        text,
        {
            "target": Message(TARGETS[judged.name]),
            "chance": judged.chance_of_missing(),
            **{name: _shown(judged.name, value) for name, value in ends.items()},
        },
    )


def _shown(name: str, value: float | None) -> Figure:
    """A target's value as it is read: milliseconds are a part of seconds."""
    unit = UNITS[name]
    if unit == "ms":
        return Figure(None if value is None else value / 1000, unit="s")
    return Figure(value, unit=unit)


def _memory_warnings(option: Option, coefficients: CoefficientSet) -> Iterator[Warning_]:
    free = headroom(option.estimate)
    needed, usable = memory_figures(option.estimate)
    if free is None or free >= coefficients.value(GROUP, "little_memory"):
        return
    text = N_(
        "option {rank}: the upper end of what is needed, {needed}, leaves {free:.0%} of the {usable} of a card free: "
        "a longer sequence or a later version of the software may not fit"
    )
    values = {
        "rank": option.rank,
        "needed": Figure(needed, unit="B"),
        "usable": Figure(usable, unit="B"),
        "free": max(0.0, free),
    }
    yield Warning_("memory_close", Message(text, values))


def _price_warnings(option: Option, demand: Demand, today: date) -> Iterator[Warning_]:
    """A budget that the dear end is over, assumed prices, old ones."""
    budget = demand.request.budget
    high, currency = option.price.total.high, option.price.total.high.currency
    if budget is not None and budget.kind is BudgetKind.PURCHASE and budget.money.currency is currency:
        over = high.amount - budget.money.amount
        if option.within_budget and over > 0:
            text = N_(
                "option {rank} is within the budget as planned; at the dear end of its prices, {high}, it is {over} "
                "over it"
            )
            values: dict[str, object] = {
                "rank": option.rank, "high": high.rounded(), "over": Money(over, currency).rounded(),
            }  # fmt: skip
            yield Warning_("budget_close", Message(text, values))
    if option.price.assumed_share > 0.5:
        text = N_(
            "{share:.0%} of the price of option {rank} rests on assumed or converted prices: ask for quotations"
        )
        yield Warning_(
            "assumed_prices", Message(text, {"share": option.price.assumed_share, "rank": option.rank})
        )
    age = _oldest_days(option, today)
    if age is not None and age > MANY_DAYS:
        text = N_("the price of the cards of option {rank} is {days} days old")
        yield Warning_("old_price", Message(text, {"rank": option.rank, "days": age}))


def _supply_warnings(option: Option, within_days: float | None) -> Iterator[Warning_]:
    """What is not proven, how soon it comes, whether it may be sold."""
    findings = () if option.check is None else option.check.findings
    for finding in findings:
        if finding.rule.startswith("proof."):
            text = N_("option {rank}: {what}")
            yield Warning_("unproven", Message(text, {"rank": option.rank, "what": finding.message}))
    slow = () if within_days is None or option.build is None else _without_lead_time(option)
    if slow:
        text = N_(
            "option {rank}: no delivery time is recorded for {count} parts; {days} days were asked: ask the seller"
        )
        values: dict[str, object] = {"rank": option.rank, "count": len(slow), "days": within_days}
        yield Warning_("delivery_unknown", Message(text, values))
    if option.risk_parts.get("export", 0) > 0:
        card = option.accelerator
        values = {"rank": option.rank, "card": card.name}
        text = N_("option {rank}: {card} falls under US export rules or customs measures for China")
        if card.export_china:
            text = N_(
                "option {rank}: {card} falls under US export rules or customs measures for China: {rule}"
            )
            values["rule"] = Message(card.export_china)
        yield Warning_("export_status", Message(text, values))


def notes_of(
    considered: Sequence[Option], rejected: Sequence[Rejected], demand: Demand
) -> tuple[Message, ...]:
    """What rules out a single card, and what nothing in the catalogue could do."""
    found: list[Message] = []
    workload, model = demand.workload, demand.request.model
    if (
        isinstance(workload, TrainingWorkload)
        and workload.method in (Method.FULL, Method.PRETRAIN)
        and workload.optimizer in (None, Optimizer.ADAMW)
        and workload.offload is Offload.NONE
        and demand.request.kind is Kind.TRAINING
    ):
        states = model.parameters * STATES_BYTES
        if states > LARGEST_COMMON_CARD_BYTES and workload.master_weights is not False:
            text = N_(
                "weights, gradients, master weights and AdamW states take {bytes} bytes a parameter, "
                "{states:.0f} GB: no single 80 GB card holds them without offload, a smaller optimizer or adapters"
            )
            found.append(Message(text, {"bytes": STATES_BYTES, "states": states / 1e9}))
    found.extend(_idle_targets(demand))
    unpriced = sum(miss.code == "no_price" for miss in rejected)
    if not considered and unpriced:
        text = N_(
            "no machine with a price for this buyer meets the requirement; accelerators that no usable price is "
            "known for, and that were not judged: {count}"
        )
        found.append(Message(text, {"count": unpriced}))
    elif not considered and rejected:
        found.append(
            Message(N_("no machine of the catalogue meets the requirement: the nearest misses are listed"))
        )
    elif considered and not any(o.within_budget for o in considered):
        found.append(Message(N_("no machine that works is within the budget")))
    return tuple(found)


def _idle_targets(demand: Demand) -> list[Message]:
    """Targets that mean nothing for this kind of work: said, so that nobody takes them for met."""
    kind, target = demand.request.kind, demand.request.target
    text = N_("target.{name} says nothing about this kind of work ({kind}) and was not used")
    names = [
        name for name, kinds in JUDGED.items() if kind not in kinds and getattr(target, name) is not None
    ]
    return [Message(text, {"name": name, "kind": Message(WORK[kind])}) for name in names]


def _oldest_days(option: Option, today: date) -> int | None:
    line = None if option.build is None else option.build.first(PartKind.ACCELERATOR)
    return None if line is None or line.offer is None else line.offer.age_days(today)


def _without_lead_time(option: Option) -> tuple[str, ...]:
    lines = () if option.build is None else option.build.lines
    return tuple(x.item.id for x in lines if x.offer is not None and x.offer.lead_time_days is None)
