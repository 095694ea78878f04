"""What an import would do, row by row, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.message import Message

RawItem = Mapping[str, object]
"""An item as columns of the catalogue's tables, child rows under their table's name."""


class RowState(StrEnum):
    """What would happen to one row of the file."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class CellChange:
    """A field that a row would change, each side as a cell of the catalogue; empty is unknown."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowResult:
    """One row of the preview.

    Attributes:
        line: of the file, 0 where the source has no lines.
        state: what would happen.
        kind, data: what would be written; None for a rejected row.
        table: where `data` goes if it is no item: `offer`, `cloud_offer`, `exchange_rate`, `tariff`,
            `measurement`.
        edits: values by field, where an item of the catalogue is edited instead of written whole.
        evidence: of the edits.
        changes: what would change of what is there.
        reasons: why it is rejected, or what was corrected or left unknown.
        likeness: an item of the catalogue that may be the same, with how alike (0..1).
    """

    line: int
    state: RowState
    kind: Kind | None = None
    data: RawItem | None = None
    table: str = ""
    edits: Mapping[str, object] | None = None
    evidence: Evidence | None = None
    changes: tuple[CellChange, ...] = ()
    name: str = ""
    reasons: tuple[Message, ...] = ()
    like: str | None = None
    likeness: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """All rows of an import; applied whole or not at all.

    Attributes:
        title: of the step in the history.
        source: attribution or file, shown beside the preview.
        mappings: columns as they were read, by signature of the sheet; remembered when the plan is applied.
    """

    title: str
    source: str
    rows: Sequence[RowResult]
    mappings: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))

    def counts(self) -> Mapping[RowState, int]:
        """How many rows of each state."""
        counted = Counter(row.state for row in self.rows)
        return {state: counted[state] for state in RowState}

    def writes(self) -> Sequence[RowResult]:
        """The rows that would be written."""
        return [row for row in self.rows if row.state in (RowState.ADDED, RowState.CHANGED)]
