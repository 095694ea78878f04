"""Other parts that would do in the chosen machine, each with what it changes in the price."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.alternatives import Alternative
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.presentation.exchange_view import Exchangeable, exchangeable
from gpuconfig.project.commands import Exchange
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.text import clear, column, label

COMBO_CHARACTERS = 40


class ExchangeFold(Fold):
    """Searched when it is opened; choosing a part is one step that can be undone, and checks anew."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._shown: Option | None = None
        self._job: Job | None = None
        self.note = label("secondary", wrap=True)
        self.rows = QGridLayout()
        self.rows.setHorizontalSpacing(16)
        self.rows.setColumnStretch(2, 1)
        self.body.setLayout(column(self.note, self.rows, spacing=8))
        self.toggled.connect(lambda _open: self._search())

    def show_option(self, option: Option) -> None:
        """Speak of another machine."""
        self.set_title(self._session.gettext(N_("Other parts that would do")))
        self._option = option
        if option is not self._shown:
            self._shown = None
            clear(self.rows)
            self._search()

    def _search(self) -> None:
        session, option = self._session, self._option
        request, build = session.request, option.build
        if not self.is_open or self._shown is option or request is None or build is None:
            return
        self._shown = option
        if self._job is not None:
            self._job.cancel()
        self.note.setText(session.gettext(N_("Looking for parts that pass every rule ...")))

        def work(_job: Job) -> Mapping[Kind, tuple[Alternative, ...]]:
            return session.services.alternatives(build, request)

        title = Message(N_("Looking for other parts"))
        self._job = session.jobs.read(
            title, work, lambda found: self._fill(option, found), quiet=True, alone=True
        )

    def _fill(self, option: Option, found: Mapping[Kind, tuple[Alternative, ...]]) -> None:
        self._job = None
        if option is not self._shown:
            return
        clear(self.rows)
        parts = exchangeable(found, option, self._session.translator)
        text = N_("Each passes every rule in this machine; the amount is what it changes in the total.")
        none = N_("No other priced part passes every rule in this machine.")
        self.note.setText(self._session.gettext(text if parts else none))
        for number, part in enumerate(parts):
            self._row(number, part)

    def _row(self, number: int, part: Exchangeable) -> None:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(COMBO_CHARACTERS)
        combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        combo.addItem(part.present)
        for choice in part.choices:
            combo.addItem(choice.text)
        combo.setAccessibleName(f"{self.head.text()}: {part.kind}")
        combo.activated.connect(lambda index: self._take(part, index))
        self.rows.addWidget(label("secondary", part.kind), number, 0)
        self.rows.addWidget(combo, number, 2)

    def _take(self, part: Exchangeable, index: int) -> None:
        if index > 0:
            choice = part.choices[index - 1]
            self._session.do(Exchange(choice.changes, choice.name))
