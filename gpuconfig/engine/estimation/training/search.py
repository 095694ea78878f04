"""Every valid way to split a training run over one machine or cluster, evaluated as arrays: memory and time together.

Nothing is sampled and nothing stops early; the memory needed does not grow with the number of strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.estimation.inputs.parallelism import schedule_columns
from gpuconfig.engine.estimation.inputs.speed import speed_columns
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.estimation.training.settings import TrainingSettings, settings_of
from gpuconfig.engine.estimation.training.strategy_grid import (
    DEGREES,
    Strategy,
    StrategySpace,
    checkpointing_of,
    losses_tried,
    split_of,
    strategy_chunks,
)
from gpuconfig.engine.workloads.hardware import Parallelism, PipelineSchedule
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Loss, TrainingWorkload

GROUP = "compute"
RESULTS = (
    "tokens_per_s", "step_seconds", "device_used_bytes", "gpu_w", "wall_w", "energy_wh_per_mtoken", "mfu",
    "bubble_share", "device_used_low_bytes", "device_used_high_bytes",
)  # fmt: skip
MEMORY = ("device_used_bytes", "device_used_low_bytes", "device_used_high_bytes")
FULLY_SHARDED = 3
SPLITS = (Parallelism(), Parallelism(tensor=2), Parallelism(pipeline=2))
"""One of each kind of split that decides what a request leaves open: none, tensor, another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRow(Strategy):
    """One evaluated strategy."""

    tokens_per_s: float
    step_seconds: float
    device_used_bytes: float
    device_used_low_bytes: float
    device_used_high_bytes: float
    gpu_w: float
    wall_w: float
    energy_wh_per_mtoken: float
    mfu: float
    bubble_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyTable:
    """All strategies of one machine: columns of `DEGREES` and `RESULTS`, and which surely fit the card.

    Attributes:
        fits: the high end of the band of the memory used is within the usable memory.
        schedule: of every pipeline, where the request asks for one.
        losses: what the column `loss` counts; None: the request's, or the framework's.
    """

    columns: dict[str, Value]
    fits: Value
    usable_bytes: float
    losses: tuple[Loss | None, ...] = (None,)
    schedule: PipelineSchedule | None = None

    @property
    def count(self) -> int:
        """Number of strategies."""
        return int(self.fits.size)

    def row(self, index: int) -> StrategyRow:
        """One strategy as a record."""
        c = {name: float(column[index]) for name, column in self.columns.items()}
        return StrategyRow(
            parallelism=split_of(c, self.schedule), micro_batch_size=int(c["micro_batch_size"]),
            gradient_accumulation=int(c["gradient_accumulation"]), checkpointing=checkpointing_of(c),
            loss=self.losses[int(c["loss"])], fits=bool(self.fits[index]), **{name: c[name] for name in RESULTS},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class StrategyBases:
    """Columns that no strategy changes, one row for each kind of split, unsharded and fully sharded.

    Attributes:
        rows: distinct rows of columns; the first is that of no split.
        kinds: row of each kind: the splits of `SPLITS` without, then with fully sharded weights.
        space: what decides which strategies there are.
    """

    rows: tuple[dict[str, float], ...]
    kinds: tuple[int, ...]
    space: StrategySpace

    def of(self, degrees: dict[str, Value]) -> Value:
        """Index into `rows` of each strategy."""
        tensor = degrees["tensor_parallel"] > 1
        other = degrees["pipeline_parallel"] * degrees["context_parallel"] * degrees["expert_parallel"] > 1
        split = np.where(tensor, 1, np.where(other, 2, 0))
        kind = split + np.where(degrees["zero_stage"] == FULLY_SHARDED, len(SPLITS), 0)
        return np.array(self.kinds)[kind]


def strategy_table(
    request: EstimateRequest, coefficients: CoefficientSet, samples: int | None = None
) -> StrategyTable:
    """Every valid strategy of the request's machine.

    What the workload states (micro-batch, accumulation, checkpointing, loss) is kept; the rest is varied, the loss as
    far as the framework offers one of equal result.

    Args:
        samples: samples of one optimizer step over all accelerators; None takes the workload's, else a usual one.
    """
    losses = losses_tried(training_of(request), request.model, request.accelerator)
    bases = [strategy_bases(request, coefficients, samples, loss) for loss in losses]
    schedule = training_of(request).pipeline_schedule
    kept = [part for place, base in enumerate(bases) for part in _evaluated(base, schedule, place)]
    columns = {
        name: np.concatenate([k.pop(name) for k in kept]) if kept else np.empty(0)
        for name in (*DEGREES, "loss", *RESULTS)
    }
    usable = bases[0].rows[0]["usable_memory_bytes"]
    return StrategyTable(
        columns=columns, fits=columns["device_used_high_bytes"] <= usable, usable_bytes=usable, losses=losses,
        schedule=schedule,
    )  # fmt: skip


def with_strategy(request: EstimateRequest, row: Strategy) -> EstimateRequest:
    """The request with the strategy's degrees, micro-batch and checkpointing filled in."""
    workload = replace(
        training_of(request), micro_batch_size=row.micro_batch_size, gradient_accumulation=row.gradient_accumulation,
        checkpointing=row.checkpointing, loss=row.loss or training_of(request).loss,
    )  # fmt: skip
    return replace(request, workload=workload, parallelism=row.parallelism)


def training_of(request: EstimateRequest) -> TrainingWorkload:
    """The workload of a training request."""
    assert isinstance(request.workload, TrainingWorkload)
    return request.workload


def strategy_bases(
    request: EstimateRequest,
    coefficients: CoefficientSet,
    samples: int | None = None,
    loss: Loss | None = None,
) -> StrategyBases:
    """What the strategies of a request share; `loss` in place of the framework's own where it is not None.

    Raises:
        InputError: the workload is impossible however it is split.
    """
    workload = training_of(request)
    whole = loss is not None and workload.framework is None  # splits of an unnamed framework are Megatron's
    if loss is not None:
        workload = replace(workload, loss=loss)
        request = replace(request, workload=workload)
    kinds: tuple[tuple[int, Parallelism], ...] = tuple(product((0, FULLY_SHARDED), SPLITS))
    if request.hardware.gpu_count == 1:
        kinds = kinds[:1]
    rows: list[dict[str, float]] = []
    known: dict[tuple[TrainingSettings, int], int] = {}
    places = []
    for stage, split in kinds:
        settings = settings_of(workload, request.model, request.accelerator, split)
        key = (replace(settings, gradient_accumulation=1), stage)
        if key not in known:
            known[key] = len(rows)
            asked = replace(request, parallelism=replace(split, zero_stage=stage))
            columns = training_columns(asked, settings, coefficients, check=False)
            columns.update(speed_columns(asked, settings, coefficients).columns)
            rows.append(columns)
        places.append(known[key])
    first = next(iter(known))[0]
    usual = round(coefficients.value(GROUP, "batch_samples", first.method.value))
    space = StrategySpace.of(rows[0], workload, first, usual, samples, whole)
    return StrategyBases(tuple(rows), tuple(places), space)


def _evaluated(
    bases: StrategyBases, schedule: PipelineSchedule | None, loss: int
) -> Iterator[dict[str, Value]]:
    """Degrees and results in pieces; `loss` is the place of the loss among those tried."""
    for part in strategy_chunks(bases.space):
        scheduled = {**part, **schedule_columns(schedule, part["pipeline_parallel"])}
        yield _compact(
            {**part, **_evaluate(bases, scheduled), "loss": np.full_like(part["tensor_parallel"], loss)}
        )


def _compact(columns: dict[str, Value]) -> dict[str, Value]:
    """Columns in the smallest type that holds them: ten million strategies take less than a gigabyte."""
    wide = ("data_parallel", "gradient_accumulation")
    return {
        name: column.astype(np.float32 if name in RESULTS else np.int32 if name in wide else np.int16)
        for name, column in columns.items()
    }


def shared_columns(rows: Sequence[dict[str, float]]) -> dict[str, Value]:
    """Each column of several rows: one number where all agree, else an array of one value for each row."""
    columns: dict[str, Value] = dict(rows[0])
    each = np.array([itemgetter(*columns)(row) for row in rows])
    differ = np.any((each != each[0]) & ~(np.isnan(each) & np.isnan(each[0])), axis=0)
    names = tuple(columns)
    for place in np.flatnonzero(differ):
        columns[names[place]] = each[:, place]
    return columns


def _evaluate(bases: StrategyBases, part: dict[str, Value]) -> dict[str, Value]:
    """Results of one chunk; the memory is that of the first or the last pipeline stage, whichever is more."""
    shared, index = shared_columns(bases.rows), bases.of(part)
    columns = {name: column[index] if np.ndim(column) else column for name, column in shared.items()}
    columns.update(part)
    columns["pipeline_stage"] = np.zeros(1)
    graph = training_graph()
    values = graph.evaluate(columns, RESULTS)
    last = graph.update(values, {"pipeline_stage": part["pipeline_parallel"] - 1.0})
    results = {name: values[name] for name in RESULTS}
    for name in MEMORY:
        results[name] = np.maximum(values[name], last[name])
    return results
