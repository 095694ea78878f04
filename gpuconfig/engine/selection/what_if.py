"""What if: the machines that were composed, judged anew with one or another number changed.

Nothing is searched or composed: the same formulas estimate, price and rank the machines there are. A change of
the work keeps each option's split of it, so a search afterwards may find a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.estimation.answer import Assumption, Estimate
from gpuconfig.engine.estimation.estimator import Answer, Estimator
from gpuconfig.engine.pricing.planning import Pricer, try_rate
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.demand import Demand, demand_of
from gpuconfig.engine.selection.gates import fits, on_time
from gpuconfig.engine.selection.options import Costing, buy_option
from gpuconfig.engine.selection.recommend import answer_of, buyer_of
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.engine.selection.tally import Tally
from gpuconfig.engine.workloads.fields import read_object
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest, Workload
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ServingWorkload, VisionWorkload
from gpuconfig.engine.workloads.training import Checkpointing, Loss, TrainingWorkload

TRIED = N_("tried as a what-if, not found")


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What is tried; None: as it was found.

    Attributes:
        batch: micro batch of a training, pictures or clips at once.
        length: tokens of a sample or prompt, frames of a clip.
        users: requests at the same time.
        cards: cards in all; machines composed with another count are left out.
        power_share: power limit of every card over its board power.
        card, card_price: an accelerator's id, and its price over the recorded one.
        exchange_rate: units of CNY for one USD.
        electricity: price of a kilowatt-hour in the buyer's currency.
        utilisation: share of the hours at work.
    """

    batch: int | None = None
    length: int | None = None
    users: int | None = None
    cards: int | None = None
    power_share: float | None = None
    card: str = ""
    card_price: float | None = None
    exchange_rate: float | None = None
    electricity: float | None = None
    utilisation: float | None = None

    @property
    def changes_work(self) -> bool:
        """Whether anything must be estimated again."""
        return any(v is not None for v in (self.batch, self.length, self.users, self.power_share))

    @property
    def is_nothing(self) -> bool:
        """Whether everything is as it was found."""
        return all(getattr(self, f.name) in (None, "") for f in fields(self) if f.name != "card")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The values an answer was found with, where sliders start; None: the work has no such number."""

    batch: int | None
    length: int | None
    users: int | None
    cards: int
    card_price: Money | None
    exchange_rate: float | None
    electricity: float | None
    utilisation: float | None
    board_power_w: float | None


def found_values(
    option: Option, request: RecommendRequest, catalogue: Catalogue, estimator: Estimator
) -> Found:
    """What `option` was found with."""
    costing = _costing(request, catalogue, estimator, WhatIf())
    build = option.build
    tariff = None if build is None else costing.tariff(build)
    rate = try_rate(costing.pricer)
    price = costing.pricer.price(PartKind.ACCELERATOR, option.accelerator)
    per_kwh = (
        None if tariff is None else costing.pricer.convert(Money(tariff.per_kwh(), tariff.currency)).amount
    )
    batch, length, users = _work_values(option)
    return Found(
        batch=batch,
        length=length,
        users=users,
        cards=option.count,
        card_price=None if price is None else price.middle(),
        exchange_rate=None if rate is None else float(rate.rate),
        electricity=None if per_kwh is None else float(per_kwh),
        utilisation=None if build is None else costing.use(build).utilisation,
        board_power_w=option.accelerator.tdp_w,
    )


def what_if(
    answer: Recommendation,
    request: RecommendRequest,
    change: WhatIf,
    catalogue: Catalogue,
    estimator: Estimator,
    today: date,
) -> Recommendation:
    """`answer` as it would stand with `change`, over the machines it composed."""
    if change.is_nothing:
        return answer
    demand = _demand(request, change, estimator)
    costing = _costing(request, catalogue, estimator, change)
    options = [o for o in answer.considered if o.build is not None and o.kind is not OptionKind.RENT]
    if change.cards is not None:
        options = [o for o in options if o.count == change.cards] or options
    tally = Tally(rejected=list(answer.rejected), strategies=answer.strategies)
    for option, asked, estimate in _estimated(options, change, estimator):
        if change.changes_work and not (
            fits(option.accelerator, option.count, estimate, tally)
            and isinstance(estimate, Estimate)
            and on_time(option.accelerator, option.count, estimate, demand, tally)
        ):
            continue
        if isinstance(estimate, Estimate):
            made = _priced(option, asked, estimate, demand, costing, change)
            (tally.options if made.within_budget else tally.over_budget).append(made)
    made_anew = answer_of(demand, tally, costing, estimator, today)
    return replace(
        made_anew,
        seconds=answer.seconds,
        assumptions=(*_told(change), *answer.assumptions),
        versions=answer.versions,
    )


def tried(option: Option, change: WhatIf, estimator: Estimator) -> Estimate | None:
    """The estimate of one option with `change`; None where the work cannot be done so."""
    _, _, answer = next(iter(_estimated([option], change, estimator)))
    return answer if isinstance(answer, Estimate) else None


def changed_request(option: Option, change: WhatIf) -> EstimateRequest:
    """The option's own estimate request with the changed work and power, at the split that was found."""
    request = option.estimate_request
    mix = {f.name for f in fields(Parallelism)}
    split = read_object(Parallelism, {k: v for k, v in option.parallelism.items() if k in mix}, "parallelism")
    hardware = request.hardware
    if change.power_share is not None and option.accelerator.tdp_w is not None:
        hardware = replace(hardware, power_limit_w=change.power_share * option.accelerator.tdp_w)
    return replace(
        request,
        workload=_work(request.workload, option, change),
        hardware=hardware,
        parallelism=split if option.parallelism else request.parallelism,
    )


