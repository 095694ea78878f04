"""Folds of fields that papers are filled with: one side's name and bank, or the paper's own number and terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from PySide6.QtWidgets import QFileDialog, QGridLayout, QLabel, QLineEdit, QPushButton

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.presentation.papers import PAPER_WORDS
from gpuconfig.project.commands import SetPaperFields
from gpuconfig.settings import ORGANISATION, ORGANISATION_FIELDS, SELLER, Organisation
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.text import button, column, label, one_line, row

PARTY_WORDS = {**ORGANISATION_FIELDS, "logo": N_("Logo (PNG or JPEG file)")}


class FieldsFold(Fold):
    """Fields in two columns, kept in the project under `whose`."""

    def __init__(self, session: Session, whose: str, words: Mapping[str, str]) -> None:
        super().__init__(session)
        self.whose = whose
        self.words = words
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(12)
        self.grid.setVerticalSpacing(6)
        self.edits: dict[str, QLineEdit] = {}
        self.labels: dict[str, QLabel] = {}
        for number, name in enumerate(words):
            title, edit = label("secondary"), QLineEdit()
            title.setBuddy(edit)
            place = number // 2, (number % 2) * 2
            self.grid.addWidget(title, place[0], place[1])
            self.grid.addWidget(edit, place[0], place[1] + 1)
            edit.textEdited.connect(
                lambda text, n=name: session.do(SetPaperFields(whose, {n: one_line(text)}))
            )
            self.edits[name], self.labels[name] = edit, title
        self.grid.setColumnStretch(1, 1)
        self.grid.setColumnStretch(3, 1)
        self.foot = row(-1)
        self.body.setLayout(column(self.grid, self.foot))

    def name_fields(self, title: str) -> None:
        """Name the fold and its fields."""
        _ = self._session.gettext
        self.set_title(title)
        for name, edit in self.edits.items():
            self.labels[name].setText(_(self.words[name]))
            edit.setAccessibleName(f"{title}: {_(self.words[name])}")

    def value(self, name: str) -> str:
        """The project's value."""
        kept: Mapping[str, str] = getattr(self._session.project, self.whose)
        return kept.get(name, "")

    def load(self) -> None:
        """Show the values."""
        for name, edit in self.edits.items():
            if edit.text() != self.value(name):
                edit.setText(self.value(name))


class PaperFold(FieldsFold):
    """Number, version, validity and terms."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "paper", PAPER_WORDS)

    def retranslate(self) -> None:
        """Name the fields."""
        self.name_fields(self._session.gettext(N_("Number, validity and terms")))


class PartyFold(FieldsFold):
    """Name, address, bank and logo of one side; kept in the project, filled from the settings."""

    def __init__(self, session: Session, whose: str) -> None:
        names = [field.name for field in fields(Organisation) if field.name in PARTY_WORDS]
        super().__init__(session, whose, {name: PARTY_WORDS[name] for name in names})
        self.browse: QPushButton = button()
        self.keep: QPushButton = button()
        self.foot.addWidget(self.browse)
        self.foot.addWidget(self.keep)
        self.browse.clicked.connect(self._choose_logo)
        self.keep.clicked.connect(self._keep)

    def retranslate(self, title: str) -> None:
        """Name the fields."""
        _ = self._session.gettext
        self.name_fields(title)
        self.browse.setText(_(N_("Choose a logo ...")))
        self.browse.setAccessibleName(f"{self.browse.text()}: {title}")
        self.keep.setText(_(N_("Keep for new projects")))
        self.keep.setAccessibleName(f"{self.keep.text()}: {title}")

    def value(self, name: str) -> str:
        """The project's value, or the one kept in the settings."""
        own = getattr(self._session.project, self.whose)
        if name in own:
            return str(own[name])
        setting = SELLER if self.whose == "seller" else ORGANISATION
        return str(getattr(self._session.services.settings.get(setting), name))

    def _choose_logo(self) -> None:
        _ = self._session.gettext
        kinds = _(N_("Pictures (*.png *.jpg *.jpeg)"))
        chosen, _used = QFileDialog.getOpenFileName(self, _(N_("Choose a logo")), "", kinds)
        if chosen:
            self.edits["logo"].setText(chosen)
            self._session.do(SetPaperFields(self.whose, {"logo": chosen}))

    def _keep(self) -> None:
        session = self._session
        setting = SELLER if self.whose == "seller" else ORGANISATION
        try:
            session.services.settings.set(
                setting, Organisation(**{name: edit.text() for name, edit in self.edits.items()})
            )
        except OSError as error:
            text = Message(N_("The setting could not be kept: {reason}"), {"reason": refusal(error)})
            session.say(session.render(text))
            return
        session.say(session.gettext(N_("Kept")))
