"""Which strategies there are: every valid mix of degrees with its micro-batches, recomputation and ZeRO stages.

Strategies are laid out in chunks that stay in the processor's cache. What decides them (`StrategySpace`) is small, so
that the grids of small machines are kept for the next request of the same space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

import numpy as np

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Software
from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.estimation.inputs.parallelism import (
    chunks_of,
    interleaves_evenly,
    schedule_columns,
    valid_mixes,
)
from gpuconfig.engine.estimation.inputs.work_kinds import is_encoder
from gpuconfig.engine.estimation.training.settings import TrainingSettings, settings_of
from gpuconfig.engine.workloads.hardware import Parallelism, PipelineSchedule
from gpuconfig.engine.workloads.training import Checkpointing, Framework, Loss, TrainingWorkload

CHUNK = 8192
MICRO_BATCHES = (1, 2, 4, 8, 16, 32, 64)
LARGEST_TENSOR, LARGEST_CONTEXT = 64, 64
LARGEST_KEPT = 64
"""Cards of machines whose grids are kept."""
NO_SPLIT = (1, 1, 1, 1, 1)
SHARDS_ONLY = frozenset({Framework.HF_TRAINER, Framework.AXOLOTL, Framework.LITGPT, Framework.LLM_FOUNDRY})
"""Frameworks whose usual recipes replicate or shard the model and do not split its layers."""
LEANER_LOSS = frozenset({Framework.HF_TRAINER, Framework.DEEPSPEED, Framework.AXOLOTL, Framework.OTHER})
"""Frameworks whose models take a loss of equal result that never makes the logits (Liger, cut cross-entropy)."""
TRITON = frozenset({Software.CUDA, Software.ROCM})
"""Software that the kernels of such a loss are compiled for."""
RECOMPUTE = (Checkpointing.NONE, Checkpointing.SELECTIVE, Checkpointing.FULL)
"""From the fastest to the one that keeps least."""
DEGREES = (
    "tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_pipeline", "context_parallel",
    "expert_parallel", "expert_tensor_parallel", "data_parallel", "zero_stage", "micro_batch_size",
    "gradient_accumulation", "full_recompute", "selective_recompute",
)  # fmt: skip
MIX = (
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "expert_parallel",
    "expert_tensor_parallel",
)
WITHIN_MIX = (
    "virtual_pipeline", "zero_stage", "micro_batch_size", "gradient_accumulation", "full_recompute",
    "selective_recompute", "sequence_parallel",
)  # fmt: skip
SHAPE = (
    "gpus", "layers", "heads", "kv_heads", "ffn", "experts", "expert_ffn", "moe_layers", "sequence_length",
)  # fmt: skip
"""Columns of model and machine that decide which mixes exist."""


class Chosen(StrEnum):
    """By what a strategy was chosen among all."""

    FASTEST = "fastest"
    LIKELIEST = "likeliest"
    SMALLEST = "smallest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """How one run is split, with the micro-batch and recomputation chosen for it.

    Attributes:
        loss: the leaner loss implementation, where the request leaves it open and it is the better choice.
        fits: the high end of the band of the memory used is within the usable memory.
    """

    parallelism: Parallelism
    micro_batch_size: int
    gradient_accumulation: int
    checkpointing: Checkpointing
    loss: Loss | None = None
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenStrategy(Strategy):
    """The strategy taken for a request, and by what it was chosen among all."""

    chosen: Chosen


def losses_tried(
    workload: TrainingWorkload, model: NeuralModel, accelerator: Accelerator
) -> tuple[Loss | None, ...]:
    """The request's or the framework's own loss (None), and a leaner one of equal result where that is left open.

    An unnamed framework is taken for one whose models take it, as long as it does not split layers.
    """
    decodes = model.diffusion is None and not is_encoder(model)
    if workload.loss is not None or not decodes or accelerator.software not in TRITON:
        return (None,)
    framework = settings_of(workload, model, accelerator, Parallelism()).framework
    return (None, Loss.FUSED_LINEAR) if framework in LEANER_LOSS else (None,)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySpace:
    """Everything that decides which strategies a request leaves open.

    Attributes:
        shape: values of the columns of `SHAPE`.
        samples: samples of one optimizer step as the caller asks; None: as the request, else `usual`.
        recompute: kinds of recomputation tried.
    """

    shape: tuple[float, ...]
    micro_batch_size: int | None
    gradient_accumulation: int | None
    recompute: tuple[Checkpointing, ...]
    schedule: PipelineSchedule | None
    steps_in_backward: bool
    shards_only: bool
    threaded: bool
    samples: int | None
    usual: int

    @staticmethod
    def of(
        base: Mapping[str, float], workload: TrainingWorkload, settings: TrainingSettings, usual: int,
        samples: int | None = None, whole_layers: bool = False,
    ) -> StrategySpace:  # fmt: skip
        """The space of a workload on the machine and model of `base`; `whole_layers`: none that splits layers."""
        stated = workload.checkpointing
        return StrategySpace(
            shape=tuple(base[name] for name in SHAPE), micro_batch_size=workload.micro_batch_size,
            gradient_accumulation=workload.gradient_accumulation, recompute=RECOMPUTE if stated is None else (stated,),
            schedule=workload.pipeline_schedule, steps_in_backward=workload.optimizer_in_backward,
            shards_only=whole_layers or settings.framework in SHARDS_ONLY or settings.threaded,
            threaded=settings.threaded, samples=samples, usual=usual,
        )  # fmt: skip

    @property
    def columns(self) -> dict[str, float]:
        """The columns of `SHAPE`."""
        return dict(zip(SHAPE, self.shape, strict=True))


def split_of(degrees: Mapping[str, float], schedule: PipelineSchedule | None) -> Parallelism:
    """The degrees of one strategy as a request states them."""
    c = degrees
    return Parallelism(
        zero_stage=int(c["zero_stage"]), tensor=int(c["tensor_parallel"]), sequence=c["sequence_parallel"] > 0,
        pipeline=int(c["pipeline_parallel"]), virtual_pipeline=int(c["virtual_pipeline"]),
        context=int(c["context_parallel"]), expert=int(c["expert_parallel"]),
        expert_tensor=int(c["expert_tensor_parallel"]), data=int(c["data_parallel"]),
        schedule=schedule if c["pipeline_parallel"] > 1 else None,
    )  # fmt: skip


def checkpointing_of(degrees: Mapping[str, float]) -> Checkpointing:
    """Recomputation of one strategy."""
    if degrees["full_recompute"] > 0:
        return Checkpointing.FULL
    return Checkpointing.SELECTIVE if degrees["selective_recompute"] > 0 else Checkpointing.NONE


def strategy_chunks(space: StrategySpace) -> Iterator[dict[str, Value]]:
    """Valid strategies in pieces of at least `CHUNK` rows (but for the last), in a fixed order."""
    if space.columns["gpus"] > LARGEST_KEPT:
        yield from _chunks(space)
        return
    for chunk in _kept(space):
        yield {name: column.astype(float) for name, column in chunk.items()}


@lru_cache(maxsize=16)
def _kept(space: StrategySpace) -> tuple[dict[str, Value], ...]:
    """The chunks in as few bits as hold them: 0.3 MB for 64 cards, 1.4 MB with 256 experts."""
    return tuple(
        {name: column.astype(np.min_scalar_type(int(column.max()))) for name, column in chunk.items()}
        for chunk in _chunks(space)
    )


def _chunks(space: StrategySpace) -> Iterator[dict[str, Value]]:
    waiting: list[tuple[tuple[int, ...], Value]] = []
    rows = 0
    for mix, chunks in _valid_mixes(space):
        block = _block(mix, chunks, space)
        waiting.append((mix, block))
        rows += block.shape[1]
        if rows >= CHUNK:
            yield _grid(space, waiting)
            waiting, rows = [], 0
    if waiting:
        yield _grid(space, waiting)


def _grid(space: StrategySpace, blocks: Sequence[tuple[tuple[int, ...], Value]]) -> dict[str, Value]:
    lengths = [block.shape[1] for _, block in blocks]
    mixes = np.repeat(np.array([mix for mix, _ in blocks], float), lengths, axis=0)
    return {
        **dict(zip(MIX, mixes.T, strict=True)),
        **dict(zip(WITHIN_MIX, np.concatenate([block for _, block in blocks], axis=1), strict=True)),
        "data_parallel": np.floor(space.columns["gpus"] / (mixes[:, 0] * mixes[:, 1] * mixes[:, 2])),
    }


def _valid_mixes(space: StrategySpace) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Mixes that exist, each with the numbers of chunks that a stage can be cut into."""
    base = space.columns
    mixes = [NO_SPLIT] if space.shards_only else list(_mixes(base))
    if space.steps_in_backward:
        mixes = [mix for mix in mixes if mix[1] == 1]
    chunks = [_chunks_of_stage(int(base["layers"]), mix[1], space.schedule) for mix in mixes]
    tried = np.array(
        [(*mix, virtual) for mix, own in zip(mixes, chunks, strict=True) for virtual in own], float
    )
    if not tried.size:
        return
    columns = dict(zip((*MIX, "virtual_pipeline"), tried.T, strict=True))
    data = np.floor(base["gpus"] / (tried[:, 0] * tried[:, 1] * tried[:, 2]))
    valid = iter(np.broadcast_to(valid_mixes({**base, **columns, "data_parallel": data}), data.shape))
    for mix, own in zip(mixes, chunks, strict=True):
        if kept := tuple(virtual for virtual in own if next(valid)):
            yield mix, kept


