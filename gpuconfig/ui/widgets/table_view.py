"""A table whose figures open: click, F1 or Enter on a cell; copy as text, CSV or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QTableView

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.table import Row, Table, to_csv, to_markdown, to_text
from gpuconfig.ui.reading_order import bring_part_into_sight
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.pinned import PinnedColumns
from gpuconfig.ui.widgets.table_delegate import PADDING, ROW_HEIGHT, STACKED_HEIGHT, TIGHT, CellDelegate
from gpuconfig.ui.widgets.table_model import TableModel

MOST_ROWS_UNSCROLLED = 40
PINNED_SHARE = 0.6
"""Of the width that pinned columns may take; where they would take more only the first is pinned."""
LEAST_COLUMN, WIDEST_COLUMN = 48, 460


@dataclass(frozen=True, slots=True)
class _Manner:
    """One way to lay out the columns: space beside cells, columns without their notes, notes under, widths."""

    far_side: int
    without_notes: frozenset[int]
    stacked: bool
    widths: list[int]


class FigureTable(QTableView):
    """A table of figures; `stacks` lets notes go under the figures where they have no room beside them.

    Signals:
        row_chosen: key of the row that became current.
        row_opened: key of the row that was double-clicked.
    """

    row_chosen = Signal(str)
    row_opened = Signal(str)

    def __init__(self, session: Session, *, grows: bool = True, stacks: bool = False) -> None:
        super().__init__()
        self._session = session
        self._grows, self._stacks = grows, stacks
        self._rows_height = 0
        self._manners: list[_Manner] = []
        self._natural: list[int] = []
        self._wraps = False
        self._wanted_height = 0
        self._resize = QTimer(self)
        self._resize.setSingleShot(True)
        self._resize.setInterval(0)
        self._resize.timeout.connect(self._set_height)
        self.rows = TableModel(session)
        self.setModel(self.rows)
        self._delegate = CellDelegate(session)
        self.setItemDelegate(self._delegate)
        self._pinned: PinnedColumns | None = None
        self.row_actions: list[tuple[str, Callable[[str], object]]] = []
        """Offered in the menu of a row: English name, what is done with the row's key; Delete does the first."""
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(False)
        header.setMinimumSectionSize(LEAST_COLUMN)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.sectionClicked.connect(self._sort)
        self.clicked.connect(self._clicked)
        self.doubleClicked.connect(lambda index: self._opened(index))
        self.selectionModel().currentRowChanged.connect(self._current)

    def show_table(self, table: Table) -> None:
        """Show another table; the current row stays where it is still there."""
        key = self.current_key()
        self.rows.show_table(table)
        self.setAccessibleName(table.name)
        self.clearSpans()
        for number, row in enumerate(self.rows.rows):
            if row.heading and len(table.columns) > 1:
                self.setSpan(number, 0, 1, len(table.columns))
        self._fit()
        if key:
            self.select(key)

    def refresh_colours(self) -> None:
        """Paint anew after the theme changed."""
        self.viewport().update()

    def select(self, key: str) -> None:
        """Make a row current without telling anybody."""
        for number, row in enumerate(self.rows.rows):
            if row.key == key:
                blocked = self.selectionModel().blockSignals(True)
                self.setCurrentIndex(self.rows.index(number, 0))
                self.selectRow(number)
                self.selectionModel().blockSignals(blocked)
                return

    def open_cell(self, row_key: str, column_key: str) -> None:
        """Make a row current and open its figure of one column, as a click on the cell would."""
        self.select(row_key)
        places = [number for number, column in enumerate(self.rows.table.columns) if column.key == column_key]
        if places and self.current_key() == row_key:
            self._clicked(self.rows.index(self.currentIndex().row(), places[0]))

    def select_rows(self, keys: Sequence[str]) -> None:
        """Choose several rows, and bring the first of them into view; none takes every choice back."""
        wanted = set(keys)
        model = self.selectionModel()
        blocked = model.blockSignals(True)
        model.clearSelection()
        numbers = [number for number, row in enumerate(self.rows.rows) if row.key in wanted]
        for number in numbers:
            flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
            model.select(self.rows.index(number, 0), flags)
        model.blockSignals(blocked)
        if numbers:
            self.scrollTo(self.rows.index(numbers[0], 0))
        self.viewport().update()

    def current_key(self) -> str:
        """Key of the current row; empty where there is none."""
        number = self.currentIndex().row()
        return self.rows.rows[number].key if 0 <= number < len(self.rows.rows) else ""

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected rows from top to bottom."""
        numbers = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return tuple(self.rows.rows[number].key for number in numbers if not self.rows.rows[number].heading)

    def copy(self, form: str) -> None:
        """Put the selected rows (all where none is selected) on the clipboard as `text`, `csv` or `markdown`."""
        chosen = self._chosen()
        if form == "csv":
            text = to_csv(self.rows.table, chosen).removeprefix("\ufeff")
        elif form == "markdown":
            text = to_markdown(self.rows.table, chosen)
        else:
            text = to_text(chosen)
        QGuiApplication.clipboard().setText(text)
        self._session.say(self._session.gettext(N_("Copied")))

    def _chosen(self) -> tuple[Row, ...]:
        numbers = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return tuple(self.rows.rows[n] for n in numbers) if len(numbers) > 1 else self.rows.rows

    def _fit(self) -> None:
        columns = self.rows.table.columns
        self.ensurePolished()
        spared = frozenset(number for number, column in enumerate(columns) if column.spare_notes)
        manners = [(PADDING, frozenset[int](), False), (TIGHT, frozenset[int](), False)]
        manners += [(TIGHT, spared, False)] if spared else []
        manners += [(PADDING, frozenset(), True), (TIGHT, frozenset(), True)] if self._stacks else []
        self._manners = [_Manner(*manner, self._widths(*manner)) for manner in manners]
        self._set_rows()
        self._spread()
        if self._grows:
            self._set_height()

    def _set_rows(self) -> None:
        usual = STACKED_HEIGHT if self._delegate.stacked else ROW_HEIGHT
        for number, row in enumerate(self.rows.rows):
            height = ROW_HEIGHT + 4 if row.heading else usual
            if self.rowHeight(number) != height:
                self.setRowHeight(number, height)
        rows = min(len(self.rows.rows), MOST_ROWS_UNSCROLLED)
        head = self.horizontalHeader().height() or self.horizontalHeader().sizeHint().height()
        self._rows_height = sum(self.rowHeight(number) for number in range(rows)) + head + 4

    def _widths(self, far_side: int, without_notes: frozenset[int], stacked: bool) -> list[int]:
        """What each column needs with this space beside its cells and without the notes of these columns."""
        font, made = self.font(), []
        for number, column in enumerate(self.rows.table.columns):
            header = 0 if self._wraps else self.horizontalHeader().sectionSizeHint(number)
            cells = [row.cells[number] for row in self.rows.rows if number < len(row.cells)]
            noted = number not in without_notes
            content = max(
                (
                    self._delegate.content_width(cell, font, with_note=noted, stacked=stacked)
                    for cell in cells
                ),
                default=0,
            )
            least = column.width if far_side == PADDING else 0
            natural = max(content + PADDING + far_side, least, header, LEAST_COLUMN)
            made.append(natural if column.wide else min(natural, WIDEST_COLUMN))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()

    def _spread(self) -> None:
        """Give spare width to the columns, and take it back when there is less; as high as the rows.

        A little too much is saved between the columns and at spare notes; where that does not do the table scrolls.
        """
        if not self._manners:
            return
        room = self.viewport().width()
        manner = next((m for m in self._manners if sum(m.widths) <= room), self._manners[0])
        self._delegate.far_side, self._delegate.without_notes = manner.far_side, manner.without_notes
        if self._delegate.stacked is not manner.stacked:
            self._delegate.stacked = manner.stacked
            self._set_rows()
        self._natural = manner.widths
        spare = room - sum(self._natural)
        each, rest = divmod(max(spare, 0), len(self._natural))
        for number, width in enumerate(self._natural):
            wanted = width + each + (rest if number == 0 else 0)
            if self.columnWidth(number) != wanted:
                self.setColumnWidth(number, wanted)
        self._pin(spare)
        if self._grows:
            self._wanted_height = self._rows_height + (14 if spare < 0 else 0)
            self._resize.start()

    def _pin(self, spare: int) -> None:
        """The first columns stay in sight where the others must scroll."""
        count = self.rows.table.pinned if spare < 0 and self.rows.sorted_by is None else 0
        count = (
            count if sum(self._natural[:count]) < PINNED_SHARE * self.viewport().width() else min(count, 1)
        )
        if count and self._pinned is None:
            self._pinned = PinnedColumns(self)
            self._pinned.clicked.connect(self._clicked)
            self._pinned.doubleClicked.connect(self._opened)
            self._pinned.horizontalHeader().sectionClicked.connect(self._sort)
        if self._pinned is not None:
            rows = self.rows.rows
            headings = [number for number, row in enumerate(rows) if row.heading]
            self._pinned.show_columns(count, headings)

    def _set_height(self) -> None:
        """Outside of any layout pass: a height changed within one may be lost."""
        if self.height() != self._wanted_height:
            self.setFixedHeight(self._wanted_height)

    def wrap_headers(self, height: int) -> None:
        """Headers of two lines: names of options are long."""
        self._wraps = True
        header = self.horizontalHeader()
        header.setFixedHeight(height)

    def _sort(self, column: int) -> None:
        by = self.rows.sorted_by
        descending = by is not None and by[0] == column and not by[1]
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.clearSpans()
        self.rows.sort(column, order)
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.setSortIndicator(column, order)
        self._spread()

    def _clicked(self, index: QModelIndex) -> None:
        cell = self.rows.cell(index.row(), index.column())
        self._session.open_why(cell.reference)

    def _opened(self, index: QModelIndex) -> None:
        if index.isValid() and not self.rows.rows[index.row()].heading:
            self.row_opened.emit(self.rows.rows[index.row()].key)

    def _current(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid() and self.hasFocus():
            bring_part_into_sight(self.viewport(), self.visualRect(now))
        if now.isValid() and now.row() != before.row() and not self.rows.rows[now.row()].heading:
            self.row_chosen.emit(self.rows.rows[now.row()].key)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Past headings, and in the same column: Qt stops at one and goes on in the first."""
        before, to = self.currentIndex(), super().moveCursor(action, modifiers)
        rows = self.rows.rows
        if not to.isValid() or to.row() == before.row():
            return to
        step, number = (1 if to.row() > before.row() else -1), to.row()
        while 0 <= number < len(rows) and rows[number].heading:
            number += step
        if not 0 <= number < len(rows):
            return before
        return self.rows.index(number, before.column() if before.isValid() else to.column())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy("text")
        elif event.key() == Qt.Key.Key_Delete and self.row_actions and self.current_key():
            self.row_actions[0][1](self.current_key())
        elif (
            event.key() in (Qt.Key.Key_F1, Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and self.currentIndex().isValid()
        ):
            index = self.currentIndex()
            cell = self.rows.cell(index.row(), index.column())
            if cell.reference is not None:
                self._session.open_why(cell.reference, by_key=True)
            elif event.key() != Qt.Key.Key_F1:
                self._opened(index)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        _ = self._session.gettext
        menu = QMenu(self)
        menu.addAction(_("Copy as text"), lambda: self.copy("text"))
        menu.addAction(_("Copy as CSV"), lambda: self.copy("csv"))
        menu.addAction(_("Copy as Markdown"), lambda: self.copy("markdown"))
        key = self.current_key()
        if key and self.row_actions:
            menu.addSeparator()
            for name, do in self.row_actions:
                menu.addAction(_(name), partial(do, key))
        menu.exec(event.globalPos())
        menu.deleteLater()
