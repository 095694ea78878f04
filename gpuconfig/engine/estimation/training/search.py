"""Every valid way to split a training run over one machine or cluster, evaluated as arrays: memory and time together.

Nothing is sampled and nothing stops early. Strategies are laid out in chunks that stay in the processor's cache, so the
memory needed does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.estimation.inputs.parallelism import chunks_of, schedule_columns, valid_mixes
from gpuconfig.engine.estimation.inputs.speed import speed_columns
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.estimation.training.settings import TrainingSettings, resolve_settings
from gpuconfig.engine.workloads.hardware import Parallelism, PipelineSchedule
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Checkpointing, Framework, Loss, TrainingWorkload

CHUNK = 8192
GROUP = "compute"
MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64)
LARGEST_TENSOR, LARGEST_CONTEXT = 64, 64
NO_SPLIT = (1, 1, 1, 1, 1)
SHARDS_ONLY = frozenset({Framework.HF_TRAINER, Framework.AXOLOTL, Framework.LITGPT, Framework.LLM_FOUNDRY})
"""Frameworks whose usual recipes replicate or shard the model and do not split its layers."""
RESULTS = (
    "tokens_per_s", "step_seconds", "device_used_bytes", "gpu_w", "wall_w", "energy_wh_per_mtoken", "mfu",
    "bubble_share", "device_used_high_bytes",
)  # fmt: skip
DEGREES = (
    "tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_pipeline", "context_parallel",
    "expert_parallel", "expert_tensor_parallel", "data_parallel", "zero_stage", "micro_batch_size",
    "gradient_accumulation", "full_recompute", "selective_recompute",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRow:
    """One evaluated strategy."""

    parallelism: Parallelism
    micro_batch_size: int
    gradient_accumulation: int
    checkpointing: Checkpointing
    loss: Loss | None = None
    fits: bool
    tokens_per_s: float
    step_seconds: float
    device_used_bytes: float
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
        loss: the loss implementation taken where the request leaves it open and the usual one fits nowhere.
    """

    columns: dict[str, Value]
    fits: Value
    usable_bytes: float
    loss: Loss | None = None
    schedule: PipelineSchedule | None = None

    @property
    def count(self) -> int:
        """Number of strategies."""
        return int(self.fits.size)

    def row(self, index: int) -> StrategyRow:
        """One strategy as a record."""
        c = {name: float(column[index]) for name, column in self.columns.items()}
        full, selective = c["full_recompute"] > 0, c["selective_recompute"] > 0
        return StrategyRow(
            parallelism=Parallelism(
                zero_stage=int(c["zero_stage"]), tensor=int(c["tensor_parallel"]), sequence=c["sequence_parallel"] > 0,
                pipeline=int(c["pipeline_parallel"]), virtual_pipeline=int(c["virtual_pipeline"]),
                context=int(c["context_parallel"]), expert=int(c["expert_parallel"]),
                expert_tensor=int(c["expert_tensor_parallel"]), data=int(c["data_parallel"]),
                schedule=self.schedule if c["pipeline_parallel"] > 1 else None,
            ),
            micro_batch_size=int(c["micro_batch_size"]), gradient_accumulation=int(c["gradient_accumulation"]),
            checkpointing=Checkpointing.FULL if full else Checkpointing.SELECTIVE if selective else Checkpointing.NONE,
            loss=self.loss, fits=bool(self.fits[index]), **{name: c[name] for name in RESULTS},
        )  # fmt: skip


def strategy_table(
    request: EstimateRequest, coefficients: CoefficientSet, samples: int | None = None
) -> StrategyTable:
    """Every valid strategy of the request's machine.

    What the workload states (micro-batch, accumulation, checkpointing, loss) is kept; the rest is varied. A loss that
    never makes the logits is tried only where nothing fits with the usual one.

    Args:
        samples: samples of one optimizer step over all accelerators; None takes the workload's, else a usual one.
    """
    table = _table(request, coefficients, samples)
    if bool(table.fits.any()) or _workload(request).loss is not None:
        return table
    lean = replace(request, workload=replace(_workload(request), loss=Loss.FUSED_LINEAR))
    return replace(_table(lean, coefficients, samples), loss=Loss.FUSED_LINEAR)


def _table(request: EstimateRequest, coefficients: CoefficientSet, samples: int | None) -> StrategyTable:
    bases, settings = _bases(request, coefficients)
    usual = round(coefficients.value(GROUP, "batch_samples", settings.method.value))
    kept: list[dict[str, Value]] = []
    for part in _chunks(bases[0], _workload(request), settings, _Samples(samples, usual)):
        part_of_schedule = schedule_columns(_workload(request).pipeline_schedule, part["pipeline_parallel"])
        kept.append(_compact({**part, **_evaluate(bases, {**part, **part_of_schedule})}))
    columns = {
        name: np.concatenate([k.pop(name) for k in kept]) if kept else np.empty(0)
        for name in (*DEGREES, *RESULTS)
    }
    usable = bases[0]["usable_memory_bytes"]
    return StrategyTable(
        columns=columns,
        fits=columns["device_used_high_bytes"] <= usable,
        usable_bytes=usable,
        schedule=_workload(request).pipeline_schedule,
    )


