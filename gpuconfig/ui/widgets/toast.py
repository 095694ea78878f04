"""A short notice at the lower edge with an optional action, gone after a while: never in the way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from gpuconfig.ui.widgets.text import button, label, row

SHOWN_MS = 6000
MARGIN = 24


class Toast(QFrame):
    """One toast over a parent; a new text replaces the old one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        self._over = parent
        self._act: Callable[[], object] | None = None
        self._text = label()
        self._button = button()
        self._button.clicked.connect(self._do)
        layout = row(self._text, self._button, spacing=16)
        layout.setContentsMargins(16, 8, 8, 8)
        self.setLayout(layout)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def tell(self, text: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Show a text with an optional action."""
        self._text.setText(text)
        self._act = do
        self._button.setText(action)
        self._button.setAccessibleName(action or text)
        self._button.setVisible(bool(action))
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        parent = self._over
        self._text.setWordWrap(False)
        self.adjustSize()
        if self.width() > parent.width() - 2 * MARGIN:
            self._text.setWordWrap(True)
            self.setFixedWidth(parent.width() - 2 * MARGIN)
        else:
            self.setMinimumWidth(0)
            self.setMaximumWidth(16777215)
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 56)

    def _do(self) -> None:
        self.hide()
        if self._act is not None:
            self._act()
