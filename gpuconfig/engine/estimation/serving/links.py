"""Communication of a step and of a prompt: all-reduces of tensor parallelism, exchange of experts, stage hand-over."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

BYTES_16BIT = 2.0
REDUCES_PER_LAYER = 2


@quantity(unit="1")
def joined_cards(tensor_parallel: Value, expert_parallel: Value) -> Value:
    """Cards that exchange data within a layer."""
    return np.maximum(tensor_parallel, expert_parallel)


@quantity(unit="s")
def reduce_latency_s(joined_cards: Value, reduce_seconds: Value, reduce_seconds_per_card: Value) -> Value:
    """Latency of one small all-reduce or exchange."""
    doublings = np.log2(np.maximum(joined_cards, 2.0)) - 1
    return np.where(joined_cards > 1, reduce_seconds + doublings * reduce_seconds_per_card, 0.0)


@quantity(unit="B", source="https://arxiv.org/abs/1909.08053")
def reduced_bytes_per_token(
    layers: Value,
    hidden: Value,
    tensor_parallel: Value,
    moe_layers: Value,
    experts_per_token: Value,
    expert_parallel: Value,
) -> Value:
    """Bytes a token moves over one card's link in all layers: ring all-reduce and experts' exchange."""
    ring = 2 * (tensor_parallel - 1) / tensor_parallel * REDUCES_PER_LAYER * layers * hidden * BYTES_16BIT
    apart = expert_parallel > tensor_parallel
    exchange = 2 * moe_layers * np.minimum(experts_per_token, expert_parallel) * hidden * BYTES_16BIT
    return ring + np.where(apart, exchange, 0.0)


@quantity(unit="s")
def step_reduce_s(
    pass_reduce_s: Value,
    step_tokens: Value,
    reduced_bytes_per_token: Value,
    link_bytes_per_s: Value,
    link_fraction: Value,
) -> Value:
    """Communication of one decode step within layers."""
    moved = step_tokens * reduced_bytes_per_token / (link_bytes_per_s * link_fraction)
    return pass_reduce_s + moved


@quantity(unit="s")
def stage_handover_s(
    pipeline_parallel: Value, pipelined: Value, split_seconds: Value, reduce_seconds: Value
) -> Value:
    """Handing a step's tokens from card to card of a layer split or pipeline."""
    return (pipeline_parallel - 1) * np.where(pipelined > 0, reduce_seconds, split_seconds)


@quantity(unit="s")
def pass_reduce_s(reduce_latency_s: Value, layers: Value) -> Value:
    """Latencies of the exchanges within layers in one pass, whatever its size."""
    return REDUCES_PER_LAYER * layers * reduce_latency_s


@quantity(unit="s")
def prompt_exchange_s(
    new_tokens: Value, reduced_bytes_per_token: Value, link_bytes_per_s: Value, link_fraction: Value
) -> Value:
    """Time to move what a prompt's layers exchange."""
    return new_tokens * reduced_bytes_per_token / (link_bytes_per_s * link_fraction)
