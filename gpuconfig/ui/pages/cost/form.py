"""What the person says about cost: fields in a fold; each change is searched for like any other answer."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QWidget

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.cost_wishes import (
    COST_FIELDS,
    CostField,
    changed_answers,
    field_problem,
    shown_value,
    tariff_choices,
)
from gpuconfig.project.commands import SetAnswers
from gpuconfig.ui.pages.cost.keep_tariff import KeepTariff
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.text import column, label
from gpuconfig.ui.widgets.unit_edit import UnitEdit

COLUMNS = 2
WIDTH = 150
COMBO_WIDTH = 220


class CostForm(Fold):
    """The fields of `COST_FIELDS`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._filling = False
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self.editors: dict[str, QWidget] = {}
        self.labels: dict[str, QLabel] = {}
        for number, field in enumerate(COST_FIELDS):
            title, editor = label("secondary"), self._editor(field)
            title.setBuddy(editor)
            editor.setMaximumWidth(COMBO_WIDTH if isinstance(editor, QComboBox) else WIDTH)
            place = number // COLUMNS, number % COLUMNS * 2
            grid.addWidget(title, *place)
            grid.addWidget(editor, place[0], place[1] + 1)
            self.editors[field.key], self.labels[field.key] = editor, title
        grid.setColumnStretch(2 * COLUMNS, 1)
        self.problem = label("problem", wrap=True)
        self.problem.hide()
        self.hint = label("secondary", wrap=True)
        self.keep = KeepTariff(session)
        self.body.setLayout(column(self.hint, grid, self.problem, self.keep, spacing=8))

    def _editor(self, field: CostField) -> QWidget:
        if field.flag:
            box = QCheckBox()
            box.toggled.connect(lambda on, f=field: self._changed(f, "1" if on else ""))
            return box
        if field.choices or field.key == "tariff":
            combo = QComboBox()
            combo.activated.connect(lambda _n, f=field, c=combo: self._changed(f, c.currentData() or ""))
            return combo
        edit = UnitEdit()
        edit.textEdited.connect(lambda text, f=field: self._changed(f, text))
        return edit

    def retranslate(self) -> None:
        """Name the fields."""
        _ = self._session.gettext
        self.set_title(_(N_("What the cost is worked out with")))
        self.keep.retranslate()
        self.hint.setText(_(N_("Empty: as recorded, with its source behind the figure.")))
        for field in COST_FIELDS:
            words = _(field.title)
            self.labels[field.key].setText(words)
            self.editors[field.key].setAccessibleName(words)
        self.load()

    def load(self) -> None:
        """Show what is said."""
        self._filling = True
        session = self._session
        _, answers = session.gettext, session.answers
        request = session.request
        currency = ""
        if session.option is not None:
            currency = session.option.price.total.low.currency.value
        for field in COST_FIELDS:
            editor, value = self.editors[field.key], shown_value(field, answers)
            if isinstance(editor, QCheckBox):
                editor.setChecked(bool(value))
            elif isinstance(editor, QComboBox):
                choices = field.choices
                if field.key == "tariff":
                    region = "CN" if request is None else request.constraints.region.value
                    known = () if session.recommendation is None else session.services.catalogue().tariffs()
                    choices = (("", N_("by the region")), *tariff_choices(known, region))
                self._fill(editor, [(data, _(title)) for data, title in choices], value)
            elif isinstance(editor, UnitEdit):
                editor.set_unit(currency if field.unit == "currency" else _(field.unit) if field.unit else "")
                if editor.text() != value and not editor.hasFocus():
                    editor.setText(value)
        self._filling = False
        self.keep.refresh()

    @staticmethod
    def _fill(combo: QComboBox, choices: list[tuple[str, str]], value: str) -> None:
        if [(combo.itemData(i), combo.itemText(i)) for i in range(combo.count())] != choices:
            combo.clear()
            for data, title in choices:
                combo.addItem(title, data)
        combo.setCurrentIndex(max(0, combo.findData(value)))

    def _changed(self, field: CostField, typed: str) -> None:
        if self._filling:
            return
        session, editor = self._session, self.editors[field.key]
        try:
            answers = changed_answers(field, typed, session.answers)
        except InputError as error:
            if isinstance(editor, UnitEdit):
                editor.set_invalid(True)
            self.problem.setText(f"{session.gettext(field.title)}: {session.render(field_problem(error))}")
            self.problem.show()
            return
        if isinstance(editor, UnitEdit):
            editor.set_invalid(False)
        self.problem.hide()
        session.do(SetAnswers(answers, Message(field.title), typing=isinstance(editor, UnitEdit)))
