"""A panel at the right of the pages, or over them: a heading with small buttons, and content that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLayout, QPushButton, QWidget

from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.page import scrolling
from gpuconfig.ui.widgets.text import button, column, label, line, row

SMALL_ICON, SMALL_BUTTON = 14, 30


class SidePanel(QFrame):
    """Escape and the last of its buttons close it.

    Signals:
        closed: the person closed it.
    """

    closed = Signal()

    def __init__(self, session: Session, width: int) -> None:
        super().__init__()
        self.session = session
        self.setFixedWidth(width)
        self.heading = label("section")
        self.close_button = small_button()
        self.close_button.clicked.connect(self.closed)

    def hold(self, content: QLayout, *buttons: QPushButton) -> None:
        """Lay out the heading with `buttons` before the one that closes, and `content` under it."""
        inner = QWidget()
        content.setContentsMargins(16, 8, 16, 16)
        inner.setLayout(content)
        self.area = scrolling(inner)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        head = row(self.heading, -1, *buttons, self.close_button, spacing=2)
        head.setContentsMargins(16, 10, 10, 6)
        self.setLayout(column(head, line(), self.area, spacing=0))

    def name(self, title: str) -> None:
        """Write the heading, for screen readers too."""
        self.heading.setText(title)
        self.setAccessibleName(title)

    def name_button(self, made: QPushButton, icon: str, words: str) -> None:
        """Draw and name one of the small buttons."""
        tokens = self.session.tokens
        made.setIcon(self.session.icons.icon(icon, tokens.secondary, disabled=tokens.border))
        made.setAccessibleName(words)
        made.setToolTip(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def small_button() -> QPushButton:
    """A button of the heading: its icon alone."""
    made = button("link")
    made.setIconSize(QSize(SMALL_ICON, SMALL_ICON))
    made.setFixedSize(SMALL_BUTTON, SMALL_BUTTON)
    return made
