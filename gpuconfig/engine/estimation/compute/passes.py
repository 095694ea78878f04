"""Forward, backward and recomputed passes of one layer, the loss, adapters, dequantisation and the optimizer step."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value, product_seconds
from gpuconfig.engine.estimation.graph import quantity

LORA = "https://arxiv.org/abs/2106.09685"
QLORA = "https://arxiv.org/abs/2305.14314"
RECOMPUTE = "https://arxiv.org/abs/2205.05198"
LOOP = "https://huggingface.co/docs/transformers/experts_interface"
ZERO_3 = "https://github.com/QwenLM/Qwen3/issues/736"
ATTENTION_MATRICES = 4.0
EARLY_STOP = "https://docs.pytorch.org/docs/stable/checkpoint.html"


@quantity(unit="s")
def cast_seconds(
    fp8_training: Value, cast_passes: Value, tokens_per_gpu: Value, hidden: Value, attention_output_width: Value,
    active_ffn: Value, tensor_parallel: Value, usable_bytes_per_s: Value, routed_tokens_per_gpu: Value,
    layers: Value, moe_layers: Value, shared_experts: Value,
) -> Value:  # fmt: skip
    """Quantising the operands of one layer's matrix products, all passes of a training step

    Every copy of a token that is routed to an expert is quantised by itself.
    """
    routed = moe_layers / layers
    dense = 1.0 - routed * (shared_experts == 0)
    operands = hidden * (1.0 + dense) + (attention_output_width + active_ffn) / tensor_parallel
    values = tokens_per_gpu * operands + routed * routed_tokens_per_gpu * hidden
    return fp8_training * cast_passes * values / usable_bytes_per_s


@quantity(unit="s")
def permute_seconds(
    routed_tokens_per_gpu: Value, hidden: Value, base_value_bytes: Value, permute_passes: Value, experts: Value,
    layers: Value, moe_layers: Value, usable_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Routing tokens to experts and back within the accelerator, forward, mean over the layers"""
    moved = permute_passes * routed_tokens_per_gpu * hidden * base_value_bytes * moe_layers / layers
    return np.where(experts > 0, moved / usable_bytes_per_s, 0.0)


@quantity(unit="s")
def forward_products_seconds(
    projection_seconds: Value, feed_forward_seconds: Value, expert_seconds: Value
) -> Value:
    """All matrix products of one layer, forward"""
    return projection_seconds + feed_forward_seconds + expert_seconds


@quantity(unit="s")
def forward_memory_seconds(elementwise_seconds: Value, permute_seconds: Value) -> Value:
    """Memory-bound kernels of one layer, forward"""
    return elementwise_seconds + permute_seconds


@quantity(unit="1", source=LORA)
def weight_gradient_share(trains_all: Value, frozen_layers: Value, layers: Value) -> Value:
    """Share of the layers whose weight gradients are computed; none for adapters on frozen weights"""
    return trains_all * (1.0 - frozen_layers / layers)


@quantity(unit="1", source=RECOMPUTE)
def recomputed_layers(full_recompute: Value, recompute_share: Value) -> Value:
    """Share of the layers that the backward pass computes again"""
    return full_recompute * recompute_share


@quantity(unit="1", source=RECOMPUTE)
def recomputed_products(
    recomputed_layers: Value, selective_recompute: Value, selective_products: Value
) -> Value:
    """Share of the forward products that the backward pass repeats"""
    return recomputed_layers + (1.0 - recomputed_layers) * selective_recompute * selective_products


@quantity(unit="1", source=RECOMPUTE)
def recomputed_attention(
    recomputed_layers: Value, selective_recompute: Value, selective_attention: Value
) -> Value:
    """Share of the forward attention that the backward pass repeats"""
    return recomputed_layers + (1.0 - recomputed_layers) * selective_recompute * selective_attention


@quantity(unit="s", source=EARLY_STOP)
def repeated_products_seconds(
    forward_products_seconds: Value, feed_forward_seconds: Value, mlp_matrices: Value, recompute_stops_early: Value,
    recomputed_layers: Value, recomputed_products: Value,
) -> Value:  # fmt: skip
    """Matrix products of one layer that are computed again; the last of a whole layer may be left out"""
    left = recompute_stops_early * recomputed_layers * feed_forward_seconds / mlp_matrices
    return forward_products_seconds * recomputed_products - left


