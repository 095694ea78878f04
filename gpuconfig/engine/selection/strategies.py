"""The best way to split a training run over candidate machines: by speed, by cost, by energy, and why others lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.devices import on_devices
from gpuconfig.engine.estimation.training.breakdown import PARTS
from gpuconfig.engine.estimation.training.scaling import steps_taken
from gpuconfig.engine.estimation.training.search import (
    StrategyRow,
    StrategyTable,
    strategy_table,
    with_strategy,
)
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.training import TrainingWorkload


@dataclass(frozen=True, slots=True)
class Candidate:
    """One machine or cluster. `cost_per_hour` in any one currency, None where cost is not compared."""

    hardware: Hardware
    cost_per_hour: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A strategy on a candidate (its position in the list asked for), with the cost of a million tokens."""

    candidate: int
    strategy: StrategyRow
    cost_per_mtoken: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyResult:
    """Outcome of a search.

    Attributes:
        by_speed, by_cost, by_energy: best choices that fit; None where nothing fits (or no cost is known).
        of_candidate: the fastest choice that fits of each candidate, None where none does.
        nearest: of each candidate the strategy that needs least memory, for saying by how much it does not fit.
        pareto: choices that no other beats in speed, cost (energy where no cost is known) and card count at once.
        front: of the first candidate, the strategies that no other beats in speed and energy at once, fastest first.
        runner_up, runner_up_lost_because: the next best other split of the fastest candidate.
        strategies: evaluated in all; fitting: of these, how many fit.
    """

    by_speed: Choice | None
    by_cost: Choice | None
    by_energy: Choice | None
    of_candidate: tuple[Choice | None, ...]
    nearest: tuple[Choice | None, ...]
    pareto: tuple[Choice, ...]
    front: tuple[Choice, ...]
    runner_up: Choice | None
    runner_up_lost_because: Message | None
    usable_bytes: float
    strategies: int
    fitting: int


def search_strategies(
    model: NeuralModel, workload: TrainingWorkload, accelerator: Accelerator, candidates: Sequence[Candidate],
    coefficients: CoefficientSet, *, samples_per_step: int | None = None,
) -> StrategyResult:  # fmt: skip
    """Evaluate every valid strategy of every candidate and keep the best.

    Args:
        workload: what it states of micro-batch, accumulation and checkpointing is kept, the rest is varied.
        samples_per_step: samples of one optimizer step over all cards; None takes the workload's, else a usual one.
    """
    asked = [_asked(model, workload, accelerator, c.hardware) for c in candidates]
    tables = [strategy_table(request, coefficients, samples_per_step) for request in asked]
    fastest = tuple(_best(i, t, candidates[i]) for i, t in enumerate(tables))
    thriftiest = tuple(_best(i, t, candidates[i], "energy_wh_per_mtoken") for i, t in enumerate(tables))
    fit = [c for c in fastest if c is not None]
    by_speed = max(fit, key=lambda c: c.strategy.tokens_per_s, default=None)
    priced = [c for c in fit if c.cost_per_mtoken is not None]
    runner = (
        _runner_up(tables[by_speed.candidate], by_speed, candidates[by_speed.candidate]) if by_speed else None
    )
    return StrategyResult(
        by_speed=by_speed,
        by_cost=min(priced, key=lambda c: c.cost_per_mtoken or 0.0, default=None),
        by_energy=min(
            (c for c in thriftiest if c is not None),
            key=lambda c: c.strategy.energy_wh_per_mtoken,
            default=None,
        ),
        of_candidate=fastest,
        nearest=tuple(_least_memory(i, t, candidates[i]) for i, t in enumerate(tables)),
        pareto=_pareto(fit, candidates),
        front=_front(tables[0], candidates[0]) if tables else (),
        runner_up=runner,
        runner_up_lost_because=_why(
            asked[by_speed.candidate], by_speed.strategy, runner.strategy, coefficients
        )
        if by_speed and runner
        else None,
        usable_bytes=tables[0].usable_bytes if tables else float("nan"),
        strategies=sum(t.count for t in tables),
        fitting=int(sum(t.fits.sum() for t in tables)),
    )


def _asked(
    model: NeuralModel, workload: TrainingWorkload, accelerator: Accelerator, hardware: Hardware
) -> EstimateRequest:
    """The candidate's request with its split left open, as the software sees the machine."""
    request = EstimateRequest(
        id="search", kind=Kind.TRAINING, model=model, accelerator=accelerator, workload=workload, hardware=hardware
    )  # fmt: skip
    return on_devices(request)


def _choice(index: int, table: StrategyTable, position: int, candidate: Candidate) -> Choice:
    row = table.row(position)
    hourly = candidate.cost_per_hour
    cost = None if hourly is None else hourly / 3600.0 / row.tokens_per_s * 1e6
    return Choice(candidate=index, strategy=row, cost_per_mtoken=cost)


def _best(
    index: int, table: StrategyTable, candidate: Candidate, smallest: str | None = None
) -> Choice | None:
    if not table.count or not bool(table.fits.any()):
        return None
    score = table.columns["tokens_per_s"] if smallest is None else -table.columns[smallest]
    score = np.where(table.fits & ~np.isnan(score), score, -np.inf)
    position = int(score.argmax())
    return _choice(index, table, position, candidate) if np.isfinite(score[position]) else None