def _estimated(
    options: Sequence[Option], change: WhatIf, estimator: Estimator
) -> list[tuple[Option, EstimateRequest, Answer]]:
    if not change.changes_work:
        return [(o, o.estimate_request, o.estimate) for o in options]
    requests = [changed_request(option, change) for option in options]
    answers = estimator.estimate(requests) if requests else []
    return list(zip(options, requests, answers, strict=True))


def _work(workload: Workload, option: Option, change: WhatIf) -> Workload:
    """The workload with the numbers that are tried."""
    if isinstance(workload, TrainingWorkload):
        return _training(workload, option, change)
    changes: dict[str, int] = {}
    if isinstance(workload, ServingWorkload):
        names = {"prompt_tokens": change.length, "concurrency": change.users}
    elif isinstance(workload, DiffusionWorkload):
        names = {"batch": change.batch, "frames": change.length if workload.video else None}
    else:
        names = {"batch_per_gpu": change.batch}
    changes.update({name: value for name, value in names.items() if value is not None})
    return replace(workload, **changes)  # type: ignore[arg-type]


def _training(workload: TrainingWorkload, option: Option, change: WhatIf) -> TrainingWorkload:
    """The samples of an optimizer step stay as many when the micro batch changes."""
    mix = option.parallelism
    micro, steps = mix.get("micro_batch_size"), mix.get("gradient_accumulation")
    if isinstance(micro, int) and isinstance(steps, int):
        batch = change.batch or micro
        workload = replace(
            workload, micro_batch_size=batch, gradient_accumulation=max(1, round(micro * steps / batch))
        )
    elif change.batch is not None:
        workload = replace(workload, micro_batch_size=change.batch)
    recompute, loss = mix.get("checkpointing"), mix.get("loss")
    if isinstance(recompute, str):
        workload = replace(workload, checkpointing=Checkpointing(recompute))
    if isinstance(loss, str):
        workload = replace(workload, loss=Loss(loss))
    return workload if change.length is None else replace(workload, sequence_length=change.length)


