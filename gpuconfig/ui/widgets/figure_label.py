"""A figure on a page: click, F1 or Enter opens what is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QColor, QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import column, label, repolish, row, set_tone

if TYPE_CHECKING:
    from gpuconfig.presentation.reference import Reference

RING = 4
"""Pixels that the frame of the keyboard takes beside the words."""

OPENING_KEYS = (Qt.Key.Key_F1, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class FigureLabel(QLabel):
    """A figure, a word or a sentence that may wrap; focusable and clickable where something opens."""

    def __init__(self, session: Session, role: str = "", *, wrap: bool = False) -> None:
        super().__init__()
        self._session = session
        self.shown = Shown(text="")
        self.setWordWrap(wrap)
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Preferred if wrap else QSizePolicy.Policy.Fixed
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)
        if role:
            self.setProperty("role", role)

    def show_figure(self, shown: Shown) -> None:
        """Show another figure."""
        self.shown = shown
        opens = shown.reference is not None
        self.setText(shown.text)
        if self.property("figure") != opens:
            self.setProperty("figure", opens)
            repolish(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if opens else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        set_tone(self, shown.tone)
        self._name()

    def _name(self) -> None:
        _ = self._session.gettext
        reference = self.shown.reference
        title = "" if reference is None else _(_title_of(reference))
        self.setAccessibleName(f"{title}: {self.shown.plain()}" if title else self.shown.plain())
        self.setToolTip(
            _(N_("{title}: click or F1 shows where it comes from")).format(title=title) if title else ""
        )

    def open(self, *, by_key: bool = False) -> None:
        """Open what is behind the figure."""
        self._session.open_why(self.shown.reference, by_key=by_key)

    def paintEvent(self, event: QPaintEvent) -> None:
        opens = self.shown.reference is not None
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if opens and self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._session.tokens.accent_surface))
            painter.drawRoundedRect(self.rect(), 3, 3)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._session.tokens.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self._around_text().adjusted(1, 1, -1, -1), 3, 3)
        painter.end()
        super().paintEvent(event)

    def _around_text(self) -> QRect:
        """Where the words stand: a sentence on one line has the width of its page and need not fill it."""
        width = self.fontMetrics().horizontalAdvance(self.text()) + RING
        return self.rect().intersected(QRect(0, 0, width, self.height()))

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in OPENING_KEYS and self.shown.reference is not None:
            self.open(by_key=True)
        else:
            super().keyPressEvent(event)


def _title_of(reference: Reference) -> str:
    from gpuconfig.presentation.reference import title_of  # the first page has no figure

    return title_of(reference)


class Figure(QWidget):
    """A figure with its status icon before it; its note after or, stacked, under it; "assumed" where it is."""

    def __init__(self, session: Session, role: str = "", *, stacked: bool = False) -> None:
        super().__init__()
        self._session = session
        self._icon = QLabel()
        self.value = FigureLabel(session, role)
        self._note = label("small")
        self._assumed = label("small")
        self._assumed.setProperty("tone", "warning")
        for part in (self._icon, self._note, self._assumed):
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        beside = (self._icon, self.value, self._assumed) if stacked else (
            self._icon, self.value, self._note, self._assumed,
        )  # fmt: skip
        head = row(*beside, -1, spacing=5)
        self.setLayout(column(head, self._note, spacing=0) if stacked else head)
        if stacked:
            self._note.setWordWrap(True)
            self._note.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

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
