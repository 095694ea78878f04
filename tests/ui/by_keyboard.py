"""A person who has no mouse: keys go to whatever has the keyboard, and it must be plain at any time what that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QListWidget, QWidget

from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text_link import TextLink
from tests.ui.conftest import pause, settle

MOST_TABS = 120
ANSWERED_MS = 60
LEAST_SEEN = 0.5
"""Share of the widget with the keyboard, or of the lines of one that is larger than the page, that must show."""


class Keyboard:
    """Presses keys in one window, and after each one looks where the keyboard is."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.pressed = 0
        window.activateWindow()

    @property
    def place(self) -> QWidget:
        """The widget with the keyboard."""
        widget = QApplication.focusWidget()
        assert widget is not None, "nothing has the keyboard"
        return widget

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key and a look; searches go on meanwhile, as they do for a person."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)
        self.pressed += 1
        pause(ANSWERED_MS)
        self.look()

    def calm(self) -> None:
        """Until nothing runs any more, then a look."""
        settle(self.window)
        self.look()

    def ctrl(self, key: Qt.Key) -> None:
        """Ctrl and a key."""
        self.press(key, Qt.KeyboardModifier.ControlModifier)

    def alt(self, key: Qt.Key) -> None:
        """Alt and a letter."""
        self.press(key, Qt.KeyboardModifier.AltModifier)

    def write(self, text: str) -> None:
        """Letters, one after another; Chinese ones come as an input method sends them."""
        for letter in text:
            if letter.isascii():
                QTest.keyClicks(self.place, letter)
            else:
                event = QInputMethodEvent()
                event.setCommitString(letter)
                QApplication.sendEvent(self.place, event)
            self.pressed += 1
        pause(ANSWERED_MS)
        self.look()

    def tab_to(self, what: str, wanted: Callable[[QWidget], bool]) -> QWidget:
        """Tab on until the keyboard is where `wanted` says; each stop on the way must be plain."""
        seen: list[str] = []
        for _press in range(MOST_TABS):
            if wanted(self.place):
                return self.place
            QTest.keyClick(self.place, Qt.Key.Key_Tab)
            self.pressed += 1
            pause(1)
            self.look()
            seen.append(told(self.place))
        raise AssertionError(f"Tab does not lead to {what}; it went past {seen}")

    def tab_named(self, name: str) -> QWidget:
        """Tab on to the widget with this accessible name."""
        return self.tab_to(name, lambda widget: widget.accessibleName() == name)

    def tab_begins(self, name: str) -> QWidget:
        """Tab on to the widget whose accessible name begins like this."""
        return self.tab_to(name, lambda widget: widget.accessibleName().startswith(name))

    def round_trip(self) -> list[QWidget]:
        """Every stop of Tab from here until it comes here again."""
        start, stops = self.place, [self.place]
        for _press in range(MOST_TABS * 4):
            QTest.keyClick(self.place, Qt.Key.Key_Tab)
            pause(1)
            self.look()
            if self.place is start:
                return stops
            stops.append(self.place)
        raise AssertionError(f"Tab never comes back to {told(start)}: {[told(w) for w in stops]}")

    def look(self) -> None:
        """The keyboard is somewhere that shows, is in sight, can be used and has a name."""
        widget = self.place
        known = told(widget)
        assert widget.isVisible(), f"{known} has the keyboard and is hidden"
        assert widget.isEnabled(), f"{known} has the keyboard and is switched off"
        assert name_of(widget), f"{known} has the keyboard and no name"
        assert not isinstance(widget, QLabel) or isinstance(widget, FigureLabel | TextLink), (
            f"{known} is only text"
        )
        assert widget.focusPolicy() is not Qt.FocusPolicy.NoFocus, f"{known} shows no frame"
        assert _seen(widget) >= LEAST_SEEN, f"{known} has the keyboard out of sight ({_seen(widget):.0%})"


def told(widget: QWidget) -> str:
    """A widget in words, for messages of tests."""
    return f"{type(widget).__name__} {name_of(widget)!r}"


def name_of(widget: QWidget) -> str:
    """What a screen reader says."""
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def _seen(widget: QWidget) -> float:
    """Which share of the widget shows; of one that is larger than its page, of the page's height."""
    region = widget.visibleRegion()
    area = sum(rect.width() * rect.height() for rect in region)
    if isinstance(widget, FigureTable | QListWidget):
        return 1.0 if area > 0 else 0.0
    return area / max(widget.width() * widget.height(), 1)


def shown(root: QWidget, kind: type[QWidget]) -> Iterator[QWidget]:
    """Widgets of a kind that stand on a page."""
    return (widget for widget in root.findChildren(kind) if widget.isVisibleTo(root))
