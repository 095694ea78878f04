"""Many users at once: continuous batching, waiting for others' prompts, slots of the cache.

A closed loop: each user sends the next request when the last is answered, so that between two requests of one user
each of the others has one prompt taken in. What of them is waited for and what delays the tokens is all that is open.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity


@quantity(unit="1")
def replica_users(concurrency: Value, data_parallel: Value) -> Value:
    """Users of one replica."""
    return np.maximum(concurrency / data_parallel, 1.0)


@quantity(unit="1")
def slots(replica_users: Value, max_sequences: Value, admitted_sequences: Value) -> Value:
    """Users that one replica serves at once; the others wait for a slot."""
    return np.maximum(np.minimum(np.minimum(replica_users, max_sequences), np.floor(admitted_sequences)), 1.0)


@quantity(unit="1")
def answer_steps(output_tokens: Value, tokens_per_step: Value) -> Value:
    """Steps of an answer after its first token."""
    return np.maximum(output_tokens - 1, 0.0) / tokens_per_step


@quantity(unit="1")
def burst_prompts(slots: Value, burst_share: Value, burst_power: Value) -> Value:
    """Others' prompts that come together with one's own and are taken in first."""
    others = np.maximum(slots - 1, 0.0)
    return np.minimum(burst_share * others**burst_power, others)


@quantity(unit="1", source="https://arxiv.org/abs/2403.02310")
def running_sequences(
    slots: Value, burst_prompts: Value, answer_steps: Value, new_tokens: Value, chunk_tokens: Value
) -> Value:
    """Sequences that decode at once in one replica; the step of a token is that of all that write their answers.

    A pass has room for a chunk, of which each running sequence takes a token and others' prompts the rest. Where the
    steps of an answer have no room for the prompts of all others, fewer sequences run.
    """
    steps = answer_steps / np.maximum(new_tokens, 1.0)
    most = (1 + burst_prompts + steps * chunk_tokens) / (1 + steps)
    return np.maximum(np.minimum(slots, most), 1.0)


@quantity(unit="1")
def crowded_prompts(slots: Value, running_sequences: Value) -> Value:
    """Others' prompts that wait with one's own because the passes of the answers have no room for them."""
    return slots - running_sequences


@quantity(unit="s")
def interference_s(
    slots: Value,
    burst_prompts: Value,
    crowded_prompts: Value,
    output_tokens: Value,
    prompt_work_s: Value,
    mixing_fraction: Value,
) -> Value:
    """Delay of a token by prompts of others.

    Those that are not taken in while one's own prompt waits are taken in while the answer is written.
    """
    others = np.maximum(slots - 1, 0.0) - burst_prompts - crowded_prompts
    return mixing_fraction * others / np.maximum(output_tokens - 1, 1.0) * prompt_work_s


@quantity(unit="s")
def tpot_s(decode_token_s: Value, interference_s: Value) -> Value:
    """Time per output token under load."""
    return decode_token_s + interference_s


@quantity(unit="s")
def prompt_queue_s(
    burst_prompts: Value,
    prompt_turn_s: Value,
    crowded_prompts: Value,
    prompt_work_s: Value,
    mixing_fraction: Value,
) -> Value:
    """Waiting for prompts of others."""
    return burst_prompts * prompt_turn_s + mixing_fraction * crowded_prompts * prompt_work_s


@quantity(unit="s")
def prompt_mixing_s(
    decode_step_s: Value,
    cache_read_s: Value,
    step_sequences: Value,
    sequence_seconds: Value,
    prompt_passes: Value,
    slots: Value,
    mixing_fraction: Value,
) -> Value:
    """Half of the others' step under way, and what their next tokens add to the passes of the prompt.

    The passes read the weights anyway; the others' tokens bring their cache and their bookkeeping.
    """
    shared = (cache_read_s + step_sequences * sequence_seconds) * np.maximum(prompt_passes - 1, 0.0)
    return np.minimum(slots - 1, 1.0) * (0.5 * decode_step_s + mixing_fraction * shared)


@quantity(unit="s")
def delivery_s(decode_step_s: Value, delivery_steps: Value, slots: Value) -> Value:
    """Steps of others that pass meanwhile: servers look for requests and hand tokens out once in several steps."""
    return np.minimum(slots - 1, 1.0) * decode_step_s * delivery_steps


@quantity(unit="s")
def first_token_s(
    prefill_s: Value,
    prompt_queue_s: Value,
    prompt_mixing_s: Value,
    delivery_s: Value,
    decode_step_s: Value,
    prompt_tokens: Value,
) -> Value:
    """Time to the first token once a slot is free."""
    taken_in = np.where(prompt_tokens > 0, prefill_s, decode_step_s)
    return taken_in + prompt_queue_s + prompt_mixing_s + delivery_s


@quantity(unit="s")
def request_s(first_token_s: Value, delivery_s: Value, output_tokens: Value, tpot_s: Value) -> Value:
    """One request in its slot, first to last token; steps that deliver the first tokens make further ones."""
    return first_token_s - delivery_s + np.maximum(output_tokens - 1, 0.0) * tpot_s


@quantity(unit="s")
def slot_wait_s(replica_users: Value, slots: Value, request_s: Value) -> Value:
    """Waiting for a slot where there are more users than slots."""
    return np.maximum(replica_users - slots, 0.0) / slots * request_s


@quantity(unit="s")
def ttft_s(first_token_s: Value, slot_wait_s: Value) -> Value:
    """Time to first token."""
    return first_token_s + slot_wait_s


@quantity(unit="token/s")
def output_tokens_per_s(
    slots: Value, output_tokens: Value, request_s: Value, data_parallel: Value, concurrency: Value
) -> Value:
    """Output tokens of all users a second."""
    return np.minimum(data_parallel, concurrency) * slots * np.maximum(output_tokens, 1.0) / request_s


@quantity(unit="W")
def gpu_w(
    tdp_w: Value,
    sustained_w: Value,
    decode_power_share: Value,
    prefill_power_share: Value,
    request_s: Value,
    prefill_s: Value,
    slots: Value,
) -> Value:
    """Power of one card while serving."""
    prompts = np.minimum(slots * prefill_s / request_s, 1.0)
    share = decode_power_share * (1 - prompts) + prefill_power_share * prompts
    return np.fmin(tdp_w * share, sustained_w)