def _work_values(option: Option) -> tuple[int | None, int | None, int | None]:
    """Batch, length and users that the option's estimate holds for."""
    workload, mix = option.estimate_request.workload, option.parallelism
    if isinstance(workload, TrainingWorkload):
        micro = mix.get("micro_batch_size", workload.micro_batch_size)
        return (micro if isinstance(micro, int) else 1), workload.sequence_length, None
    if isinstance(workload, ServingWorkload):
        return None, workload.prompt_tokens, workload.concurrency or 1
    if isinstance(workload, VisionWorkload):
        return workload.batch_per_gpu, None, None
    return workload.batch or 1, workload.frames if workload.video else None, None


def _demand(request: RecommendRequest, change: WhatIf, estimator: Estimator) -> Demand:
    """The targets follow the number of users."""
    if change.users is not None:
        request = replace(request, target=replace(request.target, users=change.users))
    return demand_of(request, estimator.coefficients)


def _costing(
    request: RecommendRequest, catalogue: Catalogue, estimator: Estimator, change: WhatIf
) -> Costing:
    buyer = buyer_of(request, estimator.coefficients)
    rate = None
    if change.exchange_rate is not None:
        known = try_rate(Pricer(catalogue, buyer))
        rate = None if known is None else replace(known, rate=Decimal(str(change.exchange_rate)))
    pricer = Pricer(catalogue, buyer, rate)
    kwh = None if change.electricity is None else Money(Decimal(str(change.electricity)), buyer.currency)
    return Costing(
        catalogue,
        pricer,
        estimator.coefficients,
        request.constraints.region,
        utilisation=change.utilisation,
        per_kwh=kwh,
        wishes=request.cost,
    )


def _priced(
    option: Option,
    asked: EstimateRequest,
    estimate: Estimate,
    demand: Demand,
    costing: Costing,
    change: WhatIf,
) -> Option:
    """The option anew: price, cost of ownership and risk by the search's own rules."""
    assert option.build is not None  # options without a machine are not judged anew
    candidate = Candidate(option.accelerator, option.count // max(option.nodes, 1), option.nodes)
    build = _repriced(option.build, costing.pricer, change)
    return buy_option(demand, candidate, asked, estimate, build, option.check, costing)


def _repriced(build: Build, pricer: Pricer, change: WhatIf) -> Build:
    if change.exchange_rate is None and change.card_price is None:
        return build
    return replace(
        build,
        lines=tuple(_line(line, pricer, change) for line in build.lines),
        shared=tuple(_line(line, pricer, change) for line in build.shared),
    )


def _line(line: BomLine, pricer: Pricer, change: WhatIf) -> BomLine:
    price = line.price
    if price is None or line.offer is None or line.reused:
        return line
    if change.exchange_rate is not None and line.converted:
        price = pricer.planned(line.offer).price
    if change.card_price is not None and _holds(line, change.card):
        share = Decimal(str(change.card_price))
        price = MoneyRange((price.low * share).rounded(), (price.high * share).rounded())
    return replace(line, price=price)


def _holds(line: BomLine, card: str) -> bool:
    """The card itself, or the server that is sold with it."""
    if isinstance(line.item, Accelerator):
        return line.item.id == card
    item = line.item
    return isinstance(item, ServerPlatform) and bool(item.includes_accelerators) and card in item.accelerators


_FIELDS = {
    "batch": "workload.batch",
    "length": "workload.length",
    "users": "target.users",
    "cards": "constraints.gpu_count",
    "power_share": "hardware.power_limit",
    "card_price": "price",
    "exchange_rate": "exchange_rate",
    "electricity": "electricity",
    "utilisation": "utilisation",
}


def _told(change: WhatIf) -> tuple[Assumption, ...]:
    """Every number that is tried, so that no paper shows it as found."""
    return tuple(
        Assumption(path, f"{getattr(change, name):g}", Message(TRIED))
        for name, path in _FIELDS.items()
        if getattr(change, name) is not None
    )
