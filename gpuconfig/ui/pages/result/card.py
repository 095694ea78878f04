"""One option as a card."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.option_view import OptionCard
from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.memory_bar import MemoryBarWidget
from gpuconfig.ui.widgets.text import button, column, label, line, row

REASONS_SHOWN = 3


class CardWidget(QFrame):
    """What it is, price, time, memory, risk, why, and what would flip it.

    Signals:
        chosen: key of the option.
        compare: key of the option.
    """

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, session: Session, card: OptionCard, is_chosen: bool) -> None:
        super().__init__()
        self._session = session
        self._card = card
        self.setProperty("role", "card")
        self.setProperty("chosen", is_chosen)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(220)
        _ = session.gettext
        self.setAccessibleName(f"{card.name}, {card.kind}")
        rank = label("small", _(N_("Option {rank}")).format(rank=card.rank))
        mark = label("small", _(N_("chosen")) if is_chosen else "")
        mark.setProperty("tone", "accent")
        name = label("cardName", card.name, wrap=True)
        head = column(row(rank, -1, mark), name, label("secondary", card.kind, wrap=True), spacing=2)
        self.select = button("" if is_chosen else "primary")
        self.select.setText(_(N_("See the machine")) if is_chosen else _(N_("Choose")))
        self.select.setAccessibleName(f"{self.select.text()}: {card.name}")
        self.select.clicked.connect(self._press)
        layout = column(
            head, self._figures(), self._memory(), line(), self._reasons(), -1, self.select, spacing=10
        )
        layout.setContentsMargins(16, 14, 16, 14)
        self.setLayout(layout)
        self._is_chosen = is_chosen

    def _figures(self) -> QGridLayout:
        _ = self._session.gettext
        card = self._card
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        rows: list[tuple[str, Shown, str]] = [
            (_(N_("Price")), card.price, "strong"),
            (card.time_title, card.time, "strong"),
        ]
        rows += [(title, shown, "") for title, shown in card.facts]
        rows.append((_(N_("Risk")), card.risk, ""))
        for place, (title, shown, role) in enumerate(rows):
            figure = Figure(self._session, role, stacked=True)
            figure.show_figure(shown)
            grid.addWidget(label("secondary", title), place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(figure, place, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _memory(self) -> QVBoxLayout:
        _ = self._session.gettext
        bar = MemoryBarWidget(self._session)
        bar.show_bar(self._card.memory)
        used = Figure(self._session)
        used.show_figure(self._card.memory.label)
        verdict = Figure(self._session)
        verdict.show_figure(self._card.memory.verdict)
        usable = self._session.translator.formats.quantity(self._card.memory.usable, "B")
        text = label("small", _(N_("usable on a card: {amount}")).format(amount=usable))
        title = label("secondary", _(N_("Memory on the fullest card")))
        return column(row(title, -1, verdict), bar, row(used, -1), text, spacing=2)

    def _reasons(self) -> QVBoxLayout:
        _ = self._session.gettext
        card = self._card
        made = column(spacing=4)
        for title, texts in (
            (_(N_("Why this")), card.why),
            (_(N_("Why not first")), card.loses),
            (_(N_("What would change it")), card.flips),
        ):
            if texts:
                made.addWidget(label("small", title))
                for text in texts[:REASONS_SHOWN]:
                    made.addWidget(label("", text, wrap=True))
        return made

    def _press(self) -> None:
        if self._is_chosen:
            self.opened.emit(self._card.key)
        else:
            self.chosen.emit(self._card.key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self._card.key)
