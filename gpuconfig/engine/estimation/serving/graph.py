"""The serving graph, and solving it for a balanced load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from gpuconfig.engine.estimation.graph import Graph, Value, quantities_of
from gpuconfig.engine.estimation.power import host
from gpuconfig.engine.estimation.power.host import HOST_INPUTS
from gpuconfig.engine.estimation.serving import (
    cache as cache_quantities,
)
from gpuconfig.engine.estimation.serving import (
    decode,
    links,
    load,
    prefill,
    reserve,
    weights,
)
from gpuconfig.engine.estimation.serving.inputs import INPUTS

ANSWERS = (
    "decode_tokens_per_s_per_user", "output_tokens_per_s", "prefill_tokens_per_s", "ttft_s", "tpot_s",
    "kv_bytes_per_token", "kv_capacity_tokens", "cached_sequences", "weights_bytes", "peak_allocated_bytes",
    "needed_bytes", "device_used_bytes", "weights_per_gpu_bytes", "held_cache_bytes", "activation_bytes",
    "logits_bytes", "captured_graph_bytes", "joined_bytes", "host_weights_bytes", "slots", "gpu_w", "wall_w",
    "balanced_sequences", "kv_pool_bytes", "reserve_bytes",
)  # fmt: skip
BALANCE_ROUNDS = 8
LOAD_ONLY = ("decode_tokens_per_s_per_user", "weights_bytes")


@cache
def serving_graph() -> Graph:
    """The graph, checked once."""
    return Graph(
        quantities_of(weights, cache_quantities, reserve, decode, links, prefill, load, host),
        (*INPUTS, *HOST_INPUTS),
    )


def solve(columns: Mapping[str, Value], wanted: Sequence[str] = ANSWERS) -> dict[str, Value]:
    """Values with the running sequences balanced against the times they cause (damped fixed point).

    The rate of one user is that of all users decoding together, before others' prompts are counted.
    """
    graph = serving_graph()
    users = np.maximum(np.asarray(columns["concurrency"], dtype=float) / columns["data_parallel"], 1.0)
    values = graph.evaluate({**columns, "running_sequences": users}, [*wanted, "balanced_sequences", "slots"])
    rate = values.get("decode_tokens_per_s_per_user")
    running = np.minimum(users, values["slots"])
    for _ in range(BALANCE_ROUNDS):
        values = graph.update(values, {"running_sequences": running})
        balanced = np.clip(values["balanced_sequences"], 1e-3, values["slots"])
        running = np.sqrt(running * balanced)
    if rate is not None:
        values["decode_tokens_per_s_per_user"] = rate
    return values
