"""One decode step: bytes streamed, products, cache read, fixed costs; single stream and batch by the same formula."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity
from gpuconfig.engine.estimation.power.sustained import held_clock


def touched_share(tokens: Value, experts: Value, experts_per_token: Value, evenness: Value) -> Value:
    """Share of the experts that `tokens` tokens meet, where some experts are asked for more often than others.

    The first token meets its own experts; each expert is missed by the others with a chance averaged over a
    popularity with the gamma distribution of shape `evenness` (negative binomial; large: all alike).
    """
    own = experts_per_token / experts
    each = -np.log(np.maximum(1 - own, 1e-12))
    missed = (1 + np.maximum(tokens - 1, 0.0) * each / evenness) ** -evenness
    return own + (1 - own) * (1 - missed)


def product_s(dense_flop: Value, routed_flop: Value, rate: Value, expert_rate: Value) -> Value:
    """Time of products outside the experts at `rate`, and in them at the share `expert_rate` of it."""
    return dense_flop / rate + routed_flop / (rate * expert_rate)


@quantity(unit="1")
def compute_power_factor(power_share: Value, compute_power_slope: Value) -> Value:
    """Speed of prompts at the power held over full speed: all products, they lose more than training does."""
    return power_share**compute_power_slope


@quantity(unit="1")
def stream_power_factor(power_share: Value, stream_power_slope: Value) -> Value:
    """Streaming speed at the power held over full speed: memory keeps its clock, only what feeds it slows."""
    return power_share**stream_power_slope


@quantity(unit="B/s")
def weight_bytes_per_s(
    memory_bytes_per_s: Value,
    weight_stream_fraction: Value,
    card_stream_factor: Value,
    most_stream_fraction: Value,
    stream_power_factor: Value,
) -> Value:
    """Rate at which weights are streamed."""
    reached = np.minimum(weight_stream_fraction * card_stream_factor, most_stream_fraction)
    return memory_bytes_per_s * reached * stream_power_factor


@quantity(unit="1")
def sustained_share(
    product_flops: Value, tdp_w: Value, flops_per_watt: Value, sustained_slope: Value
) -> Value:
    """Clock that products hold: of two boards with one chip, the one with less power holds the lower clock."""
    return held_clock(product_flops, tdp_w, flops_per_watt, sustained_slope)


@quantity(unit="FLOP/s")
def product_flops_per_s(
    product_flops: Value,
    product_fraction: Value,
    card_product_factor: Value,
    compute_power_factor: Value,
    sustained_share: Value,
) -> Value:
    """Rate of large matrix products."""
    return product_flops * product_fraction * card_product_factor * compute_power_factor * sustained_share


@quantity(unit="1")
def step_sequences(running_sequences: Value, pipeline_parallel: Value, pipelined: Value) -> Value:
    """Sequences that one pass advances: stages of a pipeline share the running ones."""
    return np.maximum(running_sequences / np.where(pipelined > 0, pipeline_parallel, 1.0), 1.0)


@quantity(unit="token")
def step_tokens(step_sequences: Value, speculative_tokens: Value) -> Value:
    """Tokens of one pass: each sequence's next token and its drafts."""
    return step_sequences * (1 + speculative_tokens)


@quantity(unit="token")
def routed_step_tokens(
    step_tokens: Value, data_parallel: Value, expert_parallel: Value, tensor_parallel: Value
) -> Value:
    """Tokens that meet the experts in one pass: of all replicas where they share the experts."""
    return step_tokens * np.where(expert_parallel > tensor_parallel, data_parallel, 1.0)


@quantity(unit="1")
def experts_touched_share(
    routed_step_tokens: Value, experts: Value, experts_per_token: Value, routing_evenness: Value
) -> Value:
    """Share of the experts that at least one token of a pass needs: few at batch 1, nearly all in a large batch."""
    return touched_share(routed_step_tokens, experts, experts_per_token, routing_evenness)


@quantity(unit="B")
def streamed_dense_bytes(
    layer_weights_bytes: Value,
    head_read_parameters: Value,
    head_bits: Value,
    file_scale: Value,
    card_layer_share: Value,
    tensor_parallel: Value,
) -> Value:
    """Weights every step reads from one card's memory, over all stages."""
    return (
        file_scale
        * (layer_weights_bytes * card_layer_share + head_read_parameters * head_bits / 8)
        / tensor_parallel
    )


@quantity(unit="B")
def streamed_routed_bytes(
    routed_weights_bytes: Value,
    experts_touched_share: Value,
    expert_shards: Value,
    file_scale: Value,
    card_expert_share: Value,
) -> Value:
    """Experts one step reads from one card's memory."""
    return file_scale * routed_weights_bytes * card_expert_share * experts_touched_share / expert_shards


@quantity(unit="s")
def weight_stream_s(
    streamed_dense_bytes: Value,
    streamed_routed_bytes: Value,
    weight_bytes_per_s: Value,
    expert_stream_factor: Value,
) -> Value:
    """Time to stream the weights of a step."""
    return streamed_dense_bytes / weight_bytes_per_s + streamed_routed_bytes / (
        weight_bytes_per_s * expert_stream_factor
    )


