"""The records of a BuildCores folder or archive, one by one, in a repeatable order."""

from __future__ import annotations

import json
import lzma
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message

FOLDER = "open-db"
MAX_RECORD_BYTES = 2**20
MAX_RECORDS = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON record: the folder it lies in (its kind), its id and its content."""

    kind: str
    id: str
    data: Mapping[str, Any]


def count_records(path: Path) -> int:
    """How many records there are, for progress; 0 where an archive does not tell before it is read."""
    return sum(1 for _ in path.rglob(f"{FOLDER}/*/*.json")) if path.is_dir() else 0


def read_records(path: Path) -> Iterator[Record]:
    """Every record below `path`.

    Args:
        path: a folder that holds `open-db/`, or a tar archive of one.

    Raises:
        DataError: no such folder, a damaged archive, or more than the limits.
    """
    if path.is_dir():
        yield from _from_folder(path)
        return
    try:
        with tarfile.open(path) as archive:
            yield from _from_archive(archive)
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        values = {"file": path.name, "reason": str(error)}
        raise DataError(
            "bad_archive", Message(N_("{file} is no readable archive: {reason}"), values)
        ) from None


def _from_folder(path: Path) -> Iterator[Record]:
    root = path if path.name == FOLDER else path / FOLDER
    if not root.is_dir():
        text = N_("{folder} holds no BuildCores database (a folder {name} is expected)")
        raise DataError("no_records", Message(text, {"folder": str(path), "name": FOLDER}))
    for file in sorted(root.glob("*/*.json")):
        if file.stat().st_size <= MAX_RECORD_BYTES:
            yield from _record(file.parent.name, file.stem, file.read_bytes())


def _from_archive(archive: tarfile.TarFile) -> Iterator[Record]:
    for number, member in enumerate(archive):
        if number > MAX_RECORDS:
            raise DataError("too_large", Message(N_("more than {count} records"), {"count": MAX_RECORDS}))
        parts = PurePosixPath(member.name).parts
        if not member.isfile() or member.size > MAX_RECORD_BYTES or len(parts) < 3 or parts[-3] != FOLDER:
            continue
        file = archive.extractfile(member)
        if file is not None and parts[-1].endswith(".json"):
            yield from _record(parts[-2], parts[-1].removesuffix(".json"), file.read())


def _record(kind: str, name: str, content: bytes) -> Iterator[Record]:
    try:
        data = json.loads(content)
    except ValueError:
        return
    if isinstance(data, dict) and isinstance(data.get("metadata"), dict):
        yield Record(kind, name, data)
