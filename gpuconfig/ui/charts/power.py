"""From the socket to each load: boxes joined by lines, load over rating as a bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig.presentation.build_view import PowerNode
from gpuconfig.ui.session import Session

ROW = 46
INDENT = 24


class PowerTreeWidget(QWidget):
    """Painted; its words are the accessible description."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._rows: list[tuple[int, PowerNode]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(280)

    def show_tree(self, root: PowerNode | None) -> None:
        """Show another machine."""
        self._rows = []
        if root is not None:
            self._add(root, 0)
        words = [f"{node.name}: {node.text}" for _depth, node in self._rows]
        self.setAccessibleName(words[0] if words else "")
        self.setAccessibleDescription("; ".join(words))
        self.setToolTip("\n".join(words))
        self.setFixedHeight(max(len(self._rows) * ROW, 1))
        self.update()

    def _add(self, node: PowerNode, depth: int) -> None:
        self._rows.append((depth, node))
        for child in node.children:
            self._add(child, depth + 1)

    def sizeHint(self) -> QSize:
        return QSize(360, max(len(self._rows) * ROW, 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._session.tokens
        parents: dict[int, int] = {}
        for number, (depth, node) in enumerate(self._rows):
            top = number * ROW
            if depth:
                x = (depth - 1) * INDENT + 10
                start = parents[depth - 1] * ROW + ROW - 8
                painter.setPen(QPen(QColor(tokens.border), 1.5))
                painter.drawLine(x, start, x, top + ROW // 2 - 4)
                painter.drawLine(x, top + ROW // 2 - 4, x + INDENT - 10, top + ROW // 2 - 4)
            parents[depth] = number
            self._box(
                painter,
                node,
                QRectF(depth * INDENT + 1, top + 1, self.width() - depth * INDENT - 4, ROW - 10),
            )

    def _box(self, painter: QPainter, node: PowerNode, area: QRectF) -> None:
        tokens = self._session.tokens
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(area, 4, 4)
        inner = area.adjusted(10, 0, -10, 0)
        metrics = QFontMetrics(painter.font())
        width = metrics.horizontalAdvance(node.text)
        painter.setPen(QColor(tokens.tone(node.tone)))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), node.text)
        painter.setPen(QColor(tokens.text))
        room = int(inner.width()) - width - 16
        name = metrics.elidedText(node.name, Qt.TextElideMode.ElideRight, max(room, 20))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), name)
        if node.share is not None:
            track = QRectF(area.left() + 1, area.bottom() - 4, area.width() - 2, 3)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.border))
            painter.drawRect(track)
            painter.setBrush(QColor(tokens.tone(node.tone)))
            painter.drawRect(
                QRectF(track.left(), track.top(), track.width() * min(node.share, 1.0), track.height())
            )
