"""What a window works on: the project with its history, the answer to it, language and theme.

Pages read it and change it through commands; it tells them what changed by signals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig.engine.provenance.errors import DataError, InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.project.history import History
from gpuconfig.settings import ORGANISATION, SELLER, Organisation
from gpuconfig.ui.appearance import Appearance
from gpuconfig.ui.autosave import Autosave
from gpuconfig.ui.jobs import Job, Jobs

if TYPE_CHECKING:
    from gpuconfig.engine.selection.recommendation import Option, Recommendation
    from gpuconfig.engine.selection.request import RecommendRequest
    from gpuconfig.presentation.reference import Reference
    from gpuconfig.presentation.services import Services
    from gpuconfig.presentation.wizard.draft import Draft
    from gpuconfig.project.commands import Command
    from gpuconfig.ui.trial import Trial

SETTLE_MS = 350
"""A run of typing ends after this pause; then the machines are searched again."""


class Session(Appearance):
    """State of one window.

    Signals:
        project_changed: the project is another one or was edited.
        answer_changed: recommendation, its state or the chosen option changed.
        saved_changed: the saved state changed.
        why_requested: a figure is to be opened, and whether it was asked for by a key; what_if_requested: numbers
            are to be tried.
        page_requested: another page is to be shown, by key; step_requested: a step of the wizard, by number.
    """

    project_changed = Signal()
    answer_changed = Signal()
    saved_changed = Signal()
    why_requested = Signal(object, bool)
    what_if_requested = Signal()
    page_requested = Signal(str)
    step_requested = Signal(int)

    def __init__(self, services: Services, language: Language | None = None) -> None:
        super().__init__(services, language)
        self.jobs = Jobs(self)
        self.history = History(Project())
        self.is_open = False
        self.path: Path | None = None
        self.saved_at: datetime | None = None
        self.recommendation: Recommendation | None = None
        self.found: Recommendation | None = None
        self._trial: Trial | None = None
        self._shown_with: Mapping[str, str] = {}
        self._composed: Recommendation | None = None
        self._exchanged_with: Mapping[str, str] = {}
        self.request: RecommendRequest | None = None
        self.request_error: UserError | None = None
        self.fault: Exception | None = None
        self.field_errors: Mapping[str, Message] = {}
        self.names: Mapping[str, str] = {}
        self._search: Job | None = None
        self._searched: object = None
        self.autosave = Autosave(self)
        self.autosave.changed.connect(self.saved_changed)
        self._settle = _timer(self, SETTLE_MS, self._settled)

    # project -------------------------------------------------------------------------------------

    @property
    def project(self) -> Project:
        """The project as it stands."""
        return self.history.project

    @property
    def answers(self) -> Mapping[str, object]:
        """The wizard's answers; of a file with only a request, those that lead to it."""
        from gpuconfig.presentation.wizard.restore import answers_or_request  # not needed for the first page

        return answers_or_request(self.project.answers, self.project.request)

    def draft(self) -> Draft:
        """What the answers add up to."""
        from gpuconfig.presentation.wizard.draft import draft

        return draft(self.answers)

    @property
    def is_unsaved(self) -> bool:
        """Whether there is work that is in no file."""
        return self.is_open and not self.history.is_saved and bool(self.history.titles())

    def start(self, project: Project, path: Path | None = None) -> None:
        """Work on another project."""
        self.cancel_search()
        self._settle.stop()
        self.autosave.put_aside() if self.is_unsaved else self.autosave.forget()
        self.history = History(project)
        if not project.answers and project.request:
            from gpuconfig.project.commands import SetAnswers

            self.history = History(SetAnswers(self.answers).apply(project))
        self.is_open = True
        self.path = path
        self.saved_at = None
        self.recommendation, self.request, self._searched = None, None, None
        self._show_found(None)
        self.request_error, self.fault, self.field_errors = None, None, {}
        self.project_changed.emit()
        self.saved_changed.emit()
        self.answer_changed.emit()
        self.search()
        if not self.names:
            from gpuconfig.ui.names import read_names  # the first page names no model

            read_names(self)

    def take_names(self, names: Mapping[str, str]) -> None:
        """What models and parts are called, by their ids; until it is known they go by these."""
        if names != self.names:
            self.names = names
            self.project_changed.emit()

    def do(self, command: Command) -> None:
        """Change the project; searched again and autosaved after a pause."""
        self.is_open = True
        if self.history.do(command):
            self._changed()

    def undo(self) -> None:
        """Take the last step back and say which."""
        title = self.history.undo()
        if title is not None:
            self._forget_trial()
            self._changed()
            text = self.gettext(N_("Undone: {what}")).format(what=self.render(title))
            self.say(text, self.gettext(N_("Redo")), self.redo)

    def redo(self) -> None:
        """Bring the last undone step again."""
        title = self.history.redo()
        if title is not None:
            self._forget_trial()
            self._changed()
            text = self.gettext(N_("Done again: {what}")).format(what=self.render(title))
            self.say(text, self.gettext(N_("Undo")), self.undo)

    def _changed(self) -> None:
        self.field_errors = self.draft().problems
        self.project_changed.emit()
        self.saved_changed.emit()
        self._settle.start()
        self.autosave.soon()
        shown = (dict(self._shown_with), dict(self._exchanged_with))
        if self.found is not None and shown != (dict(self.project.what_if), dict(self.project.exchanges)):
            self._show_found(self._composed)
            self.answer_changed.emit()

    def _settled(self) -> None:
        self.history.settle()
        self.search()

    @property
    def settling(self) -> bool:
        """Whether something was typed that is still to be searched for."""
        return self._settle.isActive()

    def settle_now(self) -> None:
        """The person went on: search at once what was typed."""
        if self._settle.isActive():
            self._settle.stop()
            self._settled()

    # answer --------------------------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Whether the answer on screen is being renewed."""
        return self._search is not None

    @property
    def option(self) -> Option | None:
        """The chosen option, or the best one as it was found: it stays while numbers are tried."""
        if self.recommendation is None:
            return None
        from gpuconfig.presentation.measures import option_key
        from gpuconfig.presentation.option_view import find_option

        first = find_option(self.found, self.project.chosen)
        return find_option(self.recommendation, "" if first is None else option_key(first))

    @property
    def composed(self) -> Recommendation | None:
        """The answer as the search found it, before the person exchanged or tried anything."""
        return self._composed

    @property
    def trial(self) -> Trial:
        """The numbers that are tried on the answer."""
        if self._trial is None:
            from gpuconfig.ui.trial import Trial

            self._trial = Trial(self)
        return self._trial

    def show_tried(self, answer: Recommendation) -> None:
        """Show an answer with numbers that are being tried."""
        self.recommendation = answer
        self.answer_changed.emit()

    def keep_tried(self, command: Command, what_if: Mapping[str, str]) -> None:
        """Make what is tried, and already shown, a step of the project."""
        self._shown_with = what_if
        self.do(command)

    def _show_found(self, found: Recommendation | None) -> None:
        """Take an answer of the search, with the project's what-if laid over it."""
        self._composed = found
        self._exchanged_with = self.project.exchanges
        if found is not None and self.request is not None and self.project.exchanges:
            found = self.services.exchanged(found, self.request, self.project.exchanges)
        self.found = self.recommendation = found
        self._forget_trial()
        self._shown_with = self.project.what_if
        if found is not None and self.project.what_if:
            self.recommendation = self.trial.of(found)

    def _forget_trial(self) -> None:
        if self._trial is not None:
            self._trial.forget()

    def choose(self, key: str, name: str) -> None:
        """Speak of another option from now on."""
        from gpuconfig.project.commands import ChooseOption

        self.do(ChooseOption(key, name))
        self.answer_changed.emit()

    def search(self, *, again: bool = False) -> None:
        """Recommend for the answers as they stand, unless that has been done; the old answer stays meanwhile."""
        found = self.draft()
        self.field_errors = found.problems
        if not found.complete:
            self.cancel_search()
            self._searched = None
            self.answer_changed.emit()
            return
        if found.request == self._searched and not again:
            return
        self.cancel_search()
        self._searched = found.request
        request = found.request
        services = self.services

        def work(job: Job) -> tuple[RecommendRequest, Recommendation]:
            from gpuconfig.ui.memory import give_back

            read = services.read_request(request)
            try:
                return read, services.recommend(read, job)
            finally:
                give_back()

        title = Message(N_("Searching machines"))
        self._search = self.jobs.read(title, work, self._answered, self._refused, alone=True)
        self.answer_changed.emit()

    def cancel_search(self) -> None:
        """Stop a search; what stood before stays."""
        if self._search is not None:
            self._search.cancel()
            self._search = None
            self._searched = None

    def stop_search(self) -> None:
        """The person stopped the search."""
        self.cancel_search()
        self.answer_changed.emit()

    def _answered(self, answer: tuple[RecommendRequest, Recommendation]) -> None:
        self._search = None
        self.request, found = answer
        self._show_found(found)
        self.request_error, self.fault = None, None
        self.answer_changed.emit()

    def _refused(self, fault: Exception) -> None:
        from gpuconfig.presentation.wizard.draft import problem, question_of

        self._search = None
        self.recommendation, self.request = None, None
        self._show_found(None)
        self.request_error, self.fault = None, None
        if isinstance(fault, InputError):
            question = question_of(fault.field, self.answers)
            if question is not None:
                self.field_errors = {**self.field_errors, question: problem(fault)}
            self.request_error = fault
        elif isinstance(fault, UserError):
            self.request_error = fault
        else:
            self.fault = fault
        self.answer_changed.emit()
        self.project_changed.emit()

    # saving --------------------------------------------------------------------------------------

    def save(self, path: Path) -> bool:
        """Write the project's file; False where that failed, which is told."""
        try:
            self.services.save_project(self.complete_project(), path)
        except DataError as error:
            self.say(self.render(error.message))
            return False
        self.path = path
        self.saved_at = datetime.now()
        self.history.mark_saved()
        self.autosave.forget()
        self.remember(path)
        self.saved_changed.emit()
        return True

    def complete_project(self) -> Project:
        """The project with the request its answers add up to and the parties that the settings keep."""
        found = self.draft()
        request = dict(found.request) if found.complete else dict(self.project.request)
        versions = dict(self.recommendation.versions) if self.recommendation else dict(self.project.versions)
        frozen = self.project.frozen
        if self.recommendation:
            frozen = self.services.desk().decisions.frozen(self.recommendation)
        kept = self.services.settings
        organisation = {**_given(kept.get(ORGANISATION)), **self.project.organisation}
        seller = {**_given(kept.get(SELLER)), **self.project.seller}
        return replace(
            self.project,
            request=request,
            versions=versions,
            frozen=frozen,
            organisation=organisation,
            seller=seller,
        )

    def remember(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        try:
            self.services.settings.remember_project(path)
        except OSError:
            return  # the list of recent projects is a convenience

    def touch_journal(self) -> None:
        """Keep the project in the journal soon, though nothing was edited (a recovered one)."""
        self.autosave.soon()
        self.saved_changed.emit()

    def open_why(self, reference: Reference | None, *, by_key: bool = False) -> None:
        """Open what is behind a figure; the keyboard follows where a key asked for it."""
        if reference is not None:
            self.why_requested.emit(reference, by_key)

    def close(self) -> None:
        """End timers and threads."""
        self._settle.stop()
        self.autosave.stop()
        self.wardrobe.close()
        self.jobs.close()


def _given(party: Organisation) -> dict[str, str]:
    return {name: value for name, value in asdict(party).items() if value}


def _timer(parent: QObject, interval: int, slot: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval)
    timer.timeout.connect(slot)
    return timer
