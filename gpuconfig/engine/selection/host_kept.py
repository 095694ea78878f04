"""What can stay in the memory of the host where the cards do not hold it: experts, or the states of a training."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from gpuconfig.engine.catalogue.vocabulary import FormFactor
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.formats import weight_format
from gpuconfig.engine.workloads.parameter_count import count_parameters
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingEngine, ServingWorkload
from gpuconfig.engine.workloads.training import Method, Offload, TrainingWorkload

GROUP = "selection"
HYBRID_FORMAT = "gguf:q4_k_m"
"""Weights of a model whose experts are in host memory, where the request names none."""
HYBRID_BY = ServingEngine.LLAMA_CPP
"""The engine that computes with experts in host memory, where the request names none."""
HOSTS = ("two_channels", "eight_channels_ddr4", "eight_channels_ddr5", "twelve_channels_ddr5")
"""Kinds of hosts by the bandwidth of their memory, from the slowest."""
STATES = (Offload.OPTIMIZER, Offload.OPTIMIZER_AND_PARAMETERS)
"""What a training can leave in host memory, the least first."""


def host_kept(request: EstimateRequest, coefficients: CoefficientSet) -> tuple[EstimateRequest, ...]:
    """The same work with part of it in the host's memory, the least and the slowest host first."""
    workload = request.workload
    if isinstance(workload, TrainingWorkload):
        return tuple(replace(request, workload=form) for form in _states_in_host(request, workload))
    if isinstance(workload, ServingWorkload):
        return tuple(_experts_in_host(request, workload, coefficients))
    return ()


def _experts_in_host(
    request: EstimateRequest, workload: ServingWorkload, coefficients: CoefficientSet
) -> Iterator[EstimateRequest]:
    """With routed experts, or what the request names, in host memory: from the slowest host to the fastest."""
    card, hardware = request.accelerator, request.hardware
    if (
        card.form_factor is not FormFactor.PCIE
        or hardware.nodes > 1
        or hardware.gpus_per_node * card.devices > coefficients.value(GROUP, "devices_beside_host")
    ):
        return
    if workload.offload_layers or workload.offload_experts:
        forms: tuple[ServingWorkload, ...] = (workload,)
    else:
        forms = tuple(_beside_host(request, workload, coefficients))
    for step in HOSTS:
        planned = replace(
            hardware,
            host_memory_bytes=None,
            host_bandwidth_bytes_per_s=coefficients.value(GROUP, "host_bytes_per_s", step),
            cpu_cores=int(coefficients.value(GROUP, "host_cores", step)),
        )
        for form in forms:
            yield replace(request, workload=form, hardware=planned)


def _beside_host(
    request: EstimateRequest, workload: ServingWorkload, coefficients: CoefficientSet
) -> Iterator[ServingWorkload]:
    """As many layers with their experts on the cards as they are likely to hold, then none."""
    shape, kept = request.model.architecture, workload.weight_format or HYBRID_FORMAT
    capacity = request.accelerator.capacity_bytes()
    if shape is None or not shape.is_moe or capacity is None or not kept.startswith("gguf:"):
        return
    if workload.engine not in (None, HYBRID_BY):
        return
    parts = count_parameters(shape)
    stored = weight_format(kept, request.model, coefficients, "workload.weight_format")
    planned = capacity * request.hardware.gpus_per_node * coefficients.value(GROUP, "weights_beside_host")
    room = planned - (parts.total - parts.routed) * stored.layers / 8
    mixed = shape.moe_layers
    staying = math.floor(room / (parts.routed * stored.routed / 8 / mixed))
    for moved in sorted({min(max(mixed - staying, 1), mixed), mixed}):
        yield replace(workload, engine=HYBRID_BY, weight_format=kept, offload_experts=moved)


def _states_in_host(request: EstimateRequest, workload: TrainingWorkload) -> Iterator[TrainingWorkload]:
    """A training of all weights with its optimizer, then its weights too, in host memory; one machine only."""
    whole = workload.method in (Method.FULL, Method.PRETRAIN)
    if not whole or request.hardware.nodes > 1 or request.accelerator.unified_memory:
        return
    if workload.offload is Offload.NONE:
        yield from (replace(workload, offload=kept) for kept in STATES)
