"""Reading a JSON object into a frozen dataclass: each field declares its range once; every error names it."""

from __future__ import annotations

import dataclasses
import difflib
import math
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

T = TypeVar("T")

NOT_AN_OBJECT = Message(N_("an object with named fields is needed"))
LARGEST = 10**15
"""Upper end for a number whose field names none."""
LARGEST_IN_DIGITS = 10**9
LONGEST_NAME = 80
"""Characters of an unknown field's name that an error repeats."""


def whole(default: int | None, low: int = 1, high: int = LARGEST) -> Any:
    """A field of whole numbers from `low` to `high`; default None is "left open"."""
    return dataclasses.field(default=default, metadata={"low": low, "high": high, "whole": True})


def real(default: float | None, low: float = 0.0, high: float = float(LARGEST)) -> Any:
    """A field of finite numbers from `low` to `high`."""
    return dataclasses.field(default=default, metadata={"low": low, "high": high})


def derived(default: object) -> Any:
    """A field that no request may name: another field decides it, and the caller sets it afterwards."""
    return dataclasses.field(default=default, metadata={"derived": True})


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    name: str
    read: Callable[[str, object], object]
    required: bool


def read_object(kind: type[T], data: object, path: str, ignore: frozenset[str] = frozenset()) -> T:
    """An instance of the dataclass `kind` from the JSON object `data`.

    Args:
        path: dotted path of the object, put before field names in errors.
        ignore: names accepted and left to the caller.

    Raises:
        InputError: unknown field, wrong type, value out of range; nothing is guessed.
    """
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", path, data, NOT_AN_OBJECT)
    table = _table(typing.cast(Any, kind))
    prefix = f"{path}." if path else ""
    only_known((key for key in data if key not in ignore), table, path)
    values = {}
    for name, item in table.items():
        if name in data and data[name] is not None:
            values[name] = item.read(prefix + name, data[name])
        elif item.required:
            raise InputError("missing", prefix + name, None, Message(N_("this field is required")))
    return kind(**values)


def only_known(names: Iterable[object], known: Collection[str], path: str = "") -> None:
    """Refuse the first of `names`, the fields of the object at `path`, that nobody reads.

    Raises:
        InputError: names the field as it can be shown, and the nearest known names.
    """
    for name in names:
        if name not in known:
            written = str(name)[:LONGEST_NAME]
            near = difflib.get_close_matches(written, list(known), n=3) or sorted(known)
            accepted = Message(N_("one of {names}"), {"names": ", ".join(near)})
            shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in written) or '""'
            field = f"{path}.{shown}" if path else shown
            raise InputError("unknown_field", field, None, Message(N_("unknown field")), accepted)


def read_number(path: str, value: object, low: float, high: float, integer: bool = False) -> float:
    """A finite number within `low` and `high`; text, booleans, NaN and infinities are refused."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refused("wrong_type", path, value, N_("a number is needed"), low, high)
    if isinstance(value, float) and not math.isfinite(value):
        raise _refused("out_of_range", path, value, N_("a finite number is needed"), low, high)
    if integer and value != int(value):
        raise _refused("wrong_type", path, value, N_("a whole number is needed"), low, high)
    if not low <= value <= high:
        raise _refused("out_of_range", path, value, N_("outside the accepted range"), low, high)
    return int(value) if integer else float(value)


def _refused(code: str, path: str, value: object, reason: str, low: float, high: float) -> InputError:
    accepted = Message(N_("a number from {low} to {high}"), {"low": _plain(low), "high": _plain(high)})
    return InputError(code, path, value, Message(reason), accepted)


def read_choice(path: str, value: object, kind: type[StrEnum]) -> StrEnum:
    """A member of an enumeration by its value, case-insensitively."""
    try:
        return kind(str(value).lower())
    except ValueError:
        names = ", ".join(m.value for m in kind)
        accepted = Message(N_("one of {names}"), {"names": names})
        raise InputError("unknown_value", path, value, Message(N_("not a known value")), accepted) from None


def _plain(number: float) -> int | str:
    """An end of a range: whole numbers grouped as the language does, up to where digits are no longer counted."""
    if abs(number) > LARGEST_IN_DIGITS:
        return f"{number:.0e}"
    return int(number) if number == int(number) else f"{number:g}"


@cache
def _table(kind: type[Any]) -> dict[str, _Field]:
    hints = typing.get_type_hints(kind)
    fields = [f for f in dataclasses.fields(kind) if not f.metadata.get("derived")]
    return {
        f.name: _Field(
            f.name,
            _reader(hints[f.name], f.metadata),
            f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING,
        )
        for f in fields
    }


def _reader(hint: Any, meta: Mapping[str, Any]) -> Callable[[str, object], object]:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(a for a in typing.get_args(hint) if a is not type(None))
    if typing.get_origin(hint) is tuple:
        one = _reader(typing.get_args(hint)[0], meta)
        return lambda path, value: _read_list(path, value, one)
    if hint is bool:
        return _read_bool
    if hint in (int, float):
        low, high = meta.get("low", 0), meta.get("high", LARGEST)
        integer = hint is int
        return lambda path, value: read_number(path, value, low, high, integer)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda path, value: read_choice(path, value, hint)
    if dataclasses.is_dataclass(hint):
        return lambda path, value: read_object(hint, value, path)  # type: ignore[arg-type]
    return _read_text


def _read_list(path: str, value: object, one: Callable[[str, object], object]) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise InputError("wrong_type", path, value, Message(N_("a list is needed")))
    if len(value) > 10_000:
        raise InputError("out_of_range", path, len(value), Message(N_("the list is too long")))
    return tuple(one(f"{path}[{i}]", v) for i, v in enumerate(value))


def _read_bool(path: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError("wrong_type", path, value, Message(N_("true or false is needed")))
    return value


def _read_text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError("wrong_type", path, value, Message(N_("text is needed")))
    if len(value) > 5000:
        raise InputError("out_of_range", path, value[:40], Message(N_("the text is too long")))
    return value
