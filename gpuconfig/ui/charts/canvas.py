"""A plot in the window's colours and type; pyqtgraph is imported by the modules of this package only.

Charts are made when they are first shown, never at start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpuconfig import paths
from gpuconfig.ui.charts.names import Names
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX, Tokens

MINIMUM_HEIGHT = 340
AGAIN_MS = 60
SYMBOLS = ("o", "s", "t1", "d", "t", "+")
SHAPE_WORDS = "●■▲◆▼✚"
NEAR_PX = 16
MOST_EXPONENT = 300
MOST_DECADES = 2
"""Of a logarithmic axis on which 2 and 5 are named beside 1."""


class PlainAxis(pg.AxisItem):
    """Ticks in thousands groups; on a logarithmic axis the numbers themselves, not powers."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:
        if not self.logMode:
            return [_plain(value) for value in values]
        if max((abs(value) for value in values), default=0.0) > MOST_EXPONENT:
            return ["" for _value in values]  # the range is still that of the chart before
        named = (1,) if self.range[1] - self.range[0] > MOST_DECADES else (1, 2, 5)
        return [_plain(10**value) if round(10 ** (value % 1)) in named else "" for value in values]

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return self.tickStrings(values, scale, spacing)

    def updateAutoSIPrefix(self) -> None:
        """Units stand in the titles as the data say, never with another prefix."""


class Canvas(QWidget):
    """Base of the charts: `draw` paints the data that `show_data` was given.

    Signals:
        cell_opened: keys of the row and the column of the chart's table that stand behind what was clicked.
    """

    cell_opened = Signal(str, str)

    def __init__(self, session: Session, view: pg.ViewBox | None = None) -> None:
        super().__init__()
        self._session = session
        self._tokens: Tokens = session.tokens
        self.plot = pg.PlotWidget(
            axisItems={side: PlainAxis(orientation=side) for side in ("bottom", "left")}, viewBox=view
        )
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setMinimumHeight(MINIMUM_HEIGHT)
        self.hover = QLabel(self.plot)
        self.hover.setTextFormat(Qt.TextFormat.PlainText)
        self.hover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hover.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.plot.scene().sigMouseMoved.connect(self._moved)
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.redraw)

    @property
    def item(self) -> pg.PlotItem:
        """The plot itself."""
        return self.plot.getPlotItem()

    @property
    def tokens(self) -> Tokens:
        """The colours to draw with."""
        return self._tokens

    def redraw(self, tokens: Tokens | None = None) -> None:
        """Draw what is shown again, in the window's colours or in others (an export is always light)."""
        self._again.stop()
        self._tokens = tokens or self._session.tokens
        self.item.clear()
        self.hover.hide()
        self.plot.setBackground(self._tokens.background)
        self.hover.setStyleSheet(
            f"background: {self._tokens.surface}; color: {self._tokens.text}; "
            f"border: 1px solid {self._tokens.border}; padding: 6px;"
        )
        self.draw()

    def redraw_soon(self) -> None:
        """Draw other data in a turn of its own, once however often it changes: what stands around it shows first."""
        self._again.start(0)

    @property
    def is_stale(self) -> bool:
        """Whether other data are still to be drawn."""
        return self._again.isActive()

    def draw(self) -> None:
        """Paint the data."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names find their places anew."""
        super().resizeEvent(event)
        self._again.start(AGAIN_MS)

    def hover_text(self, _position: QPointF) -> str:
        """What stands at a place of the scene; empty where nothing does."""
        return ""

    def cell_at(self, _position: QPointF) -> tuple[str, str] | None:
        """Row and column of the table behind what stands at a place of the scene."""
        return None

    def small_font(self) -> QFont:
        """The font of ticks and names."""
        font = QFont(paths.FONT_FAMILY)
        font.setPixelSize(SMALL_PX)
        return font

    def names(self) -> Names:
        """The places for names beside points, once the axes have their range."""
        return Names(self.item.vb, QFontMetrics(self.small_font()))

    def name_axes(self, x_title: str, y_title: str, *, grid: tuple[bool, bool] = (True, True)) -> None:
        """Titles, colours and type of both axes."""
        for side, title in (("bottom", x_title), ("left", y_title)):
            axis = self.item.getAxis(side)
            axis.setPen(pg.mkPen(self._tokens.border))
            axis.setTextPen(pg.mkPen(self._tokens.secondary))
            axis.setStyle(tickFont=self.small_font(), tickLength=-5)
            axis.setLabel(title, color=self._tokens.secondary, **{"font-size": f"{SMALL_PX + 1}px"})
        self.plot.showGrid(x=grid[0], y=grid[1], alpha=0.12)

    def text(self, words: str, x: float, y: float, anchor: tuple[float, float], colour: str = "") -> None:
        """Words beside a point."""
        made = pg.TextItem(words, anchor=anchor)
        made.setColor(colour or self._tokens.text)
        made.setFont(self.small_font())
        made.setPos(x, y)
        self.plot.addItem(made)

    def colour(self, number: int) -> str:
        """The colour of a series."""
        return self._tokens.series[number % len(self._tokens.series)]

    def _clicked(self, event: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        cell = self.cell_at(event.scenePos())
        if cell is not None:
            self.cell_opened.emit(*cell)

    def _moved(self, position: QPointF) -> None:
        words = self.hover_text(position)
        if not words:
            self.hover.hide()
            return
        self.hover.setText(words)
        self.hover.adjustSize()
        x = min(int(position.x()) + 14, self.plot.width() - self.hover.width() - 4)
        y = min(int(position.y()) + 14, self.plot.height() - self.hover.height() - 4)
        self.hover.move(max(x, 0), max(y, 0))
        self.hover.show()

    def sizeHint(self) -> QSize:
        return QSize(640, MINIMUM_HEIGHT)


def _plain(value: float) -> str:
    """A tick: 1,500 or 0.25, never 1.5e3 within what people read."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e7 or size < 1e-4:
        return f"{value:.3g}"
    decimals = max(0, 2 - math.floor(math.log10(size))) if size < 100 else 0
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
