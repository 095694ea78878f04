"""The prices of one item: every offer with its age, and a line to add what was asked today."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from gpuconfig.documents.labels import CONDITIONS, PRICE_KINDS
from gpuconfig.engine.catalogue.vocabulary import Channel, Condition, Kind, Origin, PriceKind, Region
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, TaxBasis
from gpuconfig.presentation.badges import price_ages
from gpuconfig.presentation.desk.pricing import PriceEntry
from gpuconfig.presentation.price_view import CHANNEL_WORDS, REGION_WORDS, TAX_WORDS, offers_table
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.wizard.draft import problem
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, column, label, row

TYPED = {
    "low": N_("Price of one"),
    "high": N_("Up to, where it varies"),
    "date": N_("Date"),
    "source": N_("Who asks it"),
    "lead_time_days": N_("Delivery in days"),
    "stock_note": N_("Stock"),
}
CHOSEN = {
    "currency": N_("Currency"),
    "tax": N_("Tax"),
    "condition": N_("New or used"),
    "kind": N_("Kind of price"),
    "region": N_("Region"),
    "channel": N_("Bought through"),
}
SEEN = {kind: PRICE_KINDS[kind] for kind in (PriceKind.STREET, PriceKind.QUOTE, PriceKind.LIST)}
"""Kinds a person can have been told; converted and assumed prices are the program's own."""

Choice = TypeVar("Choice", bound=StrEnum)


