"""Activation checkpointing that a request leaves open: none where the run fits the card without it.

People switch recomputation on when memory runs out, since it costs a third of the speed. Frameworks whose recipes say
otherwise keep their own default (Megatron: none; torchtitan: selective; the Hugging Face trainers, which fine-tune with
it as a rule: full), and so do fully sharded runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import settings_of
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Checkpointing, Framework, TrainingWorkload

FULLY_SHARDED = 3
OWN_DEFAULT = frozenset(
    {Framework.MEGATRON, Framework.TORCHTITAN, Framework.HF_TRAINER, Framework.DEEPSPEED, Framework.AXOLOTL}
)
SIZED = frozenset({Framework.OTHER})
"""Stacks (benchmark submissions, own code) that choose how many layers to recompute; the others know on and off."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A request with its checkpointing settled, and the share of the layers that are recomputed where it is on."""

    request: EstimateRequest
    share: float = 1.0


def settle_checkpointing(requests: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[Settled]:
    """Open checkpointing becomes none where that fits; else stacks that can recompute as few layers as will do.

    Requests without a parallelism, or that cannot be read, are left for the caller to refuse.
    """
    tried: list[tuple[int, EstimateRequest, dict[str, float], bool]] = []
    for index, request in enumerate(requests):
        if not _open(request):
            continue
        without = _with(request, Checkpointing.NONE)
        try:
            columns, framework = _columns(without, coefficients)
            tried.append((index, without, columns, framework in SIZED))
        except UserError:
            continue
    settled = [Settled(request) for request in requests]
    if not tried:
        return settled
    usable = np.array([columns["usable_memory_bytes"] for _, _, columns, _ in tried])
    none = _device_used([columns for _, _, columns, _ in tried])
    full = _device_used([{**columns, "full_recompute": 1.0} for _, _, columns, _ in tried])
    share = np.clip((none - usable) / np.maximum(none - full, 1.0), 0.0, 1.0)
    for (index, without, _, sized), needed, fits in zip(tried, share, none <= usable, strict=True):
        if fits:
            settled[index] = Settled(without)
        elif sized:
            settled[index] = Settled(
                _with(without, Checkpointing.FULL), float(np.nan_to_num(needed, nan=1.0))
            )
    return settled


def _open(request: EstimateRequest) -> bool:
    work = request.workload
    if (
        not isinstance(work, TrainingWorkload)
        or work.checkpointing is not None
        or request.parallelism is None
    ):
        return False
    settings = settings_of(work, request.model, request.accelerator, request.parallelism)
    return settings.framework not in OWN_DEFAULT and request.parallelism.zero_stage != FULLY_SHARDED


def _with(request: EstimateRequest, checkpointing: Checkpointing) -> EstimateRequest:
    assert isinstance(request.workload, TrainingWorkload)
    return replace(request, workload=replace(request.workload, checkpointing=checkpointing))


def _columns(request: EstimateRequest, coefficients: CoefficientSet) -> tuple[dict[str, float], Framework]:
    """Memory columns; tensor parallelism splits norms too, as today's stacks do."""
    assert isinstance(request.workload, TrainingWorkload)
    assert request.parallelism is not None
    settings = settings_of(request.workload, request.model, request.accelerator, request.parallelism)
    columns = training_columns(request, settings, coefficients)
    columns["sequence_parallel"] = float(columns["tensor_parallel"] > 1)
    return columns, settings.framework


def _device_used(rows: Sequence[dict[str, float]]) -> Any:
    """Device memory of the fuller of the first and the last pipeline stage."""
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns["pipeline_stage"] = np.zeros(len(rows))
    graph = memory_graph()
    first = graph.evaluate(columns, ["device_used_bytes"])
    last = graph.update(first, {"pipeline_stage": columns["pipeline_parallel"] - 1.0})
    return np.broadcast_to(np.maximum(first["device_used_bytes"], last["device_used_bytes"]), (len(rows),))
