"""The last step: every answer in words, and the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.summary import lines
from gpuconfig.project.commands import SetNotes
from gpuconfig.ui.widgets.text import button, clear, column, label, line

if TYPE_CHECKING:
    from gpuconfig.ui.pages.wizard.page import WizardPage

NOTES_HEIGHT = 84


class SummaryForm(QWidget):
    """Every answer in words, each leading back to its question."""

    def __init__(self, page: WizardPage) -> None:
        super().__init__()
        self._page = page
        self.heading = label("section")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.notes_title = label("strong")
        self.notes_help = label("secondary", wrap=True)
        self.notes = QPlainTextEdit()
        self.notes.setTabChangesFocus(True)
        self.notes.setFixedHeight(NOTES_HEIGHT)
        self.notes_title.setBuddy(self.notes)
        self.notes.textChanged.connect(self._noted)
        notes = column(self.notes_title, self.notes_help, self.notes, spacing=4)
        self.setLayout(column(self.heading, self._grid, notes, -1, spacing=16))

    def retranslate(self) -> None:
        """Heading and notes; the lines are written anew each time."""
        _ = self._page.session.gettext
        self.heading.setText(_(STEPS[-1].heading))
        self.notes_title.setText(_(N_("Notes")))
        self.notes_help.setText(
            _(N_("Why it is needed, what was agreed; printed in the purchase requisition."))
        )
        self.notes.setAccessibleName(self.notes_title.text())
        self.notes.setAccessibleDescription(self.notes_help.text())

    def load(self) -> None:
        """Write the answers anew."""
        clear(self._grid)
        session = self._page.session
        place, last = 0, ""
        for item in lines(session.answers, session.translator, session.names):
            if item.step != last:
                if last:
                    self._grid.addWidget(line(), place, 0, 1, 3)
                    place += 1
                last = item.step
            change = button("link")
            change.setText(item.title)
            change.setAccessibleName(session.gettext(N_("Change {question}")).format(question=item.title))
            change.clicked.connect(lambda _on=False, i=item: self._page.go_to_question(i.step, i.question))
            text = label("secondary" if item.taken else "", item.answer, wrap=True)
            mark = label("small", session.gettext(N_("default")) if item.taken else "")
            self._grid.addWidget(change, place, 0, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(text, place, 1)
            self._grid.addWidget(mark, place, 2, Qt.AlignmentFlag.AlignVCenter)
            place += 1
        if self.notes.toPlainText() != session.project.notes:
            self.notes.setPlainText(session.project.notes)

    def _noted(self) -> None:
        text = self.notes.toPlainText()
        if text != self._page.session.project.notes:
            self._page.session.do(SetNotes(text))
