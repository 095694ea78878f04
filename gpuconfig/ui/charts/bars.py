"""Stacked bars that lie: segments named in the legend and by their own hatching, the limit as an upright stroke."""

from __future__ import annotations

from itertools import accumulate

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics

from gpuconfig.presentation.charts.model import Bar, Bars
from gpuconfig.ui.charts.canvas import Canvas
from gpuconfig.ui.session import Session

THICKNESS = 0.56
NAME_GAP = 12
"""Pixels between the longest name and the bars."""
HATCHES = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.Dense4Pattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.CrossPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.Dense6Pattern,
)
"""Beside the colours: segments are told apart without seeing any."""


class BarChart(Canvas):
    """Draws `Bars`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._bars: Bars | None = None
        self.item.invertY(True)

    def show_data(self, bars: Bars) -> None:
        """Draw other data, or the same in other colours."""
        self._bars = bars
        self.redraw_soon()
        self.setAccessibleName(bars.title)
        self.setAccessibleDescription(bars.summary)

    def draw(self) -> None:
        """Bars from the top in their order."""
        bars = self._bars
        if bars is None:
            return
        self.name_axes(bars.x_title, "", grid=(True, False))
        left = self.item.getAxis("left")
        left.setTicks([[(float(place), bar.name) for place, bar in enumerate(bars.bars)]])
        left.showLabel(False)
        metrics = QFontMetrics(self.small_font())
        widest = max((metrics.horizontalAdvance(bar.name) for bar in bars.bars), default=0)
        left.setWidth(widest + NAME_GAP)
        for number in range(len(bars.parts)):
            self._segments(bars, number)
        for place, bar in enumerate(bars.bars):
            self._strokes(place, bar)
        ends = [max(sum(bar.parts), bar.limit or 0.0, bar.high or 0.0) for bar in bars.bars]
        self.plot.setXRange(0, max(ends, default=1.0) * 1.06, padding=0)
        self.plot.setYRange(-0.6, max(len(bars.bars), 3) - 0.4, padding=0)

    def brush(self, number: int) -> pg.QtGui.QBrush:
        """Colour and hatching of a segment."""
        brush = pg.mkBrush(QColor(self.colour(number)))
        brush.setStyle(
            HATCHES[(number + number // len(HATCHES)) % len(HATCHES)]
        )  # colours recur, pairs do not
        return brush

    def _segments(self, bars: Bars, number: int) -> None:
        starts = [sum(bar.parts[:number]) for bar in bars.bars]
        widths = [bar.parts[number] for bar in bars.bars]
        made = pg.BarGraphItem(
            x0=starts,
            width=widths,
            y=list(range(len(bars.bars))),
            height=THICKNESS,
            brush=self.brush(number),
            pen=pg.mkPen(QColor(self.colour(number)), width=1),
        )
        self.plot.addItem(made)

    def _strokes(self, place: int, bar: Bar) -> None:
        """The limit as an upright stroke; the high end of the 90 % band as a whisker."""
        total = sum(bar.parts)
        ink = pg.mkPen(self.tokens.text, width=2)
        if bar.limit is not None:
            edge = THICKNESS / 2 + 0.1
            self.item.plot([bar.limit, bar.limit], [place - edge, place + edge], pen=ink)
        if bar.high is not None and bar.high > total:
            thin = pg.mkPen(self.tokens.text, width=1.5)
            self.item.plot([total, bar.high], [place, place], pen=thin)
            self.item.plot([bar.high, bar.high], [place - 0.1, place + 0.1], pen=thin)

    def _bar_at(self, position: QPointF) -> Bar | None:
        place = round(self.item.vb.mapSceneToView(position).y())
        return None if self._bars is None or not 0 <= place < len(self._bars.bars) else self._bars.bars[place]

    def cell_at(self, position: QPointF) -> tuple[str, str] | None:
        """The bar and the segment under a place."""
        bar, bars = self._bar_at(position), self._bars
        if bar is None or bars is None:
            return None
        ends = accumulate(bar.parts)
        at = self.item.vb.mapSceneToView(position).x()
        column = next((name for name, end in zip(bars.columns, ends, strict=True) if 0 <= at <= end), None)
        return None if column is None else (bar.key, column)

    def hover_text(self, position: QPointF) -> str:
        """All parts of the bar under the pointer."""
        bar, bars = self._bar_at(position), self._bars
        if bar is None or bars is None:
            return ""
        number = self._session.translator.formats.number
        lines = [
            f"{name}: {number(size)}" for name, size in zip(bars.parts, bar.parts, strict=True) if size > 0
        ]
        return "\n".join([bar.name, *lines])
