"""The steps above the questions, each with what was answered so far; any of them can be gone to."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from gpuconfig.ui.widgets.text import button

MARKS = "①②③④⑤⑥"
INDENT = 10
"""Pixels by which the answer stands in, under the title of its button."""


class StepRail(QWidget):
    """One button a step, its answer in words under it.

    Signals:
        chosen: number of the step that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, count: int) -> None:
        super().__init__()
        self.buttons: list[QPushButton] = []
        self.answers: list[_Answer] = []
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(2)
        layout.setVerticalSpacing(0)
        for number in range(count):
            made, answer = button("step"), _Answer()
            made.setCheckable(True)
            made.clicked.connect(lambda _on=False, n=number: self.chosen.emit(n))
            answer.clicked.connect(lambda n=number: self.chosen.emit(n))
            layout.addWidget(made, 0, number, Qt.AlignmentFlag.AlignLeft)
            layout.addWidget(answer, 1, number)
            layout.setColumnStretch(number, 1)
            self.buttons.append(made)
            self.answers.append(answer)

    def name(self, number: int, title: str, words: str, *, wrong: bool) -> None:
        """Write a step's title and its answer; `wrong` marks that something is to be mended there."""
        made = self.buttons[number]
        made.setText(f"{MARKS[number]} {'⚠ ' if wrong else ''}{title}")
        made.setToolTip(words)
        made.setAccessibleName(f"{title}: {words}" if words else title)
        self.answers[number].say(words)

    def show_step(self, number: int) -> None:
        """Tick the step that shows."""
        for place, made in enumerate(self.buttons):
            made.setChecked(place == number)


class _Answer(QLabel):
    """A line that is cut to its width; the tool tip has all of it."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setProperty("role", "small")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setContentsMargins(INDENT, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def say(self, words: str) -> None:
        """Show other words."""
        self._words = words
        self.setToolTip(words)
        self._cut()

    def _cut(self) -> None:
        self.ensurePolished()
        room = self.width() - INDENT - 8
        self.setText(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room) or " ")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit()
