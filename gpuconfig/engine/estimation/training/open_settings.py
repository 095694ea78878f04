"""Settings that a request leaves open and that the card's memory decides: checkpointing, and how Megatron shards.

People switch recomputation on when memory runs out, since it costs a third of the speed. Frameworks whose recipes say
otherwise keep their own default (torchtitan: selective; the Hugging Face trainers, which fine-tune with it as a rule:
full), and so do fully sharded runs. Megatron's recipes shard the optimizer and the norms as a rule and keep frozen
weights in 8 bits, which its own defaults do not: what a request leaves open is as the defaults have it while that fits,
then as the recipes have it. A run is told not to fit only where no usual setting makes it fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import LOW_PRECISION, TrainingSettings, settings_of
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Checkpointing, Framework, Method, TrainingWorkload

FULLY_SHARDED = 3
OWN_DEFAULT = frozenset(
    {
        Framework.MEGATRON,
        Framework.TORCHTITAN,
        Framework.HF_TRAINER,
        Framework.DEEPSPEED,
        Framework.AXOLOTL,
        Framework.UNSLOTH,
    }
)
SIZED = frozenset({Framework.OTHER})
"""Stacks (benchmark submissions, own code) that choose how many layers to recompute; the others know on and off."""
CHECKPOINTING = "workload.checkpointing"
ROOMY = N_("not stated: none, since the run fits without")
TIGHT = N_("not stated: as many layers as the memory asks for; the run does not fit without")
RECOMPUTING = (Checkpointing.SELECTIVE, Checkpointing.FULL)
RECOMPUTABLE = N_(
    "not stated: none, as the framework; so the run does not fit, with layers recomputed it may: the low end of the"
    " memory counts that, the speed does not"
)
NEEDED = N_("not stated: as recipes set it; with the framework's own default the run does not fit")

Columns = dict[str, float]


@dataclass(frozen=True, slots=True)
class Settled:
    """A request with what memory decides settled.

    Attributes:
        share: of the layers, recomputed where recomputation is on.
        least_bytes: what the card shows at the low end with the open recomputation on; None where that is not needed.
    """

    request: EstimateRequest
    share: float = 1.0
    assumptions: tuple[Assumption, ...] = ()
    least_bytes: float | None = None


@dataclass(frozen=True, slots=True)
class _Rung:
    """One more saving than the rung before: the field it settles and the request that follows."""

    field: str
    value: str
    request: EstimateRequest


def settle_open(requests: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[Settled]:
    """Each request with its open sharding and checkpointing settled by what fits.

    Requests without a parallelism, or that cannot be read, are left for the caller to refuse.
    """
    settled = [Settled(request) for request in requests]
    mine = [i for i, request in enumerate(requests) if _is_open_megatron(request)]
    for index, fits in zip(mine, _fit([requests[i] for i in mine], coefficients), strict=True):
        if not fits:
            settled[index] = _climbed(requests[index], coefficients)
    return _settle_checkpointing(settled, coefficients)


def _climbed(request: EstimateRequest, coefficients: CoefficientSet) -> Settled:
    """A Megatron run that does not fit by the defaults, with as many of the recipes' savings as let it fit.

    Recomputation, which costs speed, is not taken for granted: it only lowers the low end of the memory.
    """
    ladder = list(_savings(request))
    if not ladder:
        return _recomputable(Settled(request), coefficients)
    fits = _fit([rung.request for rung in ladder], coefficients)
    reached = fits.index(True) if True in fits else len(ladder) - 1
    why = Message(NEEDED)
    taken = tuple(Assumption(rung.field, rung.value, why) for rung in ladder[: reached + 1])
    found = Settled(ladder[reached].request, assumptions=taken)
    return found if fits[reached] else _recomputable(found, coefficients)


def _recomputable(settled: Settled, coefficients: CoefficientSet) -> Settled:
    """A run that does not fit, with the memory that open recomputation would leave where that may fit."""
    work = settled.request.workload
    if not isinstance(work, TrainingWorkload) or work.checkpointing is not None:
        return settled
    each = [_with(settled.request, kind) for kind in (Checkpointing.NONE, *RECOMPUTING)]
    rows = [_columns(request, coefficients) for request in each]
    usable = rows[0]["usable_memory_bytes"]
    asis, *less = _device_used(rows, "device_used_low_bytes")
    enough = [float(low) for low in less if low <= usable]
    if asis <= usable or not enough:
        return settled
    open_ = Assumption(CHECKPOINTING, Checkpointing.NONE.value, Message(RECOMPUTABLE))
    return replace(settled, assumptions=(*settled.assumptions, open_), least_bytes=enough[0])


def _is_open_megatron(request: EstimateRequest) -> bool:
    work, split = request.workload, request.parallelism
    if not isinstance(work, TrainingWorkload) or split is None:
        return False
    return _settings(request).framework is Framework.MEGATRON and bool(
        split.left_open or work.checkpointing is None
    )


def _savings(request: EstimateRequest) -> Iterator[_Rung]:
    """The request with one open setting after the other as recipes have it."""
    work, split = request.workload, request.parallelism
    assert isinstance(work, TrainingWorkload)
    assert split is not None
    if "zero_stage" in split.left_open and split.tensor * split.pipeline < request.hardware.gpu_count:
        request = _split(request, zero_stage=1)
        yield _Rung("parallelism.zero_stage", "1", request)
    if "sequence" in split.left_open and split.tensor > 1:
        request = _split(request, sequence=True)
        yield _Rung("parallelism.sequence", "true", request)
    if work.method is Method.LORA and work.precision in LOW_PRECISION and work.weight_storage is None:
        request = replace(request, workload=replace(work, narrow_frozen=True))
        yield _Rung("workload.weight_storage", work.precision.value, request)


def _split(request: EstimateRequest, **changed: Any) -> EstimateRequest:
    assert isinstance(request.parallelism, Parallelism)
    return replace(request, parallelism=replace(request.parallelism, **changed))


def _fit(requests: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[bool]:
    """Whether each fits, by the middle of the band; what cannot be read, or on a card of unknown memory, is said to."""
    rows: list[Columns] = []
    read: list[int] = []
    for index, request in enumerate(requests):
        try:
            rows.append(_columns(request, coefficients))
            read.append(index)
        except UserError:
            continue
    fits = [True] * len(requests)
    if rows:
        used = _device_used(rows)
        for index, row, needed in zip(read, rows, used, strict=True):
            fits[index] = not needed > row["usable_memory_bytes"]
    return fits


def _settle_checkpointing(requests: Sequence[Settled], coefficients: CoefficientSet) -> list[Settled]:
    """Open checkpointing becomes none where that fits; else stacks that can recompute as few layers as will do."""
    tried: list[tuple[int, EstimateRequest, Columns, bool]] = []
    settled = list(requests)
    for index, item in enumerate(requests):
        if not _open(item.request):
            continue
        without = _with(item.request, Checkpointing.NONE)
        try:
            columns = _columns(without, coefficients)
        except UserError:
            continue
        columns["sequence_parallel"] = float(columns["tensor_parallel"] > 1)  # as today's stacks do
        tried.append((index, without, columns, _settings(without).framework in SIZED))
    if not tried:
        return settled
    usable = np.array([columns["usable_memory_bytes"] for _, _, columns, _ in tried])
    none = _device_used([columns for _, _, columns, _ in tried])
    least = _device_used([{**columns, "full_recompute": 1.0} for _, _, columns, _ in tried])
    shares = np.clip((none - usable) / np.maximum(none - least, 1.0), 0.0, 1.0)
    for (index, without, _, sized), needed, fits in zip(tried, shares, none <= usable, strict=True):
        if fits:
            settled[index] = Settled(without, assumptions=(_checkpointing(Checkpointing.NONE, ROOMY),))
        elif sized:
            share = float(np.nan_to_num(needed, nan=1.0))
            full = _with(without, Checkpointing.FULL)
            settled[index] = Settled(full, share, (_checkpointing(Checkpointing.FULL, TIGHT),))
    return settled


def _checkpointing(value: Checkpointing, why: str) -> Assumption:
    return Assumption(CHECKPOINTING, value.value, Message(why))


def _open(request: EstimateRequest) -> bool:
    work = request.workload
    if (
        not isinstance(work, TrainingWorkload)
        or work.checkpointing is not None
        or request.parallelism is None
    ):
        return False
    return _settings(request).framework not in OWN_DEFAULT and request.parallelism.zero_stage != FULLY_SHARDED


def _with(request: EstimateRequest, checkpointing: Checkpointing) -> EstimateRequest:
    assert isinstance(request.workload, TrainingWorkload)
    return replace(request, workload=replace(request.workload, checkpointing=checkpointing))


def _settings(request: EstimateRequest) -> TrainingSettings:
    assert isinstance(request.workload, TrainingWorkload)
    assert request.parallelism is not None
    return settings_of(request.workload, request.model, request.accelerator, request.parallelism)


def _columns(request: EstimateRequest, coefficients: CoefficientSet) -> Columns:
    return training_columns(request, _settings(request), coefficients)


def _device_used(rows: Sequence[Columns], name: str = "device_used_bytes") -> Any:
    """Device memory, or an end of its band, of the fuller of the first and the last pipeline stage."""
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns["pipeline_stage"] = np.zeros(len(rows))
    graph = memory_graph()
    first = graph.evaluate(columns, [name])
    last = graph.update(first, {"pipeline_stage": columns["pipeline_parallel"] - 1.0})
    return np.broadcast_to(np.maximum(first[name], last[name]), (len(rows),))
