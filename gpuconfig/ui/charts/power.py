"""From the socket to each load: bands as broad as their watts, laid out as on paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig.documents.watt_flow import NODE, Band, Bar, Layout, WattFlow, lay_out
from gpuconfig.presentation.reference import Reference
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX
from gpuconfig.ui.widgets.figure_label import OPENING_KEYS

ROW = 20.0
LEAST_WIDTH = 280
WATTS_WIDTH = 58
ALPHA = 56
LABEL_SHARE = 0.52


class PowerTreeWidget(QWidget):
    """Painted; its words are the accessible description. A click opens a figure; arrows and F1 do without a mouse."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._flow: WattFlow | None = None
        self._behind: tuple[Reference, ...] = ()
        self._current = 0
        self._tone = Tone.NORMAL
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def show_flow(self, flow: WattFlow | None, behind: tuple[Reference, ...], tone: Tone) -> None:
        """Show another machine.

        Args:
            behind: what each node opens, from the mains to the heat of the supplies.
            tone: how the circuit was judged.
        """
        self._flow, self._behind, self._tone = flow, behind, tone
        self._current = min(self._current, max(len(behind) - 1, 0))
        nodes = () if flow is None else (flow.wall, flow.supply, *flow.loads, flow.lost)
        words = [f"{node.label}: {node.text}" for node in nodes]
        self.setAccessibleName(words[0] if words else "")
        self.setAccessibleDescription("; ".join(words))
        self.setToolTip("\n".join(words))
        self.setFixedHeight(self._height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, self._height())

    def _height(self) -> int:
        return 1 if self._flow is None else int(self._placed(self._flow, 420).height) + 8

    @staticmethod
    def _placed(flow: WattFlow, width: float) -> Layout:
        return lay_out(flow, width, ROW, width * LABEL_SHARE)

    def _bars(self) -> tuple[Bar, ...]:
        return () if self._flow is None else self._placed(self._flow, self.width() - 2).bars

    def _field(self, bar: Bar, number: int) -> QRectF:
        """Where a node and its words stand."""
        if number < 2:  # its words stand over it, up to the next node's
            right = self._bars()[1].x - NODE if number == 0 else bar.x + self.width() * 0.3
            return QRectF(bar.x, bar.label_y - ROW / 2, right - bar.x, ROW)
        return QRectF(bar.x, bar.label_y - ROW / 2, self.width() - bar.x, ROW)

    def node_at(self, place: QPointF) -> int | None:
        """Number of the node at a place, from the mains on; None beside them."""
        for number, bar in enumerate(self._bars()):
            body = QRectF(bar.x, bar.top, NODE, bar.height)
            if body.contains(place) or self._field(bar, number).contains(place):
                return number
        return None

    def _open(self, number: int | None, *, by_key: bool = False) -> None:
        if number is not None and number < len(self._behind):
            self._current = number
            self._session.open_why(self._behind[number], by_key=by_key)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.node_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._open(self.node_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
        if event.key() in step and self._behind:
            moved = self._current + step[Qt.Key(event.key())]
            self._current = min(max(moved, 0), len(self._behind) - 1)
            self.update()
        elif event.key() in OPENING_KEYS and self._behind:
            self._open(self._current, by_key=True)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._flow is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        placed = self._placed(self._flow, self.width() - 2)
        for band in placed.bands:
            self._ribbon(painter, band)
        for number, bar in enumerate(placed.bars):
            self._bar(painter, bar, number)
            if self.hasFocus() and number == self._current:
                painter.setPen(QPen(QColor(self._session.tokens.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(self._field(bar, number).adjusted(1, 1, -1, -1), 3, 3)

    def _ribbon(self, painter: QPainter, band: Band) -> None:
        tokens = self._session.tokens
        colour = QColor(tokens.secondary if band.lost else tokens.series[0])
        colour.setAlpha(ALPHA)
        half = (band.left + band.right) / 2
        low_left, low_right = band.left_top + band.height, band.right_top + band.height
        path = QPainterPath(QPointF(band.left, band.left_top))
        path.cubicTo(half, band.left_top, half, band.right_top, band.right, band.right_top)
        path.lineTo(band.right, low_right)
        path.cubicTo(half, low_right, half, low_left, band.left, low_left)
        path.closeSubpath()
        painter.fillPath(path, colour)

    def _bar(self, painter: QPainter, bar: Bar, number: int) -> None:
        tokens = self._session.tokens
        ends = (tokens.tone(self._tone), tokens.accent)
        colour = tokens.secondary if bar.node.lost else ends[number] if number < 2 else tokens.series[0]
        painter.fillRect(QRectF(bar.x, bar.top, NODE, bar.height), QColor(colour))
        strong, plain = QFont(painter.font()), QFont(painter.font())
        for font in (strong, plain):
            font.setPixelSize(SMALL_PX)
            font.setBold(font is strong)
        base = QRectF(bar.x, bar.label_y - ROW / 2, self.width() - bar.x, ROW)
        if number < 2:
            painter.setFont(strong)
            painter.setPen(QColor(tokens.text))
            painter.drawText(base, _LEFT, f"{bar.node.label}  {bar.node.text}")
            return
        painter.setFont(strong)
        painter.setPen(QColor(tokens.text))
        painter.drawText(base.adjusted(NODE + 6, 0, 0, 0), _LEFT, bar.node.text)
        painter.setFont(plain)
        painter.setPen(QColor(tokens.secondary))
        words = base.adjusted(NODE + WATTS_WIDTH, 0, 0, 0)
        metrics = QFontMetrics(plain)
        painter.drawText(
            words, _LEFT, metrics.elidedText(bar.node.label, Qt.TextElideMode.ElideRight, int(words.width()))
        )


_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
