"""Many users at once: continuous batching, waiting for others' prompts, slots of the cache.

A closed loop: each user sends the next request when the last is answered. `running_sequences` is solved so that it
agrees with the times below (Little's law).
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

BUSIEST = 0.9
"""Utilisation of the prompt server at which waiting is cut off: a closed loop cannot exceed it."""


@quantity(unit="1")
def replica_users(concurrency: Value, data_parallel: Value) -> Value:
    """Users of one replica."""
    return np.maximum(concurrency / data_parallel, 1.0)


@quantity(unit="1")
def slots(replica_users: Value, max_sequences: Value, admitted_sequences: Value) -> Value:
    """Users that one replica serves at once; the others wait for a slot."""
    return np.maximum(np.minimum(np.minimum(replica_users, max_sequences), np.floor(admitted_sequences)), 1.0)


@quantity(unit="s", source="https://arxiv.org/abs/2403.02310")
def interference_s(
    running_sequences: Value,
    output_tokens: Value,
    prompt_work_s: Value,
    mixing_fraction: Value,
    pipeline_parallel: Value,
    pipelined: Value,
) -> Value:
    """Delay of a token by prompts of other users that are taken in between."""
    others = np.maximum(running_sequences - 1, 0.0)
    stages = np.where(pipelined > 0, pipeline_parallel, 1.0)
    return mixing_fraction * others / np.maximum(output_tokens, 1.0) * prompt_work_s / stages


@quantity(unit="s")
def tpot_s(decode_token_s: Value, interference_s: Value) -> Value:
    """Time per output token under load."""
    return decode_token_s + interference_s


@quantity(unit="1")
def prompt_server_load(
    running_sequences: Value, output_tokens: Value, tpot_s: Value, prompt_work_s: Value
) -> Value:
    """Share of the time in which prompts are taken in."""
    return np.minimum(running_sequences / np.maximum(output_tokens * tpot_s, 1e-9) * prompt_work_s, BUSIEST)


@quantity(unit="s", source="https://en.wikipedia.org/wiki/Pollaczek%E2%80%93Khinchine_formula")
def prompt_queue_s(
    prompt_server_load: Value,
    prompt_turn_s: Value,
    replica_users: Value,
    slots: Value,
    queue_factor: Value,
    burst_share: Value,
    burst_power: Value,
) -> Value:
    """Waiting for prompts of others: a single server with steady prompts, and bursts of requests that come together."""
    steady = queue_factor * prompt_server_load / (1 - prompt_server_load) / 2 * prompt_turn_s
    others = np.maximum(slots - 1, 0.0)
    steady = np.minimum(steady, others * prompt_turn_s)
    return steady * np.where(replica_users > 1, 1.0, 0.0) + burst_share * others**burst_power * prompt_turn_s


@quantity(unit="s")
def prompt_mixing_s(
    decode_step_s: Value, prompt_passes: Value, replica_users: Value, mixing_fraction: Value
) -> Value:
    """Decode steps of others that a prompt waits for or shares its passes with."""
    return np.where(
        replica_users > 1, decode_step_s * (0.5 + mixing_fraction * np.maximum(prompt_passes - 1, 0.0)), 0.0
    )


@quantity(unit="s")
def delivery_s(decode_step_s: Value, delivery_steps: Value) -> Value:
    """Steps that pass until the first tokens reach the user: servers hand tokens out in bundles."""
    return decode_step_s * delivery_steps


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


@quantity(unit="1")
def balanced_sequences(slots: Value, request_s: Value, output_tokens: Value, tpot_s: Value) -> Value:
    """Sequences that decode at once by Little's law; equals `running_sequences` once solved."""
    return slots * np.maximum(output_tokens - 1, 0.0) * tpot_s / request_s


@quantity(unit="W")
def gpu_w(
    tdp_w: Value,
    power_limit_w: Value,
    decode_power_share: Value,
    prefill_power_share: Value,
    request_s: Value,
    prefill_s: Value,
    slots: Value,
) -> Value:
    """Power of one card while serving."""
    prompts = np.minimum(slots * prefill_s / request_s, 1.0)
    share = decode_power_share * (1 - prompts) + prefill_power_share * prompts
    return np.minimum(tdp_w * share, np.where(np.isnan(power_limit_w), np.inf, power_limit_w))
