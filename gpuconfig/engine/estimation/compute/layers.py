"""Forward time of one transformer layer on one accelerator, for one micro-batch.

Causal attention is counted once: a token attends to half of the sequence on average. Kernels that do not fuse the
softmax compute and store the whole square.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value, grouped_product_seconds, product_seconds
from gpuconfig.engine.estimation.graph import quantity
from gpuconfig.engine.estimation.power.sustained import held_clock

ROOFLINE = "https://doi.org/10.1145/1498765.1498785"
FLASH = "https://arxiv.org/abs/2307.08691"


@quantity(unit="token")
def tokens_per_gpu(
    micro_batch_size: Value, sequence_length: Value, sequences_per_sample: Value, context_parallel: Value,
    padding_skipped: Value,
) -> Value:  # fmt: skip
    """Tokens of one micro-batch that one accelerator computes; kernels that skip padding compute fewer"""
    computed = 1.0 - padding_skipped * np.maximum(np.log2(sequence_length / 128.0), 0.0)
    return (
        micro_batch_size
        * sequence_length
        * sequences_per_sample
        / context_parallel
        * np.maximum(computed, 0.3)
    )


@quantity(unit="1")
def clock(
    power_speed: Value, vector_flops: Value, tdp_w: Value, flops_per_watt: Value, clock_slope: Value
) -> Value:
    """Clock held in training over the rated one: what the board's power feeds, less what a limit or heat takes"""
    return power_speed * held_clock(vector_flops, tdp_w, flops_per_watt, clock_slope)


@quantity(unit="FLOP/s")
def product_rate(product_peak_flops: Value, product_ceiling: Value, clock: Value) -> Value:
    """Rate of large matrix products in the training precision"""
    return product_peak_flops * product_ceiling * clock


@quantity(unit="FLOP/s")
def base_rate(base_peak_flops: Value, base_ceiling: Value, clock: Value) -> Value:
    """Rate of large matrix products in 16 bit (or in the training precision where that is wider)"""
    return base_peak_flops * base_ceiling * clock


@quantity(unit="B/s")
def usable_bytes_per_s(memory_bytes_per_s: Value, bandwidth_ceiling: Value) -> Value:
    """Memory bandwidth that streaming kernels reach"""
    return memory_bytes_per_s * bandwidth_ceiling


@quantity(unit="1", source="https://arxiv.org/abs/2405.04434")
def attention_input_width(
    hidden: Value, heads: Value, kv_heads: Value, head_dim: Value, mla: Value, mla_kv_rank: Value, mla_rope_dim: Value,
    mla_q_rank: Value, mla_nope_dim: Value, mla_value_dim: Value,
) -> Value:  # fmt: skip
    """Features that queries, keys and values are projected to (latent attention: its weights over the hidden size)"""
    query = heads * (mla_nope_dim + mla_rope_dim)
    queries = np.where(mla_q_rank > 0, mla_q_rank * (hidden + query), hidden * query)
    latent = hidden * (mla_kv_rank + mla_rope_dim) + mla_kv_rank * heads * (mla_nope_dim + mla_value_dim)
    return np.where(mla > 0, (queries + latent) / hidden, head_dim * (heads + 2.0 * kv_heads))


@quantity(unit="1")
def attention_output_width(heads: Value, head_dim: Value, mla: Value, mla_value_dim: Value) -> Value:
    """Features that attention hands to its output projection"""
    return heads * np.where(mla > 0, mla_value_dim, head_dim)


@quantity(unit="1")
def attention_core_width(
    heads: Value, head_dim: Value, mla: Value, mla_nope_dim: Value, mla_rope_dim: Value, mla_value_dim: Value
) -> Value:
    """Mean width of scores and of weighted values over all heads"""
    return heads * np.where(mla > 0, (mla_nope_dim + mla_rope_dim + mla_value_dim) / 2.0, head_dim)


