"""From a BuildCores record to a catalogue row, one function a kind, with the errors the data is known for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from gpuconfig.engine.catalogue.plausibility import CHIPSET_GENERATIONS
from gpuconfig.engine.catalogue.rows import LIST_SEPARATOR
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.exchange.buildcores.fields import Fields, memory_form, socket, sub

_CPU_LANE_SOCKETS = frozenset({"AM4", "AM5", "LGA1151", "LGA1200", "LGA1700", "LGA1851"})
"""Sockets whose processors feed 16 lanes to card slots, however many long slots a board has."""

_NEW_PLUG = re.compile(r"ATX ?3|12VHPWR|12V-?2[x×]6|PCIE ?5|PCIe ?5", re.IGNORECASE)


def _cpu(f: Fields) -> bool:
    spec = sub(f.data, "specifications")
    memory = sub(spec, "memory")
    f.row |= {
        "socket": socket(f.data.get("socket")),
        "cores": f.whole(sub(f.data, "cores").get("total"), "cores", 1, 512),
        "tdp_w": f.number(spec.get("tdp"), "tdp_w", 5, 600),
        "max_turbo_w": f.number(spec.get("ppt"), "max_turbo_w", 5, 900),
        "memory_types": LIST_SEPARATOR.join(str(t) for t in memory.get("types") or []),
        "memory_channels": f.whole(memory.get("channels"), "memory_channels", 1, 12),
        "ecc": "yes" if spec.get("eccSupport") else "",
    }
    return bool(f.row["socket"])


def _motherboard(f: Fields) -> bool:
    memory = sub(f.data, "memory")
    chipset = str(f.data.get("chipset") or "").split(" ")[-1].upper()
    slots = f.whole(memory.get("slots"), "dimm_slots", 1, 48)
    largest = memory.get("max")
    if isinstance(largest, int) and slots and 0 < largest < slots * 2:
        # Some records give terabytes in a column of gigabytes.
        f.notes.append(Message(N_("memory of {value} read as TB"), {"value": largest}))
        largest *= 1024
    size = f.whole(largest, "max_memory_bytes", 4, 12_288)
    f.row |= {
        "socket": socket(f.data.get("socket")),
        "chipset": chipset,
        "dimm_slots": slots,
        "memory_type": str(memory.get("ram_type") or ""),
        "max_memory_bytes": None if size is None else size * GIB,
        "form_factor": str(f.data.get("form_factor") or ""),
        "ecc": "yes" if f.data.get("ecc_support") else "",
        "positions_known": 0,
    }
    f.row["motherboard_slot"] = _slots(f, chipset)
    return bool(f.row["socket"])


def _slots(f: Fields, chipset: str) -> list[dict[str, object]]:
    """Slots in the record's order: the generation is the chipset's, lanes beyond the processor's are unknown."""
    generation = CHIPSET_GENERATIONS.get(chipset)
    budget = 16 if f.row["socket"] in _CPU_LANE_SOCKETS else 10**6
    found: list[dict[str, object]] = []
    for group in f.data.get("pcie_slots") or []:
        for _ in range(int(group.get("quantity") or 0)):
            lanes = group.get("lanes")
            if lanes not in (1, 4, 8, 16) or len(found) >= 16:
                continue
            sure = lanes < 8 or lanes <= budget
            budget -= lanes if lanes >= 8 else 0
            wide = generation if lanes >= 8 and len(found) == 0 else None
            found.append(
                {
                    "position": len(found) + 1,
                    "physical_lanes": lanes,
                    "electrical_lanes": lanes if sure else None,
                    "generation": wide,
                    "source": "unknown",
                }
            )
    if any(slot["electrical_lanes"] is None for slot in found):
        f.unknown("electrical_lanes", Message(N_("more lanes are coded than the processor has")))
    return found


def _power_supply(f: Fields) -> bool:
    plugs = sub(f.data, "connectors")
    watts = f.number(f.data.get("wattage"), "rated_w", 150, 3500)
    new, old = _count(plugs.get("pcie_12vhpwr")), _count(plugs.get("pcie_6_plus_2_pin"))
    if not new and not old:
        # A supply without any plug for a card is a record that nobody filled in.
        f.unknown("pcie_6plus2", Message(N_("all plugs for cards are coded 0")))
        new = old = None
    elif not new and _NEW_PLUG.search(f.name):
        f.unknown("pcie_16", Message(N_("coded 0 though the name promises the new plug")))
        new = None
    f.row |= {
        "rated_w": watts,
        "form_factor": str(f.data.get("form_factor") or ""),
        "atx_version": _atx(f.name),
        "efficiency": str(f.data.get("efficiency_rating") or ""),
        "length_mm": f.number(f.data.get("length"), "length_mm", 80, 400),
        "eps_8": _count(plugs.get("eps_8_pin")) or None,
        "pcie_16": new,
        "pcie_6plus2": old,
        "sata": _count(plugs.get("sata")),
        "molex": _count(plugs.get("molex_4_pin")),
    }
    return watts is not None


