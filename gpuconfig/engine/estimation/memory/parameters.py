"""How many parameters the model has by part, and how many of them one rank holds."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

MEGATRON = "https://arxiv.org/abs/2104.04473"


@quantity(unit="parameter")
def attention_parameters_per_layer(
    hidden: Value, heads: Value, kv_heads: Value, head_dim: Value, mla: Value, latent_parameters: Value
) -> Value:
    """Weights of the attention projections of one layer."""
    return np.where(mla > 0, latent_parameters, 2 * hidden * head_dim * (heads + kv_heads))


@quantity(unit="parameter", source="https://arxiv.org/abs/2405.04434")
def latent_parameters(
    hidden: Value,
    heads: Value,
    mla_kv_rank: Value,
    mla_rope_dim: Value,
    mla_q_rank: Value,
    mla_nope_dim: Value,
    mla_value_dim: Value,
) -> Value:
    """Weights of the projections of multi-head latent attention in one layer."""
    query = heads * (mla_nope_dim + mla_rope_dim)
    query_weights = np.where(mla_q_rank > 0, mla_q_rank * (hidden + query), hidden * query)
    key_value = hidden * (mla_kv_rank + mla_rope_dim) + mla_kv_rank * heads * (mla_nope_dim + mla_value_dim)
    return query_weights + key_value + heads * mla_value_dim * hidden


@quantity(unit="1")
def mlp_matrices(gated_mlp: Value) -> Value:
    """Matrices of one feed-forward block."""
    return 2 + gated_mlp


@quantity(unit="parameter")
def dense_mlp_parameters_per_layer(mlp_matrices: Value, hidden: Value, ffn: Value) -> Value:
    """Weights of a dense feed-forward block."""
    return mlp_matrices * hidden * ffn


@quantity(unit="parameter")
def routed_expert_parameters(mlp_matrices: Value, expert_hidden: Value, expert_ffn: Value) -> Value:
    """Weights of one routed expert."""
    return mlp_matrices * expert_hidden * expert_ffn


@quantity(unit="parameter")
def shared_expert_parameters_per_layer(
    mlp_matrices: Value, hidden: Value, shared_experts: Value, shared_expert_ffn: Value
) -> Value:
    """Weights of the experts that every token passes."""
    return mlp_matrices * hidden * shared_experts * shared_expert_ffn


@quantity(unit="parameter")
def embedding_parameters(vocab: Value, positions: Value, hidden: Value) -> Value:
    """Weights of the token and position embeddings."""
    return (vocab + positions) * hidden


@quantity(unit="parameter")
def head_parameters(vocab: Value, hidden: Value, tied_embeddings: Value) -> Value:
    """Weights of the output head; none where it shares the embedding's."""
    return vocab * hidden * (1 - tied_embeddings)


@quantity(unit="parameter")
def counted_layer_parameters(
    layers: Value,
    moe_layers: Value,
    attention_parameters_per_layer: Value,
    dense_mlp_parameters_per_layer: Value,
    routed_expert_parameters: Value,
    experts: Value,
    shared_expert_parameters_per_layer: Value,
    hidden: Value,
) -> Value:
    """Weights of all layers, counted from the shape."""
    moe = experts * routed_expert_parameters + shared_expert_parameters_per_layer + hidden * experts
    every = attention_parameters_per_layer + 2 * hidden
    return layers * every + (layers - moe_layers) * dense_mlp_parameters_per_layer + moe_layers * moe


@quantity(unit="1")
def layer_scale(
    parameters: Value, embedding_parameters: Value, head_parameters: Value, counted_layer_parameters: Value
) -> Value:
    """Published parameters of the layers over those counted from the shape."""
    rest = parameters - embedding_parameters - head_parameters
    return np.clip(rest / counted_layer_parameters, 0.5, 2.0)


@quantity(unit="1")
def stage_layers(layers: Value, pipeline_parallel: Value) -> Value:
    """Layers of one pipeline stage, the fullest."""
    return np.ceil(layers / pipeline_parallel)


@quantity(unit="1")
def stage_moe_layers(
    layers: Value,
    moe_layers: Value,
    stage_layers: Value,
    pipeline_stage: Value,
    virtual_pipeline: Value,
    experts: Value,
) -> Value:
    """Layers with experts on this stage; dense layers come first in the model."""
    dense = layers - moe_layers
    in_order = stage_layers - np.clip(dense - pipeline_stage * stage_layers, 0, stage_layers)
    spread = stage_layers * moe_layers / layers
    return np.where(experts > 0, np.where(virtual_pipeline > 1, spread, in_order), 0)


@quantity(unit="1")
def on_first_stage(pipeline_stage: Value) -> Value:
    """1 on the stage that holds the embedding."""
    return np.where(pipeline_stage == 0, 1.0, 0.0)


@quantity(unit="1")
def on_last_stage(pipeline_stage: Value, pipeline_parallel: Value) -> Value:
    """1 on the stage that holds the output head and the loss."""
    return np.where(pipeline_stage == pipeline_parallel - 1, 1.0, 0.0)


