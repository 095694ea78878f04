"""The what-if panel: a slider and a number box for each number, and what they do to the chosen machine."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation import badges
from gpuconfig.presentation.measures import option_name
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.what_if import POSITIONS, Lever
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import WHAT_IF_WIDTH
from gpuconfig.ui.widgets.side_panel import SidePanel
from gpuconfig.ui.widgets.text import button, clear, column, label, line, row, set_tone

BOX_WIDTH, BOX_PADDING = 128, 8


class LeverRow(QWidget):
    """One number: its name, a box, a slider, and the value it was found with."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._lever: Lever | None = None
        self._filling = False
        self.title = label(wrap=True)
        self.found = label("small", wrap=True)
        self.box = QDoubleSpinBox()
        self.box.lineEdit().setTextMargins(BOX_PADDING, 0, BOX_PADDING, 0)
        self.box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.box.setFixedWidth(BOX_WIDTH)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, POSITIONS)
        self.slider.setSingleStep(POSITIONS // 100)
        self.slider.setPageStep(POSITIONS // 10)
        self.title.setBuddy(self.box)
        head = row(self.title, self.box, spacing=8)
        head.setStretch(0, 1)
        self.setLayout(column(head, self.slider, self.found, spacing=2))
        for part in (self.box, self.slider):
            part.installEventFilter(self)
        self.slider.valueChanged.connect(self._slid)
        self.slider.sliderPressed.connect(lambda: session.trial.hold(True))
        self.slider.sliderReleased.connect(lambda: session.trial.hold(False))
        self.box.valueChanged.connect(self._typed)

    def show_lever(self, lever: Lever, *, name: bool) -> None:
        """Show another value; `name`: the texts too."""
        self._filling = True
        before, self._lever = self._lever, lever
        if (
            name
            or before is None
            or (before.low, before.high, before.unit) != (lever.low, lever.high, lever.unit)
        ):
            self._name(lever)
        if abs(self.box.value() - lever.value) > 10 ** -(lever.decimals + 1):
            self.box.setValue(lever.value)
        if self.slider.value() != (place := lever.position(lever.value)) and not self.slider.isSliderDown():
            self.slider.setValue(place)
        self._tell(lever)
        self._filling = False

    def _name(self, lever: Lever) -> None:
        self.title.setText(lever.title)
        self.box.setLocale(self.locale())
        self.box.setDecimals(lever.decimals)
        self.box.setGroupSeparatorShown(lever.high >= 10_000)
        self.box.setRange(lever.low, lever.high)
        self.box.setSingleStep(1 if lever.decimals == 0 else 0.01)
        self.box.setSuffix(f" {lever.unit}" if lever.unit else "")
        for part in (self.box, self.slider):
            part.setAccessibleName(lever.title)
            part.setToolTip(lever.help)

    def _tell(self, lever: Lever) -> None:
        number = f"{lever.found:,.{lever.decimals}f}"
        text = self._session.gettext(N_("found with {value}")).format(value=f"{number} {lever.unit}".strip())
        self.found.setText(text if lever.is_moved else lever.help)
        self.found.setVisible(bool(self.found.text()))
        self.slider.setAccessibleDescription(self.box.text())

    def _slid(self, place: int) -> None:
        if not self._filling and self._lever is not None:
            self._set(self._lever.at(place))

    def _typed(self, value: float) -> None:
        if not self._filling and self._lever is not None:
            self._set(value)

    def _set(self, value: float) -> None:
        assert self._lever is not None  # only a shown lever moves
        if abs(value - self._lever.value) > 1e-9:
            self._session.trial.move(self._lever, value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the panel unless the part has the keyboard."""
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class WhatIfPanel(SidePanel):
    """Beside the pages: they all follow."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, WHAT_IF_WIDTH)
        self.setObjectName("whatIfPanel")
        self.machine = label("strong", wrap=True)
        self.state = label("small", wrap=True)
        self.shifts = QGridLayout()
        self.shifts.setHorizontalSpacing(8)
        self.shifts.setVerticalSpacing(2)
        self._cells: list[tuple[QLabel, QLabel, QLabel]] = []
        self.rows: dict[str, LeverRow] = {}
        self._levers = QVBoxLayout()
        self._levers.setSpacing(12)
        self.reset = button()
        self.empty = label("secondary", wrap=True)
        self.hold(
            column(
                self.empty,
                self.machine,
                self.state,
                self.shifts,
                line(),
                self._levers,
                self.reset,
                -1,
                spacing=10,
            )
        )
        self._named = False
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        session = self.session
        self.reset.clicked.connect(session.trial.reset)
        session.trial.moved.connect(self.refresh)
        session.answer_changed.connect(self.refresh)
        session.project_changed.connect(self.refresh)
        session.language_changed.connect(self.retranslate)
        session.theme_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """Name everything."""
        _ = self.session.gettext
        self.name(_(N_("What if")))
        self.name_button(self.close_button, "close", _(N_("Close what-if (Esc)")))
        self.reset.setText(_(N_("Back to what was found")))
        self.reset.setAccessibleName(self.reset.text())
        self.empty.setText(
            _(N_("Once there is an answer, its numbers can be moved here and everything follows."))
        )
        self._named = False
        self.refresh()

    def refresh(self) -> None:
        """Follow the numbers."""
        if not self.isVisible() and self._named:
            self._named = False
            return
        trial = self.session.trial
        option, found = trial.option, trial.levers()
        self.empty.setVisible(option is None)
        for part in (self.machine, self.state, self.reset):
            part.setVisible(option is not None)
        self._show_levers(found)
        self._show_shifts()
        if option is not None:
            self.machine.setText(self.session.translator.part(option_name(option)))
            self.reset.setEnabled(any(lever.is_moved for lever in found))
            self._tell_state()
        self._named = True

    def showEvent(self, event: QShowEvent) -> None:
        """What happened while it was hidden shows now."""
        super().showEvent(event)
        self.refresh()

    def _show_levers(self, found: tuple[Lever, ...]) -> None:
        if list(self.rows) != [lever.key for lever in found]:
            clear(self._levers)
            self.rows = {lever.key: LeverRow(self.session) for lever in found}
            for made in self.rows.values():
                self._levers.addWidget(made)
        for lever in found:
            self.rows[lever.key].show_lever(lever, name=not self._named)

    def _show_shifts(self) -> None:
        """Title, value now, and what it was; the row says better or worse in words too."""
        _ = self.session.gettext
        found = self.session.trial.shifts()
        while len(self._cells) < len(found):
            cells = (label("secondary"), label("strong"), label("small"))
            cells[1].setAlignment(Qt.AlignmentFlag.AlignRight)
            number = 2 * len(self._cells)
            self.shifts.addWidget(cells[0], number, 0)
            self.shifts.addWidget(cells[1], number, 1)
            self.shifts.addWidget(cells[2], number + 1, 0, 1, 2, Qt.AlignmentFlag.AlignRight)
            self._cells.append(cells)
        for number, cells in enumerate(self._cells):
            for cell in cells:
                cell.setVisible(number < len(found))
        for (title, now, before), shift in zip(self._cells, found, strict=False):
            title.setText(shift.title)
            now.setText(shift.now)
            before.setVisible(shift.better is not None)
            if shift.better is not None:
                word = N_("better than {before}") if shift.better else N_("worse than {before}")
                before.setText(_(word).format(before=shift.before))
                set_tone(before, Tone.OK if shift.better else Tone.WARNING)

    def _tell_state(self) -> None:
        _ = self.session.gettext
        trial = self.session.trial
        tried, fallen = trial.tried(), trial.fallen_out()
        set_tone(self.state, Tone.SECONDARY if fallen is None else Tone.PROBLEM)
        if fallen is not None:
            text = _(N_("Falls out: {reason}")).format(reason=self.session.render(fallen))
        elif trial.waits or self.session.searching:
            text = _(N_("Machines are being composed anew; until then those that there are stand here."))
        elif tried is not None:
            text = badges.verdict(tried.verdict, self.session.translator).text
        elif self.session.project.what_if:
            text = _(N_("Tried, not found: papers say so."))
        else:
            text = _(N_("As found. Move a number: all pages follow."))
        self.state.setText(text)

    def focus_first(self) -> None:
        """The first box, or the button that closes."""
        first = next(iter(self.rows.values()), None)
        (first.box if first is not None else self.close_button).setFocus()
