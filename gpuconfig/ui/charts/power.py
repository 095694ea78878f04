"""From the socket to each load: bands as broad as their watts, laid out as on paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig.documents.watt_flow import NODE, Band, Bar, Layout, WattFlow, lay_out
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX

ROW = 20.0
LEAST_WIDTH = 280
WATTS_WIDTH = 58
ALPHA = 56
LABEL_SHARE = 0.52


class PowerTreeWidget(QWidget):
    """Painted; its words are the accessible description."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._flow: WattFlow | None = None
        self._tone = Tone.NORMAL
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(LEAST_WIDTH)

    def show_flow(self, flow: WattFlow | None, tone: Tone) -> None:
        """Show another machine; `tone` is how the circuit was judged."""
        self._flow, self._tone = flow, tone
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
