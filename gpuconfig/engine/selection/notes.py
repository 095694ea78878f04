"""What the reader of a recommendation must know besides the options."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.leaner import told
from gpuconfig.engine.selection.performance import JUDGED
from gpuconfig.engine.selection.recommendation import Option, Rejected
from gpuconfig.engine.workloads.request import WORK, Kind
from gpuconfig.engine.workloads.training import Method, Offload, Optimizer, TrainingWorkload

MANY_DAYS = 90  # prices of parts older than this are told
STATES_BYTES = 16  # bf16 weights and gradients, fp32 master, momentum and variance of a parameter
LARGEST_COMMON_CARD_BYTES = 80 * 10**9


def warnings_of(
    options: Sequence[Option], today: date, within_days: float | None = None
) -> tuple[Warning_, ...]:
    """Old prices, export status, assumed share of the options shown."""
    found: list[Warning_] = []
    for option in options:
        if option.price.assumed_share > 0.5:
            text = N_(
                "{share:.0%} of the price of option {rank} rests on assumed or converted prices: ask for quotations"
            )
            values: dict[str, object] = {"share": option.price.assumed_share, "rank": option.rank}
            found.append(Warning_("assumed_prices", Message(text, values)))
        age = _oldest_days(option, today)
        if age is not None and age > MANY_DAYS:
            text = N_("the price of the cards of option {rank} is {days} days old")
            found.append(Warning_("old_price", Message(text, {"rank": option.rank, "days": age})))
        if option.leaner:
            text = N_("option {rank} does the work leaner than published: {how}")
            found.append(Warning_("leaner", Message(text, {"rank": option.rank, "how": list(told(option))})))
        findings = () if option.check is None else option.check.findings
        for finding in findings:
            if finding.rule.startswith("proof."):
                text = N_("option {rank}: {what}")
                found.append(
                    Warning_("unproven", Message(text, {"rank": option.rank, "what": finding.message}))
                )
        slow = () if within_days is None or option.build is None else _without_lead_time(option)
        if slow:
            text = N_(
                "option {rank}: no delivery time is recorded for {count} parts; {days} days were asked: ask the seller"
            )
            values = {"rank": option.rank, "count": len(slow), "days": within_days}
            found.append(Warning_("delivery_unknown", Message(text, values)))
        if option.risk_parts.get("export", 0) > 0:
            card = option.accelerator
            values = {"rank": option.rank, "card": card.name}
            text = N_("option {rank}: {card} falls under US export rules or customs measures for China")
            if card.export_china:
                text = N_(
                    "option {rank}: {card} falls under US export rules or customs measures for China: {rule}"
                )
                values["rule"] = Message(card.export_china)
            found.append(Warning_("export_status", Message(text, values)))
    return tuple(found)


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
