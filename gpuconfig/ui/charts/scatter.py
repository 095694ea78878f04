"""The trade-off chart over pyqtgraph: front filled, dominated hollow, shapes beside colours, hover as a table.

pyqtgraph is imported here only: pages make this widget when they are shown, not at start.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.tradeoff import SHAPES, Chart, Point
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX

SIZE = 11
NEAR_PX = 14
LABELLED = 6


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
        self._labels(chart)
        self._range(chart)
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription(chart.summary)

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
        middle = (
            min((p.x for p in chart.points), default=0) + max((p.x for p in chart.points), default=0)
        ) / 2
        for point in shown:
            right = point.x > middle
            text = pg.TextItem(
                f"{point.name}  " if right else f"  {point.name}", anchor=(1.0 if right else 0.0, 1.0)
            )
            text.setColor(self._session.tokens.text)
            text.setFont(font)
            text.setPos(point.x, point.y)
            self.plot.addItem(text)

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
