"""Conditions on fields: one line to add them, one link each to take them away."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.catalogue_filter import (
    Comparison,
    FieldFilter,
    comparisons,
    filter_fields,
    read_filter,
)
from gpuconfig.presentation.wizard.draft import problem
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.text import button, clear, column, label, row

COMPARISON_WORDS = {
    Comparison.AT_LEAST: N_("at least"),
    Comparison.AT_MOST: N_("at most"),
    Comparison.EQUAL: N_("equal to"),
    Comparison.CONTAINS: N_("contains"),
    Comparison.KNOWN: N_("is known"),
    Comparison.UNKNOWN: N_("is unknown"),
}


class FilterBar(Fold):
    """Filters by any field of the kind that is listed.

    Signals:
        filters_changed: the list is to be made anew.
    """

    filters_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._kind = Kind.ACCELERATOR
        self._typed: dict[FieldFilter, str] = {}
        self.field, self.comparison, self.value = QComboBox(), QComboBox(), QLineEdit()
        self.field.setMinimumWidth(220)
        self.value.setMaximumWidth(180)
        self.add = button()
        self.error = label("error", wrap=True)
        self.error.hide()
        self.chips = FlowLayout(8)
        self.body.setLayout(
            column(
                row(self.field, self.comparison, self.value, self.add, -1), self.error, self.chips, spacing=6
            )
        )
        self.field.currentIndexChanged.connect(lambda _place: self._fill_comparisons())
        self.comparison.currentIndexChanged.connect(lambda _place: self._show_value())
        self.value.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)

    @property
    def filters(self) -> tuple[FieldFilter, ...]:
        """The conditions that hold."""
        return tuple(self._typed)

    def set_kind(self, kind: Kind) -> None:
        """Another kind has other fields; conditions on the old ones go."""
        if kind is not self._kind or not self.field.count():
            self._kind = kind
            self._typed = {}
            self._fill_fields()
            self._show_chips()

    def retranslate(self) -> None:
        """Name everything."""
        _ = self._session.gettext
        self.set_title(_(N_("Filter by a field")))
        self.field.setAccessibleName(_(N_("Field")))
        self.comparison.setAccessibleName(_(N_("Comparison")))
        self.value.setAccessibleName(_(N_("Value")))
        self.value.setPlaceholderText(_(N_("for example {example}")).format(example="24 GB"))
        self.add.setText(_(N_("Add filter")))
        self.add.setAccessibleName(self.add.text())
        for place, (_name, title) in enumerate(filter_fields(self._kind)[: self.field.count()]):
            self.field.setItemText(place, _(title))
        self._name_comparisons()
        self._show_chips()

    def _fill_fields(self) -> None:
        self.field.blockSignals(True)
        self.field.clear()
        for name, title in filter_fields(self._kind):
            self.field.addItem(self._session.gettext(title), name)
        self.field.blockSignals(False)
        self._fill_comparisons()

    def _fill_comparisons(self) -> None:
        self.comparison.blockSignals(True)
        self.comparison.clear()
        for comparison in comparisons(self._kind, str(self.field.currentData())):
            self.comparison.addItem("", comparison.value)
        self.comparison.blockSignals(False)
        self._name_comparisons()
        self._show_value()

    def _name_comparisons(self) -> None:
        for place in range(self.comparison.count()):
            words = COMPARISON_WORDS[Comparison(self.comparison.itemData(place))]
            self.comparison.setItemText(place, self._session.gettext(words))

    def _show_value(self) -> None:
        asked = self.comparison.currentData() not in (Comparison.KNOWN.value, Comparison.UNKNOWN.value)
        self.value.setVisible(asked)

    def _add(self) -> None:
        try:
            made = read_filter(
                self._kind,
                str(self.field.currentData()),
                Comparison(self.comparison.currentData()),
                self.value.text(),
            )
        except InputError as error:
            self.error.setText(self._session.render(problem(error)))
            self.error.show()
            return
        self.error.hide()
        self._typed[made] = self.value.text().strip() if made.wanted is not None else ""
        self.value.clear()
        self._show_chips()
        self.filters_changed.emit()

    def _remove(self, gone: FieldFilter) -> None:
        self._typed.pop(gone, None)
        self._show_chips()
        self.field.setFocus()
        self.filters_changed.emit()

    def _show_chips(self) -> None:
        clear(self.chips)
        _ = self._session.gettext
        titles = dict(filter_fields(self._kind))
        for made, typed in self._typed.items():
            chip = button()
            words = f"{_(titles[made.field])} {_(COMPARISON_WORDS[made.comparison])} {typed}".strip()
            chip.setText(f"{words}  ✕")
            chip.setAccessibleName(_(N_("Take away the filter {filter}")).format(filter=words))
            chip.clicked.connect(lambda _on=False, f=made: self._remove(f))
            self.chips.addWidget(chip)
