"""A parts list as people write it, read into a build, and judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from gpuconfig.engine.builds.build import BomLine, Build, CardLink, Via
from gpuconfig.engine.builds.matching import match
from gpuconfig.engine.builds.parts_text import links as links_in
from gpuconfig.engine.builds.parts_text import mains as mains_in
from gpuconfig.engine.builds.parts_text import positions
from gpuconfig.engine.builds.written import counted, counted_before, is_blower
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment, Noise
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.compatibility.unlisted import CLASSES, with_fields, without_catalogue
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import only_known, read_choice, read_number

TOP = ("id", "region", "mains", "ambient_c", "altitude_m", "noise", "place", "parts", "links")
KINDS = {
    "gpu": Kind.ACCELERATOR, "accelerator": Kind.ACCELERATOR, "cpu": Kind.CPU, "motherboard": Kind.MOTHERBOARD,
    "memory": Kind.MEMORY, "ram": Kind.MEMORY, "power_supply": Kind.POWER_SUPPLY, "psu": Kind.POWER_SUPPLY,
    "chassis": Kind.CHASSIS, "case": Kind.CHASSIS, "cooler": Kind.COOLER, "drive": Kind.DRIVE, "nic": Kind.NIC,
    "riser": Kind.RISER, "server": Kind.SERVER, "bridge": Kind.BRIDGE, "ups": Kind.UPS, "pdu": Kind.PDU,
    "rack": Kind.RACK, "switch": Kind.SWITCH, "cable": Kind.CABLE, "storage": Kind.DRIVE, "ssd": Kind.DRIVE,
    "network": Kind.NIC, "nvlink": Kind.BRIDGE,
}  # fmt: skip
COUNTED = frozenset((Kind.ACCELERATOR, Kind.CPU, Kind.POWER_SUPPLY, Kind.COOLER, Kind.DRIVE))
COUNTED_BEFORE = frozenset((Kind.RISER, Kind.NIC, Kind.BRIDGE))
"""Kinds whose names tell the number of pieces; of memory it is that of modules, of the rest it may be lanes."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
BLOWER_CARD: Mapping[str, Any] = MappingProxyType({"cooling": "blower", "slots": 2})
"""What is inferred of a board maker's blower card: they are made two slots wide, to stand side by side."""
MOST_PIECES = 1024
"""Pieces of one entry and entries of one kind: more is a slip of the hand, not a machine."""
MOST_POSITIONS = 24
"""Brackets of the largest frames."""
TEXT_KINDS = ("interconnect", "mains")
KEPT_BY_PROGRAM = {
    "evidence_kind", "confidence", "inferred_fields", "derived_fields", "confirmations", "origin", "edits",
}  # fmt: skip
"""What the catalogue notes about an item, and no person about a part."""
OWN = {"ref", "name", "quantity", "qty", "power_limit_w", "slot", "slots_used", "note", "notes"}
REMARKS = (
    "mode",
    "assignment",
    "channels_used",
    "bridge",
    "redundancy",
    "fans",
    "slots_per_gpu",
    "connector",
    "type",
    "cable",
    "cables",
    "position",
    "bios",
    "firmware",
    "age",
    "note",
    "notes",
)
SYNONYMS = {"watt": "rated_w", "watts": "rated_w", "connectors": "power_connectors", "rails": "rails_note",
            "lanes": "pcie_lanes", "vram_gb": "memory_gb", "wattage": "rated_w"}  # fmt: skip


def check_parts(
    document: object, catalogue: Catalogue, pricers: RegionalPricers | None = None
) -> CheckResult:
    """Judge the contract's check request.

    Args:
        pricers: prices of what would mend a finding; None: remedies that are parts are left out.

    Raises:
        InputError: naming the field.
    """
    build, place = read_parts(document, catalogue)
    result = check_build(build, place, catalogue, None if pricers is None else pricers.at(place))
    return replace(
        result,
        parts=tuple((line.kind.value, line.item.name, line.item.id, line.matched) for line in build.lines),
    )


