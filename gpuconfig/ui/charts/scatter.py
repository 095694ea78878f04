"""The trade-off chart over pyqtgraph: front filled, dominated hollow, shapes beside colours, hover as a table.

pyqtgraph is imported here only: pages make this widget when they are shown, not at start.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.tradeoff import SHAPES, Chart, Point
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX

SIZE = 11
NEAR_PX = 14
LABELLED = 8
ANCHORS = ((0.0, 0.5), (0.0, 1.1), (1.0, 0.5), (1.0, 1.1), (0.0, -0.1), (1.0, -0.1), (0.5, 1.5), (0.5, -0.5))
"""Right, above right, left, above left, below right, below left, above, below."""


class ScatterChart(QWidget):
    """Points of options.

    Signals:
        point_chosen: key of the option that was clicked.
    """

    point_chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._chart: Chart | None = None
        self._highlight = ""
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setMinimumHeight(360)
        self._hover = QLabel(self.plot)
        self._hover.setTextFormat(Qt.TextFormat.PlainText)
        self._hover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hover.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(60)
        self._again.timeout.connect(lambda: self.show_chart(self._chart) if self._chart is not None else None)
        scene = self.plot.scene()
        scene.sigMouseMoved.connect(self._moved)
        scene.sigMouseClicked.connect(self._clicked)

    def show_chart(self, chart: Chart) -> None:
        """Draw other data, or the same in other colours."""
        self._chart = chart
        tokens = self._session.tokens
        item = self.plot.getPlotItem()
        item.clear()
        self.plot.setBackground(tokens.background)
        self._hover.hide()
        self._hover.setStyleSheet(
            f"background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.border}; padding: 6px;"
        )
        self._axes(chart)
        if len(chart.front) > 1:
            x, y = zip(*chart.front, strict=True)
            item.plot(list(x), list(y), pen=pg.mkPen(tokens.secondary, width=1.5, style=Qt.PenStyle.DashLine))
        for point in chart.points:
            self._draw(point)
        self._range(chart)
        self._labels(chart)
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription(chart.summary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names find their places anew."""
        super().resizeEvent(event)
        self._again.start()

    def highlight(self, key: str) -> None:
        """Ring one point: the row that is current in the table."""
        self._highlight = key
        if self._chart is not None:
            self.show_chart(self._chart)

    def _axes(self, chart: Chart) -> None:
        tokens = self._session.tokens
        font = QFont(paths.FONT_FAMILY)
        font.setPixelSize(SMALL_PX)
        for name, title in (("bottom", chart.x_title), ("left", chart.y_title)):
            axis = self.plot.getPlotItem().getAxis(name)
            axis.enableAutoSIPrefix(False)
            axis.setPen(pg.mkPen(tokens.border))
            axis.setTextPen(pg.mkPen(tokens.secondary))
            axis.setStyle(tickFont=font, tickLength=-5)
            axis.setLabel(title, color=tokens.secondary, **{"font-size": f"{SMALL_PX + 1}px"})
        self.plot.showGrid(x=True, y=True, alpha=0.12)

    def _draw(self, point: Point) -> None:
        tokens = self._session.tokens
        colour = QColor(tokens.series[point.series % len(tokens.series)])
        fill = colour if point.front else QColor(tokens.background)
        ring = point.key == self._highlight
        scatter = pg.ScatterPlotItem(
            [point.x],
            [point.y],
            symbol=SHAPES[point.series % len(SHAPES)],
            size=SIZE + (5 if ring else 0),
            pen=pg.mkPen(tokens.text if ring else colour, width=2.5 if ring else 1.5),
            brush=pg.mkBrush(fill),
        )
        self.plot.addItem(scatter)

    def _labels(self, chart: Chart) -> None:
        """Names beside the front's points, before any legend."""
        font = QFont(paths.FONT_FAMILY)
        font.setPixelSize(SMALL_PX)
        front = sorted((p for p in chart.points if p.front), key=lambda p: p.x)
        step = max(1, -(-len(front) // LABELLED))
        shown = [p for n, p in enumerate(front) if n % step == 0 or p.key == self._highlight]
        if len(chart.points) <= LABELLED:
            shown = list(chart.points)
        metrics = QFontMetrics(font)
        taken = [self._box_of(point, QSize(2 * SIZE, 2 * SIZE), (0.5, 0.5)) for point in chart.points]
        for point in sorted(shown, key=lambda p: p.x):
            size = QSize(metrics.horizontalAdvance(f"  {point.name}  ") + 4, metrics.height() + 4)
            anchor = self._free_place(point, size, taken)
            if anchor is None:
                continue
            taken.append(self._box_of(point, size, anchor))
            text = pg.TextItem(f"  {point.name}  ", anchor=anchor)
            text.setColor(self._session.tokens.text)
            text.setFont(font)
            text.setPos(point.x, point.y)
            self.plot.addItem(text)

    def _free_place(self, point: Point, size: QSize, taken: list[QRectF]) -> tuple[float, float] | None:
        """The first corner beside the point where the name covers neither a point nor another name."""
        area = QRectF(self.plot.getPlotItem().vb.rect())
        own = self._box_of(point, QSize(2 * SIZE, 2 * SIZE), (0.5, 0.5))
        for anchor in ANCHORS:
            box = self._box_of(point, size, anchor)
            others = (other for other in taken if other != own)
            if area.contains(box) and not any(box.intersects(other) for other in others):
                return anchor
        return None

    def _box_of(self, point: Point, size: QSize, anchor: tuple[float, float]) -> QRectF:
        """Where a text of `size` would stand, in the plot's own pixels."""
        view = self.plot.getPlotItem().vb
        at = view.mapFromView(QPointF(point.x, point.y))
        corner = QPointF(at.x() - anchor[0] * size.width(), at.y() - anchor[1] * size.height())
        return QRectF(corner, QSizeF(size))

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
        view = self.plot.getPlotItem().vb
        best, distance = None, float(NEAR_PX)
        for point in self._chart.points:
            at = view.mapViewToScene(QPointF(point.x, point.y))
            apart = ((at.x() - position.x()) ** 2 + (at.y() - position.y()) ** 2) ** 0.5
            if apart < distance:
                best, distance = point, apart
        return best

    def _moved(self, position: QPointF) -> None:
        point = self._near(position)
        if point is None:
            self._hover.hide()
            return
        lines = [point.name, *(f"{name}: {value}" for name, value in point.details)]
        if point.dominated_by:
            lines.append(self._session.gettext(N_("beaten by {name}")).format(name=point.dominated_by))
        self._hover.setText("\n".join(lines))
        self._hover.adjustSize()
        x = min(int(position.x()) + 14, self.plot.width() - self._hover.width() - 4)
        y = min(int(position.y()) + 14, self.plot.height() - self._hover.height() - 4)
        self._hover.move(max(x, 0), max(y, 0))
        self._hover.show()

    def _clicked(self, event: Any) -> None:
        point = self._near(event.scenePos())
        if point is not None:
            self.point_chosen.emit(point.key)
