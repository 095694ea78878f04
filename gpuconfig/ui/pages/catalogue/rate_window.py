"""Exchange rate and rental prices: typed in, or asked of public sources when the person says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.presentation.shown import Tone
from gpuconfig.settings import PRICE_SOURCES
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.pages.catalogue.import_preview import ImportPreview
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.text import button, column, label, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.importing import ImportPlan
    from gpuconfig.presentation.desk.rates import Asked

SOURCES_HEIGHT = 90


class RateWindow(SideWindow):
    """Today's rate, the sources, and what would change.

    Signals:
        imported: rows were written; how many.
    """

    imported = Signal(int)
    size_at_first = (940, 680)

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        desk = session.services.desk()
        self._rates, self._imports = desk.rates, desk.imports
        self._job: Job | None = None
        self.heading, self.online_title = label("section"), label("section")
        self.now, self.online_help = label("strong"), label("secondary", wrap=True)
        self.titles = [label("secondary") for _ in range(3)]
        self.rate, self.day, self.source = QLineEdit(), QLineEdit(), QLineEdit()
        self.rate.setMaximumWidth(120)
        self.day.setMaximumWidth(120)
        self.look, self.ask, self.cancel = button(), button(), button("link")
        self.addresses = Fold(session)
        self.list = QPlainTextEdit()
        self.list.setFixedHeight(SOURCES_HEIGHT)
        self.list.setTabChangesFocus(True)
        sources = session.services.settings.get(PRICE_SOURCES)
        self.list.setPlainText("\n".join(sources))
        self.addresses.body.setLayout(column(self.list))
        self.notice = Notice(session)
        self.preview = ImportPreview(session, self._imports)
        self.take = button("primary")
        self._rest = QWidget()
        boxes = (self.rate, self.day, self.source)
        typed = row(*(part for pair in zip(self.titles, boxes, strict=True) for part in pair), self.look)
        layout = column(
            self.heading,
            self.now,
            typed,
            self.online_title,
            self.online_help,
            self.addresses,
            row(self.ask, self.cancel, -1),
            self.notice,
            self.preview,
            self._rest,
            row(-1, self.close_button, self.take),
            margins=16,
        )
        for filler in (self.preview, self._rest):
            layout.setStretchFactor(filler, 1)
        self.setLayout(layout)
        self.look.clicked.connect(self._typed)
        self.ask.clicked.connect(self._ask)
        self.cancel.clicked.connect(self._stop)
        self.take.clicked.connect(self._apply)
        self.retranslate()
        self._show(None)

    def retranslate(self) -> None:
        """Name everything."""
        super().retranslate()
        _ = self._session.gettext
        title = _(N_("Exchange rate and rental prices"))
        self.setWindowTitle(title)
        self.heading.setText(_(N_("Exchange rate")))
        self.now.setText(self._rate_now())
        names = (N_("CNY for one USD"), N_("Date"), N_("Who says so"))
        for shown, name, box in zip(self.titles, names, (self.rate, self.day, self.source), strict=True):
            shown.setText(_(name))
            shown.setBuddy(box)
            box.setAccessibleName(_(name))
        self.day.setPlaceholderText(self._session.services.today().isoformat())
        self.online_title.setText(_(N_("Ask online")))
        self.online_help.setText(
            _(
                N_(
                    "Nothing is ever asked without this button. The answers are shown first; nothing is written before "
                    "you take them. Without a network everything stays as it is."
                )
            )
        )
        self.addresses.set_title(_(N_("Sources that are asked")))
        self.list.setAccessibleName(_(N_("Sources that are asked")))
        for made, words in (
            (self.look, N_("Preview")),
            (self.ask, N_("Ask now")),
            (self.cancel, N_("Cancel")),
            (self.take, N_("Take over")),
        ):
            made.setText(_(words))
            made.setAccessibleName(_(words))
        self.preview.retranslate()

    def _rate_now(self) -> str:
        _ = self._session.gettext
        try:
            known = self._session.services.catalogue().exchange_rate(Currency.USD, Currency.CNY)
        except InputError:
            return _(N_("No rate is known."))
        return _(N_("1 USD = {rate} CNY, {date}, {source}")).format(
            rate=known.rate, date=known.evidence.date or _(N_("unknown")), source=known.evidence.source
        )

    # asking ------------------------------------------------------------------------------------------

    def _typed(self) -> None:
        self.notice.hide()
        try:
            self._show(self._rates.typed(self.rate.text(), self.day.text(), self.source.text()))
        except UserError as error:
            self.notice.tell(Tone.PROBLEM, self._session.render(error.message))

    def _ask(self) -> None:
        lines = tuple(line.strip() for line in self.list.toPlainText().splitlines() if line.strip())
        settings, rates = self._session.services.settings, self._rates
        self.notice.hide()
        try:
            if lines != settings.get(PRICE_SOURCES):
                settings.set(PRICE_SOURCES, lines)
        except OSError as error:
            text = Message(N_("The setting could not be kept: {reason}"), {"reason": refusal(error)})
            self.notice.tell(Tone.WARNING, self._session.render(text))
        self._job = self.reading(
            Message(N_("Asking the sources")), lambda _job: rates.ask(), self._asked, self._failed
        )
        self._enable()

    def _asked(self, asked: Asked) -> None:
        self._job = None
        self._show(asked.plan if asked.plan.rows else None)
        if asked.problems:
            self.notice.tell(Tone.WARNING, "\n".join(self._session.render(text) for text in asked.problems))
        elif not asked.plan.rows:
            self.notice.tell(
                Tone.WARNING, self._session.gettext(N_("No source is given: nothing was asked."))
            )

    def _stop(self) -> None:
        """The answer is not waited for any more; what comes late is dropped."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._enable()

    def _show(self, plan: ImportPlan | None) -> None:
        self.preview.plan = None
        self.preview.setVisible(plan is not None)
        self._rest.setVisible(plan is None)
        if plan is not None:
            self.preview.show_plan(plan)
        self._enable()

    def _enable(self) -> None:
        self.take.setEnabled(self.preview.writes() > 0 and self._job is None)
        self.ask.setEnabled(self._job is None)
        self.cancel.setVisible(self._job is not None)

    def _apply(self) -> None:
        plan, left, imports = self.preview.plan, frozenset(self.preview.left), self._imports
        if plan is not None:
            self.writing(
                Message(N_("Writing the catalogue")),
                lambda job: imports.apply(plan, job, left),
                self._applied,
                self._failed,
            )

    def _applied(self, count: int) -> None:
        self._show(None)
        self.now.setText(self._rate_now())
        self.imported.emit(count)

    def _failed(self, fault: Exception) -> None:
        self._job = None
        self._enable()
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)