def read_parts(document: object, catalogue: Catalogue) -> tuple[Build, Environment]:
    """The build and its place."""
    data = _object("", document)
    only_known(data, TOP)
    parts = _object("parts", {} if data.get("parts") is None else data["parts"])
    lines: list[BomLine] = []
    remarks: list[str] = []
    volts_amps: tuple[float | None, float | None] = (None, None)
    for key, value in parts.items():
        entries = value if isinstance(value, list) else [value]
        if key in TEXT_KINDS:
            for i, entry in enumerate(entries):
                text = str(_object(f"parts.{key}[{i}]", entry).get("name", ""))
                if key == "mains":
                    volts_amps = mains_in(text)
                else:
                    remarks.append(text)
            continue
        only_known((key,), KINDS, "parts")
        read_number(f"parts.{key}.length", len(entries), 0, MOST_PIECES, integer=True)
        for i, entry in enumerate(entries):
            lines.extend(
                _lines(
                    KINDS[key], _object(f"parts.{key}[{i}]", entry), f"parts.{key}[{i}]", catalogue, remarks
                )
            )
    asked = [] if data.get("links") is None else data["links"]
    links = tuple(_links(asked)) or tuple(x for text in remarks for x in links_in(text))
    build = Build(lines=tuple(lines), links=links, remarks=tuple(remarks))
    _seated(build)
    return build, _place(data, volts_amps)


def _lines(
    kind: Kind, entry: Mapping[str, Any], path: str, catalogue: Catalogue, remarks: list[str]
) -> Iterator[BomLine]:
    written = entry.get("name") if entry.get("ref") is None else entry["ref"]
    known = {f.name for f in fields(CLASSES[kind])} - KEPT_BY_PROGRAM
    own = {
        k if k in known else SYNONYMS.get(k, k): v
        for k, v in entry.items()
        if k not in OWN and k not in REMARKS
    }
    also = {short for short, full in SYNONYMS.items() if full in known}
    only_known(own, known | OWN | also | set(REMARKS), path)
    if written is not None and not (isinstance(written, str) and written.strip()):
        field = "ref" if entry.get("ref") is not None else "name"
        raise InputError("wrong_type", f"{path}.{field}", written, Message(N_("a text is needed")))
    if written is None and not own:
        raise InputError(
            "missing", f"{path}.name", None, Message(N_("a part needs a ref, a name or fields of its own"))
        )
    quantity, written = _pieces(kind, entry, path, written, catalogue)
    note = " ".join(str(entry[k]) for k in REMARKS if entry.get(k) is not None)
    if kind in (Kind.MOTHERBOARD, Kind.ACCELERATOR) and entry.get("mode"):
        remarks.append(str(entry["mode"]))
    found = None if written is None else match(kind, str(written), catalogue)
    if kind is Kind.CHASSIS and (found is None or found.item is None) and written is not None:
        server = match(Kind.SERVER, str(written), catalogue)
        if server.item is not None and server.confidence >= 0.9:
            yield BomLine(
                kind=Kind.SERVER, item=server.item, quantity=quantity, matched=server.confidence, note=note
            )
            return
    if entry.get("ref") and (found is None or found.item is None) and not own:
        catalogue.part(kind, str(entry["ref"]), f"{path}.ref")  # raises with the nearest names
    used = entry.get("slots_used", entry.get("slot"))
    limit = entry.get("power_limit_w")
    if limit is not None:
        limit = read_number(f"{path}.power_limit_w", limit, 1, 100_000)
    told = BLOWER_CARD if kind is Kind.ACCELERATOR and is_blower(str(written or "")) else NOTHING
    own = {**told, **own}
    if found is not None and found.item is not None:
        item, sure = with_fields(found.item, own, path), found.confidence
        item = replace(item, inferred_fields=item.inferred_fields | frozenset(told))
    else:
        item, sure = without_catalogue(kind, str(written or kind.value), own, path), 0.0
    cooling = own.get("cooling")
    yield BomLine(
        kind=kind, item=item, quantity=quantity, matched=sure, power_limit_w=limit,
        slot=() if used is None or kind is not Kind.ACCELERATOR else _positions(used, f"{path}.slot"),
        note=f"{note} {cooling or ''}".strip(),
    )  # fmt: skip


def _positions(value: object, path: str) -> tuple[int, ...]:
    """Board positions as written: 3, "3", "1,3,5,7" or [1, 3]."""
    found = positions(value)
    if (
        not found
        or any(not 1 <= p <= MOST_POSITIONS for p in found)
        or re.search(r"[a-z]", str(value).lower())
    ):
        text = N_("positions on the board from 1 (the uppermost bracket) to {most}, such as 3 or 1,3,5")
        raise InputError("out_of_range", path, value, Message(N_("not a position of a slot")),
                         Message(text, {"most": MOST_POSITIONS}))  # fmt: skip
    return found


