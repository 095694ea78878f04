"""The board's slots to scale: one position a row, cards as blocks over the positions they cover."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig.presentation.build_view import SlotBox, SlotMap
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX

ROW = 26
GUTTER = 26
LANE_WIDTHS = {1: 0.18, 2: 0.2, 4: 0.3, 8: 0.55, 16: 1.0}
PADDING = 8
BETWEEN, RIGHT_SHARE = 12, 0.35
"""Least pixels between a card and its slot's words, and the share of the line that these keep."""


class SlotMapWidget(QWidget):
    """Painted; its words are the accessible description."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._map: SlotMap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(280)

    def show_map(self, slots: SlotMap | None) -> None:
        """Show another board."""
        self._map = slots
        if slots is not None:
            lines = [f"{box.position}: {box.label} {box.card or box.covered}".strip() for box in slots.boxes]
            self.setAccessibleName(slots.summary)
            self.setAccessibleDescription("; ".join(lines))
            self.setToolTip("\n".join(lines))
            self.setFixedHeight(self._height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, self._height())

    def _height(self) -> int:
        if self._map is None or not self._map.boxes:
            return 40
        last = max(box.position + max(box.height, 1) - 1 for box in self._map.boxes)
        first = min(box.position for box in self._map.boxes)
        return (last - first + 1) * ROW + 8

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._map is None or not self._map.boxes:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = min(box.position for box in self._map.boxes)
        for box in self._map.boxes:
            self._slot(painter, box, (box.position - first) * ROW + 4)
        for box in self._map.boxes:
            if box.card:
                self._card(painter, box, (box.position - first) * ROW + 4)

    def _slot(self, painter: QPainter, box: SlotBox, top: int) -> None:
        tokens = self._session.tokens
        font = painter.font()
        font.setPixelSize(SMALL_PX)
        painter.setFont(font)
        painter.setPen(QColor(tokens.secondary))
        painter.drawText(QRectF(0, top, GUTTER - 6, ROW - 4), _RIGHT, str(box.position))
        width = (self.width() - GUTTER - 4) * LANE_WIDTHS.get(box.lanes, 1.0)
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(QRectF(GUTTER + 0.5, top + 0.5, width - 1, ROW - 5), 3, 3)
        if not box.card and not box.covered:
            painter.setPen(QColor(tokens.secondary))
            left = label_left(width, QFontMetrics(font).horizontalAdvance(box.label))
            painter.drawText(QRectF(left, top, self.width() - left, ROW - 4), _LEFT, box.label)

    def _card(self, painter: QPainter, box: SlotBox, top: int) -> None:
        tokens = self._session.tokens
        area = QRectF(GUTTER + 1, top + 1, self.width() - GUTTER - 6, box.height * ROW - 6)
        painter.setPen(QPen(QColor(tokens.accent), 1.5))
        painter.setBrush(QColor(tokens.accent_surface))
        painter.drawRoundedRect(area, 4, 4)
        inner = area.adjusted(10, 0, -10, 0)
        card, label = shared_line(box.card, box.label, int(inner.width()), QFontMetrics(painter.font()))
        painter.setPen(QColor(tokens.text))
        painter.drawText(inner, _LEFT, card)
        painter.setPen(QColor(tokens.secondary))
        painter.drawText(inner, _RIGHT, label)


def label_left(width: float, words: float) -> float:
    """Where a free slot's words begin: inside its outline, or behind one that is too narrow for them."""
    inside = words + 2 * PADDING <= width
    return GUTTER + PADDING + (0.0 if inside else width)


def shared_line(left: str, right: str, width: int, metrics: QFontMetrics) -> tuple[str, str]:
    """Two texts of one line, cut so that they never meet; the right one gives way first, down to its share."""
    end = Qt.TextElideMode.ElideRight
    room = max(width - metrics.horizontalAdvance(left) - BETWEEN, int(width * RIGHT_SHARE))
    right = metrics.elidedText(right, end, room)
    return metrics.elidedText(left, end, width - metrics.horizontalAdvance(right) - BETWEEN), right


_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
