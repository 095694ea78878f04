"""The rows of an import before it is written: by state, taken out, or meant for another part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.catalogue_view import kind_of
from gpuconfig.presentation.import_view import MOST_ROWS, STATE_WORDS, counts_in_words, preview
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.letters import give_letters
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, column, label, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.importing import Importer, ImportPlan

PARTS_OFFERED = 20


class ImportPreview(QWidget):
    """Counts, table, and what may be changed about single rows."""

    def __init__(self, session: Session, imports: Importer) -> None:
        super().__init__()
        self._session, self._imports = session, imports
        self.plan: ImportPlan | None = None
        self.left: set[int] = set()
        self.counts = label("strong")
        self.source = label("secondary", wrap=True)
        self.state = QComboBox()
        self.state.addItem("", "")
        for name in STATE_WORDS:
            self.state.addItem("", name)
        self.state.currentIndexChanged.connect(lambda _place: self.refresh())
        self.leave = button()
        self.leave.clicked.connect(self._toggle)
        self.table = FigureTable(session, grows=False)
        self.table.setMinimumHeight(220)
        self.table.row_chosen.connect(lambda _key: self._row_chosen())
        self.more = label("secondary")
        self.match_title = label("secondary")
        self.query, self.found = QLineEdit(), QComboBox()
        self.found.setMinimumWidth(260)
        self.take = button()
        self.query.textChanged.connect(self._search)
        self.take.clicked.connect(self._rematch)
        layout = column(
            row(self.counts, -1, self.state, self.leave),
            self.source,
            self.table,
            self.more,
            row(self.match_title, self.query, self.found, self.take, -1),
        )
        layout.setStretch(2, 1)
        self.setLayout(layout)

    def retranslate(self) -> None:
        """Name everything."""
        _ = self._session.gettext
        self.state.setAccessibleName(_(N_("Rows shown")))
        for place, words in enumerate((N_("all rows"), *STATE_WORDS.values())):
            self.state.setItemText(place, _(words))
        self.leave.setText(_(N_("Take out or put back")))
        self.match_title.setText(_(N_("The chosen line means")))
        self.query.setPlaceholderText(_(N_("Name, maker or part number")))
        self.query.setAccessibleName(f"{self.match_title.text()}: {self.query.placeholderText()}")
        self.found.setAccessibleName(self.match_title.text())
        self.take.setText(_(N_("Take this part")))
        for made in (self.leave, self.take):
            made.setAccessibleName(made.text())
        self.refresh()

    def show_plan(self, plan: ImportPlan) -> None:
        """Another plan; nothing is taken out of it yet."""
        self.plan, self.left = plan, set()
        self.state.setCurrentIndex(0)
        self.refresh()

    def writes(self) -> int:
        """How many rows would be written."""
        if self.plan is None:
            return 0
        return sum(
            row_.state.value in ("added", "changed") and n not in self.left
            for n, row_ in enumerate(self.plan.rows)
        )

    def refresh(self) -> None:
        """Fill the table anew."""
        if self.plan is None:
            return
        t = self._session.translator
        state = str(self.state.currentData())
        self.counts.setText(counts_in_words(self.plan, self.left, t))
        self.source.setText(t.gettext(N_("Source: {source}")).format(source=self.plan.source))
        self.table.show_table(preview(self.plan, state, self.left, self._session.services.catalogue(), t))
        shown = len(self.table.rows.rows)
        all_ = sum(not state or row_.state.value == state for row_ in self.plan.rows)
        self.more.setVisible(all_ > MOST_ROWS)
        self.more.setText(
            t.gettext(N_("The first {shown} of {all} rows are listed; all count.")).format(
                shown=shown, all=all_
            )
        )
        self._row_chosen()

    def _chosen(self) -> int | None:
        key = self.table.current_key()
        return int(key) if key else None

    def _row_chosen(self) -> None:
        """Only the lines of a quotation can mean another part."""
        place = self._chosen()
        offer = place is not None and self.plan is not None and self.plan.rows[place].table == "offer"
        for widget in (self.match_title, self.query, self.found, self.take):
            widget.setVisible(offer)
        if self.isVisible():
            give_letters(self.window())
        if offer and self.plan is not None and place is not None:
            self.query.setText(self.plan.rows[place].name)

    def _search(self, text: str) -> None:
        self.found.clear()
        if not text.strip():
            return
        for item in self._session.services.catalogue().search(text, None, PARTS_OFFERED):
            if (kind := kind_of(item)) is not Kind.MODEL:
                self.found.addItem(item.name, (kind.value, item.id))
        self.take.setEnabled(self.found.count() > 0)

    def _rematch(self) -> None:
        place = self._chosen()
        if place is None or self.plan is None or self.found.currentData() is None:
            return
        kind, item_id = self.found.currentData()
        self.plan = self._imports.rematched(self.plan, place, Kind(kind), item_id)
        self.refresh()
        self.table.select(str(place))

    def _toggle(self) -> None:
        chosen = {int(key) for key in self.table.selected_keys()}
        if chosen:
            self.left = self.left - chosen if chosen <= self.left else self.left | chosen
            self.refresh()
