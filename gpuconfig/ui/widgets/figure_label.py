"""A figure on a page: click, F1 or Enter opens what is behind it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.reference import title_of
from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import label, set_tone

OPENING_KEYS = (Qt.Key.Key_F1, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class FigureLabel(QLabel):
    """One figure or word; focusable and clickable where something opens."""

    def __init__(self, session: Session, role: str = "") -> None:
        super().__init__()
        self._session = session
        self.shown = Shown(text="")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        if role:
            self.setProperty("role", role)

    def show_figure(self, shown: Shown) -> None:
        """Show another figure."""
        self.shown = shown
        opens = shown.reference is not None
        self.setText(shown.text)
        if self.property("figure") != opens:
            self.setProperty("figure", opens)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if opens else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        set_tone(self, shown.tone)
        self._name()

    def _name(self) -> None:
        _ = self._session.gettext
        reference = self.shown.reference
        title = _(title_of(reference)) if reference is not None else ""
        self.setAccessibleName(f"{title}: {self.shown.plain()}" if title else self.shown.plain())
        self.setToolTip(
            _(N_("{title}: click or F1 shows where it comes from")).format(title=title) if title else ""
        )

    def open(self) -> None:
        """Open what is behind the figure."""
        self._session.open_why(self.shown.reference)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in OPENING_KEYS and self.shown.reference is not None:
            self.open()
        else:
            super().keyPressEvent(event)


class Figure(QWidget):
    """A figure with its status icon before it and its note and "assumed" after it."""

    def __init__(self, session: Session, role: str = "") -> None:
        super().__init__()
        self._session = session
        self._icon = QLabel()
        self.value = FigureLabel(session, role)
        self._note = label("small")
        self._assumed = label("small")
        set_tone_name = self._assumed
        set_tone_name.setProperty("tone", "warning")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for part in (self._icon, self.value, self._note, self._assumed):
            layout.addWidget(part)
        layout.addStretch(1)

    def show_figure(self, shown: Shown) -> None:
        """Show another figure."""
        self.value.show_figure(shown)
        self._note.setText(shown.note)
        self._note.setVisible(bool(shown.note))
        self._assumed.setText(self._session.gettext(N_("assumed")) if shown.assumed else "")
        self._assumed.setVisible(shown.assumed)
        self._icon.setVisible(bool(shown.icon))
        if shown.icon:
            colour = self._session.tokens.tone(shown.tone)
            self._icon.setPixmap(self._session.icons.pixmap(shown.icon, colour))
