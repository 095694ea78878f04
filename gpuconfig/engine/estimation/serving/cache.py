"""KV cache: bytes for one more token, for one sequence, and the tokens that fit.

Grouped and multi-query attention cache their KV heads only; latent attention (MLA) one vector of rank plus rotary
part for all heads; sliding layers stop at the window; linear layers keep a state of fixed size. Tensor parallelism
divides KV heads while there are more heads than cards, then repeats them.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity


@quantity(unit="1")
def kv_shards(tensor_parallel: Value, kv_heads: Value) -> Value:
    """Parts that tensor parallelism cuts the cache into; further cards repeat it."""
    return kv_heads / np.ceil(kv_heads / tensor_parallel)


@quantity(unit="B/token", source="https://arxiv.org/abs/2305.13245")
def full_kv_bytes_per_token(
    full_layers: Value, full_kv_values: Value, compressed_kv_values: Value, kv_bits: Value
) -> Value:
    """Cache of one token in the layers that see the whole context, as it is or compressed."""
    return (full_layers * full_kv_values + compressed_kv_values) * kv_bits / 8


@quantity(unit="B/token")
def sliding_kv_bytes_per_token(sliding_layers: Value, sliding_kv_values: Value, kv_bits: Value) -> Value:
    """Cache of one token in the sliding layers, while it is within the window."""
    return sliding_layers * sliding_kv_values * kv_bits / 8


@quantity(unit="B/token")
def kv_bytes_per_token(
    full_kv_bytes_per_token: Value,
    sliding_kv_bytes_per_token: Value,
    context_reserved: Value,
    window_tokens: Value,
) -> Value:
    """Cache that one more token of context takes; sliding layers count only while the window is not full."""
    return full_kv_bytes_per_token + np.where(
        context_reserved <= window_tokens, sliding_kv_bytes_per_token, 0.0
    )


@quantity(unit="B")
def sequence_cache_bytes(
    full_kv_bytes_per_token: Value,
    sliding_kv_bytes_per_token: Value,
    context_reserved: Value,
    window_tokens: Value,
    linear_layers: Value,
    linear_state_bytes: Value,
) -> Value:
    """Cache of one sequence at its longest: full layers, windows and fixed states."""
    windowed = sliding_kv_bytes_per_token * np.minimum(context_reserved, window_tokens)
    return full_kv_bytes_per_token * context_reserved + windowed + linear_layers * linear_state_bytes


@quantity(unit="B")
def sequence_cache_per_gpu_bytes(
    sequence_cache_bytes: Value, kv_shards: Value, pipeline_parallel: Value, card_layer_share: Value
) -> Value:
    """Cache of one sequence on one card."""
    return sequence_cache_bytes * card_layer_share / (kv_shards * pipeline_parallel)


@quantity(unit="B")
def cache_room_bytes(
    usable_memory_bytes: Value, memory_utilization: Value, weights_per_gpu_bytes: Value, reserve_bytes: Value
) -> Value:
    """What the engine's share of one card leaves after weights and reserve; less than nothing where it is too small."""
    return usable_memory_bytes * memory_utilization - weights_per_gpu_bytes - reserve_bytes


@quantity(unit="B")
def kv_pool_bytes(cache_room_bytes: Value, paging_loss: Value) -> Value:
    """Room for the cache on one card."""
    return np.maximum(cache_room_bytes, 0.0) * (1 - paging_loss)


@quantity(unit="B")
def sequences_room_bytes(
    cache_room_bytes: Value, activation_bytes: Value, preallocated: Value, paging_loss: Value
) -> Value:
    """Room on one card for what each further sequence brings: its cache, and its activations where they add up."""
    room = cache_room_bytes + np.where(preallocated > 0, 0.0, activation_bytes)
    return np.maximum(room, 0.0) * (1 - paging_loss)


@quantity(unit="B")
def sequence_activation_bytes(prompt_activation_bytes: Value, preallocated: Value) -> Value:
    """Activations that a further sequence adds; none where a pass is of one size whatever the users."""
    return np.where(preallocated > 0, 0.0, prompt_activation_bytes)


@quantity(unit="token")
def kv_capacity_tokens(
    kv_pool_bytes: Value, sequence_cache_per_gpu_bytes: Value, context_reserved: Value, data_parallel: Value
) -> Value:
    """Tokens that fit into the cache of all cards, counted in sequences of the reserved length."""
    return kv_pool_bytes / sequence_cache_per_gpu_bytes * context_reserved * data_parallel


@quantity(unit="token")
def admission_tokens(
    prompt_tokens: Value,
    output_tokens: Value,
    admitted_output_share: Value,
    context_reserved: Value,
    pooled: Value,
) -> Value:
    """Tokens of cache an engine wants free before it lets a request in."""
    paged = np.maximum(prompt_tokens + admitted_output_share * output_tokens, 1.0)
    return np.where(pooled > 0, paged, context_reserved)


@quantity(unit="1")
def admitted_sequences(
    sequences_room_bytes: Value,
    sequence_activation_bytes: Value,
    admission_tokens: Value,
    full_kv_bytes_per_token: Value,
    sliding_kv_bytes_per_token: Value,
    window_tokens: Value,
    linear_layers: Value,
    linear_state_bytes: Value,
    kv_shards: Value,
    pipeline_parallel: Value,
) -> Value:
    """Requests whose cache fits side by side in one replica."""
    windowed = sliding_kv_bytes_per_token * np.minimum(admission_tokens, window_tokens)
    each = full_kv_bytes_per_token * admission_tokens + windowed + linear_layers * linear_state_bytes
    return sequences_room_bytes / (each / (kv_shards * pipeline_parallel) + sequence_activation_bytes)


@quantity(unit="1")
def cached_sequences(
    sequences_room_bytes: Value, sequence_cache_per_gpu_bytes: Value, sequence_activation_bytes: Value
) -> Value:
    """Sequences of the reserved length that one replica holds."""
    return sequences_room_bytes / (sequence_cache_per_gpu_bytes + sequence_activation_bytes)