def _least_memory(index: int, table: StrategyTable, candidate: Candidate) -> Choice | None:
    used = table.columns["device_used_bytes"]
    if not table.count or bool(np.isnan(used).all()):
        return None
    return _choice(index, table, int(np.nanargmin(used)), candidate)


def _runner_up(table: StrategyTable, best: Choice, candidate: Candidate) -> Choice | None:
    """The fastest fitting strategy that differs in more than batch and checkpointing."""
    winner = best.strategy.parallelism
    names = {"tensor_parallel": winner.tensor, "pipeline_parallel": winner.pipeline, "context_parallel": winner.context,
             "expert_parallel": winner.expert, "zero_stage": winner.zero_stage}  # fmt: skip
    same = np.ones(table.count, bool)
    for name, value in names.items():
        same &= table.columns[name] == value
    return _best(best.candidate, replace(table, fits=table.fits & ~same), candidate)


def _front(table: StrategyTable, candidate: Candidate) -> tuple[Choice, ...]:
    fits = np.flatnonzero(table.fits)
    speed = table.columns["tokens_per_s"][fits]
    energy = table.columns["energy_wh_per_mtoken"][fits]
    order = np.lexsort((energy, -speed))
    least = np.minimum.accumulate(energy[order])
    better = np.ones(order.size, bool)
    better[1:] = energy[order][1:] < least[:-1]
    return tuple(_choice(0, table, int(i), candidate) for i in fits[order[better]])


def _pareto(choices: Sequence[Choice], candidates: Sequence[Candidate]) -> tuple[Choice, ...]:
    def merits(choice: Choice) -> tuple[float, float, float]:
        cost = choice.cost_per_mtoken
        spent = choice.strategy.energy_wh_per_mtoken if cost is None else cost
        return (-choice.strategy.tokens_per_s, spent, float(candidates[choice.candidate].hardware.gpu_count))

    def beaten(one: Choice) -> bool:
        mine = merits(one)
        return any(
            all(a <= b for a, b in zip(merits(other), mine, strict=True)) and merits(other) != mine
            for other in choices
        )

    return tuple(c for c in choices if not beaten(c))


SLOWER: Mapping[BoundBy, str] = {
    BoundBy.PIPELINE: N_(
        "{split} is {share} % slower than {best}: {bubble} % of the step is bubble instead of {best_bubble} %"
    ),
    BoundBy.COMMUNICATION: N_(
        "{split} is {share} % slower than {best}: communication between the cards takes longer"
    ),
    BoundBy.COMPUTE: N_("{split} is {share} % slower than {best}: its products are smaller, or repeated"),
    BoundBy.MEMORY: N_(
        "{split} is {share} % slower than {best}: optimizer and passes over memory take longer for each token"
    ),
    BoundBy.HOST: N_("{split} is {share} % slower than {best}: launching and the host take longer for each token"),
    BoundBy.INPUT: N_("{split} is {share} % slower than {best}: reading the input takes longer for each token"),
}  # fmt: skip
TENSOR = N_(
    "{split} is {share} % slower than {best}: more tensor parallelism sends every layer over the links"
)
RECOMPUTES = N_("{split} is {share} % slower than {best}: it fits only with more recomputation")


def _why(
    asked: EstimateRequest, best: StrategyRow, other: StrategyRow, coefficients: CoefficientSet
) -> Message:
    """Why a strategy is slower: by the kind of work that takes most more of a card's time for each token."""
    values: dict[str, object] = {
        "split": _split(other),
        "share": f"{(1.0 - other.tokens_per_s / best.tokens_per_s) * 100:.1f}",
        "best": _split(best),
        "bubble": f"{other.bubble_share * 100:.1f}",
        "best_bubble": f"{best.bubble_share * 100:.1f}",
    }
    fast, slow = steps_taken([with_strategy(asked, row) for row in (best, other)], coefficients)
    more: dict[BoundBy, float] = {}
    for (_, group), mine, theirs in zip(PARTS, slow.parts, fast.parts, strict=True):
        more[group] = more.get(group, 0.0) + float(mine) / slow.tokens - float(theirs) / fast.tokens
    cause = max(more, key=more.__getitem__)
    text = SLOWER[cause]
    if cause is BoundBy.COMMUNICATION and other.parallelism.tensor > best.parallelism.tensor:
        text = TENSOR
    elif cause is BoundBy.COMPUTE and other.checkpointing is not best.checkpointing:
        text = RECOMPUTES
    return Message(text, values)


def _split(row: StrategyRow) -> str:
    p = row.parallelism
    parts = [("TP", p.tensor), ("PP", p.pipeline), ("CP", p.context), ("EP", p.expert), ("DP", p.data or 1)]
    text = " x ".join(f"{name}{degree}" for name, degree in parts if degree > 1)
    return f"{text or 'DP1'}, ZeRO {p.zero_stage}" if p.zero_stage else text or "DP1"
