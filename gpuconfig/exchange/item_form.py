"""Items as a form shows them: fields with units, read from what people type and written the way they read it."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB, MIB
from gpuconfig.exchange.item_cells import LARGEST, columns, link_hints, to_cells, to_raw
from gpuconfig.exchange.numbers import NumberStyle, read_number
from gpuconfig.exchange.quantities import Dimension, read_quantity

Raw = dict[str, object]

_NOT_TYPED = frozenset(
    {"id", "memory_gb", "link_known", "inferred_fields", "derived_fields", "positions_known"}
)
"""Kept by the program: they follow from other fields or from how a value is known."""

FOLLOWERS = types.MappingProxyType(
    {"memory_bytes": "memory_gb", "link_kind": "link_known", "slots": "positions_known"}
)
"""Fields that the program keeps in step with a typed one."""

_EVIDENCE = frozenset({"sources", "date", "evidence_kind", "confidence"})
_SUFFIXES = (
    ("_bytes_per_s_per_direction", Dimension.BANDWIDTH),
    ("_bytes_per_s", Dimension.BANDWIDTH),
    ("_bits_per_s", Dimension.BIT_RATE),
    ("_bytes", Dimension.MEMORY),
    ("_flops", Dimension.FLOPS),
    ("_ops", Dimension.FLOPS),
    ("_w", Dimension.POWER),
    ("_mm", Dimension.LENGTH),
    ("_c", Dimension.TEMPERATURE),
)
_STORAGE = frozenset({"capacity_bytes", "file_bytes"})
_UNITS = types.MappingProxyType(
    {
        Dimension.MEMORY: ("GB", Decimal(GIB)),
        Dimension.STORAGE: ("GB", Decimal(10**9)),
        Dimension.BANDWIDTH: ("GB/s", Decimal(10**9)),
        Dimension.BIT_RATE: ("Gbit/s", Decimal(10**9)),
        Dimension.POWER: ("W", Decimal(1)),
        Dimension.LENGTH: ("mm", Decimal(1)),
        Dimension.TEMPERATURE: ("°C", Decimal(1)),
        Dimension.FLOPS: ("TFLOPS", Decimal(10**12)),
        Dimension.COUNT: ("", Decimal(1)),
    }
)


class FieldKind(enum.StrEnum):
    """How a field is typed."""

    TEXT = "text"
    WORDS = "words"
    NUMBER = "number"
    CHOICE = "choice"
    YES_NO = "yes_no"
    PLUGS = "plugs"
    SLOTS = "slots"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field of a form.

    Attributes:
        name: of the catalogue's field.
        kind: how it is typed; words of WORDS are parted by `|`.
        dimension: of a NUMBER; None for a plain one.
        unit: what a bare number is taken in, shown behind the box.
        whole: a number without decimals.
        choices: words accepted for a CHOICE.
        required: an item cannot be without it.
        evidence: it says how the item is known, not what it is.
        example: what a person may type.
    """

    name: str
    kind: FieldKind
    dimension: Dimension | None = None
    unit: str = ""
    whole: bool = False
    choices: tuple[str, ...] = ()
    required: bool = False
    evidence: bool = False
    example: str = ""


@cache
def form_fields(kind: Kind) -> tuple[FormField, ...]:
    """The fields of an item of `kind` that a person types, in the order of the catalogue."""
    cls = CLASSES[kind]
    hints = {**link_hints(), **typing.get_type_hints(cls)}
    required = {
        f.name
        for f in dataclasses.fields(cls)
        if f.default is dataclasses.MISSING and type(None) not in typing.get_args(hints[f.name])
    }
    found = []
    for name in columns(kind):
        field = None if name in _NOT_TYPED else _field(name, hints[name])
        if field is not None:
            found.append(dataclasses.replace(field, required=name in required, evidence=name in _EVIDENCE))
    return tuple(found)


def form_texts(item: CatalogueItem, kind: Kind) -> dict[str, str]:
    """What the boxes of a form hold for `item`; unknown is an empty box."""
    cells = to_cells(item)
    return {field.name: shown(field, cells.get(field.name, "")) for field in form_fields(kind)}


def shown(field: FormField, cell: str) -> str:
    """A cell of the catalogue with a unit that keeps it exact: `24 GB`, `24564 MiB`, `1008 GB/s`."""
    if not cell or field.kind is not FieldKind.NUMBER or field.dimension in (None, Dimension.COUNT):
        return cell
    assert field.dimension is not None
    value = Decimal(cell)
    unit, factor = field.unit, _UNITS[field.dimension][1]
    if field.dimension is Dimension.MEMORY and value % GIB:
        unit, factor = ("MiB", Decimal(MIB)) if not value % MIB else ("B", Decimal(1))
    return f"{format((value / factor).normalize(), 'f')} {unit}"