@dataclass(frozen=True, slots=True)
class _Samples:
    """Samples of one optimizer step: as the caller asks, and of usual recipes where the request leaves them open."""

    asked: int | None
    usual: int


def _chunks(
    base: dict[str, float], workload: TrainingWorkload, settings: TrainingSettings, samples: _Samples
) -> Iterator[dict[str, Value]]:
    """Valid strategies in pieces of at least `CHUNK` rows (but for the last), in a fixed order."""
    waiting: list[dict[str, Value]] = []
    rows = 0
    for mix in [NO_SPLIT] if settings.framework in SHARDS_ONLY else _mixes(base):
        if workload.optimizer_in_backward and mix[1] > 1:
            continue
        block = _block(mix, base, workload, samples)
        waiting.append(block)
        rows += len(block["tensor_parallel"])
        if rows >= CHUNK:
            yield _valid(base, waiting)
            waiting, rows = [], 0
    if waiting:
        yield _valid(base, waiting)


def _valid(base: dict[str, float], blocks: Sequence[dict[str, Value]]) -> dict[str, Value]:
    grid = {name: np.concatenate([block[name] for block in blocks]) for name in DEGREES}
    keep = valid_mixes({**base, **grid})
    return {name: column[keep] for name, column in grid.items()}


def _compact(columns: dict[str, Value]) -> dict[str, Value]:
    """Columns in the smallest type that holds them: ten million strategies take less than a gigabyte."""
    wide = ("data_parallel", "gradient_accumulation")
    return {
        name: column.astype(np.float32 if name in RESULTS else np.int32 if name in wide else np.int16)
        for name, column in columns.items()
    }


def best_strategy(request: EstimateRequest, coefficients: CoefficientSet) -> StrategyRow | None:
    """The fastest strategy that fits; where none fits, the one that needs least memory; None where none is valid."""
    table = strategy_table(request, coefficients)
    if not table.count:
        return None
    if bool(table.fits.any()):
        return table.row(int(np.nanargmax(np.where(table.fits, table.columns["tokens_per_s"], -1.0))))
    return table.row(int(np.nanargmin(table.columns["device_used_bytes"])))


def with_strategy(request: EstimateRequest, row: StrategyRow) -> EstimateRequest:
    """The request with the strategy's degrees, micro-batch and checkpointing filled in."""
    assert isinstance(request.workload, TrainingWorkload)
    workload = replace(
        request.workload, micro_batch_size=row.micro_batch_size, gradient_accumulation=row.gradient_accumulation,
        checkpointing=row.checkpointing, loss=row.loss or request.workload.loss,
    )  # fmt: skip
    return replace(request, workload=workload, parallelism=row.parallelism)


