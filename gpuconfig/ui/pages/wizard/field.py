"""One question on a page: title, editor, consequence, "I don't know", error; the editors differ by kind."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLayout, QSizePolicy, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.wizard.question import Question, is_unsure
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import column, label, row

FIELD_WIDTH = 340


class QuestionField(QWidget):
    """Base: what all kinds share.

    Signals:
        answered: question, value (None removes it), whether it is being typed.
    """

    answered = Signal(object, object, bool)
    entered = Signal()

    def __init__(self, session: Session, question: Question) -> None:
        super().__init__()
        self.session = session
        self.question = question
        self.loading = False
        self.title = label("strong")
        self.help = label("secondary", wrap=True)
        self.consequence = label("secondary", wrap=True)
        self.error = label("error", wrap=True)
        self.error.hide()
        self.unsure = QCheckBox()
        self.unsure_note = label("secondary", wrap=True)
        unsure: QWidget | QLayout = self.unsure
        if question.advanced:  # half as wide: the consequence wraps beside the box
            unsure = row(self.unsure, self.unsure_note, spacing=8)
            unsure.setAlignment(self.unsure, Qt.AlignmentFlag.AlignTop)
            unsure.setStretch(1, 1)
        self.editor = self.make_editor()
        self.title.setBuddy(self.focus_widget())
        self.setLayout(
            column(self.title, self.help, self.editor, self.consequence, self.error, unsure, spacing=4)
        )
        self.unsure.setVisible(bool(question.unsure))
        self.unsure_note.setVisible(question.advanced and bool(question.unsure))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.unsure.toggled.connect(self._unsure_toggled)

    # to be given by the kinds ----------------------------------------------------------------------

    def make_editor(self) -> QWidget:
        """The widget that is answered with."""
        raise NotImplementedError

    def focus_widget(self) -> QWidget:
        """What the keyboard goes to."""
        return self.editor

    def load_value(self, value: object) -> None:
        """Show an answer without announcing it."""
        raise NotImplementedError

    def name_editor(self, taken: set[str]) -> None:
        """Name the editor in the window's language; `taken` are the page's Alt letters."""

    def consequence_text(self) -> str:
        """What follows from the answer as it stands."""
        return ""

    def mark_invalid(self, invalid: bool) -> None:
        """Mark the editor; its text stays."""

    # shared ------------------------------------------------------------------------------------------

    def retranslate(self, taken: set[str]) -> None:
        """Name everything."""
        _ = self.session.gettext
        self.title.setText(_(self.question.title))
        help_text = _(self.question.help) if self.question.help else ""
        self.help.setText(help_text)
        self.help.setVisible(bool(help_text))
        if self.question.unsure:
            consequence = _(self.question.unsure)
            words = _(N_("I don't know: {consequence}")).format(consequence=consequence)
            self.unsure.setText(_(N_("I don't know")) if self.question.advanced else words)
            self.unsure_note.setText(f"→ {consequence}")
            self.unsure.setAccessibleName(f"{_(self.question.title)}: {words}")
        self.name_editor(taken)
        self.focus_widget().setAccessibleName(_(self.question.title))
        if help_text:
            self.focus_widget().setAccessibleDescription(help_text)
        self.show_consequence()

    def load(self, answers: Mapping[str, object]) -> None:
        """Show the project's answer."""
        self.loading = True
        unsure = is_unsure(answers, self.question.key)
        self.unsure.setChecked(unsure)
        self.editor.setEnabled(not unsure)
        self.load_value(answers.get(self.question.key))
        self.loading = False
        self.show_consequence()

    def show_consequence(self) -> None:
        """Write what follows from the answer under it."""
        text = "" if self.unsure.isChecked() else self.consequence_text()
        self.consequence.setText(text)
        self.consequence.setVisible(bool(text))

    def show_error(self, problem: Message | None) -> None:
        """Write what is wrong under the field, or take it away."""
        text = "" if problem is None else self.session.render(problem)
        self.error.setText(text)
        self.error.setVisible(bool(text))
        self.mark_invalid(bool(text))
        self.focus_widget().setAccessibleDescription(text or self.help.text())

    def answer(self, value: object, *, typing: bool = False) -> None:
        """Announce an answer."""
        if not self.loading:
            self.show_consequence()
            self.answered.emit(self.question, value, typing)

    def _unsure_toggled(self, value: bool) -> None:
        self.editor.setEnabled(not value)
        self.show_consequence()
        if not self.loading:
            self.answered.emit(self.question, True if value else None, False)
