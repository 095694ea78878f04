"""Build the bundled catalogue from its seed: `python -m gpuconfig.storage.build OUTPUT.sqlite`.

The result depends on the seed and the migrations alone: the same files give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gpuconfig import paths
from gpuconfig.engine.catalogue.connector_text import parse_connectors
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.storage.seed import SeedRow, Value, base_units, read_seed, target
from gpuconfig.storage.tables import ITEM_COLUMNS

if TYPE_CHECKING:
    import sqlite_utils

GIB = 2**30

ITEM_FILES: tuple[tuple[str, Kind], ...] = tuple((f"{kind}.csv", kind) for kind in CLASSES)
"""Seed files of items, in the order of their tables."""

CHILD_FILES = (
    ("accelerator_source.csv", "accelerator_source"),
    ("motherboard_slot.csv", "motherboard_slot"),
    ("architecture.csv", "architecture"),
    ("diffusion.csv", "diffusion"),
    ("diffusion_component.csv", "diffusion_component"),
    ("vision.csv", "vision"),
    ("vision_tower.csv", "vision_tower"),
)
"""Seed files of the parts of items."""

RECORD_FILES = (
    ("exchange_rate.csv", "exchange_rate"),
    ("tariff.csv", "tariff"),
    ("tariff_period.csv", "tariff_period"),
    ("tariff_tier.csv", "tariff_tier"),
    ("cloud_offer.csv", "cloud_offer"),
    ("quant_format.csv", "quant_format"),
)
"""Seed files that stand beside the items."""

MEASUREMENT_COLUMNS = frozenset(
    {"id", "quantity", "value", "unit", "request", "source", "date", "kind", "licence", "note"}
)

_EVIDENCE_KINDS = frozenset({"measured", "vendor", "secondary", "calculated", "assumed"})


def main(arguments: list[str] | None = None) -> int:
    """Build the file named on the command line; the return value is the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 1:
        sys.stderr.write("usage: python -m gpuconfig.storage.build OUTPUT.sqlite\n")
        return 2
    try:
        build(Path(given[0]))
    except DataError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    return 0


def build(output: Path, sources: Path | None = None) -> None:
    """Write the catalogue to `output`, replacing it only when the new one is complete.

    Args:
        output: the SQLite file.
        sources: a folder with `seed/` and `migrations/`; the project's own by default.

    Raises:
        DataError: a seed row that a table or a rule refuses; names file, line and column.
    """
    import sqlite_utils  # heavy, and not wanted where the catalogue is only read

    folder = paths.database_sources() if sources is None else sources
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent) as work:
        path = Path(work) / "catalogue.sqlite"
        database = sqlite_utils.Database(path)
        database.execute("PRAGMA journal_mode = delete")
        for migration in sorted((folder / "migrations" / "catalogue").glob("*.sql")):
            database.conn.executescript(migration.read_text(encoding="utf-8"))
        database.execute("PRAGMA foreign_keys = on")
        loader = _Loader(database, folder / "seed")
        with database.atomic():
            loader.load()
        database.execute("VACUUM")
        database.close()
        path.replace(output)


