"""The style sheet of a window, put on part by part.

Qt dresses anew, at one go, all that lies under a widget whose sheet changes: with every page made and windows open
beside the main one that takes many times the 50 ms a person should wait. So the main window itself has no sheet.
Each part of it has (a bar, a page, a panel, a window beside it), and after a change of colours the parts are dressed
one a turn of the event loop, those that show first; one that comes to show before its turn is dressed at once.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMenu, QWidget


class Wardrobe(QObject):
    """Knows the parts of one window and the sheet they are to have."""

    def __init__(self, sheet: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet
        self._number = 0
        self._worn: dict[QWidget, int] = {}
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._next)

    def add(self, part: QWidget) -> None:
        """Dress a part, now and after each change; what it contains or opens inherits its sheet."""
        part.destroyed.connect(lambda: self._worn.pop(part, None))
        self._dress(part)
        part.installEventFilter(self)

    def add_menu(self, menu: QMenu) -> None:
        """Dress a menu each time before it opens; most are never opened."""
        menu.aboutToShow.connect(lambda: self._dress(menu))
        menu.destroyed.connect(lambda: self._worn.pop(menu, None))

    def change(self, sheet: str) -> None:
        """Another sheet from now on."""
        if sheet != self._sheet:
            self._sheet = sheet
            self._number += 1
            self._turn.start()

    def close(self) -> None:
        """Nothing shows any more."""
        self._turn.stop()

    @property
    def is_dressing(self) -> bool:
        """Whether parts still have the former sheet."""
        return self._turn.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A part that shows must have the sheet of now."""
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget):
            self._dress(watched)
        return False

    def _next(self) -> None:
        """One part; the rest in later turns."""
        late = [part for part, worn in self._worn.items() if worn != self._number]
        if late:
            self._dress(next((part for part in late if part.isVisible()), late[0]))
        if len(late) > 1:
            self._turn.start()

    def _dress(self, part: QWidget) -> None:
        if self._worn.get(part) != self._number:
            self._worn[part] = self._number
            part.setStyleSheet(self._sheet)
