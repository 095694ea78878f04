"""Items as flat cells and back: what an exported table holds, and what an import of it writes.

Cells are in base units under the dataclass's field names. Links, plugs and slots are short texts:
`power_connectors` = `1x pcie_16@600`, `slots` = `1:x16/x8/5/cpu; 4:x16/x4/4/chipset`.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import re
import types
import typing
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache

from gpuconfig.engine.catalogue.accelerator import Accelerator, Link
from gpuconfig.engine.catalogue.connector_text import parse_connectors, write_connectors
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.rows import LIST_SEPARATOR
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import only_known

_LEFT_OUT = frozenset({"confirmations", "origin", "edits"})
_LINK_COLUMNS: Mapping[str, str] = types.MappingProxyType(
    {
        "link_kind": "kind",
        "link_name": "name",
        "link_topology": "topology",
        "link_bytes_per_s_per_direction": "per_direction_bytes_per_s",
        "link_pair_bytes_per_s": "pair_bytes_per_s",
        "link_max_gpus": "max_gpus",
    }
)
LARGEST = Decimal(10) ** 24
"""No figure of a part is larger, in base units."""

_PLUGS, _SLOTS = "1x pcie_16@600 + 2x pcie_8", "1:x16/x8/5/cpu; 4:x16/x4/4/chipset"
_SLOT = re.compile(r"(\d+):x(\d+)/x(\d+|\?)/(\d+|\?)/(\w+)(?:/x(\d+)@([\d,]+))?(?: \((.*)\))?")

ToRaw = Callable[[str], object]


class _RefusedError(Exception):
    """A cell that its column does not take: why, and what it takes."""

    def __init__(self, code: str, reason: str, accepted: Message | None = None) -> None:
        super().__init__(code)
        self.code, self.reason, self.accepted = code, Message(reason), accepted


def columns(kind: Kind) -> tuple[str, ...]:
    """Names of the cells of an item of `kind`, in order."""
    names = [f.name for f in dataclasses.fields(CLASSES[kind]) if f.name not in _LEFT_OUT]
    if kind is Kind.ACCELERATOR:
        place = names.index("link")
        names[place : place + 1] = list(_LINK_COLUMNS)
    return tuple(names)


def to_cells(item: CatalogueItem) -> dict[str, str]:
    """The cells of `item`; an unknown value is an empty cell."""
    cells: dict[str, str] = {}
    for field in dataclasses.fields(item):
        if field.name in _LEFT_OUT:
            continue
        value = getattr(item, field.name)
        if isinstance(item, Accelerator) and field.name == "link":
            cells |= _link_cells(value)
        elif isinstance(item, Accelerator) and field.name in ("power_connectors", "adapter_connectors"):
            written = value is not None and not (field.name == "adapter_connectors" and not value)
            cells[field.name] = write_connectors(value) if written else ""
        elif isinstance(item, Motherboard) and field.name == "slots":
            cells["slots"] = "; ".join(_slot_text(slot) for slot in value)
        else:
            cells[field.name] = _text(value)
    return cells


def to_raw(kind: Kind, cells: Mapping[str, str]) -> dict[str, object]:
    """The row an overlay stores, from the non-empty `cells`.

    Raises:
        InputError: a column the kind does not have, or a cell its column does not take; names the column.
    """
    raw: dict[str, object] = {}
    known = _converters(kind)
    for name, text in cells.items():
        if not text:
            continue
        only_known((name,), known)
        try:
            raw |= known[name](text)
        except _RefusedError as error:
            raise InputError(error.code, name, text, error.reason, error.accepted) from None
    return raw


def readable(kind: Kind) -> frozenset[str]:
    """Columns that `to_raw` takes; a model's layers are written to be seen, and read from its config alone."""
    return frozenset(_converters(kind))


def by_field(raw: Mapping[str, object]) -> dict[str, object]:
    """Columns under the names of the fields they make up: plugs and slots as lists of child rows."""
    names = {"accelerator_connector": "power_connectors", "adapter_plugs": "adapter_connectors"}
    kept = {n: v for n, v in raw.items() if n not in ("power_connectors_known", "motherboard_slot")}
    found = {names.get(name, name): value for name, value in kept.items()}
    if raw.get("power_connectors_known") == 0:
        found["power_connectors"] = None
    if "motherboard_slot" in raw:
        found["slots"] = raw["motherboard_slot"]
    return found


def field_value(kind: Kind, name: str, cell: str) -> object:
    """A cell as an edit stores it: the column's value, or the list of child rows for plugs and slots."""
    return None if not cell else next(iter(by_field(to_raw(kind, {name: cell})).values()))


def joined(raw: Mapping[str, object]) -> dict[str, object]:
    """`raw` as the overlay stores it: plugs of the card and of its adapter stand in one child table."""
    row = dict(raw)
    adapter = row.pop("adapter_plugs", None)
    if isinstance(adapter, list):
        own = row.get("accelerator_connector")
        row["accelerator_connector"] = [*(own if isinstance(own, list) else []), *adapter]
    return row