def _mixes(base: dict[str, float]) -> Iterator[tuple[int, int, int, int, int]]:
    """Tensor, pipeline, context, expert and expert-tensor degrees that divide the machine."""
    gpus, layers = int(base["gpus"]), int(base["layers"])
    experts = int(base["experts"])
    for tensor in _divisors(gpus, LARGEST_TENSOR):
        for pipeline in _divisors(gpus // tensor, layers):
            for context in _divisors(gpus // (tensor * pipeline), LARGEST_CONTEXT):
                if context > 1 and base["sequence_length"] / context < 1024:
                    continue
                stage = gpus // pipeline
                for expert in _divisors(experts, stage) if experts else (1,):
                    for expert_tensor in sorted({1, tensor}) if experts else (1,):
                        yield tensor, pipeline, context, expert, expert_tensor


def _block(
    mix: tuple[int, int, int, int, int], base: dict[str, float], workload: TrainingWorkload, samples: _Samples,
) -> dict[str, Value]:  # fmt: skip
    """All strategies of one mix of degrees: chunks, ZeRO stage, micro-batch, checkpointing, sequence parallelism."""
    tensor, pipeline, context, expert, expert_tensor = mix
    data = int(base["gpus"]) // (tensor * pipeline * context)
    per_stage = -(-int(base["layers"]) // pipeline)
    chunks = chunks_of(workload.pipeline_schedule, _divisors(per_stage, 16)) if pipeline > 1 else (1,)
    zeros = (0, 1) if pipeline > 1 else (0, 1, 2, 3) if data * context > 1 else (0,)
    batches = _batches(workload, data, samples)
    recompute = _recompute(workload)
    sequence = (0.0, 1.0) if tensor > 1 else (0.0,)
    if not batches:
        return {name: np.empty(0) for name in DEGREES}
    axes = np.meshgrid(
        np.array(chunks, float), np.array(zeros, float), np.arange(len(batches)), np.arange(len(recompute)),
        np.array(sequence), indexing="ij",
    )  # fmt: skip
    virtual, zero, batch, kind, split_norms = (axis.ravel() for axis in axes)
    sizes = np.array(batches, float)
    full = np.array([r is Checkpointing.FULL for r in recompute], float)
    selective = np.array([r is Checkpointing.SELECTIVE for r in recompute], float)
    fixed = {
        "tensor_parallel": tensor, "pipeline_parallel": pipeline, "context_parallel": context,
        "expert_parallel": expert, "expert_tensor_parallel": expert_tensor, "data_parallel": data,
    }  # fmt: skip
    return {
        **{name: np.full(virtual.size, float(value)) for name, value in fixed.items()},
        "virtual_pipeline": virtual,
        "zero_stage": zero,
        "micro_batch_size": sizes[batch, 0],
        "gradient_accumulation": sizes[batch, 1],
        "full_recompute": full[kind],
        "selective_recompute": selective[kind],
        "sequence_parallel": split_norms,
    }


def _batches(workload: TrainingWorkload, data: int, samples: _Samples) -> list[tuple[int, int]]:
    """Micro-batch sizes with their accumulation that make up the step's samples."""
    micro, accumulation = workload.micro_batch_size, workload.gradient_accumulation
    if workload.optimizer_in_backward:
        accumulation, samples = 1, replace(samples, asked=None)  # nothing can be accumulated
    if micro and accumulation and samples.asked is None:
        return [(micro, accumulation)]
    total = samples.asked or samples.usual
    if accumulation and samples.asked is None:
        return [(m, accumulation) for m in MICRO_BATCHES]
    per_rank = max(1, round(total / data))
    if micro:  # as stated, with the accumulation that comes nearest to the step's samples
        return [(micro, max(1, round(per_rank / micro)))]
    return [(m, per_rank // m) for m in MICRO_BATCHES if m <= per_rank and per_rank % m == 0]


def _recompute(workload: TrainingWorkload) -> tuple[Checkpointing, ...]:
    if workload.checkpointing is not None:
        return (workload.checkpointing,)
    return (Checkpointing.NONE, Checkpointing.SELECTIVE, Checkpointing.FULL)


def _divisors(number: int, most: int) -> tuple[int, ...]:
    return tuple(d for d in range(1, min(number, most) + 1) if number % d == 0)


SPLITS = (Parallelism(), Parallelism(tensor=2), Parallelism(pipeline=2))
"""One of each kind of split that decides what a request leaves open: none, tensor, another."""


def _bases(
    request: EstimateRequest, coefficients: CoefficientSet
) -> tuple[tuple[dict[str, float], ...], TrainingSettings]:
    """Columns that no strategy changes: for each kind of split without, then with fully sharded weights."""
    found = []
    splits = SPLITS if request.hardware.gpu_count > 1 else SPLITS[:1]
    for stage, split in product((0, 3), splits):
        asked = replace(request, parallelism=replace(split, zero_stage=stage))
        settings, _ = resolve_settings(_workload(request), request.model, request.accelerator, split)
        columns = training_columns(asked, settings, coefficients, check=False)
        columns.update(speed_columns(asked, settings, coefficients).columns)
        found.append((columns, settings))
    return tuple(columns for columns, _ in found), found[0][1]


def _kind_of_split(part: dict[str, Value], kinds: int) -> Value:
    """Index into the bases of each strategy."""
    tensor = part["tensor_parallel"] > 1
    other = part["pipeline_parallel"] * part["context_parallel"] * part["expert_parallel"] > 1
    split = np.where(tensor, 1, np.where(other, 2, 0)) if kinds > 2 else np.zeros(tensor.size, int)
    return split + np.where(part["zero_stage"] == 3, kinds // 2, 0)


def _workload(request: EstimateRequest) -> TrainingWorkload:
    assert isinstance(request.workload, TrainingWorkload)
    return request.workload


def _evaluate(bases: Sequence[dict[str, float]], part: dict[str, Value]) -> dict[str, Value]:
    """Results of one chunk; the memory is that of the first or the last pipeline stage, whichever is more."""
    kind = _kind_of_split(part, len(bases))
    columns: dict[str, Value] = dict(bases[0])
    each = np.array([[base[name] for name in columns] for base in bases], float)
    differ = np.any((each != each[0]) & ~(np.isnan(each) & np.isnan(each[0])), axis=0)
    names = tuple(columns)
    for place in np.flatnonzero(differ):
        columns[names[place]] = each[kind, place]
    columns.update(part)
    columns["pipeline_stage"] = np.zeros(1)
    graph = training_graph()
    values = graph.evaluate(columns, RESULTS)
    last = graph.update(values, {"pipeline_stage": part["pipeline_parallel"] - 1.0})
    results = {name: values[name] for name in RESULTS}
    for name in ("device_used_bytes", "device_used_high_bytes"):
        results[name] = np.maximum(values[name], last[name])
    return results