def _seated(build: Build) -> None:
    """Positions named for cards must exist on a board whose slots are recorded one by one.

    Raises:
        InputError: naming the card and the positions that there are.
    """
    line = build.first(Kind.MOTHERBOARD)
    board = None if line is None else line.item
    if not isinstance(board, Motherboard) or not board.slots or not board.positions_known:
        return
    there = [slot.position for slot in board.slots]
    for number, card in enumerate(build.of(Kind.ACCELERATOR)):
        for position in card.slot:
            if position not in there:
                text = N_("{board} has slots at {there}")
                raise InputError("unknown_value", f"parts.gpu[{number}].slot", position,
                                 Message(N_("the board has no slot there")),
                                 Message(text, {"board": board.name, "there": ", ".join(map(str, there))}))  # fmt: skip


def _pieces(
    kind: Kind, entry: Mapping[str, Any], path: str, written: object, catalogue: Catalogue
) -> tuple[int, object]:
    """Pieces as stated, else as the name tells, with the name without them."""
    value = entry.get("quantity", entry.get("qty"))
    if value is not None:
        return int(read_number(f"{path}.quantity", value, 1, MOST_PIECES, integer=True)), written
    read = counted if kind in COUNTED else counted_before if kind in COUNTED_BEFORE else None
    if not isinstance(written, str) or read is None or catalogue.find(kind, written) is not None:
        return 1, written
    pieces, name = read(written)
    return pieces or 1, name


def _links(value: object) -> Iterator[CardLink]:
    if not isinstance(value, list):
        raise InputError("wrong_type", "links", value, Message(N_("a list is needed")))
    for i, entry in enumerate(value):
        path = f"links[{i}]"
        data = _object(path, entry)
        only_known(data, ("gpu", "generation", "lanes", "via"), path)
        via = data.get("via")
        numbers = {
            name: None
            if data.get(name) is None
            else int(read_number(f"{path}.{name}", data[name], low, high, integer=True))
            for name, low, high in (("gpu", 0, MOST_PIECES - 1), ("generation", 1, 7), ("lanes", 1, 16))
        }
        yield CardLink(**numbers, via=None if via is None else Via(read_choice(f"{path}.via", via, Via)))


def _place(data: Mapping[str, Any], volts_amps: tuple[float | None, float | None]) -> Environment:
    volts, amps = volts_amps
    mains = data.get("mains")
    if isinstance(mains, str):
        volts, amps = mains_in(mains)
        if volts is None and amps is None:
            accepted = Message(N_("such as 220 V 10 A"))
            raise InputError("wrong_type", "mains", mains, Message(N_("neither volts nor amperes")), accepted)
    elif mains is not None:
        body = _object("mains", mains)
        only_known(body, ("volts", "amps"), "mains")
        volts = None if body.get("volts") is None else read_number("mains.volts", body["volts"], 90, 500)
        amps = None if body.get("amps") is None else read_number("mains.amps", body["amps"], 1, 4000)
    region = data.get("region")
    noise = data["place"] if data.get("noise") is None and "place" in data else data.get("noise")
    return Environment(
        region=None if region is None else Region(_region(region)),
        volts=volts,
        amps=amps,
        ambient_c=_number(data, "ambient_c", -40, 80),
        altitude_m=_number(data, "altitude_m", -500, 9000),
        noise=None if noise is None else read_choice("noise", noise, Noise).value,
        machine_room=noise == "machine_room",
    )


def _number(data: Mapping[str, Any], name: str, low: float, high: float) -> float | None:
    return None if data.get(name) is None else read_number(name, data[name], low, high)


def _region(value: object) -> str:
    text = str(value)
    for region in Region:
        if text.lower() == region.value.lower():
            return region.value
    accepted = Message(N_("one of {names}"), {"names": ", ".join(r.value for r in Region)})
    raise InputError("unknown_value", "region", value, Message(N_("not a known value")), accepted)


def _object(path: str, value: object) -> Mapping[str, Any]:
    if isinstance(value, str) and re.fullmatch(r"parts\..*", path):
        return {"name": value}
    if not isinstance(value, Mapping):
        raise InputError("wrong_type", path, value, Message(N_("an object with named fields is needed")))
    return value
