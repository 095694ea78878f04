"""Reading and writing `db/seed/coefficients/<group>.csv`: fitted rows are replaced, all others stay as they are."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from gpuconfig.engine.catalogue.record import Coefficient

HEADER = ("name", "scope", "value", "low", "high", "unit", "source", "date", "kind", "note")
FITTED = "fit of "
"""How the note of a fitted row begins."""


def is_fitted(row: Coefficient) -> bool:
    """Whether a fit wrote this row, so that the next fit may replace it."""
    return row.note.startswith(FITTED)


def write_fitted(path: Path, fitted: Sequence[Coefficient]) -> None:
    """Replace the fitted rows of a coefficient file; the order is kept rows, then fitted ones by name and scope."""
    with path.open(encoding="utf-8", newline="") as file:
        kept = list(csv.reader(file))[1:]
    kept = [row for row in kept if not row[9].startswith(FITTED)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(kept)
        writer.writerows(_cells(row) for row in sorted(fitted, key=lambda r: (r.name, r.scope)))


def _cells(row: Coefficient) -> list[str]:
    numbers = ["" if v is None else f"{v:.5g}" for v in (row.value, row.low, row.high)]
    evidence = row.evidence
    return [
        row.name,
        row.scope,
        *numbers,
        row.unit,
        evidence.source,
        evidence.date or "",
        evidence.kind.value,
        row.note,
    ]
