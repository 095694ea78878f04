"""Host parts: processors, boards with their slots, platforms, memory and coolers."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import LaneSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(CatalogueItem):
    """What a socket and chipset generation offers: lanes, channels, memory kind."""

    socket: str
    chipset: str = ""
    cpu_family: str = ""
    cpu_pcie_lanes: int | None = None
    cpu_pcie_lanes_text: str = ""
    cpu_pcie_generation: int | None = None
    chipset_lanes_text: str = ""
    bifurcation_text: str = ""
    memory_channels: int | None = None
    memory_type: str = ""
    registered: bool | None = None
    ecc: str = ""
    max_memory_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu(CatalogueItem):
    """A processor. `memory_channels` and `memory_mts` give its memory bandwidth.

    Attributes:
        platforms: ids of the platforms it fits; the same socket may hold two that do not mix.
        usable_pcie_lanes: lanes left for slots after the chipset's uplink.
        max_sockets: how many a board may hold together.
    """

    socket: str
    platforms: tuple[str, ...] = ()
    cores: int | None = None
    pcie_lanes: int | None = None
    usable_pcie_lanes: int | None = None
    pcie_generation: int | None = None
    tdp_w: float | None = None
    max_turbo_w: float | None = None
    memory_types: tuple[str, ...] = ()
    registered: bool | None = None
    ecc: str = ""
    memory_channels: int | None = None
    memory_mts: int | None = None
    max_sockets: int | None = None

    def memory_bytes_per_s(self) -> float | None:
        """Peak of all channels filled: channels x transfers/s x 8 bytes."""
        if self.memory_channels is None or self.memory_mts is None:
            return None
        return self.memory_channels * self.memory_mts * 1e6 * 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One PCIe slot: position counted from the top bracket (1 is the first), widths in lanes.

    Attributes:
        electrical_lanes: lanes wired with every sharing slot empty.
        shared_lanes: lanes left when the slots of `shares_with` are used; None where they do not change.
        shares_with: positions whose use takes lanes from this slot.
    """

    position: int
    physical_lanes: int
    electrical_lanes: int | None
    generation: int | None
    source: LaneSource = LaneSource.UNKNOWN
    shared_lanes: int | None = None
    shares_with: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motherboard(CatalogueItem):
    """A board with its slots one by one.

    Attributes:
        positions_known: False where slots are listed in order but their bracket positions are not recorded.
        conflicts: what sharing text says beyond the slots.
        max_dual_width_cards: how many two-slot cards the board takes without risers.
        case_positions_needed: expansion positions of the case for that many cards.
        slots_split: whether the BIOS makes two links of 8 lanes of a slot of 16; None where not known.
    """

    socket: str
    cpu_sockets: int = 1
    platform: str | None = None
    chipset: str = ""
    memory_channels: int | None = None
    dimm_slots: int | None = None
    memory_type: str = ""
    registered: bool | None = None
    ecc: str = ""
    max_memory_bytes: int | None = None
    form_factor: str = ""
    slots: tuple[Slot, ...] = ()
    positions_known: bool = True
    slots_text: str = ""
    conflicts: str = ""
    max_dual_width_cards: int | None = None
    case_positions_needed: int | None = None
    eps_8: int | None = None
    slots_split: bool | None = None
    m2_slots: int | None = None
    sata_ports: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryKit(CatalogueItem):
    """A kit of memory modules; capacities are binary (a 64 GB module is 64 GiB)."""

    memory_type: str
    module_form: str = ""
    registered: bool | None = None
    ecc: bool | None = None
    modules: int
    module_bytes: int
    speed_mts: int | None = None
    height_mm: float | None = None
    sockets: tuple[str, ...] = ()

    def capacity_bytes(self) -> int:
        """All modules of the kit together."""
        return self.modules * self.module_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Cooler(CatalogueItem):
    """A cooler of a processor, or a blower for a card without a fan.

    Attributes:
        cooling_w: heat that it is rated or assumed to carry.
        height_mm: above the processor; of a card's blower how far it stands out behind the card.
        memory_clearance_mm: height that modules may have below it.
        noise_dba: at full speed, as the maker states it.
    """

    cooler_type: str = ""
    sockets: tuple[str, ...] = ()
    height_mm: float | None = None
    radiator_mm: float | None = None
    cooling_w: float | None = None
    rack_units: int | None = None
    memory_clearance_mm: float | None = None
    noise_dba: float | None = None

    def is_for_cards(self) -> bool:
        """A shroud with a blower that forces air through a card without a fan."""
        return self.cooler_type == "card blower"
