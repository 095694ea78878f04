"""Columns of the links: fast links between accelerators, PCIe paths and the network between machines."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator, Link
from gpuconfig.engine.catalogue.vocabulary import LinkKind, LinkTopology
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.pcie import pcie_bytes_per_s
from gpuconfig.engine.workloads.hardware import Hardware, IntraNode, PcieTopology

GROUP = "communication"
LARGEST_MACHINE = 16
"""A fast link that joins more accelerators than this spans machines (NVL72)."""

NETWORK_INPUTS = (
    Input("fast_domain_gpus", "Accelerators joined by the fast link; 1 where there is none"),
    Input("fast_bytes_per_s", "Fast link: bus bandwidth of one accelerator in a full ring", "B/s"),
    Input("fast_pair_bytes_per_s", "Fast link between two neighbours; less than the whole in a mesh", "B/s"),
    Input("in_switch_bytes_per_s", "Fast link: bus bandwidth of reductions inside the switch", "B/s"),
    Input("in_switch_least_gpus", "Smallest group that is reduced inside the switch"),
    Input("pcie_peer_bytes_per_s", "PCIe path between two accelerators: bus bandwidth", "B/s"),
    Input("host_link_bytes_per_s", "PCIe link between accelerator and host, one way", "B/s"),
    Input("network_bytes_per_s", "Network between machines per accelerator, one way", "B/s"),
    Input("fast_latency_s", "Latency of a collective over the fast link", "s"),
    Input("pcie_latency_s", "Latency of a collective over PCIe", "s"),
    Input("network_latency_s", "Latency of a collective over the network", "s"),
    Input("fast_ramp_s", "Ramp of a collective over the fast link at 1 MiB", "s"),
    Input("pcie_ramp_s", "Ramp of a collective over PCIe at 1 MiB", "s"),
    Input("network_ramp_s", "Ramp of a collective over the network at 1 MiB", "s"),
    Input("fast_hop_s", "One step of a ring over the fast link", "s"),
    Input("pcie_hop_s", "One step of a ring over PCIe", "s"),
    Input("network_hop_s", "One step of a ring over the network", "s"),
    Input("network_tree_hop_s", "One level of a tree over the network", "s"),
    Input("tree_share", "Bandwidth of a tree over that of a ring"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkColumns:
    """The columns of one machine, and what had to be assumed for them."""

    columns: dict[str, float]
    assumptions: tuple[Assumption, ...]


def network_columns(
    accelerator: Accelerator, hardware: Hardware, coefficients: CoefficientSet
) -> NetworkColumns:
    """Columns of every link of the machine.

    Cards without a fast link, or told to use PCIe, get a fast domain of one. Of mixed slots the slowest counts:
    a ring is as fast as its slowest hop.
    """
    find = coefficients.value
    assumptions: list[Assumption] = []
    family = architecture_scope(accelerator)
    columns = _fast_columns(accelerator, hardware, family, coefficients)
    raw = _slot_rate(accelerator, hardware, assumptions)
    shared = _host_link_share(hardware, coefficients)
    columns["host_link_bytes_per_s"] = raw * find(GROUP, "host_link_efficiency") * shared
    columns["pcie_peer_bytes_per_s"] = raw * _path_efficiency(accelerator, hardware, coefficients)
    if hardware.gpus_per_node > 1 and fast_link(accelerator, hardware) is None:
        assumptions += _open_path(accelerator, hardware)
    columns["network_bytes_per_s"] = _network_rate(accelerator, hardware, coefficients, assumptions)
    network = "rdma" if hardware.inter_node.rdma is not False else "tcp"
    for name, scope in (("fast", "fast"), ("pcie", "pcie"), ("network", network)):
        own = f"{scope}|{family}"
        columns[f"{name}_latency_s"] = find(GROUP, "latency_s", own, scope)
        columns[f"{name}_ramp_s"] = find(GROUP, "ramp_s", own, scope)
    for name in ("fast", "pcie", "network", "network_tree"):
        columns[f"{name}_hop_s"] = find(GROUP, "hop_s", name)
    rack = columns["fast_domain_gpus"] > LARGEST_MACHINE
    columns["tree_share"] = find(GROUP, "tree_share", "rack" if rack else "machine")
    return NetworkColumns(columns=columns, assumptions=tuple(assumptions))


def architecture_scope(accelerator: Accelerator) -> str:
    """The architecture as coefficient scopes write it: `ada`, `hopper`, `cdna3`, `blackwell_consumer`."""
    name = accelerator.architecture.lower()
    known = {
        "ada lovelace": "ada", "da vinci (2 dies)": "da vinci", "gpgpu (rocm-derived dtk)": "dtk", "gaudi 2": "gaudi2",
        "gaudi 3": "gaudi3", "apple gpu": "apple", "rdna3.5": "rdna3",
    }  # fmt: skip
    short = known.get(name, name.split(" (")[0])
    number = accelerator.compute_capability_number()
    if short == "blackwell" and number is not None and number >= 12:
        return "blackwell_consumer"
    if short == "ampere" and number is not None and number > 8.0:
        return "ampere_consumer"
    return short


def peer_to_peer(accelerator: Accelerator, hardware: Hardware) -> bool:
    """Whether two cards exchange data over PCIe directly: as asked for, else as the stock driver does."""
    asked = hardware.pcie.peer_to_peer
    return bool(accelerator.peer_to_peer) if asked is None else asked


def fast_link(accelerator: Accelerator, hardware: Hardware) -> Link | None:
    """The fast link that the machine uses, None for PCIe only.

    `auto` takes what the card has where every card is joined by it without extra parts: bridges are bought
    separately, so they count only when `nvlink` is asked for.
    """
    link = accelerator.link
    if hardware.intra_node is IntraNode.PCIE or link is None or not link.per_direction_bytes_per_s:
        return None
    bought_apart = link.kind is LinkKind.NVLINK_BRIDGE or link.topology is LinkTopology.BRIDGE
    if hardware.intra_node is IntraNode.AUTO and (bought_apart or link.topology is LinkTopology.NETWORK):
        return None
    return link


def _fast_columns(
    accelerator: Accelerator, hardware: Hardware, family: str, coefficients: CoefficientSet
) -> dict[str, float]:
    link = fast_link(accelerator, hardware)
    if link is None or link.per_direction_bytes_per_s is None:
        return {
            "fast_domain_gpus": 1.0, "fast_bytes_per_s": 1.0, "fast_pair_bytes_per_s": 1.0,
            "in_switch_bytes_per_s": 1.0,
            "in_switch_least_gpus": 1e9,
        }  # fmt: skip
    bridge = link.kind is LinkKind.NVLINK_BRIDGE
    mesh = link.topology is LinkTopology.MESH
    reached = coefficients.value(GROUP, "fast_efficiency", "bridge" if bridge else family)
    full = link.per_direction_bytes_per_s * reached
    most = float(link.max_gpus or hardware.gpus_per_node)
    pair = (link.pair_bytes_per_s or link.per_direction_bytes_per_s / max(most - 1.0, 1.0)) * reached
    of_one_machine = most <= LARGEST_MACHINE
    domain = min(most, float(hardware.gpus_per_node if of_one_machine else hardware.gpu_count))
    switched = not mesh and not bridge
    return {
        "fast_domain_gpus": max(domain, 1.0),
        "fast_bytes_per_s": full,
        "fast_pair_bytes_per_s": pair if mesh else full,
        "in_switch_bytes_per_s": full
        * (coefficients.value(GROUP, "in_switch_gain", family) if switched else 1.0),
        "in_switch_least_gpus": coefficients.value(GROUP, "in_switch_least_gpus", family)
        if switched
        else 1e9,
    }


def _slot_rate(accelerator: Accelerator, hardware: Hardware, assumptions: list[Assumption]) -> float:
    card_generation, card_lanes = accelerator.pcie_generation, accelerator.pcie_lanes
    generation = hardware.pcie.generation or card_generation or 4
    if card_generation:
        generation = min(generation, card_generation)
    lanes = min(hardware.pcie.lanes) if hardware.pcie.lanes else card_lanes or 16
    if card_lanes:
        lanes = min(lanes, card_lanes)
    if hardware.gpus_per_node > 1 and not hardware.pcie.lanes:
        assumptions.append(
            Assumption("hardware.pcie.lanes", f"{generation}.0 x{lanes}", Message(N_("as wide as the card")))
        )
    return pcie_bytes_per_s(generation, lanes)


def _host_link_share(hardware: Hardware, coefficients: CoefficientSet) -> float:
    """What one card gets of its link to the host while all transfer: cards behind a switch share its uplink."""
    topology = hardware.pcie.topology or PcieTopology.ROOT
    switches = 2.0 if topology is PcieTopology.TWO_SWITCHES else 1.0
    behind = max(hardware.gpus_per_node / switches, 1.0)
    return float(behind ** -coefficients.value(GROUP, "host_link_sharing", topology.value))


def _path_efficiency(accelerator: Accelerator, hardware: Hardware, coefficients: CoefficientSet) -> float:
    """Bus bandwidth of a ring over the path between cards, as a share of one link; more cards crowd the root."""
    path = _path_scope(accelerator, hardware)
    of_two = coefficients.value(GROUP, "pcie_efficiency", path, "root|host")
    crowding = coefficients.value(GROUP, "pcie_crowding", path)
    return float(of_two * (2.0 / max(hardware.gpus_per_node, 2)) ** crowding)


def _open_path(accelerator: Accelerator, hardware: Hardware) -> list[Assumption]:
    """What is taken for the path between cards of a machine that is not described."""
    found = []
    if hardware.pcie.topology is None:
        why = N_(
            "not stated: all cards at one processor's root; a second processor slows them, a switch does not"
        )
        found.append(Assumption("hardware.pcie.topology", PcieTopology.ROOT.value, Message(why)))
    if hardware.pcie.peer_to_peer is None:
        why = (
            N_("not stated: as this card's driver allows; virtual machines and IOMMU settings may forbid it")
            if accelerator.peer_to_peer
            else N_("not stated: this card's stock driver sends what crosses cards through host memory")
        )
        state = str(bool(accelerator.peer_to_peer)).lower()
        found.append(Assumption("hardware.pcie.peer_to_peer", state, Message(why)))
    return found


def _path_scope(accelerator: Accelerator, hardware: Hardware) -> str:
    topology = hardware.pcie.topology or PcieTopology.ROOT
    return f"{topology.value}|{'peer' if peer_to_peer(accelerator, hardware) else 'host'}"


def _network_rate(
    accelerator: Accelerator, hardware: Hardware, coefficients: CoefficientSet, assumptions: list[Assumption]
) -> float:
    gbit = hardware.inter_node.gbit_per_s_per_gpu
    rdma = hardware.inter_node.rdma is not False
    if gbit is None:
        form = accelerator.form_factor.value
        gbit = coefficients.value(
            GROUP, "network_default_gbit", f"{architecture_scope(accelerator)}|{form}", form
        )
        gbit /= hardware.devices_per_card
        if hardware.nodes > 1:
            why = Message(N_("the usual network of machines with this card"))
            assumptions.append(Assumption("hardware.inter_node.gbit_per_s_per_gpu", f"{gbit:g}", why))
    return gbit * 1e9 / 8 * coefficients.value(GROUP, "network_efficiency", "rdma" if rdma else "tcp")
