"""Which table holds which kind of item, and which seed file fills which table."""

from __future__ import annotations

from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard, Platform
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.peripheral import Bridge, Drive, Nic, Riser, Switch
from gpuconfig.engine.catalogue.vocabulary import Kind

CLASSES: MappingProxyType[Kind, type[CatalogueItem]] = MappingProxyType(
    {
        Kind.ACCELERATOR: Accelerator,
        Kind.PLATFORM: Platform,
        Kind.CPU: Cpu,
        Kind.MOTHERBOARD: Motherboard,
        Kind.MEMORY: MemoryKit,
        Kind.COOLER: Cooler,
        Kind.POWER_SUPPLY: PowerSupply,
        Kind.CHASSIS: Chassis,
        Kind.SERVER: ServerPlatform,
        Kind.DRIVE: Drive,
        Kind.NIC: Nic,
        Kind.SWITCH: Switch,
        Kind.RISER: Riser,
        Kind.BRIDGE: Bridge,
        Kind.UPS: Ups,
        Kind.PDU: Pdu,
        Kind.RACK: Rack,
        Kind.MODEL: NeuralModel,
    }
)
"""The dataclass of each kind; the table has the kind's name."""

ITEM_COLUMNS = (
    "id",
    "name",
    "aliases",
    "brand",
    "part_number",
    "sources",
    "date",
    "evidence_kind",
    "confidence",
    "notes",
    "inferred_fields",
    "derived_fields",
)
"""Columns of the table `item` that a seed file fills, together with those of the kind's own table."""

LIST_SEPARATOR = "|"
"""Between the words of a list in one cell of a seed file and in the database."""
