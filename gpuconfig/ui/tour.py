"""The first-run tour: five pages of the first sample, one sentence each; never modal, left at any moment."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button, column, label, row

WIDTH = 420
MARGIN = 24


@dataclass(frozen=True, slots=True)
class Stop:
    """One page of the tour."""

    page: str
    title: str
    text: str


STOPS = (
    Stop(
        "wizard",
        N_("Say what is to be done"),
        N_(
            'Six short steps: task, model, data, budget, constraints, summary. "I don\'t know" is an answer: it says '
            "what is assumed. The result at the right follows while you type."
        ),
    ),
    Stop(
        "result",
        N_("See which machines do it"),
        N_(
            "Ranked options with their price and time, why each won or lost, and what would turn it round. Below: "
            "every card that was left out, with the reason."
        ),
    ),
    Stop(
        "result",
        N_("Open any figure"),
        N_(
            "Click a figure, or press F1 on it: formula, inputs, source with date, error band, nearest measurements. "
            '"unknown" is never counted as good.'
        ),
    ),
    Stop(
        "build",
        N_("Check the machine"),
        N_(
            "Every part with its price and its age, slots, power, cooling. A finding says what was measured against "
            "what is required, and what would mend it."
        ),
    ),
    Stop(
        "documents",
        N_("Get it bought"),
        N_(
            "Proposal, requisition, comparison, build sheet, quotation: PDF, Excel or Markdown, in Chinese or English. "
            "Ctrl+K finds every command; F1 explains the control with the keyboard."
        ),
    ),
)


class Tour(QFrame):
    """A box in the lower right corner that leads from page to page.

    Signals:
        ended: the last page was read, or the person left.
    """

    ended = Signal()

    def __init__(self, over: QWidget, session: Session) -> None:
        super().__init__(over)
        self.setProperty("role", "palette")
        self._session = session
        self.number = 0
        self.count = label("small")
        self.title = label("section", wrap=True)
        self.text = label(wrap=True)
        self.leave, self.back, self.next = button("link"), button(), button("primary")
        self.leave.clicked.connect(self.end)
        self.back.clicked.connect(lambda: self.show_stop(self.number - 1))
        self.next.clicked.connect(lambda: self.show_stop(self.number + 1))
        self.setLayout(
            column(
                self.count,
                self.title,
                self.text,
                row(self.leave, -1, self.back, self.next),
                spacing=8,
                margins=16,
            )
        )
        self.setFixedWidth(WIDTH)
        over.installEventFilter(self)
        session.language_changed.connect(self.retranslate)
        self.hide()

    def start(self) -> None:
        """From the first page; the first sample is opened where no project is open."""
        session = self._session
        if not session.is_open:
            session.start(next(iter(session.services.samples().values())))
        self.show_stop(0)

    def show_stop(self, number: int) -> None:
        """One page; past the last one the tour is over."""
        if number >= len(STOPS):
            self.end()
            return
        self.number = max(number, 0)
        self._session.page_requested.emit(STOPS[self.number].page)
        self.retranslate()
        self.show()
        self.raise_()
        self.next.setFocus()

    def end(self) -> None:
        """Leave; the page stays."""
        self.hide()
        self.ended.emit()

    def retranslate(self) -> None:
        """Name everything; the box is as high as its words."""
        _, stop = self._session.gettext, STOPS[self.number]
        self.count.setText(_(N_("Tour: {number} of {all}")).format(number=self.number + 1, all=len(STOPS)))
        self.title.setText(_(stop.title))
        self.text.setText(_(stop.text))
        self.leave.setText(_(N_("Leave the tour")))
        self.back.setText(_(N_("Back")))
        self.back.setEnabled(self.number > 0)
        self.next.setText(_(N_("Done")) if self.number + 1 == len(STOPS) else _(N_("Go on")))
        for made in (self.leave, self.back, self.next):
            made.setAccessibleName(made.text())
        self.setAccessibleName(self.title.text())
        self.setAccessibleDescription(self.text.text())
        for text in (self.title, self.text):
            text.setMinimumHeight(text.heightForWidth(WIDTH - 32))
        self.adjustSize()
        self._place()

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            self.move(over.width() - self.width() - MARGIN, over.height() - self.height() - MARGIN)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
