"""Speed and memory of vision networks: arithmetic, memory passes over activations, launches, exchange of gradients."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.communication.collectives import all_reduce
from gpuconfig.engine.estimation.communication.groups import NCCL, by_path, group_rate, group_steps_s
from gpuconfig.engine.estimation.graph import Value, quantity

GRADIENT_BYTES = 4.0


@quantity(unit="FLOP")
def sample_flop(forward_flop: Value, size_scale: Value, training: Value) -> Value:
    """Arithmetic of one image; backward costs twice the forward pass."""
    return forward_flop * size_scale * (1 + 2 * training)


@quantity(unit="B")
def sample_traffic_bytes(
    activation_elements: Value,
    size_scale: Value,
    value_bytes: Value,
    inference_passes: Value,
    training_passes: Value,
    training: Value,
    precision_traffic: Value,
    channels_last_traffic: Value,
    channels_last: Value,
) -> Value:
    """Memory traffic of one image: passes over its activations.

    With channels last no pass goes into turning layouts round for the tensor cores.
    """
    passes = np.where(training > 0, training_passes, inference_passes)
    layout = channels_last_traffic**channels_last
    return activation_elements * size_scale * value_bytes * passes * precision_traffic * layout


@quantity(unit="FLOP/s")
def product_rate(
    product_flops: Value,
    half_flops: Value,
    product_fraction: Value,
    saturation_flops: Value,
    power_speed: Value,
    tdp_w: Value,
    flop_per_joule: Value,
) -> Value:
    """Rate of products: a share of the peak, and less the nearer the peak comes to what small layers can feed.

    Small cards for servers do not hold the peak of their matrix units: the power of the board feeds less.
    """
    share = product_flops / half_flops
    fed = np.where(share < 1, np.inf, tdp_w * flop_per_joule * share)
    reached = np.fmin(product_flops * product_fraction, fed)
    return power_speed / (1 / reached + 1 / saturation_flops)


@quantity(unit="s")
def compute_s(sample_flop: Value, batch: Value, product_rate: Value) -> Value:
    """Arithmetic of a batch."""
    return batch * sample_flop / product_rate


@quantity(unit="s")
def traffic_s(
    sample_traffic_bytes: Value,
    batch: Value,
    parameters: Value,
    value_bytes: Value,
    training: Value,
    memory_bytes_per_s: Value,
    traffic_fraction: Value,
) -> Value:
    """Memory traffic of a batch; in inference the weights are read once for all of it."""
    weights = (1 - training) * parameters * value_bytes
    return (batch * sample_traffic_bytes + weights) / (memory_bytes_per_s * traffic_fraction)


@quantity(unit="s")
def batch_s(products_s: Value, passes_s: Value, launches_s: Value) -> Value:
    """One batch on one card: products and memory passes one after the other, fused kernels both at once."""
    return products_s + passes_s + launches_s


@quantity(unit="B/s", source=NCCL)
def gradient_bytes_per_s(
    gpu_count: Value, gpus_per_node: Value, fast_domain_gpus: Value, fast_bytes_per_s: Value,
    fast_pair_bytes_per_s: Value, in_switch_bytes_per_s: Value, in_switch_least_gpus: Value,
    pcie_peer_bytes_per_s: Value, network_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Bus bandwidth of the all-reduce of gradients over all cards."""
    return group_rate(
        gpu_count, 1.0, fast_domain_gpus, gpus_per_node, fast_bytes_per_s, fast_pair_bytes_per_s,
        in_switch_bytes_per_s, in_switch_least_gpus, pcie_peer_bytes_per_s, network_bytes_per_s,
    )  # fmt: skip


@quantity(unit="s", source="https://arxiv.org/abs/1802.05799")
def gradient_exchange_s(
    parameters: Value, gpu_count: Value, gpus_per_node: Value, fast_domain_gpus: Value, gradient_bytes_per_s: Value,
    fast_latency_s: Value, pcie_latency_s: Value, network_latency_s: Value,
    fast_ramp_s: Value, pcie_ramp_s: Value, network_ramp_s: Value, in_switch_least_gpus: Value, fast_hop_s: Value,
    pcie_hop_s: Value, network_hop_s: Value, network_tree_hop_s: Value, tree_share: Value, training: Value,
) -> Value:  # fmt: skip
    """All-reduce of the gradients, as the communication of language models counts it."""
    path = (gpu_count, 1.0, fast_domain_gpus, gpus_per_node)
    latency = by_path(*path, fast_latency_s, pcie_latency_s, network_latency_s)
    ramp = by_path(*path, fast_ramp_s, pcie_ramp_s, network_ramp_s)
    steps = group_steps_s(
        *path, in_switch_least_gpus, fast_hop_s, pcie_hop_s, network_hop_s, network_tree_hop_s
    )
    link = (gpu_count, gradient_bytes_per_s, latency, ramp)
    return training * all_reduce(parameters * GRADIENT_BYTES, *link, *steps, tree_share)


@quantity(unit="s")
def step_s(batch_s: Value, gradient_exchange_s: Value, hidden_share: Value, stragglers_s: Value) -> Value:
    """One step: the exchange hides behind the backward pass as far as that reaches."""
    exposed = np.maximum(gradient_exchange_s - hidden_share * batch_s, 0.05 * gradient_exchange_s)
    return batch_s + stragglers_s + exposed


@quantity(unit="sample/s")
def device_samples_per_s(step_s: Value, batch: Value, gpu_count: Value) -> Value:
    """Images a second as far as the cards go."""
    return batch * gpu_count / step_s


@quantity(unit="sample/s")
def input_samples_per_s(cpu_cores: Value, core_samples_per_s: Value, size_scale: Value) -> Value:
    """Images a second that the processor decodes and augments."""
    return cpu_cores * core_samples_per_s / size_scale


@quantity(unit="B")
def weights_bytes(parameters: Value, value_bytes: Value, training: Value) -> Value:
    """Weights; in training FP32 weights, gradients and momentum."""
    return parameters * np.where(training > 0, 12.0, value_bytes)


@quantity(unit="B")
def activation_bytes(
    activation_elements: Value,
    size_scale: Value,
    value_bytes: Value,
    batch: Value,
    training: Value,
    kept_activations: Value,
    live_activations: Value,
) -> Value:
    """Activations: all kept for the backward pass in training, the largest layers in inference."""
    kept = np.where(training > 0, kept_activations, live_activations)
    return batch * activation_elements * size_scale * value_bytes * kept


@quantity(unit="B")
def peak_allocated_bytes(weights_bytes: Value, activation_bytes: Value) -> Value:
    """Peak of what the framework allocates."""
    return weights_bytes + activation_bytes


@quantity(unit="B")
def device_used_bytes(peak_allocated_bytes: Value, allocator_share: Value, context_bytes: Value) -> Value:
    """What the driver shows."""
    return peak_allocated_bytes * (1 + allocator_share) + context_bytes
