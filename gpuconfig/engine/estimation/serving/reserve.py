"""What an engine keeps besides weights and cache, and the memory of the fullest card in three counters."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

BYTES_16BIT, BYTES_32BIT = 2.0, 4.0


@quantity(unit="token")
def pass_tokens(
    activation_tokens: Value, prompt_tokens: Value, context_reserved: Value, preallocated: Value
) -> Value:
    """Tokens of the largest pass: the engine's limit, or the whole prompt where it has none."""
    longest = np.where(preallocated > 0, np.maximum(prompt_tokens, context_reserved), prompt_tokens)
    return np.minimum(activation_tokens, np.maximum(longest, 1.0))


@quantity(unit="B")
def score_bytes(
    score_copies: Value,
    pass_tokens: Value,
    context_reserved: Value,
    heads: Value,
    latent_layers: Value,
    tensor_parallel: Value,
) -> Value:
    """Attention scores of one layer in FP32, for engines that write them out where attention is latent."""
    whole = score_copies * pass_tokens * context_reserved * heads / tensor_parallel * BYTES_32BIT
    return np.where(latent_layers > 0, whole, 0.0)


@quantity(unit="B")
def prompt_activation_bytes(
    pass_tokens: Value,
    ffn_copies: Value,
    ffn_width: Value,
    hidden_copies: Value,
    hidden: Value,
    tensor_parallel: Value,
) -> Value:
    """Activations of one prompt at the peak of the largest pass: the feed-forward's inner values, stream copies."""
    each = (ffn_copies * ffn_width + hidden_copies * hidden) * BYTES_16BIT / tensor_parallel
    return pass_tokens * each


@quantity(unit="B")
def activation_bytes(
    prompt_activation_bytes: Value, concurrency: Value, preallocated: Value, score_bytes: Value
) -> Value:
    """Activations at the peak; an engine without a pool takes in all prompts side by side."""
    return prompt_activation_bytes * np.where(preallocated > 0, 1.0, concurrency) + score_bytes


@quantity(unit="B")
def logits_bytes(
    logit_rows: Value, pass_tokens: Value, concurrency: Value, vocab: Value, logit_bytes: Value
) -> Value:
    """Logits held at once; engines that keep the whole prompt's rows pay for its length."""
    return np.where(logit_rows > 0, logit_rows, pass_tokens * concurrency) * vocab * logit_bytes


@quantity(unit="B")
def captured_graph_bytes(
    graph_bytes: Value, graph_bytes_per_layer: Value, layers: Value, pipeline_parallel: Value
) -> Value:
    """Memory of captured graphs on one card."""
    return graph_bytes + graph_bytes_per_layer * layers / pipeline_parallel


@quantity(unit="B")
def joined_bytes(
    communicator_bytes: Value, tensor_parallel: Value, pipeline_parallel: Value, expert_parallel: Value
) -> Value:
    """Communicator buffers where cards work together."""
    return np.where(tensor_parallel * pipeline_parallel * expert_parallel > 1, communicator_bytes, 0.0)


@quantity(unit="B")
def reserve_bytes(
    context_bytes: Value,
    captured_graph_bytes: Value,
    joined_bytes: Value,
    activation_bytes: Value,
    logits_bytes: Value,
) -> Value:
    """Everything a card holds besides weights and cache."""
    return context_bytes + captured_graph_bytes + joined_bytes + activation_bytes + logits_bytes


@quantity(unit="B")
def held_cache_bytes(sequence_cache_per_gpu_bytes: Value, held_sequences: Value) -> Value:
    """Cache that must be there: of every sequence at once for plain engines, of one for engines with pages."""
    return sequence_cache_per_gpu_bytes * held_sequences


@quantity(unit="B")
def peak_allocated_bytes(
    weights_per_gpu_bytes: Value,
    held_cache_bytes: Value,
    activation_bytes: Value,
    logits_bytes: Value,
    prompt_cache_share: Value,
    pooled: Value,
    cache_copy_bytes: Value,
) -> Value:
    """Peak of the fullest card: while the prompt is taken in, or at the end when the cache is longest."""
    prompt = (
        held_cache_bytes * np.where(pooled > 0, 1.0, prompt_cache_share) + activation_bytes + logits_bytes
    )
    return weights_per_gpu_bytes + np.maximum(prompt, held_cache_bytes + cache_copy_bytes)


@quantity(unit="1")
def prompt_cache_share(prompt_tokens: Value, context_reserved: Value, preallocated: Value) -> Value:
    """Share of the cache that is there once the prompt is in; all of it where it is allocated at start."""
    return np.where(preallocated > 0, 1.0, np.minimum(prompt_tokens / context_reserved, 1.0))


@quantity(unit="B")
def cache_copy_bytes(held_cache_bytes: Value, layers: Value, preallocated: Value) -> Value:
    """One layer's cache twice while it grows by a token, for engines that append by copying."""
    return np.where(preallocated > 0, 0.0, held_cache_bytes / layers)


@quantity(unit="B")
def needed_bytes(
    peak_allocated_bytes: Value, context_bytes: Value, captured_graph_bytes: Value, joined_bytes: Value
) -> Value:
    """The least the fullest card must have free."""
    return peak_allocated_bytes + context_bytes + captured_graph_bytes + joined_bytes


@quantity(unit="B")
def device_used_bytes(
    needed_bytes: Value, usable_memory_bytes: Value, memory_utilization: Value, pooled: Value
) -> Value:
    """What the driver shows: an engine with a pool fills its share; where the need is more, the need."""
    share = usable_memory_bytes * memory_utilization
    with_pool = np.where(needed_bytes <= share, share, needed_bytes / memory_utilization)
    return np.where(pooled > 0, with_pool, needed_bytes)
