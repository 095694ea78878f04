"""Groups of accelerators that talk to each other: bus bandwidth, latency and ramp of each kind of parallelism.

Ranks are laid out tensor, context, data (experts inside data), pipeline from the innermost to the outermost, as
Megatron-LM and torchtitan do. A group that fits the fast link uses it alone; a group that outgrows a bridge or has no
fast link runs over PCIe inside the machine; what crosses machines runs over the network.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.communication.collectives import (
    Value,
    exchange_rate,
    members_inside,
    ring_rate,
    ring_steps_s,
    tree_steps_s,
)
from gpuconfig.engine.estimation.graph import quantity

LAYOUT = "https://arxiv.org/abs/2104.04473"
NCCL = "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md"
TUNING = "https://github.com/NVIDIA/nccl/blob/master/src/graph/tuning.cc"


def members_together(size: Value, stride: Value, domain: Value, node: Value) -> tuple[Value, Value]:
    """Whether a group runs over the fast link, and how many of its members one domain or machine holds."""
    over_fast = (size * stride <= domain) | (domain >= node)
    return over_fast, members_inside(size, stride, np.where(over_fast, domain, node))


def group_steps_s(
    size: Value, stride: Value, domain: Value, node: Value, least: Value, fast_hop: Value, pcie_hop: Value,
    network_hop: Value, tree_hop: Value,
) -> tuple[Value, Value]:  # fmt: skip
    """Seconds that the steps of a ring and of a tree add in a group larger than the measured ones."""
    over_fast, inside = members_together(size, stride, domain, node)
    hop = np.where(over_fast, fast_hop, pcie_hop)
    in_switch = over_fast & (inside >= least)
    ring = ring_steps_s(size, inside, hop, network_hop, in_switch)
    return ring, np.where(size > inside, tree_steps_s(size, inside, hop, tree_hop), ring)


def group_rate(
    size: Value, stride: Value, domain: Value, node: Value, fast: Value, pair: Value, switch: Value, least: Value,
    pcie: Value, network: Value,
) -> Value:  # fmt: skip
    """Bus bandwidth per accelerator of a group of `size` members `stride` apart, in byte/s.

    Args:
        domain, node: accelerators of the fast link and of one machine.
        fast, pair, switch: fast link in a full ring, between two neighbours, and reduced inside the switch.
        least: smallest group that is reduced inside the switch.
    """
    over_fast, inside = members_together(size, stride, domain, node)
    ring = np.where(inside >= least, switch, np.minimum(pair * np.maximum(inside - 1.0, 1.0), fast))
    return ring_rate(size, inside, np.where(over_fast, ring, pcie), network)


def group_exchange_rate(
    size: Value,
    stride: Value,
    domain: Value,
    node: Value,
    fast: Value,
    pair: Value,
    pcie: Value,
    network: Value,
    copies: Value,
) -> Value:
    """Rate per accelerator of an all-to-all in such a group, in byte/s; each item goes to `copies` members."""
    over_fast, inside = members_together(size, stride, domain, node)
    ring = np.minimum(pair * np.maximum(inside - 1.0, 1.0), fast)
    return exchange_rate(size, inside, np.where(over_fast, ring, pcie), network, copies)


def by_path(
    size: Value, stride: Value, domain: Value, node: Value, fast: Value, pcie: Value, network: Value
) -> Value:
    """The value (latency, ramp) of the farthest kind of link that the group uses."""
    extent = size * stride
    return np.where(extent > np.maximum(node, domain), network, np.where(extent > domain, pcie, fast))


@quantity(unit="1", source=LAYOUT)
def replica_group_size(data_parallel: Value, context_parallel: Value) -> Value:
    """Accelerators that hold the same weights: data times context parallel"""
    return data_parallel * context_parallel


@quantity(unit="B/s", source=NCCL)
def tensor_bytes_per_s(
    tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value, fast_bytes_per_s: Value,
    fast_pair_bytes_per_s: Value, in_switch_bytes_per_s: Value, in_switch_least_gpus: Value,
    pcie_peer_bytes_per_s: Value, network_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Bus bandwidth of the tensor parallel group"""
    return group_rate(
        tensor_parallel, 1.0, fast_domain_gpus, gpus_per_node, fast_bytes_per_s, fast_pair_bytes_per_s,
        in_switch_bytes_per_s, in_switch_least_gpus, pcie_peer_bytes_per_s, network_bytes_per_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def tensor_latency_s(
    tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value, fast_latency_s: Value,
    pcie_latency_s: Value, network_latency_s: Value,
) -> Value:  # fmt: skip
    """Latency of a collective in the tensor parallel group"""
    return by_path(
        tensor_parallel, 1.0, fast_domain_gpus, gpus_per_node, fast_latency_s, pcie_latency_s,
        network_latency_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def tensor_ramp_s(
    tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value, fast_ramp_s: Value,
    pcie_ramp_s: Value, network_ramp_s: Value,
) -> Value:  # fmt: skip
    """Ramp of a collective in the tensor parallel group at 1 MiB"""
    return by_path(
        tensor_parallel, 1.0, fast_domain_gpus, gpus_per_node, fast_ramp_s, pcie_ramp_s, network_ramp_s,
    )  # fmt: skip


@quantity(unit="B/s", source=NCCL)
def context_bytes_per_s(
    context_parallel: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_bytes_per_s: Value, fast_pair_bytes_per_s: Value, in_switch_bytes_per_s: Value,
    in_switch_least_gpus: Value, pcie_peer_bytes_per_s: Value, network_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Bus bandwidth of the context parallel group"""
    return group_rate(
        context_parallel, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_bytes_per_s,
        fast_pair_bytes_per_s, in_switch_bytes_per_s, in_switch_least_gpus, pcie_peer_bytes_per_s,
        network_bytes_per_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def context_latency_s(
    context_parallel: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_latency_s: Value, pcie_latency_s: Value, network_latency_s: Value,
) -> Value:  # fmt: skip
    """Latency of a collective in the context parallel group"""
    return by_path(
        context_parallel, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_latency_s, pcie_latency_s,
        network_latency_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def context_ramp_s(
    context_parallel: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_ramp_s: Value, pcie_ramp_s: Value, network_ramp_s: Value,
) -> Value:  # fmt: skip
    """Ramp of a collective in the context parallel group at 1 MiB"""
    return by_path(
        context_parallel, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_ramp_s, pcie_ramp_s,
        network_ramp_s,
    )  # fmt: skip


@quantity(unit="B/s", source=NCCL)
def replica_bytes_per_s(
    replica_group_size: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_bytes_per_s: Value, fast_pair_bytes_per_s: Value, in_switch_bytes_per_s: Value,
    in_switch_least_gpus: Value, pcie_peer_bytes_per_s: Value, network_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Bus bandwidth of the group that shares gradients"""
    return group_rate(
        replica_group_size, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_bytes_per_s,
        fast_pair_bytes_per_s, in_switch_bytes_per_s, in_switch_least_gpus, pcie_peer_bytes_per_s,
        network_bytes_per_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def replica_latency_s(
    replica_group_size: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_latency_s: Value, pcie_latency_s: Value, network_latency_s: Value,
) -> Value:  # fmt: skip
    """Latency of a collective in the group that shares gradients"""
    return by_path(
        replica_group_size, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_latency_s,
        pcie_latency_s, network_latency_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def replica_ramp_s(
    replica_group_size: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_ramp_s: Value, pcie_ramp_s: Value, network_ramp_s: Value,
) -> Value:  # fmt: skip
    """Ramp of a collective in the group that shares gradients at 1 MiB"""
    return by_path(
        replica_group_size, tensor_parallel, fast_domain_gpus, gpus_per_node, fast_ramp_s, pcie_ramp_s,
        network_ramp_s,
    )  # fmt: skip


@quantity(unit="s", source=TUNING)
def replica_ring_s(
    replica_group_size: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    in_switch_least_gpus: Value, fast_hop_s: Value, pcie_hop_s: Value, network_hop_s: Value, network_tree_hop_s: Value,
) -> Value:  # fmt: skip
    """Steps of a ring over the group that shares gradients, beyond those of two machines"""
    return group_steps_s(
        replica_group_size, tensor_parallel, fast_domain_gpus, gpus_per_node, in_switch_least_gpus, fast_hop_s,
        pcie_hop_s, network_hop_s, network_tree_hop_s,
    )[0]  # fmt: skip


@quantity(unit="s", source=TUNING)
def replica_tree_s(
    replica_group_size: Value, tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    in_switch_least_gpus: Value, fast_hop_s: Value, pcie_hop_s: Value, network_hop_s: Value, network_tree_hop_s: Value,
) -> Value:  # fmt: skip
    """Steps of a tree over the group that shares gradients, beyond those of two machines"""
    return group_steps_s(
        replica_group_size, tensor_parallel, fast_domain_gpus, gpus_per_node, in_switch_least_gpus, fast_hop_s,
        pcie_hop_s, network_hop_s, network_tree_hop_s,
    )[1]  # fmt: skip


@quantity(unit="B/s", source=NCCL)
def expert_bytes_per_s(
    expert_parallel: Value, expert_tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_bytes_per_s: Value, fast_pair_bytes_per_s: Value, pcie_peer_bytes_per_s: Value,
    network_bytes_per_s: Value, experts_per_token: Value,
) -> Value:  # fmt: skip
    """Rate of the all-to-all in the expert parallel group"""
    return group_exchange_rate(
        expert_parallel, expert_tensor_parallel, fast_domain_gpus, gpus_per_node, fast_bytes_per_s,
        fast_pair_bytes_per_s, pcie_peer_bytes_per_s, network_bytes_per_s, experts_per_token,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def expert_latency_s(
    expert_parallel: Value, expert_tensor_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_latency_s: Value, pcie_latency_s: Value, network_latency_s: Value,
) -> Value:  # fmt: skip
    """Latency of the all-to-all in the expert parallel group"""
    return by_path(
        expert_parallel, expert_tensor_parallel, fast_domain_gpus, gpus_per_node, fast_latency_s,
        pcie_latency_s, network_latency_s,
    )  # fmt: skip


@quantity(unit="B/s", source=NCCL)
def pipeline_bytes_per_s(
    gpus: Value, pipeline_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_bytes_per_s: Value, fast_pair_bytes_per_s: Value, in_switch_bytes_per_s: Value,
    in_switch_least_gpus: Value, pcie_peer_bytes_per_s: Value, network_bytes_per_s: Value,
) -> Value:  # fmt: skip
    """Rate between neighbouring pipeline stages"""
    return group_rate(
        2.0, gpus / pipeline_parallel, fast_domain_gpus, gpus_per_node, fast_bytes_per_s,
        fast_pair_bytes_per_s, in_switch_bytes_per_s, in_switch_least_gpus, pcie_peer_bytes_per_s,
        network_bytes_per_s,
    )  # fmt: skip


@quantity(unit="s", source=NCCL)
def pipeline_latency_s(
    gpus: Value, pipeline_parallel: Value, fast_domain_gpus: Value, gpus_per_node: Value,
    fast_latency_s: Value, pcie_latency_s: Value, network_latency_s: Value,
) -> Value:  # fmt: skip
    """Latency between neighbouring pipeline stages"""
    return by_path(
        2.0, gpus / pipeline_parallel, fast_domain_gpus, gpus_per_node, fast_latency_s, pcie_latency_s,
        network_latency_s,
    )  # fmt: skip
