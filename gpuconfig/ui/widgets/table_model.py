"""A presentation table as a Qt model; sorted in Python, since proxies over Python are slow."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.shown import BLANK, Shown
from gpuconfig.presentation.table import Row, Table, sorted_rows
from gpuconfig.ui.session import Session

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
SHOWN_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 2


class TableModel(QAbstractTableModel):
    """Rows and cells of a `Table`."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.table = Table(columns=(), rows=())
        self.rows: tuple[Row, ...] = ()
        self.sorted_by: tuple[int, bool] | None = None

    def show_table(self, table: Table) -> None:
        """Show another table; the sorting stays where the columns are the same."""
        self.beginResetModel()
        if [c.key for c in table.columns] != [c.key for c in self.table.columns]:
            self.sorted_by = None
        self.table = table
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; groups are dissolved by it."""
        self.layoutAboutToBeChanged.emit()
        self.sorted_by = None if column < 0 else (column, order is Qt.SortOrder.DescendingOrder)
        self._arrange()
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        self.rows = self.table.rows if self.sorted_by is None else sorted_rows(self.table, *self.sorted_by)

    def cell(self, row: int, column: int) -> Shown:
        """The text at a place; headings stand in the first column."""
        if not (0 <= row < len(self.rows)):
            return BLANK
        found = self.rows[row]
        if found.heading:
            return Shown(text=found.heading) if column == 0 else BLANK
        return found.cells[column] if column < len(found.cells) else BLANK

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        cell = self.cell(index.row(), index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self._spoken(cell, index.column())
        if role == SHOWN_ROLE:
            return cell
        if role == ROW_ROLE:
            return self.rows[index.row()]
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        if orientation is Qt.Orientation.Vertical or section >= len(self.table.columns):
            return None
        column = self.table.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.help or column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)
        return None

    def _spoken(self, cell: Shown, column: int) -> str:
        if not cell.text:
            return ""
        words = [self.table.columns[column].title, cell.plain()]
        if cell.assumed:
            words.append(self._session.gettext(N_("assumed")))
        if cell.best:
            words.append(self._session.gettext(N_("best")))
        return ": ".join(word for word in words[:2] if word) + "".join(f", {word}" for word in words[2:])
