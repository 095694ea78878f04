"""What one layer keeps for its backward pass, tensor by tensor, in bytes per token of one rank.

The count follows what autograd saves: an operation keeps what its own gradient needs, a frozen matrix keeps no
input, a fused kernel keeps only what it cannot recompute.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

RECOMPUTATION = "https://arxiv.org/abs/2205.05198"
FP32 = 4.0


@quantity(unit="token")
def rank_tokens(
    micro_batch_size: Value, sequences_per_sample: Value, sequence_length: Value, context_parallel: Value
) -> Value:
    """Tokens of one micro-batch on one rank."""
    return micro_batch_size * sequences_per_sample * sequence_length / context_parallel


@quantity(unit="1", source=RECOMPUTATION)
def residual_split(tensor_parallel: Value, sequence_parallel: Value) -> Value:
    """Ranks that norms, dropout and the residual stream are split over."""
    return np.where(sequence_parallel > 0, tensor_parallel, 1)


@quantity(unit="B/token")
def residual_token_bytes(hidden: Value, residual_bytes: Value, residual_split: Value) -> Value:
    """The residual stream between two layers."""
    return hidden * residual_bytes / residual_split


@quantity(unit="1")
def linear_input_bytes(
    compute_bytes: Value, fp8_training: Value, fp8_weight_copies: Value, low_precision_bytes: Value
) -> Value:
    """Bytes of one kept element of a trained matrix's input, in 8 or 4 bits where the framework keeps it so."""
    return np.where((fp8_training > 0) & (fp8_weight_copies > 0), low_precision_bytes, compute_bytes)


@quantity(unit="B/token")
def norm_token_bytes(
    hidden: Value,
    norm_fp32_copies: Value,
    residual_bytes: Value,
    compute_bytes: Value,
    trains_all: Value,
    residual_split: Value,
) -> Value:
    """The two norms of a layer: their input, in fp32 where not fused, and the normalised value under its weight."""
    unfused = FP32 + np.where(residual_bytes > compute_bytes, 0.0, trains_all * compute_bytes)
    return 2 * hidden * np.where(norm_fp32_copies > 0, unfused, residual_bytes) / residual_split


@quantity(unit="B/token")
def trained_input_token_bytes(
    hidden: Value, linear_input_bytes: Value, trains_all: Value, residual_split: Value
) -> Value:
    """Inputs of the query-key-value and the first feed-forward matrices, kept where these are trained."""
    return 2 * hidden * linear_input_bytes * trains_all / residual_split


@quantity(unit="B/token", source="https://arxiv.org/abs/2106.09685")
def adapter_input_token_bytes(
    hidden: Value,
    heads: Value,
    head_dim: Value,
    lora_attention_inputs: Value,
    lora_o: Value,
    lora_mlp_inputs: Value,
    lora_input_bytes: Value,
    adapter_mask_bytes: Value,
    tensor_parallel: Value,
) -> Value:
    """What the adapters on matrices fed by hidden state or attention keep: dropped-out inputs and masks."""
    inputs = hidden * (lora_attention_inputs + lora_mlp_inputs) + heads * head_dim * lora_o / tensor_parallel
    return inputs * (lora_input_bytes + adapter_mask_bytes)


@quantity(unit="B/token", source="https://arxiv.org/abs/2402.09353")
def magnitude_token_bytes(
    dora_attention_width: Value, dora_down: Value, hidden: Value, compute_bytes: Value, tensor_parallel: Value
) -> Value:
    """DoRA: outputs of the frozen matrix and of the adapter, which the gradient of the magnitude needs."""
    return 2 * compute_bytes * (dora_attention_width / tensor_parallel + dora_down * hidden)


@quantity(unit="B/token")
def quantised_input_token_bytes(
    hidden: Value, ffn: Value, quantised_input_copies: Value, dequantised_bytes: Value, tensor_parallel: Value
) -> Value:
    """Inputs of frozen quantised matrices, kept by some releases of the quantised product."""
    return quantised_input_copies * dequantised_bytes * (hidden + ffn / tensor_parallel)


