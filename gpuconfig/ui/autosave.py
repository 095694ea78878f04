"""Keeps what is not saved yet in the journal, and says so where that fails: a full disk loses nothing in silence."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.project.journal import Journal

if TYPE_CHECKING:
    from gpuconfig.ui.session import Session

SOON_MS = 2000
RETRY_MS = 10_000
"""After a failure: the person may have made room meanwhile."""


class Autosave(QObject):
    """The journal of one window.

    Attributes:
        fault: why the last attempt failed; None where the journal holds the project or nothing is to be kept.

    Signals:
        changed: it began to fail, or works again.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.journal = Journal(paths.user_data())
        self.fault: Exception | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._write)

    def soon(self) -> None:
        """The project was edited."""
        self._timer.start(SOON_MS)

    def stop(self) -> None:
        """The window closes."""
        self._timer.stop()

    def forget(self) -> None:
        """The work is in its file, or was given up on purpose; another project has another journal."""
        with suppress(OSError):  # offered again at the next start, which harms nobody
            self.journal.clear()
        self._renew()

    def put_aside(self) -> None:
        """Another project takes the place of one that is not saved, which is offered at the next start."""
        self.now()
        self._renew()

    def _renew(self) -> None:
        self._timer.stop()
        self._set(None)
        self.journal = Journal(paths.user_data())

    def now(self) -> bool:
        """Keep the project before the window closes; False where that failed."""
        session = self._session
        try:
            self.journal.write(session.project, session.path)
        except OSError as error:
            self._set(error)
            return False
        self._set(None)
        return True

    def _write(self) -> None:
        session, journal = self._session, self.journal
        project, file = session.project, session.path
        session.jobs.write(
            Message(N_("Saving")),
            lambda _job: journal.write(project, file),
            self._kept,
            self._failed,
            quiet=True,
        )

    def _kept(self, _none: object) -> None:
        self._set(None)

    def _failed(self, fault: Exception) -> None:
        first = self.fault is None
        self._set(fault)
        self._timer.start(RETRY_MS)
        if first:
            from gpuconfig.engine.provenance.system_errors import refusal

            text = Message(
                N_("Your changes cannot be kept: {reason}. Save the project elsewhere."),
                {"reason": refusal(fault)},
            )
            self._session.say(self._session.render(text))

    def _set(self, fault: Exception | None) -> None:
        before, self.fault = self.fault, fault
        if (before is None) is not (fault is None):
            self.changed.emit()
