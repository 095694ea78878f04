"""Start from a template: a usual case answers every question at once, as one step that Undo takes back."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.wizard.restore import answers_of
from gpuconfig.project.commands import ReplaceAnswers
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import column, label


class TemplatePicker(QWidget):
    """The bundled scenarios and budget classes in a list."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._projects = tuple(session.services.templates().values())
        self.title = label("strong")
        self.help = label("secondary", wrap=True)
        self.choices = QComboBox()
        self.choices.setMaximumWidth(560)
        self.choices.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choices.addItems([""] * (len(self._projects) + 1))
        self.title.setBuddy(self.choices)
        self.setLayout(column(self.title, self.help, self.choices, spacing=4))
        self.choices.activated.connect(self._chosen)

    def retranslate(self) -> None:
        """Name the cases."""
        _ = self._session.gettext
        self.title.setText(_(N_("Start from a template")))
        self.help.setText(
            _(
                N_(
                    "Fills in every answer of a usual case; each can be changed afterwards, "
                    "and Undo brings yours back."
                )
            )
        )
        self.choices.setAccessibleName(self.title.text())
        self.choices.setAccessibleDescription(self.help.text())
        self.choices.setItemText(0, _(N_("None: answer the questions")))
        for place, project in enumerate(self._projects, start=1):
            self.choices.setItemText(place, _(project.title))

    def load(self) -> None:
        """Show the template whose answers still stand unchanged."""
        answers = self._session.answers
        place = next((n for n, p in enumerate(self._projects, 1) if answers_of(p.request) == answers), 0)
        self.choices.setCurrentIndex(place)

    def _chosen(self, place: int) -> None:
        if place == 0:
            return
        project = self._projects[place - 1]
        name = Message(N_("template {name}"), {"name": self._session.gettext(project.title)})
        self._session.do(ReplaceAnswers(answers_of(project.request), name))
