"""Papers: which one, in which language, with what it lacks; exported as PDF."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QGridLayout, QLabel, QLineEdit, QRadioButton, QWidget

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language
from gpuconfig.presentation.measures import option_name, price_shown
from gpuconfig.presentation.papers import PAPERS, file_name, paper
from gpuconfig.presentation.shown import Tone
from gpuconfig.project.commands import SetPaperFields, SetTitle
from gpuconfig.settings import ORGANISATION, ORGANISATION_FIELDS, PROJECT_FOLDER, SELLER, Organisation
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.text import button, column, label, row


class DocumentsPage(Page):
    """The papers that get the machine bought."""

    key = "documents"

    def build(self) -> None:
        """Papers, language, project's name, parties, export."""
        session = self.session
        self._writing = False
        self.state = Notice(session)
        self.about = label("strong")
        self.price = Figure(session)
        self.paper_title = label("section")
        self.papers = QButtonGroup(self)
        papers = QGridLayout()
        papers.setHorizontalSpacing(16)
        papers.setVerticalSpacing(2)
        papers.setColumnStretch(1, 1)
        self.paper_buttons: list[QRadioButton] = []
        self.purposes: list[QLabel] = []
        for number, _item in enumerate(PAPERS):
            made = QRadioButton()
            self.papers.addButton(made, number)
            self.paper_buttons.append(made)
            purpose = label("secondary", wrap=True)
            self.purposes.append(purpose)
            papers.addWidget(made, number, 0)
            papers.addWidget(purpose, number, 1)
        self.paper_buttons[0].setChecked(True)
        self.language_title = label("section")
        self.languages = QButtonGroup(self)
        self.zh, self.en = QRadioButton("中文"), QRadioButton("English")
        self.languages.addButton(self.zh, 0)
        self.languages.addButton(self.en, 1)
        (self.zh if session.translator.language is Language.ZH else self.en).setChecked(True)
        self.name_label = label("strong")
        self.name = QLineEdit()
        self.name.setMaximumWidth(420)
        self.name_label.setBuddy(self.name)
        self.organisation = PartyFold(self, "organisation")
        self.seller = PartyFold(self, "seller")
        self.export = button("primary")
        self.file = label("secondary")
        parts = (
            self.state,
            row(self.about, self.price, -1, spacing=12),
            self.paper_title,
            papers,
            self.language_title,
            row(self.zh, self.en, -1, spacing=16),
            column(self.name_label, self.name, spacing=4),
            self.organisation,
            self.seller,
            row(self.export, self.file, -1, spacing=12),
        )
        for part in parts:
            self.body.addWidget(part) if isinstance(part, QWidget) else self.body.addLayout(part)
        self.body.addStretch(1)
        self.export.clicked.connect(self.ask_and_export)
        self.papers.idToggled.connect(lambda _id, on: self.touch() if on else None)
        self.languages.idToggled.connect(lambda _id, on: self.touch() if on else None)
        self.name.textEdited.connect(lambda text: session.do(SetTitle(text)))

    @property
    def kind(self) -> str:
        """Key of the chosen paper."""
        return PAPERS[max(self.papers.checkedId(), 0)].key

    @property
    def language(self) -> str:
        """Language of the paper."""
        return "zh" if self.zh.isChecked() else "en"

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Papers")))
        self.answers.setText(_(N_("Which paper does the next person need to say yes?")))
        self.paper_title.setText(_(N_("Paper")))
        self.language_title.setText(_(N_("Language of the paper")))
        self.name_label.setText(_(N_("Project's name")))
        self.name.setAccessibleName(_(N_("Project's name")))
        taken = set("FEVPHX")
        titles = mnemonics.assign([_(item.title) for item in PAPERS], taken)
        for made, purpose, item, title in zip(self.paper_buttons, self.purposes, PAPERS, titles, strict=True):
            made.setText(title)
            made.setAccessibleName(_(item.title))
            purpose.setText(_(item.purpose))
        self.zh.setAccessibleName(_(N_("Paper in Chinese")))
        self.en.setAccessibleName(_(N_("Paper in English")))
        self.export.setText(_(N_("E&xport PDF ...")))
        self.export.setAccessibleName(_(N_("Export PDF")))
        self.organisation.retranslate(_(N_("Your organisation")))
        self.seller.retranslate(_(N_("Seller")))

    def refresh(self) -> None:
        """Show the chosen option and what is missing."""
        session = self.session
        _, option = session.gettext, session.option
        if self.name.text() != session.project.title:
            self.name.setText(session.project.title)
        self.organisation.load()
        self.seller.load()
        self.about.setVisible(option is not None)
        self.price.setVisible(option is not None)
        self.state.hide()
        problem = self.problem()
        self.export.setEnabled(not problem)
        self.file.setText(file_name(session.project, self.kind, self.language))
        if option is None:
            text = _(N_("Papers need a chosen option; there is none yet."))
            self.state.tell(
                Tone.ACCENT, text, _(N_("To the requirement")), lambda: session.page_requested.emit("wizard")
            )
            return
        self.about.setText(_(N_("For {name}")).format(name=option_name(option)))
        self.price.show_figure(price_shown(option, session.translator))
        if problem:
            self.state.tell(Tone.WARNING, problem, _(N_("Fill in the seller")), self._to_seller)

    def problem(self) -> str:
        """What keeps the paper from being made; empty where nothing does."""
        if self.session.option is None:
            return self.session.gettext(N_("Papers need a chosen option; there is none yet."))
        if paper(self.kind).needs_seller and not self.seller.value("name"):
            return self.session.gettext(N_("A quotation binds its seller: fill in the seller's name."))
        return ""

    def _to_seller(self) -> None:
        self.seller.set_open(True)
        self.seller.edits["name"].setFocus()

    def ask_and_export(self) -> None:
        """Ask for the file, then export."""
        session = self.session
        folder = session.services.settings.get(PROJECT_FOLDER) or (
            str(session.path.parent) if session.path else ""
        )
        start = str(Path(folder) / file_name(session.project, self.kind, self.language))
        _ = session.gettext
        chosen, _used = QFileDialog.getSaveFileName(self, _(N_("Export PDF")), start, _(N_("PDF (*.pdf)")))
        if chosen:
            path = Path(chosen)
            self.export_to(path if path.suffix.lower() == ".pdf" else path.with_name(path.name + ".pdf"))

    def export_to(self, path: Path) -> None:
        """Write the paper off the main thread."""
        session = self.session
        option, answer = session.option, session.recommendation
        if option is None or answer is None or self._writing:
            return
        kind, language, project = self.kind, self.language, session.complete_project()
        services = session.services

        def work(_job: Job) -> Path:
            services.export(kind, project, answer, option, language, path)
            return path

        self._writing = True
        session.jobs.write(Message(N_("Writing the paper")), work, self._written, self._failed)

    def _written(self, path: Path) -> None:
        self._writing = False
        _ = self.session.gettext
        self.touch()
        self.session.say(
            _(N_("Written: {file}")).format(file=path.name),
            _(N_("Open")),
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))),
        )

    def _failed(self, fault: Exception) -> None:
        self._writing = False
        self.touch()
        _ = self.session.gettext
        reason = self.session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.state.tell(Tone.PROBLEM, _(N_("The paper could not be written: {reason}")).format(reason=reason))


