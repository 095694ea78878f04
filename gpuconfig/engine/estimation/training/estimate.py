"""Estimates of training runs, many at once as arrays: memory, speed, power, bands and nearest measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.answer import (
    Assumption,
    Estimate,
    MemoryAnswer,
    PowerAnswer,
    TrainingAnswer,
    Warning_,
)
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.host_memory import with_host_memory
from gpuconfig.engine.estimation.inputs.model import architecture_of
from gpuconfig.engine.estimation.inputs.speed import speed_columns, speed_notes
from gpuconfig.engine.estimation.inputs.table import training_columns, training_table
from gpuconfig.engine.estimation.memory.answer import memory_answers, memory_verdict
from gpuconfig.engine.estimation.memory.fixes import ChangedRun, FixCase, with_fixes
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.memory.ignored import ignored_fields
from gpuconfig.engine.estimation.memory.ignored_machine import ignored_machine
from gpuconfig.engine.estimation.memory.remarks import memory_warnings
from gpuconfig.engine.estimation.nearest import NearestIndex, nearest_measurements
from gpuconfig.engine.estimation.training.breakdown import PARTS, bound_by, parts_of_step
from gpuconfig.engine.estimation.training.fastest import best_strategies
from gpuconfig.engine.estimation.training.graph import SPEED_WANTED, training_graph
from gpuconfig.engine.estimation.training.open_settings import Settled, settle_open
from gpuconfig.engine.estimation.training.remarks import speed_assumptions, speed_warnings
from gpuconfig.engine.estimation.training.scaling import ScaledRun, Scaling, left_open, scaling_of
from gpuconfig.engine.estimation.training.search import with_strategy
from gpuconfig.engine.estimation.training.settings import TrainingSettings, resolve_settings
from gpuconfig.engine.estimation.training.strategy_grid import Chosen, ChosenStrategy
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.explanation import Explanation, NearMeasurement
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import TERA
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import TrainingWorkload

Cards = Mapping[str, Accelerator]
NO_CARDS: Cards = MappingProxyType({})
CHUNK = 512
MEASURED = ("training.tokens_per_s", "training.step_time_s")
MEASURED_MEMORY = ("memory.peak_allocated_bytes", "memory.peak_reserved_bytes", "memory.device_used_bytes")
OPEN_SCHEDULE = N_(
    "not stated: zero-bubble schedules are tried only where one is asked for; Megatron-LM's own recipes do not"
    " run them and no measurement of one is recorded"
)
CHOSEN = {
    Chosen.FASTEST: N_("the fastest of all valid strategies that fit"),
    Chosen.LIKELIEST: N_(
        "no strategy surely fits: of those that may, the one of most speed times the chance to fit"
    ),
    Chosen.SMALLEST: N_("no strategy fits: the one that needs least memory"),
}
LEANER = N_(
    "not stated: a loss of equal result that never makes the logits, as Liger and cut cross-entropy offer it; the"
    " strategy chosen is faster with it, or fits only with it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A request with nothing left open, and its columns; `asked`: the same run with its split left open."""

    request: EstimateRequest
    asked: EstimateRequest
    settings: TrainingSettings
    columns: dict[str, float]
    assumptions: tuple[Assumption, ...]
    least_bytes: float | None


def estimate_training(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    near: NearestIndex | None = None,
    cards: Cards = NO_CARDS,
    efficiency: bool = True,
) -> list[Estimate | UserError]:
    """An estimate of each request, in order; one that cannot be answered becomes the error that says why.

    Args:
        near: measurements to lay beside the answers.
        cards: by id, the larger ones whose speed is told where a run does not fit.
        efficiency: with the scaling efficiency, for which the run alone is searched too.
    """
    results: list[Estimate | UserError] = []
    for start in range(0, len(requests), CHUNK):
        chunk = settle_open(requests[start : start + CHUNK], coefficients)
        prepared = _prepared(chunk, coefficients, requests[start : start + CHUNK])
        ready = [p for p in prepared if isinstance(p, _Ready)]
        answers = iter(_answers(ready, near, coefficients, cards, efficiency))
        results.extend(next(answers) if isinstance(p, _Ready) else p for p in prepared)
    return results


