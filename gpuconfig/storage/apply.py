"""Writing a planned import: one named step, all or nothing, undone in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.storage.overlay import Cell, Overlay

_REPORT_EVERY = 500


class PlannedRow(Protocol):
    """A row of a plan as it would be written."""

    @property
    def kind(self) -> Kind | None:
        """Kind of the item."""

    @property
    def data(self) -> Mapping[str, object] | None:
        """Its columns."""


def write_items(
    overlay: Overlay, title: str, rows: Sequence[PlannedRow], progress: Progress | None = None
) -> None:
    """Write the rows of a plan as one step.

    Raises:
        Cancelled: the person stopped; nothing is written.
    """
    listener = progress or Silent()
    with overlay.step(title) as step:
        for number, row in enumerate(rows):
            if number % _REPORT_EVERY == 0:
                what = Message(N_("{count} of {total} written"), {"count": number, "total": len(rows)})
                listener.report(number / max(len(rows), 1), what)
            if row.kind is not None and row.data is not None:
                step.add(row.kind, row.data)


def write_rows(overlay: Overlay, title: str, table: str, rows: Sequence[Mapping[str, Cell]]) -> None:
    """Write rows of `offer`, `cloud_offer`, `exchange_rate`, `measurement` or `mapping` as one step."""
    with overlay.step(title) as step:
        step.put(table, rows)
