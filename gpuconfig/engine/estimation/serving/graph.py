"""The serving graph."""

from __future__ import annotations

from functools import cache

from gpuconfig.engine.estimation.graph import Graph, quantities_of
from gpuconfig.engine.estimation.power import host, sustained
from gpuconfig.engine.estimation.power.host import HOST_INPUTS
from gpuconfig.engine.estimation.serving import (
    cache as cache_quantities,
)
from gpuconfig.engine.estimation.serving import (
    decode,
    host_kept,
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
    "kv_pool_bytes", "reserve_bytes",
)  # fmt: skip


@cache
def serving_graph() -> Graph:
    """The graph, checked once."""
    return Graph(
        quantities_of(
            weights, cache_quantities, reserve, decode, host_kept, links, prefill, load, host, sustained
        ),
        (*INPUTS, *HOST_INPUTS),
    )
