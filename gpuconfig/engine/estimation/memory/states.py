"""Weights, gradients and optimizer states of one rank."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

ZERO = "https://arxiv.org/abs/1910.02054"


@quantity(unit="1", source=ZERO)
def weight_shards(zero_stage: Value, shard_ranks: Value) -> Value:
    """Shards that dense weights are cut into."""
    return np.where(zero_stage >= 3, shard_ranks, 1)


@quantity(unit="1", source=ZERO)
def gradient_shards(zero_stage: Value, shard_ranks: Value) -> Value:
    """Shards that dense gradients are cut into."""
    return np.where(zero_stage >= 2, shard_ranks, 1)


@quantity(unit="1", source=ZERO)
def optimizer_shards(zero_stage: Value, shard_ranks: Value) -> Value:
    """Shards that dense optimizer states are cut into."""
    return np.where(zero_stage >= 1, shard_ranks, 1)


@quantity(unit="1", source=ZERO)
def expert_weight_shards(zero_stage: Value, expert_shard_ranks: Value) -> Value:
    """Shards that weights of routed experts are cut into."""
    return np.where(zero_stage >= 3, expert_shard_ranks, 1)


@quantity(unit="1", source=ZERO)
def expert_gradient_shards(zero_stage: Value, expert_shard_ranks: Value) -> Value:
    """Shards that gradients of routed experts are cut into."""
    return np.where(zero_stage >= 2, expert_shard_ranks, 1)


@quantity(unit="1", source=ZERO)
def expert_optimizer_shards(zero_stage: Value, expert_shard_ranks: Value) -> Value:
    """Shards that optimizer states of routed experts are cut into."""
    return np.where(zero_stage >= 1, expert_shard_ranks, 1)


@quantity(unit="B")
def stored_weight_bytes(
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    table_parameters_per_rank: Value,
    small_parameters_per_rank: Value,
    linear_weight_bytes: Value,
    other_weight_bytes: Value,
    fp8_weight_copies: Value,
    low_precision_bytes: Value,
    fp8_training: Value,
    weight_shards: Value,
    expert_weight_shards: Value,
    frozen_extra_parameters: Value,
    compute_bytes: Value,
    on_first_stage: Value,
) -> Value:
    """Weights of the model as one rank stores them, with their 8-bit or 4-bit copies where there are some."""
    linear = linear_weight_bytes + fp8_training * fp8_weight_copies * low_precision_bytes
    matrices = matrix_parameters_per_rank * linear / weight_shards
    experts = expert_parameters_per_rank * linear / expert_weight_shards
    rest = (table_parameters_per_rank + small_parameters_per_rank) * other_weight_bytes / weight_shards
    beside = frozen_extra_parameters * compute_bytes * on_first_stage
    return matrices + experts + rest + beside


@quantity(unit="B")
def frozen_copy_bytes(
    matrix_parameters_per_rank: Value,
    expert_parameters_per_rank: Value,
    table_parameters_per_rank: Value,
    resident_copies: Value,
    compute_bytes: Value,
    weight_shards: Value,
    expert_weight_shards: Value,
) -> Value:
    """Reference and reward models that stay on the card, in the compute format."""
    dense = (matrix_parameters_per_rank + table_parameters_per_rank) / weight_shards
    return resident_copies * compute_bytes * (dense + expert_parameters_per_rank / expert_weight_shards)


@quantity(unit="B")
def adapter_weight_bytes(
    adapter_parameters_per_rank: Value, trained_weight_bytes: Value, weight_shards: Value
) -> Value:
    """Weights of the adapters."""
    return adapter_parameters_per_rank * trained_weight_bytes / weight_shards


@quantity(unit="B")
def weight_bytes(
    stored_weight_bytes: Value,
    frozen_copy_bytes: Value,
    adapter_weight_bytes: Value,
    trained_copies: Value,
    offload_parameters: Value,
) -> Value:
    """All weights that one card keeps."""
    return (
        stored_weight_bytes * trained_copies * (1 - offload_parameters)
        + frozen_copy_bytes
        + adapter_weight_bytes
    )


@quantity(unit="parameter")
def trained_dense_per_rank(
    matrix_parameters_per_rank: Value,
    small_parameters_per_rank: Value,
    trained_tables_per_rank: Value,
    adapter_parameters_per_rank: Value,
    trained_share: Value,
) -> Value:
    """Trained parameters of one rank outside routed experts, before sharding."""
    layers = (matrix_parameters_per_rank + small_parameters_per_rank) * trained_share
    return layers + trained_tables_per_rank + adapter_parameters_per_rank


@quantity(unit="parameter")
def trained_experts_per_rank(expert_parameters_per_rank: Value, trained_share: Value) -> Value:
    """Trained parameters of routed experts of one rank, before sharding."""
    return expert_parameters_per_rank * trained_share


@quantity(unit="parameter")
def stepped_parameters(
    trained_dense_per_rank: Value,
    trained_experts_per_rank: Value,
    optimizer_shards: Value,
    expert_optimizer_shards: Value,
    trained_copies: Value,
) -> Value:
    """Parameters whose optimizer step this rank does."""
    sharded = trained_dense_per_rank / optimizer_shards + trained_experts_per_rank / expert_optimizer_shards
    return sharded * trained_copies


@quantity(unit="B", source=ZERO)
def all_gradient_bytes(
    trained_dense_per_rank: Value,
    trained_experts_per_rank: Value,
    gradient_bytes: Value,
    gradient_shards: Value,
    expert_gradient_shards: Value,
    trained_copies: Value,
) -> Value:
    """Gradients of one rank between backward pass and step, wherever they are kept."""
    dense = trained_dense_per_rank / gradient_shards
    return gradient_bytes * (dense + trained_experts_per_rank / expert_gradient_shards) * trained_copies


@quantity(unit="B", source="https://arxiv.org/abs/2101.06840")
def gradient_state_bytes(
    all_gradient_bytes: Value, offload_optimizer: Value, offloads_gradients: Value
) -> Value:
    """Gradients one card holds between backward pass and step."""
    return all_gradient_bytes * (1 - offload_optimizer * offloads_gradients)


@quantity(unit="B", source=ZERO)
def optimizer_state_bytes(
    stepped_parameters: Value,
    trained_tables_per_rank: Value,
    optimizer_shards: Value,
    master_bytes: Value,
    state_bytes: Value,
    embedding_state_bytes: Value,
) -> Value:
    """Master weights and optimizer states of one rank, wherever they are kept."""
    tables = trained_tables_per_rank / optimizer_shards * (embedding_state_bytes - state_bytes)
    return stepped_parameters * (master_bytes + state_bytes) + tables


@quantity(unit="B")
def optimizer_bytes(optimizer_state_bytes: Value, offload_optimizer: Value, paged_states: Value) -> Value:
    """Master weights and optimizer states that the allocator of the card holds."""
    return optimizer_state_bytes * (1 - offload_optimizer) * (1 - paged_states)


@quantity(unit="B")
def host_bytes(
    optimizer_state_bytes: Value,
    offload_optimizer: Value,
    paged_states: Value,
    stored_weight_bytes: Value,
    trained_copies: Value,
    offload_parameters: Value,
    offload_activations: Value,
    offload_nvme: Value,
    all_gradient_bytes: Value,
    nvme_buffer_bytes: Value,
    saved_activation_bytes: Value,
    gpus_per_node: Value,
) -> Value:
    """Host memory that the cards of one machine need for what is offloaded or paged."""
    states = optimizer_state_bytes * np.maximum(offload_optimizer * (1 - offload_nvme), paged_states)
    gradients = all_gradient_bytes * offload_optimizer
    weights = stored_weight_bytes * trained_copies * offload_parameters * (1 - offload_nvme)
    kept = states + gradients + weights + offload_nvme * nvme_buffer_bytes
    return gpus_per_node * (kept + saved_activation_bytes * offload_activations)


@quantity(unit="B", source="https://arxiv.org/abs/2104.07857")
def drive_bytes(
    optimizer_state_bytes: Value,
    stored_weight_bytes: Value,
    trained_copies: Value,
    offload_nvme: Value,
    gpus_per_node: Value,
) -> Value:
    """Room on the drives of one machine for weights and states that are offloaded to NVMe."""
    return gpus_per_node * offload_nvme * (optimizer_state_bytes + stored_weight_bytes * trained_copies)
