"""Weight bytes: of the model as stored, of one card, and of what stays in host memory."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

BYTES_16BIT = 2.0


@quantity(unit="B")
def layer_weights_bytes(layer_parameters: Value, layer_bits: Value) -> Value:
    """Weights of the layers without routed experts."""
    return layer_parameters * layer_bits / 8


@quantity(unit="B")
def routed_weights_bytes(routed_parameters: Value, routed_bits: Value) -> Value:
    """Weights of all routed experts."""
    return routed_parameters * routed_bits / 8


@quantity(unit="B")
def table_weights_bytes(
    embedding_parameters: Value, embedding_bits: Value, head_parameters: Value, head_bits: Value
) -> Value:
    """Token table and output projection, which most formats keep wide."""
    return (embedding_parameters * embedding_bits + head_parameters * head_bits) / 8


@quantity(unit="B")
def counted_weights_bytes(
    layer_weights_bytes: Value,
    routed_weights_bytes: Value,
    table_weights_bytes: Value,
    wide_parameters: Value,
) -> Value:
    """All weights by count of parameters and bits."""
    return layer_weights_bytes + routed_weights_bytes + table_weights_bytes + wide_parameters * BYTES_16BIT


@quantity(unit="B")
def weights_bytes(counted_weights_bytes: Value, file_weights_bytes: Value) -> Value:
    """All weights of one replica: exact where the model was read from its file, else by count."""
    return np.where(np.isnan(file_weights_bytes), counted_weights_bytes, file_weights_bytes)


@quantity(unit="1")
def file_scale(weights_bytes: Value, counted_weights_bytes: Value) -> Value:
    """Exact over counted weight bytes."""
    return weights_bytes / counted_weights_bytes


@quantity(unit="1")
def card_layer_share(offload_layers: Value, layers: Value) -> Value:
    """Share of the layers that stay on the cards."""
    return 1 - offload_layers / layers


@quantity(unit="1")
def card_expert_share(
    offload_layers: Value, offload_experts: Value, layers: Value, moe_layers: Value
) -> Value:
    """Share of the layers with experts whose experts stay on the cards."""
    return 1 - np.maximum(offload_layers / layers, offload_experts / np.maximum(moe_layers, 1.0))


@quantity(unit="1")
def expert_shards(tensor_parallel: Value, expert_parallel: Value) -> Value:
    """Cards of a stage that share the experts."""
    return np.maximum(tensor_parallel, expert_parallel)


@quantity(unit="B")
def host_table_bytes(
    embedding_parameters: Value, embedding_bits: Value, head_parameters: Value, table_on_host: Value
) -> Value:
    """Token table that the engine looks up in host memory; one shared with the output projection is on the card."""
    apart = np.where(head_parameters > 0, table_on_host, 0.0)
    return apart * embedding_parameters * embedding_bits / 8


@quantity(unit="B")
def weights_per_gpu_bytes(
    layer_weights_bytes: Value,
    routed_weights_bytes: Value,
    table_weights_bytes: Value,
    host_table_bytes: Value,
    wide_parameters: Value,
    file_scale: Value,
    card_layer_share: Value,
    card_expert_share: Value,
    expert_shards: Value,
    tensor_parallel: Value,
    pipeline_parallel: Value,
) -> Value:
    """Weights on the fullest card; the first or last stage also holds a table."""
    dense = layer_weights_bytes * card_layer_share / tensor_parallel
    layers = dense + routed_weights_bytes * card_expert_share / expert_shards
    apart = (pipeline_parallel > 1) & (host_table_bytes == 0)
    tables = (table_weights_bytes - host_table_bytes) / tensor_parallel / np.where(apart, 2.0, 1.0)
    return file_scale * (layers / pipeline_parallel + tables + wide_parameters * BYTES_16BIT)


@quantity(unit="B")
def host_weights_bytes(
    layer_weights_bytes: Value,
    routed_weights_bytes: Value,
    card_layer_share: Value,
    card_expert_share: Value,
    file_scale: Value,
) -> Value:
    """Weights of the layers and experts kept in host memory."""
    layers = layer_weights_bytes * (1 - card_layer_share)
    return file_scale * (layers + routed_weights_bytes * (1 - card_expert_share))


@quantity(unit="parameter")
def host_active_parameters(
    layer_parameters: Value,
    routed_parameters: Value,
    experts: Value,
    experts_per_token: Value,
    card_layer_share: Value,
    card_expert_share: Value,
) -> Value:
    """Parameters kept in host memory that one token passes through."""
    routed = routed_parameters * experts_per_token / experts
    return layer_parameters * (1 - card_layer_share) + routed * (1 - card_expert_share)
