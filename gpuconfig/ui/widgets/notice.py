"""A box that tells something: icon, words, perhaps a button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel

from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button, label, repolish, row

ICONS = {
    Tone.OK: "status-ok",
    Tone.WARNING: "status-warning",
    Tone.PROBLEM: "status-problem",
    Tone.UNKNOWN: "status-unknown",
    Tone.ACCENT: "why",
}


class Notice(QFrame):
    """What happened, why, and what to do."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._tone = Tone.ACCENT
        self._act: Callable[[], object] | None = None
        self.setProperty("role", "notice")
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self._text = label(wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button = button()
        self._button.clicked.connect(self._do)
        self._button.hide()
        layout = row(self._icon, self._text, self._button, spacing=8)
        layout.setStretch(1, 1)
        layout.setContentsMargins(12, 8, 12, 8)
        self.setLayout(layout)
        session.theme_changed.connect(self._colour)
        self.hide()

    def tell(self, tone: Tone, text: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Show a text with an optional button."""
        self._tone = tone
        self._text.setText(text)
        self._act = do
        self._button.setText(action)
        self._button.setAccessibleName(action)
        self._button.setVisible(bool(action))
        self._colour()
        self.show()

    def _colour(self) -> None:
        self.setProperty("tone", self._tone.value)
        repolish(self)
        colour = self._session.tokens.tone(self._tone)
        self._icon.setPixmap(self._session.icons.pixmap(ICONS[self._tone], colour))

    def _do(self) -> None:
        if self._act is not None:
            self._act()