@quantity(unit="B/token")
def mlp_token_bytes(
    ffn: Value,
    gated_mlp: Value,
    mlp_saves_activation: Value,
    compute_bytes: Value,
    linear_input_bytes: Value,
    trains_all: Value,
    lora_down: Value,
    lora_input_bytes: Value,
    adapter_mask_bytes: Value,
    dora_inner: Value,
    tensor_parallel: Value,
) -> Value:
    """A dense feed-forward block: inputs of the activation, its output, and the input of the down projection."""
    first = (1 + gated_mlp * (1 + mlp_saves_activation)) * compute_bytes
    down = trains_all * linear_input_bytes + lora_down * (lora_input_bytes + adapter_mask_bytes)
    magnitude = 2 * dora_inner * compute_bytes
    return ffn * (first + down + magnitude) / tensor_parallel


@quantity(unit="B/token")
def attention_block_token_bytes(
    norm_token_bytes: Value,
    trained_input_token_bytes: Value,
    adapter_input_token_bytes: Value,
    magnitude_token_bytes: Value,
    quantised_input_token_bytes: Value,
    attention_token_bytes: Value,
    qk_norm_token_bytes: Value,
    latent_token_bytes: Value,
    hidden: Value,
    dropout_bytes: Value,
    residual_split: Value,
) -> Value:
    """Everything one layer keeps outside its feed-forward, attention scores apart."""
    inputs = trained_input_token_bytes + adapter_input_token_bytes + quantised_input_token_bytes
    return (
        norm_token_bytes
        + inputs
        + magnitude_token_bytes
        + attention_token_bytes
        + qk_norm_token_bytes
        + latent_token_bytes
        + hidden * dropout_bytes / residual_split
    )


@quantity(unit="B/token")
def dense_layer_token_bytes(
    attention_block_token_bytes: Value, score_token_bytes: Value, mlp_token_bytes: Value
) -> Value:
    """A dense layer with nothing recomputed."""
    return attention_block_token_bytes + score_token_bytes + mlp_token_bytes


@quantity(unit="B/token")
def moe_layer_token_bytes(
    attention_block_token_bytes: Value,
    score_token_bytes: Value,
    routed_token_bytes: Value,
    router_token_bytes: Value,
    shared_expert_token_bytes: Value,
) -> Value:
    """A layer with experts with nothing recomputed."""
    experts = routed_token_bytes + router_token_bytes + shared_expert_token_bytes
    return attention_block_token_bytes + score_token_bytes + experts


@quantity(unit="B/token", source="https://pytorch.org/blog/activation-checkpointing-techniques/")
def selective_matmul_token_bytes(
    residual_token_bytes: Value,
    query_width: Value,
    value_width: Value,
    kept_kv_heads: Value,
    heads: Value,
    hidden: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
    residual_split: Value,
) -> Value:
    """Kept outside the feed-forward when every second matrix product is recomputed: q, v, attention, input."""
    values = kept_kv_heads / heads * value_width
    kept = compute_bytes * (query_width + values + value_width) / tensor_parallel
    return (
        residual_token_bytes + kept + compute_bytes * hidden / residual_split + FP32 * heads / tensor_parallel
    )


@quantity(unit="B/token", source=RECOMPUTATION)
def kept_dense_layer_token_bytes(
    dense_layer_token_bytes: Value,
    score_token_bytes: Value,
    residual_token_bytes: Value,
    selective_matmul_token_bytes: Value,
    ffn: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
    full_recompute: Value,
    selective_recompute: Value,
    selective_saves_matmuls: Value,
) -> Value:
    """What stays of a dense layer between its forward and backward pass."""
    matmuls = selective_matmul_token_bytes + compute_bytes * ffn / tensor_parallel
    partly = np.where(selective_saves_matmuls > 0, matmuls, dense_layer_token_bytes - score_token_bytes)
    kept = np.where(
        selective_recompute > 0, np.minimum(partly, dense_layer_token_bytes), dense_layer_token_bytes
    )
    return np.where(full_recompute > 0, residual_token_bytes, kept)


