"""Editors of the wizard's questions."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QWidget,
)

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.catalogue_view import matches
from gpuconfig.presentation.wizard.numbers import read_decimal
from gpuconfig.presentation.wizard.question import QuestionKind
from gpuconfig.ui.pages.wizard.field import FIELD_WIDTH, QuestionField
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.text import button, column, row
from gpuconfig.ui.widgets.unit_edit import UnitEdit

CHOICE_COLUMNS = 3
LIST_HEIGHT = 190


class ChoiceField(QuestionField):
    """A grid of buttons of which one is taken."""

    def make_editor(self) -> QWidget:
        """One radio button a choice."""
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        self.group = QButtonGroup(made)
        self.buttons: dict[str, QRadioButton] = {}
        for number, choice in enumerate(self.question.choices):
            radio = QRadioButton()
            self.buttons[choice.value] = radio
            self.group.addButton(radio, number)
            grid.addWidget(radio, number // CHOICE_COLUMNS, number % CHOICE_COLUMNS)
            radio.toggled.connect(lambda on, value=choice.value: self.answer(value) if on else None)
        for place in range(CHOICE_COLUMNS):
            grid.setColumnStretch(place, 1)
        return made

    def focus_widget(self) -> QWidget:
        """The chosen button, or the first."""
        checked = self.group.checkedButton()
        return checked or next(iter(self.buttons.values()))

    def load_value(self, value: object) -> None:
        """Choose a button; the default where nothing was said."""
        wanted = str(value) if isinstance(value, str) and value else self.question.default
        if wanted in self.buttons:
            self.buttons[wanted].setChecked(True)
        else:
            self.group.setExclusive(False)
            for radio in self.buttons.values():
                radio.setChecked(False)
            self.group.setExclusive(True)

    def name_editor(self, taken: set[str]) -> None:
        """Name the buttons, each with its letter."""
        titles = [self.session.gettext(choice.title) for choice in self.question.choices]
        texts = mnemonics.assign(titles, taken)
        for choice, title, text in zip(self.question.choices, titles, texts, strict=True):
            radio = self.buttons[choice.value]
            radio.setText(text)
            radio.setAccessibleName(f"{self.session.gettext(self.question.title)}: {title}")
            if choice.consequence:
                radio.setToolTip(self.session.gettext(choice.consequence))

    def retranslate(self, taken: set[str]) -> None:
        """Buttons keep their own names."""
        super().retranslate(taken)
        for choice in self.question.choices:
            title = f"{self.session.gettext(self.question.title)}: {self.session.gettext(choice.title)}"
            self.buttons[choice.value].setAccessibleName(title)

    def consequence_text(self) -> str:
        """That of the chosen button."""
        number = self.group.checkedId()
        return self.session.gettext(self.question.choices[number].consequence) if number >= 0 else ""


class PickField(QuestionField):
    """One of a list, or open."""

    def make_editor(self) -> QWidget:
        """A combo box."""
        made = QComboBox()
        made.setFixedWidth(FIELD_WIDTH)
        made.addItem("", "")
        for choice in self.question.choices:
            made.addItem("", choice.value)
        made.installEventFilter(self)
        made.currentIndexChanged.connect(lambda _n: self.answer(made.currentData() or None))
        self.combo = made
        return made

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the page, not the answer."""
        if event.type() is QEvent.Type.Wheel:
            event.ignore()
            return True
        return False

    def load_value(self, value: object) -> None:
        """Choose an entry; the default where nothing was said."""
        wanted = str(value) if isinstance(value, str) and value else self.question.default
        self.combo.setCurrentIndex(max(self.combo.findData(wanted), 0))

    def name_editor(self, taken: set[str]) -> None:
        """Name the entries."""
        _ = self.session.gettext
        self.loading, before = True, self.loading
        self.combo.setItemText(0, _(N_("left open")))
        for number, choice in enumerate(self.question.choices):
            self.combo.setItemText(number + 1, _(choice.title))
        self.loading = before

    def consequence_text(self) -> str:
        """That of the chosen entry."""
        number = self.combo.currentIndex()
        if number <= 0:
            return ""
        return self.session.gettext(self.question.choices[number - 1].consequence)


