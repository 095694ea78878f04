"""The answer of the cost page in three figures, side by side over everything else."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.text import clear, column, label


class Headline(QFrame):
    """Figures under their titles, each as wide as the others."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._session = session
        self._places = QHBoxLayout(self)
        self._places.setContentsMargins(16, 12, 16, 12)
        self._places.setSpacing(24)

    def show_facts(self, facts: tuple[tuple[str, Shown], ...]) -> None:
        """Show other figures with their titles."""
        clear(self._places)
        for title, shown in facts:
            figure = Figure(self._session, "big", stacked=True)
            figure.show_figure(shown)
            place = QWidget()
            place.setLayout(column(label("secondary", title), figure, -1, spacing=2))
            self._places.addWidget(place, 1)
