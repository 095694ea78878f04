"""Read access to the user's overlay database, on the start-up path: the standard library alone."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

from gpuconfig.engine.catalogue.rows import Row
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.storage import migrate
from gpuconfig.storage.steps import Step, read_steps

_HASHED = ("addition", "edit", "hidden", "offer", "exchange_rate", "cloud_offer", "measurement", "tariff")


class OverlayReader:
    """What the user added, changed and hid.

    Raises:
        DataError: the file is of a newer version or no overlay.
    """

    def __init__(self, path: Path) -> None:
        still = False
        try:
            migrate.prepare(path)
        except DataError:
            still = migrate.lies_still(path)
            if not still:
                raise
        self._path = path
        self._database = sqlite3.connect(migrate.address(path, still), uri=True, check_same_thread=False)
        self._database.row_factory = sqlite3.Row
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def fingerprint(self) -> str:
        """Changes with the content; empty where the user changed nothing."""
        digest, any_row = hashlib.sha256(), False
        for table in _HASHED:
            for row in self._rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3"):
                any_row = True
                digest.update(json.dumps(list(row.values()), ensure_ascii=False).encode())
        return digest.hexdigest()[:8] if any_row else ""

    def additions(self, kind: Kind) -> list[Row]:
        """Items the user added, as raw rows."""
        rows = self._rows("SELECT data FROM addition WHERE kind = ? ORDER BY id", (kind.value,))
        return [json.loads(str(row["data"])) for row in rows]

    def steps(self) -> list[Step]:
        """The history, oldest first."""
        with self._lock:
            return read_steps(self._database)

    def hidden_rows(self) -> list[Row]:
        """Kind, id, reason and time of every hidden item."""
        return self._rows("SELECT * FROM hidden ORDER BY kind, id")

    def mapping(self, name: str) -> str | None:
        """JSON of how a sheet's columns were read the last time, None for a sheet not seen yet."""
        rows = self._rows("SELECT data FROM mapping WHERE name = ?", (name,))
        return str(rows[0]["data"]) if rows else None

    def addition(self, kind: Kind, item_id: str) -> Row | None:
        """One item the user added."""
        rows = self._rows("SELECT data FROM addition WHERE kind = ? AND id = ?", (kind.value, item_id))
        return json.loads(str(rows[0]["data"])) if rows else None

    def edits_of(self, kind: Kind, item_id: str) -> list[Row]:
        """Changed fields of one item."""
        return self._rows(
            "SELECT * FROM edit WHERE kind = ? AND id = ? ORDER BY field", (kind.value, item_id)
        )

    def edits(self, kind: Kind) -> list[Row]:
        """Changed fields with their evidence; `value` is JSON."""
        return self._rows("SELECT * FROM edit WHERE kind = ? ORDER BY id, field", (kind.value,))

    def hidden(self, kind: Kind) -> frozenset[str]:
        """Ids the user hid."""
        return frozenset(
            str(row["id"]) for row in self._rows("SELECT id FROM hidden WHERE kind = ?", (kind.value,))
        )

    def offers(self) -> list[Row]:
        """Offers the user typed in or imported."""
        return self._rows("SELECT * FROM offer ORDER BY date DESC, id")

    def cloud_offers(self) -> list[Row]:
        """Rental prices the user imported."""
        return self._rows("SELECT * FROM cloud_offer ORDER BY date DESC, provider, instance")

    def exchange_rates(self, base: Currency, target: Currency) -> list[Row]:
        """Rates between the two, in either direction, newest first."""
        text = "SELECT * FROM exchange_rate WHERE base IN (?, ?) AND target IN (?, ?) ORDER BY date DESC"
        return self._rows(text, (base.value, target.value, base.value, target.value))

    def tariffs(self) -> list[Row]:
        """Electricity as the user's bills say; `periods` is read from its JSON."""
        rows = self._rows("SELECT * FROM tariff ORDER BY id")
        return [{**row, "periods": json.loads(str(row["periods"]))} for row in rows]

    def measurements(self) -> list[Row]:
        """The user's own measurements."""
        return self._rows("SELECT * FROM measurement ORDER BY task, id")

    def _rows(self, text: str, values: Sequence[str] = ()) -> list[Row]:
        with self._lock, migrate.usable(self._path):
            return [dict(row) for row in self._database.execute(text, values)]