def read_field(field: FormField, text: str, style: NumberStyle = NumberStyle.POINT) -> str:
    """What was typed as a cell of the catalogue in base units; empty where it is unknown.

    Raises:
        InputError: no such number, unit or word, a number with two readings, zero for a measure, an empty
            box that must be filled.
    """
    plain = text.strip()
    if not plain:
        if field.required:
            raise InputError("missing", field.name, None, Message(N_("this must be filled in")))
        return ""
    if field.kind is FieldKind.NUMBER:
        return _read_number(field, plain, style)
    if field.kind is FieldKind.CHOICE and plain not in field.choices:
        accepted = Message("{choices}", {"choices": ", ".join(field.choices)})
        raise InputError(
            "unknown_value", field.name, text, Message(N_("this word is not known here")), accepted
        )
    return plain


def read_form(
    kind: Kind, texts: Mapping[str, str], style: NumberStyle = NumberStyle.POINT
) -> tuple[Raw, dict[str, InputError]]:
    """The columns that typed `texts` mean, and by field what cannot be taken; an emptied box becomes None.

    Fields that `texts` does not name are left out.
    """
    raw: Raw = {}
    faults: dict[str, InputError] = {}
    for field in form_fields(kind):
        if field.name not in texts:
            continue
        try:
            cell = read_field(field, texts[field.name], style)
            raw |= to_raw(kind, {field.name: cell}) if cell else emptied(field)
        except InputError as error:
            faults[field.name] = error
    return raw | _followers(kind, raw), faults


def emptied(field: FormField) -> Raw:
    """The columns of a field that is not known any more."""
    if field.kind is FieldKind.PLUGS:
        known: Raw = {"power_connectors_known": 0, "accelerator_connector": []}
        return known if field.name == "power_connectors" else {"adapter_plugs": []}
    if field.kind is FieldKind.SLOTS:
        return {"motherboard_slot": []}
    return {field.name: None if field.kind not in (FieldKind.TEXT, FieldKind.WORDS) else ""}


def _followers(kind: Kind, raw: Raw) -> Raw:
    found: Raw = {}
    if "memory_bytes" in raw and "memory_gb" in columns(kind):
        size = raw["memory_bytes"]
        found["memory_gb"] = size / GIB if isinstance(size, int) else None
    if "link_kind" in raw:
        found["link_known"] = int(raw["link_kind"] is not None)
    if "motherboard_slot" in raw:
        found["positions_known"] = int(bool(raw["motherboard_slot"]))
    return found


def _field(name: str, hint: object) -> FormField | None:
    if name in ("power_connectors", "adapter_connectors"):
        return FormField(name=name, kind=FieldKind.PLUGS, example="1x pcie_16@600 + 2x pcie_8")
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = next(a for a in typing.get_args(hint) if a is not type(None))
    if typing.get_origin(hint) in (tuple, frozenset):
        if typing.get_args(hint)[0] is str:
            return FormField(name=name, kind=FieldKind.WORDS, example="DDR5|DDR4" if "type" in name else "")
        return (
            FormField(name=name, kind=FieldKind.SLOTS, example="1:x16/x16/5/cpu") if name == "slots" else None
        )
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return FormField(name=name, kind=FieldKind.CHOICE, choices=tuple(str(m.value) for m in hint))
    if hint is bool:
        return FormField(name=name, kind=FieldKind.YES_NO, choices=("yes", "no"))
    if hint in (int, float):
        return _number_field(name, whole=hint is int)
    return FormField(name=name, kind=FieldKind.TEXT) if hint is str else None


def _number_field(name: str, *, whole: bool) -> FormField:
    dimension = next((d for suffix, d in _SUFFIXES if name.endswith(suffix)), None)
    if name in _STORAGE:
        dimension = Dimension.STORAGE
    unit = "TOPS" if name.endswith("_ops") else "" if dimension is None else _UNITS[dimension][0]
    examples = {
        Dimension.MEMORY: "24 GB, 24GiB, 24576 MiB", Dimension.STORAGE: "3.84 TB", Dimension.BANDWIDTH: "1.0 TB/s",
        Dimension.POWER: "450 W", Dimension.FLOPS: "165.2 TFLOPS", Dimension.BIT_RATE: "100 Gbit/s",
        Dimension.LENGTH: "304 mm, 12 in",
    }  # fmt: skip
    example = "" if dimension is None else examples.get(dimension, "")
    return FormField(
        name=name, kind=FieldKind.NUMBER, dimension=dimension, unit=unit, whole=whole, example=example
    )


def _read_number(field: FormField, text: str, style: NumberStyle) -> str:
    if field.dimension is not None:
        value = read_quantity(text, field.dimension, field.name, style).value
    else:
        reading = read_number(text)
        alone = reading.alone(style)
        if alone is None:
            reason = (
                N_("this number can be read in two ways") if reading.is_number else N_("this is no number")
            )
            raise InputError(
                "ambiguous" if reading.is_number else "wrong_type", field.name, text, Message(reason)
            )
        value = alone
    if value < 0 or value > LARGEST or (value == 0 and field.dimension not in (None, Dimension.TEMPERATURE)):
        accepted = Message(N_("more than zero; empty where it is not known"))
        raise InputError("out_of_range", field.name, text, Message(N_("no part has this")), accepted)
    if field.whole and value != value.to_integral_value():
        raise InputError("wrong_type", field.name, text, Message(N_("a whole number is wanted")))
    return format(value.normalize(), "f")
