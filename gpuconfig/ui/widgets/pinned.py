"""The first columns of a table, laid over it while the others scroll: a second view of the same model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView


class PinnedColumns(QTableView):
    """Shows the pinned columns of `table`; model, selection, rows and scrolling are the table's own."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._columns = 0
        self.setObjectName("pinned")
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.setItemDelegate(table.itemDelegate())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionMode(table.selectionMode())
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(table.horizontalHeader().minimumSectionSize())
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        table.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(table.verticalScrollBar().setValue)
        self.hide()

    def show_columns(self, count: int, headings: Sequence[int]) -> None:
        """Pin the first `count` columns; `headings` are rows that span them. 0 pins none."""
        self._columns = count
        if not count:
            self.hide()
            return
        table = self._table
        self.clearSpans()
        for number in range(table.model().columnCount()):
            self.setColumnHidden(number, number >= count)
            if number < count:
                self.setColumnWidth(number, table.columnWidth(number))
        self.verticalHeader().setDefaultSectionSize(table.verticalHeader().defaultSectionSize())
        for row in range(table.model().rowCount()):
            if self.rowHeight(row) != table.rowHeight(row):
                self.setRowHeight(row, table.rowHeight(row))
        if count > 1:
            for row in headings:
                self.setSpan(row, 0, 1, count)
        self.place()
        self.show()
        self.raise_()
        self.verticalScrollBar().setValue(table.verticalScrollBar().value())

    def place(self) -> None:
        """Cover the table's own first columns."""
        table = self._table
        width = sum(table.columnWidth(number) for number in range(self._columns))
        edge = table.frameWidth()
        head = table.horizontalHeader().height()
        self.horizontalHeader().setFixedHeight(head)
        self.setGeometry(edge, edge, width, head + table.viewport().height())

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """The table itself scrolls; its first columns follow."""
