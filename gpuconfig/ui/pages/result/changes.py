"""A project that was decided on other prices or figures: said at the top of the result, and shown one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.changes_view import movements_table, outcomes_table
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import column, label, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.freezing import ProjectChanges


class ChangesNotice(Notice):
    """Hidden until a decision is found to rest on what is no more."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._of: Mapping[str, object] = {}
        self.changes: ProjectChanges | None = None

    def fill(self) -> None:
        """Compare once for each decision, off the main thread, and say what came of it."""
        session = self._session
        frozen = session.project.frozen
        if frozen is not self._of:
            self._of, self.changes = frozen, None
            if frozen:
                decisions = session.services.desk().decisions
                session.jobs.read(
                    Message(N_("Comparing with the catalogue")),
                    lambda _job: decisions.changes(frozen),
                    self._compared,
                    lambda _fault: None,  # a decision that cannot be read is no reason to stop work
                    quiet=True,
                )
        self._tell()

    def _compared(self, changes: ProjectChanges) -> None:
        self.changes = changes
        self._tell()

    def _tell(self) -> None:
        if self.changes is None or not self.changes.any():
            self.hide()
            return
        _ = self._session.gettext
        text = _(N_("This project was decided on {date}; since then {count} of what it rested on has moved."))
        self.tell(
            Tone.WARNING,
            text.format(date=self.changes.decided, count=len(self.changes.movements)),
            _(N_("Show what moved")),
            self.open_window,
        )

    def open_window(self) -> None:
        """Every change and what comes of it."""
        if self.changes is not None:
            ChangesWindow.show_for(self.window(), self._session, self.changes, self._of)


class ChangesWindow(SideWindow):
    """Two tables: what moved, and each option then and now."""

    size_at_first = (980, 640)

    def __init__(
        self, parent: QWidget, session: Session, changes: ProjectChanges, frozen: Mapping[str, object]
    ) -> None:
        super().__init__(parent, session)
        self._changes, self._frozen = changes, frozen
        self.moved_title, self.outcome_title = label("section"), label("section")
        self.hint = label("secondary", wrap=True)
        self.moved, self.outcomes = FigureTable(session, grows=False), FigureTable(session, grows=False)
        self.none = label("secondary", wrap=True)
        layout = column(
            self.moved_title,
            self.hint,
            self.moved,
            self.outcome_title,
            self.none,
            self.outcomes,
            row(-1, self.close_button),
            margins=16,
        )
        layout.setStretch(2, 2)
        layout.setStretch(5, 1)
        self.setLayout(layout)
        session.answer_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything and fill anew."""
        super().retranslate()
        t = self._session.translator
        _ = t.gettext
        title = _(N_("What moved since the decision"))
        self.setWindowTitle(title)
        self.moved_title.setText(title)
        self.outcome_title.setText(_(N_("What that changes")))
        self.hint.setText(
            _(N_("Prices of the decision are kept in the project file; papers can print them."))
        )
        self.none.setText(_(N_("Search again to see what this changes.")))
        self.moved.show_table(movements_table(self._changes.movements, t))
        answer = self._session.recommendation
        self.none.setVisible(answer is None)
        self.outcomes.setVisible(answer is not None)
        if answer is not None:
            found = self._session.services.desk().decisions.outcomes(self._frozen, answer)
            self.outcomes.show_table(outcomes_table(found, t))
