"""The table of a request's fields, their accepted values and defaults: read from the dataclasses that read them."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

OPEN = "open"
INTRODUCTION = """
fields of a request, what they accept and their defaults ("open": taken from the card, the framework and the
other fields, or searched; each that matters stands in the answer's "assumptions"):
"""
WIDTH = 44


def request_fields() -> Iterator[str]:
    """One line for each field of an estimate request."""
    from gpuconfig.engine.workloads.hardware import Hardware, Parallelism
    from gpuconfig.engine.workloads.serving import DiffusionWorkload, ServingWorkload, VisionWorkload
    from gpuconfig.engine.workloads.training import TrainingWorkload

    yield from INTRODUCTION.splitlines()
    yield _line("model", 'a preset, or {"config"|"file"|"parameters_b"|"architecture": ...}', "required")
    for kind, fields in (
        ("training", TrainingWorkload),
        ("serving", ServingWorkload),
        ("image|video", DiffusionWorkload),
        ("vision_training|vision_inference", VisionWorkload),
    ):
        yield _line("workload.kind", kind, "required")
        yield from _lines(fields, "workload.", {"method": "full"})
    yield from _lines(Hardware, "hardware.", {})
    yield _line("parallelism", "an object; left out, the best valid strategy is searched", OPEN)
    yield from _lines(Parallelism, "parallelism.", {})


def _lines(kind: type[Any], prefix: str, known: Mapping[str, str]) -> Iterator[str]:
    hints = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        if field.metadata.get("derived"):
            continue
        hint = _inner(hints[field.name])
        if dataclasses.is_dataclass(hint):
            yield from _lines(typing.cast("type[Any]", hint), f"{prefix}{field.name}.", {})
            continue
        default = known.get(field.name) or _default(field)
        yield _line(prefix + field.name, _accepted(hint, field.metadata), default)


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
        return "required"
    if value is None:
        return OPEN
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _line(name: str, accepted: str, default: str) -> str:
    return f"  {name:{WIDTH}} {default:12} {accepted}"