@quantity(unit="token", source=FLASH)
def attended_tokens(
    sequence_length: Value, layers: Value, full_attention_layers: Value, sliding_attention_layers: Value,
    sliding_window: Value, linear_attention_layers: Value, causal: Value,
) -> Value:  # fmt: skip
    """Tokens a token attends to, mean over sequence and layers; causal: half; linear layers count as a chunk of 64"""
    half = sequence_length / (1.0 + causal)
    window = np.where(sliding_attention_layers > 0, np.minimum(sliding_window, half), 0.0)
    total = full_attention_layers * half + sliding_attention_layers * window + linear_attention_layers * 64.0
    return np.maximum(total / layers, 1.0)


@quantity(unit="1")
def dense_ffn(
    layers: Value, moe_layers: Value, ffn: Value, shared_experts: Value, shared_expert_ffn: Value
) -> Value:
    """Inner size of the feed-forward every token passes, mean over the layers"""
    return ((layers - moe_layers) * ffn + moe_layers * shared_experts * shared_expert_ffn) / layers


@quantity(unit="s", source=ROOFLINE)
def projection_seconds(
    tokens_per_gpu: Value, hidden: Value, attention_input_width: Value, attention_output_width: Value,
    tensor_parallel: Value, product_rate: Value, product_value_bytes: Value, usable_bytes_per_s: Value,
    exposed_traffic: Value,
) -> Value:  # fmt: skip
    """Query, key, value and output projections of one layer, forward"""
    tail = (product_rate, product_value_bytes, usable_bytes_per_s, exposed_traffic)
    joined = product_seconds(tokens_per_gpu, attention_input_width / tensor_parallel, hidden, *tail)
    return joined + product_seconds(tokens_per_gpu, hidden, attention_output_width / tensor_parallel, *tail)


@quantity(unit="s", source=ROOFLINE)
def feed_forward_seconds(
    tokens_per_gpu: Value, hidden: Value, dense_ffn: Value, mlp_matrices: Value, tensor_parallel: Value,
    product_rate: Value, product_value_bytes: Value, usable_bytes_per_s: Value, exposed_traffic: Value,
) -> Value:  # fmt: skip
    """Dense feed-forward of one layer, forward (in a mixture of experts: the shared experts)"""
    tail = (product_rate, product_value_bytes, usable_bytes_per_s, exposed_traffic)
    width = dense_ffn / tensor_parallel
    up = product_seconds(tokens_per_gpu, width * (mlp_matrices - 1.0), hidden, *tail)
    return up + product_seconds(tokens_per_gpu, hidden, width, *tail)


@quantity(unit="token", source="https://arxiv.org/abs/2101.03961")
def routed_tokens_per_gpu(
    tokens_per_gpu: Value, experts_per_token: Value, expert_tensor_parallel: Value, tensor_parallel: Value,
    moe_capacity: Value,
) -> Value:  # fmt: skip
    """Token copies that the experts of one accelerator work on; padding up to the capacity is work too

    A stated capacity is taken as padded to, as DeepSpeed and Megatron-Bridge's token drop do. What it costs follows
    the experts' share of the step: at capacity 5, 1.3 times the step where that is 8 %, 3.9 times where it is 72 %.
    """
    return (
        tokens_per_gpu
        * experts_per_token
        * expert_tensor_parallel
        / tensor_parallel
        * np.maximum(moe_capacity, 1.0)
    )


