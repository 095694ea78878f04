"""Data parallelism by threads of one process (torch.nn.DataParallel): all through the first card, nothing hidden.

Each micro-batch begins with a broadcast of every weight, frozen ones too, from the first card; its outputs are gathered
there, and after the whole backward pass the gradients of the trained weights are summed there. Broadcast and sum are
NCCL rings over the same links as an all-reduce, which moves each byte twice; here it moves once.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.communication.collectives import Value, overhead
from gpuconfig.engine.estimation.graph import quantity

DATA_PARALLEL = "https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html"


@quantity(unit="s", source=DATA_PARALLEL)
def replication_seconds(
    stage_weights: Value, linear_weight_bytes: Value, stage_trained_weights: Value, trained_weight_bytes: Value,
    trains_all: Value, data_parallel: Value, replica_bytes_per_s: Value, replica_latency_s: Value,
    replica_ramp_s: Value, threaded_replicas: Value,
) -> Value:  # fmt: skip
    """Copying weights and adapters from the first card to all others, before each micro-batch"""
    adapters = (1.0 - trains_all) * stage_trained_weights * trained_weight_bytes
    return threaded_replicas * _once(
        stage_weights * linear_weight_bytes + adapters, data_parallel, replica_bytes_per_s, replica_latency_s,
        replica_ramp_s,
    )  # fmt: skip


@quantity(unit="s", source=DATA_PARALLEL)
def output_gather_seconds(
    replica_output_bytes: Value, data_parallel: Value, replica_bytes_per_s: Value
) -> Value:
    """Outputs of all copies but its own arriving at the first card, one after the other"""
    return replica_output_bytes * (data_parallel - 1.0) / replica_bytes_per_s


@quantity(unit="s", source=DATA_PARALLEL)
def gradient_sum_seconds(
    stage_trained_weights: Value, gradient_bytes: Value, data_parallel: Value, replica_bytes_per_s: Value,
    replica_latency_s: Value, replica_ramp_s: Value, threaded_replicas: Value,
) -> Value:  # fmt: skip
    """Summing gradients on the first card after each micro-batch"""
    return threaded_replicas * _once(
        stage_trained_weights * gradient_bytes, data_parallel, replica_bytes_per_s, replica_latency_s,
        replica_ramp_s,
    )  # fmt: skip


@quantity(unit="s", source=DATA_PARALLEL)
def thread_exchange_seconds(
    replication_seconds: Value, output_gather_seconds: Value, gradient_sum_seconds: Value
) -> Value:
    """What the copies of one micro-batch exchange through the first card while none computes"""
    return replication_seconds + output_gather_seconds + gradient_sum_seconds


def _once(message_bytes: Value, size: Value, rate: Value, latency: Value, ramp: Value) -> Value:
    """Seconds of a broadcast from, or a sum on, one member; nothing for a group of one."""
    each = message_bytes / rate + 0.5 * overhead(size, message_bytes, latency, ramp)
    return np.where(size > 1, each, 0.0)