class PriceWindow(SideWindow):
    """Offers of one item.

    Signals:
        saved: a price was added or taken away.
    """

    saved = Signal()
    size_at_first = (1060, 640)

    def __init__(self, parent: QWidget, session: Session, kind: Kind, item_id: str) -> None:
        super().__init__(parent, session)
        self.kind, self.item_id = kind, item_id
        self.heading = label("section", wrap=True)
        self.empty = label("secondary", wrap=True)
        self.table = FigureTable(session, grows=False)
        self.table.row_chosen.connect(lambda _key: self._enable())
        self.take_away = button()
        self.take_away.clicked.connect(self._remove)
        self.add_title = label("strong")
        self.notice = Notice(session)
        self.titles: dict[str, QLabel] = {}
        self.edits: dict[str, QLineEdit] = {}
        self.lists: dict[str, QComboBox] = {}
        self.errors: dict[str, QLabel] = {}
        self.add = button("primary")
        self.add.clicked.connect(self._add)
        layout = column(
            self.heading,
            self.empty,
            self.table,
            row(self.take_away, -1),
            self.add_title,
            self._form(),
            self.notice,
            row(-1, self.close_button, self.add),
            margins=16,
        )
        layout.setStretch(2, 1)
        self.setLayout(layout)
        self.retranslate()

    def _form(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        for place, name in enumerate(TYPED):
            edit, error = QLineEdit(), label("error", wrap=True)
            error.hide()
            self.edits[name], self.errors[name] = edit, error
            self._put(grid, place, name, edit)
            grid.addWidget(error, 3 * (place // 3) + 2, place % 3)
        for place, name in enumerate(CHOSEN):
            self.lists[name] = QComboBox()
            self._put(grid, len(TYPED) + place, name, self.lists[name])
        for value, words in self._choices().items():
            for choice in words:
                self.lists[value].addItem("", choice.value)
        for column_ in range(3):
            grid.setColumnStretch(column_, 1)
        return grid

    def _put(self, grid: QGridLayout, place: int, name: str, box: QWidget) -> None:
        self.titles[name] = label("secondary")
        self.titles[name].setBuddy(box)
        grid.addWidget(self.titles[name], 3 * (place // 3), place % 3)
        grid.addWidget(box, 3 * (place // 3) + 1, place % 3)

    def _choices(self) -> Mapping[str, Mapping[StrEnum, str]]:
        paper = self._session.translator.pgettext
        _ = self._session.gettext
        return {
            "currency": {currency: currency.value for currency in Currency},
            "tax": {tax: _(words) for tax, words in TAX_WORDS.items()},
            "condition": {state: paper("paper", words) for state, words in CONDITIONS.items()},
            "kind": {kind: paper("paper", words) for kind, words in SEEN.items()},
            "region": {region: _(words) for region, words in REGION_WORDS.items()},
            "channel": {channel: _(words) for channel, words in CHANNEL_WORDS.items()},
        }

    # naming and filling ------------------------------------------------------------------------------

    def retranslate(self) -> None:
        """Name everything and list anew."""
        super().retranslate()
        _ = self._session.gettext
        name = self._session.services.catalogue().part(self.kind, self.item_id).name
        title = _(N_("Prices of {name}")).format(name=name)
        self.setWindowTitle(title)
        self.heading.setText(title)
        self.empty.setText(_(N_("No price is known: machines with it have no known total.")))
        self.add_title.setText(_(N_("Add a price")))
        for name_, words in {**TYPED, **CHOSEN}.items():
            self.titles[name_].setText(_(words))
            box = self.edits.get(name_) or self.lists[name_]
            box.setAccessibleName(_(words))
        self.edits["low"].setPlaceholderText("￥12,999")
        self.edits["date"].setPlaceholderText(self._session.services.today().isoformat())
        self.edits["lead_time_days"].setPlaceholderText(_(N_("unknown")))
        for key, words_ in self._choices().items():
            for place, text in enumerate(words_.values()):
                self.lists[key].setItemText(place, text)
        for made, words in ((self.add, N_("Add")), (self.take_away, N_("Take the chosen price away"))):
            made.setText(_(words))
            made.setAccessibleName(_(words))
        self.refresh()

    def refresh(self) -> None:
        """List the offers anew."""
        session = self._session
        self._offers = {
            offer.id: offer for offer in session.services.desk().prices.offers(self.kind, self.item_id)
        }
        services, t = session.services, session.translator
        limits = price_ages(services).limits(services.catalogue().part(self.kind, self.item_id))
        table = offers_table(tuple(self._offers.values()), limits, services.today(), t)
        self.table.show_table(table)
        self.empty.setVisible(not self._offers)
        self._enable()

    def _enable(self) -> None:
        offer = self._offers.get(self.table.current_key())
        self.take_away.setEnabled(offer is not None and offer.origin is Origin.USER)

    # writing -----------------------------------------------------------------------------------------

    def entry(self) -> PriceEntry:
        """What was typed and chosen."""
        texts = {name: edit.text() for name, edit in self.edits.items()}
        return PriceEntry(
            **texts,
            currency=self._chosen("currency", Currency),
            tax=self._chosen("tax", TaxBasis),
            condition=self._chosen("condition", Condition),
            kind=self._chosen("kind", PriceKind),
            region=self._chosen("region", Region),
            channel=self._chosen("channel", Channel),
        )

    def _chosen(self, name: str, kind: type[Choice]) -> Choice:
        return kind(self.lists[name].currentData())

    def _add(self) -> None:
        prices, kind, item_id, entry = (
            self._session.services.desk().prices,
            self.kind,
            self.item_id,
            self.entry(),
        )
        self._write(lambda: prices.add(kind, item_id, entry), self._added)

    def _added(self) -> None:
        for name in ("low", "high", "stock_note"):
            self.edits[name].clear()
        self._changed()

    def _remove(self) -> None:
        offer = self._offers.get(self.table.current_key())
        prices = self._session.services.desk().prices
        if offer is not None:
            self._write(lambda: prices.remove(offer), self._changed)

    def _write(self, work: Callable[[], object], done: Callable[[], None]) -> None:
        self.notice.hide()
        for error in self.errors.values():
            error.hide()
        self.writing(Message(N_("Saving")), lambda _job: work(), lambda _none: done(), self._failed)

    def _changed(self) -> None:
        self.refresh()
        self.saved.emit()

    def _failed(self, fault: Exception) -> None:
        """Under the field that it speaks of, else in the notice."""
        if isinstance(fault, InputError) and fault.field in self.errors:
            self.errors[fault.field].setText(self._session.render(problem(fault)))
            self.errors[fault.field].show()
            self.edits[fault.field].setFocus()
            return
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)