@quantity(unit="parameter", source=MEGATRON)
def matrix_parameters_per_rank(
    stage_layers: Value,
    stage_moe_layers: Value,
    attention_parameters_per_layer: Value,
    dense_mlp_parameters_per_layer: Value,
    shared_expert_parameters_per_layer: Value,
    tensor_parallel: Value,
    layer_scale: Value,
) -> Value:
    """Weights of attention and dense feed-forward on one rank."""
    dense = (stage_layers - stage_moe_layers) * dense_mlp_parameters_per_layer
    shared = stage_moe_layers * shared_expert_parameters_per_layer
    split = stage_layers * attention_parameters_per_layer + dense + shared
    return split * layer_scale / tensor_parallel


@quantity(unit="parameter", source="https://arxiv.org/abs/2006.16668")
def expert_parameters_per_rank(
    stage_moe_layers: Value,
    experts: Value,
    routed_expert_parameters: Value,
    expert_parallel: Value,
    expert_tensor_parallel: Value,
    layer_scale: Value,
) -> Value:
    """Weights of routed experts on one rank: total experts count, not active ones."""
    routed = stage_moe_layers * experts * routed_expert_parameters
    return routed * layer_scale / (expert_parallel * expert_tensor_parallel)


@quantity(unit="parameter")
def table_parameters_per_rank(
    embedding_parameters: Value,
    head_parameters: Value,
    vocab: Value,
    hidden: Value,
    tied_embeddings: Value,
    on_first_stage: Value,
    on_last_stage: Value,
    tensor_parallel: Value,
    extra_parameters: Value,
) -> Value:
    """Weights of embeddings, output head and vision tower on one rank; a tied head is copied to the last stage."""
    copy = vocab * hidden * tied_embeddings * (1 - on_first_stage)
    tables = embedding_parameters * on_first_stage + (head_parameters + copy) * on_last_stage
    return tables / tensor_parallel + extra_parameters * on_first_stage


@quantity(unit="parameter")
def small_parameters_per_rank(
    stage_layers: Value, stage_moe_layers: Value, hidden: Value, experts: Value, on_last_stage: Value
) -> Value:
    """Weights of norms and routers on one rank; every tensor-parallel rank holds them all."""
    return (2 * stage_layers + on_last_stage) * hidden + stage_moe_layers * hidden * experts


@quantity(unit="1")
def shard_ranks(data_parallel: Value, context_parallel: Value) -> Value:
    """Ranks that ZeRO or FSDP shards dense states over."""
    return data_parallel * context_parallel


@quantity(unit="1")
def expert_shard_ranks(
    data_parallel: Value,
    context_parallel: Value,
    tensor_parallel: Value,
    expert_parallel: Value,
    expert_tensor_parallel: Value,
) -> Value:
    """Ranks that ZeRO or FSDP shards the states of routed experts over."""
    ranks = data_parallel * context_parallel * tensor_parallel / (expert_parallel * expert_tensor_parallel)
    return np.maximum(ranks, 1)


@quantity(unit="1")
def stage_frozen_layers(frozen_layers: Value, stage_layers: Value, pipeline_stage: Value) -> Value:
    """Layers of this stage that train nothing, neither weights nor adapters."""
    return np.clip(frozen_layers - pipeline_stage * stage_layers, 0, stage_layers)


@quantity(unit="1")
def trained_share(stage_frozen_layers: Value, stage_layers: Value, trains_all: Value) -> Value:
    """Share of this stage's layers whose own weights are trained."""
    return trains_all * (1 - stage_frozen_layers / stage_layers)


@quantity(unit="parameter")
def trained_tables_per_rank(
    table_parameters_per_rank: Value,
    head_parameters: Value,
    on_last_stage: Value,
    tensor_parallel: Value,
    frozen_layers: Value,
    trains_all: Value,
) -> Value:
    """Trained weights of embeddings and head on one rank; what lies below a frozen layer is frozen with it."""
    head = head_parameters * on_last_stage / tensor_parallel
    return trains_all * np.where(frozen_layers > 0, head, table_parameters_per_rank)


@quantity(unit="parameter", source="https://arxiv.org/abs/2106.09685")
def adapter_parameters_per_rank(
    stage_layers: Value,
    stage_moe_layers: Value,
    stage_frozen_layers: Value,
    lora_rank: Value,
    lora_parameters_per_rank_layer: Value,
    lora_expert_parameters_per_rank_layer: Value,
    tensor_parallel: Value,
    expert_parallel: Value,
    dora_attention_width: Value,
    dora_inner: Value,
    dora_down: Value,
    hidden: Value,
    ffn: Value,
) -> Value:
    """Weights of the low-rank adapters on one rank, and DoRA's magnitudes."""
    dense = stage_layers * lora_parameters_per_rank_layer / tensor_parallel
    routed = stage_moe_layers * lora_expert_parameters_per_rank_layer / expert_parallel
    magnitudes = stage_layers * (dora_attention_width + dora_inner * ffn + dora_down * hidden)
    adapted = 1 - stage_frozen_layers / stage_layers
    return adapted * (lora_rank * (dense + routed) + magnitudes)