class PartyFold(Fold):
    """Name, address and bank of one side; kept in the project, filled from the settings."""

    def __init__(self, page: DocumentsPage, whose: str) -> None:
        super().__init__(page.session)
        self.whose = whose
        self._page = page
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self.edits: dict[str, QLineEdit] = {}
        self.labels: dict[str, QLabel] = {}
        names = [field.name for field in fields(Organisation) if field.name in ORGANISATION_FIELDS]
        for number, name in enumerate(names):
            title, edit = label("secondary"), QLineEdit()
            title.setBuddy(edit)
            place = number // 2, (number % 2) * 2
            grid.addWidget(title, place[0], place[1])
            grid.addWidget(edit, place[0], place[1] + 1)
            edit.textEdited.connect(lambda text, n=name: page.session.do(SetPaperFields(whose, {n: text})))
            self.edits[name], self.labels[name] = edit, title
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.keep = button()
        self.keep.clicked.connect(self._keep)
        self.body.setLayout(column(grid, row(-1, self.keep)))

    def retranslate(self, title: str) -> None:
        """Name the fields."""
        _ = self._page.session.gettext
        self.set_title(title)
        for name, edit in self.edits.items():
            self.labels[name].setText(_(ORGANISATION_FIELDS[name]))
            edit.setAccessibleName(f"{title}: {_(ORGANISATION_FIELDS[name])}")
        self.keep.setText(_(N_("Keep for new projects")))
        self.keep.setAccessibleName(f"{self.keep.text()}: {title}")

    def value(self, name: str) -> str:
        """The project's value, or the one kept in the settings."""
        session = self._page.session
        own = session.project.seller if self.whose == "seller" else session.project.organisation
        if name in own:
            return own[name]
        setting = SELLER if self.whose == "seller" else ORGANISATION
        return str(getattr(session.services.settings.get(setting), name))

    def load(self) -> None:
        """Show the values."""
        for name, edit in self.edits.items():
            if edit.text() != self.value(name):
                edit.setText(self.value(name))

    def _keep(self) -> None:
        session = self._page.session
        setting = SELLER if self.whose == "seller" else ORGANISATION
        session.services.settings.set(
            setting, Organisation(**{name: edit.text() for name, edit in self.edits.items()})
        )
        session.say(session.gettext(N_("Kept")))
