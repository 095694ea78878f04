"""Drives, network cards, switches, risers and link bridges."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive(CatalogueItem):
    """A drive; capacity is decimal as sold."""

    form_factor: str = ""
    interface: str = ""
    nvme: bool | None = None
    pcie_generation: int | None = None
    capacity_bytes: int
    read_bytes_per_s: float | None = None
    endurance_dwpd: float | None = None
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nic(CatalogueItem):
    """A network card; rate of one port in bit/s."""

    form_factor: str = ""
    interface: str = ""
    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    ports: int | None = None
    port_bits_per_s: float | None = None
    slots: int | None = None
    rdma: bool | None = None
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(CatalogueItem):
    """A network switch."""

    interface: str = ""
    ports: int | None = None
    port_bits_per_s: float | None = None
    rack_units: int | None = None
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Riser(CatalogueItem):
    """A riser cable, adapter or PCIe switch card that moves or splits slots."""

    riser_type: str = ""
    interface: str = ""
    pcie_generation: int | None = None
    lanes: int | None = None
    length_mm: float | None = None
    redriver: bool | None = None
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable(CatalogueItem):
    """What joins machines to a switch, supplies to one another or a card to its supply.

    Attributes:
        cable_type: `DAC` (copper with plugs at both ends), `AOC` (the same in fibre), `transceivers with fibre` (the
            set of one link: two of them and what joins them), `patch` (twisted pair), `supply starter` (switches a
            second supply on with the first), `EPS adapter` (two 8-pin plugs to one of the EPS form, for a card).
        rate_bits_per_s: rate it carries; None for a part that carries none.
    """

    cable_type: str = ""
    interface: str = ""
    rate_bits_per_s: float | None = None
    length_mm: float | None = None

    def is_optical(self) -> bool:
        """Light in fibre: an active optical cable, or transceivers with their fibre."""
        kind = self.cable_type.upper()
        return "AOC" in kind or "TRANSCEIVER" in kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge(CatalogueItem):
    """An NVLink bridge for two cards `slots_span` positions apart.

    Attributes:
        accelerators: ids of the cards it joins.
        bridges_needed: how many bridges one pair takes.
    """

    interface: str = ""
    accelerators: tuple[str, ...] = ()
    slots_span: int | None = None
    bridges_needed: int = 1
