"""What lives for a moment: gathered layers, unsharded gradients, buckets, dequantised matrices, step temporaries."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

FSDP = "https://arxiv.org/abs/2304.11277"
DATA_PARALLEL = "https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html"
DEEPSPEED = "https://www.deepspeed.ai/docs/config-json/"


@quantity(unit="parameter")
def largest_layer_parameters(
    attention_parameters_per_layer: Value,
    dense_mlp_parameters_per_layer: Value,
    shared_expert_parameters_per_layer: Value,
    routed_expert_parameters: Value,
    experts: Value,
    moe_layers: Value,
    layers: Value,
    tensor_parallel: Value,
    expert_parallel: Value,
    expert_tensor_parallel: Value,
    layer_scale: Value,
) -> Value:
    """Weights of the largest layer of one rank when it is whole."""
    routed = experts * routed_expert_parameters / (expert_parallel * expert_tensor_parallel)
    moe = (attention_parameters_per_layer + shared_expert_parameters_per_layer) / tensor_parallel + routed
    dense = (attention_parameters_per_layer + dense_mlp_parameters_per_layer) / tensor_parallel
    largest = np.maximum(np.where(moe_layers > 0, moe, 0), np.where(layers > moe_layers, dense, 0))
    return largest * layer_scale


@quantity(unit="1")
def fully_sharded(zero_stage: Value, shard_ranks: Value) -> Value:
    """1 where weights are sharded and gathered layer by layer."""
    return np.where((zero_stage >= 3) & (shard_ranks > 1), 1.0, 0.0)


@quantity(unit="1")
def gathers_layers(fully_sharded: Value, offload_parameters: Value) -> Value:
    """1 where the card does not keep whole weights: they come layer by layer from other cards or from the host."""
    return np.maximum(fully_sharded, offload_parameters)


@quantity(unit="B", source=FSDP)
def gathered_layer_bytes(
    largest_layer_parameters: Value,
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    gather_bytes: Value,
    gathers_layers: Value,
) -> Value:
    """One sharded or offloaded layer while it is whole on the card."""
    layers = matrix_parameters_per_rank + expert_parameters_per_rank
    return gathers_layers * np.minimum(largest_layer_parameters, layers) * gather_bytes


@quantity(unit="B", source=FSDP)
def gathered_table_bytes(
    table_parameters_per_rank: Value,
    gather_bytes: Value,
    compute_bytes: Value,
    gathers_layers: Value,
    trains_all: Value,
) -> Value:
    """Sharded embeddings and head, the unit that stays whole from the first layer to the last."""
    return gathers_layers * table_parameters_per_rank * np.where(trains_all > 0, gather_bytes, compute_bytes)


@quantity(unit="B", source=DEEPSPEED)
def live_bytes(
    largest_layer_parameters: Value,
    table_parameters_per_rank: Value,
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    live_parameters: Value,
    gather_bytes: Value,
    gathered_table_bytes: Value,
    gathers_layers: Value,
) -> Value:
    """Weights that stay gathered within a budget (DeepSpeed), at least embeddings and head; 0 without a budget."""
    layers = matrix_parameters_per_rank + expert_parameters_per_rank
    budget = np.minimum(live_parameters + largest_layer_parameters, layers + table_parameters_per_rank)
    live = np.maximum(budget * gather_bytes, gathered_table_bytes)
    return gathers_layers * np.where(live_parameters > 0, live, 0)


@quantity(unit="B", source=FSDP)
def gathered_at_loss_bytes(gathered_table_bytes: Value, live_bytes: Value) -> Value:
    """Gathered weights at the end of the forward pass, when every layer is a shard again."""
    return np.maximum(gathered_table_bytes, live_bytes)


@quantity(unit="B", source=FSDP)
def gathered_first_bytes(
    gathered_table_bytes: Value, gathered_layer_bytes: Value, gathered_layers: Value, live_bytes: Value
) -> Value:
    """Gathered weights when the backward pass begins: the layer at work and the one fetched ahead."""
    one_by_one = gathered_table_bytes + gathered_layers * gathered_layer_bytes
    return np.where(live_bytes > 0, live_bytes, one_by_one)


@quantity(unit="B", source=FSDP)
def gathered_last_bytes(gathered_table_bytes: Value, gathered_layer_bytes: Value, live_bytes: Value) -> Value:
    """Gathered weights when the backward pass reaches its last layer: nothing is fetched ahead any more."""
    return np.where(live_bytes > 0, live_bytes, gathered_table_bytes + gathered_layer_bytes)


@quantity(unit="1")
def shards_gradients(zero_stage: Value, shard_ranks: Value) -> Value:
    """1 where gradients are reduced to shards during the backward pass."""
    return np.where((zero_stage >= 2) & (shard_ranks > 1), 1.0, 0.0)


@quantity(unit="B", source=FSDP)
def unsharded_gradient_bytes(
    largest_layer_parameters: Value,
    head_matrix_parameters: Value,
    trains_all: Value,
    reduce_bytes: Value,
    shards_gradients: Value,
    bucket_elements: Value,
) -> Value:
    """Gradients of one layer or of the head before they are reduced to their shards, and the bucket they travel in."""
    unit = np.maximum(largest_layer_parameters, head_matrix_parameters)
    return trains_all * shards_gradients * reduce_bytes * (unit + bucket_elements)


@quantity(unit="B")
def data_parallel_bucket_bytes(
    trained_dense_per_rank: Value,
    gradient_bytes: Value,
    gradient_bucket_copies: Value,
    zero_stage: Value,
    data_parallel: Value,
    threaded_replicas: Value,
) -> Value:
    """Buckets of plain data parallelism, a second copy of the gradients."""
    plain = np.where((zero_stage == 0) & (data_parallel > 1) & (threaded_replicas == 0), 1.0, 0.0)
    return plain * gradient_bucket_copies * trained_dense_per_rank * gradient_bytes


@quantity(unit="B", source=DATA_PARALLEL)
def gathered_output_bytes(replica_output_bytes: Value, data_parallel: Value) -> Value:
    """Logits of the other copies on the first card of a process with threads, at the end of the forward pass."""
    return replica_output_bytes * (data_parallel - 1)


@quantity(unit="B", source=DATA_PARALLEL)
def summed_gradient_bytes(
    all_gradient_bytes: Value, gradient_accumulation: Value, threaded_replicas: Value, data_parallel: Value
) -> Value:
    """Gradients on the first card of a process with threads while they are summed.

    Its own copy's gradients stay until all are there, beside their sum and what earlier micro-batches left.
    """
    copies = np.where(gradient_accumulation > 1, 2.0, 1.0)
    return np.where((threaded_replicas > 0) & (data_parallel > 1), copies * all_gradient_bytes, 0.0)


@quantity(unit="B", source="https://docs.pytorch.org/docs/stable/amp.html")
def autocast_copy_bytes(
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    compute_bytes: Value,
    autocast_copies: Value,
) -> Value:
    """Copies of fp32 weights in the compute format, which autocast keeps to the end of the forward pass."""
    return autocast_copies * compute_bytes * (matrix_parameters_per_rank + expert_parameters_per_rank)


@quantity(unit="parameter")
def largest_matrix_parameters(
    hidden: Value, ffn: Value, expert_ffn: Value, heads: Value, head_dim: Value, tensor_parallel: Value
) -> Value:
    """Weights of the largest matrix of a layer."""
    return hidden * np.maximum(np.maximum(ffn, expert_ffn), heads * head_dim) / tensor_parallel


@quantity(unit="B")
def dequantised_matrix_bytes(largest_matrix_parameters: Value, dequantised_bytes: Value) -> Value:
    """The largest quantised matrix while it is dequantised for a product."""
    return largest_matrix_parameters * dequantised_bytes


@quantity(unit="B", source="https://arxiv.org/abs/2402.09353")
def magnitude_matrix_bytes(largest_matrix_parameters: Value, dora: Value, compute_bytes: Value) -> Value:
    """DoRA: the product of an adapter and its sum with the frozen matrix, whose norm is taken in each pass."""
    return 2 * dora * largest_matrix_parameters * compute_bytes


@quantity(unit="parameter")
def head_matrix_parameters(
    trained_tables_per_rank: Value, vocab: Value, hidden: Value, tensor_parallel: Value
) -> Value:
    """Trained weights of the output head on one rank, where it is trained."""
    return np.minimum(trained_tables_per_rank, vocab * hidden / tensor_parallel)


@quantity(unit="B")
def head_gradient_bytes(
    head_matrix_parameters: Value,
    gradient_bytes: Value,
    shards_gradients: Value,
    trained_weight_bytes: Value,
    optimizer_in_backward: Value,
) -> Value:
    """Gradient of the output head, the first that the backward pass makes, where it is not yet to be reduced."""
    kept = gradient_bytes * (1 - shards_gradients)
    return head_matrix_parameters * np.where(optimizer_in_backward > 0, trained_weight_bytes, kept)


@quantity(unit="B")
def step_temporary_bytes(
    stepped_parameters: Value,
    step_bytes: Value,
    step_gradient_bytes: Value,
    step_group_elements: Value,
    master_bytes: Value,
    zero_stage: Value,
    offload_optimizer: Value,
) -> Value:
    """Temporaries of the optimizer step: those of torch's foreach form, or fp32 gradients of the master weights."""
    in_groups = (zero_stage >= 3) & (step_group_elements > 0)
    at_once = np.where(in_groups, np.minimum(stepped_parameters, step_group_elements), stepped_parameters)
    gradients = at_once * np.where(master_bytes > 0, step_gradient_bytes, 0)
    return (stepped_parameters * step_bytes + gradients) * (1 - offload_optimizer)


@quantity(unit="B")
def load_copy_bytes(
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    table_parameters_per_rank: Value,
    linear_weight_bytes: Value,
    other_weight_bytes: Value,
    load_full_copies: Value,
    fully_sharded: Value,
) -> Value:
    """Whole weights on each card while a sharded model is loaded."""
    matrices = (matrix_parameters_per_rank + expert_parameters_per_rank) * linear_weight_bytes
    return fully_sharded * load_full_copies * (matrices + table_parameters_per_rank * other_weight_bytes)
