"""Taking in a prompt: products, attention over it, weights read once a pass, fixed costs."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity
from gpuconfig.engine.estimation.serving.decode import product_s, touched_share


@quantity(unit="token")
def new_tokens(prompt_tokens: Value, prefix_cache_hit: Value) -> Value:
    """Prompt tokens that are not in the prefix cache."""
    return np.maximum(prompt_tokens * (1 - prefix_cache_hit), np.minimum(prompt_tokens, 1.0))


@quantity(unit="1")
def prompt_passes(new_tokens: Value, chunk_tokens: Value) -> Value:
    """Passes of at most a chunk each."""
    return np.ceil(new_tokens / chunk_tokens)


@quantity(unit="1")
def filled_passes(new_tokens: Value, chunk_tokens: Value) -> Value:
    """Passes a prompt fills: a last one that is not full has room for others' tokens."""
    return np.maximum(new_tokens / chunk_tokens, np.minimum(new_tokens, 1.0))


@quantity(unit="FLOP")
def prompt_dense_flop(
    layer_parameters: Value, head_read_parameters: Value, new_tokens: Value, tensor_parallel: Value
) -> Value:
    """Products of a prompt outside the experts, on one card; the output projection runs for its last token only."""
    return (
        2
        * (layer_parameters * new_tokens + head_read_parameters * np.minimum(new_tokens, 1.0))
        / tensor_parallel
    )


@quantity(unit="FLOP")
def prompt_routed_flop(
    routed_parameters: Value,
    experts: Value,
    experts_per_token: Value,
    new_tokens: Value,
    expert_shards: Value,
) -> Value:
    """Products of a prompt in the experts, on one card."""
    return 2 * routed_parameters * experts_per_token / experts * new_tokens / expert_shards


def expert_rate(each: Value, factor: Value, half_tokens: Value, width: Value, half_width: Value) -> Value:
    """Rate of experts' products over plain ones.

    Args:
        each: tokens that an expert gets in a pass.
        half_tokens, half_width: tokens, and width of an expert, at which half of the rate is reached.
    """
    return factor * each / (each + half_tokens) * width / (width + half_width)


@quantity(unit="1")
def prompt_expert_rate(
    new_tokens: Value,
    filled_passes: Value,
    experts: Value,
    experts_per_token: Value,
    expert_product_factor: Value,
    expert_half_tokens: Value,
    expert_width: Value,
    expert_half_width: Value,
) -> Value:
    """Rate of the experts' products over plain ones, by the tokens an expert gets in a pass and by its width."""
    each = np.maximum(new_tokens, 1.0) / np.maximum(filled_passes, 1.0) * experts_per_token / experts
    return expert_rate(each, expert_product_factor, expert_half_tokens, expert_width, expert_half_width)


@quantity(unit="token")
def joint_pass_tokens(
    new_tokens: Value, slots: Value, answer_steps: Value, chunk_tokens: Value, running_sequences: Value
) -> Value:
    """Prompt tokens of a pass under load: answers that end in one step bring their prompts together."""
    own = np.minimum(np.maximum(new_tokens, 1.0), chunk_tokens)
    together = np.maximum((slots - 1) / np.maximum(answer_steps, 1.0), 1.0)
    return np.minimum(own * together, np.maximum(chunk_tokens - running_sequences, own))


@quantity(unit="1")
def joint_expert_rate(
    joint_pass_tokens: Value,
    experts: Value,
    experts_per_token: Value,
    expert_product_factor: Value,
    expert_half_tokens: Value,
    expert_width: Value,
    expert_half_width: Value,
) -> Value:
    """The same for passes under load."""
    each = joint_pass_tokens * experts_per_token / experts
    return expert_rate(each, expert_product_factor, expert_half_tokens, expert_width, expert_half_width)


@quantity(unit="s")
def prompt_product_s(
    prompt_dense_flop: Value, prompt_routed_flop: Value, product_flops_per_s: Value, prompt_expert_rate: Value
) -> Value:
    """Time of a prompt's products."""
    return product_s(prompt_dense_flop, prompt_routed_flop, product_flops_per_s, prompt_expert_rate)


@quantity(unit="s")
def pass_stream_s(
    new_tokens: Value,
    filled_passes: Value,
    layer_weights_bytes: Value,
    routed_weights_bytes: Value,
    tensor_parallel: Value,
    expert_shards: Value,
    experts: Value,
    experts_per_token: Value,
    weight_bytes_per_s: Value,
    routing_evenness: Value,
) -> Value:
    """Time to read the weights that a pass of a prompt needs."""
    tokens = new_tokens / np.maximum(filled_passes, 1.0)
    touched = touched_share(tokens, experts, experts_per_token, routing_evenness)
    each = layer_weights_bytes / tensor_parallel + routed_weights_bytes * touched / expert_shards
    return each / weight_bytes_per_s