def _chassis(f: Fields) -> bool:
    size = f.data.get("dimensions_mm")
    box = size if isinstance(size, Mapping) else {}
    f.row |= {
        "form_factor": str(f.data.get("form_factor") or ""),
        "board_form_factors": LIST_SEPARATOR.join(f.data.get("supported_motherboard_form_factors") or []),
        "psu_form_factors": LIST_SEPARATOR.join(f.data.get("supported_power_supply_form_factors") or []),
        "max_gpu_length_mm": f.number(f.data.get("max_video_card_length"), "max_gpu_length_mm", 130, 700),
        "max_cooler_mm": f.number(f.data.get("max_cpu_cooler_height"), "max_cooler_mm", 20, 250),
        "max_psu_mm": f.number(f.data.get("max_psu_length"), "max_psu_mm", 80, 400),
        "expansion_slots": f.whole(f.data.get("expansion_slots"), "expansion_slots", 1, 20),
        "width_mm": f.number(box.get("width"), "width_mm", 50, 900),
        "height_mm": f.number(box.get("height"), "height_mm", 50, 1200),
        "depth_mm": f.number(box.get("depth"), "depth_mm", 50, 1200),
    }
    if f.data.get("weight"):
        f.unknown("weight_kg", Message(N_("the source mixes pounds and kilograms")))
    return bool(f.row["board_form_factors"])


def _cooler(f: Fields) -> bool:
    f.row |= {
        "cooler_type": "aio" if f.data.get("water_cooled") else "air",
        "sockets": LIST_SEPARATOR.join(socket(s) for s in f.data.get("cpu_sockets") or []),
        "height_mm": f.number(f.data.get("height"), "height_mm", 15, 250),
        "radiator_mm": f.number(f.data.get("radiator_size"), "radiator_mm", 80, 560),
    }
    return bool(f.row["sockets"])


def _memory(f: Fields) -> bool:
    modules = sub(f.data, "modules")
    count = f.whole(modules.get("quantity"), "modules", 1, 24)
    size = f.number(modules.get("capacity_gb"), "module_bytes", 1, 512)
    buffered = f.data.get("registered") == "Registered" or bool(
        re.search(r"\bR-?DIMM\b|Registered", f.name, re.IGNORECASE)
    )
    if buffered and f.data.get("registered") != "Registered":
        f.notes.append(Message(N_("coded unbuffered though the name says registered")))
    f.row |= {
        "memory_type": str(f.data.get("ram_type") or ""),
        "module_form": memory_form(f.data.get("form_factor"), buffered),
        "registered": int(buffered),
        "ecc": int(buffered or str(f.data.get("ecc")) == "ECC"),
        "modules": count,
        "module_bytes": None if size is None else int(size * GIB),
        "speed_mts": f.whole(f.data.get("speed"), "speed_mts", 400, 12_000),
        "height_mm": f.number(f.data.get("height"), "height_mm", 15, 80),
    }
    return count is not None and size is not None


def _drive(f: Fields) -> bool:
    size = f.number(f.data.get("capacity"), "capacity_bytes", 8, 100_000)
    f.row |= {
        "form_factor": str(f.data.get("form_factor") or ""),
        "interface": str(f.data.get("interface") or ""),
        "nvme": int(bool(f.data.get("nvme"))),
        "capacity_bytes": None if size is None else int(size * 10**9),
    }
    return size is not None


def _nic(f: Fields) -> bool:
    f.row |= {"interface": str(f.data.get("interface") or "")}
    return True


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 40 else None


def _atx(name: str) -> str | None:
    if re.search(r"ATX ?3\.1|PCI-?E ?5\.1", name, re.IGNORECASE):
        return "3.1"
    return "3.0" if re.search(r"ATX ?3(\.0)?\b|12VHPWR", name, re.IGNORECASE) else None


READERS: Mapping[str, tuple[Kind, Callable[[Fields], bool]]] = MappingProxyType(
    {
        "CPU": (Kind.CPU, _cpu),
        "Motherboard": (Kind.MOTHERBOARD, _motherboard),
        "PSU": (Kind.POWER_SUPPLY, _power_supply),
        "PCCase": (Kind.CHASSIS, _chassis),
        "CPUCooler": (Kind.COOLER, _cooler),
        "RAM": (Kind.MEMORY, _memory),
        "Storage": (Kind.DRIVE, _drive),
        "NetworkCard": (Kind.NIC, _nic),
    }
)
"""Reader of each folder; it says whether enough is known to keep the record."""