def explain_training(request: EstimateRequest, coefficients: CoefficientSet, name: str) -> Explanation:
    """The tree of formulas, inputs and sources behind one quantity of this request.

    Raises:
        InputError: no such quantity, or the request cannot be answered.
    """
    prepared = _prepared(settle_open([request], coefficients), coefficients, [request])[0]
    if isinstance(prepared, UserError):
        raise prepared
    graph = training_graph()
    if name not in graph.quantities and name not in graph.inputs:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(sorted(graph.quantities))})
        raise InputError("unknown_value", "quantity", name, Message(N_("no such quantity")), accepted)
    table = training_table(prepared.request, prepared.settings, coefficients, check=False)
    notes = {**table.notes, **speed_notes(prepared.request, prepared.settings, coefficients)}
    columns = dict(prepared.columns)
    if name in memory_graph().quantities:  # memory is that of the fullest pipeline stage
        columns["pipeline_stage"] = float(memory_answers(graph, [columns])[0].worst_stage)
    values = graph.evaluate(columns, [name] if name in graph.quantities else [])
    return graph.explain(name, values, notes)


def _prepared(
    chunk: Sequence[Settled], coefficients: CoefficientSet, asked: Sequence[EstimateRequest]
) -> list[_Ready | UserError]:
    """Each request with nothing left open; strategies that are left open are searched together."""
    left_open = [s.request for s in chunk if s.request.parallelism is None]
    found = iter(best_strategies(left_open, coefficients))
    return [
        _prepare(s, next(found) if s.request.parallelism is None else None, coefficients, request)
        for s, request in zip(chunk, asked, strict=True)
    ]


def _prepare(
    settled: Settled,
    searched: ChosenStrategy | UserError | None,
    coefficients: CoefficientSet,
    asked: EstimateRequest,
) -> _Ready | UserError:
    request = settled.request
    assert isinstance(request.workload, TrainingWorkload)
    if isinstance(searched, UserError):
        return searched
    try:
        if searched is not None:
            request = with_strategy(request, searched)
        assert request.parallelism is not None
        assert isinstance(request.workload, TrainingWorkload)
        settings, taken = resolve_settings(
            request.workload, request.model, request.accelerator, request.parallelism
        )
        columns = training_columns(request, settings, coefficients)
        speed = speed_columns(request, settings, coefficients)
        columns.update(speed.columns)
        columns["recompute_share"] = settled.share
    except UserError as error:
        return error
    assumptions = (
        *taken, *settled.assumptions, *speed.assumptions, *speed_assumptions(request, settings, coefficients),
        *ignored_fields(request.workload, request.model, settings, columns),
        *(() if searched is not None else ignored_machine(request, columns)),
        *(() if searched is None else _found(searched)),
    )  # fmt: skip
    return _Ready(
        request=request, asked=left_open(asked, settings, searched is not None), settings=settings,
        columns=columns, assumptions=assumptions, least_bytes=settled.least_bytes,
    )  # fmt: skip


def _found(row: ChosenStrategy) -> tuple[Assumption, ...]:
    p = row.parallelism
    degrees = f"tensor {p.tensor}, pipeline {p.pipeline}, context {p.context}, expert {p.expert}"
    split = f"{degrees}, data {p.data}, ZeRO {p.zero_stage}"
    found: tuple[Assumption, ...] = (Assumption("parallelism", split, Message(CHOSEN[row.chosen])),)
    if row.loss is not None:
        found = (*found, Assumption("workload.loss", row.loss.value, Message(LEANER)))
    if p.pipeline == 1 or p.schedule is not None:
        return found
    return (*found, Assumption("workload.pipeline_schedule", "1f1b, interleaved", Message(OPEN_SCHEDULE)))


