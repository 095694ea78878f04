"""Bringing an overlay database to the schema of this version: numbered, transactional, after a backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from gpuconfig import paths
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal

NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR")
"""Errors of a disk; a file that another program holds is none."""


def migrations(sources: Path | None = None) -> list[Path]:
    """The overlay's migrations in order; the schema number is how many there are."""
    folder = (paths.database_sources() if sources is None else sources) / "migrations" / "overlay"
    return sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))


def prepare(path: Path) -> None:
    """Make or bring the overlay at `path` to this version's schema.

    An older file is copied to `<name>.schema-<number>.bak` first; a failed migration leaves it as it was.

    Raises:
        DataError: `newer_version` for a file of a newer program, which stays untouched; `not_a_database`;
            `unusable`.
    """
    steps = migrations()
    known = path.exists()
    with usable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _bring(path, steps)
        except sqlite3.OperationalError as error:
            if not known and error.sqlite_errorname.startswith(NO_ROOM):
                _remove(path)
            raise


def lies_still(path: Path) -> bool:
    """True for an overlay of this version that nobody can write, as on a read-only disk: it reads as it lies there.

    A file with changes that are not in it yet is none: they stand beside it, and only a writer brings them in.
    """
    waiting = path.with_name(path.name + "-wal")
    try:
        if not path.is_file() or (waiting.exists() and waiting.stat().st_size):
            return False
        with closing(sqlite3.connect(address(path, still=True), uri=True)) as database:
            return _schema_number(database, path) == len(migrations())
    except (OSError, sqlite3.Error, DataError):
        return False


def address(path: Path, still: bool) -> str:
    """Where SQLite opens `path` to read; `still` looks for no other program's changes and makes no file beside it."""
    return path.absolute().as_uri() + ("?mode=ro&immutable=1" if still else "?mode=ro")


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Tell a file that is locked, read-only, damaged or a folder from a fault of ours.

    Raises:
        DataError: `unusable`.
    """
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise
    except (OSError, sqlite3.DatabaseError) as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unusable", Message(N_("{file} cannot be used: {reason}"), values)) from None


def _bring(path: Path, steps: list[Path]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        number = _schema_number(database, path)
        if number == len(steps):
            return
        if number > len(steps):
            text = N_("{file} was written by a newer gpuconfig; this one leaves it untouched")
            raise DataError("newer_version", Message(text, {"file": str(path)}))
        if number:
            backup(database, path.with_suffix(f".schema-{number}.bak"))
        database.execute("PRAGMA journal_mode = wal")
        for index, step in enumerate(steps[number:], start=number + 1):
            script = step.read_text(encoding="utf-8")
            try:
                database.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {index};\nCOMMIT;")
            except sqlite3.Error:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise


def _remove(path: Path) -> None:
    """A file that could not be made whole leaves nothing behind."""
    for ending in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def backup(database: sqlite3.Connection, target: Path) -> None:
    """A consistent copy of an open database."""
    with closing(sqlite3.connect(target)) as copy:
        database.backup(copy)


def _schema_number(database: sqlite3.Connection, path: Path) -> int:
    try:
        (number,) = database.execute("PRAGMA user_version").fetchone()
        if not number and database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise sqlite3.DatabaseError("file is not a database")
    except sqlite3.OperationalError:
        raise  # the disk or its rights, not what the file is
    except sqlite3.DatabaseError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError(
            "not_a_database", Message(N_("{file} is no gpuconfig database: {reason}"), values)
        ) from None
    return int(number)