@cache
def _chunks_of_stage(layers: int, pipeline: int, schedule: PipelineSchedule | None) -> tuple[int, ...]:
    return chunks_of(schedule, divisors(-(-layers // pipeline), 16)) if pipeline > 1 else (1,)


def _mixes(base: dict[str, float]) -> Iterator[tuple[int, int, int, int, int]]:
    """Tensor, pipeline, context, expert and expert-tensor degrees that divide the machine."""
    gpus, layers = int(base["gpus"]), int(base["layers"])
    experts = int(base["experts"])
    for tensor in divisors(gpus, LARGEST_TENSOR):
        for pipeline in divisors(gpus // tensor, layers):
            for context in divisors(gpus // (tensor * pipeline), LARGEST_CONTEXT):
                if context > 1 and base["sequence_length"] / context < 1024:
                    continue
                stage = gpus // pipeline
                for expert in divisors(experts, stage) if experts else (1,):
                    for expert_tensor in sorted({1, tensor}) if experts else (1,):
                        yield tensor, pipeline, context, expert, expert_tensor


def _block(mix: tuple[int, ...], chunks: tuple[int, ...], space: StrategySpace) -> Value:
    """All strategies of one mix of degrees, as rows in the order of `WITHIN_MIX`."""
    tensor, pipeline, context, _, _ = mix
    data = int(space.columns["gpus"]) // (tensor * pipeline * context)
    zeros = (0, 1) if pipeline > 1 else (0, 1, 2, 3) if data * context > 1 and not space.threaded else (0,)
    block = _within(chunks, zeros, _batches(space, data), space.recompute, (0, 1) if tensor > 1 else (0,))
    if chunks == (1,):
        return block
    named = dict(zip(WITHIN_MIX, block, strict=True))
    held = schedule_columns(space.schedule, float(pipeline))["held_evenly"]
    return block[:, interleaves_evenly({**named, "pipeline_parallel": float(pipeline), "held_evenly": held})]


@lru_cache(maxsize=1024)
def _within(
    chunks: tuple[int, ...], zeros: tuple[int, ...], batches: tuple[tuple[int, int], ...],
    recompute: tuple[Checkpointing, ...], sequence: tuple[int, ...],
) -> Value:  # fmt: skip
    """Every combination of chunks, ZeRO stage, micro-batch, recomputation and split norms, the last running fastest."""
    if not batches:
        return np.empty((len(WITHIN_MIX), 0))
    lengths = (len(chunks), len(zeros), len(batches), len(recompute), len(sequence))
    virtual, zero, batch, kind, split_norms = (axis.ravel() for axis in np.indices(lengths))
    sizes = np.array(batches, float)
    full = np.array([r is Checkpointing.FULL for r in recompute], float)
    selective = np.array([r is Checkpointing.SELECTIVE for r in recompute], float)
    return np.array([
        np.array(chunks, float)[virtual], np.array(zeros, float)[zero], sizes[batch, 0], sizes[batch, 1], full[kind],
        selective[kind], np.array(sequence, float)[split_norms],
    ])  # fmt: skip


def _batches(space: StrategySpace, data: int) -> tuple[tuple[int, int], ...]:
    """Micro-batch sizes with their accumulation that make up the step's samples."""
    micro, accumulation, asked = space.micro_batch_size, space.gradient_accumulation, space.samples
    if space.steps_in_backward:
        accumulation, asked = 1, None  # nothing can be accumulated
    if micro and accumulation and asked is None:
        return ((micro, accumulation),)
    total = asked or space.usual
    if accumulation and asked is None:
        return tuple((m, accumulation) for m in MICRO_BATCHES)
    per_rank = max(1, round(total / data))
    if micro:  # as stated, with the accumulation that comes nearest to the step's samples
        return ((micro, max(1, round(per_rank / micro))),)
    return tuple((m, per_rank // m) for m in MICRO_BATCHES if m <= per_rank and per_rank % m == 0)


@cache
def divisors(number: int, most: int) -> tuple[int, ...]:
    """Divisors of a number that are at most `most`, the least first."""
    return tuple(d for d in range(1, min(number, most) + 1) if number % d == 0)
