"""Collectives against published figures and against what must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.estimation.communication.collectives import (
    all_reduce,
    bus_bandwidth,
    exchange_rate,
    gather,
    members_inside,
    ring_rate,
)
from gpuconfig.engine.estimation.communication.groups import group_rate, group_steps_s

GB = 1e9


def rate(
    size: float, stride: float = 1.0, *, domain: float = 8.0, node: float = 8.0, network: float = 50.0
) -> float:
    """Bus bandwidth in GB/s over links of 400 (fast), 30 (PCIe) and `network`."""
    return (
        float(
            group_rate(size, stride, domain, node, 400 * GB, 400 * GB, 400 * GB, 1e9, 30 * GB, network * GB)
        )
        / GB
    )


def test_all_reduce_moves_twice_what_a_gather_moves() -> None:
    assert all_reduce(1e9, 8.0, 100 * GB, 0.0, 0.0) == pytest.approx(2 * gather(1e9, 8.0, 100 * GB, 0.0, 0.0))


def test_group_of_one_costs_nothing() -> None:
    assert ring_rate(1.0, 1.0, 100 * GB, 10 * GB) == np.inf
    assert all_reduce(1e9, 1.0, np.inf, 1e-3, 1e-3) == 0.0


def test_bus_bandwidth_saturates_with_size() -> None:
    small, large = (bus_bandwidth(b, 8.0, 400 * GB, 2e-5, 1.5e-5) for b in (2**10, 2**33))
    assert small < 0.001 * large
    assert large == pytest.approx(400 * GB, rel=0.03)


def test_two_machines_need_half_of_the_network_that_many_need() -> None:
    """2 (N - 1) / N of the data crosses: once for two machines, nearly twice for many."""
    assert rate(16.0, network=5.0) == pytest.approx(2 * 15 / 16 * 8 * 5)
    assert rate(1024.0, network=5.0) == pytest.approx(1023 / 1024 * 8 * 5 / (127 / 128))


def test_group_within_the_fast_domain_never_touches_the_network() -> None:
    assert rate(8.0, network=0.001) == pytest.approx(400)


def test_one_pcie_hop_sets_the_speed_of_a_ring_over_bridges() -> None:
    assert rate(2.0, domain=2.0, node=4.0) == pytest.approx(400)
    assert rate(4.0, domain=2.0, node=4.0) == pytest.approx(30)


def test_mesh_of_two_uses_one_link() -> None:
    pair = float(group_rate(2.0, 1.0, 8.0, 8.0, 313 * GB, 313 / 7 * GB, 313 * GB, 1e9, 30 * GB, 50 * GB)) / GB
    full = float(group_rate(8.0, 1.0, 8.0, 8.0, 313 * GB, 313 / 7 * GB, 313 * GB, 1e9, 30 * GB, 50 * GB)) / GB
    assert pair == pytest.approx(313 / 7)
    assert full == pytest.approx(313)


def test_members_inside_counts_by_stride() -> None:
    assert members_inside(16.0, 4.0, 8.0) == 2.0
    assert members_inside(2.0, 1.0, 8.0) == 2.0
    assert members_inside(4.0, 16.0, 8.0) == 1.0


@given(size=st.integers(2, 4096), factor=st.floats(1.0, 100.0), network=st.floats(0.1, 1000.0))
def test_a_faster_network_never_slows(size: int, factor: float, network: float) -> None:
    assert rate(float(size), network=network * factor) >= rate(float(size), network=network) * (1 - 1e-9)


@given(size=st.integers(2, 512), message=st.floats(1.0, 1e11))
def test_time_grows_with_the_message(size: int, message: float) -> None:
    def seconds(amount: float) -> float:
        return float(all_reduce(amount, float(size), rate(float(size)) * GB, 2e-5, 1.5e-5))

    assert seconds(2 * message) > seconds(message) > 0


def test_exchange_between_machines_is_bound_by_the_network() -> None:
    inside = exchange_rate(8.0, 8.0, 400 * GB, 50 * GB)
    across = exchange_rate(64.0, 8.0, 400 * GB, 50 * GB)
    assert inside == pytest.approx(400 * GB)
    assert across == pytest.approx(50 * GB * 63 / 56)


def test_a_token_crosses_to_a_machine_once() -> None:
    """Eight of 32 experts on four machines: 2.7 crossings instead of 6."""
    plain, once = (float(exchange_rate(32.0, 8.0, 400 * GB, 50 * GB, copies)) for copies in (1.0, 8.0))
    assert once / plain == pytest.approx(6 / 2.7, rel=0.01)


HOPS = (1.9e-6, 4e-6, 4e-6, 8.5e-6)
"""Steps over NVLink, PCIe and network, and one level of a tree, as NCCL plans with them."""


def steps(size: float, domain: float = 8.0, node: float = 8.0, least: float = 1e9) -> tuple[float, float]:
    ring, tree = group_steps_s(size, 1.0, domain, node, least, *HOPS)
    return float(ring), float(tree)


def test_groups_as_large_as_those_measured_add_no_steps() -> None:
    assert [steps(n) for n in (2.0, 8.0, 16.0)] == [(0.0, 0.0)] * 3


def test_a_ring_grows_with_the_members_a_tree_with_the_doublings_of_machines() -> None:
    ring, tree = steps(64 * 8.0)
    assert ring == pytest.approx(2 * (1.9e-6 * (512 - 64 - 14) + 4e-6 * 62))
    assert tree == pytest.approx(2 * 8.5e-6 * 5)


def test_a_switch_that_reduces_spares_the_steps_of_its_domain() -> None:
    assert steps(72.0, domain=72.0, node=4.0, least=5.0) == (0.0, 0.0)
    assert steps(72.0, domain=72.0, node=4.0)[0] > 0


@given(nodes=st.integers(2, 2048), factor=st.integers(2, 4), message=st.floats(8.0, 1e10))
def test_more_machines_take_longer(nodes: int, factor: int, message: float) -> None:
    few, many = (
        float(all_reduce(message, 8.0 * n, rate(8.0 * n) * GB, 6e-5, 6e-5, *steps(8.0 * n), 0.92))
        for n in (nodes, nodes * factor)
    )
    assert many > few


def test_small_messages_go_by_tree_large_ones_by_ring() -> None:
    link = (512.0, 300 * GB, 0.0, 0.0)
    ring, tree = steps(512.0)
    assert all_reduce(1e6, *link, ring, tree, 0.92) == pytest.approx(
        2 * 511 / 512 * 1e6 / (0.92 * 300e9) + tree
    )
    assert all_reduce(1e10, *link, ring, tree, 0.92) == pytest.approx(2 * 511 / 512 * 1e10 / 300e9 + ring)


@pytest.mark.parametrize(("cards", "published"), [(144, 596), (1440, 219)])
def test_racks_of_72_lose_speed_as_published(cards: int, published: float) -> None:
    """1 GiB over racks of GB200 of which one alone reaches 681 GB/s."""
    network = 46 * GB
    whole = group_rate(float(cards), 1.0, 72.0, 4.0, 681 * GB, 681 * GB, 681 * GB, 5.0, 30 * GB, network)
    found = bus_bandwidth(2.0**30, float(cards), whole, 0.0, 0.0, *steps(cards, 72.0, 4.0, 5.0), 0.35)
    assert float(found) / GB == pytest.approx(published, rel=0.15)
