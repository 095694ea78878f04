"""Evidence: the source, date and kind behind a value."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import StrEnum


class EvidenceKind(StrEnum):
    """How a value is known, from strongest to weakest."""

    MEASURED = "measured"
    VENDOR = "vendor"
    CALCULATED = "calculated"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Source (URL or document), the day it speaks of (ISO, `2026-05` and `2026` allowed) and its kind."""

    source: str
    date: str | None = None
    kind: EvidenceKind = EvidenceKind.VENDOR
    note: str = ""

    def day(self) -> datetime.date | None:
        """The latest day the date can mean, or None where it is not dated."""
        if not self.date:
            return None
        parts = [int(p) for p in self.date.split("-")[:3]]
        while len(parts) < 3:
            parts.append(12 if len(parts) == 1 else 28)
        return datetime.date(*parts)


ASSUMED = Evidence(source="", kind=EvidenceKind.ASSUMED)