@quantity(unit="B/token", source=RECOMPUTATION)
def kept_moe_layer_token_bytes(
    moe_layer_token_bytes: Value,
    score_token_bytes: Value,
    residual_token_bytes: Value,
    selective_matmul_token_bytes: Value,
    routed_token_bytes: Value,
    router_token_bytes: Value,
    shared_experts: Value,
    shared_expert_ffn: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
    full_recompute: Value,
    selective_recompute: Value,
    selective_saves_matmuls: Value,
) -> Value:
    """What stays of a layer with experts between its forward and backward pass."""
    shared = compute_bytes * shared_experts * shared_expert_ffn / tensor_parallel
    matmuls = selective_matmul_token_bytes + shared + routed_token_bytes + router_token_bytes
    partly = np.where(selective_saves_matmuls > 0, matmuls, moe_layer_token_bytes - score_token_bytes)
    kept = np.where(selective_recompute > 0, np.minimum(partly, moe_layer_token_bytes), moe_layer_token_bytes)
    return np.where(full_recompute > 0, residual_token_bytes, kept)


@quantity(unit="1", source="https://arxiv.org/abs/2104.04473")
def in_flight_micro_batches(
    pipeline_parallel: Value, virtual_pipeline: Value, pipeline_stage: Value, gradient_accumulation: Value,
    held_behind: Value, held_evenly: Value,
) -> Value:  # fmt: skip
    """Micro-batches whose activations this stage holds at once (1F1B; with chunks, in units of a whole stage)."""
    behind = pipeline_parallel - 1 - pipeline_stage
    interleaved = (2 * behind + (virtual_pipeline - 1) * pipeline_parallel + 1) / virtual_pipeline
    held = np.where(virtual_pipeline > 1, interleaved, held_behind * behind + 1)
    return np.minimum(np.where(held_evenly > 0, pipeline_parallel, held), gradient_accumulation)


@quantity(unit="1", source="https://docs.pytorch.org/docs/stable/notes/autograd.html")
def differentiated_layers(
    stage_layers: Value, stage_frozen_layers: Value, trains_all: Value, full_recompute: Value
) -> Value:
    """Layers that the backward pass reaches: below the lowest trained weight it ends.

    Recomputed layers under adapters are reached all the same: their inputs are made to need a gradient.
    """
    reached = (1 - trains_all) * full_recompute
    return stage_layers - stage_frozen_layers * (1 - reached)


@quantity(unit="B")
def micro_batch_activation_bytes(
    kept_dense_layer_token_bytes: Value,
    kept_moe_layer_token_bytes: Value,
    differentiated_layers: Value,
    stage_moe_layers: Value,
    rank_tokens: Value,
) -> Value:
    """Activations that one micro-batch leaves on this stage."""
    moe = np.minimum(stage_moe_layers, differentiated_layers)  # dense layers lie at the bottom
    dense = (differentiated_layers - moe) * kept_dense_layer_token_bytes
    return rank_tokens * (dense + moe * kept_moe_layer_token_bytes)


@quantity(unit="B")
def saved_activation_bytes(
    micro_batch_activation_bytes: Value, in_flight_micro_batches: Value, tower_activation_bytes: Value
) -> Value:
    """Activations of all micro-batches in flight on this stage, those of the image part among them."""
    return micro_batch_activation_bytes * in_flight_micro_batches + tower_activation_bytes


@quantity(unit="B")
def device_activation_bytes(saved_activation_bytes: Value, offload_activations: Value) -> Value:
    """Saved activations that stay on the card."""
    return saved_activation_bytes * (1 - offload_activations)
