"""What experts keep for the backward pass, in bytes per token of one rank."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

FP32 = 4.0


@quantity(unit="1", source="https://arxiv.org/abs/2006.16668")
def expert_rows_per_token(
    experts_per_token: Value,
    moe_capacity: Value,
    fullest_expert_rank: Value,
    expert_parallel: Value,
    expert_tensor_parallel: Value,
    tensor_parallel: Value,
    sequence_parallel: Value,
) -> Value:
    """Rows that the experts of one rank see for each token of a micro-batch."""
    spread = np.where(sequence_parallel > 0, tensor_parallel / expert_tensor_parallel, 1)
    uneven = np.where(expert_parallel > 1, fullest_expert_rank, 1)
    return experts_per_token * moe_capacity * uneven / spread


@quantity(unit="B/token")
def routed_token_bytes(
    expert_rows_per_token: Value,
    expert_hidden: Value,
    expert_ffn: Value,
    gated_mlp: Value,
    mlp_saves_activation: Value,
    compute_bytes: Value,
    linear_input_bytes: Value,
    trains_all: Value,
    lora_down: Value,
    lora_mlp_inputs: Value,
    lora_input_bytes: Value,
    adapter_mask_bytes: Value,
    keeps_expert_outputs: Value,
    dora_inner: Value,
    dora_down: Value,
    expert_tensor_parallel: Value,
) -> Value:
    """Routed experts: permuted inputs, feed-forward tensors of each row, and the outputs weighted by the router."""
    adapter = lora_input_bytes + adapter_mask_bytes
    weighted = (
        1 - gated_mlp
    ) * trains_all  # an unfused activation is kept before its router weight is applied
    first = (1 + weighted + gated_mlp * (1 + mlp_saves_activation) + 2 * dora_inner) * compute_bytes
    inner = (
        expert_ffn * (first + trains_all * linear_input_bytes + lora_down * adapter) / expert_tensor_parallel
    )
    kept = keeps_expert_outputs * compute_bytes + trains_all * linear_input_bytes
    outer = expert_hidden * (kept + lora_mlp_inputs * adapter + 2 * dora_down * compute_bytes)
    return expert_rows_per_token * (inner + outer)


@quantity(unit="B/token")
def router_token_bytes(experts: Value, residual_split: Value) -> Value:
    """Router logits and probabilities in fp32."""
    return 2 * FP32 * experts / residual_split


@quantity(unit="B/token")
def shared_expert_token_bytes(
    shared_experts: Value,
    shared_expert_ffn: Value,
    gated_mlp: Value,
    mlp_saves_activation: Value,
    compute_bytes: Value,
    linear_input_bytes: Value,
    trains_all: Value,
    tensor_parallel: Value,
) -> Value:
    """Shared experts, as a dense feed-forward block."""
    first = (1 + gated_mlp * (1 + mlp_saves_activation)) * compute_bytes
    inner = first + trains_all * linear_input_bytes
    return shared_experts * shared_expert_ffn * inner / tensor_parallel
