"""The dataclass of each kind of item, in the order tables and lists use."""

from __future__ import annotations

from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard, Platform
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.peripheral import Bridge, Cable, Drive, Nic, Riser, Switch
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
        Kind.CABLE: Cable,
        Kind.RISER: Riser,
        Kind.BRIDGE: Bridge,
        Kind.UPS: Ups,
        Kind.PDU: Pdu,
        Kind.RACK: Rack,
        Kind.MODEL: NeuralModel,
    }
)
