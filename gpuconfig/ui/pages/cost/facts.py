"""Figures with their titles, two beside each other where the width allows."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.text import clear, label

BETWEEN, SECOND, LAST = 2, 3, 5
"""Columns: the gap between both halves, where the second begins, and the empty rest."""
SPACING, GAP = 16, 24


class Facts(QWidget):
    """Read downwards, first half then second; below one another in a narrow window."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._pairs: list[tuple[QWidget, QWidget]] = []
        self._halves = 2
        self._places = QGridLayout(self)
        self._places.setContentsMargins(0, 0, 0, 0)
        self._places.setHorizontalSpacing(SPACING)
        self._places.setColumnStretch(LAST, 1)

    def show_facts(self, facts: tuple[tuple[str, Shown], ...]) -> None:
        """Show other figures with their titles."""
        self.clear()
        for title, shown in facts:
            figure = Figure(self._session, "strong")
            figure.show_figure(shown)
            self._pairs.append((label("secondary", title), figure))
        self._place(self._fitting())

    def clear(self) -> None:
        """Show nothing."""
        clear(self._places)
        self._pairs = []

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold."""
        super().resizeEvent(event)
        if self._fitting() != self._halves:
            self._place(self._fitting())

    def _fitting(self) -> int:
        """How many halves the width holds beside each other."""
        titles = max((pair[0].sizeHint().width() for pair in self._pairs), default=0)
        figures = max((pair[1].sizeHint().width() for pair in self._pairs), default=0)
        needed = 2 * (titles + figures) + 4 * SPACING + GAP
        return 2 if self.parentWidget() is None or self.width() >= needed else 1

    def _place(self, halves: int) -> None:
        while self._places.takeAt(0) is not None:
            pass
        self._halves = halves
        self._places.setColumnMinimumWidth(BETWEEN, GAP if halves == 2 else 0)
        lines = -(-len(self._pairs) // halves)
        for number, (title, figure) in enumerate(self._pairs):
            line, half = number % lines, number // lines
            self._places.addWidget(title, line, half * SECOND)
            self._places.addWidget(figure, line, half * SECOND + 1)
