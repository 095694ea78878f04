"""Writing a planned import: one named step, all or nothing, undone in one go."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.evidence import ASSUMED, Evidence
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.storage.overlay import Cell, Overlay, StepWriter

_REPORT_EVERY = 500


class PlannedRow(Protocol):
    """A row of a plan as it would be written."""

    @property
    def kind(self) -> Kind | None:
        """Kind of the item."""

    @property
    def data(self) -> Mapping[str, object] | None:
        """Its columns."""

    @property
    def table(self) -> str:
        """Where `data` goes if it is no item."""

    @property
    def edits(self) -> Mapping[str, object] | None:
        """Values by field where an item is edited instead of written whole."""

    @property
    def evidence(self) -> Evidence | None:
        """Of the edits."""


def write_items(
    overlay: Overlay,
    title: str,
    rows: Sequence[PlannedRow],
    progress: Progress | None = None,
    mappings: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Write the rows of a plan, and how its columns were read, as one step.

    Raises:
        Cancelled: the person stopped; nothing is written.
    """
    listener = progress or Silent()
    with overlay.step(title) as step:
        for number, row in enumerate(rows):
            if number % _REPORT_EVERY == 0:
                what = Message(N_("{count} of {total} written"), {"count": number, "total": len(rows)})
                listener.report(number / max(len(rows), 1), what)
            _write(step, row)
        for name, fields in (mappings or {}).items():
            data = json.dumps(dict(fields), ensure_ascii=False)
            step.put("mapping", [{"name": name, "data": data, "changed_at": step.made_at}])


def _write(step: StepWriter, row: PlannedRow) -> None:
    if row.data is None:
        return
    if row.table:
        step.put(row.table, [cast("Mapping[str, Cell]", row.data)])
    elif row.kind is not None and row.edits is not None:
        evidence = row.evidence or ASSUMED
        for field, value in row.edits.items():
            step.edit(row.kind, str(row.data["id"]), field, value, evidence)
    elif row.kind is not None:
        step.add(row.kind, row.data)


def write_rows(overlay: Overlay, title: str, table: str, rows: Sequence[Mapping[str, Cell]]) -> None:
    """Write rows of `offer`, `cloud_offer`, `exchange_rate`, `measurement` or `mapping` as one step."""
    with overlay.step(title) as step:
        step.put(table, rows)
