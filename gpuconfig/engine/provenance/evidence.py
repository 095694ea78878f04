"""Evidence: the source, date and kind behind a value."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import StrEnum


class EvidenceKind(StrEnum):
    """How a value is known, from strongest to weakest.

    VENDOR is what the maker itself publishes; SECONDARY is what a database, a review or the press says of it.
    """

    MEASURED = "measured"
    VENDOR = "vendor"
    SECONDARY = "secondary"
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
        """The earliest day the date can mean, or None where it is not dated: an age is never made to look young.

        Raises:
            ValueError: the date is none.
        """
        if not self.date:
            return None
        parts = [int(p) for p in self.date.split("-")[:3]]
        return datetime.date(*[*parts, 1, 1][:3])


ASSUMED = Evidence(source="", kind=EvidenceKind.ASSUMED)
