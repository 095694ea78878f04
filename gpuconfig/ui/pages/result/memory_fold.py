"""The memory of the chosen option, folded under the options."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.memory_view import memory_table
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import column


class MemoryFold(Fold):
    """Counters, fixes and the old rules; shown for training only, filled when it opens."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.table = FigureTable(session)
        self.body.setLayout(column(self.table))
        self.toggled.connect(lambda _on: self.fill())

    def fill(self) -> None:
        """Show the chosen option, or nothing."""
        table = memory_table(self._session.option, self._session.translator)
        self.setVisible(table is not None)
        self.set_title(self._session.gettext(N_("Memory of the chosen option")))
        if table is not None and self.is_open:
            self.table.show_table(table)
