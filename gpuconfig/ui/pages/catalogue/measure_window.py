"""One's own runs: pasted or typed, seen before they are kept, and how far the estimate was off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QSpinBox, QWidget

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.measure_view import quantity_in_words, read_table, run_request, runs_table
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.wizard.summary import headline
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, column, label, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.measuring import OwnRun, ReadValue

PASTE_HEIGHT = 110
MOST_CARDS = 4096


class MeasureWindow(SideWindow):
    """Paste, look, keep; below, what was kept.

    Signals:
        saved: the estimates of a card have moved.
    """

    saved = Signal()
    size_at_first = (980, 760)

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        self._values: Sequence[ReadValue] = ()
        self.heading, self.runs_title = label("section"), label("section")
        self.help, self.work = label("secondary", wrap=True), label("strong", wrap=True)
        self.card_title, self.count_title = label("secondary"), label("secondary")
        self.card, self.count = QComboBox(), QSpinBox()
        self.count.setRange(1, MOST_CARDS)
        self.count.setFixedWidth(80)
        self.source_title, self.day_title = label("secondary"), label("secondary")
        self.source, self.day = QLineEdit(), QLineEdit()
        self.day.setMaximumWidth(120)
        self.paste = QPlainTextEdit()
        self.paste.setTabChangesFocus(True)
        self.paste.setFixedHeight(PASTE_HEIGHT)
        self.read, self.keep = button(), button("primary")
        self.quantity_title, self.quantity, self.value = label("secondary"), QComboBox(), QLineEdit()
        self.value.setMinimumWidth(170)
        self.add = button()
        self.found, self.runs = FigureTable(session, grows=False), FigureTable(session, grows=False)
        self.empty = label("secondary", wrap=True)
        self.remove = button()
        self.notice = Notice(session)
        self._build()
        self.read.clicked.connect(self._read)
        self.paste.textChanged.connect(self._forget)
        self.keep.clicked.connect(self._keep)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.runs.row_chosen.connect(lambda _key: self._enable())
        self._fill_cards()
        self.retranslate()
        self._list()

    def _build(self) -> None:
        layout = column(
            self.heading,
            self.help,
            self.work,
            row(self.card_title, self.card, 8, self.count_title, self.count, -1),
            row(self.source_title, self.source, 8, self.day_title, self.day),
            self.paste,
            row(self.read, self.keep, -1, self.quantity_title, self.quantity, self.value, self.add),
            self.notice,
            self.found,
            row(self.runs_title, -1, self.remove),
            self.empty,
            self.runs,
            row(-1, self.close_button),
            margins=16,
        )
        for table in (self.found, self.runs):
            table.setMinimumHeight(110)
        layout.setStretch(8, 1)
        layout.setStretch(11, 1)
        self.setLayout(layout)

    def _fill_cards(self) -> None:
        cards = self._session.services.catalogue().accelerators()
        for card in cards:
            self.card.addItem(card.name, card.id)
        option = self._session.option
        if option is not None:
            request = option.estimate_request
            self.card.setCurrentIndex(self.card.findData(request.accelerator.id))
            self.count.setValue(request.hardware.gpus_per_node)

    # naming ------------------------------------------------------------------------------------------

    def retranslate(self) -> None:
        """Name everything."""
        super().retranslate()
        t = self._session.translator
        _ = t.gettext
        title = _(N_("Your measurements"))
        self.setWindowTitle(title)
        self.heading.setText(_(N_("Add a run")))
        self.help.setText(
            _(
                N_(
                    "Paste lines of nvidia-smi, a trainer's log, llama-bench or a vLLM benchmark. What you keep "
                    "moves the estimates of this card and shows as your measurement."
                )
            )
        )
        open_ = self._session.is_open and bool(self._session.draft().request)
        work = headline(self._session.answers, t, self._session.names) if open_ else ""
        self.work.setText(
            _(N_("What ran: {work}")).format(work=work)
            if work
            else _(N_("Open a project first: its model and settings say what ran."))
        )
        for shown, words, box in (
            (self.card_title, N_("On the card"), self.card),
            (self.count_title, N_("Cards in the machine"), self.count),
            (self.source_title, N_("Which machine and run"), self.source),
            (self.day_title, N_("Date"), self.day),
            (self.quantity_title, N_("or type a value"), self.quantity),
        ):
            shown.setText(_(words))
            shown.setBuddy(box)
            box.setAccessibleName(_(words))
        self.value.setAccessibleName(_(N_("Measured value")))
        self.value.setPlaceholderText("21.4 GiB, 12.5 ms, 1234")
        self.paste.setAccessibleName(_(N_("Pasted lines")))
        self.paste.setPlaceholderText(_(N_("Paste lines here")))
        self.day.setPlaceholderText(self._session.services.today().isoformat())
        self.runs_title.setText(title)
        self.empty.setText(_(N_("None yet.")))
        for made, words in (
            (self.read, N_("Read the lines")),
            (self.keep, N_("Keep the figures")),
            (self.add, N_("Keep the value")),
            (self.remove, N_("Delete the chosen one")),
        ):
            made.setText(_(words))
            made.setAccessibleName(_(words))
        self._fill_quantities()
        self.found.show_table(read_table(self._values, t))
        self._enable()

    def _fill_quantities(self) -> None:
        self.quantity.clear()
        request = self._request()
        if request is None:
            return
        try:
            kind = self._session.services.read_estimate(request).kind
        except UserError:
            return
        for name in self._session.services.desk().measurements.quantities(kind):
            self.quantity.addItem(quantity_in_words(name, self._session.translator), name)

    def _request(self) -> dict[str, Any] | None:
        """The run as the contract states it; None without a project."""
        if not self._session.is_open:
            return None
        work = self._session.draft().request
        return run_request(work, str(self.card.currentData()), self.count.value()) if work else None

    def _enable(self) -> None:
        ready = self._request() is not None
        self.read.setEnabled(ready)
        self.add.setEnabled(ready)
        self.keep.setEnabled(ready and any(value.problem is None for value in self._values))
        self.remove.setEnabled(bool(self.runs.current_key()))

    # reading and keeping -----------------------------------------------------------------------------

    def _forget(self) -> None:
        """Other lines were pasted: what was read before is not theirs."""
        self._values = ()
        self.found.show_table(read_table((), self._session.translator))
        self._enable()

    def _read(self) -> None:
        request, text, book = (
            self._request(),
            self.paste.toPlainText(),
            self._session.services.desk().measurements,
        )
        self.notice.hide()
        self.reading(
            Message(N_("Reading the lines")), lambda _job: book.read(text, request), self._show, self._failed
        )

    def _show(self, values: Sequence[ReadValue]) -> None:
        self._values = values
        self.found.show_table(read_table(values, self._session.translator))
        if not values:
            self.notice.tell(
                Tone.WARNING, self._session.gettext(N_("No figure of a known tool is in these lines."))
            )
        self._enable()

    def _keep(self) -> None:
        request, values, book = self._request(), self._values, self._session.services.desk().measurements
        source, day = self.source.text(), self.day.text()
        self._write(lambda: book.keep(values, request, source, day))

    def _add(self) -> None:
        request, book = self._request(), self._session.services.desk().measurements
        quantity, value = str(self.quantity.currentData()), self.value.text()
        source, day = self.source.text(), self.day.text()
        self._write(lambda: book.add(quantity, value, request, source, day))

    def _remove(self) -> None:
        key, book = self.runs.current_key(), self._session.services.desk().measurements
        if key:
            self._write(lambda: book.remove(key))

    def _write(self, work: Callable[[], object]) -> None:
        self.notice.hide()
        self.writing(Message(N_("Saving")), lambda _job: work(), lambda _kept: self._saved(), self._failed)

    def _saved(self) -> None:
        self.paste.clear()
        self.value.clear()
        self._list()
        self.saved.emit()

    def _list(self) -> None:
        book = self._session.services.desk().measurements
        self.reading(
            Message(N_("Comparing with the estimates")), lambda _job: book.all(), self._listed, self._failed
        )

    def _listed(self, runs: Sequence[OwnRun]) -> None:
        self.runs.show_table(runs_table(runs, self._session.translator))
        self.empty.setVisible(not runs)
        self.runs.setVisible(bool(runs))
        self._enable()

    def _failed(self, fault: Exception) -> None:
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)
