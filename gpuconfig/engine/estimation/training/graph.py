"""The one graph of training: memory, compute, communication, step time, rates and power."""

from __future__ import annotations

from functools import cache

from gpuconfig.engine.estimation.communication import groups, threads, traffic
from gpuconfig.engine.estimation.compute import layers, passes
from gpuconfig.engine.estimation.graph import Graph, quantities_of
from gpuconfig.engine.estimation.inputs.names import TRAINING_INPUTS
from gpuconfig.engine.estimation.inputs.speed import SPEED_INPUTS
from gpuconfig.engine.estimation.memory.graph import memory_quantities
from gpuconfig.engine.estimation.power import draw, host, sustained
from gpuconfig.engine.estimation.training import breakdown, policy, rates, step

SPEED_MODULES = (
    layers,
    passes,
    groups,
    traffic,
    threads,
    policy,
    step,
    breakdown,
    rates,
    draw,
    host,
    sustained,
)
SPEED_WANTED = (
    "tokens_per_s", "tokens_per_s_per_gpu", "samples_per_s", "step_seconds", "model_flops_per_gpu", "mfu",
    "time_to_train_s", "gpu_w", "wall_w", "energy_wh_per_mtoken", "arithmetic_seconds",
)  # fmt: skip
"""Quantities of an answer's speed and power."""


@cache
def training_graph() -> Graph:
    """The checked graph, built once."""
    inputs = {item.name: item for item in (*TRAINING_INPUTS, *SPEED_INPUTS)}
    return Graph([*memory_quantities(), *quantities_of(*SPEED_MODULES)], inputs.values())
