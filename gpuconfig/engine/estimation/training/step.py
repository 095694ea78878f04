"""One optimizer step: the slowest pipeline stage, the bubble, what communication and the host add."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value, hidden_behind
from gpuconfig.engine.estimation.graph import quantity

MEGATRON = "https://arxiv.org/abs/2104.04473"
INFINITY = "https://arxiv.org/abs/2104.07857"
ZERO_BUBBLE = "https://arxiv.org/abs/2401.10241"


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
    thread_exchange_seconds: Value,
) -> Value:
    """One micro-batch on the slowest stage with everything that is not hidden"""
    exchanged = stage_transfer_seconds + exposed_shard_seconds + thread_exchange_seconds
    return stage_device_seconds + exchanged + offload_seconds


@quantity(unit="s", source=ZERO_BUBBLE)
def weight_pass_seconds(
    forward_products_seconds: Value,
    weight_gradient_share: Value,
    layers_per_stage: Value,
    software_speed: Value,
) -> Value:
    """Weight gradients of one micro-batch on one stage: work that may wait and fill a bubble"""
    return forward_products_seconds * weight_gradient_share * layers_per_stage / software_speed


@quantity(unit="1", source=ZERO_BUBBLE)
def unfilled_bubble(
    bubble_filling_passes: Value, weight_pass_seconds: Value, micro_batch_seconds: Value
) -> Value:
    """Share of the 1F1B bubble that is left: ZB-H1 fills it with two weight passes a stage, ZB-H2 and V with three"""
    return np.maximum(1.0 - bubble_filling_passes * weight_pass_seconds / micro_batch_seconds, 0.0)


@quantity(unit="1", source=MEGATRON)
def bubble_share(
    pipeline_parallel: Value, virtual_pipeline: Value, gradient_accumulation: Value, unfilled_bubble: Value
) -> Value:
    """Share of the step that a pipeline stage waits: b / (m v + b), b = (p - 1) x the share that nothing fills"""
    waiting = (pipeline_parallel - 1.0) * unfilled_bubble
    return waiting / (gradient_accumulation * virtual_pipeline + waiting)


@quantity(unit="s", source=MEGATRON)
def pipeline_seconds(micro_batch_seconds: Value, gradient_accumulation: Value, bubble_share: Value) -> Value:
    """All micro-batches of a step through the pipeline, bubble included"""
    return micro_batch_seconds * gradient_accumulation / (1.0 - bubble_share)


@quantity(unit="s", source="https://kellerjordan.github.io/posts/muon/")
def orthogonal_seconds(
    orthogonalises: Value, stage_trained_weights: Value, hidden: Value, ffn: Value, experts: Value,
    expert_ffn: Value, zero_stage: Value, replica_group_size: Value, base_rate: Value,
) -> Value:  # fmt: skip
    """Muon's matrix products: five Newton-Schulz iterations of 4 m + 2 m^2 / n FLOPs for each weight of an m x n matrix

    Counted for the matrices of the feed-forward, most of the weights; ranks that shard the states share the work.
    """
    inner = np.where(experts > 0, expert_ffn, ffn)
    small, large = np.minimum(hidden, inner), np.maximum(hidden, inner)
    each = 5.0 * (4.0 * small + 2.0 * small * small / np.maximum(large, 1.0))
    shards = np.where(zero_stage > 0, replica_group_size, 1.0)
    return orthogonalises * stage_trained_weights * each / shards / base_rate


@quantity(unit="s")
def optimizer_seconds(
    stage_trained_weights: Value, state_bytes: Value, master_bytes: Value, gradient_bytes: Value,
    trained_weight_bytes: Value, zero_stage: Value, replica_group_size: Value, optimizer_passes: Value,
    usable_bytes_per_s: Value, offload_optimizer: Value, orthogonal_seconds: Value,
) -> Value:  # fmt: skip
    """Optimizer step on the accelerator: states and weights read and written, gradients read"""
    each = 2.0 * (state_bytes + np.maximum(master_bytes, trained_weight_bytes)) + gradient_bytes
    shards = np.where(zero_stage > 0, replica_group_size, 1.0)
    moved = optimizer_passes * stage_trained_weights * each / shards
    return np.where(offload_optimizer > 0, 0.0, moved / usable_bytes_per_s) + orthogonal_seconds


@quantity(unit="B/s", source=INFINITY)
def drive_bytes_per_s_per_gpu(
    storage_bytes_per_s: Value, usual_storage_bytes_per_s: Value, gpus_per_node: Value
) -> Value:
    """Rate of a machine's drives that falls to one accelerator; a usual drive where the storage is not stated"""
    rate = np.where(np.isnan(storage_bytes_per_s), usual_storage_bytes_per_s, storage_bytes_per_s)
    return rate / gpus_per_node


