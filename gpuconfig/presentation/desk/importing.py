"""Files into the catalogue: recognised, mapped, previewed, and written whole or not at all."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin, Region
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.exchange.columns import TITLES, ColumnMapping
from gpuconfig.exchange.formats import ImportFormat, recognise
from gpuconfig.exchange.formats import ImportPart as ImportPart
from gpuconfig.exchange.parts_table import Candidate, own_candidates, plan_items, supplier_candidates
from gpuconfig.exchange.plan import ImportPlan as ImportPlan
from gpuconfig.exchange.plan import RowResult, RowState
from gpuconfig.exchange.price_rows import cloud_rows, quote_rows
from gpuconfig.exchange.quotation import Matcher, quote_offers, read_quotation
from gpuconfig.exchange.sheet import Sheet
from gpuconfig.presentation.desk.workplace import Workplace
from gpuconfig.storage.apply import write_items

MAPPED_FIELDS = tuple(TITLES)
"""What a column of a supplier's sheet may be."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ImportTerms:
    """What a file does not say itself.

    Attributes:
        region, currency: of prices without them.
        date: ISO day of prices without one; today by default.
        provider: of rental prices; the file's name by default.
    """

    region: Region = Region.CN
    currency: Currency = Currency.CNY
    date: str = ""
    provider: str = ""