@quantity(unit="s")
def prompt_stream_s(filled_passes: Value, pass_stream_s: Value) -> Value:
    """Time to read the weights once a pass."""
    return filled_passes * pass_stream_s


@quantity(unit="s")
def prompt_matrix_s(prompt_product_s: Value, prompt_stream_s: Value, overlap_power: Value) -> Value:
    """Products and weight reads of a prompt together."""
    return (prompt_stream_s**overlap_power + prompt_product_s**overlap_power) ** (1 / overlap_power)


@quantity(unit="1")
def head_shards(heads: Value, tensor_parallel: Value) -> Value:
    """Heads over those of the fullest card: 128 heads on ten cards leave it thirteen."""
    return heads / np.ceil(heads / tensor_parallel)


@quantity(unit="FLOP", source="https://arxiv.org/abs/2205.14135")
def prompt_attention_flop(
    attention_width: Value,
    full_layers: Value,
    sliding_layers: Value,
    linear_layers: Value,
    window_tokens: Value,
    new_tokens: Value,
    prompt_tokens: Value,
    head_shards: Value,
    linear_key_width: Value,
) -> Value:
    """Scores and values over all causal pairs, on the fullest card."""
    cached = prompt_tokens - new_tokens
    pairs = new_tokens * (cached + new_tokens / 2)
    near = new_tokens * np.minimum(window_tokens, cached + new_tokens / 2)
    state = new_tokens * linear_key_width
    return (
        4
        * attention_width
        * (full_layers * pairs + sliding_layers * near + linear_layers * state)
        / head_shards
    )


@quantity(unit="s")
def prompt_attention_s(
    prompt_attention_flop: Value,
    attention_flops: Value,
    attention_fraction: Value,
    compute_power_factor: Value,
) -> Value:
    """Time of attention over the prompt."""
    return prompt_attention_flop / (attention_flops * attention_fraction * compute_power_factor)


@quantity(unit="s")
def pass_launch_s(
    layers: Value,
    prefill_layer_seconds: Value,
    moe_layers: Value,
    prefill_moe_layer_seconds: Value,
    latent_layers: Value,
    prefill_latent_layer_seconds: Value,
) -> Value:
    """Launches of a pass of a prompt: its shape changes, so that no captured graph replaces them."""
    special = moe_layers * prefill_moe_layer_seconds + latent_layers * prefill_latent_layer_seconds
    return layers * prefill_layer_seconds + special


@quantity(unit="s")
def prompt_fixed_s(
    prompt_passes: Value, pass_launch_s: Value, prefill_seconds: Value, new_tokens: Value
) -> Value:
    """Launches of a prompt's passes and the fixed time of a request."""
    return np.minimum(new_tokens, 1.0) * (prompt_passes * pass_launch_s + prefill_seconds)


def split_gain(stages: Value, passes: Value, share: Value) -> Value:
    """How much faster the cards of a layer split do `passes` one behind the other, at a share of the ideal gain."""
    return 1 + share * (stages * passes / (passes + stages - 1) - 1)


@quantity(unit="1")
def split_speedup(pipeline_parallel: Value, filled_passes: Value, prefill_split_gain: Value) -> Value:
    """How much faster the cards of a layer split take in a prompt of several passes together."""
    return split_gain(pipeline_parallel, np.maximum(filled_passes, 1.0), prefill_split_gain)


@quantity(unit="1")
def joint_split_speedup(
    pipeline_parallel: Value, filled_passes: Value, running_sequences: Value, prefill_split_gain: Value
) -> Value:
    """The same under load, where prompts of several users follow one another."""
    passes = running_sequences * np.maximum(filled_passes, 1.0)
    return split_gain(pipeline_parallel, passes, prefill_split_gain)


@quantity(unit="s")
def prefill_s(
    prompt_matrix_s: Value,
    prompt_attention_s: Value,
    prompt_fixed_s: Value,
    filled_passes: Value,
    pass_reduce_s: Value,
    prompt_exchange_s: Value,
    prompt_passes: Value,
    pass_host_s: Value,
    split_speedup: Value,
) -> Value:
    """Taking in one prompt alone."""
    exchanged = filled_passes * pass_reduce_s + prompt_exchange_s
    worked = (prompt_matrix_s + prompt_attention_s + exchanged) / split_speedup
    return worked + prompt_fixed_s + prompt_passes * pass_host_s


