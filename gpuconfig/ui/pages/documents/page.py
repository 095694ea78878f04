"""Papers: which one, in which language and format, with what it lacks; previewed, printed, exported."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language
from gpuconfig.presentation.measures import option_name, price_shown
from gpuconfig.presentation.papers import FORMATS, LANGUAGES, PAPERS, file_name, paper
from gpuconfig.presentation.shown import Tone
from gpuconfig.project.commands import SetPaperFields, SetTitle
from gpuconfig.settings import PROJECT_FOLDER
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.pages.documents.parties import PaperFold, PartyFold
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.text import button, column, label, one_line, row


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
        papers = self._make_papers()
        self.language_title = label("section")
        self.languages, self.formats = QComboBox(), QComboBox()
        for value, _title in LANGUAGES:
            self.languages.addItem("", value)
        for suffix, title in FORMATS:
            self.formats.addItem(title, suffix)
        self.languages.setCurrentIndex(0 if session.translator.language is Language.ZH else 1)
        self.frozen = QCheckBox()
        self.name_label = label("strong")
        self.name = QLineEdit()
        self.name.setMaximumWidth(420)
        self.name_label.setBuddy(self.name)
        self.paper_fields = PaperFold(session)
        self.organisation = PartyFold(session, "organisation")
        self.seller = PartyFold(session, "seller")
        self.preview = button()
        self.export = button("primary")
        self.file = label("secondary")
        parts = (
            self.state,
            row(self.about, self.price, -1, spacing=12),
            self.paper_title,
            papers,
            self.language_title,
            row(self.languages, self.formats, 8, self.export, self.preview, -1, spacing=12),
            self.file,
            column(self.name_label, self.name, spacing=4),
            self.paper_fields,
            self.organisation,
            self.seller,
            self.frozen,
        )
        for part in parts:
            self.body.addWidget(part) if isinstance(part, QWidget) else self.body.addLayout(part)
        self.body.addStretch(1)
        self._connect()

    def _make_papers(self) -> QGridLayout:
        """One button a paper, beside it what the paper is for."""
        self.papers = QButtonGroup(self)
        self.paper_buttons: list[QRadioButton] = []
        self.purposes: list[QLabel] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, _item in enumerate(PAPERS):
            made = QRadioButton()
            self.papers.addButton(made, number)
            self.paper_buttons.append(made)
            purpose = label("secondary", wrap=True)
            self.purposes.append(purpose)
            grid.addWidget(made, number, 0)
            grid.addWidget(purpose, number, 1)
        self.paper_buttons[0].setChecked(True)
        return grid

    def _connect(self) -> None:
        session = self.session
        self.export.clicked.connect(self.ask_and_export)
        self.papers.idToggled.connect(lambda _id, on: self.touch() if on else None)
        self.languages.currentIndexChanged.connect(lambda _index: self.touch())
        self.formats.currentIndexChanged.connect(lambda _index: self.touch())
        self.frozen.clicked.connect(
            lambda on: session.do(SetPaperFields("paper", {"prices_frozen": "1" if on else ""}))
        )
        self.preview.clicked.connect(self.show_preview)
        self.name.textEdited.connect(lambda text: session.do(SetTitle(one_line(text))))

    @property
    def kind(self) -> str:
        """Key of the chosen paper."""
        return PAPERS[max(self.papers.checkedId(), 0)].key

    @property
    def language(self) -> str:
        """Language of the paper, or both."""
        return str(self.languages.currentData())

    @property
    def suffix(self) -> str:
        """Ending of the file that is written."""
        return str(self.formats.currentData())

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Papers")))
        self.answers.setText(_(N_("Which paper does the next person need to say yes?")))
        self.paper_title.setText(_(N_("Paper")))
        self.language_title.setText(_(N_("Language and format")))
        self.name_label.setText(_(N_("Project's name")))
        self.name.setAccessibleName(_(N_("Project's name")))
        taken = set("FEVPHX")
        titles = mnemonics.assign([_(item.title) for item in PAPERS], taken)
        for made, purpose, item, title in zip(self.paper_buttons, self.purposes, PAPERS, titles, strict=True):
            made.setText(title)
            made.setAccessibleName(_(item.title))
            purpose.setText(_(item.purpose))
        self.languages.setAccessibleName(_(N_("Language of the paper")))
        self.formats.setAccessibleName(_(N_("Kind of file")))
        for place, (_value, words) in enumerate(LANGUAGES):
            self.languages.setItemText(place, _(words))
        self.frozen.setText(_(N_("Prices are agreed: no draft mark")))
        self.frozen.setAccessibleName(self.frozen.text())
        self.export.setText(_(N_("E&xport ...")))
        self.export.setAccessibleName(_(N_("Export the paper")))
        self.preview.setText(_(N_("Preview ...")))
        self.preview.setAccessibleName(_(N_("Preview and print the paper")))
        self.paper_fields.retranslate()
        self.organisation.retranslate(_(N_("Your organisation")))
        self.seller.retranslate(_(N_("Seller")))

    def refresh(self) -> None:
        """Show the chosen option and what is missing."""
        session = self.session
        _, option = session.gettext, session.option
        title = session.gettext(session.project.title) if session.project.title else ""
        typed = self.name.hasFocus() and self.name.text() == session.project.title
        if self.name.text() != title and not typed:
            self.name.setText(title)
        for fold in (self.paper_fields, self.organisation, self.seller):
            fold.load()
        self.frozen.setChecked(bool(session.project.paper.get("prices_frozen")))
        self.about.setVisible(option is not None)
        self.price.setVisible(option is not None)
        self.state.hide()
        problem = self.problem()
        self.export.setEnabled(not problem)
        self.preview.setEnabled(not problem)
        self.file.setText(file_name(session.project, self.kind, self.language, self.suffix))
        if option is None:
            text = _(N_("Papers need a chosen option; there is none yet."))
            self.state.tell(
                Tone.ACCENT, text, _(N_("To the requirement")), lambda: session.page_requested.emit("wizard")
            )
            return
        self.about.setText(_(N_("For {name}")).format(name=session.translator.part(option_name(option))))
        self.price.show_figure(price_shown(option, session.translator))
        if problem:
            self.state.tell(Tone.WARNING, problem, _(N_("Fill in the seller")), self._to_seller)

    def focus_first(self) -> None:
        """The paper that is chosen."""
        self.paper_buttons[max(self.papers.checkedId(), 0)].setFocus()

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
        start = str(Path(folder) / file_name(session.project, self.kind, self.language, self.suffix))
        _ = session.gettext
        pattern = f"{self.formats.currentText()} (*{self.suffix})"
        chosen, _used = QFileDialog.getSaveFileName(self, _(N_("Export the paper")), start, pattern)
        if chosen:
            path = Path(chosen)
            right = path.suffix.lower() == self.suffix
            self.export_to(path if right else path.with_name(path.name + self.suffix))

    def show_preview(self) -> None:
        """Show the pages as they would be printed; nothing is kept."""
        session = self.session
        option, answer = session.option, session.recommendation
        if option is None or answer is None:
            return
        from gpuconfig.ui.pages.documents.preview import PreviewDialog

        kind, language, project = self.kind, self.language, session.complete_project()
        services = session.services

        def write(path: Path) -> None:
            services.export(kind, project, answer, option, language, path)

        dialog = PreviewDialog(session, session.gettext(paper(kind).title), write, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.start()
        dialog.open()

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
            _(N_("Open folder")),
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))),
        )

    def _failed(self, fault: Exception) -> None:
        self._writing = False
        self.touch()
        _ = self.session.gettext
        reason = self.session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.state.tell(Tone.PROBLEM, _(N_("The paper could not be written: {reason}")).format(reason=reason))