@quantity(unit="s")
def layer_products_seconds(
    forward_products_seconds: Value, weight_gradient_share: Value, repeated_products_seconds: Value
) -> Value:
    """Matrix products of one layer: forward, input and weight gradients, recomputation"""
    return forward_products_seconds * (2.0 + weight_gradient_share) + repeated_products_seconds


@quantity(unit="s")
def layer_attention_seconds(
    attention_seconds: Value, attention_backward: Value, recomputed_attention: Value
) -> Value:
    """Attention of one layer: forward, backward, recomputation"""
    return attention_seconds * (1.0 + attention_backward + recomputed_attention)


@quantity(unit="s")
def layer_memory_seconds(
    forward_memory_seconds: Value, recomputed_layers: Value, cast_seconds: Value
) -> Value:
    """Memory-bound kernels of one layer: forward, backward (half as much again), recomputation, operand casts"""
    return forward_memory_seconds * (2.5 + recomputed_layers) + cast_seconds


@quantity(unit="s", source=LORA)
def layer_adapter_seconds(
    tokens_per_gpu: Value, hidden: Value, attention_input_width: Value, attention_output_width: Value,
    active_ffn: Value, lora_attention_inputs: Value, lora_o: Value, lora_mlp_inputs: Value, lora_down: Value,
    tensor_parallel: Value, base_value_bytes: Value, adapter_passes: Value, recomputed_layers: Value,
    usable_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Low-rank adapters of one layer, all passes: bound by reading inputs and adding to outputs"""
    wide, split = hidden, 1.0 / tensor_parallel
    inputs = (lora_attention_inputs + lora_mlp_inputs) * wide + (
        lora_o * attention_output_width + lora_down * active_ffn
    ) * split
    outputs = (lora_attention_inputs / 3.0 * attention_input_width + lora_mlp_inputs * active_ffn) * split + (
        lora_o + lora_down
    ) * wide
    moved = adapter_passes * base_value_bytes * tokens_per_gpu * (inputs + 2.0 * outputs)
    return moved * (3.0 + recomputed_layers) / usable_bytes_per_s


@quantity(unit="parameter")
def layer_weights_per_gpu(
    hidden: Value, attention_input_width: Value, attention_output_width: Value, dense_ffn: Value, mlp_matrices: Value,
    tensor_parallel: Value, layers: Value, moe_layers: Value, experts: Value, expert_hidden: Value, expert_ffn: Value,
    expert_parallel: Value, expert_tensor_parallel: Value,
) -> Value:  # fmt: skip
    """Weights of one layer on one accelerator, before sharding over data parallelism"""
    dense = (
        hidden * (attention_input_width + attention_output_width + mlp_matrices * dense_ffn) / tensor_parallel
    )
    routed = moe_layers / layers * experts * mlp_matrices * expert_hidden * expert_ffn
    return dense + routed / (expert_parallel * expert_tensor_parallel)


@quantity(unit="s", source=QLORA)
def layer_dequantise_seconds(
    layer_weights_per_gpu: Value, linear_weight_bytes: Value, dequantised_bytes: Value, dequantise_passes: Value,
    recomputed_layers: Value, usable_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Dequantising the frozen weights of one layer: forward, backward and recomputation"""
    moved = layer_weights_per_gpu * (linear_weight_bytes + dequantised_bytes) * (dequantised_bytes > 0)
    return dequantise_passes * moved * (2.0 + recomputed_layers) / usable_bytes_per_s


@quantity(unit="1", source=LOOP)
def experts_hit(routed_tokens_per_gpu: Value, experts: Value, expert_parallel: Value) -> Value:
    """Experts of a layer held here that at least one token of a micro-batch is routed to"""
    held = experts / expert_parallel
    return held * (1.0 - np.exp(-routed_tokens_per_gpu / np.maximum(held, 1.0)))


@quantity(unit="s", source=LOOP)
def looped_experts_seconds(
    experts_hit: Value,
    looped_expert_seconds: Value,
    moe_layers: Value,
    layers: Value,
    recomputed_layers: Value,
) -> Value:
    """Host time of a loop over the experts that are hit, mean over the layers: forward, recomputation, backward

    Each of them is found, gathered, multiplied and added back by launches of its own.
    """
    return experts_hit * looped_expert_seconds * moe_layers / layers * (2.0 + recomputed_layers)


@quantity(unit="1", source=ZERO_3)
def gathered_parts(
    gathers_modules: Value, mlp_matrices: Value, lora_attention_inputs: Value, lora_o: Value, lora_mlp_inputs: Value,
    lora_down: Value, experts: Value, looped_expert_seconds: Value, shared_experts: Value, moe_layers: Value,
    layers: Value,
) -> Value:  # fmt: skip
    """Parts in which the weights of a layer are gathered: the whole layer, or matrix by matrix with their adapters"""
    attention = ATTENTION_MATRICES + 2.0 * (lora_attention_inputs + lora_o)
    feed_forward = mlp_matrices + 2.0 * (lora_mlp_inputs + lora_down)
    routed = np.where(looped_expert_seconds > 0, experts, 1.0) + (shared_experts > 0)
    blocks = 1.0 + (routed - 1.0) * moe_layers / layers
    return np.where(gathers_modules > 0, attention + feed_forward * blocks, 1.0)


@quantity(unit="s")
def layer_launch_seconds(
    layer_host_seconds: Value, adapter_host_seconds: Value, shard_host_seconds: Value, zero_stage: Value,
    recomputed_layers: Value, lora_attention_inputs: Value, lora_o: Value, lora_mlp_inputs: Value, lora_down: Value,
    experts: Value, expert_parallel: Value, moe_layers: Value, layers: Value, expert_host_seconds: Value,
    threaded_replicas: Value, data_parallel: Value, looped_experts_seconds: Value, gathered_parts: Value,
) -> Value:  # fmt: skip
    """Host time to launch the kernels of one layer: forward, backward (twice), recomputation

    Threads of one process run Python code, that of the forward pass, one after the other.
    """
    adapted = lora_attention_inputs + lora_o + lora_mlp_inputs + lora_down
    held = experts / expert_parallel * moe_layers / layers
    forward = (
        layer_host_seconds
        + held * expert_host_seconds
        + adapted * adapter_host_seconds
        + np.where(zero_stage == 3, shard_host_seconds * gathered_parts, 0.0)
    )
    in_turn = np.where(threaded_replicas > 0, data_parallel, 1.0)
    return forward * (2.0 + (1.0 + recomputed_layers) * in_turn) + looped_experts_seconds


@quantity(unit="s")
def layer_device_seconds(
    layer_products_seconds: Value, layer_attention_seconds: Value, layer_memory_seconds: Value,
    layer_adapter_seconds: Value, layer_dequantise_seconds: Value, software_speed: Value,
) -> Value:  # fmt: skip
    """One layer on the accelerator, all passes of one micro-batch, without communication"""
    work = layer_products_seconds + layer_attention_seconds + layer_memory_seconds + layer_adapter_seconds
    return (work + layer_dequantise_seconds) / software_speed


@quantity(unit="s")
def head_seconds(
    tokens_per_gpu: Value, hidden: Value, vocab: Value, tensor_parallel: Value, base_rate: Value,
    base_value_bytes: Value, usable_bytes_per_s: Value, exposed_traffic: Value, trains_all: Value, scalar_head: Value,
    loss_passes: Value, loss_fused_linear: Value, software_speed: Value, predicted_share: Value,
) -> Value:  # fmt: skip
    """Output head and loss of one micro-batch, all passes; a fused linear loss computes the logits twice"""
    outputs = np.where(scalar_head > 0, 1.0, vocab / tensor_parallel)
    rows = tokens_per_gpu * predicted_share
    product = product_seconds(
        rows, outputs, hidden, base_rate, base_value_bytes, usable_bytes_per_s, exposed_traffic
    )
    traffic = loss_passes * rows * outputs * base_value_bytes / usable_bytes_per_s
    return (product * (2.0 + trains_all + loss_fused_linear) + traffic) / software_speed
