"""Accelerators, models and parts with their sources: list, search, filter, change, import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, SignalInstance
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.catalogue_view import KINDS, Listing, listing
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.names import read_names
from gpuconfig.ui.pages.catalogue.filter_bar import FilterBar
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, label

PAUSE_MS = 150


class CataloguePage(Page):
    """What is known, since when and from whom; the person's own changes lie over it."""

    key = "catalogue"
    wide = True

    def build(self) -> None:
        """Kind, search, filters, list, commands."""
        session = self.session
        self.kind = QComboBox()
        self.kind.setMinimumWidth(140)
        for kind in KINDS:
            self.kind.addItem("", kind.value)
        self.query = QLineEdit()
        self.query.setMinimumWidth(200)
        self.query.setClearButtonEnabled(True)
        self.count = label("secondary")
        self.filters = FilterBar(session)
        self.table = FigureTable(session, grows=False)
        self.table.setMinimumHeight(320)
        self.add, self.edit, self.prices = button(), button(), button()
        self.hide_item, self.remove = button(), button()
        self.import_, self.history, self.csv = button(), button(), button()
        self.measure, self.rates = button(), button()
        self.body.addLayout(_flowing(self.kind, self.query, self.import_, self.history, self.csv, self.count))
        self.body.addWidget(self.filters)
        self.body.addWidget(self.table, 1)
        of_entry = (self.add, self.edit, self.prices, self.hide_item, self.remove)
        self.body.addLayout(_flowing(*of_entry, self.rates, self.measure))
        self._job: Job | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.kind.currentIndexChanged.connect(lambda _n: self._kind_chosen())
        self.query.textChanged.connect(lambda _text: self._pause.start())
        self.filters.filters_changed.connect(self._search)
        self.table.row_chosen.connect(lambda _key: self._enable())
        self.table.row_opened.connect(self.open_form)
        self.csv.clicked.connect(lambda: self.table.copy("csv"))
        self.add.clicked.connect(lambda: self.open_form(""))
        self.edit.clicked.connect(lambda: self.open_form(self.table.current_key()))
        self.prices.clicked.connect(lambda: self.open_prices(self.table.current_key()))
        self.hide_item.clicked.connect(self._hide)
        self.remove.clicked.connect(self._remove)
        self.import_.clicked.connect(lambda: self.open_import())
        self.history.clicked.connect(self.open_history)
        self.measure.clicked.connect(self.open_measurements)
        self.rates.clicked.connect(self.open_rates)

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Parts database")))
        self.answers.setText(
            _(N_("What is known about each part, since when, and from whom? Every value opens its source."))
        )
        self.kind.setAccessibleName(_(N_("Kind of part")))
        for place, kind in enumerate(KINDS):
            self.kind.setItemText(place, _(KIND_WORDS[kind]))
        self.query.setPlaceholderText(_(N_("Name, maker or part number")))
        self.query.setAccessibleName(_(N_("Search the catalogue")))
        for made, name in (
            (self.csv, N_("Copy as CSV")),
            (self.add, N_("New entry ...")),
            (self.edit, N_("Change ...")),
            (self.prices, N_("Prices ...")),
            (self.hide_item, N_("Hide")),
            (self.remove, N_("Delete")),
            (self.import_, N_("Import ...")),
            (self.history, N_("Changes ...")),
            (self.measure, N_("Measurements ...")),
            (self.rates, N_("Rates ...")),
        ):
            made.setText(_(name))
            made.setAccessibleName(_(name))
        self.filters.retranslate()

    def refresh(self) -> None:
        """List anew."""
        self.filters.set_kind(self._kind())
        self._search()

    # list --------------------------------------------------------------------------------------------

    def _kind(self) -> Kind:
        return Kind(self.kind.currentData())

    def _kind_chosen(self) -> None:
        self.filters.set_kind(self._kind())
        self.filters.retranslate()
        self._search()

    def _search(self) -> None:
        if self._job is not None:
            self._job.cancel()
        kind, query, filters = self._kind(), self.query.text(), self.filters.filters
        services, t = self.session.services, self.session.translator
        self._job = self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: listing(kind, query, filters, services, t),
            self._show,
            self._failed,
        )

    def _show(self, found: Listing) -> None:
        self._job = None
        self.table.show_table(found.table)
        t, shown = self.session.translator, len(found.table.rows)
        if found.found > shown:
            text = t.gettext(N_("the first {shown} of {found}; type to narrow the list"))
            self.count.setText(text.format(shown=shown, found=t.formats.count(found.found)))
        else:
            self.count.setText(t.ngettext("{count} item", "{count} items", shown))
        self._enable()

    def _enable(self) -> None:
        key = self.table.current_key()
        own = False
        if key:
            found = self.session.services.catalogue().find(self._kind(), key)
            own = found is not None and found.origin.value == "user"
        self.edit.setEnabled(bool(key))
        self.prices.setEnabled(bool(key) and self._kind() is not Kind.MODEL)
        self.hide_item.setEnabled(bool(key) and not own)
        self.remove.setEnabled(own)

    def _failed(self, fault: Exception) -> None:
        self._job = None
        self.count.setText(
            self.session.gettext(N_("The catalogue cannot be read: {reason}")).format(reason=fault)
        )

    # changes -----------------------------------------------------------------------------------------

    def open_form(self, item_id: str) -> None:
        """The form of an item, or an empty one."""
        from gpuconfig.ui.pages.catalogue.item_window import ItemWindow

        made = ItemWindow.show_for(self.window(), self.session, self._kind(), item_id)
        self._wire(made, made.saved, self._saved)

    def open_prices(self, item_id: str) -> None:
        """Every price of an item."""
        from gpuconfig.ui.pages.catalogue.price_window import PriceWindow

        made = PriceWindow.show_for(self.window(), self.session, self._kind(), item_id)
        self._wire(made, made.saved, self._saved)

    def open_import(self, path: Path | None = None) -> None:
        """The import of files; `path` is opened at once."""
        from gpuconfig.ui.pages.catalogue.import_window import ImportWindow

        made = ImportWindow.show_for(self.window(), self.session)
        self._wire(made, made.imported, self._imported)
        if path is not None:
            made.read(path)

    def open_measurements(self) -> None:
        """One's own runs."""
        from gpuconfig.ui.pages.catalogue.measure_window import MeasureWindow

        made = MeasureWindow.show_for(self.window(), self.session)
        self._wire(made, made.saved, self._saved)

    def open_rates(self) -> None:
        """Exchange rate and rental prices."""
        from gpuconfig.ui.pages.catalogue.rate_window import RateWindow

        made = RateWindow.show_for(self.window(), self.session)
        self._wire(made, made.imported, self._imported)

    @staticmethod
    def _wire(window: SideWindow, signal: SignalInstance, slot: Callable[..., None]) -> None:
        """Once for each window, however often it is brought to the front."""
        if not window.property("wired"):
            window.setProperty("wired", True)
            signal.connect(slot)

    def _saved(self) -> None:
        self._changed(self.session.gettext(N_("Saved")))

    def _imported(self, count: int) -> None:
        self._changed(
            self.session.translator.ngettext("{count} row imported", "{count} rows imported", count)
        )

    def open_history(self) -> None:
        """Every change with undo and redo."""
        from gpuconfig.ui.pages.catalogue.history_window import HistoryWindow

        made = HistoryWindow.show_for(self.window(), self.session)
        self._wire(made, made.changed, self._taken_back)

    def _hide(self) -> None:
        kind, key, items = self._kind(), self.table.current_key(), self.session.services.desk().items
        if key:
            self._write(lambda: items.hide(kind, key), self.session.gettext(N_("Hidden")))

    def _remove(self) -> None:
        kind, key, items = self._kind(), self.table.current_key(), self.session.services.desk().items
        if key:
            self._write(lambda: items.remove(kind, key), self.session.gettext(N_("Deleted")))

    def _write(self, work: object, said: str) -> None:
        assert callable(work)
        self.session.jobs.write(
            Message(N_("Saving")), lambda _job: work(), lambda _none: self._changed(said), self._refused
        )

    def _changed(self, said: str) -> None:
        """The catalogue is another one: list, search and figures are made anew; the toast takes it back."""
        history = self.session.services.desk().history
        undo = self.session.gettext(N_("Undo"))
        self.session.say(said, undo, lambda: self._undo(history.undo))
        self._taken_back()

    def _undo(self, work: object) -> None:
        assert callable(work)
        self.session.jobs.write(
            Message(N_("Saving")), lambda _job: work(), lambda _none: self._taken_back(), self._refused
        )

    def _taken_back(self) -> None:
        self._search()
        read_names(self.session)
        if self.session.is_open:
            self.session.search(again=True)

    def _refused(self, fault: Exception) -> None:
        self.session.say(self.session.render(fault.message) if isinstance(fault, UserError) else str(fault))

    def focus_first(self) -> None:
        """The search."""
        self.query.setFocus(Qt.FocusReason.OtherFocusReason)


def _flowing(*widgets: QWidget) -> FlowLayout:
    """A row that wraps where the window is narrow."""
    made = FlowLayout(8, 8)
    for widget in widgets:
        made.addWidget(widget)
    return made
