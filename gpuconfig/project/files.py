"""The project's file: one JSON document with a schema number, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.project.document import SCHEMA, Project, Variant

SUFFIX = ".gpuconfig"
LARGEST_FILE = 64 * 2**20
"""Bytes; a larger file is not one of ours."""

_TEXTS = frozenset({"title", "chosen", "notes"})
_LISTS = frozenset({"compared"})
_VARIANT_TEXTS = ("name", "option", "note")
_VARIANT_MAPS = ("exchanges", "what_if")
_TEXT_MAPS = frozenset({"overrides", "exchanges", "what_if", "organisation", "seller", "paper", "versions"})


def dumps(project: Project) -> str:
    """The file's text."""
    body = {**asdict(project), "compared": list(project.compared)}
    return json.dumps({"schema": SCHEMA, **body}, ensure_ascii=False, indent=1) + "\n"


def loads(text: str, name: str) -> Project:
    """The project of a file's text.

    Args:
        text: what the file holds.
        name: the file's name, for messages.

    Raises:
        DataError: not a project, damaged, or written by a newer version; names the file and the place.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        text = N_("{file}, line {line}: not a readable project file")
        raise DataError("damaged", Message(text, {"file": name, "line": error.lineno})) from None
    except RecursionError:
        raise _not_a_project(name) from None
    if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
        raise _not_a_project(name)
    if data["schema"] > SCHEMA:
        raise DataError(
            "newer_schema",
            Message(
                N_(
                    "{file} was written by a newer version of gpuconfig (schema {found}; this one reads up "
                    "to {known}). The file was left untouched."
                ),
                {"file": name, "found": data["schema"], "known": SCHEMA},
            ),
        )
    names = [field.name for field in fields(Project)]
    return Project(**{field: _value(field, data.get(field), name) for field in names})


def read_project(path: Path) -> Project:
    """Read a project file.

    Raises:
        DataError: the file cannot be read, or `loads` refuses it.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise _not_a_project(path.name)
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise _not_a_project(path.name) from None
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unreadable", Message(N_("{file} cannot be read: {reason}"), values)) from None
    return loads(text, path.name)


def write_project(project: Project, path: Path) -> None:
    """Write a project file: temporary file, fsync, atomic replace. The old file stays whole until the end.

    Raises:
        DataError: the file cannot be written.
    """
    try:
        write_atomically(path, dumps(project).encode())
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unwritable", Message(N_("{file} cannot be written: {reason}"), values)) from None


def write_atomically(path: Path, content: bytes) -> None:
    """Replace `path` by `content`, or leave it as it was; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _value(field: str, value: Any, name: str) -> Any:
    if field in _TEXTS:
        return value if isinstance(value, str) else _default(value, "", field, name)
    if field in _LISTS:
        ok = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return tuple(value) if ok else _default(value, (), field, name)
    if not isinstance(value, dict):
        return _default(value, {}, field, name)
    if field in _TEXT_MAPS and not _are_texts(value.values()):
        return _default(value, {}, field, name)
    if field == "variants":
        return {key: _variant(item, name) for key, item in value.items()}
    return value


def _variant(data: object, name: str) -> Variant:
    if not isinstance(data, dict):
        raise _damaged("variants", name)
    texts = {key: data.get(key, "") for key in _VARIANT_TEXTS}
    maps = {key: data.get(key, {}) for key in _VARIANT_MAPS}
    whole = all(isinstance(item, dict) and _are_texts(item.values()) for item in maps.values())
    if not (whole and _are_texts(texts.values())):
        raise _damaged("variants", name)
    return Variant(**texts, **maps)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(item, str) for item in values)


def _default(value: Any, default: Any, field: str, name: str) -> Any:
    if value is None:
        return default
    raise _damaged(field, name)


def _damaged(field: str, name: str) -> DataError:
    text = N_("{file}: the field {field} is damaged")
    return DataError("damaged", Message(text, {"file": name, "field": field}))


def _not_a_project(name: str) -> DataError:
    return DataError("not_a_project", Message(N_("{file}: not a gpuconfig project"), {"file": name}))
