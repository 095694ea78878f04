"""The machine and the parallelism of an estimate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import derived, read_number, read_object, real, whole

PCIE_LANES = (1, 2, 4, 8, 16)
SHARDING = ("zero_stage", "sequence")
"""Fields of the split whose default is no more than the framework's own, not what its recipes run."""


class OperatingSystem(StrEnum):
    """Operating system of the host; Windows reserves memory of the card."""

    LINUX = "linux"
    WINDOWS = "windows"


class IntraNode(StrEnum):
    """What joins the cards of one machine."""

    NVLINK = "nvlink"
    INFINITY_FABRIC = "infinity_fabric"
    PCIE = "pcie"
    AUTO = "auto"


class PcieTopology(StrEnum):
    """The path between two cards."""

    ROOT = "root"
    SWITCH = "switch"
    TWO_SWITCHES = "two_switches"
    CROSS_SOCKET = "cross_socket"


class PipelineSchedule(StrEnum):
    """Order of forward, backward and weight-gradient passes of a pipeline stage."""

    ONE_FORWARD_ONE_BACKWARD = "1f1b"
    INTERLEAVED = "interleaved"
    ZERO_BUBBLE_H1 = "zb_h1"
    ZERO_BUBBLE_H2 = "zb_h2"
    ZERO_BUBBLE_V = "zb_v"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pcie:
    """The slots of the cards. `lanes` has one entry, or one per card; None: as the card's own."""

    generation: int | None = whole(None, 1, 7)
    lanes: tuple[int, ...] | None = None
    peer_to_peer: bool | None = None
    topology: PcieTopology | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InterNode:
    """The network between machines."""

    gbit_per_s_per_gpu: float | None = real(None, 0.001, 1_000_000)
    rdma: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """The machine: `gpu` is an id, a name or an alias of the catalogue.

    Attributes:
        inlet_c: air at the intake of the warmest card; None: no warmer than cards are rated for.
        host_rated_w: rated power of all of one machine but its cards; None: as usual for such machines.
        supply_efficiency: of the power supplies; None: as usual.
    """

    gpu: str
    gpus_per_node: int = whole(1, 1, 1024)
    nodes: int = whole(1, 1, 1_000_000)
    power_limit_w: float | None = real(None, 1, 100_000)
    inlet_c: float | None = real(None, -40, 90)
    host_rated_w: float | None = real(None, 1, 1e6)
    supply_efficiency: float | None = real(None, 0.3, 1)
    os: OperatingSystem = OperatingSystem.LINUX
    display_attached: bool = False
    intra_node: IntraNode = IntraNode.AUTO
    pcie: Pcie = Pcie()
    inter_node: InterNode = InterNode()
    host_memory_bytes: float | None = real(None, 1, 1e18)
    host_bandwidth_bytes_per_s: float | None = real(None, 1, 1e16)
    cpu_cores: int | None = whole(None, 1, 1_000_000)
    storage_bytes_per_s: float | None = real(None, 1, 1e16)
    devices_per_card: int = derived(1)
    """Of how many devices a card as it is bought is made, where `gpus_per_node` counts devices."""

    @property
    def gpu_count(self) -> int:
        """Cards in all machines."""
        return self.gpus_per_node * self.nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallelism:
    """How the work is split; every degree defaults to one, `data` to what is left of the cards.

    `schedule` None: 1F1B, interleaved where `virtual_pipeline` is over one.
    """

    zero_stage: int = whole(0, 0, 3)
    tensor: int = whole(1, 1, 1_000_000)
    sequence: bool = False
    pipeline: int = whole(1, 1, 10_000)
    virtual_pipeline: int = whole(1, 1, 10_000)
    schedule: PipelineSchedule | None = None
    context: int = whole(1, 1, 1_000_000)
    expert: int = whole(1, 1, 1_000_000)
    expert_tensor: int = whole(1, 1, 1_000_000)
    data: int | None = whole(None, 1, 10_000_000)
    left_open: frozenset[str] = derived(frozenset())
    """Of `SHARDING`, what a request names no value for: the field holds the framework's own default."""


def read_parallelism(data: object, path: str = "parallelism") -> Parallelism:
    """The parallelism object of a request."""
    read = read_object(Parallelism, data, path)
    given = data if isinstance(data, dict) else {}
    return replace(read, left_open=frozenset(name for name in SHARDING if given.get(name) is None))


def read_hardware(data: object, path: str = "hardware") -> Hardware:
    """The hardware object of a request; `pcie.lanes` may be one number or a list."""
    if isinstance(data, dict) and isinstance(data.get("pcie"), dict):
        lanes = data["pcie"].get("lanes")
        if lanes is not None:
            each: list[Any] = lanes if isinstance(lanes, list) else [lanes]
            for value in each:
                read_number(f"{path}.pcie.lanes", value, 1, 16, integer=True)
                if value not in PCIE_LANES:
                    accepted = Message(N_("one of {names}"), {"names": ", ".join(map(str, PCIE_LANES))})
                    raise InputError(
                        "out_of_range", f"{path}.pcie.lanes", value, Message(N_("no such width")), accepted
                    )
            cards = data.get("gpus_per_node") or 1
            if len(each) not in (1, cards):
                reason = Message(N_("one width for all cards, or one for each card, is needed"))
                count = Message(N_("1 or {cards} widths"), {"cards": cards})
                raise InputError("out_of_range", f"{path}.pcie.lanes", lanes, reason, count)
            data = {**data, "pcie": {**data["pcie"], "lanes": each}}
    return read_object(Hardware, data, path)
