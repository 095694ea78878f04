"""The watt flow of a machine as vectors on paper."""

from __future__ import annotations

from typing import Any

from reportlab.graphics.shapes import Drawing, Path, Rect, String
from reportlab.lib.colors import Color

from gpuconfig.documents.content import Span, Tone
from gpuconfig.documents.pdf.chart import ChartBlock
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, Typeface
from gpuconfig.documents.pdf.style import ACCENT, LEAD, SECONDARY, SERIES, SMALL, TABLE, TEXT, TEXT_WIDTH
from gpuconfig.documents.pdf.text import text_box
from gpuconfig.documents.watt_flow import NODE, Band, WattFlow, lay_out

ROW = 13.0
FIGURES = 48.0
"""Room for the watts before a part's name."""
MOST_FOR_LABELS = 330.0


def lay_flow(flow: WattFlow, title: str, face: Typeface) -> ChartBlock:
    """Title, bands from left to right, and the summary in words."""
    head = text_box((Span(title, bold=True),), TEXT_WIDTH, face, LEAD)
    words = text_box((Span(flow.summary, tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL)
    return ChartBlock(head, _drawing(flow, face), words)


def _drawing(flow: WattFlow, face: Typeface) -> Any:
    longest = max(face.width(face.printable(node.label), SMALL) for node in (*flow.loads, flow.lost))
    labels = min(FIGURES + longest + 4.0, MOST_FOR_LABELS)
    placed = lay_out(flow, TEXT_WIDTH, ROW, labels)
    height = placed.height + 4
    drawing: Any = Drawing(TEXT_WIDTH, height)
    drawing.__dict__["initialFontName"] = (
        REGULAR  # else the renderer starts with Helvetica, which is not embedded
    )
    for band in placed.bands:
        drawing.add(_ribbon(band, height))
    for number, bar in enumerate(placed.bars):
        colour = SECONDARY if bar.node.lost else ACCENT if number < 2 else SERIES[0]
        solid: Any = {"fillColor": colour, "strokeColor": None}  # the stubs know no keywords of shapes
        drawing.add(Rect(bar.x, height - bar.top - bar.height, NODE, bar.height, **solid))
        base = height - bar.label_y - SMALL / 3
        label = face.printable(bar.node.label)
        if number < 2:
            shown = f"{label}  {face.printable(bar.node.text)}"
            drawing.add(String(bar.x, base, shown, fontName=BOLD, fontSize=TABLE, fillColor=TEXT))
            continue
        drawing.add(String(bar.x + NODE + 6, base, face.printable(bar.node.text), fontName=BOLD, fontSize=SMALL,
                           fillColor=TEXT))  # fmt: skip
        cut = face.shortened(label, SMALL, labels - FIGURES - 4.0)
        drawing.add(String(bar.x + NODE + FIGURES, base, cut, fontName=REGULAR, fontSize=SMALL,
                           fillColor=SECONDARY))  # fmt: skip
    return drawing


def _ribbon(band: Band, height: float) -> Path:
    """A band between two bars, curved at both ends."""
    half = (band.left + band.right) / 2
    upper_left, upper_right = height - band.left_top, height - band.right_top
    colour = Color(*((0.62, 0.66, 0.71) if band.lost else (0.0, 0.45, 0.70)), alpha=0.22)
    path = Path(fillColor=colour, strokeColor=None)
    path.moveTo(band.left, upper_left)
    path.curveTo(half, upper_left, half, upper_right, band.right, upper_right)
    path.lineTo(band.right, upper_right - band.height)
    path.curveTo(
        half, upper_right - band.height, half, upper_left - band.height, band.left, upper_left - band.height
    )
    path.closePath()
    return path
