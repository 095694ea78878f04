"""Sizes and colours of a printed page. Lengths are points, 1/72 inch."""

from __future__ import annotations

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4

from gpuconfig.documents.content import Tone

MM = 72 / 25.4
PAGE_WIDTH, PAGE_HEIGHT = A4
MARGIN = 20 * MM
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
HEAD_HEIGHT = 5 * MM  # running head from the second page on
FOOT_HEIGHT = 8 * MM

TITLE = 20.0
HEADING = (14.0, 10.5)
LEAD = 11.0
BODY = 9.5
TABLE = 8.5
SMALL = 7.5
TILE = 14.0
LEADING = 1.5
TABLE_LEADING = 1.38

STEP = 8.0
CELL_PADDING = 4.0
HAIRLINE = 0.5
ROUNDING = 0.01
"""Heights that differ by less are equal."""

TEXT: Color = HexColor("#1B2430")
SECONDARY: Color = HexColor("#55606E")
SURFACE: Color = HexColor("#F6F7F9")
BORDER: Color = HexColor("#D9DEE5")
ACCENT: Color = HexColor("#0B63CE")
ASK_SURFACE: Color = HexColor("#EEF4FC")
WATERMARK: Color = HexColor("#F0F2F5")
SERIES: tuple[Color, ...] = (HexColor("#0072B2"), HexColor("#D55E00"), HexColor("#009E73"))

TONES: dict[Tone, Color] = {
    Tone.NORMAL: TEXT,
    Tone.SECONDARY: SECONDARY,
    Tone.ACCENT: ACCENT,
    Tone.OK: HexColor("#1E7B4A"),
    Tone.WARNING: HexColor("#8A5200"),
    Tone.PROBLEM: HexColor("#B3261E"),
    Tone.UNKNOWN: HexColor("#5B6472"),
}

PRINTED = 4
"""Flag of an annotation that is printed with its page, as archives ask of every one."""
