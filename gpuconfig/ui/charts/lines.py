"""Lines and points over two axes: shapes beside colours, names at the lines' ends, hover as a small table."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor

from gpuconfig.presentation.charts.model import Look, Plot, Series
from gpuconfig.ui.charts.canvas import NEAR_PX, SYMBOLS, Canvas
from gpuconfig.ui.session import Session

SIZE = 9
BAND_ALPHA = 48
PAD, HEAD_ROOM = 0.06, 0.11
"""Free share of the axes; names above the highest line need more."""


class LineChart(Canvas):
    """Draws a `Plot`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._plot: Plot | None = None
        self._log = (False, False)

    def show_data(self, plot: Plot) -> None:
        """Draw other data, or the same in other colours."""
        self._plot = plot
        self.redraw_soon()
        self.setAccessibleName(plot.title)
        self.setAccessibleDescription(plot.summary)

    def draw(self) -> None:
        """Axes, bands, lines, names."""
        plot = self._plot
        if plot is None:
            return
        if (plot.log_x, plot.log_y) != self._log:
            self.plot.setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
            self.item.setLogMode(x=plot.log_x, y=plot.log_y)
            self._log = (plot.log_x, plot.log_y)
        self.name_axes(plot.x_title, plot.y_title)
        axis = self.item.getAxis("bottom")
        ticks = [(self._at(x, plot.log_x), name) for x, name in plot.x_ticks]
        axis.setTicks([ticks] if ticks else None)
        for series in plot.series:
            self._band(series)
            self._line(series)
        if plot.upright is not None:
            self._upright(plot)
        self._range(plot)
        self._names(plot)

    def _band(self, series: Series) -> None:
        if not series.low or not series.high:
            return
        colour = QColor(self.colour(series.number))
        colour.setAlpha(BAND_ALPHA)
        xs = [self._at(x, self._plot is not None and self._plot.log_x) for x in series.x]
        ends = [pg.PlotCurveItem(xs, list(side), pen=None) for side in (series.low, series.high)]
        for end in ends:
            self.plot.addItem(end)
        self.plot.addItem(pg.FillBetweenItem(*ends, brush=pg.mkBrush(colour)))

    def _line(self, series: Series) -> None:
        colour = QColor(self.colour(series.number))
        dashed = Qt.PenStyle.DashLine if series.look is Look.DASHED else Qt.PenStyle.SolidLine
        pen = None if series.look is Look.POINTS else pg.mkPen(colour, width=2, style=dashed)
        marked = series.look in (Look.MARKED, Look.POINTS)
        background = QColor(self.tokens.background)
        brushes = [
            pg.mkBrush(background if place in series.hollow else colour) for place in range(len(series.x))
        ]
        self.item.plot(
            list(series.x), list(series.y), pen=pen,
            symbol=SYMBOLS[series.number % len(SYMBOLS)] if marked else None, symbolSize=SIZE,
            symbolPen=pg.mkPen(colour, width=1.5), symbolBrush=brushes if marked else None,
        )  # fmt: skip

    def _upright(self, plot: Plot) -> None:
        assert plot.upright is not None  # asked before
        x, name = plot.upright
        pen = pg.mkPen(self.tokens.text, width=1, style=Qt.PenStyle.DotLine)
        self.plot.addItem(pg.InfiniteLine(pos=self._at(x, plot.log_x), angle=90, pen=pen))
        top = max((max(s.y) for s in plot.series if s.y), default=1.0)
        self.text(f" {name}", self._at(x, plot.log_x), self._at(top, plot.log_y), (0.0, 0.0))

    def _range(self, plot: Plot) -> None:
        xs = [self._at(x, plot.log_x) for s in plot.series for x in s.x]
        ys = [self._at(y, plot.log_y) for s in plot.series for y in (*s.y, *s.low, *s.high)]
        if not xs or not ys:
            return
        span = (max(xs) - min(xs)) or abs(max(xs)) or 1.0
        self.plot.setXRange(min(xs) - PAD / 2 * span, max(xs) + 2.5 * PAD * span, padding=0)
        low = 0.0 if plot.from_zero and not plot.log_y and min(ys) >= 0 else min(ys)
        rise = (max(ys) - low) or abs(max(ys)) or 1.0
        self.plot.setYRange(low - (PAD * rise if low else 0), max(ys) + HEAD_ROOM * rise, padding=0)

    def _names(self, plot: Plot) -> None:
        """Each line named at its end, each labelled point beside it; a name without a free place is left out."""
        names = self.names()
        drawn = {id(series): self._points(series, plot) for series in plot.series if series.x}
        for series in plot.series:
            points = drawn.get(id(series), [])
            if series.look in (Look.MARKED, Look.POINTS):
                names.keep_clear(points, SIZE + 4)
            if series.look is not Look.POINTS:
                names.keep_off(points)
        for series in sorted(plot.series, key=lambda s: (not s.labels, -(s.y[-1] if s.y else 0))):
            points = drawn.get(id(series), [])
            ends = [(len(points) - 1, series.name)] if series.look is not Look.POINTS and points else []
            for place, words in [*ends, *enumerate(series.labels)]:
                anchor = names.place(f"  {words}  ", points[place]) if words else None
                if anchor is not None:
                    self.text(f"  {words}  ", *points[place], anchor)

    def _points(self, series: Series, plot: Plot) -> list[tuple[float, float]]:
        """Where a series is drawn, in the axes' units."""
        return [
            (self._at(x, plot.log_x), self._at(y, plot.log_y))
            for x, y in zip(series.x, series.y, strict=True)
        ]

    def _near(self, position: QPointF) -> tuple[Series, int] | None:
        """The series and the number of its point nearest to a place."""
        plot = self._plot
        best, found = float(NEAR_PX), None
        for series in plot.series if plot is not None else ():
            assert plot is not None  # it has series
            for place, point in enumerate(self._points(series, plot)):
                at = self.item.vb.mapViewToScene(QPointF(*point))
                apart = math.hypot(at.x() - position.x(), at.y() - position.y())
                if apart < best:
                    best, found = apart, (series, place)
        return found

    def cell_at(self, position: QPointF) -> tuple[str, str] | None:
        """The row and the column of the point under a place."""
        near = self._near(position)
        if near is None or not near[0].rows:
            return None
        series, place = near
        return (series.rows[place], series.column) if series.rows[place] else None

    def hover_text(self, position: QPointF) -> str:
        """The nearest point with both its values."""
        plot, near = self._plot, self._near(position)
        if plot is None or near is None:
            return ""
        series, place = near
        name = series.labels[place] if series.labels else series.name
        x, y = self._x_word(plot, series.x[place]), self._session.translator.formats.number(series.y[place])
        return f"{name}\n{plot.x_title}: {x}\n{plot.y_title}: {y}"

    def _x_word(self, plot: Plot, x: float) -> str:
        named = next((name for at, name in plot.x_ticks if math.isclose(at, x)), "")
        return named or self._session.translator.formats.number(x)

    @staticmethod
    def _at(value: float, logarithmic: bool) -> float:
        return math.log10(max(value, 1e-12)) if logarithmic else value
