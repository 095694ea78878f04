"""One optimizer step: the slowest pipeline stage, the bubble, what communication and the host add."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value, hidden_behind
from gpuconfig.engine.estimation.graph import quantity

MEGATRON = "https://arxiv.org/abs/2104.04473"


@quantity(unit="1", source=MEGATRON)
def layers_per_stage(layers: Value, pipeline_parallel: Value, virtual_pipeline: Value) -> Value:
    """Layers of the fullest pipeline stage"""
    chunks = pipeline_parallel * virtual_pipeline
    return np.ceil(layers / chunks) * virtual_pipeline


@quantity(unit="s")
def layer_seconds(
    layer_device_seconds: Value, layer_tensor_seconds: Value, layer_context_seconds: Value, layer_expert_seconds: Value,
    layer_launch_seconds: Value,
) -> Value:  # fmt: skip
    """One layer, all passes of one micro-batch: the accelerator's work or its launching, whichever is longer"""
    device = layer_device_seconds + layer_tensor_seconds + layer_context_seconds + layer_expert_seconds
    return hidden_behind(device, layer_launch_seconds)


@quantity(unit="s")
def stage_device_seconds(layer_seconds: Value, layers_per_stage: Value, head_seconds: Value) -> Value:
    """One micro-batch on the slowest stage, the last one with the output head, without transfers"""
    return layer_seconds * layers_per_stage + head_seconds


@quantity(unit="s")
def micro_batch_seconds(
    stage_device_seconds: Value,
    stage_transfer_seconds: Value,
    exposed_shard_seconds: Value,
    offload_seconds: Value,
) -> Value:
    """One micro-batch on the slowest stage with everything that is not hidden"""
    return stage_device_seconds + stage_transfer_seconds + exposed_shard_seconds + offload_seconds


@quantity(unit="1", source=MEGATRON)
def bubble_share(pipeline_parallel: Value, virtual_pipeline: Value, gradient_accumulation: Value) -> Value:
    """Share of the step that a pipeline stage waits: (p - 1) / (m v + p - 1)"""
    return (pipeline_parallel - 1.0) / (gradient_accumulation * virtual_pipeline + pipeline_parallel - 1.0)


@quantity(unit="s", source=MEGATRON)
def pipeline_seconds(micro_batch_seconds: Value, gradient_accumulation: Value, bubble_share: Value) -> Value:
    """All micro-batches of a step through the pipeline, bubble included"""
    return micro_batch_seconds * gradient_accumulation / (1.0 - bubble_share)


@quantity(unit="s")
def optimizer_seconds(
    stage_trained_weights: Value, state_bytes: Value, master_bytes: Value, gradient_bytes: Value,
    trained_weight_bytes: Value, zero_stage: Value, replica_group_size: Value, optimizer_passes: Value,
    usable_bytes_per_s: Value, offload_optimizer: Value,
) -> Value:  # fmt: skip
    """Optimizer step on the accelerator: states and weights read and written, gradients read"""
    each = 2.0 * (state_bytes + np.maximum(master_bytes, trained_weight_bytes)) + gradient_bytes
    shards = np.where(zero_stage > 0, replica_group_size, 1.0)
    moved = optimizer_passes * stage_trained_weights * each / shards
    return np.where(offload_optimizer > 0, 0.0, moved / usable_bytes_per_s)


@quantity(unit="s")
def offload_seconds(
    offload_activations: Value, offload_parameters: Value, activation_message_bytes: Value, layers_per_stage: Value,
    stage_weights: Value, linear_weight_bytes: Value, zero_stage: Value, replica_group_size: Value,
    host_link_bytes_per_s: Value, stage_device_seconds: Value,
) -> Value:  # fmt: skip
    """Moving activations and weights of one micro-batch over the host link, less what compute hides"""
    activations = 2.0 * offload_activations * activation_message_bytes * layers_per_stage
    shards = np.where(zero_stage == 3, replica_group_size, 1.0)
    weights = 2.0 * offload_parameters * stage_weights * linear_weight_bytes / shards
    seconds = (activations + weights) / host_link_bytes_per_s
    return np.maximum(seconds - stage_device_seconds, 0.0) + 0.1 * seconds


@quantity(unit="s", source="https://arxiv.org/abs/2101.06840")
def host_optimizer_seconds(
    offload_optimizer: Value, stage_trained_weights: Value, state_bytes: Value, master_bytes: Value,
    zero_stage: Value, replica_group_size: Value, host_link_bytes_per_s: Value, host_memory_bytes_per_s: Value,
    usual_host_bytes_per_s: Value, gpus_per_node: Value,
) -> Value:  # fmt: skip
    """Optimizer step on the host: gradients down, weights up, states through host memory shared by the machine"""
    mine = offload_optimizer * stage_trained_weights / np.where(zero_stage > 0, replica_group_size, 1.0)
    link = mine * 4.0 / host_link_bytes_per_s
    bandwidth = np.where(np.isnan(host_memory_bytes_per_s), usual_host_bytes_per_s, host_memory_bytes_per_s)
    return link + mine * 2.0 * (state_bytes + master_bytes + 4.0) * gpus_per_node / bandwidth


@quantity(unit="token")
def tokens_per_step(
    micro_batch_size: Value, sequence_length: Value, gradient_accumulation: Value, data_parallel: Value
) -> Value:
    """Tokens of one optimizer step over all accelerators"""
    return micro_batch_size * sequence_length * gradient_accumulation * data_parallel


@quantity(unit="s")
def input_seconds(
    tokens_per_step: Value, nodes: Value, storage_bytes_per_s: Value, token_bytes: Value
) -> Value:
    """Reading the tokens of one step from storage; nothing where the storage is not known"""
    seconds = tokens_per_step * token_bytes / (nodes * storage_bytes_per_s)
    return np.where(np.isnan(seconds), 0.0, seconds)


@quantity(unit="s")
def working_seconds(
    pipeline_seconds: Value, exposed_gradient_seconds: Value, optimizer_seconds: Value, host_optimizer_seconds: Value,
    step_host_seconds: Value,
) -> Value:  # fmt: skip
    """One optimizer step, before stragglers and input"""
    return (
        pipeline_seconds
        + exposed_gradient_seconds
        + optimizer_seconds
        + host_optimizer_seconds
        + step_host_seconds
    )


@quantity(unit="s")
def straggler_seconds(working_seconds: Value, nodes: Value, straggler_share: Value) -> Value:
    """Waiting for the slowest machine: a share of the step for each doubling of machines"""
    return working_seconds * straggler_share * np.log2(nodes)


@quantity(unit="s")
def step_seconds(working_seconds: Value, straggler_seconds: Value, input_seconds: Value) -> Value:
    """One optimizer step"""
    return np.maximum(working_seconds + straggler_seconds, input_seconds)


@quantity(unit="token/s")
def tokens_per_s(tokens_per_step: Value, step_seconds: Value) -> Value:
    """Tokens trained a second by all accelerators"""
    return tokens_per_step / step_seconds
