"""Items as plain rows, the way databases, files and overlays hold them, and the frozen dataclasses made of them.

A row has the dataclass's field names; a list is one text joined with `|`, a flag 0 or 1, and child rows (slots,
connectors, shapes) stand under the name of their table.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache

from gpuconfig.engine.catalogue.accelerator import Accelerator, Link, PowerConnector
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.item import CatalogueItem, Confirmation
from gpuconfig.engine.catalogue.neural_model import (
    Architecture,
    AttentionLayers,
    DiffusionComponent,
    DiffusionShape,
    Mla,
    NeuralModel,
    VisionShape,
    VisionTower,
)
from gpuconfig.engine.catalogue.vocabulary import LinkKind, LinkTopology
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind

Row = Mapping[str, object]
"""Column names and values of one row; child rows stand under the name of their table."""

LIST_SEPARATOR = "|"
"""Between the words of a list in one cell."""

T = typing.TypeVar("T")


def decode(cls: type[T], row: Row, **nested: object) -> T:
    """An instance of the dataclass `cls` from `row`; `nested` gives fields that are no plain column.

    A column that is NULL or missing leaves the field's default, or None where it has none.

    Raises:
        ValueError, TypeError: a value that the field's type does not take.
    """
    values = dict(nested)
    for name, convert, no_default in _converters(typing.cast("type", cls)):
        value = row.get(name)
        if value is not None and name not in values:
            values[name] = convert(value)
        elif no_default:
            values.setdefault(name, None)
    return cls(**values)


def decode_item(cls: type[CatalogueItem], row: Row) -> CatalogueItem:
    """An item of any kind with its parts (slots, connectors, architecture)."""
    nested: dict[str, object] = {name: row[name] for name in ("origin", "edits") if name in row}
    if cls is Accelerator:
        nested |= _accelerator(row)
    elif cls is Motherboard:
        nested["slots"] = tuple(decode(Slot, slot) for slot in children(row, "motherboard_slot"))
    elif cls is NeuralModel:
        nested |= _model(row)
    return decode(cls, row, **nested)


def decode_evidence(row: Row) -> Evidence:
    """Source, date, kind and note of a record."""
    return Evidence(
        source=str(row.get("source") or ""),
        date=None if row.get("date") is None else str(row["date"]),
        kind=EvidenceKind(str(row["evidence_kind"])),
        note=str(row.get("note") or ""),
    )


def children(row: Row, table: str) -> Sequence[Row]:
    """The child rows of `table` that stand in `row`."""
    return typing.cast("Sequence[Row]", row.get(table, ()))


def words(text: object) -> tuple[str, ...]:
    """The words of a list cell."""
    return tuple(part.strip() for part in str(text).split(LIST_SEPARATOR) if part.strip())


def _accelerator(row: Row) -> dict[str, object]:
    plugs = children(row, "accelerator_connector")
    nested: dict[str, object] = {
        "adapter_connectors": tuple(decode(PowerConnector, p) for p in plugs if p["adapter"]),
        "power_connectors": None,
        "confirmations": tuple(decode(Confirmation, page) for page in children(row, "accelerator_source")),
    }
    if row.get("power_connectors_known"):
        nested["power_connectors"] = tuple(decode(PowerConnector, p) for p in plugs if not p["adapter"])
    if row.get("link_kind"):
        topology = row.get("link_topology")
        nested["link"] = Link(
            kind=LinkKind(str(row["link_kind"])),
            name=str(row.get("link_name") or ""),
            topology=LinkTopology(str(topology)) if topology else None,
            per_direction_bytes_per_s=_number(row.get("link_bytes_per_s_per_direction")),
            pair_bytes_per_s=_number(row.get("link_pair_bytes_per_s")),
            max_gpus=_whole(row.get("link_max_gpus")),
        )
    return nested


def _model(row: Row) -> dict[str, object]:
    nested: dict[str, object] = {}
    for shape in children(row, "architecture"):
        nested["architecture"] = _architecture(shape, row)
    for shape in children(row, "diffusion"):
        parts = tuple(decode(DiffusionComponent, c) for c in children(row, "diffusion_component"))
        nested["diffusion"] = decode(DiffusionShape, shape, components=parts)
    for shape in children(row, "vision_tower"):
        nested["vision_tower"] = decode(VisionTower, shape)
    for shape in children(row, "vision"):
        nested["vision"] = decode(VisionShape, shape)
    return nested


def _architecture(shape: Row, model: Row) -> Architecture:
    nested: dict[str, object] = {
        name: shape.get(name) or model.get(name) for name in ("parameters", "active_parameters")
    }
    if shape.get("mla_kv_rank") is not None:
        parts = {f.name: shape.get(f"mla_{f.name}") for f in dataclasses.fields(Mla)}
        nested["mla"] = decode(Mla, parts)
    if shape.get("full_layers") is not None:
        nested["attention_layers"] = decode(
            AttentionLayers,
            {
                "full": shape["full_layers"],
                "sliding": shape.get("sliding_layers"),
                "window": shape.get("window"),
                "linear": shape.get("linear_layers"),
                "linear_state_bytes": shape.get("linear_state_bytes"),
                "cached_values": shape.get("cached_values"),
            },
        )
    return decode(Architecture, shape, **nested)


@cache
def _converters(cls: type) -> tuple[tuple[str, Callable[[object], object], bool], ...]:
    """Name, converter and "may be None but has no default" of each field that a column can give."""
    hints = typing.get_type_hints(cls)
    found = []
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        convert = _converter(hint)
        if convert is not None:
            optional = type(None) in typing.get_args(hint)
            found.append((field.name, convert, optional and field.default is dataclasses.MISSING))
    return tuple(found)


def _converter(hint: object) -> Callable[[object], object] | None:
    """How a column becomes a field of type `hint`; None for a nested type, which the caller gives."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = next(a for a in typing.get_args(hint) if a is not type(None))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and arguments[0] is str:
        return words
    if origin is tuple and arguments[0] is int:
        return lambda text: tuple(int(word) for word in words(text))
    if origin is frozenset:
        return lambda text: frozenset(words(text))
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    plain: dict[object, Callable[[typing.Any], object]] = {
        str: str,
        bool: bool,
        int: int,
        float: float,
        Decimal: lambda text: Decimal(str(text)),
    }
    return plain.get(hint)


def _number(value: object) -> float | None:
    return None if value is None else float(typing.cast("float", value))


def _whole(value: object) -> int | None:
    return None if value is None else int(typing.cast("int", value))
