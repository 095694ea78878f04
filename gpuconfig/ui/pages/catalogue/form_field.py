"""One field of an item's form: its box with its unit, the bundle's value where it was changed, what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.choice_words import choice_in_words
from gpuconfig.presentation.wizard.draft import problem
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button, column, label, row
from gpuconfig.ui.widgets.unit_edit import UnitEdit

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.editing import FormRow

TITLE_WIDTH = 250
LIST_KINDS = ("choice", "yes_no")


class FormFieldEdit(QWidget):
    """A line of the form.

    Signals:
        edited: the text changed.
        revert_requested: name of the field whose bundled value is wanted back.
    """

    edited = Signal()
    revert_requested = Signal(str)

    def __init__(self, session: Session, form_row: FormRow) -> None:
        super().__init__()
        self._session = session
        self.row = form_row
        self.name = form_row.field.name
        self.title = label("", wrap=True)
        self.title.setFixedWidth(TITLE_WIDTH)
        self.box: QComboBox | UnitEdit = (
            self._list() if form_row.field.kind.value in LIST_KINDS else self._line()
        )
        self.title.setBuddy(self.box)
        self.bundled = label("small", wrap=True)
        self.revert = button("link")
        self.revert.clicked.connect(lambda: self.revert_requested.emit(self.name))
        self.error = label("error", wrap=True)
        self.error.hide()
        changed = form_row.bundled is not None
        self.bundled.setVisible(changed)
        self.revert.setVisible(changed)
        under = row(self.bundled, self.revert, -1, spacing=8)
        right = column(self.box, under, self.error, spacing=2)
        self.setLayout(row(self.title, right, spacing=12))
        self.retranslate()

    @property
    def text(self) -> str:
        """What stands in the box, as the catalogue's reader takes it."""
        if isinstance(self.box, QComboBox):
            return str(self.box.currentData())
        return self.box.text()

    def retranslate(self) -> None:
        """Name everything."""
        _ = self._session.gettext
        field = self.row.field
        title = _(self.row.title)
        self.title.setText(f"{title} *" if field.required else title)
        self.box.setAccessibleName(title)
        if isinstance(self.box, QComboBox):
            self.box.setItemText(0, _(N_("unknown")))
            if field.kind.value == "yes_no":
                self.box.setItemText(1, _(N_("yes")))
                self.box.setItemText(2, _(N_("no")))
            else:
                for place in range(1, self.box.count()):
                    value = str(self.box.itemData(place))
                    self.box.setItemText(place, choice_in_words(self.name, value, self._session.translator))
        else:
            self.box.setPlaceholderText(
                _(N_("unknown; for example {example}")).format(example=field.example)
                if field.example
                else _(N_("unknown"))
            )
        if self.row.bundled is not None:
            shown = self.row.bundled or _(N_("unknown"))
            self.bundled.setText(_(N_("edited; the program's value: {value}")).format(value=shown))
            self.revert.setText(_(N_("Take it back")))
            self.revert.setAccessibleName(f"{title}: {self.revert.text()}")
        source = self.row.evidence.source
        self.box.setToolTip(source)
        self.box.setAccessibleDescription(source)

    def show_error(self, error: InputError | None) -> None:
        """Say what is wrong, or nothing."""
        text = "" if error is None else self._session.render(problem(error))
        self.error.setText(text)
        self.error.setVisible(bool(text))
        if isinstance(self.box, UnitEdit):
            self.box.set_invalid(bool(text))

    def matches(self, words: list[str]) -> bool:
        """Whether the field's name holds every word that was typed to find it."""
        text = f"{self.title.text()} {self.name}".casefold()
        return all(word in text for word in words)

    def _line(self) -> UnitEdit:
        made = UnitEdit()
        made.setText(self.row.text)
        made.setCursorPosition(0)  # a long text is read from its beginning
        made.set_unit(self.row.field.unit if not self.row.text else "")
        made.textEdited.connect(self._typed)
        return made

    def _typed(self, text: str) -> None:
        """A bare number is taken in the unit that stands behind it; one with its own unit needs none."""
        assert isinstance(self.box, UnitEdit)
        bare = not any(c.isalpha() or c in "°%" for c in text)
        self.box.set_unit(self.row.field.unit if bare else "")
        self.edited.emit()

    def _list(self) -> QComboBox:
        made = QComboBox()
        made.addItem("", "")
        for choice in self.row.field.choices:
            made.addItem(choice, choice)
        found = made.findData(self.row.text)
        if found < 0:
            made.addItem(self.row.text, self.row.text)
            found = made.count() - 1
        made.setCurrentIndex(found)
        made.currentIndexChanged.connect(lambda _place: self.edited.emit())
        return made
