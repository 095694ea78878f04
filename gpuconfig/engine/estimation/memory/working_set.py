"""The working set of one layer in the backward pass: what is recomputed, and the gradients that live beside it."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity


@quantity(unit="B/token")
def mlp_gradient_token_bytes(
    ffn: Value, gated_mlp: Value, compute_bytes: Value, trains_all: Value, tensor_parallel: Value
) -> Value:
    """Gradients inside a dense feed-forward at their peak; the input of a trained down projection is freed first."""
    return ffn * compute_bytes * (2 + gated_mlp - trains_all) / tensor_parallel


@quantity(unit="B/token")
def expert_gradient_token_bytes(
    expert_rows_per_token: Value,
    expert_ffn: Value,
    gated_mlp: Value,
    compute_bytes: Value,
    trains_all: Value,
    expert_tensor_parallel: Value,
    expert_hidden: Value,
    experts: Value,
    grouped_experts: Value,
) -> Value:
    """Gradients inside the routed experts at their peak: of all experts at once, or of one after the other."""
    inner = expert_ffn * (2 + gated_mlp - trains_all) / expert_tensor_parallel
    at_once = np.where(grouped_experts > 0, 1, 1 / np.maximum(experts, 1))
    return expert_rows_per_token * compute_bytes * (inner * at_once + expert_hidden)


@quantity(unit="B/token")
def attention_gradient_token_bytes(
    query_width: Value,
    value_width: Value,
    kept_kv_heads: Value,
    heads: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
    sequence_length: Value,
    context_parallel: Value,
    attention_eager: Value,
    score_backward_bytes: Value,
) -> Value:
    """Gradients of queries, keys, values and output, and of the scores where these are written."""
    keys_values = kept_kv_heads / heads * (query_width + value_width)
    plain = compute_bytes * (query_width + keys_values + value_width) / tensor_parallel
    scores = attention_eager * heads * sequence_length / tensor_parallel / context_parallel
    return plain + scores * (2 * compute_bytes + score_backward_bytes)


@quantity(unit="B/token", source="https://arxiv.org/abs/2205.05198")
def gathered_sequence_token_bytes(
    hidden: Value, compute_bytes: Value, tensor_parallel: Value, sequence_parallel: Value
) -> Value:
    """Under sequence parallelism: the whole input of a split matrix, gathered again, and its gradient."""
    return np.where(sequence_parallel > 0, 2 * hidden * compute_bytes * (1 - 1 / tensor_parallel), 0)


@quantity(unit="B/token")
def boundary_token_bytes(
    residual_token_bytes: Value, recomputes: Value, gathered_sequence_token_bytes: Value
) -> Value:
    """Gradient of the layer's output, the output where the layer is recomputed, and gathered sequences."""
    return residual_token_bytes * (1 + recomputes) + gathered_sequence_token_bytes


@quantity(unit="1")
def recomputes(full_recompute: Value, selective_recompute: Value, selective_saves_matmuls: Value) -> Value:
    """1 where the backward pass runs (part of) a layer's forward again."""
    return np.maximum(full_recompute, selective_recompute * selective_saves_matmuls)


@quantity(unit="B/token")
def dense_working_token_bytes(
    dense_layer_token_bytes: Value,
    kept_dense_layer_token_bytes: Value,
    mlp_token_bytes: Value,
    mlp_gradient_token_bytes: Value,
    attention_gradient_token_bytes: Value,
    boundary_token_bytes: Value,
    residual_token_bytes: Value,
    norm_fp32_copies: Value,
    full_recompute: Value,
) -> Value:
    """Backward working set of a dense layer beyond what was kept since its forward pass."""
    shared = (
        residual_token_bytes * full_recompute * (1 - norm_fp32_copies)
    )  # the kept input is the norm's own
    again = (
        np.maximum(dense_layer_token_bytes - kept_dense_layer_token_bytes * (1 - full_recompute), 0) - shared
    )
    attention = attention_gradient_token_bytes - mlp_token_bytes
    return again + boundary_token_bytes + np.maximum(mlp_gradient_token_bytes, attention)


@quantity(unit="B/token")
def moe_working_token_bytes(
    moe_layer_token_bytes: Value,
    kept_moe_layer_token_bytes: Value,
    routed_token_bytes: Value,
    shared_expert_token_bytes: Value,
    expert_gradient_token_bytes: Value,
    attention_gradient_token_bytes: Value,
    boundary_token_bytes: Value,
    residual_token_bytes: Value,
    norm_fp32_copies: Value,
    full_recompute: Value,
) -> Value:
    """Backward working set of a layer with experts beyond what was kept since its forward pass."""
    shared = residual_token_bytes * full_recompute * (1 - norm_fp32_copies)
    again = np.maximum(moe_layer_token_bytes - kept_moe_layer_token_bytes * (1 - full_recompute), 0) - shared
    attention = attention_gradient_token_bytes - routed_token_bytes - shared_expert_token_bytes
    return again + boundary_token_bytes + np.maximum(expert_gradient_token_bytes, attention)


@quantity(unit="B")
def layer_working_bytes(
    dense_working_token_bytes: Value,
    moe_working_token_bytes: Value,
    kept_dense_layer_token_bytes: Value,
    kept_moe_layer_token_bytes: Value,
    offload_activations: Value,
    stage_layers: Value,
    stage_moe_layers: Value,
    rank_tokens: Value,
) -> Value:
    """Backward working set of the largest layer of this stage; what was offloaded comes back layer by layer."""
    back_dense = offload_activations * kept_dense_layer_token_bytes
    back_moe = offload_activations * kept_moe_layer_token_bytes
    dense = np.where(stage_layers > stage_moe_layers, dense_working_token_bytes + back_dense, 0)
    moe = np.where(stage_moe_layers > 0, moe_working_token_bytes + back_moe, 0)
    return rank_tokens * np.maximum(dense, moe)


@quantity(unit="B")
def retained_input_bytes(
    retained_layer_inputs: Value,
    zero_stage: Value,
    trains_all: Value,
    full_recompute: Value,
    residual_token_bytes: Value,
    stage_layers: Value,
    rank_tokens: Value,
) -> Value:
    """Inputs of sharded frozen layers and their gradients, which FSDP's hooks hold to the end of the backward pass."""
    applies = retained_layer_inputs * (1 - trains_all) * full_recompute * np.where(zero_stage >= 3, 1.0, 0.0)
    others = np.maximum(2 * stage_layers - 3, 0)  # the lowest layer's own three are counted with its work
    return applies * others * residual_token_bytes * rank_tokens
