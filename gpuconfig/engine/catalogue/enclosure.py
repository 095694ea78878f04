"""Power supplies, chassis, complete server platforms, racks and what feeds them."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import FormFactor


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSupply(CatalogueItem):
    """A power supply. A connector count of None is unknown, 0 is none.

    Attributes:
        rated_w: continuous output at `full_power_min_volts` and above.
        rated_w_low_line: continuous output at 100-127 V, where the maker derates it.
        atx_version: 2.x, 3.0 or 3.1, None where not known.
    """

    rated_w: float
    rated_w_low_line: float | None = None
    full_power_min_volts: float | None = None
    form_factor: str = ""
    atx_version: str | None = None
    efficiency: str = ""
    length_mm: float | None = None
    eps_8: int | None = None
    pcie_16: int | None = None
    pcie_6plus2: int | None = None
    sata: int | None = None
    molex: int | None = None
    redundant: bool = False
    rails_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chassis(CatalogueItem):
    """A case for boards and cards bought singly.

    Attributes:
        psu_places: supplies it holds; None where its maker does not say.
        bays_35, bays_25: places for drives of that size; a 3.5-inch place takes a 2.5-inch drive on a tray.
    """

    form_factor: str = ""
    rack_units: int | None = None
    max_gpu_length_mm: float | None = None
    max_gpu_height_mm: float | None = None
    expansion_slots: int | None = None
    vertical_slots: int | None = None
    max_cooler_mm: float | None = None
    max_psu_mm: float | None = None
    psu_form_factors: tuple[str, ...] = ()
    psu_places: int | None = None
    board_form_factors: tuple[str, ...] = ()
    width_mm: float | None = None
    height_mm: float | None = None
    depth_mm: float | None = None
    weight_kg: float | None = None
    airflow: str = ""
    radiators_text: str = ""
    bays_35: int | None = None
    bays_25: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPlatform(CatalogueItem):
    """A barebone or complete server sold as one: chassis, board and supplies, with or without accelerators.

    Attributes:
        accelerator_form: what it takes: PCIe cards, SXM or OAM modules.
        accelerators: ids it is made for; () means any accelerator of the form within the limits.
        accelerator_count: how many it takes.
        max_accelerator_w: heat and power limit of each; None where not known.
        max_accelerator_slots: width of each PCIe card.
        psu_count, psu_w, psu_redundant: supplies in the box; `psu_redundant` of them may fail.
        includes_accelerators: the price contains them; likewise processors, memory, drives, network cards.
    """

    form_factor: str = ""
    rack_units: int | None = None
    accelerator_form: FormFactor | None = None
    accelerators: tuple[str, ...] = ()
    accelerator_count: int | None = None
    capacity_text: str = ""
    max_accelerator_w: float | None = None
    max_accelerator_slots: float | None = None
    max_accelerator_length_mm: float | None = None
    passive_cards: bool | None = None
    socket: str | None = None
    cpu_sockets: int | None = None
    memory_type: str = ""
    memory_channels: int | None = None
    dimm_slots: int | None = None
    pcie_generation: int | None = None
    pcie_topology: str = ""
    psu_count: int | None = None
    psu_w: float | None = None
    psu_redundant: int | None = None
    psu_text: str = ""
    efficiency: str = ""
    max_system_power_w: float | None = None
    base_power_w: float | None = None
    max_inlet_c: float | None = None
    airflow: str = ""
    width_mm: float | None = None
    height_mm: float | None = None
    depth_mm: float | None = None
    weight_kg: float | None = None
    includes_accelerators: bool = False
    includes_cpu: bool = False
    includes_memory: bool = False
    includes_drives: bool = False
    includes_nic: bool = False
    noise_dba: float | None = None

    def sold_whole(self) -> bool:
        """Whether it comes with its SXM or OAM modules, processors and memory."""
        return self.accelerator_form in (FormFactor.SXM, FormFactor.OAM) and self.includes_cpu


@dataclass(frozen=True, slots=True, kw_only=True)
class Ups(CatalogueItem):
    """An uninterruptible power supply."""

    va: float | None = None
    watts: float | None = None
    input_text: str = ""
    rack_units: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdu(CatalogueItem):
    """A power distribution unit of a rack."""

    watts: float | None = None
    outlets_text: str = ""
    rack_units: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack(CatalogueItem):
    """A rack; `rack_units` usable height."""

    rack_units: int | None = None
    depth_mm: float | None = None
    max_load_kg: float | None = None
