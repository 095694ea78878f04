"""A window beside the main one: never modal, follows language and theme, made once or anew each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.ui.jobs import Done, Failed, Job
from gpuconfig.ui.reading_order import ReadingOrder
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.letters import give_letters
from gpuconfig.ui.widgets.page import scrolling
from gpuconfig.ui.widgets.text import button

FRAME_PX = 48
"""Of the screen's height: what the system draws around a window."""


def within_screen(window: QWidget, width: int, height: int) -> tuple[int, int]:
    """A size whose lower edge, with the buttons on it, still shows on a small screen."""
    return width, min(height, window.screen().availableGeometry().height() - FRAME_PX)


class SideWindow(ReadingOrder, QDialog):
    """Base of the windows beside the main one; `kept` ones are made once and only hidden by closing."""

    size_at_first = (720, 640)
    kept = False

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._session = session
        self.setObjectName(type(self).__name__)
        self._running = 0
        self.is_closed = False
        self.about: tuple[object, ...] = ()
        self.resize(*within_screen(self, *self.size_at_first))
        self.close_button = button()
        self.close_button.clicked.connect(self.close)
        self._stale = False
        self._naming = QTimer(self)
        self._naming.setSingleShot(True)
        self._naming.setInterval(0)
        self._naming.timeout.connect(self._name_now)
        session.language_changed.connect(self._touch)
        session.theme_changed.connect(self._touch)
        session.wardrobe.add(self)

    @classmethod
    def show_for(cls, parent: QWidget, session: Session, *about: object) -> Self:
        """The window, in front; another one is made only where none is open for the same thing.

        Args:
            about: further arguments of the window, which tell it from others of its kind.
        """
        open_ = (w for w in parent.findChildren(cls) if w.about == about and not w.is_closed)
        made = next(open_, None) or cls(parent, session, *about)
        made.about = about
        made.show()
        made.raise_()
        made.activateWindow()
        return made

    def reading(
        self, title: Message, work: Callable[[Job], Any], done: Done, failed: Failed, *, quiet: bool = False
    ) -> Job:
        """Work of this window that changes nothing; a window that is closed meanwhile lives until it ends."""
        return self._follow(self._session.jobs.read(title, work, done, failed, quiet=quiet))

    def writing(self, title: Message, work: Callable[[Job], Any], done: Done, failed: Failed) -> Job:
        """Work of this window that changes files: it ends, and is told, though the window was closed."""
        return self._follow(self._session.jobs.write(title, work, done, failed))

    def _follow(self, job: Job) -> Job:
        self._running += 1
        job.ended.connect(self._one_ended)
        return job

    def _one_ended(self) -> None:
        self._running -= 1
        self._delete_when_done()

    def _delete_when_done(self) -> None:
        if self.is_closed and not self._running:
            self.deleteLater()

    def _touch(self) -> None:
        """Other words or colours: in a turn of its own where the window shows, else when it does."""
        self._stale = True
        if self.isVisible():
            self._naming.start()

    def _name_now(self) -> None:
        if self._stale:
            self._stale = False
            self.retranslate()
            give_letters(self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._name_now()
        give_letters(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if not self.kept:
            self.is_closed = True
            self._delete_when_done()

    def retranslate(self) -> None:
        """Name everything in the window's language; subclasses name the rest."""
        text = self._session.gettext(N_("Close"))
        self.close_button.setText(text)
        self.close_button.setAccessibleName(text)


def scrolled(inner: QWidget) -> QScrollArea:
    """The content of a window, scrolling, with the background of a page."""
    inner.setObjectName("page")
    return scrolling(inner)
