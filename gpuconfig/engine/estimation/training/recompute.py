"""Activation checkpointing that a request leaves open: none where the run fits the card without it.

People switch recomputation on when memory runs out, since it costs a third of the speed. Frameworks whose recipes say
otherwise (Megatron: none, torchtitan: selective) keep their own default, and so do fully sharded runs, whose recipes
recompute as a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Checkpointing, Framework, TrainingWorkload

FULLY_SHARDED = 3
OWN_DEFAULT = frozenset({Framework.MEGATRON, Framework.TORCHTITAN})


def settle_checkpointing(requests: Sequence[EstimateRequest], coefficients: CoefficientSet) -> list[EstimateRequest]:
    """The requests with open checkpointing set to none where that fits; the others unchanged.

    Requests without a parallelism, or that cannot be read, are left for the caller to refuse.
    """
    tried: list[tuple[int, EstimateRequest, dict[str, float]]] = []
    for index, request in enumerate(requests):
        without = _without(request)
        if without is None:
            continue
        try:
            assert isinstance(without.workload, TrainingWorkload) and without.parallelism is not None
            settings, _ = resolve_settings(without.workload, without.model, without.accelerator, without.parallelism)
            tried.append((index, without, training_columns(without, settings, coefficients)))
        except UserError:
            continue
    settled = list(requests)
    if tried:
        for (index, without, _), fits in zip(tried, _fits([c for _, _, c in tried]), strict=True):
            if fits:
                settled[index] = without
    return settled


def _without(request: EstimateRequest) -> EstimateRequest | None:
    work = request.workload
    if not isinstance(work, TrainingWorkload) or work.checkpointing is not None or request.parallelism is None:
        return None
    settings, _ = resolve_settings(work, request.model, request.accelerator, request.parallelism)
    if settings.framework in OWN_DEFAULT or request.parallelism.zero_stage == FULLY_SHARDED:
        return None
    return replace(request, workload=replace(work, checkpointing=Checkpointing.NONE))


def _fits(rows: Sequence[dict[str, float]]) -> list[bool]:
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns["pipeline_stage"] = np.zeros(len(rows))
    graph = memory_graph()
    first = graph.evaluate(columns, ["device_used_bytes"])
    last = graph.update(first, {"pipeline_stage": columns["pipeline_parallel"] - 1.0})
    used = np.maximum(first["device_used_bytes"], last["device_used_bytes"])
    return [bool(fits) for fits in np.broadcast_to(used <= columns["usable_memory_bytes"], (len(rows),))]