@quantity(unit="FLOP")
def step_dense_flop(
    layer_parameters: Value, head_read_parameters: Value, step_tokens: Value, tensor_parallel: Value
) -> Value:
    """Products of a step outside the experts, on one card."""
    return 2 * (layer_parameters + head_read_parameters) * step_tokens / tensor_parallel


@quantity(unit="FLOP")
def step_routed_flop(
    routed_parameters: Value,
    experts: Value,
    experts_per_token: Value,
    routed_step_tokens: Value,
    expert_shards: Value,
) -> Value:
    """Products of a step in the experts, on one card."""
    return 2 * routed_parameters * experts_per_token / experts * routed_step_tokens / expert_shards


@quantity(unit="s")
def step_product_s(
    step_dense_flop: Value, step_routed_flop: Value, product_flops_per_s: Value, expert_product_factor: Value
) -> Value:
    """Time of a step's products at the rate of large ones."""
    return product_s(step_dense_flop, step_routed_flop, product_flops_per_s, expert_product_factor)


@quantity(unit="s")
def matrix_s(weight_stream_s: Value, step_product_s: Value, overlap_power: Value) -> Value:
    """Weights and products of a step together: the longer hides most of the shorter."""
    return (weight_stream_s**overlap_power + step_product_s**overlap_power) ** (1 / overlap_power)


@quantity(unit="token")
def decode_context_tokens(prompt_tokens: Value, output_tokens: Value) -> Value:
    """Mean context while the answer grows."""
    return prompt_tokens + output_tokens / 2


@quantity(unit="B")
def cache_read_bytes(
    step_sequences: Value,
    decode_context_tokens: Value,
    window_tokens: Value,
    full_kv_bytes_per_token: Value,
    sliding_kv_bytes_per_token: Value,
    linear_layers: Value,
    linear_state_bytes: Value,
    kv_shards: Value,
) -> Value:
    """Cache one step reads on one card; a linear layer's state is read and written."""
    kept = full_kv_bytes_per_token * decode_context_tokens
    kept = kept + sliding_kv_bytes_per_token * np.minimum(decode_context_tokens, window_tokens)
    return step_sequences * (kept + 2 * linear_layers * linear_state_bytes) / kv_shards


@quantity(unit="s")
def cache_read_s(
    cache_read_bytes: Value,
    memory_bytes_per_s: Value,
    cache_stream_fraction: Value,
    stream_power_factor: Value,
    copied_cache_passes: Value,
) -> Value:
    """Time of attention over the cache; engines that copy the cache each step pay for that too."""
    rate = memory_bytes_per_s * stream_power_factor
    return cache_read_bytes * (1 / cache_stream_fraction + copied_cache_passes) / rate


@quantity(unit="s")
def fixed_s(
    layers: Value,
    layer_seconds: Value,
    format_layer_seconds: Value,
    tensor_parallel: Value,
    further_card_seconds: Value,
    moe_layers: Value,
    moe_layer_seconds: Value,
    linear_layers: Value,
    linear_layer_seconds: Value,
    latent_layers: Value,
    latent_layer_seconds: Value,
    step_seconds: Value,
) -> Value:
    """Launches and small kernels of a step, whatever its size."""
    special = linear_layers * linear_layer_seconds + latent_layers * latent_layer_seconds
    each = layer_seconds + format_layer_seconds + (tensor_parallel - 1) * further_card_seconds
    return layers * each + moe_layers * moe_layer_seconds + special + step_seconds


@quantity(unit="s")
def decode_step_s(
    matrix_s: Value,
    cache_read_s: Value,
    fixed_s: Value,
    step_sequences: Value,
    sequence_seconds: Value,
    step_reduce_s: Value,
    stage_handover_s: Value,
    host_stream_s: Value,
) -> Value:
    """One decode step of all running sequences."""
    own = matrix_s + cache_read_s + fixed_s + step_sequences * sequence_seconds
    return own + step_reduce_s + stage_handover_s + host_stream_s


@quantity(unit="token", source="https://arxiv.org/abs/2211.17192")
def tokens_per_step(speculative_tokens: Value, acceptance: Value) -> Value:
    """Expected tokens a step yields: the accepted run of drafts and one more."""
    return (1 - acceptance ** (speculative_tokens + 1)) / (1 - acceptance)


@quantity(unit="s")
def decode_token_s(
    decode_step_s: Value, speculative_tokens: Value, draft_share: Value, tokens_per_step: Value
) -> Value:
    """Time between two tokens of a sequence while nothing else runs."""
    return decode_step_s * (1 + speculative_tokens * draft_share) / tokens_per_step


@quantity(unit="token/s")
def decode_tokens_per_s_per_user(decode_token_s: Value) -> Value:
    """Rate one user sees while decoding, all users running."""
    return 1 / decode_token_s
