"""A heading that opens and closes what is under it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.text import button


class Fold(QWidget):
    """A button with an arrow, and a body that it shows."""

    toggled = Signal(bool)

    def __init__(self, session: Session, *, is_open: bool = False) -> None:
        super().__init__()
        self._session = session
        self.head = button("link")
        self.head.setCheckable(True)
        self.head.setChecked(is_open)
        self.body = QWidget()
        self.body.setVisible(is_open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.head)
        layout.addWidget(self.body)
        self.head.toggled.connect(self._toggle)
        session.theme_changed.connect(self._arrow)
        self._arrow()

    def set_title(self, text: str) -> None:
        """Name the fold."""
        self.head.setText(text)
        self.head.setAccessibleName(mnemonics.plain(text))

    @property
    def is_open(self) -> bool:
        """Whether the body shows."""
        return self.head.isChecked()

    def set_open(self, value: bool) -> None:
        """Open or close."""
        self.head.setChecked(value)

    def _toggle(self, value: bool) -> None:
        self.body.setVisible(value)
        self._arrow()
        self.toggled.emit(value)

    def _arrow(self) -> None:
        name = "down" if self.head.isChecked() else "forward"
        self.head.setIcon(self._session.icons.icon(name, self._session.tokens.accent))
