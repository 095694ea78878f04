"""A text that is pressed like a button and may wrap."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel

from gpuconfig.ui.session import Session


class TextLink(QLabel):
    """Click, Enter or Space presses it.

    Signals:
        clicked: it was pressed.
    """

    clicked = Signal()

    def __init__(self, session: Session, text: str) -> None:
        super().__init__(text)
        self._session = session
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "link")
        self.setWordWrap(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._session.tokens.accent), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 3, 3)
