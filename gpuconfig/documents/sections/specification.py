"""What a part is, in the few figures an order needs."""

from __future__ import annotations

from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.peripheral import Drive, Nic
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GIB


def specification(line: BomLine, writer: Writer) -> str:
    """The main figures of a part, separated by dots; empty where none are known."""
    return " · ".join(part for part in _parts(line, writer) if part and part.lower() != "none")


def _parts(line: BomLine, writer: Writer) -> list[str]:
    formats, item = writer.formats, line.item

    def figure(value: float | None, unit: str) -> str:
        return "" if value is None else formats.quantity(value, unit)

    match item:
        case Accelerator():
            memory = (
                f"{formats.number(item.memory_gb)} GB {item.memory_type or ''}".strip()
                if item.memory_gb
                else ""
            )
            bus = (
                f"PCIe {item.pcie_generation}.0 x{item.pcie_lanes}"
                if item.pcie_generation and item.pcie_lanes
                else ""
            )
            return [memory, bus, figure(item.tdp_w, "W")]
        case Cpu():
            cores = writer.say(N_("{count} cores"), count=item.cores) if item.cores else ""
            return [item.socket, cores, figure(item.tdp_w, "W")]
        case Motherboard():
            return [item.socket, item.chipset, item.form_factor, item.memory_type]
        case MemoryKit():
            size = f"{item.modules} × {item.module_bytes // GIB} GB"
            speed = f"{item.memory_type}-{item.speed_mts}" if item.speed_mts else item.memory_type
            return [size, speed, "RDIMM" if item.registered else "", "ECC" if item.ecc else ""]
        case PowerSupply():
            return [
                figure(item.rated_w, "W"),
                item.efficiency,
                f"ATX {item.atx_version}" if item.atx_version else "",
            ]
        case Drive():
            return [formats.capacity(float(item.capacity_bytes)), item.form_factor, item.interface]
        case Chassis() | ServerPlatform():
            form = writer.part(writer.word(item.form_factor)) if item.form_factor else ""
            return [form, f"{item.rack_units}U" if item.rack_units else ""]
        case Nic():
            ports = "" if item.ports is None else f"{item.ports} × "
            rate = (
                "" if item.port_bits_per_s is None else f"{formats.number(item.port_bits_per_s / 1e9)} Gbit/s"
            )
            return [ports + rate if rate else "", item.interface]
        case Cooler():
            return [writer.word(item.cooler_type) if item.cooler_type else "", figure(item.cooling_w, "W")]
    return []
