"""Scaling efficiency: speed of a card among many over that of the same run on one card, or on one machine, alone.

The run alone is the best strategy that may fit there: what the request states is kept, what memory decides is chosen
anew. Where nothing fits there is nothing to compare with. More than one is possible, since one card has less room than
a share of many; then the reason is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.speed import speed_columns
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.training.breakdown import PARTS, parts_of_step
from gpuconfig.engine.estimation.training.fastest import best_strategies
from gpuconfig.engine.estimation.training.graph import SPEED_WANTED, training_graph
from gpuconfig.engine.estimation.training.search import training_of, with_strategy
from gpuconfig.engine.estimation.training.settings import TrainingSettings, settings_of
from gpuconfig.engine.estimation.training.strategy_grid import Chosen, ChosenStrategy
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_, Message, Verbatim
from gpuconfig.engine.workloads.request import EstimateRequest

NAMED_FROM = 1.005
"""Efficiency that reads as more than 100 %, from which its cause is told."""
SPREAD = 0.1
"""Published pairs of runs scatter by about this much around the efficiency predicted."""
WHAT = {
    "matrix_products": N_("matrix products, fewer layers recomputed among them"),
    "attention": N_("attention, fewer layers recomputed among it"),
    "output_head": N_("the output head"),
    "memory_bound_kernels": N_("kernels bound by memory, those of recomputed layers among them"),
    "kernel_launches": N_("launching kernels"),
    "weight_gathering": N_("gathering weights"),
    "optimizer": N_("the optimizer step, of which each card does a share"),
    "generation": N_("generating the answers, whose weights several cards read together"),
    "host": N_("work and transfers of the host, which several machines share"),
    "input": N_("reading the input, which several machines share"),
    "pipeline_bubble": N_("the pipeline bubble"),
}
"""What many cards may spend less on than one, by part of the step."""
EXCHANGE = N_("exchange between cards")
ABOVE = {
    1: N_("more than 100 % against one card: alone it holds the run only as {alone}; what gets cheaper is {part}"),
    2: N_("more than 100 % against one machine: alone it holds the run only as {alone}; what gets cheaper is {part}"),
}  # fmt: skip
UNHELD = {
    1: N_("one card alone cannot hold this run, so that no efficiency against one card is told"),
    2: N_("one machine alone cannot hold this run, so that no efficiency against one machine is told"),
}
ALONE = N_(
    "ZeRO {zero}, tensor {tensor}, pipeline {pipeline}, context {context}, expert {expert}, micro-batch {micro},"
    " checkpointing {checkpointing}"
)
CARD, MACHINE = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledRun:
    """One run whose efficiency is asked for.

    Attributes:
        asked: the request, with open what the run alone may choose anew.
        own_rate: tokens a second and card; NaN where not known.
        parts: seconds of each part of the step; tokens: of the step; cards: that share it.
    """

    asked: EstimateRequest
    own_rate: float
    parts: Any
    tokens: float


@dataclass(frozen=True, slots=True)
class Scaling:
    """Efficiency against one card and against one machine, and what is to be said of them."""

    card: Figure = UNKNOWN
    machine: Figure = UNKNOWN
    notes: tuple[Message, ...] = ()


def left_open(asked: EstimateRequest, settings: TrainingSettings, searched: bool) -> EstimateRequest:
    """The request for a run alone: the batch of a stated split is kept, what memory decides is open.

    The software that was taken is kept too, but for one that is not named: then it is any (`TrainingSettings.unnamed`).
    """
    framework = None if settings.unnamed else settings.framework
    work = replace(training_of(asked), framework=framework, pipeline_schedule=None)
    if not searched:
        work = replace(
            work, micro_batch_size=settings.micro_batch_size, gradient_accumulation=settings.gradient_accumulation
        )  # fmt: skip
    return replace(asked, workload=work, parallelism=None)


def scaling_of(runs: Sequence[ScaledRun], coefficients: CoefficientSet) -> list[Scaling]:
    """Efficiency of each run, in order."""
    wanted: list[tuple[int, int]] = []
    alone: list[EstimateRequest] = []
    for place, run in enumerate(runs):
        hardware = run.asked.hardware
        if np.isnan(run.own_rate):
            continue
        if hardware.gpu_count > hardware.devices_per_card:
            wanted.append((place, CARD))
            alone.append(_on(run.asked, hardware.devices_per_card))
        if hardware.nodes > 1 and hardware.gpus_per_node > hardware.devices_per_card:
            wanted.append((place, MACHINE))
            alone.append(_on(run.asked, hardware.gpus_per_node))
    found = dict(zip(wanted, _alone(alone, coefficients), strict=True))
    return [_scaling(run, found.get((i, CARD)), found.get((i, MACHINE))) for i, run in enumerate(runs)]


@dataclass(frozen=True, slots=True)
class StepTaken:
    """One step of a run: tokens a second and card, seconds of each of `PARTS`, tokens of the step."""

    rate: float
    parts: Any
    tokens: float


@dataclass(frozen=True, slots=True)
class _Alone:
    """The best that may fit on one card or machine; `step` None where nothing does."""

    step: StepTaken | None
    shown: Message


_NOTHING = _Alone(None, Message(""))


def _on(asked: EstimateRequest, cards: int) -> EstimateRequest:
    hardware, lanes = asked.hardware, asked.hardware.pcie.lanes
    pcie = replace(hardware.pcie, lanes=lanes[:cards] if lanes and len(lanes) > 1 else lanes)
    return replace(asked, hardware=replace(hardware, gpus_per_node=cards, nodes=1, pcie=pcie))


def _alone(requests: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[_Alone]:
    """The best strategy of each request that may fit, evaluated; equal requests are searched once."""
    distinct: dict[tuple[object, ...], int] = {}
    places = [distinct.setdefault(_key(request), len(distinct)) for request in requests]
    firsts = [requests[places.index(number)] for number in range(len(distinct))]
    results = [_NOTHING] * len(firsts)
    held: list[tuple[int, EstimateRequest, Message]] = []
    for number, (request, found) in enumerate(
        zip(firsts, best_strategies(firsts, coefficients), strict=True)
    ):
        if not isinstance(found, UserError) and found.chosen is not Chosen.SMALLEST:
            held.append((number, with_strategy(request, found), _shown(found)))
    steps = steps_taken([run for _, run, _ in held], coefficients)
    for (number, _, shown), step in zip(held, steps, strict=True):
        results[number] = _Alone(step, shown)
    return [results[place] for place in places]


def steps_taken(runs: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[StepTaken]:
    """The step of each run, whose split and batch are stated, evaluated together."""
    if not runs:
        return []
    rows = []
    for run in runs:
        assert run.parallelism is not None
        settings = settings_of(training_of(run), run.model, run.accelerator, run.parallelism)
        columns = training_columns(run, settings, coefficients, check=False)
        rows.append({**columns, **speed_columns(run, settings, coefficients).columns})
    stacked = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    values = training_graph().evaluate(stacked, SPEED_WANTED)
    shape = (len(rows),)
    parts = np.array([np.broadcast_to(p, shape) for p in parts_of_step(values)])
    rate = np.broadcast_to(values["tokens_per_s_per_gpu"], shape)
    tokens = rate * np.broadcast_to(values["step_seconds"], shape)
    return [StepTaken(float(rate[i]), parts[:, i], float(tokens[i])) for i in range(len(rows))]


def _shown(found: ChosenStrategy) -> Message:
    p = found.parallelism
    values: dict[str, object] = {
        "zero": p.zero_stage, "tensor": p.tensor, "pipeline": p.pipeline, "context": p.context, "expert": p.expert,
        "micro": found.micro_batch_size, "checkpointing": Verbatim(found.checkpointing.value),
    }  # fmt: skip
    return Message(ALONE, values)


def _key(request: EstimateRequest) -> tuple[object, ...]:
    return (id(request.model), request.accelerator.id, request.workload, request.hardware)


def _scaling(run: ScaledRun, card: _Alone | None, machine: _Alone | None) -> Scaling:
    if np.isnan(run.own_rate):
        return Scaling()
    notes: list[Message] = []
    return Scaling(
        _efficiency(run, card, CARD, notes), _efficiency(run, machine, MACHINE, notes), tuple(notes)
    )


def _efficiency(run: ScaledRun, alone: _Alone | None, kind: int, notes: list[Message]) -> Figure:
    """Against a run alone; one where the run is itself alone."""
    if alone is None:
        return Figure(1.0, 1.0, 1.0, "1")
    if alone.step is None:
        notes.append(Message(UNHELD[kind]))
        return UNKNOWN
    value = run.own_rate / alone.step.rate
    if value >= NAMED_FROM:
        saved = np.asarray(alone.step.parts) / alone.step.tokens - np.asarray(run.parts) / run.tokens
        part = PARTS[int(np.nanargmax(saved))][0]
        cause = Message(WHAT.get(part, EXCHANGE))
        notes.append(Message(ABOVE[kind], {"alone": alone.shown, "part": cause}))
    return Figure(value, max(value - SPREAD, 0.0), min(value + SPREAD, max(value, 1.0)), "1")
