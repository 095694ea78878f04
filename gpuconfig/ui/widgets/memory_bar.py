"""Memory of a card as a bar: used against usable, the 90 % band drawn."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.option_view import MemoryBar
from gpuconfig.ui.session import Session

HEIGHT = 18


class MemoryBarWidget(QWidget):
    """The bar; its words stand beside it as labels."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._bar: MemoryBar | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def show_bar(self, bar: MemoryBar) -> None:
        """Show other figures."""
        self._bar = bar
        t = self._session.translator
        used = t.formats.band(bar.used, bar.low, bar.high, "B")
        usable = t.formats.quantity(bar.usable, "B")
        text = t.gettext(N_("{used} of {usable}: {verdict}")).format(
            used=used, usable=usable, verdict=bar.verdict.text
        )
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        bar, tokens = self._bar, self._session.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(0.5, 4.5, self.width() - 1, HEIGHT - 9)
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.setBrush(QColor(tokens.unknown_surface))
        painter.drawRoundedRect(area, 3, 3)
        if bar is None or bar.used is None or not bar.usable:
            return
        most = max(bar.usable, bar.high or bar.used) * 1.02
        scale = area.width() / most
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.tone(bar.verdict.tone)))
        painter.drawRoundedRect(QRectF(area.left(), area.top(), bar.used * scale, area.height()), 3, 3)
        if bar.low is not None and bar.high is not None:
            self._band(painter, area, bar.low * scale, bar.high * scale)
        painter.setPen(QPen(QColor(tokens.text), 2))
        x = area.left() + bar.usable * scale
        painter.drawLine(int(x), 1, int(x), HEIGHT - 2)

    def _band(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        colour = QColor(self._session.tokens.text)
        painter.setPen(QPen(colour, 1.5))
        middle = area.center().y()
        left, right = area.left() + low, area.left() + high
        painter.drawLine(int(left), int(middle), int(right), int(middle))
        for x in (left, right):
            painter.drawLine(int(x), int(middle - 4), int(x), int(middle + 4))