@cache
def link_hints() -> Mapping[str, object]:
    """Type of each column of an accelerator's link."""
    hints = typing.get_type_hints(Link)
    return types.MappingProxyType({column: hints[name] for column, name in _LINK_COLUMNS.items()})


def _link_cells(link: Link | None) -> dict[str, str]:
    return {
        column: _text(None if link is None else getattr(link, name)) for column, name in _LINK_COLUMNS.items()
    }


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, tuple | frozenset):
        words = sorted(value) if isinstance(value, frozenset) else value
        return LIST_SEPARATOR.join(str(word) for word in words)
    if isinstance(value, float):
        return format(Decimal(repr(value)).normalize(), "f")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return json.dumps(dataclasses.asdict(value), ensure_ascii=False, default=str)
    return str(value)


def _slot_text(slot: Slot) -> str:
    def shown(value: int | None) -> str:
        return "?" if value is None else str(value)

    lanes = f"x{slot.physical_lanes}/x{shown(slot.electrical_lanes)}"
    text = f"{slot.position}:{lanes}/{shown(slot.generation)}/{slot.source}"
    if slot.shared_lanes is not None:
        text += f"/x{slot.shared_lanes}@{','.join(str(p) for p in slot.shares_with)}"
    return f"{text} ({slot.note})" if slot.note else text


def _slots_raw(text: str) -> dict[str, object]:
    slots = []
    for part in text.split(";"):
        match = _SLOT.fullmatch(part.strip())
        if match is None:
            raise _RefusedError("wrong_type", N_("this is written otherwise"), _words(_SLOTS))
        position, physical, electrical, generation, source, shared, others, note = match.groups()
        slot: dict[str, object] = {
            "position": int(position),
            "physical_lanes": int(physical),
            "electrical_lanes": None if electrical == "?" else int(electrical),
            "generation": None if generation == "?" else int(generation),
            "source": source,
            "note": note or "",
        }
        if shared:
            slot |= {"shared_lanes": int(shared), "shares_with": others.replace(",", LIST_SEPARATOR)}
        slots.append(slot)
    return {"motherboard_slot": slots}


def _plugs_raw(text: str, adapter: bool) -> dict[str, object]:
    try:
        parsed = parse_connectors(text)
    except ValueError:
        raise _RefusedError("wrong_type", N_("this is written otherwise"), _words(_PLUGS)) from None
    plugs = [
        {"adapter": int(adapter), "kind": p.kind.value, "count": p.count, "max_w": p.max_w} for p in parsed
    ]
    if adapter:
        return {"adapter_plugs": plugs}
    return {"power_connectors_known": 1, "accelerator_connector": plugs}


@cache
def _converters(kind: Kind) -> dict[str, Callable[[str], dict[str, object]]]:
    cls = CLASSES[kind]
    hints = typing.get_type_hints(cls)
    found: dict[str, Callable[[str], dict[str, object]]] = {}
    for field in dataclasses.fields(cls):
        convert = _converter(hints[field.name])
        if convert is not None and field.name not in _LEFT_OUT:
            found[field.name] = _named(field.name, convert)
    if kind is Kind.ACCELERATOR:
        for column, hint in link_hints().items():
            convert = _converter(hint)
            assert convert is not None
            found[column] = _named(column, convert)
        found["power_connectors"] = lambda text: _plugs_raw(text, adapter=False)
        found["adapter_connectors"] = lambda text: _plugs_raw(text, adapter=True)
    if kind is Kind.MOTHERBOARD:
        found["slots"] = _slots_raw
    return found


def _named(name: str, convert: ToRaw) -> Callable[[str], dict[str, object]]:
    return lambda text: {name: convert(text)}


def _converter(hint: object) -> ToRaw | None:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = next(a for a in typing.get_args(hint) if a is not type(None))
    if typing.get_origin(hint) in (tuple, frozenset):
        return str if typing.get_args(hint)[0] is str else None
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        choices = tuple(str(member.value) for member in hint)
        return lambda text: _word(text, choices)
    plain: dict[object, ToRaw] = {str: str, int: _whole, float: _real, bool: _flag}
    return plain.get(hint)


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise _RefusedError("wrong_type", N_("this is no number")) from None
    if not number.is_finite() or not 0 <= number <= LARGEST:
        accepted = Message(N_("more than zero; empty where it is not known"))
        raise _RefusedError("out_of_range", N_("no part has this"), accepted)
    return number


def _whole(text: str) -> int:
    number = _number(text)
    if number != number.to_integral_value():
        raise _RefusedError("wrong_type", N_("a whole number is wanted"))
    return int(number)


def _real(text: str) -> float:
    return float(_number(text))


def _word(text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise _RefusedError("unknown_value", N_("this word is not known here"), _words(", ".join(choices)))
    return text


def _flag(text: str) -> int:
    words = {"yes": 1, "true": 1, "1": 1, "是": 1, "no": 0, "false": 0, "0": 0, "否": 0}
    if text.lower() not in words:
        raise _RefusedError("unknown_value", N_("this word is not known here"), _words("yes, no, 是, 否"))
    return words[text.lower()]


def _words(text: str) -> Message:
    return Message("{words}", {"words": text})
