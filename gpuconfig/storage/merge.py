"""Laying the user's overlay over the bundled rows: the one place where both meet."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from gpuconfig.engine.catalogue.item import FieldEdit
from gpuconfig.engine.catalogue.rows import Row, decode_evidence
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin


class OverlayRows(Protocol):
    """What merging needs of an overlay."""

    def additions(self, kind: Kind) -> list[Row]:
        """Items the user added."""

    def edits(self, kind: Kind) -> list[Row]:
        """Fields the user changed."""

    def hidden(self, kind: Kind) -> frozenset[str]:
        """Ids the user hid."""


def merge_items(kind: Kind, bundled: Sequence[Row], overlay: OverlayRows) -> Iterator[Row]:
    """The rows a reader sees: bundled ones with edits, without the hidden, then the user's own.

    A user's item of the same id stands in place of a bundled one. An edit of an item that an update of the
    bundle took away is kept in the overlay and has no effect.
    """
    hidden = overlay.hidden(kind)
    edits: dict[str, list[Row]] = defaultdict(list)
    for edit in overlay.edits(kind):
        edits[str(edit["id"])].append(edit)
    added = {str(row["id"]): row for row in overlay.additions(kind)}
    for row in [*(r for r in bundled if r["id"] not in added), *added.values()]:
        item_id = str(row["id"])
        if item_id in hidden:
            continue
        origin = Origin.USER if item_id in added else Origin.BUNDLED
        yield _edited({**row, "origin": origin}, edits.get(item_id, ()))


def _edited(row: dict[str, object], edits: Sequence[Row]) -> Row:
    made = []
    for edit in edits:
        field = str(edit["field"])
        before = row.get(field)
        row[field] = json.loads(str(edit["value"])) if edit["value"] is not None else None
        made.append(
            FieldEdit(
                field=field,
                bundled=None if before is None else str(before),
                evidence=decode_evidence(edit),
                changed_at=str(edit["changed_at"]),
            )
        )
    row["edits"] = tuple(made)
    return row
