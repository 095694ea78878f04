"""Links of real machines: which path, how wide, how fast."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.catalogue.accelerator import Link
from gpuconfig.engine.catalogue.vocabulary import LinkKind, LinkTopology
from gpuconfig.engine.estimation.inputs.network import (
    fast_link,
    network_columns,
    peer_to_peer,
)
from gpuconfig.engine.quantities.pcie import pcie_bytes_per_s
from gpuconfig.engine.workloads.hardware import Hardware, IntraNode, Pcie, PcieTopology


def test_pcie_4_x16_is_31_5_gb_per_s() -> None:
    assert pcie_bytes_per_s(4, 16) == pytest.approx(31.5e9, rel=0.001)
    assert pcie_bytes_per_s(5, 16) == pytest.approx(63.0e9, rel=0.001)
    assert pcie_bytes_per_s(3, 8) == pytest.approx(7.88e9, rel=0.001)


def _columns(catalogue: Any, coefficients: Any, gpu: str, **hardware: Any) -> dict[str, float]:
    machine = Hardware(gpu=gpu, **hardware)
    return network_columns(catalogue.accelerator(gpu), machine, coefficients).columns


def test_geforce_has_no_peer_to_peer_unless_asked_for(catalogue: Any, coefficients: Any) -> None:
    gpu = "nvidia-rtx-4090-24"
    card = catalogue.accelerator(gpu)
    stock, patched = Hardware(gpu=gpu, gpus_per_node=2), Hardware(gpu=gpu, pcie=Pcie(peer_to_peer=True))
    assert not peer_to_peer(card, stock)
    assert peer_to_peer(card, patched)
    slow = _columns(catalogue, coefficients, gpu, gpus_per_node=2)
    fast = _columns(catalogue, coefficients, gpu, gpus_per_node=2, pcie=Pcie(peer_to_peer=True))
    assert slow["pcie_peer_bytes_per_s"] < fast["pcie_peer_bytes_per_s"] <= 31.6e9
    assert slow["fast_domain_gpus"] == 1


def test_slowest_of_mixed_slots_counts(catalogue: Any, coefficients: Any) -> None:
    gpu = "nvidia-rtx-4090-24"
    mixed, narrow, wide = (
        _columns(catalogue, coefficients, gpu, gpus_per_node=3, pcie=Pcie(generation=4, lanes=lanes))
        for lanes in ((16, 8, 4), (4,), (16,))
    )
    assert mixed["pcie_peer_bytes_per_s"] == narrow["pcie_peer_bytes_per_s"]
    assert wide["pcie_peer_bytes_per_s"] == pytest.approx(4 * narrow["pcie_peer_bytes_per_s"])


def test_a_slot_newer_than_the_card_does_not_help(catalogue: Any, coefficients: Any) -> None:
    gpu = "nvidia-rtx-4090-24"
    old, new = (_columns(catalogue, coefficients, gpu, pcie=Pcie(generation=g)) for g in (4, 5))
    assert old["host_link_bytes_per_s"] == new["host_link_bytes_per_s"]


def test_crossing_sockets_is_the_slowest_path(catalogue: Any, coefficients: Any) -> None:
    gpu = "nvidia-rtx-pro-6000-server"
    rates = {
        path: _columns(
            catalogue, coefficients, gpu, gpus_per_node=8, pcie=Pcie(topology=path, peer_to_peer=True)
        )
        for path in PcieTopology
    }
    assert min(rates, key=lambda path: rates[path]["pcie_peer_bytes_per_s"]) is PcieTopology.CROSS_SOCKET


def test_bridges_count_only_when_asked_for(catalogue: Any) -> None:
    card = catalogue.accelerator("nvidia-rtx-3090-24")
    assert fast_link(card, Hardware(gpu=card.id, gpus_per_node=2)) is None
    link = fast_link(card, Hardware(gpu=card.id, gpus_per_node=2, intra_node=IntraNode.NVLINK))
    assert link is not None
    assert link.max_gpus == 2


def test_nvl72_spans_machines_and_hgx_does_not(catalogue: Any, coefficients: Any) -> None:
    rack = _columns(catalogue, coefficients, "nvidia-gb200-186", gpus_per_node=4, nodes=18)
    hgx = _columns(catalogue, coefficients, "nvidia-h100-sxm5-80", gpus_per_node=8, nodes=9)
    assert rack["fast_domain_gpus"] == 72
    assert hgx["fast_domain_gpus"] == 8


def test_mi300x_pair_has_one_link(catalogue: Any, coefficients: Any) -> None:
    columns = _columns(catalogue, coefficients, "amd-mi300x-192", gpus_per_node=8)
    assert columns["fast_pair_bytes_per_s"] == pytest.approx(columns["fast_bytes_per_s"] / 7)
    assert 40e9 < columns["fast_pair_bytes_per_s"] < 64e9


def test_link_of_unknown_width_is_not_used(catalogue: Any) -> None:
    from dataclasses import replace

    card = catalogue.accelerator("nvidia-h100-sxm5-80")
    blank = replace(card, link=Link(kind=LinkKind.NVLINK, name="?", topology=LinkTopology.SWITCH))
    assert fast_link(blank, Hardware(gpu=card.id, gpus_per_node=8)) is None


@pytest.mark.parametrize(
    ("gpu", "cards", "topology", "measured"),
    [
        ("nvidia-a100-pcie-80", 3, PcieTopology.ROOT, 20e9),
        ("nvidia-rtx-pro-6000-server", 8, PcieTopology.TWO_SWITCHES, 46e9),
        ("nvidia-rtx-pro-6000-server", 8, PcieTopology.CROSS_SOCKET, 22e9),
    ],
)
def test_pcie_paths_are_near_published_all_reduces(
    catalogue: Any, coefficients: Any, gpu: str, cards: int, topology: PcieTopology, measured: float
) -> None:
    """One hop over PCIe in a ring of A100 (nccl-tests 178); eight cards behind switches and over two sockets."""
    machine = {"gpus_per_node": cards, "intra_node": IntraNode.PCIE}
    found = _columns(catalogue, coefficients, gpu, pcie=Pcie(topology=topology, peer_to_peer=True), **machine)
    assert found["pcie_peer_bytes_per_s"] == pytest.approx(measured, rel=0.2)


@pytest.mark.parametrize(
    ("topology", "cards", "share"),
    [
        (PcieTopology.ROOT, 8, 1.0), (PcieTopology.CROSS_SOCKET, 8, 1.0), (PcieTopology.SWITCH, 1, 1.0),
        (PcieTopology.SWITCH, 2, 73 / 114), (PcieTopology.TWO_SWITCHES, 2, 1.0),
        (PcieTopology.TWO_SWITCHES, 4, 73 / 114),
    ],
)  # fmt: skip
def test_cards_behind_a_switch_share_its_uplink_to_the_host(
    catalogue: Any, coefficients: Any, topology: PcieTopology, cards: int, share: float
) -> None:
    gpu = "nvidia-rtx-pro-6000-server"
    alone = _columns(catalogue, coefficients, gpu, gpus_per_node=1)["host_link_bytes_per_s"]
    found = _columns(catalogue, coefficients, gpu, gpus_per_node=cards, pcie=Pcie(topology=topology))
    assert found["host_link_bytes_per_s"] / alone == pytest.approx(share, rel=0.01)
