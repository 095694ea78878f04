"""What a configuration tells of a model beyond the sizes that the request's `architecture` object has."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from gpuconfig.engine.catalogue.neural_model import Architecture, AttentionLayers, NeuralModel
from gpuconfig.engine.workloads.parameter_count import count_parameters, projection_parameters
from gpuconfig.exchange.config_numbers import positive
from gpuconfig.exchange.latent_attention import compressed_context
from gpuconfig.exchange.state_layers import state_layer


def with_details(model: NeuralModel, config: Mapping[str, object]) -> NeuralModel:
    """`model` with latent experts, shared caches and per-layer tables, counted to its last matrix."""
    if model.architecture is None:
        return model
    compressed, kinds = compressed_context(config), model.architecture.attention_layers
    if compressed:
        layers, window = model.architecture.layers, positive(config.get("sliding_window"))
        kinds = AttentionLayers(full=0, sliding=layers, window=window, cached_values=compressed.cached_values)
    shape = dataclasses.replace(
        model.architecture,
        attention_layers=kinds,
        expert_hidden=positive(config.get("moe_latent_size"))
        or positive(config.get("routed_expert_hidden_size")),
        kv_shared_layers=positive(config.get("num_kv_shared_layers")) or 0,
        extra_parameters=_layer_tables(config, model.architecture)
        + _image_experts(config, model.architecture),
    )
    counted = count_parameters(shape)
    beside = _uncounted(config, shape)
    total = round(counted.total + beside) + shape.extra_parameters
    active = round(counted.active + beside) if shape.is_moe or shape.extra_parameters else None
    return dataclasses.replace(
        model,
        parameters=total,
        active_parameters=active,
        architecture=dataclasses.replace(shape, parameters=total, active_parameters=active),
    )


def _layer_tables(config: Mapping[str, object], shape: Architecture) -> int:
    """Token tables of each layer (Gemma 3n and 4 E), of which a token reads one row."""
    width = positive(config.get("hidden_size_per_layer_input"))
    vocab = positive(config.get("vocab_size_per_layer_input")) or shape.vocab
    return vocab * shape.layers * width if width else 0


def _image_experts(config: Mapping[str, object], shape: Architecture) -> int:
    """Experts that tokens of images alone are sent to (ERNIE 4.5 VL): a second width beside that of the text."""
    widths, counts = config.get("moe_intermediate_size"), config.get("moe_num_experts")
    if not (isinstance(widths, list) and len(widths) > 1):
        return 0
    experts = counts[1] if isinstance(counts, list) and len(counts) > 1 else counts
    width = positive(widths[1]) or 0
    matrices = 3 if shape.gated_mlp else 2
    return shape.moe_layers * (positive(experts) or 0) * matrices * shape.hidden * width


def _uncounted(config: Mapping[str, object], shape: Architecture) -> float:
    """Weights of all layers that the sizes of a plain transformer do not give."""
    plain = projection_parameters(shape, shape.head_dim, shape.kv_heads)
    streams = _residual_streams(config, shape)
    if compressed := compressed_context(config):
        return streams + compressed.parameters - shape.layers * plain
    return (
        streams
        + _state_layers(config, shape, plain)
        + _shared_queries(config, shape)
        + _output_gates(config, shape)
        + _indexers(config, shape)
        + _latent_projections(shape)
        + _layer_inputs(config, shape)
        + _values_from_keys(config, shape)
    )


def _residual_streams(config: Mapping[str, object], shape: Architecture) -> float:
    """Mixing of parallel residual streams, before attention and before the feed-forward (hyper-connections)."""
    streams = positive(config.get("hc_mult")) or 0
    return 2.0 * shape.layers * (2 + streams) * streams * streams * shape.hidden


def _state_layers(config: Mapping[str, object], shape: Architecture, plain: float) -> float:
    """What layers with a state weigh more than a layer of attention, as which they are counted."""
    kinds, layer = shape.attention_layers, state_layer(config, shape.hidden)
    if kinds is None or layer is None:
        return 0.0
    return kinds.linear * (layer.parameters - plain)


def _shared_queries(config: Mapping[str, object], shape: Architecture) -> float:
    """Queries of low rank over plain keys and values (Step 3)."""
    rank, width = positive(config.get("share_q_dim")), shape.heads * shape.head_dim
    return float(shape.layers * (rank * (shape.hidden + width) - shape.hidden * width)) if rank else 0.0


def _full_layers(shape: Architecture) -> int:
    kinds = shape.attention_layers
    return shape.layers if kinds is None else kinds.full


def _output_gates(config: Mapping[str, object], shape: Architecture) -> float:
    """Gates as wide as the heads' outputs (Qwen3-Next, Qwen3.5, Kimi K3)."""
    gated = (
        config.get("attn_output_gate") is True
        or config.get("mla_use_output_gate") is True
        or config.get("model_type") == "qwen3_next"
    )
    value = shape.head_dim if shape.mla is None else shape.mla.value_dim or shape.head_dim
    return float(gated) * _full_layers(shape) * shape.hidden * shape.heads * value


def _indexers(config: Mapping[str, object], shape: Architecture) -> float:
    """Small attention that picks the tokens to attend to (DeepSeek-V3.2, GLM-5)."""
    heads, width = positive(config.get("index_n_heads")), positive(config.get("index_head_dim"))
    if not (heads and width and shape.mla and shape.mla.q_rank):
        return 0.0
    types = config.get("indexer_types")
    layers = types.count("full") if isinstance(types, list) else shape.layers
    return layers * float(shape.mla.q_rank * heads * width + shape.hidden * (width + heads))


def _latent_projections(shape: Architecture) -> float:
    """Down to the width of latent experts and up again."""
    return 2.0 * shape.moe_layers * shape.hidden * shape.expert_hidden if shape.expert_hidden else 0.0


def _layer_inputs(config: Mapping[str, object], shape: Architecture) -> float:
    """Projections that bring a layer's own token table in: one for all layers, a gate and a way back in each."""
    width = positive(config.get("hidden_size_per_layer_input"))
    return 3.0 * shape.layers * shape.hidden * width if width else 0.0


def _values_from_keys(config: Mapping[str, object], shape: Architecture) -> float:
    """Layers of full attention that use their keys as values lack that projection (Gemma 4)."""
    if config.get("attention_k_eq_v") is not True:
        return 0.0
    width = (shape.full_kv_heads or shape.kv_heads) * (shape.full_head_dim or shape.head_dim)
    return -float(_full_layers(shape) * shape.hidden * width)