@quantity(unit="1")
def joint_passes(new_tokens: Value, joint_pass_tokens: Value) -> Value:
    """Passes that a prompt takes under load, those of its share where it goes together with others."""
    return new_tokens / joint_pass_tokens


@quantity(unit="s")
def joint_product_s(
    prompt_dense_flop: Value,
    prompt_routed_flop: Value,
    product_flops_per_s: Value,
    joint_expert_rate: Value,
    joint_passes: Value,
    step_product_s: Value,
) -> Value:
    """Time of the products of a pass that takes prompts and running sequences."""
    own = product_s(prompt_dense_flop, prompt_routed_flop, product_flops_per_s, joint_expert_rate)
    return step_product_s + own / np.maximum(joint_passes, 1e-9)


@quantity(unit="s")
def joint_stream_s(
    streamed_dense_bytes: Value,
    routed_weights_bytes: Value,
    file_scale: Value,
    card_expert_share: Value,
    expert_shards: Value,
    joint_pass_tokens: Value,
    routed_step_tokens: Value,
    experts: Value,
    experts_per_token: Value,
    routing_evenness: Value,
    weight_bytes_per_s: Value,
    expert_stream_factor: Value,
) -> Value:
    """Time to read the weights of such a pass: prompts ask for experts that the running sequences do not."""
    tokens = joint_pass_tokens + routed_step_tokens
    touched = touched_share(tokens, experts, experts_per_token, routing_evenness)
    routed = file_scale * routed_weights_bytes * card_expert_share * touched / expert_shards
    return streamed_dense_bytes / weight_bytes_per_s + routed / (weight_bytes_per_s * expert_stream_factor)


@quantity(unit="s", source="https://arxiv.org/abs/2308.16369")
def joint_matrix_s(
    joint_passes: Value, joint_product_s: Value, joint_stream_s: Value, matrix_s: Value, overlap_power: Value
) -> Value:
    """What products and weights of a prompt add to passes that run anyway."""
    whole = (joint_stream_s**overlap_power + joint_product_s**overlap_power) ** (1 / overlap_power)
    return joint_passes * (whole - matrix_s)


@quantity(unit="1")
def shared_passes(new_tokens: Value, chunk_tokens: Value) -> Value:
    """Passes that a prompt takes under load: short prompts that wait together go in one."""
    return new_tokens / chunk_tokens


@quantity(unit="s")
def shared_fixed_s(
    shared_passes: Value, pass_launch_s: Value, pass_reduce_s: Value, joint_host_s: Value
) -> Value:
    """A prompt's share of what each full pass costs beside the products on the cards."""
    return shared_passes * (pass_launch_s + pass_reduce_s + joint_host_s)


@quantity(unit="1")
def busy_stages(pipeline_parallel: Value, pipelined: Value) -> Value:
    """Stages of a pipeline that work on different prompts at the same time."""
    return np.where(pipelined > 0, pipeline_parallel, 1.0)


@quantity(unit="s")
def prompt_work_s(
    joint_matrix_s: Value,
    prompt_attention_s: Value,
    prompt_exchange_s: Value,
    shared_fixed_s: Value,
    joint_split_speedup: Value,
    busy_stages: Value,
) -> Value:
    """What a prompt adds to a stage's passes that run anyway."""
    own = (joint_matrix_s + prompt_attention_s + prompt_exchange_s) / joint_split_speedup
    return (own + shared_fixed_s) / busy_stages


@quantity(unit="s")
def prompt_turn_s(
    prompt_product_s: Value,
    pass_stream_s: Value,
    shared_passes: Value,
    overlap_power: Value,
    prompt_attention_s: Value,
    prompt_exchange_s: Value,
    shared_fixed_s: Value,
    joint_split_speedup: Value,
    busy_stages: Value,
) -> Value:
    """What a prompt adds to a queue of prompts that are taken in together, pass by pass."""
    streamed = pass_stream_s * shared_passes
    matrix = (streamed**overlap_power + prompt_product_s**overlap_power) ** (1 / overlap_power)
    own = (matrix + prompt_attention_s + prompt_exchange_s) / joint_split_speedup
    return (own + shared_fixed_s) / busy_stages


@quantity(unit="token/s")
def prefill_tokens_per_s(prompt_tokens: Value, prefill_s: Value) -> Value:
    """Prompt tokens taken in a second, one request alone."""
    return prompt_tokens / prefill_s
