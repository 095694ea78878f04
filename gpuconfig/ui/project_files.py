"""New, open, save: the project's file as menus and pages use it; what is left behind can be brought back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.project.document import Project
from gpuconfig.project.files import SUFFIX
from gpuconfig.project.history import History
from gpuconfig.project.journal import Journal
from gpuconfig.settings import PROJECT_FOLDER, RECENT_PROJECTS
from gpuconfig.ui.session import Session

MODEL_SUFFIXES = (".json", ".gguf")
TABLE_SUFFIXES = (".csv", ".tsv", ".xlsx", ".md", ".yaml", ".yml", ".xz")
"""What the parts database imports."""


class ProjectFiles(QObject):
    """The file side of one window.

    Signals:
        opened: a project is open; the page to show.
        model_dropped: a model's file is to answer the wizard's question.
        table_dropped: parts, prices or a quotation are to be imported.
    """

    opened = Signal(str)
    model_dropped = Signal(Path)
    table_dropped = Signal(Path)

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._told_of: Project | None = None

    def new(self) -> None:
        """Begin with the first question; unsaved work can be brought back from the toast."""
        self._leave(lambda: self._start(Project(), None, "wizard"))

    def ask_open(self) -> None:
        """Ask for a project's file."""
        from PySide6.QtWidgets import QFileDialog

        title = self._session.gettext(N_("Open project"))
        chosen, _used = QFileDialog.getOpenFileName(
            self._window.focusWidget(), title, self._folder(), self._filter()
        )
        if chosen:
            self.open(Path(chosen))

    def open(self, path: Path) -> None:
        """Open a project's file; what cannot be read is told and nothing changes."""
        try:
            project = self._session.services.open_project(path)
        except UserError as error:
            self._session.say(self._session.render(error.message))
            return
        self._leave(lambda: self._start(project, path, "result"))

    def fill_recent(self, menu: QMenu) -> None:
        """The projects used last, the newest first; those whose file is gone are shown and cannot be chosen."""
        menu.clear()
        names = self._session.services.settings.get(RECENT_PROJECTS)
        for number, name in enumerate(names, start=1):
            path = Path(name)
            action = menu.addAction(f"&{number % 10}  {path.stem.replace('&', '&&')}    {path.parent}")
            action.setEnabled(path.exists())
            action.triggered.connect(lambda _on=False, chosen=path: self.open(chosen))
        if menu.isEmpty():
            menu.addAction(self._session.gettext(N_("None yet"))).setEnabled(False)

    def take(self, path: Path) -> None:
        """A file was dropped: a project is opened, a model's file answers the question of the model."""
        session = self._session
        if path.suffix.lower() == SUFFIX:
            self.open(path)
        elif path.suffix.lower() in MODEL_SUFFIXES:
            if not session.is_open:
                self._start(Project(), None, "wizard")
            self.model_dropped.emit(path)
        elif path.suffix.lower() in TABLE_SUFFIXES:
            self.table_dropped.emit(path)
        else:
            session.say(
                session.gettext(N_("This kind of file is not known here: {name}")).format(name=path.name)
            )

    def save(self) -> bool:
        """Write to the project's file, asking for one the first time."""
        path = self._session.path
        return self.save_as() if path is None else self._session.save(path)

    def save_as(self) -> bool:
        """Ask for a file and write to it."""
        from PySide6.QtWidgets import QFileDialog

        _ = self._session.gettext
        name = (self._session.project.title or _(N_("Untitled"))) + SUFFIX
        start = str(Path(self._folder()) / name)
        title = _(N_("Save project"))
        chosen, _used = QFileDialog.getSaveFileName(self._window.focusWidget(), title, start, self._filter())
        if not chosen:
            return False
        path = Path(chosen)
        return self._session.save(path if path.suffix else path.with_suffix(SUFFIX))

    def may_close(self) -> bool:
        """Whether unsaved work is kept for the next start; where it cannot be, asking again closes all the same."""
        session = self._session
        if not session.is_unsaved or session.autosave.now() or session.project is self._told_of:
            return True
        self._told_of = session.project
        _ = session.gettext
        reason = refusal(session.autosave.fault or OSError())
        text = Message(
            N_("Your changes cannot be kept: {reason}. Save the project elsewhere."), {"reason": reason}
        )
        session.say(session.render(text), _(N_("Close all the same")), self._window.close)
        return False

    def _start(self, project: Project, path: Path | None, page: str) -> None:
        self._session.start(project, path)
        if path is not None:
            self._session.remember(path)
        self.opened.emit(page)

    def _leave(self, go: Callable[[], None]) -> None:
        session = self._session
        history, path, was_open = session.history, session.path, session.is_open
        journal = session.autosave.journal
        go()
        if was_open and not history.is_saved:
            _ = session.gettext
            text, action = _(N_("The unsaved project was put aside")), _(N_("Bring back"))
            session.say(text, action, lambda: self._bring_back(history, path, journal))

    def _bring_back(self, history: History, path: Path | None, journal: Journal) -> None:
        self._session.start(history.project, path)
        self._session.history = history
        with suppress(OSError):  # offered once more at the next start
            journal.clear()
        self._session.touch_journal()
        self.opened.emit("wizard")

    def _folder(self) -> str:
        return self._session.services.settings.get(PROJECT_FOLDER)

    def _filter(self) -> str:
        _ = self._session.gettext
        return _(N_("gpuconfig projects (*.gpuconfig)")) + ";;" + _(N_("All files (*)"))
