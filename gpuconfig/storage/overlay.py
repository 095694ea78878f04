"""Writing the user's overlay: every call is one step in one transaction, with a name, and can be undone."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.storage import migrate
from gpuconfig.storage.steps import Step, read_steps

Cell = str | int | float | None
"""A value of a column."""

_KEYS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "addition": ("kind", "id"),
        "edit": ("kind", "id", "field"),
        "hidden": ("kind", "id"),
        "offer": ("id",),
        "exchange_rate": ("base", "target", "date"),
        "cloud_offer": (
            "provider", "instance", "accelerator_text", "count", "kind", "kind_text", "region", "date",
        ),
        "tariff": ("id",),
        "measurement": ("task", "id", "quantity"),
        "mapping": ("name",),
    }
)  # fmt: skip
"""Primary keys of the tables that steps change."""

_WAIT_S = 10.0


class Overlay:
    """The user's database, open for writing.

    Args:
        path: the file; made where it does not exist.
        now: the clock, replaceable in tests.

    Raises:
        DataError: the file is of a newer version or no overlay.
    """

    def __init__(self, path: Path, now: Callable[[], datetime.datetime] | None = None) -> None:
        migrate.prepare(path)
        self._path = path
        self._now = now or (lambda: datetime.datetime.now(datetime.UTC))
        self._database = sqlite3.connect(path, isolation_level=None, timeout=_WAIT_S, check_same_thread=False)
        self._database.row_factory = sqlite3.Row
        self._database.execute("PRAGMA foreign_keys = on")

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def step(self, title: str) -> Iterator[StepWriter]:
        """One undoable step: all of it is written when the block ends, nothing when it raises.

        Raises:
            DataError: `unusable`: another program holds the file, or it cannot be written.
        """
        self._begin()
        with migrate.usable(self._path):
            try:
                self._database.execute("DELETE FROM step WHERE undone = 1")
                made_at = self._now().isoformat(timespec="seconds")
                row = self._database.execute(
                    "INSERT INTO step (title, made_at) VALUES (?, ?)", (title, made_at)
                )
                assert row.lastrowid is not None
                yield StepWriter(self._database, row.lastrowid, made_at)
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:  # a full disk has ended it already
                    self._database.execute("ROLLBACK")
                raise

    def history(self) -> list[Step]:
        """Every step, oldest first; those undone are at the end."""
        return read_steps(self._database)

    def undo(self) -> Step | None:
        """Take back the last step that is not undone; None where there is none."""
        return self._walk("SELECT id FROM step WHERE undone = 0 ORDER BY id DESC LIMIT 1", "before", 1)

    def redo(self) -> Step | None:
        """Make the last undone step again; None where there is none."""
        return self._walk("SELECT id FROM step WHERE undone = 1 ORDER BY id LIMIT 1", "after", 0)

    def _begin(self) -> None:
        with migrate.usable(self._path):
            self._database.execute("BEGIN IMMEDIATE")

    def _walk(self, which: str, side: str, undone: int) -> Step | None:
        self._begin()
        try:
            found = self._database.execute(which).fetchone()
            if found is not None:
                order = "DESC" if undone else "ASC"
                changes = self._database.execute(
                    f"SELECT * FROM change WHERE step_id = ? ORDER BY id {order}", (found["id"],)
                ).fetchall()
                for change in changes:
                    _put(self._database, change["target"], change["before"], change["after"], change[side])
                self._database.execute("UPDATE step SET undone = ? WHERE id = ?", (undone, found["id"]))
            with migrate.usable(self._path):
                self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise
        return None if found is None else next(s for s in self.history() if s.id == found["id"])


class StepWriter:
    """Changes of one step; made by `Overlay.step`."""

    def __init__(self, database: sqlite3.Connection, step_id: int, made_at: str) -> None:
        self._database = database
        self._step_id = step_id
        self.made_at = made_at

    def add(self, kind: Kind, data: Mapping[str, object]) -> None:
        """Add or replace an item; `data` has its columns and, under their tables' names, its child rows."""
        text = json.dumps(dict(data), ensure_ascii=False)
        self._write(
            "addition",
            {"kind": kind.value, "id": str(data["id"]), "data": text, "changed_at": self.made_at},
        )

    def edit(self, kind: Kind, item_id: str, field: str, value: object, evidence: Evidence) -> None:
        """Change one column of an item; None makes it unknown."""
        self._write(
            "edit",
            {
                "kind": kind.value,
                "id": item_id,
                "field": field,
                "value": None if value is None else json.dumps(value, ensure_ascii=False),
                "source": evidence.source,
                "date": evidence.date,
                "evidence_kind": evidence.kind.value,
                "note": evidence.note,
                "changed_at": self.made_at,
            },
        )

    def revert(self, kind: Kind, item_id: str, field: str | None = None) -> None:
        """Take back the edits of one field, or of every field, of an item."""
        wanted: dict[str, Cell] = {"kind": kind.value, "id": item_id}
        if field is not None:
            wanted["field"] = field
        self._delete("edit", wanted)

    def remove(self, kind: Kind, item_id: str) -> None:
        """Delete an item the user added."""
        self._delete("addition", {"kind": kind.value, "id": item_id})

    def hide(self, kind: Kind, item_id: str, reason: str = "") -> None:
        """Leave an item out of every list."""
        self._write(
            "hidden",
            {"kind": kind.value, "id": item_id, "reason": reason, "changed_at": self.made_at},
        )

    def unhide(self, kind: Kind, item_id: str) -> None:
        """Show a hidden item again."""
        self._delete("hidden", {"kind": kind.value, "id": item_id})

    def put(self, table: str, rows: Sequence[Mapping[str, Cell]]) -> None:
        """Write rows of `offer`, `exchange_rate`, `cloud_offer`, `tariff`, `measurement` or `mapping`."""
        for row in rows:
            self._write(table, row)

    def delete(self, table: str, key: Mapping[str, Cell]) -> None:
        """Delete the rows of such a table that match `key`."""
        self._delete(table, key)

    def _write(self, table: str, row: Mapping[str, Cell]) -> None:
        key = {name: row[name] for name in _KEYS[table]}
        before = self._find(table, key)
        _insert(self._database, table, row)
        after = self._find(table, key)
        self._record(table, before[0] if before else None, after[0])

    def _delete(self, table: str, key: Mapping[str, Cell]) -> None:
        for row in self._find(table, key):
            _remove(self._database, table, row)
            self._record(table, row, None)

    def _find(self, table: str, key: Mapping[str, Cell]) -> list[dict[str, Cell]]:
        where = " AND ".join(f'"{name}" = ?' for name in key)
        rows = self._database.execute(f"SELECT * FROM {table} WHERE {where}", tuple(key.values()))
        return [dict(row) for row in rows]

    def _record(
        self, table: str, before: Mapping[str, Cell] | None, after: Mapping[str, Cell] | None
    ) -> None:
        self._database.execute(
            "INSERT INTO change (step_id, target, before, after) VALUES (?, ?, ?, ?)",
            (self._step_id, table, _text(before), _text(after)),
        )


def _text(row: Mapping[str, Cell] | None) -> str | None:
    return None if row is None else json.dumps(dict(row), ensure_ascii=False)


def _put(
    database: sqlite3.Connection, table: str, before: str | None, after: str | None, wanted: str | None
) -> None:
    present = after if wanted == before else before
    if present is not None:
        _remove(database, table, json.loads(present))
    if wanted is not None:
        _insert(database, table, json.loads(wanted))


def _insert(database: sqlite3.Connection, table: str, row: Mapping[str, Cell]) -> None:
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" for _ in row)
    database.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def _remove(database: sqlite3.Connection, table: str, row: Mapping[str, Cell]) -> None:
    key = {name: row[name] for name in _KEYS[table]}
    where = " AND ".join(f'"{name}" = ?' for name in key)
    database.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))
