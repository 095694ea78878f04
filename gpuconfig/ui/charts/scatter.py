"""The trade-off chart: front filled, dominated hollow, shapes beside colours, hover as a table, dragging brushes."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.tradeoff import SHAPES, Chart, Point
from gpuconfig.ui.charts.canvas import Canvas
from gpuconfig.ui.session import Session

SIZE = 11
NEAR_PX = 14
LABELLED = 8


class BrushBox(pg.ViewBox):
    """A view in which dragging takes points instead of moving the axes.

    Signals:
        brushed: the rectangle that was dragged, in the axes' units.
    """

    brushed = Signal(QRectF)

    def mouseDragEvent(
        self, event: pg.GraphicsScene.mouseEvents.MouseDragEvent, axis: int | None = None
    ) -> None:
        """Draw a rectangle while the button is down."""
        if axis is not None or event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        start, end = event.buttonDownPos(), event.pos()
        if event.isFinish():
            self.rbScaleBox.hide()
            box = QRectF(pg.Point(start), pg.Point(end)).normalized()
            self.brushed.emit(self.childGroup.mapRectFromParent(box))
        else:
            self.updateScaleBox(start, end)


class ScatterChart(Canvas):
    """Points of options.

    Signals:
        brushed: keys of the options within the rectangle that was dragged.
    """

    brushed = Signal(tuple)

    def __init__(self, session: Session) -> None:
        super().__init__(session, view=BrushBox())
        self._chart: Chart | None = None
        self._marked: frozenset[str] = frozenset()
        self.item.vb.brushed.connect(self._brushed)

    def show_data(self, chart: Chart) -> None:
        """Draw other data, or the same in other colours."""
        self._chart = chart
        self.redraw_soon()
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription(chart.summary)

    def draw(self) -> None:
        """Front line, points, names."""
        chart = self._chart
        if chart is None:
            return
        self.name_axes(chart.x_title, chart.y_title)
        if len(chart.front) > 1:
            x, y = zip(*chart.front, strict=True)
            pen = pg.mkPen(self.tokens.secondary, width=1.5, style=Qt.PenStyle.DashLine)
            self.item.plot(list(x), list(y), pen=pen)
        self.plot.addItem(pg.ScatterPlotItem(spots=[self._spot(point) for point in chart.points]))
        self._range(chart)
        self._labels(chart)

    def highlight(self, *keys: str) -> None:
        """Ring points: the rows that are chosen in the table."""
        if frozenset(keys) != self._marked:
            self._marked = frozenset(keys)
            self.redraw()

    def _spot(self, point: Point) -> dict[str, object]:
        colour = QColor(self.colour(point.series))
        ring = point.key in self._marked
        ink = self.tokens.text if ring else colour
        return {
            "pos": (point.x, point.y),
            "symbol": SHAPES[point.series % len(SHAPES)],
            "size": SIZE + (5 if ring else 0),
            "pen": pg.mkPen(ink, width=2.5 if ring else 1.5),
            "brush": pg.mkBrush(colour if point.front else QColor(self.tokens.background)),
        }

    def _labels(self, chart: Chart) -> None:
        """Names beside the front's points, before any legend."""
        front = sorted((p for p in chart.points if p.front), key=lambda p: p.x)
        step = max(1, -(-len(front) // LABELLED))
        shown = [p for n, p in enumerate(front) if n % step == 0 or p.key in self._marked]
        if len(chart.points) <= LABELLED:
            shown = list(chart.points)
        names = self.names()
        names.keep_clear([(point.x, point.y) for point in chart.points], 2 * SIZE)
        names.keep_off(chart.front)
        for point in sorted(shown, key=lambda p: p.x):
            words = f"  {point.name}  "
            anchor = names.place(words, (point.x, point.y))
            if anchor is not None:
                self.text(words, point.x, point.y, anchor)

    def _range(self, chart: Chart) -> None:
        if not chart.points:
            return
        for axis, values in (("x", [p.x for p in chart.points]), ("y", [p.y for p in chart.points])):
            low, high = min(values), max(values)
            pad = (high - low) * 0.12 or abs(high) * 0.1 or 1.0
            getattr(self.plot, f"set{axis.upper()}Range")(
                max(low - pad, 0) if low >= 0 else low - pad, high + pad, padding=0
            )

    def _near(self, position: QPointF) -> Point | None:
        if self._chart is None:
            return None
        best, distance = None, float(NEAR_PX)
        for point in self._chart.points:
            at = self.item.vb.mapViewToScene(QPointF(point.x, point.y))
            apart = ((at.x() - position.x()) ** 2 + (at.y() - position.y()) ** 2) ** 0.5
            if apart < distance:
                best, distance = point, apart
        return best

    def hover_text(self, position: QPointF) -> str:
        """The option under the pointer, and which one beats it."""
        point = self._near(position)
        if point is None:
            return ""
        lines = [point.name, *(f"{name}: {value}" for name, value in point.details)]
        if point.dominated_by:
            lines.append(self._session.gettext(N_("beaten by {name}")).format(name=point.dominated_by))
        return "\n".join(lines)

    def _brushed(self, box: QRectF) -> None:
        if self._chart is not None:
            keys = tuple(p.key for p in self._chart.points if box.contains(QPointF(p.x, p.y)))
            self.highlight(*keys)
            self.brushed.emit(keys)

    def cell_at(self, position: QPointF) -> tuple[str, str] | None:
        """The option under a place, and the measure upwards."""
        point = self._near(position)
        return None if point is None or self._chart is None else (point.key, self._chart.y_key)
