"""Parts outside the catalogue, and fields that the person states about a part: the catalogue's own names."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from gpuconfig.engine.builds import parts_text
from gpuconfig.engine.builds.families import (
    board_chipset,
    board_memory,
    board_size,
    board_socket,
    cpu_family,
)
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard, Slot
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.peripheral import Bridge, Cable, Drive, Nic, Riser, Switch
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind, LaneSource, Software, Vendor
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT, only_known, read_number

Choice = TypeVar("Choice", bound=StrEnum)
FULL_SLOT = 16
"""Width of a slot whose width is not said: boards list what is narrower."""

CLASSES: Mapping[Kind, type[CatalogueItem]] = types.MappingProxyType(
    {
        Kind.ACCELERATOR: Accelerator, Kind.CPU: Cpu, Kind.MOTHERBOARD: Motherboard, Kind.MEMORY: MemoryKit,
        Kind.POWER_SUPPLY: PowerSupply, Kind.CHASSIS: Chassis, Kind.COOLER: Cooler, Kind.DRIVE: Drive, Kind.NIC: Nic,
        Kind.RISER: Riser, Kind.SERVER: ServerPlatform, Kind.BRIDGE: Bridge, Kind.UPS: Ups, Kind.PDU: Pdu,
        Kind.RACK: Rack, Kind.SWITCH: Switch, Kind.CABLE: Cable,
    }
)  # fmt: skip


def with_fields(item: CatalogueItem, given: Mapping[str, Any], path: str) -> CatalogueItem:
    """`item` with the person's own figures in place of the catalogue's."""
    values = _read(type(item), given, path)
    return dataclasses.replace(item, **values) if values else item


def without_catalogue(kind: Kind, name: str, given: Mapping[str, Any], path: str) -> CatalogueItem:
    """An item made from what is written: its name, its fields, and what the name's family tells."""
    cls = CLASSES[kind]
    values: dict[str, Any] = {
        "id": re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or kind.value,
        "name": name,
        "evidence_kind": EvidenceKind.ASSUMED,
        **_told(kind, name),
        **_read(cls, given, path),
    }
    values["inferred_fields"] = values.get("inferred_fields", frozenset()) - given.keys()
    if kind is Kind.POWER_SUPPLY and "rated_w" not in values:
        # Without a rating it is no supply that anything can be judged by; it still stands in the list.
        return CatalogueItem(id=values["id"], name=name, evidence_kind=EvidenceKind.ASSUMED)
    required = {
        f.name
        for f in dataclasses.fields(cls)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    }
    if kind is Kind.MEMORY and not required <= values.keys():
        return CatalogueItem(id=values["id"], name=name, evidence_kind=EvidenceKind.ASSUMED)
    if kind is Kind.DRIVE:
        values.setdefault("capacity_bytes", 0)
    return cls(**values)


def _told(kind: Kind, name: str) -> dict[str, Any]:
    """What the name alone tells."""
    lowered = name.lower()
    if kind is Kind.ACCELERATOR:
        module = (
            FormFactor.SXM if "sxm" in lowered else FormFactor.OAM if "oam" in lowered else FormFactor.PCIE
        )
        words = {
            "vendor": Vendor.OTHER,
            "family": "",
            "architecture": "",
            "software": Software.OTHER,
            "form_factor": module,
        }
        if re.search(r"gtx|rtx|titan|quadro|tesla|geforce|nvidia", lowered):
            words.update(vendor=Vendor.NVIDIA, software=Software.CUDA)
        return {**words, "modified": "modded" in lowered or "modified" in lowered}
    if kind is Kind.CPU:
        family = cpu_family(name)
        if family is None:
            return {"socket": ""}
        return {"socket": family.socket, "tdp_w": family.least_tdp_w, "memory_channels": family.channels,
                "registered": family.registered, "inferred_fields": frozenset({"socket", "tdp_w"})}  # fmt: skip
    if kind is Kind.MOTHERBOARD:
        socket = board_socket(name) or ""
        memory_type, registered = board_memory(name, socket)
        return {"socket": socket, "chipset": board_chipset(name), "memory_type": memory_type, "registered": registered,
                "form_factor": board_size(name), "inferred_fields": frozenset({"cpu_sockets"})}  # fmt: skip
    if kind is Kind.MEMORY:
        return _memory(name)
    if kind is Kind.POWER_SUPPLY:
        watts = parts_text.rating_w(name)
        return {} if watts is None else {"rated_w": watts, "inferred_fields": frozenset({"rated_w"})}
    if kind is Kind.RISER:
        generation = re.search(r"(?:gen ?|pcie )(\d)", lowered)
        return {} if generation is None else {"pcie_generation": int(generation.group(1))}
    return {}


def _memory(name: str) -> dict[str, Any]:
    lowered = name.lower()
    total = parts_text.capacity_gb(name)
    if total is None:
        return {}
    count = parts_text.modules(name)
    generation = re.search(r"ddr\d", lowered)
    registered = None
    if re.search(r"rdimm|recc|\becc\s*reg|\breg\b", lowered):
        registered = True
    elif "udimm" in lowered:
        registered = False
    if "so-dimm" in lowered or "sodimm" in lowered:
        registered = False
    return {
        "memory_type": generation.group().upper() if generation else "",
        "registered": registered,
        "modules": count or 0,
        "module_bytes": int(total * GIB / (count or 1)),
        "module_form": "SODIMM" if "so-dimm" in lowered else "",
    }


