"""What preference and policy training adds to a step: passes that only score, and the generation of answers.

Generation is counted as serving counts it: each token reads the weights and the cache of every sequence, or multiplies
them, whichever takes longer. All sequences of a step are generated together by the cards of one replica.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity

DPO = "https://arxiv.org/abs/2305.18290"
PPO = "https://arxiv.org/abs/2203.02155"
PASSES = 3.0
"""A training step passes through the head forward, and back for its input and its weights."""
CACHE_VALUE_BYTES = 2.0  # engines keep the cache of a rollout in 16 bit


@quantity(unit="s", source=DPO)
def scoring_seconds(
    scoring_passes: Value, forward_products_seconds: Value, attention_seconds: Value, forward_memory_seconds: Value,
    layers_per_stage: Value, software_speed: Value, head_seconds: Value, gradient_accumulation: Value,
) -> Value:  # fmt: skip
    """Forward passes of reference, reward and value models over the step's sequences"""
    layer = (forward_products_seconds + attention_seconds + forward_memory_seconds) / software_speed
    return scoring_passes * (layer * layers_per_stage + head_seconds / PASSES) * gradient_accumulation


@quantity(unit="1")
def rollout_sequences(
    micro_batch_size: Value, sequences_per_sample: Value, gradient_accumulation: Value
) -> Value:
    """Sequences that one replica generates for a step"""
    return micro_batch_size * sequences_per_sample * gradient_accumulation


@quantity(unit="token")
def rollout_tokens(generates: Value, generated_share: Value, sequence_length: Value) -> Value:
    """Tokens generated of each sequence, one after the other"""
    return generates * generated_share * sequence_length


@quantity(unit="B/token", source="https://arxiv.org/abs/2309.06180")
def rollout_cache_bytes(
    layers: Value, kv_heads: Value, head_dim: Value, mla: Value, mla_kv_rank: Value, mla_rope_dim: Value
) -> Value:
    """Cache of keys and values of one token over all layers"""
    width = np.where(mla > 0, mla_kv_rank + mla_rope_dim, 2.0 * kv_heads * head_dim)
    return layers * width * CACHE_VALUE_BYTES


@quantity(unit="s", source="https://arxiv.org/abs/2309.06180")
def rollout_token_seconds(
    parameters: Value, active_parameters: Value, linear_weight_bytes: Value, rollout_sequences: Value,
    rollout_cache_bytes: Value, sequence_length: Value, generated_share: Value, tensor_parallel: Value,
    pipeline_parallel: Value, memory_bytes_per_s: Value, decode_stream_share: Value, decode_cache_share: Value,
    base_rate: Value, layers: Value, decode_layer_seconds: Value,
) -> Value:  # fmt: skip
    """One token of every sequence: reading weights and cache, or multiplying, and launching each layer"""
    cards = tensor_parallel * pipeline_parallel
    touched = np.minimum(parameters, active_parameters * rollout_sequences)
    weights = touched * linear_weight_bytes / decode_stream_share
    held = sequence_length * (1.0 - generated_share / 2.0)
    cache = rollout_sequences * held * rollout_cache_bytes / decode_cache_share
    reading = (weights + cache) / (memory_bytes_per_s * cards)
    multiplying = 2.0 * active_parameters * rollout_sequences / (base_rate * cards)
    return np.maximum(reading, multiplying) + layers * decode_layer_seconds


@quantity(unit="s", source=PPO)
def generation_seconds(rollout_tokens: Value, rollout_token_seconds: Value) -> Value:
    """Generating the answers of one step"""
    return np.where(rollout_tokens > 0, rollout_tokens * rollout_token_seconds, 0.0)