class NumberField(QuestionField):
    """A number or an amount as typed; the reading stands under it."""

    def make_editor(self) -> QWidget:
        """A line of text with its unit."""
        self.edit = UnitEdit()
        self.edit.setFixedWidth(FIELD_WIDTH)
        self.edit.textEdited.connect(lambda text: self.answer(text or None, typing=True))
        self.edit.returnPressed.connect(self.entered)
        return self.edit

    def load_value(self, value: object) -> None:
        """Show the text unless it is what stands there: the cursor stays."""
        text = value if isinstance(value, str) else ""
        if text != self.edit.text():
            self.edit.setText(text)

    def name_editor(self, taken: set[str]) -> None:
        """Unit and example."""
        _ = self.session.gettext
        self.edit.set_unit(_(self.question.unit) if self.question.unit else "")
        example = self.question.placeholder
        shown = _(N_("for example {example}")).format(example=example) if example else ""
        self.edit.setPlaceholderText(shown)

    def mark_invalid(self, invalid: bool) -> None:
        """A red frame."""
        self.edit.set_invalid(invalid)

    def consequence_text(self) -> str:
        """How a number with a suffix was read."""
        text = self.edit.text().strip()
        if not text or text.isdigit():
            return ""
        try:
            number = read_decimal(text, self.question.key, binary=self.question.binary)
        except InputError:
            return ""
        if not (abs(number) < 10**16 and any(c.isalpha() for c in text)):
            return ""
        formats = self.session.translator.formats
        whole = number == number.to_integral_value()
        return "= " + (formats.count(int(number)) if whole else formats.number(number, 8))


class FileField(NumberField):
    """A path with a button beside it."""

    def make_editor(self) -> QWidget:
        """A line of text and a button."""
        super().make_editor()
        self.choose = button()
        self.choose.clicked.connect(self._choose)
        made = QWidget()
        made.setLayout(row(self.edit, self.choose, -1))
        return made

    def focus_widget(self) -> QWidget:
        """The line of text."""
        return self.edit

    def name_editor(self, taken: set[str]) -> None:
        """Example and button."""
        _ = self.session.gettext
        self.edit.setPlaceholderText(_(self.question.placeholder))
        self.choose.setText(_(N_("Choose file ...")))
        self.choose.setAccessibleName(_(N_("Choose a model file")))

    def consequence_text(self) -> str:
        """Nothing: a path is what it is."""
        return ""

    def _choose(self) -> None:
        _ = self.session.gettext
        filters = _(N_("Models (*.json *.gguf)")) + ";;" + _(N_("All files (*)"))
        path, _used = QFileDialog.getOpenFileName(self, _(N_("Choose a model file")), "", filters)
        if path:
            self.edit.setText(path)
            self.answer(path)


class ModelField(QuestionField):
    """Search among the presets; the list answers while typing."""

    def make_editor(self) -> QWidget:
        """A line of text over a list."""
        self.edit = UnitEdit()
        self.list = QListWidget()
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setUniformItemSizes(True)
        self._items: list[CatalogueItem] = []
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
        self.list.clear()
        formats = self.session.translator.formats
        for item in found:
            size = formats.quantity(getattr(item, "parameters", None), "parameter")
            entry = QListWidgetItem(f"{item.name}    {size}")
            entry.setData(Qt.ItemDataRole.UserRole, item.id)
            entry.setToolTip(item.id)
            self.list.addItem(entry)
            if item.id == text:
                self.list.setCurrentItem(entry)
        if self.list.currentRow() >= 0:
            self.list.scrollToItem(self.list.currentItem())

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

    def make_editor(self) -> QWidget:
        """A line of text over a list of ticks."""
        self.edit = UnitEdit()
        self.list = QListWidget()
        self.list.setFixedHeight(LIST_HEIGHT)
        self._items: list[CatalogueItem] = []
        self._chosen: tuple[str, ...] = ()
        self.edit.textEdited.connect(lambda _text: self._fill())
        self.edit.returnPressed.connect(self.entered)
        self.list.itemChanged.connect(self._ticked)
        made = QWidget()
        made.setLayout(column(self.edit, self.list, spacing=4))
        made.setMaximumWidth(560)
        self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: list(self.session.services.catalogue().accelerators()),
            self._loaded,
            quiet=True,
        )
        return made

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
        self.list.setAccessibleName(self.session.gettext(N_("Accelerators found")))

    def consequence_text(self) -> str:
        """How many are ticked."""
        if not self._chosen:
            return ""
        return self.session.translator.ngettext(
            "{count} card ticked", "{count} cards ticked", len(self._chosen)
        )

    def _loaded(self, items: list[CatalogueItem]) -> None:
        self._items = items
        self._fill()

    def _fill(self) -> None:
        self.loading, before = True, self.loading
        self.list.clear()
        found = [item for item in self._items if matches(item, self.edit.text())]
        found.sort(key=lambda item: item.id not in self._chosen)
        for item in found:
            entry = QListWidgetItem(item.name)
            entry.setData(Qt.ItemDataRole.UserRole, item.id)
            on = item.id in self._chosen
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


def editor_class(kind: QuestionKind, key: str) -> type[QuestionField]:
    """Which editor answers a question."""
    if key == "model_file":
        return FileField
    return {
        QuestionKind.CHOICE: ChoiceField,
        QuestionKind.PICK: PickField,
        QuestionKind.MODEL: ModelField,
        QuestionKind.CARDS: CardsField,
    }.get(kind, NumberField)
