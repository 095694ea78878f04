"""Disks that are full or cannot be written: nothing committed is lost, nothing half is left, the words are true."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.storage import migrate
from gpuconfig.storage.overlay import Overlay
from gpuconfig.storage.overlay_reader import OverlayReader

FULL = """
import resource, signal, sys
from pathlib import Path
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.storage.overlay import Overlay
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, limit = Path(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    overlay = Overlay(path)
    with overlay.step("large") as step:
        for number in range(200):
            step.add(Kind.DRIVE, {"id": f"drive-{number}", "name": "x" * 2000})
except DataError as error:
    print(error.code)
"""


def steps(path: Path) -> list[str]:
    reader = OverlayReader(path)
    try:
        return [step.title for step in reader.steps()]
    finally:
        reader.close()


def small_step(path: Path) -> None:
    overlay = Overlay(path)
    with overlay.step("small") as step:
        step.add(Kind.DRIVE, {"id": "drive", "name": "Drive"})
    overlay.close()


def fill(path: Path, limit: int) -> str:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(limit)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
def test_a_full_disk_keeps_what_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    small_step(path)
    assert fill(path, 100_000) == "unusable"
    assert steps(path) == ["small"]
    small_step(path)
    assert steps(path) == ["small", "small"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
def test_a_file_that_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    assert fill(tmp_path / "own.sqlite", 6000) == "unusable"
    assert list(tmp_path.iterdir()) == []


def test_an_overlay_on_a_read_only_disk_is_read_as_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.sqlite"
    small_step(path)
    connect = sqlite3.connect

    def no_files_beside_it(database: object, **options: object) -> sqlite3.Connection:
        if "immutable" not in str(database):
            raise sqlite3.OperationalError("unable to open database file")
        return connect(database, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", no_files_beside_it)
    assert steps(path) == ["small"]
    with pytest.raises(DataError) as refused:
        Overlay(path)
    assert refused.value.code == "unusable"
    path.with_name("own.sqlite-wal").write_bytes(b"changes that are not in the file")
    assert not migrate.lies_still(path)


def test_what_is_no_database_is_still_called_so(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    path.write_bytes(b"no database at all, whatever its name says" * 100)
    with pytest.raises(DataError) as refused:
        OverlayReader(path)
    assert refused.value.code == "not_a_database"
    assert path.stat().st_size > 4000