_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "_w": (1, 1e6), "_mm": (0.1, 1e5), "_bytes": (1, 1e18), "_gb": (0.01, 1e6), "_kg": (0.001, 1e5),
        "_bytes_per_s": (1, 1e18), "_bit_per_s": (1, 1e18), "_flops": (1, 1e21), "_ops": (1, 1e21),
    }
)  # fmt: skip
"""What a person's own figure of a part may be, by its unit: no part has a length or a rating of nothing."""
_COUNT = (0, 1e18)
_NEEDED = MappingProxyType({bool: N_("true or false is needed"), str: N_("a text is needed")})


def _read(cls: type[CatalogueItem], given: Mapping[str, Any], path: str) -> dict[str, Any]:
    return {
        name: _value(cls, name, value, f"{path}.{name}") for name, value in given.items() if value is not None
    }


def _value(cls: type[CatalogueItem], name: str, value: Any, path: str) -> Any:
    if name in ("power_connectors", "adapter_connectors"):
        return _connectors(value, path) if name == "power_connectors" else (_connectors(value, path) or ())
    if name == "cooling" and cls is Accelerator:
        return parts_text.cooling(str(value))
    if name == "slots" and cls is Accelerator:
        return parts_text.slots_wide(value)
    hint = _hints(cls.__name__)[name]
    if name == "slots" and cls is Motherboard:
        return _board_slots(value, path)
    listed = typing.get_origin(hint) in (tuple, frozenset)
    kind = hint if listed else next((a for a in typing.get_args(hint) if a is not type(None)), hint)
    if kind is bool and isinstance(value, bool):
        return value
    if kind in (int, float):
        low, high = next((ends for unit, ends in _LIMITS.items() if name.endswith(unit)), _COUNT)
        return kind(read_number(path, value, low, high))
    if kind is str and isinstance(value, str | int | float):
        return str(value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _choice(path, value, kind)
    gathered = typing.get_origin(kind)
    if gathered in (tuple, frozenset) and typing.get_args(kind)[0] is str:
        return gathered(_texts(value, path))
    needed = _NEEDED.get(kind, N_("a value of another kind is needed"))
    raise InputError("wrong_type", path, value, Message(needed))


def _texts(value: Any, path: str) -> list[str]:
    """A list of texts, or one text with bars between them."""
    entries = list(value) if isinstance(value, list | tuple) else [value]
    if not all(isinstance(entry, str) for entry in entries):
        raise InputError("wrong_type", path, value, Message(N_("a list of texts is needed")))
    return entries if isinstance(value, list | tuple) else value.split("|")


def _connectors(value: Any, path: str) -> Any:
    """The plugs that a text or a list of texts names; None where nothing is recognised."""
    entries = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(entry, str) for entry in entries):
        accepted = Message(N_("a text such as {example}"), {"example": "2x 8-pin"})
        raise InputError(
            "wrong_type", path, value, Message(N_("a value of another kind is needed")), accepted
        )
    return parts_text.connectors(" + ".join(entries))


def _choice(path: str, value: Any, kind: type[Choice]) -> Choice:
    """A member by its value, in any case: makers' names are written with capitals."""
    for member in kind:
        if member.value.lower() == str(value).strip().lower():
            return member
    accepted = Message(N_("one of {names}"), {"names": ", ".join(m.value for m in kind)})
    raise InputError("unknown_value", path, value, Message(N_("not a known value")), accepted)


def _board_slots(value: Any, path: str) -> tuple[Slot, ...]:
    """The slots of a board, one object each, in the catalogue's names.

    Raises:
        InputError: naming the slot and its field.
    """
    if not isinstance(value, list | tuple):
        raise InputError("wrong_type", path, value, Message(N_("a list is needed")))
    known = [f.name for f in dataclasses.fields(Slot)]
    found = []
    for number, entry in enumerate(value):
        here = f"{path}[{number}]"
        if not isinstance(entry, Mapping):
            raise InputError("wrong_type", here, entry, NOT_AN_OBJECT)
        only_known(entry, known, here)
        if entry.get("position") is None:
            raise InputError("missing", f"{here}.position", None, Message(N_("this field is required")))
        lanes = {
            name: None
            if entry.get(name) is None
            else int(read_number(f"{here}.{name}", entry[name], 0, 64, integer=True))
            for name in ("position", "physical_lanes", "electrical_lanes", "generation", "shared_lanes")
        }
        width = lanes.pop("physical_lanes")
        source = entry.get("source")
        found.append(
            Slot(
                position=lanes.pop("position") or 0,
                physical_lanes=FULL_SLOT if width is None else width,
                source=LaneSource.UNKNOWN
                if source is None
                else _choice(f"{here}.source", source, LaneSource),
                shares_with=tuple(parts_text.positions(entry.get("shares_with") or ())),
                **lanes,  # type: ignore[arg-type]
            )
        )
    return tuple(found)


@cache
def _hints(name: str) -> dict[str, Any]:
    return typing.get_type_hints(next(c for c in CLASSES.values() if c.__name__ == name))
