"""What each kind of parallelism moves in one training step, and what of it compute does not hide."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.communication.collectives import Value, all_reduce, exchange, gather
from gpuconfig.engine.estimation.graph import quantity

MEGATRON = "https://arxiv.org/abs/2104.04473"
ZERO = "https://arxiv.org/abs/1910.02054"
FSDP = "https://arxiv.org/abs/2304.11277"


@quantity(unit="B", source=MEGATRON)
def activation_message_bytes(tokens_per_gpu: Value, hidden: Value, residual_bytes: Value) -> Value:
    """Residual stream of one micro-batch on one accelerator"""
    return tokens_per_gpu * hidden * residual_bytes


@quantity(unit="s", source=MEGATRON)
def tensor_collective_seconds(
    activation_message_bytes: Value, tensor_parallel: Value, tensor_bytes_per_s: Value, tensor_latency_s: Value,
    tensor_ramp_s: Value,
) -> Value:  # fmt: skip
    """One all-reduce (or reduce-scatter with all-gather) over the tensor parallel group"""
    return all_reduce(
        activation_message_bytes, tensor_parallel, tensor_bytes_per_s, tensor_latency_s, tensor_ramp_s
    )


@quantity(unit="s", source=MEGATRON)
def layer_tensor_seconds(
    tensor_collective_seconds: Value, recomputed_layers: Value, tensor_exposed: Value
) -> Value:
    """Tensor-parallel communication of one layer that is not hidden: two collectives each pass"""
    return tensor_collective_seconds * (4.0 + 2.0 * recomputed_layers) * tensor_exposed


@quantity(unit="s", source="https://arxiv.org/abs/2310.01889")
def layer_context_seconds(
    tokens_per_gpu: Value, kv_heads: Value, head_dim: Value, base_value_bytes: Value, tensor_parallel: Value,
    context_parallel: Value, context_bytes_per_s: Value, context_latency_s: Value, recomputed_layers: Value,
    layer_attention_seconds: Value, context_exposed: Value,
) -> Value:  # fmt: skip
    """Keys and values passed round the context parallel ring for one layer, less what attention hides"""
    block = 2.0 * tokens_per_gpu * kv_heads * head_dim * base_value_bytes / tensor_parallel
    hop = (block / context_bytes_per_s + context_latency_s) * (context_parallel - 1.0)
    total = hop * (3.0 + recomputed_layers)
    return np.maximum(total * context_exposed, total - layer_attention_seconds)


@quantity(unit="s", source="https://arxiv.org/abs/2101.03961")
def layer_expert_seconds(
    routed_tokens_per_gpu: Value, hidden: Value, base_value_bytes: Value, expert_parallel: Value,
    expert_bytes_per_s: Value, expert_latency_s: Value, recomputed_layers: Value, layers: Value, moe_layers: Value,
    expert_exposed: Value,
) -> Value:  # fmt: skip
    """All-to-all of tokens to experts and back for one layer that is not hidden, mean over the layers"""
    message = routed_tokens_per_gpu * hidden * base_value_bytes
    once = exchange(message, expert_parallel, expert_bytes_per_s, expert_latency_s, 0.0)
    return once * (4.0 + 2.0 * recomputed_layers) * expert_exposed * moe_layers / layers


@quantity(unit="s", source=MEGATRON)
def stage_transfer_seconds(
    activation_message_bytes: Value, tensor_parallel: Value, pipeline_parallel: Value, virtual_pipeline: Value,
    pipeline_bytes_per_s: Value, pipeline_latency_s: Value, pipeline_exposed: Value,
) -> Value:  # fmt: skip
    """Sending activations and gradients of one micro-batch between stages that is not hidden; tensor ranks share it"""
    once = activation_message_bytes / tensor_parallel / pipeline_bytes_per_s + pipeline_latency_s
    return np.where(pipeline_parallel > 1, 2.0 * virtual_pipeline * once * pipeline_exposed, 0.0)


@quantity(unit="parameter")
def stage_weights(
    layer_weights_per_gpu: Value, layers: Value, pipeline_parallel: Value, vocab: Value, hidden: Value,
    tied_embeddings: Value, tensor_parallel: Value,
) -> Value:  # fmt: skip
    """Weights of the heaviest pipeline stage on one accelerator, before sharding over data parallelism"""
    tables = np.where(pipeline_parallel > 1, 1.0, 2.0 - tied_embeddings)
    return layer_weights_per_gpu * layers / pipeline_parallel + tables * vocab * hidden / tensor_parallel


@quantity(unit="parameter", source="https://arxiv.org/abs/2106.09685")
def stage_trained_weights(
    stage_weights: Value, weight_gradient_share: Value, trains_all: Value, lora_rank: Value,
    lora_parameters_per_rank_layer: Value, layers: Value, pipeline_parallel: Value, tensor_parallel: Value,
) -> Value:  # fmt: skip
    """Trained weights of one pipeline stage on one accelerator, before sharding over data parallelism"""
    adapters = lora_rank * lora_parameters_per_rank_layer * layers / (pipeline_parallel * tensor_parallel)
    return np.where(trains_all > 0, stage_weights * weight_gradient_share, adapters)


@quantity(unit="s", source=ZERO)
def gradient_seconds(
    stage_trained_weights: Value, reduce_bytes: Value, trained_weight_bytes: Value, zero_stage: Value,
    replica_group_size: Value, replica_bytes_per_s: Value, replica_latency_s: Value, replica_ramp_s: Value,
    replica_ring_s: Value, replica_tree_s: Value, tree_share: Value, threaded_replicas: Value,
) -> Value:  # fmt: skip
    """Reducing gradients over the replicas once a step (ZeRO 1 and 2 scatter them and gather the weights)"""
    link = (replica_group_size, replica_bytes_per_s, replica_latency_s, replica_ramp_s)
    gradients = stage_trained_weights * reduce_bytes
    weights = stage_trained_weights * np.minimum(trained_weight_bytes, 2.0)
    scattered = gather(gradients, *link, replica_ring_s) + gather(weights, *link, replica_ring_s)
    whole = all_reduce(gradients, *link, replica_ring_s, replica_tree_s, tree_share)
    reduced = np.where(zero_stage == 0, whole, np.where(zero_stage < 3, scattered, 0.0))
    return np.where(threaded_replicas > 0, 0.0, reduced)


@quantity(unit="s", source=FSDP)
def shard_seconds(
    stage_weights: Value, gather_bytes: Value, stage_trained_weights: Value, reduce_bytes: Value, zero_stage: Value,
    layers: Value, replica_group_size: Value, replica_bytes_per_s: Value, replica_latency_s: Value,
    replica_ramp_s: Value, replica_ring_s: Value, gathered_parts: Value,
) -> Value:  # fmt: skip
    """Gathering weights for forward and backward and scattering gradients, part by part, for one micro-batch

    Gradients travel in buckets of many matrices, by layer at most.
    """
    link = (replica_group_size, replica_bytes_per_s, replica_latency_s, replica_ramp_s, replica_ring_s)
    weights = gather(stage_weights * gather_bytes / (layers * gathered_parts), *link)
    gradients = gather(stage_trained_weights * reduce_bytes / layers, *link)
    return np.where(zero_stage == 3, layers * (2.0 * gathered_parts * weights + gradients), 0.0)


@quantity(unit="s", source=FSDP)
def exposed_shard_seconds(shard_seconds: Value, covering_seconds: Value, shard_exposed: Value) -> Value:
    """What of gathering and scattering one micro-batch's compute does not hide"""
    return np.maximum(shard_seconds * shard_exposed, shard_seconds - covering_seconds)


@quantity(unit="s", source=ZERO)
def exposed_gradient_seconds(
    gradient_seconds: Value, covering_seconds: Value, replica_exposed: Value, pipeline_parallel: Value,
    virtual_pipeline: Value, unfilled_bubble: Value, gradient_window: Value,
) -> Value:  # fmt: skip
    """What of the gradients' reduction the last backward pass, and the waiting at the pipeline's end, do not hide"""
    waiting = (pipeline_parallel - 1.0) / virtual_pipeline * unfilled_bubble
    window = (gradient_window + waiting) * covering_seconds
    return np.maximum(gradient_seconds * replica_exposed, gradient_seconds - window)
