"""Items from a table: the program's own export, or a supplier's list of one kind of part."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.lookup import key
from gpuconfig.engine.catalogue.plausibility import doubts
from gpuconfig.engine.catalogue.rows import LIST_SEPARATOR, decode_item
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind, Origin, Software, Vendor
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.exchange.columns import ColumnMapping
from gpuconfig.exchange.item_cells import by_field, columns, field_value, joined, readable, to_cells, to_raw
from gpuconfig.exchange.item_form import form_fields
from gpuconfig.exchange.plan import CellChange, ImportPlan, RawItem, RowResult, RowState
from gpuconfig.exchange.quantities import Dimension, read_quantity
from gpuconfig.exchange.sheet import Sheet, unsafe

Candidate = tuple[int, RawItem | None, tuple[Message, ...]]
"""Line, the raw item or None, and reasons or corrections."""

_FIELDS: Mapping[Kind, Mapping[str, tuple[str, Dimension]]] = MappingProxyType(
    {
        Kind.ACCELERATOR: {
            "memory": ("memory_bytes", Dimension.MEMORY),
            "bandwidth": ("bandwidth_bytes_per_s", Dimension.BANDWIDTH),
            "power": ("tdp_w", Dimension.POWER),
            "length": ("length_mm", Dimension.LENGTH),
            "slots": ("slots", Dimension.COUNT),
        },
        Kind.POWER_SUPPLY: {
            "rated_power": ("rated_w", Dimension.POWER),
            "length": ("length_mm", Dimension.LENGTH),
        },
        Kind.CHASSIS: {"length": ("max_gpu_length_mm", Dimension.LENGTH)},
        Kind.CPU: {"power": ("tdp_w", Dimension.POWER)},
        Kind.DRIVE: {"memory": ("capacity_bytes", Dimension.STORAGE)},
    }
)
_CARD_WORDS = (
    (("rtx", "gtx", "geforce", "tesla", "quadro", "nvidia", "英伟达"), Vendor.NVIDIA),
    (("radeon", "instinct", "amd", "rx "), Vendor.AMD),
    (("arc ", "gaudi", "intel"), Vendor.INTEL),
    (("ascend", "atlas", "昇腾", "华为"), Vendor.HUAWEI),
)
_CARD_SOFTWARE = MappingProxyType(
    {
        Vendor.NVIDIA: Software.CUDA,
        Vendor.AMD: Software.ROCM,
        Vendor.INTEL: Software.ONEAPI,
        Vendor.HUAWEI: Software.CANN,
    }
)
_REPORT_EVERY = 500
_LIKE = 0.6


def is_own_table(sheet: Sheet, kind: Kind) -> bool:
    """True where the first row holds this program's column names."""
    first = set(sheet.rows[0]) if sheet.rows else set()
    return {"id", "name"} <= first and first <= set(columns(kind))


def own_candidates(sheet: Sheet, kind: Kind) -> Iterable[Candidate]:
    """The rows of a table that this program exported."""
    header = sheet.rows[0]
    shown_only = set(columns(kind)) - readable(kind)
    for index, row in enumerate(sheet.rows[1:], start=1):
        if not any(row):
            continue
        cells = {n: unsafe(c) for n, c in zip(header, row, strict=False) if n not in shown_only}
        try:
            raw = to_raw(kind, cells)
        except InputError as error:
            yield sheet.line(index), None, (error.message,)
            continue
        yield sheet.line(index), raw, ()


def supplier_candidates(sheet: Sheet, kind: Kind, mapping: ColumnMapping, source: str) -> Iterable[Candidate]:
    """The rows of a supplier's table, read by `mapping`."""
    wanted = _FIELDS.get(kind, {})
    for index, row in enumerate(sheet.rows[mapping.header + 1 :], start=mapping.header + 1):
        cells = {
            name: row[column] for column, name in mapping.fields.items() if column < len(row) and row[column]
        }
        if not cells.get("name"):
            continue
        raw: dict[str, object] = {
            "name": cells["name"],
            "brand": cells.get("brand", ""),
            "part_number": cells.get("part_number"),
            "notes": cells.get("note", ""),
            "sources": source,
            "evidence_kind": "vendor",
            "confidence": "low",
            "id": slug(f"{cells.get('brand', '')} {cells['name']}"),
        }
        reasons: list[Message] = []
        for name, (column, dimension) in wanted.items():
            if name not in cells:
                continue
            try:
                raw[column] = _base(cells[name], column, dimension)
            except InputError as error:
                reasons.append(error.message)
        if kind is Kind.ACCELERATOR:
            raw = _card_defaults(raw) | raw
        yield sheet.line(index), None if reasons else raw, tuple(reasons)


def plan_items(
    title: str,
    source: str,
    kind: Kind,
    candidates: Iterable[Candidate],
    existing: Sequence[CatalogueItem],
    progress: Progress | None = None,
) -> ImportPlan:
    """What writing `candidates` would do to the catalogue.

    Args:
        title: of the step in the history.
        source: the file.
        kind: of all rows.
        candidates: rows as read, in order.
        existing: the catalogue's items of the kind.
        progress: told every few hundred rows; may cancel.
    """
    listener = progress or Silent()
    judge = _Judge(kind, existing, source)
    rows = []
    for number, candidate in enumerate(candidates):
        if number % _REPORT_EVERY == 0:
            listener.report(0.0, Message(N_("{count} rows read"), {"count": number}))
        rows.append(judge.result(candidate))
    return ImportPlan(title=title, source=source, rows=tuple(rows))


