"""What an estimate of a training run says beyond its machine: what renting costs, and which splits are the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from gpuconfig.engine.catalogue.market import CloudOffer
from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.estimation.answer import Estimate, RunRent, StrategiesTold, StrategyTold
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.rents import RentTerms, rent_range, terms_in
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.quantities.units import HOUR_S
from gpuconfig.engine.selection.strategies import Candidate, Choice, search_strategies
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.training import TrainingWorkload

CURRENCIES = (Currency.USD, Currency.CNY)
"""Whose price lists are looked at, the first that has any; nothing is converted."""
MTOKEN = 1e6


def with_strategies_and_rent(
    request: EstimateRequest,
    answer: Estimate,
    offers: Mapping[str, Sequence[CloudOffer]],
    coefficients: CoefficientSet,
) -> Estimate:
    """The answer of a training run with the rent of the whole run and, where its split was open, the best splits.

    Args:
        offers: price lists of each card by its id.
    """
    training, work = answer.training, request.workload
    if request.kind is not Kind.TRAINING or training is None or not isinstance(work, TrainingWorkload):
        return answer
    found = rent_of(request, offers.get(request.accelerator.id, ()))
    rent = None
    if found is not None:
        currency, terms = found
        ends = rent_range(terms, coefficients)
        rent = _rent(request, training.tokens_per_s, work.dataset_tokens, currency, terms, ends)
    strategies = None
    if request.parallelism is None and training.tokens_per_s.value is not None:
        hourly = None if found is None else found[1].middle * request.hardware.gpu_count
        candidate = Candidate(request.hardware, hourly)
        strategies = _told(request, work, candidate, coefficients)
    return replace(answer, training=replace(training, rent_to_train=rent, strategies=strategies))


def rent_of(request: EstimateRequest, offers: Sequence[CloudOffer]) -> tuple[Currency, RentTerms] | None:
    """One card for an hour on demand, by the newest price lists; None where no list names the card.

    Machines that work with others are rented whole.
    """
    hardware = request.hardware
    least = hardware.gpus_per_node if hardware.nodes > 1 else 1
    mine = [o for o in offers if o.kind is RentalKind.ON_DEMAND and o.count >= least]
    for currency in CURRENCIES:
        terms = terms_in(currency, mine, request.accelerator.id, hardware.gpus_per_node, None)
        if terms:
            return currency, terms[0]
    return None


def _rent(
    request: EstimateRequest, speed: Figure, tokens: float | None, currency: Currency, terms: RentTerms,
    hour: tuple[float, float],
) -> RunRent | None:  # fmt: skip
    if speed.value is None:
        return None
    cards = request.hardware.gpu_count

    def paid(count: float) -> Figure:
        """For so many tokens: the slowest run at the dearest list, and the reverse."""
        ends = ((hour[0], speed.high), (terms.middle, speed.value), (hour[1], speed.low))
        low, value, high = (
            None if not rate else price * cards / HOUR_S * count / rate for price, rate in ends
        )
        return Figure(value, low, high, currency.value)

    return RunRent(
        currency=currency.value, amount=Figure(None) if tokens is None else paid(tokens), per_mtoken=paid(MTOKEN),
        price_lists=terms.offers, oldest=terms.oldest, newest=terms.newest,
    )  # fmt: skip


def _told(
    request: EstimateRequest, work: TrainingWorkload, candidate: Candidate, coefficients: CoefficientSet
) -> StrategiesTold | None:
    found = search_strategies(request.model, work, request.accelerator, [candidate], coefficients)
    if found.by_speed is None:
        return None
    return StrategiesTold(
        by_speed=_one(found.by_speed),
        by_cost=None if found.by_cost is None else _one(found.by_cost),
        by_energy=None if found.by_energy is None else _one(found.by_energy),
        pareto=tuple(_one(choice) for choice in found.front),
        runner_up=None if found.runner_up is None else _one(found.runner_up),
        runner_up_lost_because=found.runner_up_lost_because,
        evaluated=found.strategies,
        fitting=found.fitting,
    )


def _one(choice: Choice) -> StrategyTold:
    row = choice.strategy
    p = row.parallelism
    split: dict[str, object] = {
        "zero_stage": p.zero_stage, "tensor": p.tensor, "sequence": p.sequence, "pipeline": p.pipeline,
        "virtual_pipeline": p.virtual_pipeline, "context": p.context, "expert": p.expert,
        "expert_tensor": p.expert_tensor, "data": p.data, "micro_batch_size": row.micro_batch_size,
        "gradient_accumulation": row.gradient_accumulation, "checkpointing": row.checkpointing.value,
        **({} if row.loss is None else {"loss": row.loss.value}),
    }  # fmt: skip
    return StrategyTold(
        parallelism=split, tokens_per_s=row.tokens_per_s, device_used_bytes=row.device_used_bytes,
        energy_wh_per_mtoken=row.energy_wh_per_mtoken if isfinite(row.energy_wh_per_mtoken) else None,
        cost_per_mtoken=choice.cost_per_mtoken,
    )  # fmt: skip