class Importer:
    """Reads files into plans and applies them."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def open(self, path: Path, kind: Kind | None = None) -> tuple[ImportPart, ...]:
        """The sheets or records of a file or folder, each as recognised, with a remembered mapping where there is one.

        Raises:
            DataError: unreadable, of no known form, or beyond the limits.
        """
        return tuple(self._recalled(part) for part in recognise(path, kind))

    @staticmethod
    def with_column(part: ImportPart, column: int, field: str) -> ImportPart:
        """`part` with a column read as `field`, one of `MAPPED_FIELDS`; empty leaves the column out."""
        if part.mapping is None or part.sheet is None:
            return part
        others = {n: f for n, f in part.mapping.fields.items() if n != column and f != field}
        fields = MappingProxyType({**others, column: field} if field else others)
        return dataclasses.replace(
            part, mapping=dataclasses.replace(part.mapping, fields=fields), remembered=False
        )

    @staticmethod
    def read_as(part: ImportPart, format_name: str) -> ImportPart:
        """`part` read as another form, for example `supplier`; a sheet without titles takes its first row as such."""
        changed = dataclasses.replace(part, format=ImportFormat(format_name))
        mapped = changed.format in (ImportFormat.SUPPLIER_TABLE, ImportFormat.QUOTATION)
        if mapped and changed.mapping is None and changed.sheet is not None and changed.sheet.rows:
            return Importer.with_header(changed, 0)
        return changed

    @staticmethod
    def of_kind(part: ImportPart, kind: Kind | None) -> ImportPart:
        """`part` holding items of `kind`; None where it is not known."""
        return dataclasses.replace(part, kind=kind)

    @staticmethod
    def with_header(part: ImportPart, header: int) -> ImportPart:
        """`part` with another row as its titles."""
        assert part.sheet is not None
        fields = {} if part.mapping is None else dict(part.mapping.fields)
        mapping = ColumnMapping(header, MappingProxyType(fields), part.sheet.rows[header])
        return dataclasses.replace(part, mapping=mapping, remembered=False)

    def plan(
        self,
        parts: Sequence[ImportPart],
        terms: ImportTerms | None = None,
        progress: Progress | None = None,
    ) -> ImportPlan:
        """What importing `parts` would do, row by row; nothing is written. (long)

        Raises:
            DataError: a part cannot be read, or it is not known which kind of items it holds.
            Cancelled: the person stopped.
        """
        rows: list[RowResult] = []
        mappings: dict[str, Mapping[str, str]] = {}
        source = ""
        for part in parts:
            found = self._plan(part, terms or ImportTerms(), progress)
            rows += found.rows
            source = source or found.source
            if part.mapping is not None and part.format in (
                ImportFormat.QUOTATION,
                ImportFormat.SUPPLIER_TABLE,
            ):
                mappings[part.mapping.signature()] = {str(n): f for n, f in part.mapping.fields.items()}
        title = parts[0].path.name if parts else ""
        return ImportPlan(title=title, source=source, rows=tuple(rows), mappings=mappings)

    def apply(self, plan: ImportPlan, progress: Progress | None = None, leave: Collection[int] = ()) -> int:
        """Write a plan as one undoable step and return how many rows were written. (long)

        Args:
            plan: as previewed.
            progress: told often; may cancel.
            leave: places in `plan.rows` that the person took out.

        Raises:
            Cancelled: the person stopped; nothing is written.
            DataError: the database cannot be written; nothing is written.
        """
        states = (RowState.ADDED, RowState.CHANGED)
        rows = [row for n, row in enumerate(plan.rows) if row.state in states and n not in leave]
        if rows:
            with self._place.writing() as overlay:
                write_items(overlay, plan.title, rows, progress, plan.mappings)
        return len(rows)

    @staticmethod
    def rematched(plan: ImportPlan, place: int, kind: Kind, item_id: str) -> ImportPlan:
        """`plan` with the quotation's line at `place` meaning another part: the person looked at it."""
        row = plan.rows[place]
        if row.data is None or row.table != "offer":
            return plan
        tail = str(row.data["id"]).removesuffix(str(row.data["subject_id"]))
        data = {**row.data, "id": tail + item_id, "subject_kind": kind.value, "subject_id": item_id}
        changed = dataclasses.replace(
            row,
            kind=kind,
            data=data,
            like=item_id,
            likeness=1.0,
            reasons=(),
            state=RowState.ADDED,
            changes=(),
        )
        return dataclasses.replace(plan, rows=(*plan.rows[:place], changed, *plan.rows[place + 1 :]))

    def _recalled(self, part: ImportPart) -> ImportPart:
        own = self._place.catalogue.own()
        if part.mapping is None or own is None or (text := own.mapping(part.mapping.signature())) is None:
            return part
        fields = MappingProxyType({int(n): str(f) for n, f in json.loads(text).items()})
        return dataclasses.replace(
            part, mapping=dataclasses.replace(part.mapping, fields=fields), remembered=True
        )

    def _plan(self, part: ImportPart, terms: ImportTerms, progress: Progress | None) -> ImportPlan:
        source = part.path.name
        if part.format is ImportFormat.BUILDCORES:
            from gpuconfig.exchange.buildcores.importer import plan_buildcores

            existing = {kind: self._place.catalogue.parts(kind) for kind in Kind}
            return plan_buildcores(part.path, existing, self._card, progress)
        if part.format is ImportFormat.NETBOX:
            return self._netbox(part.path, progress)
        assert part.sheet is not None
        if part.format is ImportFormat.CLOUD_PRICES:
            return ImportPlan(title=source, source=source, rows=self._cloud(part.sheet, part.path, terms))
        if part.format is ImportFormat.QUOTATION:
            return ImportPlan(title=source, source=source, rows=self._quotation(part, terms))
        if part.kind is None:
            text = N_("{sheet}: say which kind of parts this table holds")
            raise DataError("no_kind", Message(text, {"sheet": part.sheet.name}))
        found = self._candidates(part, part.sheet, part.kind)
        return plan_items(source, source, part.kind, found, self._place.catalogue.parts(part.kind), progress)

    def _candidates(self, part: ImportPart, sheet: Sheet, kind: Kind) -> Iterable[Candidate]:
        if part.format is ImportFormat.OWN_TABLE:
            return own_candidates(sheet, kind)
        if part.format is ImportFormat.GPU_DATABASE:
            from gpuconfig.exchange.gpu_database import database_candidates

            return database_candidates(sheet, self._card, part.path.name)
        if part.mapping is None or part.mapping.column("name") is None:
            text = N_("{sheet}: no column with names was found; say which one it is")
            raise DataError("no_titles", Message(text, {"sheet": sheet.name}))
        return supplier_candidates(sheet, kind, part.mapping, part.path.name)

    def _netbox(self, path: Path, progress: Progress | None) -> ImportPlan:
        from gpuconfig.exchange.netbox import LICENCE, plan_netbox

        existing = {kind: self._place.catalogue.parts(kind) for kind in Kind}
        return dataclasses.replace(plan_netbox(path, existing, progress), source=LICENCE)

    def _cloud(self, sheet: Sheet, path: Path, terms: ImportTerms) -> tuple[RowResult, ...]:
        from gpuconfig.exchange.cloud_table import read_cloud_prices

        def find(name: str) -> str | None:
            item = self._place.catalogue.find(Kind.ACCELERATOR, name)
            return None if item is None else item.id

        provider = terms.provider or path.stem
        day = terms.date or self._place.today().isoformat()
        rows = read_cloud_prices(sheet, provider, day, path.name, find)
        return tuple(cloud_rows(rows, self._place.catalogue.cloud_offers()))

    def _quotation(self, part: ImportPart, terms: ImportTerms) -> tuple[RowResult, ...]:
        assert part.sheet is not None
        if part.mapping is None:
            text = N_("{sheet}: no titles were found; say which columns hold name and price")
            raise DataError("no_titles", Message(text, {"sheet": part.sheet.name}))
        catalogue = self._place.catalogue
        matcher = Matcher(
            [(kind, item) for kind in Kind for item in catalogue.parts(kind) if kind is not Kind.MODEL]
        )
        lines = read_quotation(part.sheet, part.mapping, matcher, terms.currency)
        day = terms.date or self._place.today().isoformat()
        offers = quote_offers(lines, part.path.name, day, terms.region)
        known = {offer.id: offer for offer in catalogue.all_offers() if offer.origin is Origin.USER}
        return tuple(quote_rows(lines, offers, known))

    def _card(self, name: str) -> Accelerator | None:
        found = self._place.catalogue.find(Kind.ACCELERATOR, name)
        return found if isinstance(found, Accelerator) else None
