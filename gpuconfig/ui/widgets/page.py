"""What every page is: a title, the line of what it answers, and a scrolling body."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gpuconfig.ui.reading_order import stops
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import READING_WIDTH
from gpuconfig.ui.widgets.text import label

MARGIN = 24


def scrolling(inner: QWidget) -> QScrollArea:
    """`inner` with scroll bars of its own and no frame; the keyboard goes past the bars."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    return area


class Page(QWidget):
    """Base of the pages. `build` makes the widgets, `retranslate` names them, `refresh` fills them."""

    key = ""
    wide = False
    """Tables and charts may take all the width."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("page")
        self.session = session
        self._stale = True
        self._relayout = QTimer(self)
        self._relayout.setSingleShot(True)
        self._relayout.setInterval(0)
        self._relayout.timeout.connect(self.lay_out)
        self.title = label("pageTitle")
        self.answers = label("secondary", wrap=True)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(0, 16, 0, 0)
        self.body.setSpacing(16)
        inner = self._inner = QWidget()
        content = QVBoxLayout(inner)
        content.setContentsMargins(MARGIN, 20, MARGIN, MARGIN)
        content.setSpacing(4)
        content.addWidget(self.title)
        content.addWidget(self.answers)
        content.addLayout(self.body, 1)
        if not self.wide:
            inner.setMaximumWidth(READING_WIDTH + 2 * MARGIN)
        self.area = scrolling(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.area)
        self._outer = layout
        self.build()
        session.language_changed.connect(self.touch)
        session.theme_changed.connect(self.touch)
        session.project_changed.connect(self.touch)
        session.answer_changed.connect(self.touch)

    def build(self) -> None:
        """Make the page's widgets."""

    def retranslate(self) -> None:
        """Name everything in the window's language."""

    def refresh(self) -> None:
        """Fill everything from the session."""

    def touch(self) -> None:
        """Something changed: fill anew at once where the page shows, else when it does."""
        self._stale = True
        if self.isVisible():
            self.show_now()

    def show_now(self) -> None:
        """Name and fill the page if anything changed since the last time."""
        if self._stale:
            self._stale = False
            focus = self._focused()
            self.retranslate()
            self.refresh()
            self.give_letters()
            self._relayout.start()
            if focus is not None:
                self._restore(*focus)

    def give_letters(self) -> None:
        """Alt+letter for the page's buttons."""
        from gpuconfig.ui.widgets.letters import give_letters  # the first page's buttons bring their own

        give_letters(self)

    def lay_out(self) -> None:
        """Give every part its place anew; wrapped texts know their height only once their width is settled."""
        for widget in (self._inner, *self._inner.findChildren(QWidget)):
            inner = widget.layout()
            if inner is not None:
                inner.invalidate()
        layout = self._inner.layout()
        if layout is not None:
            layout.activate()
        self._inner.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout.start()

    def _focused(self) -> tuple[QWidget, type[QWidget], str] | None:
        """The widget of this page that has the keyboard, with what it is known by."""
        widget = self.window().focusWidget()
        if widget is None or not self.isAncestorOf(widget):
            return None
        return widget, type(widget), widget.accessibleName()

    def _restore(self, before: QWidget, kind: type[QWidget], name: str) -> None:
        """Filling anew may have replaced the widget with the keyboard: its successor takes it."""
        if shiboken6.isValid(before) and self.isAncestorOf(before) and before.isVisibleTo(self):
            return
        same = (w for w in self.findChildren(kind) if w.accessibleName() == name and w.isVisibleTo(self))
        successor = next(same, None)
        if successor is not None:
            successor.setFocus()
        else:
            self.focus_first()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_now()

    def focus_first(self) -> None:
        """Where the keyboard starts on this page."""
        first = next(stops(self._inner), None)
        if first is not None:
            first.setFocus()
