"""Editors of the wizard's questions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QRadioButton,
    QWidget,
)

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard.numbers import read_decimal
from gpuconfig.presentation.wizard.question import QuestionKind
from gpuconfig.ui.pages.wizard.field import FIELD_WIDTH, QuestionField
from gpuconfig.ui.pages.wizard.list_editors import CardsField, ModelField, OwnedField
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.text import button, row
from gpuconfig.ui.widgets.unit_edit import UnitEdit

CHOICE_COLUMNS = 3


class ChoiceButton(QRadioButton):
    """One of the choices.

    Signals:
        moved: an arrow key was pressed; Qt's own answer to it ends at the edges of the grid.
    """

    moved = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go to other choices."""
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(event.key())
        else:
            super().keyPressEvent(event)


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
            radio = ChoiceButton()
            radio.moved.connect(lambda key, n=number: self._move(n, key))
            self.buttons[choice.value] = radio
            self.group.addButton(radio, number)
            grid.addWidget(radio, number // CHOICE_COLUMNS, number % CHOICE_COLUMNS)
            radio.toggled.connect(lambda on, value=choice.value: self.answer(value) if on else None)
        for place in range(CHOICE_COLUMNS):
            grid.setColumnStretch(place, 1)
        return made

    def _move(self, number: int, key: int) -> None:
        """From one choice to another: Right and Left along the rows, Down and Up along the columns, round the ends."""
        count = len(self.buttons)
        by_rows = list(range(count))
        by_columns = sorted(by_rows, key=lambda n: (n % CHOICE_COLUMNS, n // CHOICE_COLUMNS))
        order = by_rows if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) else by_columns
        step = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Down) else -1
        reached = list(self.buttons.values())[order[(order.index(number) + step) % count]]
        reached.setFocus(Qt.FocusReason.TabFocusReason)
        reached.setChecked(True)

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
        if not text or text.isdigit() or self.question.kind is QuestionKind.TEXT:
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

    def _choose(self) -> None:
        _ = self.session.gettext
        filters = _(N_("Models (*.json *.gguf)")) + ";;" + _(N_("All files (*)"))
        path, _used = QFileDialog.getOpenFileName(self, _(N_("Choose a model file")), "", filters)
        if path:
            self.edit.setText(path)
            self.answer(path)


_OF_THEIR_OWN: Mapping[str, type[QuestionField]] = {"model_file": FileField, "owned": OwnedField}


def editor_class(kind: QuestionKind, key: str) -> type[QuestionField]:
    """Which editor answers a question."""
    if key in _OF_THEIR_OWN:
        return _OF_THEIR_OWN[key]
    return {
        QuestionKind.CHOICE: ChoiceField,
        QuestionKind.PICK: PickField,
        QuestionKind.MODEL: ModelField,
        QuestionKind.CARDS: CardsField,
    }.get(kind, NumberField)
