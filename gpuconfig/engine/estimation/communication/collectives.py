"""Time of collective operations by an alpha-beta model with saturation, over two levels of links.

A group of `size` members has `inside` members in each domain of fast links. The ring (or in-switch) part runs
inside the domains and the rest between them, both at once, so the slower part sets the speed. On top come a fixed
latency and a ramp that grows with the cube root of the message: protocols change with size, and measured sizes from
1 KiB to 16 GiB need no more than these three numbers per link.

Latency and ramp are those of one machine of eight, or of two such machines. A larger group adds the steps that it takes
beyond them: a ring passes every member, a tree only every doubling of machines, at less bandwidth. An all-reduce takes
the faster of the two at its size, as NCCL does; gathering and scattering have no tree.

Sources of the shape: nccl-tests tables of AWS, Azure and the ROCm project (db/seed/measurements/scaling.csv); steps and
their choice: https://github.com/NVIDIA/nccl/blob/master/src/graph/tuning.cc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuconfig.engine.quantities.units import MIB

Value = Any
MEASURED_CARDS = 8.0
"""Cards of a machine in the tables that latency and ramp were fitted to."""
TINY = 1e-300  # keeps the unused branch of a group of one from dividing by nothing


def members_inside(size: Value, stride: Value, domain: Value) -> Value:
    """How many members of a group lie in one domain; `stride` is the distance between neighbours of the group."""
    return np.minimum(np.maximum(np.floor(domain / stride), 1.0), size)


def ring_rate(size: Value, inside: Value, inner_bytes_per_s: Value, outer_bytes_per_s: Value) -> Value:
    """Bus bandwidth per accelerator of a group: all-reduce moves 2 (n - 1) / n bytes per byte at this rate.

    Args:
        inner_bytes_per_s: bus bandwidth within a domain.
        outer_bytes_per_s: what one accelerator's share of the link between domains carries one way.
    """
    domains = size / inside
    inner = (1.0 - 1.0 / inside) / inner_bytes_per_s
    outer = (1.0 - 1.0 / domains) / (inside * outer_bytes_per_s)
    return np.where(size > 1, (1.0 - 1.0 / size) / np.maximum(np.maximum(inner, outer), TINY), np.inf)


def exchange_rate(
    size: Value, inside: Value, inner_bytes_per_s: Value, outer_bytes_per_s: Value, copies: Value = 1.0
) -> Value:
    """Rate per accelerator of an all-to-all, where (n - 1) / n of the data leaves each member.

    Args:
        copies: members that each item goes to; it crosses to another domain once, however many members want it there
            (as DeepEP and other two-level dispatchers do).
    """
    domains = size / inside
    wanted = copies * (1.0 - 1.0 / domains)
    crossing = (domains - 1.0) * (1.0 - (1.0 - 1.0 / domains) ** copies)
    inner = (inside - 1.0) / size / inner_bytes_per_s
    outer = (
        (size - inside)
        / size
        / outer_bytes_per_s
        * np.where(wanted > 0, crossing / np.maximum(wanted, TINY), 1.0)
    )
    return np.where(size > 1, (1.0 - 1.0 / size) / np.maximum(np.maximum(inner, outer), TINY), np.inf)


def ring_steps_s(
    size: Value, inside: Value, inner_hop_s: Value, outer_hop_s: Value, in_switch: Value = False
) -> Value:
    """Seconds that the steps of a ring take beyond those of the measured groups; an all-reduce goes round twice.

    Args:
        inner_hop_s, outer_hop_s: one step within a domain and between two.
        in_switch: a group within one domain is reduced by its switch, at once however many members it has.
    """
    domains = size / inside
    measured = (MEASURED_CARDS - 1.0) * np.minimum(np.ceil(domains), 2.0)
    alone = in_switch & (domains <= 1.0)
    inner = np.where(alone, 0.0, np.maximum(size - domains - measured, 0.0))
    return 2.0 * (inner_hop_s * inner + outer_hop_s * np.maximum(domains - 2.0, 0.0))


def tree_steps_s(size: Value, inside: Value, inner_hop_s: Value, tree_hop_s: Value) -> Value:
    """The same of a tree over domains, up and down, with a chain inside each."""
    levels = np.log2(np.maximum(size / inside, 2.0) / 2.0)
    return 2.0 * (inner_hop_s * np.maximum(inside - MEASURED_CARDS, 0.0) + tree_hop_s * levels)


def overhead(size: Value, message_bytes: Value, latency: Value, ramp: Value) -> Value:
    """Latency and ramp (seconds at 1 MiB) of one collective; nothing for a group of one."""
    return np.where(size > 1, latency + ramp * np.cbrt(message_bytes / MIB), 0.0)


def all_reduce(
    message_bytes: Value, size: Value, rate: Value, latency: Value, ramp: Value,
    ring_s: Value = 0.0, tree_s: Value = 0.0, tree_share: Value = 1.0,
) -> Value:  # fmt: skip
    """Seconds of an all-reduce of `message_bytes` on each member, by ring or tree, whichever is faster.

    Args:
        ring_s, tree_s: what the steps of either add.
        tree_share: bandwidth of a tree over that of a ring.
    """
    moved = 2.0 * (1.0 - 1.0 / size) * message_bytes / rate
    faster = np.minimum(moved + ring_s, moved / tree_share + tree_s)
    return faster + overhead(size, message_bytes, latency, ramp)


def gather(
    message_bytes: Value, size: Value, rate: Value, latency: Value, ramp: Value, ring_s: Value = 0.0
) -> Value:
    """Seconds of an all-gather to, or a reduce-scatter from, `message_bytes` on each member: half an all-reduce."""
    moved = (1.0 - 1.0 / size) * message_bytes / rate
    return moved + 0.5 * (ring_s + overhead(size, message_bytes, latency, ramp))


def exchange(message_bytes: Value, size: Value, rate: Value, latency: Value, ramp: Value) -> Value:
    """Seconds of an all-to-all of `message_bytes` held by each member."""
    return (1.0 - 1.0 / size) * message_bytes / rate + overhead(size, message_bytes, latency, 0.5 * ramp)


def bus_bandwidth(
    message_bytes: Value, size: Value, rate: Value, latency: Value, ramp: Value,
    ring_s: Value = 0.0, tree_s: Value = 0.0, tree_share: Value = 1.0,
) -> Value:  # fmt: skip
    """What nccl-tests prints for an all-reduce: 2 (n - 1) / n bytes over its time, in byte/s."""
    moved = 2.0 * (1.0 - 1.0 / size) * message_bytes
    return moved / all_reduce(message_bytes, size, rate, latency, ramp, ring_s, tree_s, tree_share)
