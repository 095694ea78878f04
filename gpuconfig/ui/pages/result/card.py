"""One option as a card. Made once and filled anew, so that it can follow a slider."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.option_view import OptionCard
from gpuconfig.presentation.shown import Shown
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure, FigureLabel
from gpuconfig.ui.widgets.memory_bar import MemoryBarWidget
from gpuconfig.ui.widgets.text import button, column, label, line, repolish, row

REASONS_SHOWN = 3
WIDEST_TITLE = 94
LEAST_WIDTH = 220


class CardWidget(QFrame):
    """What it is, price, time, memory, risk, why, and what would flip it.

    Signals:
        chosen: key of the option.
        opened: key of the option.
    """

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._key = ""
        self._is_chosen: bool | None = None
        self._rows: list[tuple[QLabel, Figure]] = []
        self._words: list[FigureLabel] = []
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(LEAST_WIDTH)
        self.rank, self.mark = label("small"), label("small")
        self.mark.setProperty("tone", "accent")
        self.name, self.kind = label("cardName", wrap=True), label("secondary", wrap=True)
        head = column(row(self.rank, -1, self.mark), self.name, self.kind, spacing=2)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._reasons = column(spacing=4)
        self.select = button()
        self.select.clicked.connect(self._press)
        layout = column(head, self._grid, self._memory(), line(), self._reasons, -1, self.select, spacing=10)
        layout.setContentsMargins(16, 14, 16, 14)
        self.setLayout(layout)

    def _memory(self) -> QVBoxLayout:
        self.bar = MemoryBarWidget(self._session)
        self.used, self.verdict = Figure(self._session), Figure(self._session)
        self.usable, self.memory_title = label("small"), label("secondary")
        return column(
            row(self.memory_title, -1, self.verdict), self.bar, row(self.used, -1), self.usable, spacing=2
        )

    def show_card(self, card: OptionCard, is_chosen: bool) -> None:
        """Show another option, or the same with other figures."""
        _ = self._session.gettext
        self._key = card.key
        self.setAccessibleName(f"{card.name}, {card.kind}")
        self.rank.setText(_(N_("Option {rank}")).format(rank=card.rank))
        self.mark.setText(_(N_("chosen")) if is_chosen else "")
        self.name.setText(card.name)
        self.kind.setText(card.kind)
        self._choose(is_chosen)
        self.select.setText(_(N_("See the machine")) if is_chosen else _(N_("Choose")))
        self.select.setAccessibleName(f"{self.select.text()}: {card.name}")
        self._show_figures(card)
        self._show_memory(card)
        self._show_reasons(card)

    def _choose(self, is_chosen: bool) -> None:
        if self._is_chosen is is_chosen:
            return
        self._is_chosen = is_chosen
        self.setProperty("chosen", is_chosen)
        self.select.setProperty("role", "" if is_chosen else "primary")
        repolish(self)
        repolish(self.select)

    def _show_figures(self, card: OptionCard) -> None:
        _ = self._session.gettext
        rows: list[tuple[str, Shown]] = [
            (_(N_("Price")), card.price),
            (card.time_title, card.time),
            *card.facts,
            (_(N_("Risk")), card.risk),
        ]
        while len(self._rows) < len(rows):
            place = len(self._rows)
            title = label("secondary", wrap=True)
            figure = Figure(self._session, "strong" if place < 2 else "", stacked=True)
            self._grid.addWidget(title, place, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(figure, place, 1)
            self._rows.append((title, figure))
        for place, (title, figure) in enumerate(self._rows):
            shows = place < len(rows)
            title.setVisible(shows)
            figure.setVisible(shows)
            if shows:
                _write(title, rows[place][0])
                figure.show_figure(rows[place][1])

    def _show_memory(self, card: OptionCard) -> None:
        t = self._session.translator
        self.bar.show_bar(card.memory)
        self.used.show_figure(card.memory.label)
        self.verdict.show_figure(card.memory.verdict)
        usable = t.formats.quantity(card.memory.usable, "B")
        self.usable.setText(t.gettext(N_("usable on a card: {amount}")).format(amount=usable))
        self.memory_title.setText(t.gettext(N_("Memory on the fullest card")))

    def _show_reasons(self, card: OptionCard) -> None:
        _ = self._session.gettext
        words: list[tuple[str, Shown]] = []
        for title, texts in (
            (_(N_("Why this")), card.why),
            (_(N_("Why not first")), card.loses),
            (_(N_("What would change it")), card.flips),
        ):
            if texts:
                words += [("small", Shown(text=title)), *(("", text) for text in texts[:REASONS_SHOWN])]
        while len(self._words) < len(words):
            self._words.append(FigureLabel(self._session, wrap=True))
            self._reasons.addWidget(self._words[-1])
        for place, made in enumerate(self._words):
            made.setVisible(place < len(words))
            if place < len(words):
                role, shown = words[place]
                if (made.property("role") or "") != role:
                    made.setProperty("role", role)
                    repolish(made)
                made.show_figure(shown)

    def _press(self) -> None:
        if self._is_chosen:
            self.opened.emit(self._key)
        else:
            self.chosen.emit(self._key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self._key)


def _write(title: QLabel, text: str) -> None:
    """A title takes its own width, or breaks where that would leave no room for the figure."""
    if title.text() != text:
        title.setText(text)
        title.setFixedWidth(min(title.fontMetrics().horizontalAdvance(text) + 2, WIDEST_TITLE))
