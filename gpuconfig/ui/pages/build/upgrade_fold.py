"""Other cards in the machine that is shown: what stays, what is bought, what is left over, or what forbids it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QGridLayout, QSpinBox, QWidget

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.upgrade_view import MOST_CARDS, PartGroup, upgrade_view
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.text import button, clear, column, label, row, set_tone

COMBO_WIDTH = 320
SPIN_WIDTH = 72


class UpgradeFold(Fold):
    """Asks for card and number; the answer is composed off the main thread and changes nothing in the project."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._option: Option | None = None
        self._asked: tuple[Accelerator, int] | None = None
        self._answer: Upgrade | NoBuild | None = None
        self._job: Job | None = None
        self._cards: list[Accelerator] = []
        self.note = label("secondary", wrap=True)
        self.card = QComboBox()
        self.card.setEditable(True)
        self.card.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.card.setFixedWidth(COMBO_WIDTH)
        completer = QCompleter(self.card.model(), self.card)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.card.setCompleter(completer)
        self.count = QSpinBox()
        self.count.setRange(1, MOST_CARDS)
        self.count.setFixedWidth(SPIN_WIDTH)
        self.count.lineEdit().setTextMargins(6, 0, 0, 0)
        self.ask = button()
        self.card_label, self.count_label = label("secondary"), label("secondary")
        self.card_label.setBuddy(self.card)
        self.count_label.setBuddy(self.count)
        self.ask.clicked.connect(self._compose)
        self.result = Notice(session)
        self.rows = QGridLayout()
        self.rows.setHorizontalSpacing(16)
        self.rows.setVerticalSpacing(4)
        self.rows.setColumnStretch(3, 1)
        fields = row(self.card_label, self.card, 8, self.count_label, self.count, 8, self.ask, -1, spacing=8)
        self.body.setLayout(column(self.note, fields, self.result, self.rows, spacing=8))
        self.toggled.connect(lambda _open: self._load())

    def show_option(self, option: Option) -> None:
        """Speak of another machine: an answer about the former one goes."""
        _ = self._session.gettext
        self.set_title(_(N_("Put other cards into this machine")))
        self.note.setText(
            _(
                N_(
                    "The machine counts as yours: what fits stays, and the cheapest change that passes is found."
                )
            )
        )
        self.card_label.setText(_(N_("Accelerator")))
        self.count_label.setText(_(N_("Quantity")))
        self.card.setAccessibleName(f"{self.head.text()}: {self.card_label.text()}")
        self.count.setAccessibleName(f"{self.head.text()}: {self.count_label.text()}")
        self.ask.setText(_(N_("What must change?")))
        if self._option is None or option.build != self._option.build:
            if self._job is not None:
                self._job.cancel()
                self._job = None
            self._answer = None
        self._option = option
        self._load()
        self._show()

    def choose(self, card_id: str, count: int) -> None:
        """Fill in both fields as a person would, and ask."""
        self._load()
        self.card.setCurrentIndex(self.card.findData(card_id))
        self.count.setValue(count)
        self._compose()

    def _load(self) -> None:
        if not self.is_open or self._cards or self._option is None:
            return
        found = self._session.services.catalogue().accelerators()
        self._cards = sorted((card for card in found if not card.complete_machine), key=lambda c: c.name)
        for card in self._cards:
            self.card.addItem(card.name, card.id)
        self.card.setCurrentIndex(max(0, self.card.findData(self._option.accelerator.id)))
        self.count.setValue(self._option.count // max(1, self._option.nodes) + 1)

    def _compose(self) -> None:
        session, option = self._session, self._option
        request = session.request
        number = self.card.findText(self.card.currentText(), Qt.MatchFlag.MatchFixedString)
        if number < 0:
            clear(self.rows)
            self.result.tell(
                Tone.WARNING, session.gettext(N_("Choose an accelerator of the list, by a part of its name."))
            )
            return
        if option is None or option.build is None or request is None:
            return
        if self._job is not None:
            self._job.cancel()
        build, card, count = option.build, self._cards[number], self.count.value()
        self._asked = (card, count)

        def work(_job: Job) -> Upgrade | NoBuild:
            return session.services.upgrade(build, request, card, count)

        title = Message(N_("Composing the changed machine"))
        self._job = session.jobs.read(title, work, self._arrived, alone=True)

    def _arrived(self, answer: Upgrade | NoBuild) -> None:
        self._job = None
        self._answer = answer
        self._show()

    def _show(self) -> None:
        clear(self.rows)
        self.result.setVisible(self._answer is not None)
        if self._answer is None or self._asked is None:
            return
        view = upgrade_view(self._answer, *self._asked, self._session.translator)
        self.result.tell(view.tone, view.headline)
        for group in view.groups:
            self._group(group)
        for tone, text in view.findings:
            told = label("", text, wrap=True)
            set_tone(told, tone)
            self._add(told, 0, 4)

    def _group(self, group: PartGroup) -> None:
        for number, (kind, name, price) in enumerate(group.parts):
            self._add(label("strong", "" if number else group.title), 0)
            at = self.rows.rowCount() - 1
            self.rows.addWidget(label("secondary", kind), at, 1)
            self.rows.addWidget(label("", name), at, 2)
            self.rows.addWidget(label("secondary", price), at, 3)

    def _add(self, widget: QWidget, place: int, span: int = 1) -> None:
        self.rows.addWidget(widget, self.rows.rowCount(), place, 1, span)