def _answers(
    ready: Sequence[_Ready],
    near: NearestIndex | None,
    coefficients: CoefficientSet,
    cards: Cards,
    efficiency: bool,
) -> list[Estimate]:
    if not ready:
        return []
    graph = training_graph()
    columns: dict[str, Any] = {name: np.array([r.columns[name] for r in ready]) for name in ready[0].columns}
    values = graph.evaluate(columns, SPEED_WANTED)
    rows = len(ready)
    parts = np.array([np.broadcast_to(p, (rows,)) for p in parts_of_step(values)])
    shown = {name: np.broadcast_to(values[name], (rows,)) for name in _NEEDED}
    memory = _memory(ready, coefficients, cards)
    rate, seconds = shown["tokens_per_s_per_gpu"], shown["step_seconds"]
    runs = [
        ScaledRun(
            asked=r.asked, own_rate=float(rate[i]), parts=parts[:, i], tokens=float(rate[i] * seconds[i])
        )
        for i, r in enumerate(ready)
    ]
    scaled = scaling_of(runs, coefficients) if efficiency else [Scaling()] * len(runs)
    result = []
    for i, item in enumerate(ready):
        row = {name: float(column[i]) for name, column in shown.items()}
        training = _training(row, parts[:, i], scaled[i])
        power = PowerAnswer(
            gpu_w=_spread(row["gpu_w"], *coefficients.band("power", "gpu_w_band"), "W"),
            wall_w=_spread(row["wall_w"], *coefficients.band("power", "wall_w_band"), "W"),
        )
        result.append(
            Estimate(
                id=item.request.id,
                verdict=with_host_memory(
                    memory_verdict(memory[i]), memory[i], item.request.hardware.host_memory_bytes
                ),
                memory=memory[i],
                training=training,
                power=power,
                parallelism=_parallelism(item),
                nearest=_nearest(near, item.request),
                assumptions=item.assumptions,
                warnings=_warnings(item, training, memory[i]),
                notes=(*_notes(training), *scaled[i].notes),
            )
        )
    return result


def _nearest(near: NearestIndex | None, request: EstimateRequest) -> tuple[NearMeasurement, ...]:
    speed = nearest_measurements(near, request, MEASURED)
    return (*speed, *nearest_measurements(near, request, MEASURED_MEMORY, count=2))


def _memory(ready: Sequence[_Ready], coefficients: CoefficientSet, cards: Cards) -> list[MemoryAnswer]:
    answers = memory_answers(training_graph(), [r.columns for r in ready])
    pairs = zip(ready, answers, strict=True)
    cases = [FixCase(r.settings, architecture_of(r.request.model), r.columns, a) for r, a in pairs]

    def timed(runs: Sequence[ChangedRun]) -> list[float]:
        """Seconds a token; columns of the speed follow the changed settings, those of the split are kept."""
        if not runs:
            return []
        rows = []
        for run in runs:
            request, own = ready[run.case].request, ready[run.case].columns
            if run.card is not None:
                if run.card not in cards:
                    rows.append({**run.columns, "memory_bytes_per_s": np.nan})
                    continue
                hardware = replace(request.hardware, gpu=run.card, power_limit_w=None)
                request = replace(request, accelerator=cards[run.card], hardware=hardware)
            speed = speed_columns(request, run.settings, coefficients).columns
            kept = {n: v for n, v in speed.items() if run.columns.get(n) == own.get(n)}
            rows.append({**run.columns, **kept})
        stacked = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        rate = training_graph().evaluate(stacked, ["tokens_per_s"])["tokens_per_s"]
        return [1.0 / float(value) for value in np.broadcast_to(rate, (len(rows),))]

    fixed = with_fixes(cases, coefficients, timed)
    low, high = coefficients.band("memory", "host_band")
    return [
        _with_host_band(_with_least(answer, item.least_bytes), low, high)
        for answer, item in zip(fixed, ready, strict=True)
    ]


