"""What was changed in the catalogue, step by step with undo and redo, and what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.catalogue_view import change_in_words
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, column, label, row


class HistoryWindow(SideWindow):
    """Steps of the user's catalogue, and hidden items; not modal.

    Signals:
        changed: the catalogue is another one.
    """

    changed = Signal()

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        self.steps_title, self.hidden_title = label("section"), label("section")
        self.notice = Notice(session)
        self.steps, self.hidden = FigureTable(session, grows=False), FigureTable(session, grows=False)
        self.empty = label("secondary", wrap=True)
        self.undo, self.redo, self.unhide = button(), button(), button()
        desk = session.services.desk()
        self.undo.clicked.connect(lambda: self._do(desk.history.undo))
        self.redo.clicked.connect(lambda: self._do(desk.history.redo))
        self.unhide.clicked.connect(self._unhide)
        layout = column(
            row(self.steps_title, -1, self.undo, self.redo),
            self.notice,
            self.empty,
            self.steps,
            row(self.hidden_title, -1, self.unhide),
            self.hidden,
            -1,
            row(-1, self.close_button),
            margins=16,
        )
        layout.setStretch(3, 2)
        layout.setStretch(5, 1)
        self.setLayout(layout)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything and list anew."""
        super().retranslate()
        _ = self._session.gettext
        self.setWindowTitle(_(N_("Changes of the catalogue")))
        self.steps_title.setText(_(N_("Your changes, the newest first")))
        self.hidden_title.setText(_(N_("Hidden")))
        self.empty.setText(_(N_("Nothing was changed: everything is as the program brought it.")))
        for made, name in (
            (self.undo, N_("Undo")), (self.redo, N_("Redo")), (self.unhide, N_("Show again")),
        ):  # fmt: skip
            made.setText(_(name))
            made.setAccessibleName(_(name))
        self.refresh()

    def refresh(self) -> None:
        """List steps and hidden items."""
        desk = self._session.services.desk()
        steps, hidden = desk.history.steps(), desk.items.hidden()
        self.undo.setEnabled(any(not step.undone for step in steps))
        self.redo.setEnabled(any(step.undone for step in steps))
        self.empty.setVisible(not steps)
        self.steps.setVisible(bool(steps))
        for part in (self.hidden_title, self.hidden, self.unhide):
            part.setVisible(bool(hidden))
        self.steps.show_table(self._steps())
        self.hidden.show_table(self._hidden())

    def _steps(self) -> Table:
        _ = self._session.gettext
        columns = (
            Column(key="time", title=_(N_("When")), width=130),
            Column(key="title", title=_(N_("Change")), width=330),
            Column(key="rows", title=_(N_("Values")), numeric=True, width=70),
            Column(key="state", title=_(N_("State")), width=90),
        )
        rows = []
        for step in reversed(self._session.services.desk().history.steps()):
            made_at = datetime.fromisoformat(step.made_at.replace("Z", "+00:00")).astimezone()
            cells = (
                Shown(text=f"{made_at:%Y-%m-%d %H:%M}", sort=step.id),
                Shown(text=change_in_words(step.title, self._session.translator), sort=step.title),
                Shown(text=str(step.changes), sort=step.changes),
                Shown(text=_(N_("undone")) if step.undone else "", tone=Tone.SECONDARY),
            )
            rows.append(Row(key=str(step.id), cells=cells, muted=step.undone))
        return Table(columns=columns, rows=tuple(rows), name=_(N_("Your changes, the newest first")))

    def _hidden(self) -> Table:
        _ = self._session.gettext
        columns = (
            Column(key="kind", title=_(N_("Kind")), width=120),
            Column(key="name", title=_(N_("Item name")), width=260),
            Column(key="reason", title=_(N_("Reason")), width=200),
        )
        rows = [
            Row(
                key=f"{item.kind.value}/{item.id}",
                cells=(Shown(text=_(KIND_WORDS[item.kind])), Shown(text=item.name), Shown(text=item.reason)),
            )
            for item in self._session.services.desk().items.hidden()
        ]
        return Table(columns=columns, rows=tuple(rows), name=_(N_("Hidden")))

    def _unhide(self) -> None:
        key = self.hidden.current_key()
        if key:
            kind, _slash, item_id = key.partition("/")
            items = self._session.services.desk().items
            self._do(lambda: items.unhide(Kind(kind), item_id))

    def _do(self, work: Callable[[], object]) -> None:
        self.notice.hide()
        self.writing(Message(N_("Saving")), lambda _job: work(), self._done, self._failed)

    def _done(self, _result: object) -> None:
        self.refresh()
        self.changed.emit()

    def _failed(self, fault: Exception) -> None:
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)