class _Loader:
    """Fills the tables of one database from one seed folder."""

    def __init__(self, database: sqlite_utils.Database, seed: Path) -> None:
        self._database = database
        self._seed = seed
        self._columns: dict[str, Mapping[str, str]] = {}

    def load(self) -> None:
        for file, kind in ITEM_FILES:
            for position, row in enumerate(self._rows(file)):
                self._item(kind, row, position)
        for file, table in CHILD_FILES + RECORD_FILES:
            for position, row in enumerate(self._rows(file)):
                self._insert(table, row, base_units(row, self._known(table, row)), position)
        for row_number, row in enumerate(self._files("offers")):
            self._insert("offer", row, base_units(row, self._known("offer", row)), row_number)
        self._coefficients()
        self._measurements()
        self._versions()

    def _rows(self, file: str) -> Iterable[SeedRow]:
        path = self._seed / file
        return read_seed(path) if path.exists() else ()

    def _files(self, folder: str) -> Iterable[SeedRow]:
        for path in sorted((self._seed / folder).glob("*.csv")):
            yield from read_seed(path)

    def _item(self, kind: Kind, row: SeedRow, position: int) -> None:
        item = self._table("item")
        own = self._table(kind)
        extra = {"power_connectors", "adapter_connectors"} if kind is Kind.ACCELERATOR else set()
        for name, cell in row.cells.items():
            known = name in ITEM_COLUMNS or name in extra or target(name, own)[0] is not None
            if cell and not known:
                raise row.error(name, "the table has no such column")
        common = base_units(row, {name: item[name] for name in ITEM_COLUMNS})
        self._insert("item", row, {"kind": kind.value, **common}, position)
        values = base_units(row, {n: t for n, t in own.items() if n == "id" or n not in ITEM_COLUMNS})
        if kind is Kind.ACCELERATOR:
            if "memory_gb" in values:
                values["memory_bytes"] = round(float(values["memory_gb"]) * GIB)
            values["power_connectors_known"] = int(bool(row.cells["power_connectors"]))
        self._insert(kind, row, values)
        if kind is Kind.ACCELERATOR:
            self._connectors(row)

    def _connectors(self, row: SeedRow) -> None:
        for column, adapter in (("power_connectors", 0), ("adapter_connectors", 1)):
            try:
                plugs = parse_connectors(row.cells[column]) if row.cells[column] else ()
            except ValueError as error:
                raise row.error(column, str(error)) from None
            for plug in plugs:
                values: dict[str, Value] = {
                    "accelerator_id": row.cells["id"],
                    "adapter": adapter,
                    "kind": plug.kind.value,
                    "count": plug.count,
                }
                if plug.max_w is not None:
                    values["max_w"] = plug.max_w
                self._insert("accelerator_connector", row, values)

    def _coefficients(self) -> None:
        for path in sorted((self._seed / "coefficients").glob("*.csv")):
            for position, row in enumerate(read_seed(path)):
                values = base_units(row, {**self._table("coefficient"), "kind": "TEXT"})
                values["evidence_kind"] = self._evidence_kind(row, values)
                values.setdefault("unit", "1")
                values.setdefault("source", "")
                self._insert("coefficient", row, {"group": path.stem, **values}, position)

    def _measurements(self) -> None:
        for path in sorted((self._seed / "measurements").glob("*.csv")):
            for position, row in enumerate(read_seed(path)):
                own = {n: c for n, c in row.cells.items() if n not in MEASUREMENT_COLUMNS and c}
                wanted = {n: row.cells[n] for n in MEASUREMENT_COLUMNS if n in row.cells}
                columns = {**self._table("measurement"), "kind": "TEXT"}
                values = base_units(SeedRow(row.path, row.line, wanted), columns)
                values["evidence_kind"] = self._evidence_kind(row, values)
                values["fields"] = json.dumps(own, ensure_ascii=False, sort_keys=True)
                self._insert("measurement", row, {"task": path.stem, **values}, position)

    @staticmethod
    def _evidence_kind(row: SeedRow, values: dict[str, Value]) -> str:
        kind = str(values.pop("kind", "assumed"))
        if kind not in _EVIDENCE_KINDS:
            raise row.error("kind", f"{kind!r} is none of {', '.join(sorted(_EVIDENCE_KINDS))}")
        return kind

    def _versions(self) -> None:
        hashes: dict[str, hashlib._Hash] = defaultdict(hashlib.sha256)
        for path in sorted(self._seed.rglob("*.csv")):
            group = "coefficients" if path.parent.name == "coefficients" else "catalogue"
            hashes[group].update(path.relative_to(self._seed).as_posix().encode())
            hashes[group].update(path.read_bytes())
        dates = self._database.execute("SELECT max(date) FROM offer").fetchone()
        rows = [{"name": name, "value": digest.hexdigest()[:12]} for name, digest in sorted(hashes.items())]
        rows.append({"name": "date", "value": dates[0] or ""})
        self._database.table("version").insert_all(rows)

    def _insert(
        self, table: str, row: SeedRow, values: Mapping[str, Value], position: int | None = None
    ) -> None:
        record = dict(values)
        if position is not None and "position" in self._table(table):
            record.setdefault("position", position)
        names = ", ".join(f'"{name}"' for name in record)
        marks = ", ".join("?" for _ in record)
        try:
            self._database.conn.execute(
                f'INSERT INTO "{table}" ({names}) VALUES ({marks})', list(record.values())
            )
        except sqlite3.IntegrityError as error:
            raise row.error(table, str(error)) from None

    def _known(self, table: str, row: SeedRow) -> Mapping[str, str]:
        columns = self._table(table)
        for name, cell in row.cells.items():
            if cell and target(name, columns)[0] is None:
                raise row.error(name, f"the table {table} has no such column")
        return columns

    def _table(self, table: str) -> Mapping[str, str]:
        if table not in self._columns:
            rows = self._database.execute(f'PRAGMA table_info("{table}")').fetchall()
            if not rows:
                values = {"table": table}
                raise DataError("bad_seed", Message(N_("the migrations make no table {table}"), values))
            self._columns[table] = {name: sql_type for _, name, sql_type, *_ in rows}
        return self._columns[table]


if __name__ == "__main__":
    sys.exit(main())