@quantity(unit="s")
def offload_traffic_seconds(
    offload_activations: Value, offload_parameters: Value, activation_message_bytes: Value, layers_per_stage: Value,
    stage_weights: Value, linear_weight_bytes: Value, zero_stage: Value, replica_group_size: Value,
    host_link_bytes_per_s: Value, offload_nvme: Value, drive_bytes_per_s_per_gpu: Value,
) -> Value:  # fmt: skip
    """Moving activations and weights of one micro-batch over the host link

    Weights on NVMe come at the drives' rate, which the cards of a machine share.
    """
    activations = 2.0 * offload_activations * activation_message_bytes * layers_per_stage
    shards = np.where(zero_stage == 3, replica_group_size, 1.0)
    weights = 2.0 * offload_parameters * stage_weights * linear_weight_bytes / shards
    drives = np.where(offload_nvme > 0, drive_bytes_per_s_per_gpu, np.inf)
    rate = np.minimum(host_link_bytes_per_s, drives)
    return activations / host_link_bytes_per_s + weights / rate


@quantity(unit="s")
def offload_seconds(
    offload_traffic_seconds: Value, stage_device_seconds: Value, offload_exposed: Value
) -> Value:
    """What of moving one micro-batch's activations and weights over the host link compute does not hide"""
    longer = np.maximum(offload_traffic_seconds - stage_device_seconds, 0.0)
    return longer + offload_exposed * offload_traffic_seconds


@quantity(unit="s")
def covering_seconds(stage_device_seconds: Value, offload_traffic_seconds: Value) -> Value:
    """Compute of one micro-batch behind which traffic between cards can hide: what the host link leaves of it"""
    return np.maximum(stage_device_seconds - offload_traffic_seconds, 0.0)


@quantity(unit="s", source="https://arxiv.org/abs/2101.06840")
def host_optimizer_seconds(
    offload_optimizer: Value, stage_trained_weights: Value, state_bytes: Value, master_bytes: Value,
    zero_stage: Value, replica_group_size: Value, host_link_bytes_per_s: Value, host_memory_bytes_per_s: Value,
    usual_host_bytes_per_s: Value, gpus_per_node: Value, offload_nvme: Value, drive_bytes_per_s_per_gpu: Value,
) -> Value:  # fmt: skip
    """Optimizer step on the host: gradients down, weights up, states through host memory shared by the machine

    States on NVMe are read and written once a step; reading, computing and writing overlap, so the slowest counts.
    """
    mine = offload_optimizer * stage_trained_weights / np.where(zero_stage > 0, replica_group_size, 1.0)
    link = mine * 4.0 / host_link_bytes_per_s
    bandwidth = np.where(np.isnan(host_memory_bytes_per_s), usual_host_bytes_per_s, host_memory_bytes_per_s)
    memory = mine * 2.0 * (state_bytes + master_bytes + 4.0) * gpus_per_node / bandwidth
    drives = offload_nvme * mine * 2.0 * (state_bytes + master_bytes) / drive_bytes_per_s_per_gpu
    return link + np.maximum(memory, drives)


@quantity(unit="token")
def tokens_per_step(
    micro_batch_size: Value, sequence_length: Value, sequences_per_sample: Value, gradient_accumulation: Value,
    data_parallel: Value,
) -> Value:  # fmt: skip
    """Tokens of one optimizer step over all accelerators; both answers of a preference pair count"""
    samples = micro_batch_size * gradient_accumulation * data_parallel
    return samples * sequence_length * sequences_per_sample


@quantity(unit="1")
def images_per_step(tokens_per_step: Value, sequence_length: Value, images_per_sequence: Value) -> Value:
    """Images of one optimizer step over all accelerators"""
    return tokens_per_step / sequence_length * images_per_sequence


@quantity(unit="s")
def input_seconds(
    tokens_per_step: Value, images_per_step: Value, nodes: Value, storage_bytes_per_s: Value, token_bytes: Value,
    stored_image_bytes: Value, cpu_cores: Value, core_images_per_s: Value,
) -> Value:  # fmt: skip
    """Reading the tokens and images of one step and decoding the images; nothing where the machine is not stated"""
    reading = (tokens_per_step * token_bytes + images_per_step * stored_image_bytes) / (
        nodes * storage_bytes_per_s
    )
    decoding = images_per_step / (nodes * cpu_cores * core_images_per_s)
    return np.fmax(np.fmax(reading, decoding), 0.0)


@quantity(unit="s")
def working_seconds(
    trained_copies: Value, pipeline_seconds: Value, exposed_gradient_seconds: Value, optimizer_seconds: Value,
    host_optimizer_seconds: Value, step_host_seconds: Value, scoring_seconds: Value, generation_seconds: Value,
) -> Value:  # fmt: skip
    """One optimizer step, before stragglers and input; PPO trains a value model of the same size too"""
    trained = pipeline_seconds + exposed_gradient_seconds + optimizer_seconds + host_optimizer_seconds
    return trained_copies * trained + step_host_seconds + scoring_seconds + generation_seconds


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