def _with_host_band(answer: MemoryAnswer, low: float, high: float) -> MemoryAnswer:
    """The answer with the band of what is kept in host memory, where anything is."""
    if answer.host_bytes is None or answer.host_bytes.value is None:
        return answer
    return replace(answer, host_bytes=_spread(answer.host_bytes.value, low, high, "B"))


def _with_least(answer: MemoryAnswer, least_bytes: float | None) -> MemoryAnswer:
    """The answer with a low end that counts what an open setting could save."""
    if least_bytes is None:
        return answer
    used = replace(answer.device_used_bytes, low=float(round(least_bytes)))
    return replace(answer, device_used_bytes=used)


_NEEDED = (
    *SPEED_WANTED, "goodput", "speed_low", "speed_high", "layer_launch_seconds", "layer_device_seconds",
    "product_peak_flops",
)  # fmt: skip


def _training(row: Mapping[str, float], parts: Any, scaled: Scaling) -> TrainingAnswer:
    low, high = row["speed_low"], row["speed_high"]

    def speed(name: str, unit: str, scale: float = 1.0) -> Figure:
        return _spread(row[name] * scale, low, high, unit)

    def inverse(name: str, unit: str) -> Figure:
        return _spread(row[name], 1.0 / high, 1.0 / low, unit)

    if np.isnan(row["tokens_per_s"]):
        return TrainingAnswer()
    return TrainingAnswer(
        tokens_per_s=speed("tokens_per_s", "token/s"),
        tokens_per_s_per_gpu=speed("tokens_per_s_per_gpu", "token/s"),
        samples_per_s=speed("samples_per_s", "sample/s"),
        step_time_s=inverse("step_seconds", "s"),
        model_tflops_per_gpu=speed("model_flops_per_gpu", "TFLOP/s", 1.0 / TERA),
        mfu=speed("mfu", "1"),
        bound_by=bound_by(
            [float(p) for p in parts], row["layer_launch_seconds"], row["layer_device_seconds"]
        ),
        time_breakdown_s={name: float(p) for (name, _), p in zip(PARTS, parts, strict=True) if p > 0},
        scaling_efficiency=scaled.card,
        node_scaling_efficiency=scaled.machine,
        goodput=Figure(row["goodput"], unit="1"),
        time_to_train_s=inverse("time_to_train_s", "s"),
        energy_wh_per_mtoken=inverse("energy_wh_per_mtoken", "Wh"),
    )


def _spread(value: float, low: float, high: float, unit: str) -> Figure:
    if np.isnan(value):
        return UNKNOWN
    ends = [None if np.isnan(end) else value * end for end in (low, high)]
    return Figure(value, ends[0], ends[1], unit)


def _parallelism(item: _Ready) -> dict[str, object]:
    c, p, work = item.columns, item.request.parallelism, item.request.workload
    assert p is not None
    loss = work.loss if isinstance(work, TrainingWorkload) else None
    return {
        "zero_stage": p.zero_stage, "tensor": p.tensor, "sequence": p.sequence, "pipeline": p.pipeline,
        "virtual_pipeline": int(c["virtual_pipeline"]), "context": p.context, "expert": p.expert,
        "expert_tensor": p.expert_tensor, "data": int(c["data_parallel"]),
        "micro_batch_size": item.settings.micro_batch_size,
        "gradient_accumulation": item.settings.gradient_accumulation,
        "checkpointing": item.settings.checkpointing.value,
        **({} if p.schedule is None else {"schedule": p.schedule.value}),
        **({} if loss is None else {"loss": loss.value}),
    }  # fmt: skip


def _warnings(item: _Ready, training: TrainingAnswer, memory: MemoryAnswer) -> tuple[Warning_, ...]:
    about_memory = memory_warnings(memory, item.columns, item.request.hardware.host_memory_bytes)
    return (*speed_warnings(replace(item.request), item.settings, training), *about_memory)


def _notes(training: TrainingAnswer) -> tuple[Message, ...]:
    if training.tokens_per_s.value is None:
        return (
            Message(N_("the catalogue does not know this card's peak or bandwidth, so no speed is given")),
        )
    return ()
