"""The catalogue over SQLite: the bundle read-only and immutable, with the user's overlay laid over it."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, cast

from gpuconfig import paths
from gpuconfig.engine.catalogue.card_names import CardSpellings
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.lookup import NameIndex
from gpuconfig.engine.catalogue.market import CloudOffer, Offer, Tariff, TariffPeriod, TariffTier
from gpuconfig.engine.catalogue.record import Coefficient, Measurement, QuantFormat
from gpuconfig.engine.catalogue.repository import Catalogue, CatalogueVersion
from gpuconfig.engine.catalogue.rows import Row, decode, decode_evidence, decode_item
from gpuconfig.engine.catalogue.search import SearchIndex
from gpuconfig.engine.catalogue.titles import PART_KINDS
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin, PriceKind
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, ExchangeRate
from gpuconfig.storage import migrate
from gpuconfig.storage.merge import merge_items, merged_row
from gpuconfig.storage.overlay_reader import OverlayReader
from gpuconfig.storage.tables import ITEM_COLUMNS

T = TypeVar("T")

_CHILDREN: MappingProxyType[Kind, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Kind.ACCELERATOR: (
            ("accelerator_connector", "accelerator_id"),
            ("accelerator_source", "accelerator_id"),
        ),
        Kind.MOTHERBOARD: (("motherboard_slot", "motherboard_id"),),
        Kind.MODEL: (
            ("architecture", "model_id"),
            ("diffusion", "model_id"),
            ("diffusion_component", "model_id"),
            ("vision", "model_id"),
            ("vision_tower", "model_id"),
        ),
    }
)
"""Tables of the parts of an item and the column that names it."""

_SEEN_FIRST = (PriceKind.QUOTE, PriceKind.STREET, PriceKind.LIST, PriceKind.CONVERTED, PriceKind.ASSUMED)


def open_catalogue(bundle: Path | None = None, overlay: Path | None = None) -> SqliteCatalogue:
    """Open the bundled catalogue and, where the file exists, the user's overlay.

    Args:
        bundle: the built catalogue; the installed one by default.
        overlay: the user's database; None leaves it out (`paths.overlay()` names the usual one).

    Raises:
        DataError: no bundle, a file that is no catalogue, or an overlay of a newer version.
    """
    return SqliteCatalogue(paths.catalogue() if bundle is None else bundle, overlay)


class SqliteCatalogue(Catalogue):
    """Implements the `Catalogue` protocol; each kind is read once, on first use, from any thread."""

    def __init__(self, bundle: Path, overlay: Path | None) -> None:
        if not bundle.exists():
            text = N_("there is no catalogue at {file}; `python3 dev.py setup` builds it")
            raise DataError("no_catalogue", Message(text, {"file": str(bundle)}))
        address = bundle.absolute().as_uri() + "?mode=ro&immutable=1"
        self._path = bundle
        self._database = sqlite3.connect(address, uri=True, check_same_thread=False)
        self._database.row_factory = sqlite3.Row
        self._overlay_path = overlay
        self._overlay = self._open_overlay()
        self._lock = threading.RLock()
        self._cache: dict[object, object] = {}

    def close(self) -> None:
        """Close the files; the catalogue cannot be used afterwards."""
        self._database.close()
        if self._overlay is not None:
            self._overlay.close()

    def refresh(self) -> None:
        """Forget what was read: the overlay has changed, or was made."""
        with self._lock:
            self._cache.clear()
            if self._overlay is None:
                self._overlay = self._open_overlay()

    def own(self) -> OverlayReader | None:
        """The user's overlay, None where there is none yet."""
        return self._overlay

    def bundled(self, kind: Kind, item_id: str) -> CatalogueItem | None:
        """An item as the bundle has it, whatever the user made of it; None for the user's own."""

        def read() -> dict[str, CatalogueItem]:
            return {str(row["id"]): decode_item(CLASSES[kind], row) for row in self._bundled_rows(kind)}

        return self._once(("bundled", kind), read).get(item_id)

    def row(self, kind: Kind, item_id: str) -> Row:
        """An item as columns and child rows, with the user's changes; raises InputError for an unknown id."""
        item = self.part(kind, item_id)
        own = self._overlay
        added = None if own is None else own.addition(kind, item.id)
        row = self._bundled_rows(kind, item.id)[0] if added is None else added
        origin = Origin.BUNDLED if added is None else Origin.USER
        return merged_row(row, origin, () if own is None else own.edits_of(kind, item.id))

    def version(self) -> CatalogueVersion:
        """Hashes recorded when the bundle was built; the overlay adds its own, once for each of its states."""
        return self._once("version", self._version)

    def _version(self) -> CatalogueVersion:
        rows = {str(r["name"]): str(r["value"]) for r in self._rows("SELECT name, value FROM version")}
        own = "" if self._overlay is None else self._overlay.fingerprint()
        catalogue = rows.get("catalogue", "")
        return CatalogueVersion(
            catalogue=f"{catalogue}+{own}" if own else catalogue,
            coefficients=rows.get("coefficients", ""),
            date=rows.get("date", ""),
        )

    def parts(self, kind: Kind) -> Sequence[CatalogueItem]:
        """Every item of one kind, in the order of the seed, the user's last."""
        return self._once(kind, lambda: tuple(self._items(kind)))

    def part(self, kind: Kind, ref: str, field: str = "") -> CatalogueItem:
        """One item; raises InputError with the nearest ids."""
        found = self.find(kind, ref)
        if found is not None:
            return found
        near = self._index(kind).near(ref)
        accepted = Message("{near}", {"near": ", ".join(near)}) if near else None
        reason = Message(N_("the catalogue has no such entry ({kind})"), {"kind": Message(PART_KINDS[kind])})
        raise InputError("unknown_value", field or kind.value, ref, reason, accepted)

    def find(self, kind: Kind, ref: str) -> CatalogueItem | None:
        """One item, or None."""
        item_id = self._index(kind).find(ref)
        if item_id is None and kind is Kind.ACCELERATOR:
            item_id = self._once("card_spellings", lambda: CardSpellings(self.accelerators())).find(ref)
        return None if item_id is None else self._by_id(kind).get(item_id)

    def search(self, query: str, kind: Kind | None = None, limit: int = 200) -> Sequence[CatalogueItem]:
        """Items that `query` finds; the index of a kind is made by the first search of it."""
        kinds = tuple(Kind) if kind is None else (kind,)
        index = self._once(
            ("search", kind), lambda: SearchIndex((k, item) for k in kinds for item in self.parts(k))
        )
        return index.find(query, limit=limit)

    def offers(self, kind: Kind, item_id: str) -> Sequence[Offer]:
        """Offers of one item."""
        return self._once("offers", self._offers_by_subject).get((kind, item_id), ())

    def all_offers(self) -> Sequence[Offer]:
        """Every offer, seen ones first, newest first."""
        return self._once("all_offers", self._offers)

    def cloud_offers(self) -> Sequence[CloudOffer]:
        """Every rental price, newest first."""

        def read() -> tuple[CloudOffer, ...]:
            rows = self._rows("SELECT * FROM cloud_offer ORDER BY date DESC, position")
            if self._overlay is not None:
                rows = [*self._overlay.cloud_offers(), *rows]
            return tuple(decode(CloudOffer, row) for row in rows)

        return self._once("cloud_offers", read)

    def exchange_rate(self, base: Currency, target: Currency) -> ExchangeRate:
        """The newest rate of bundle and overlay."""

        def read() -> ExchangeRate | None:
            text = "SELECT * FROM exchange_rate WHERE base IN (?, ?) AND target IN (?, ?)"
            rows = self._rows(text, (base, target, base, target))
            if self._overlay is not None:
                rows = [*self._overlay.exchange_rates(base, target), *rows]
            newest = max(rows, key=lambda row: str(row["date"]), default=None)
            return None if newest is None else decode(ExchangeRate, newest, evidence=decode_evidence(newest))

        rate = self._once(("rate", base, target), read)
        if rate is None:
            reason = Message(N_("no exchange rate is recorded"))
            raise InputError("missing", "exchange_rate", f"{base}/{target}", reason)
        return rate

    def tariffs(self) -> Sequence[Tariff]:
        """Every tariff: the user's own first, in place of recorded ones of the same id."""

        def read() -> tuple[Tariff, ...]:
            typed = () if self._overlay is None else tuple(_own_tariff(r) for r in self._overlay.tariffs())
            replaced = {tariff.id for tariff in typed}
            rows = self._rows("SELECT * FROM tariff ORDER BY position")
            parts: dict[str, defaultdict[str, list[Row]]] = {}
            for table in ("tariff_period", "tariff_tier"):
                parts[table] = defaultdict(list)
                for part in self._rows(f"SELECT * FROM {table} ORDER BY position"):
                    parts[table][str(part["tariff_id"])].append(part)
            recorded = tuple(
                decode(
                    Tariff,
                    row,
                    evidence=decode_evidence(row),
                    periods=tuple(decode(TariffPeriod, p) for p in parts["tariff_period"][str(row["id"])]),
                    tiers=tuple(decode(TariffTier, p) for p in parts["tariff_tier"][str(row["id"])]),
                )
                for row in rows
                if row["id"] not in replaced
            )
            return (*typed, *recorded)

        return self._once("tariffs", read)

    def quant_formats(self) -> Sequence[QuantFormat]:
        """Every format in file order."""

        def read() -> tuple[QuantFormat, ...]:
            rows = self._rows("SELECT *, source_note AS note FROM quant_format ORDER BY position")
            return tuple(decode(QuantFormat, row, evidence=decode_evidence(row)) for row in rows)

        return self._once("quant_formats", read)

    def coefficients(self, group: str) -> Sequence[Coefficient]:
        """The rows of one group."""

        def read() -> tuple[Coefficient, ...]:
            rows = self._rows('SELECT * FROM coefficient WHERE "group" = ? ORDER BY position', (group,))
            return tuple(decode(Coefficient, row, evidence=decode_evidence(row)) for row in rows)

        return self._once(("coefficients", group), read)

    def coefficient_groups(self) -> Sequence[str]:
        """Names of the groups."""
        rows = self._rows('SELECT DISTINCT "group" FROM coefficient ORDER BY 1')
        return tuple(str(row["group"]) for row in rows)

    def measurements(self, task: str | None = None) -> Sequence[Measurement]:
        """The rows of one task, or all."""

        def read() -> tuple[Measurement, ...]:
            found = [
                _measurement(row) for row in self._rows("SELECT * FROM measurement ORDER BY task, position")
            ]
            if self._overlay is not None:
                found += [replace(_measurement(row), own=True) for row in self._overlay.measurements()]
            return tuple(found)

        every = self._once("measurements", read)
        return every if task is None else tuple(m for m in every if m.task == task)

    def _items(self, kind: Kind) -> Iterator[CatalogueItem]:
        rows = self._bundled_rows(kind)
        merged = rows if self._overlay is None else merge_items(kind, rows, self._overlay)
        for item in merged:
            yield decode_item(CLASSES[kind], item)

    def _bundled_rows(self, kind: Kind, item_id: str | None = None) -> list[dict[str, object]]:
        """Rows of one kind, or of one item, with their child rows."""
        rows: list[dict[str, object]] = [dict(row) for row in self._rows(*_item_query(kind, item_id))]
        parts: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for table, column in _CHILDREN.get(kind, ()):
            where, values = ("", ()) if item_id is None else (f'WHERE "{column}" = ?', (item_id,))
            for child in self._rows(f'SELECT * FROM "{table}" {where} ORDER BY rowid', values):
                parts[str(child[column])][table].append(child)
        for row in rows:
            row.update(parts.get(str(row["id"]), {}))
        return rows

    def _open_overlay(self) -> OverlayReader | None:
        path = self._overlay_path
        return OverlayReader(path) if path is not None and path.exists() else None

    def _offers(self) -> tuple[Offer, ...]:
        rows = self._rows("SELECT * FROM offer ORDER BY date DESC, position")
        offers = [decode(Offer, row) for row in rows]
        if self._overlay is not None:
            offers = [decode(Offer, row, origin=Origin.USER) for row in self._overlay.offers()] + offers
        return tuple(sorted(offers, key=lambda offer: _SEEN_FIRST.index(offer.kind)))

    def _offers_by_subject(self) -> dict[tuple[Kind, str], tuple[Offer, ...]]:
        grouped: dict[tuple[Kind, str], list[Offer]] = defaultdict(list)
        for offer in self.all_offers():
            grouped[offer.subject_kind, offer.subject_id].append(offer)
        return {key: tuple(offers) for key, offers in grouped.items()}

    def _index(self, kind: Kind) -> NameIndex:
        return self._once(("index", kind), lambda: NameIndex(self.parts(kind)))

    def _by_id(self, kind: Kind) -> dict[str, CatalogueItem]:
        return self._once(("by_id", kind), lambda: {item.id: item for item in self.parts(kind)})

    def _rows(self, text: str, values: Sequence[str] = ()) -> list[Row]:
        with self._lock, migrate.usable(self._path):
            return [dict(row) for row in self._database.execute(text, values)]

    def _once(self, key: object, read: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._cache:
                self._cache[key] = read()
            return cast("T", self._cache[key])


def _item_query(kind: Kind, item_id: str | None) -> tuple[str, tuple[str, ...]]:
    common = ", ".join(f"item.{name}" for name in ITEM_COLUMNS if name != "id")
    text = (
        f'SELECT own.*, {common} FROM item JOIN "{kind}" AS own ON own.id = item.id '
        f"WHERE item.kind = ? {'' if item_id is None else 'AND item.id = ?'} ORDER BY item.position"
    )
    return text, (kind.value,) if item_id is None else (kind.value, item_id)


def _measurement(row: Row) -> Measurement:
    fields = MappingProxyType({str(k): str(v) for k, v in json.loads(str(row["fields"])).items()})
    return decode(Measurement, row, evidence=decode_evidence(row), fields=fields)


def _own_tariff(row: Row) -> Tariff:
    """A tariff of the overlay, with its hours."""
    periods = tuple(decode(TariffPeriod, part) for part in row["periods"])  # type: ignore[attr-defined]
    return decode(Tariff, row, evidence=decode_evidence(row), periods=periods)
