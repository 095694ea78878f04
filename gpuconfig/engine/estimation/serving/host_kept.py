"""Layers and experts kept in host memory: what a step and a pass of a prompt wait for them."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity
from gpuconfig.engine.estimation.serving.decode import touched_share


@quantity(unit="s")
def host_layer_read_s(
    layer_weights_bytes: Value,
    card_layer_share: Value,
    file_scale: Value,
    host_bytes_per_s: Value,
    host_fraction: Value,
) -> Value:
    """Time to read the layers kept in host memory once, at the host's bandwidth."""
    return file_scale * layer_weights_bytes * (1 - card_layer_share) / (host_bytes_per_s * host_fraction)


@quantity(
    unit="s", source="https://github.com/kvcache-ai/ktransformers/blob/main/doc/en/DeepseekR1_V3_tutorial.md"
)
def host_expert_read_s(
    routed_weights_bytes: Value,
    card_expert_share: Value,
    file_scale: Value,
    host_bytes_per_s: Value,
    host_expert_fraction: Value,
) -> Value:
    """Time to read all experts kept in host memory once, at the host's bandwidth."""
    kept = file_scale * routed_weights_bytes * (1 - card_expert_share)
    return kept / (host_bytes_per_s * host_expert_fraction)


@quantity(unit="s")
def host_stream_s(host_layer_read_s: Value, host_expert_read_s: Value, experts_touched_share: Value) -> Value:
    """Time of a step in the layers and experts in host memory: of the experts those that it needs are read."""
    return host_layer_read_s + host_expert_read_s * experts_touched_share


@quantity(unit="s")
def host_sent_s(host_weights_bytes: Value, slot_bytes_per_s: Value) -> Value:
    """Time to send all that is kept in host memory to the card once."""
    return host_weights_bytes / slot_bytes_per_s


@quantity(
    unit="s", source="https://github.com/kvcache-ai/ktransformers/blob/main/doc/en/DeepseekR1_V3_tutorial.md"
)
def host_token_s(host_active_parameters: Value, host_cores: Value, core_flops_per_s: Value) -> Value:
    """Time of the processor for one token of a prompt in what is kept in host memory."""
    return 2 * host_active_parameters / (host_cores * core_flops_per_s)


def host_pass(read: Value, sent: Value, tokens: Value, each: Value) -> Value:
    """Time of a pass in host memory: its weights are sent to the card, or read and computed where they stand."""
    return np.minimum(sent, np.maximum(read, tokens * each))


@quantity(unit="s")
def pass_host_s(
    new_tokens: Value,
    prompt_passes: Value,
    experts: Value,
    experts_per_token: Value,
    routing_evenness: Value,
    host_layer_read_s: Value,
    host_expert_read_s: Value,
    host_sent_s: Value,
    host_token_s: Value,
) -> Value:
    """Time of a pass of one prompt in what is kept in host memory, by the shorter way."""
    tokens = new_tokens / np.maximum(prompt_passes, 1.0)
    touched = touched_share(tokens, experts, experts_per_token, routing_evenness)
    return host_pass(host_layer_read_s + touched * host_expert_read_s, host_sent_s, tokens, host_token_s)


@quantity(unit="s")
def joint_host_s(
    chunk_tokens: Value,
    experts: Value,
    experts_per_token: Value,
    routing_evenness: Value,
    host_layer_read_s: Value,
    host_expert_read_s: Value,
    host_sent_s: Value,
    host_token_s: Value,
) -> Value:
    """Time of a full pass under load in what is kept in host memory, by the shorter way."""
    touched = touched_share(chunk_tokens, experts, experts_per_token, routing_evenness)
    read = host_layer_read_s + touched * host_expert_read_s
    return host_pass(read, host_sent_s, chunk_tokens, host_token_s)
