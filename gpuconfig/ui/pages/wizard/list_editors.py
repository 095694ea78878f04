"""Editors that search a list while typing: one model, or several accelerators."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.search import matches
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language
from gpuconfig.presentation.wizard.constraint_step import OWNED_KINDS
from gpuconfig.ui.pages.wizard.field import QuestionField
from gpuconfig.ui.widgets.text import column
from gpuconfig.ui.widgets.unit_edit import UnitEdit

LIST_HEIGHT = 190


class ModelField(QuestionField):
    """Search among the presets; the list answers while typing."""

    def make_editor(self) -> QWidget:
        """A line of text over a list."""
        self.edit = UnitEdit()
        self.list = QListWidget()
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setUniformItemSizes(True)
        self._items: list[CatalogueItem] = []
        self._listed: tuple[Language, list[CatalogueItem]] | None = None
        self.edit.textEdited.connect(self._typed)
        self.edit.returnPressed.connect(self._return)
        self.edit.installEventFilter(self)
        self.list.itemClicked.connect(self._picked)
        self.list.itemActivated.connect(self._picked)
        made = QWidget()
        made.setLayout(column(self.edit, self.list, spacing=4))
        made.setMaximumWidth(560)
        self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: list(self.session.services.catalogue().models()),
            self._loaded,
            quiet=True,
        )
        return made

    def focus_widget(self) -> QWidget:
        """The line of text."""
        return self.edit

    def load_value(self, value: object) -> None:
        """Show the chosen model's id."""
        text = value if isinstance(value, str) else ""
        if text != self.edit.text():
            self.edit.setText(text)
            self._fill()

    def name_editor(self, taken: set[str]) -> None:
        """Example and list."""
        _ = self.session.gettext
        self.edit.setPlaceholderText(_(self.question.placeholder))
        self.list.setAccessibleName(_(N_("Models found")))
        self._fill()

    def mark_invalid(self, invalid: bool) -> None:
        """A red frame."""
        self.edit.set_invalid(invalid)

    def consequence_text(self) -> str:
        """What was chosen, in its own words."""
        item = next((item for item in self._items if item.id == self.edit.text()), None)
        if item is None:
            return ""
        parameters = getattr(item, "parameters", None)
        size = self.session.translator.formats.quantity(parameters, "parameter")
        return self.session.gettext(N_("{name}: {size} parameters")).format(name=item.name, size=size)

    def _loaded(self, items: list[CatalogueItem]) -> None:
        self._items = items
        self._fill()
        self.show_consequence()

    def _fill(self) -> None:
        text = self.edit.text()
        exact = any(item.id == text for item in self._items)
        found = self._items if exact else [item for item in self._items if matches(item, text)]
        listed = (self.session.translator.language, found)
        if listed != self._listed:  # asked for at each keystroke and by each change of the project
            self._listed = listed
            self._list(found)
        row = next((row for row, item in enumerate(found) if item.id == text), -1)
        self.list.setCurrentRow(row)
        if row >= 0:
            self.list.scrollToItem(self.list.item(row))

    def _list(self, found: list[CatalogueItem]) -> None:
        self.list.clear()
        formats = self.session.translator.formats
        for item in found:
            size = formats.quantity(getattr(item, "parameters", None), "parameter")
            entry = QListWidgetItem(f"{item.name}    {size}")
            entry.setData(Qt.ItemDataRole.UserRole, item.id)
            entry.setToolTip(item.id)
            self.list.addItem(entry)

    def _typed(self, text: str) -> None:
        self._fill()
        self.answer(text or None, typing=True)

    def _picked(self, item: QListWidgetItem) -> None:
        name = item.data(Qt.ItemDataRole.UserRole)
        self.edit.setText(name)
        self.answer(name)

    def _return(self) -> None:
        item = self.list.currentItem() or (self.list.item(0) if self.list.count() == 1 else None)
        if item is not None and item.data(Qt.ItemDataRole.UserRole) != self.edit.text():
            self._picked(item)
        else:
            self.entered.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys move in the list while the text keeps the keyboard."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self.list.count():
                self.list.setCurrentRow(min(max(self.list.currentRow() + step, 0), self.list.count() - 1))
                return True
        return False


class CardsField(QuestionField):
    """Several accelerators out of all, found by typing."""

    LISTED = N_("Accelerators found")

    def make_editor(self) -> QWidget:
        """A line of text over a list of ticks."""
        self.edit = UnitEdit()
        self.list = QListWidget()
        self.list.setFixedHeight(LIST_HEIGHT)
        self._items: list[tuple[str, CatalogueItem]] = []
        self._chosen: tuple[str, ...] = ()
        self.edit.textEdited.connect(lambda _text: self._fill())
        self.edit.returnPressed.connect(self.entered)
        self.list.itemChanged.connect(self._ticked)
        made = QWidget()
        made.setLayout(column(self.edit, self.list, spacing=4))
        made.setMaximumWidth(560)
        self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: self.read(),
            self._loaded,
            quiet=True,
        )
        return made

    def read(self) -> list[tuple[str, CatalogueItem]]:
        """What can be ticked, with the answer that each stands for."""
        return [(card.id, card) for card in self.session.services.catalogue().accelerators()]

    def focus_widget(self) -> QWidget:
        """The line of text."""
        return self.edit

    def load_value(self, value: object) -> None:
        """Tick the chosen ones."""
        chosen = tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
        if chosen != self._chosen:
            self._chosen = chosen
            self._fill()

    def name_editor(self, taken: set[str]) -> None:
        """Example and list."""
        self.edit.setPlaceholderText(self.session.gettext(self.question.placeholder))
        self.list.setAccessibleName(self.session.gettext(self.LISTED))

    def consequence_text(self) -> str:
        """How many are ticked."""
        if not self._chosen:
            return ""
        return self.session.translator.ngettext(
            "{count} card ticked", "{count} cards ticked", len(self._chosen)
        )

    def _loaded(self, items: list[tuple[str, CatalogueItem]]) -> None:
        self._items = items
        self._fill()

    def _fill(self) -> None:
        self.loading, before = True, self.loading
        self.list.clear()
        found = [(key, item) for key, item in self._items if matches(item, self.edit.text())]
        found.sort(key=lambda pair: pair[0] not in self._chosen)
        for key, item in found:
            entry = QListWidgetItem(self.session.translator.part(item.name))
            entry.setData(Qt.ItemDataRole.UserRole, key)
            on = key in self._chosen
            entry.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            self.list.addItem(entry)
        self.loading = before

    def _ticked(self, entry: QListWidgetItem) -> None:
        if self.loading:
            return
        name = entry.data(Qt.ItemDataRole.UserRole)
        others = tuple(item for item in self._chosen if item != name)
        self._chosen = (*others, name) if entry.checkState() is Qt.CheckState.Checked else others
        self.answer(list(self._chosen) or None)


class OwnedField(CardsField):
    """Parts of a machine in use, of every kind."""

    LISTED = N_("Parts found")

    def read(self) -> list[tuple[str, CatalogueItem]]:
        """Every part that a machine may bring along."""
        catalogue = self.session.services.catalogue()
        return [(f"{kind.value}:{item.id}", item) for kind in OWNED_KINDS for item in catalogue.parts(kind)]

    def consequence_text(self) -> str:
        """How many are ticked."""
        count = len(self._chosen)
        return (
            self.session.translator.ngettext("{count} part ticked", "{count} parts ticked", count)
            if count
            else ""
        )