@quantity(unit="s", source=ROOFLINE)
def expert_seconds(
    routed_tokens_per_gpu: Value, expert_hidden: Value, expert_ffn: Value, mlp_matrices: Value, experts: Value,
    layers: Value, moe_layers: Value, expert_parallel: Value, expert_tensor_parallel: Value,
    product_rate: Value, product_value_bytes: Value,
    usable_bytes_per_s: Value, exposed_traffic: Value, grouped_efficiency: Value, expert_imbalance: Value,
) -> Value:  # fmt: skip
    """Routed experts, forward, mean over the layers: grouped products, the busiest accelerator sets the pace"""
    local, width = experts / expert_parallel, expert_ffn / expert_tensor_parallel
    tail = (
        local,
        product_rate * grouped_efficiency,
        product_value_bytes,
        usable_bytes_per_s,
        exposed_traffic,
    )
    up = grouped_product_seconds(routed_tokens_per_gpu, width * (mlp_matrices - 1.0), expert_hidden, *tail)
    down = grouped_product_seconds(routed_tokens_per_gpu, expert_hidden, width, *tail)
    skew = 1.0 + expert_imbalance * (1.0 - 1.0 / expert_parallel)
    return np.where(experts > 0, (up + down) * skew * moe_layers / layers, 0.0)


@quantity(unit="token", source=FLASH)
def scored_tokens(attended_tokens: Value, attention_excess: Value, causal: Value) -> Value:
    """Tokens a token is scored against: more than it attends to where the kernel does not skip the causal half"""
    return attended_tokens * (1.0 + (attention_excess - 1.0) * causal)


@quantity(unit="FLOP", source=FLASH)
def attention_flop(
    tokens_per_gpu: Value, scored_tokens: Value, attention_core_width: Value, tensor_parallel: Value
) -> Value:
    """Scores and weighted values of one layer, forward: 4 x tokens x scored tokens x width"""
    return 4.0 * tokens_per_gpu * scored_tokens * attention_core_width / tensor_parallel


@quantity(unit="s", source=FLASH)
def attention_seconds(
    attention_flop: Value, base_peak_flops: Value, attention_ceiling: Value, clock: Value, attended_tokens: Value,
    attention_half_length: Value, tokens_per_gpu: Value, heads: Value, tensor_parallel: Value, square_passes: Value,
    scored_tokens: Value, base_value_bytes: Value, usable_bytes_per_s: Value, head_dim: Value, mla: Value,
    misaligned_head: Value,
) -> Value:  # fmt: skip
    """Attention of one layer, forward; kernels without fused softmax also move the square through memory

    Heads whose size is no multiple of 8 miss the matrix units' tiles.
    """
    rate = (
        base_peak_flops
        * attention_ceiling
        * clock
        * attended_tokens
        / (attended_tokens + attention_half_length)
    )
    square = tokens_per_gpu * scored_tokens * heads / tensor_parallel
    seconds = attention_flop / rate + square_passes * base_value_bytes * square / usable_bytes_per_s
    return seconds * np.where((np.remainder(head_dim, 8.0) > 0) & (mla == 0), misaligned_head, 1.0)


@quantity(unit="1")
def active_ffn(
    dense_ffn: Value, layers: Value, moe_layers: Value, experts_per_token: Value, expert_ffn: Value
) -> Value:
    """Inner size of the feed-forward that one token passes in all, mean over the layers"""
    return dense_ffn + moe_layers / layers * experts_per_token * expert_ffn


@quantity(unit="B")
def elementwise_bytes(
    tokens_per_gpu: Value, hidden: Value, attention_output_width: Value, active_ffn: Value, mlp_matrices: Value,
    tensor_parallel: Value, sequence_parallel: Value, splits_norms: Value, elementwise_passes: Value,
    base_value_bytes: Value,
) -> Value:  # fmt: skip
    """Memory traffic of norms, residuals, rotary embedding and activation of one layer, forward"""
    whole = hidden / np.where(np.maximum(splits_norms, sequence_parallel) > 0, tensor_parallel, 1.0)
    split = (3.0 * attention_output_width + mlp_matrices * active_ffn) / tensor_parallel
    return tokens_per_gpu * base_value_bytes * elementwise_passes * (8.0 * whole + split)


@quantity(unit="s")
def elementwise_seconds(elementwise_bytes: Value, usable_bytes_per_s: Value) -> Value:
    """Norms, residuals, rotary embedding and activation of one layer, forward"""
    return elementwise_bytes / usable_bytes_per_s
