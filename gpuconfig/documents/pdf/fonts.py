"""The embedded typeface: registration, widths, and characters it lacks.

ReportLab draws an empty box without a word where a glyph is missing; here such characters are replaced by □ on
purpose and counted, so that the paper can say so.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from gpuconfig import paths
from gpuconfig.documents.content import Span

REGULAR = "NotoSansSC"
BOLD = "NotoSansSC-Bold"
MISSING = "□"
SMALL_FACTOR = 0.86

_KEPT = frozenset("\n ")


@dataclass(slots=True)
class Typeface:
    """Both weights of the paper's type.

    Attributes:
        missing: characters met so far that the type has no glyph for.
        density: lines stand closer by this factor, and letters are smaller by half as much.
    """

    missing: set[str] = field(default_factory=set)
    density: float = 1.0
    _regular: dict[int, float] = field(init=False)
    _bold: dict[int, float] = field(init=False)
    _glyphs: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        for name, path in zip((REGULAR, BOLD), paths.fonts(), strict=True):
            if name not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(TTFont(name, str(path)))
        regular: Any = pdfmetrics.getFont(REGULAR)
        bold: Any = pdfmetrics.getFont(BOLD)
        self._regular, self._bold = regular.face.charWidths, bold.face.charWidths
        self._glyphs = regular.face.charToGlyph

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Width of `text` in points at `size`."""
        widths = self._bold if bold else self._regular
        return sum(widths.get(ord(character), 1000.0) for character in text) * size / 1000

    @property
    def scale(self) -> float:
        """The factor on the size of letters."""
        return (1 + self.density) / 2

    def shortened(self, text: str, size: float, room: float) -> str:
        """`text`, cut and ended with an ellipsis where it is wider than `room` points."""
        if self.width(text, size) <= room:
            return text
        while text and self.width(f"{text}…", size) > room:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def measure(self, size: float) -> Measure:
        """A function that measures a span's text at body size `size`."""
        return Measure(self, size)

    def printable(self, text: str) -> str:
        """`text` with tabs and odd spaces as spaces and what cannot be printed as □ (counted)."""
        if text.isascii() and text.isprintable():
            return text
        return "".join(self._printable(character) for character in unicodedata.normalize("NFC", text))

    def _printable(self, character: str) -> str:
        code = ord(character)
        if character in _KEPT or (code in self._glyphs and unicodedata.category(character)[0] != "C"):
            return character
        category = unicodedata.category(character)
        if character == "\t" or category == "Zs":
            return " "
        if character == "\r" or category in ("Zl", "Zp"):
            return ""
        self.missing.add(character)
        return MISSING


@dataclass(frozen=True, slots=True)
class Measure:
    """Width of a span's text at one size."""

    face: Typeface
    size: float

    def __call__(self, text: str, span: Span) -> float:
        """Width in points."""
        size = self.size * SMALL_FACTOR if span.small else self.size
        return self.face.width(text, size, bold=span.bold)
