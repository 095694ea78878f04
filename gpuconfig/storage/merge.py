"""Laying the user's overlay over the bundled rows: the one place where both meet."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Protocol, cast

from gpuconfig.engine.catalogue.connector_text import NONE
from gpuconfig.engine.catalogue.item import FieldEdit
from gpuconfig.engine.catalogue.rows import Row, children, decode_evidence
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin

PLUG_FIELDS = MappingProxyType({"power_connectors": 0, "adapter_connectors": 1})
"""Fields that are plugs, and the mark of their child rows."""


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
        yield merged_row(row, origin, edits.get(item_id, ()))


def merged_row(row: Row, origin: Origin, edits: Sequence[Row]) -> Row:
    """One row with its origin and the user's edits laid over it."""
    return _edited({**row, "origin": origin}, edits)


def laid_over(row: Row, field: str, value: object) -> Row:
    """`row` with `field` changed; plugs and slots are child rows, given as a list."""
    if field in PLUG_FIELDS:
        flag = PLUG_FIELDS[field]
        others = [plug for plug in children(row, "accelerator_connector") if plug["adapter"] != flag]
        changed = {**row, "accelerator_connector": [*others, *cast("list[Row]", value or [])]}
        return changed if flag else {**changed, "power_connectors_known": int(value is not None)}
    if field == "slots" and (isinstance(value, list) or "motherboard_slot" in row):
        return {**row, "motherboard_slot": value or []}
    return {**row, field: value}


def _edited(row: Row, edits: Sequence[Row]) -> Row:
    made = []
    for edit in edits:
        field = str(edit["field"])
        before = _text(row, field)
        row = laid_over(row, field, json.loads(str(edit["value"])) if edit["value"] is not None else None)
        made.append(
            FieldEdit(
                field=field,
                bundled=before,
                evidence=decode_evidence(edit),
                changed_at=str(edit["changed_at"]),
            )
        )
    return {**row, "edits": tuple(made)}


def _text(row: Row, field: str) -> str | None:
    """The bundle's value as the change shows it."""
    if field in PLUG_FIELDS:
        plugs = [p for p in children(row, "accelerator_connector") if p["adapter"] == PLUG_FIELDS[field]]
        known = PLUG_FIELDS[field] or row.get("power_connectors_known")
        return (" + ".join(f"{p['count']}x {p['kind']}" for p in plugs) or NONE) if known else None
    if field == "slots" and "motherboard_slot" in row:
        return "; ".join(f"{s['position']}:x{s['physical_lanes']}" for s in children(row, "motherboard_slot"))
    value = row.get(field)
    return None if value is None else str(value)
