"""Reading single fields of BuildCores records; what cannot be right is unknown, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gpuconfig.engine.catalogue.rows import LIST_SEPARATOR
from gpuconfig.engine.provenance.message import N_, Message

SOURCE = "https://github.com/buildcores/buildcores-open-db/blob/main/open-db/{kind}/{id}.json"
"""Attribution that ODC-By asks for, on every row."""

SNAPSHOT = "2026-08-17"

_FORMS = {
    "288-pin DIMM": "UDIMM", "240-pin DIMM": "UDIMM", "262-pin SODIMM": "SODIMM", "260-pin SODIMM": "SODIMM",
    "204-pin SODIMM": "SODIMM",
}  # fmt: skip


class Fields:
    """One record being read: collects the row and what was corrected or left unknown."""

    def __init__(self, kind: str, record_id: str, data: Mapping[str, Any]) -> None:
        meta = data["metadata"]
        self.data = data
        self.name = re.sub(r"\s+", " ", str(meta.get("name") or "")).strip()
        self.notes: list[Message] = []
        numbers = [str(n) for n in meta.get("part_numbers") or [] if n]
        self.row: dict[str, object] = {
            "id": f"bc-{record_id}",
            "name": self.name,
            "brand": str(meta.get("manufacturer") or ""),
            "part_number": numbers[0] if numbers else None,
            "aliases": LIST_SEPARATOR.join(numbers[1:4]),
            "sources": SOURCE.format(kind=kind, id=record_id),
            "date": SNAPSHOT,
            "evidence_kind": "secondary",
            "confidence": "medium",
        }

    def number(self, value: object, field: str, low: float, high: float) -> float | None:
        """`value` where it lies in what such a thing can have, else None with a note (0 is silently unknown)."""
        if not isinstance(value, int | float) or isinstance(value, bool) or value == 0:
            return None
        if low <= value <= high:
            return float(value)
        text = N_("{field} of {value} left unknown: such parts have {low:g} to {high:g}")
        self.notes.append(Message(text, {"field": field, "value": value, "low": low, "high": high}))
        return None

    def whole(self, value: object, field: str, low: float, high: float) -> int | None:
        """Like `number`, as a whole number."""
        found = self.number(value, field, low, high)
        return None if found is None else int(found)

    def unknown(self, field: str, why: Message) -> None:
        """Note that a field is left unknown."""
        self.notes.append(Message(N_("{field} left unknown: {why}"), {"field": field, "why": why}))


def sub(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A nested object, empty where the record has none."""
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def socket(text: object) -> str:
    """`LGA 1700` as `LGA1700`."""
    return re.sub(r"LGA\s+", "LGA", str(text or "")).replace(" ", "")


def memory_form(text: object, registered: bool) -> str:
    """UDIMM, RDIMM or SODIMM."""
    return "RDIMM" if registered else _FORMS.get(str(text), "")
