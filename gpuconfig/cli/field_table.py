"""The table of a request's fields, their accepted values and defaults: read from the dataclasses that read them."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

OPEN = "open"
REQUIRED = "required"
INTRODUCTION = """
fields of a request, what they accept and their defaults ("open": taken from the card, the framework and the
other fields, or searched; each that matters stands in the answer's "assumptions"):
"""
WIDTH = 44


@dataclasses.dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of a request: its path, the values it takes, and what stands for it where it is not given."""

    path: str
    accepted: str
    default: str


def request_fields() -> Iterator[str]:
    """One line for each field of an estimate request."""
    yield from INTRODUCTION.splitlines()
    for name, rows in sections().items():
        if name != "recommend":
            yield from (_line(row) for row in rows)


def sections() -> dict[str, tuple[FieldRow, ...]]:
    """Every field of `estimate` and, last, those that `recommend` has beside model and workload."""
    from gpuconfig.engine.selection.request import RECOMMEND_PARTS
    from gpuconfig.engine.workloads.hardware import Hardware, Parallelism
    from gpuconfig.engine.workloads.serving import DiffusionWorkload, ServingWorkload, VisionWorkload
    from gpuconfig.engine.workloads.training import TrainingWorkload

    model = FieldRow("model", 'a preset, or {"config"|"file"|"parameters_b"|"architecture": ...}', REQUIRED)
    found: dict[str, tuple[FieldRow, ...]] = {"model": (model,)}
    for name, kind, fields in (
        ("training", "training", TrainingWorkload),
        ("serving", "serving", ServingWorkload),
        ("generation", "image|video", DiffusionWorkload),
        ("vision", "vision_training|vision_inference", VisionWorkload),
    ):
        own = _rows(fields, "workload.", {"method": "full"})
        found[name] = (FieldRow("workload.kind", kind, REQUIRED), *own)
    split = FieldRow("parallelism", "an object; left out, the best valid strategy is searched", OPEN)
    found["hardware"] = tuple(_rows(Hardware, "hardware.", {}))
    found["parallelism"] = (split, *_rows(Parallelism, "parallelism.", {}))
    found["recommend"] = tuple(
        row for prefix, kind, known in RECOMMEND_PARTS for row in _rows(kind, prefix, known)
    )
    return found


def _rows(kind: type[Any], prefix: str, known: Mapping[str, str]) -> Iterator[FieldRow]:
    hints = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        if field.metadata.get("derived"):
            continue
        hint = _inner(hints[field.name])
        if dataclasses.is_dataclass(hint):
            yield from _rows(typing.cast("type[Any]", hint), f"{prefix}{field.name}.", {})
            continue
        default = known.get(field.name) or _default(field)
        yield FieldRow(prefix + field.name, _accepted(hint, field.metadata), default)


def _inner(hint: Any) -> Any:
    if isinstance(hint, types.UnionType):
        return next(a for a in typing.get_args(hint) if a is not types.NoneType)
    return hint


def _accepted(hint: Any, meta: Mapping[str, Any]) -> str:
    if typing.get_origin(hint) is tuple:
        return "a list of " + ("numbers" if typing.get_args(hint)[0] is int else "words")
    if hint is bool:
        return "true|false"
    if hint in (int, float):
        return f"{meta.get('low', 0):g} to {meta.get('high', 1e15):g}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "|".join(member.value for member in hint)
    return "text"


def _default(field: dataclasses.Field[Any]) -> str:
    value = field.default
    if value is dataclasses.MISSING:
        return REQUIRED if field.default_factory is dataclasses.MISSING else OPEN
    if value is None or value == "" or value == ():
        return OPEN
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _line(row: FieldRow) -> str:
    return f"  {row.path:{WIDTH}} {row.default:12} {row.accepted}"
