"""Ctrl+K: every command of the window, found by typing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.text import column

WIDTH = 520
KEYS_MARGIN = 12
KEYS_ROLE = int(Qt.ItemDataRole.UserRole) + 1


class _KeysDelegate(QStyledItemDelegate):
    """Draws a command's keys at the right of its line, where the eye finds all of them in one column."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        painter.save()
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(option.rect.adjusted(0, 0, -KEYS_MARGIN, 0), right, index.data(KEYS_ROLE))
        painter.restore()


class CommandPalette(QFrame):
    """A box over the window; Enter runs, Esc closes."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent)
        self.setProperty("role", "palette")
        self._session = session
        self._actions: list[QAction] = []
        # Beside the items, not in them: Qt frees Python objects in items at times of its own.
        self._found: list[QAction] = []
        self._before: QWidget | None = None
        self.query = QLineEdit()
        self.results = QListWidget()
        self.results.setItemDelegate(_KeysDelegate(self.results))
        self.results.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setLayout(column(self.query, self.results, margins=8))
        self.query.textChanged.connect(self._filter)
        self.query.installEventFilter(self)
        self.results.itemClicked.connect(lambda _item: self._run())
        session.language_changed.connect(self.retranslate)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """Name the field."""
        _ = self._session.gettext
        self.query.setPlaceholderText(_("Type a command, for example export"))
        self.query.setAccessibleName(_("Find a command"))
        self.results.setAccessibleName(_("Commands found"))
        if self.isVisible():
            self._filter(self.query.text())

    def open(self, actions: list[QAction]) -> None:
        """Offer these commands."""
        self._actions = actions
        self._before = self.window().focusWidget()
        self.query.clear()
        self._filter("")
        parent = self.parentWidget()
        width = min(WIDTH, parent.width() - 48) if parent is not None else WIDTH
        self.setFixedWidth(width)
        self.setFixedHeight(420)
        self.move(((parent.width() if parent is not None else width) - width) // 2, 56)
        self.show()
        self.raise_()
        self.query.setFocus()

    def close_palette(self) -> None:
        """Close and give the keyboard back."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        self._before = None

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        self.results.clear()
        self._found = []
        for action in self._actions:
            name = mnemonics.plain(action.text())
            if action.isEnabled() and all(word in name.casefold() for word in words):
                keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                item = QListWidgetItem(name)
                item.setData(KEYS_ROLE, keys)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {keys}".strip())
                item.setIcon(action.icon())
                self.results.addItem(item)
                self._found.append(action)
        self.results.setCurrentRow(0)

    def _run(self) -> None:
        row = self.results.currentRow()
        action = self._found[row] if 0 <= row < len(self._found) else None
        self.close_palette()
        if action is not None:
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
            if event.key() == Qt.Key.Key_Escape:
                self.close_palette()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
            if event.key() in step and self.results.count():
                target = self.results.currentRow() + step[Qt.Key(event.key())]
                self.results.setCurrentRow(min(max(target, 0), self.results.count() - 1))
                return True
        if event.type() is QEvent.Type.FocusOut:
            self.hide()
        return False