def slug(text: str) -> str:
    """`text` as an id: lower case letters of any script, digits and dashes."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[^\w]+", "-", plain).strip("-")[:80]


class _Judge:
    """Compares candidates with the catalogue and with one another."""

    def __init__(self, kind: Kind, existing: Sequence[CatalogueItem], source: str) -> None:
        self._kind = kind
        self._source = source
        self._by_id = {item.id: item for item in existing}
        self._numbers = {key(item.part_number): item.id for item in existing if item.part_number}
        self._names = {key(item.name): item.id for item in existing}
        self._words: dict[str, set[str]] = {}
        for item in existing:
            for word in _words(item.name):
                self._words.setdefault(word, set()).add(item.id)
        self._seen: dict[str, int] = {}

    def result(self, candidate: Candidate) -> RowResult:
        line, raw, reasons = candidate
        if raw is None:
            return RowResult(line=line, state=RowState.REJECTED, reasons=reasons)
        name = str(raw.get("name") or "")
        again = self._seen_before(raw, line)
        if again is not None:
            return RowResult(line=line, state=RowState.REJECTED, name=name, reasons=(*reasons, again))
        missing = [f.name for f in form_fields(self._kind) if f.required and raw.get(f.name) in (None, "")]
        if missing:
            reason = Message(N_("the row is incomplete, it lacks: {fields}"), {"fields": ", ".join(missing)})
            return RowResult(line=line, state=RowState.REJECTED, name=name, reasons=(*reasons, reason))
        item = decode_item(CLASSES[self._kind], joined(raw))
        reasons = (*reasons, *doubts(item))
        known = self._by_id.get(str(raw["id"]))
        if known is not None:
            return self._against(known, line, raw, item, reasons)
        like, likeness = self._like(item)
        return RowResult(
            line=line, state=RowState.ADDED, kind=self._kind, data=joined(raw), name=item.name, reasons=reasons,
            like=like, likeness=likeness,
        )  # fmt: skip

    def _against(
        self, known: CatalogueItem, line: int, raw: RawItem, item: CatalogueItem, reasons: tuple[Message, ...]
    ) -> RowResult:
        """What a row says of an item that is there: empty cells change nothing."""
        changes = _changes(item, known, raw)
        edits = None
        data: RawItem = joined(raw)
        if known.origin is Origin.USER and self._kind is not Kind.MODEL:
            data = joined({**to_raw(self._kind, to_cells(known)), **raw})
        else:
            # The bundle's value stays beside it, and a model keeps its layers, which no table holds.
            edits = {c.field: field_value(self._kind, c.field, c.after) for c in changes}
        return RowResult(
            line=line, state=RowState.CHANGED if changes else RowState.UNCHANGED, kind=self._kind, data=data,
            edits=edits, evidence=Evidence(self._source, item.date, item.evidence_kind), changes=changes,
            name=item.name, reasons=reasons, like=known.id, likeness=1.0,
        )  # fmt: skip

    def _seen_before(self, raw: RawItem, line: int) -> Message | None:
        marks = [f"id {raw['id']}"]
        if raw.get("part_number"):
            marks.append(f"part number {key(str(raw['part_number']))}")
        if str(raw["id"]) not in self._by_id:
            for mark in marks:
                if mark in self._seen:
                    text = N_("the same {mark} stands in line {line}")
                    return Message(text, {"mark": mark, "line": self._seen[mark]})
        for mark in marks:
            self._seen.setdefault(mark, line)
        return None

    def _like(self, item: CatalogueItem) -> tuple[str | None, float]:
        number = self._numbers.get(key(item.part_number)) if item.part_number else None
        if number is not None:
            return number, 1.0
        exact = self._names.get(key(item.name))
        if exact is not None:
            return exact, 0.95
        words = _words(item.name)
        shared: dict[str, int] = {}
        for word in words:
            for other in self._words.get(word, ()):
                shared[other] = shared.get(other, 0) + 1
        if not shared:
            return None, 0.0
        best = max(
            shared, key=lambda other: (shared[other] / len(words | _words(self._by_id[other].name)), other)
        )
        likeness = shared[best] / len(words | _words(self._by_id[best].name))
        return (best, likeness) if likeness >= _LIKE else (None, likeness)


def _card_defaults(raw: RawItem) -> dict[str, object]:
    """What a supplier's list never says: maker and software by name, the mount, the nominal size."""
    text = f"{raw['brand']} {raw['name']}".lower()
    vendor = next((v for words, v in _CARD_WORDS if any(word in text for word in words)), Vendor.OTHER)
    defaults: dict[str, object] = {
        "vendor": vendor.value,
        "family": str(raw["name"]),
        "software": _CARD_SOFTWARE.get(vendor, Software.OTHER).value,
        "form_factor": FormFactor.PCIE.value,
        "inferred_fields": LIST_SEPARATOR.join(("vendor", "software", "form_factor")),
    }
    size = raw.get("memory_bytes")
    if isinstance(size, int):
        defaults["memory_gb"] = size / GIB
    return defaults


def _base(text: str, column: str, dimension: Dimension) -> object:
    value = read_quantity(text, dimension, column).value
    return int(value) if column.endswith("_bytes") else float(value)


def _changes(item: CatalogueItem, known: CatalogueItem, raw: RawItem) -> tuple[CellChange, ...]:
    """Fields that `raw` names and that say something else than `known`."""
    before, after = to_cells(known), to_cells(item)
    named = by_field(raw)
    return tuple(
        CellChange(name, before.get(name, ""), cell)
        for name, cell in after.items()
        if cell and name in named and before.get(name) != cell
    )


def _words(name: str) -> set[str]:
    return {word for word in re.split(r"[^\w]+", unicodedata.normalize("NFKC", name).lower()) if word}
