"""A figure or word as a page shows it: text, tone, and what opens behind it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuconfig.presentation.reference import Reference


class Tone(StrEnum):
    """How a text is coloured; the word itself always says the same."""

    NORMAL = "normal"
    SECONDARY = "secondary"
    ACCENT = "accent"
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One text on a page or in a table.

    Attributes:
        text: in the reader's language and locale.
        note: small secondary text after it: a delta, an age, a vendor's own unit.
        reference: what the why panel opens; None only where the text holds no figure.
        sort: value that tables sort by; None sorts last.
        assumed: the value is not the maker's, not measured and not calculated.
        best: the best of its row.
        icon: name of a status icon before the text.
    """

    text: str
    note: str = ""
    reference: Reference | None = None
    tone: Tone = Tone.NORMAL
    sort: float | str | None = None
    assumed: bool = False
    best: bool = False
    icon: str = ""

    def plain(self) -> str:
        """The text with its note, for copying and for screen readers."""
        return f"{self.text} {self.note}".strip()


BLANK = Shown(text="")
