"""The whole database as one import plan: progress, cancel, duplicates by part number, reasons for every refusal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.exchange.buildcores.archive import Record, count_records, read_records
from gpuconfig.exchange.buildcores.cards import FindChip, read_card
from gpuconfig.exchange.buildcores.fields import Fields
from gpuconfig.exchange.buildcores.kinds import READERS
from gpuconfig.exchange.parts_table import Candidate, plan_items
from gpuconfig.exchange.plan import ImportPlan, RowResult, RowState

ATTRIBUTION = (
    "Contains information from the BuildCores Open Database, "
    "which is made available under the ODC Attribution License (ODC-By 1.0)."
)
"""Shown wherever the imported parts are."""

_TYPICAL_RECORDS = 30_000
_REPORT_EVERY = 250
_READING_SHARE = 0.6


def plan_buildcores(
    path: Path,
    existing: Mapping[Kind, Sequence[CatalogueItem]],
    find_chip: FindChip,
    progress: Progress | None = None,
) -> ImportPlan:
    """What importing the database at `path` would write.

    Args:
        path: folder or archive.
        existing: the catalogue's items by kind, to find what is already there.
        find_chip: the catalogue's card by chip name.
        progress: told often; may cancel, and then nothing is planned.

    Raises:
        DataError: no database at `path`.
        Cancelled: the person stopped.
    """
    listener = progress or Silent()
    total = count_records(path) or _TYPICAL_RECORDS
    candidates: dict[Kind, list[Candidate]] = defaultdict(list)
    refused: list[RowResult] = []
    left: Counter[str] = Counter()
    for number, record in enumerate(read_records(path), start=1):
        if number % _REPORT_EVERY == 0:
            share = _READING_SHARE * min(number / total, 1.0)
            listener.report(share, Message(N_("{count} records read"), {"count": number}))
        kind, row, notes = _read(record, find_chip)
        if kind is None:
            left[record.kind] += 1
        elif row is None:
            refused.append(_refused(number, kind, record, notes))
        else:
            candidates[kind].append((number, row, notes))
    rows: list[RowResult] = []
    for index, (kind, found) in enumerate(sorted(candidates.items())):
        share = _READING_SHARE + (1 - _READING_SHARE) * index / len(candidates)
        listener.report(share, Message(N_("comparing {count} items"), {"count": len(found)}))
        rows += plan_items("", path.name, kind, found, existing.get(kind, ()), progress=None).rows
    rows += refused
    title = f"BuildCores {path.name}"
    return ImportPlan(title=title, source=ATTRIBUTION, rows=tuple(rows))


def _read(
    record: Record, find_chip: FindChip
) -> tuple[Kind | None, dict[str, object] | None, tuple[Message, ...]]:
    fields = Fields(record.kind, record.id, record.data)
    if record.kind == "GPU":
        kind, kept = Kind.ACCELERATOR, read_card(fields, find_chip)
    elif record.kind in READERS:
        kind, read = READERS[record.kind]
        kept = read(fields)
    else:
        return None, None, ()
    if not kept or not fields.name:
        return kind, None, tuple(fields.notes)
    notes = tuple(fields.notes)
    if notes:
        fields.row["notes"] = "; ".join(str(note) for note in notes)
    return kind, {name: value for name, value in fields.row.items() if value is not None}, notes


def _refused(number: int, kind: Kind, record: Record, notes: tuple[Message, ...]) -> RowResult:
    why = Message(N_("too little is known of it"))
    if kind is Kind.ACCELERATOR:
        why = Message(N_("the catalogue has no chip {chip}"), {"chip": str(record.data.get("chipset"))})
    name = str(record.data["metadata"].get("name") or record.id)
    return RowResult(line=number, state=RowState.REJECTED, kind=kind, name=name, reasons=(*notes, why))
