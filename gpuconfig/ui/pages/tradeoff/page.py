"""Charts of the options and of the chosen one, each with the same data as a table."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QPushButton

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.charts.model import AnyChart
from gpuconfig.presentation.measures import option_key, option_name
from gpuconfig.presentation.option_view import all_options, find_option
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.pages.tradeoff.front import FrontView
from gpuconfig.ui.pages.tradeoff.kinds import KINDS, ChartKind, make_chart
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.text import button, column

if TYPE_CHECKING:
    from gpuconfig.ui.charts.frame import ChartFrame

WAIT_MS = 250
"""A chart that is worked out in the background waits until the numbers stand still."""


class TradeoffPage(Page):
    """What more money buys, and what the chosen machine does with it."""

    key = "tradeoff"
    wide = True

    def build(self) -> None:
        """Choice of the chart, the trade-off, the others."""
        session = self.session
        self.empty = Notice(session)
        self.kinds = QButtonGroup(self)
        self.choice = FlowLayout(4)
        for number, kind in enumerate(KINDS):
            made: QPushButton = button("step")
            made.setCheckable(True)
            self.kinds.addButton(made, number)
            self.choice.addWidget(made)
            made.setProperty("kind", kind.key)
        self.kinds.button(0).setChecked(True)
        self.front = FrontView(session)
        self.frame: ChartFrame | None = None
        self.nothing = Notice(session)
        self._place = column(spacing=0)
        self._loading = False
        self._loaded = False
        self._job: Job | None = None
        self._drawn: object = None
        self.body.addWidget(self.empty)
        self.body.addLayout(self.choice)
        self.body.addWidget(self.front)
        self.body.addWidget(self.nothing)
        self.body.addLayout(self._place)
        self.body.addStretch(1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._work)
        self.kinds.idToggled.connect(lambda _id, on: self._switched() if on else None)
        self.front.chosen.connect(self._choose)

    @property
    def kind(self) -> ChartKind:
        """The chart that shows."""
        return KINDS[max(self.kinds.checkedId(), 0)]

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Trade-off")))
        self.answers.setText(
            _(N_("What does more money buy, and which options are beaten by others in both respects?"))
        )
        for number, kind in enumerate(KINDS):
            made = self.kinds.button(number)
            made.setText(_(kind.title))
            made.setAccessibleName(made.text())
        self.front.retranslate()
        if self.frame is not None:
            self.frame.retranslate()

    def refresh(self) -> None:
        """Draw the options; the charts' library is loaded off the main thread the first time."""
        answer = self.session.recommendation
        known = answer is not None and bool(all_options(answer))
        for made in self.kinds.buttons():
            made.setVisible(known)
        if not known:
            for part in (self.front, self.nothing, self.frame):
                if part is not None:
                    part.hide()
            _ = self.session.gettext
            self.empty.tell(
                Tone.ACCENT,
                _(N_("No options to draw yet.")),
                _(N_("To the requirement")),
                lambda: self.session.page_requested.emit("wizard"),
            )
            return
        self.empty.hide()
        self._drawn = None
        self._draw()

    def _switched(self) -> None:
        """Another chart: the one before is gone at once, and what had the keyboard may be gone with it."""
        self._drawn = None
        self.kinds.button(max(self.kinds.checkedId(), 0)).setFocus()
        if self.kind.is_long and self.frame is not None:
            self.frame.hide()
            self.nothing.tell(Tone.ACCENT, self.session.render(self._drawing()))
        self._draw(waits=False)

    def _drawing(self) -> Message:
        return Message(N_("Drawing: {chart}"), {"chart": Message(self.kind.title)})

    def _draw(self, *, waits: bool = True) -> None:
        """The chart that is chosen; its drawing waits for the library, its words and table do not.

        Args:
            waits: a chart that takes long waits until the numbers stand still.
        """
        answer = self.session.recommendation
        if answer is None or not all_options(answer):
            return
        first = self.kind.key == "front"
        self.front.setVisible(first)
        if first:
            self.nothing.hide()
            self.front.show_answer(answer)
        if self.frame is not None:
            self.frame.setVisible(not first and not self.nothing.isVisible())
        if not self._loaded:
            self._load()
        elif not first and self.kind.is_long and waits:
            self._wait.start()
        elif not first:
            self._work()

    def _load(self) -> None:
        if not self._loading:
            self._loading = True
            self.session.jobs.read(Message(N_("Loading the chart")), _import_charts, self._made)

    def _made(self, _module: object) -> None:
        from gpuconfig.ui.charts.frame import ChartFrame

        self._loaded = True
        self.front.make_chart()
        self.frame = ChartFrame(self.session)
        self.frame.row_opened.connect(self._choose)
        self.frame.hide()
        self._place.addWidget(self.frame)
        self._draw()

    def _work(self) -> None:
        """Work the chart out: at once, or in the background where that takes time."""
        session, kind = self.session, self.kind
        answer, option = session.recommendation, session.option
        if answer is None or option is None or kind.key == "front":
            return
        if self._job is not None:
            self._job.cancel()
            self._job = None
        now = (kind.key, id(answer), option_key(option), session.translator.language)
        if self._drawn == now:
            return
        self._drawn = now
        services, t = session.services, session.translator
        if not kind.is_long:
            self._show(make_chart(kind.key, answer, option, services, t))
            return
        self._job = session.jobs.read(
            self._drawing(),
            lambda _job: make_chart(kind.key, answer, option, services, t),
            self._worked,
            self._failed,
            alone=True,
        )

    def _worked(self, chart: AnyChart | None) -> None:
        self._job = None
        self._show(chart)

    def _show(self, chart: AnyChart | None) -> None:
        if self.frame is None or self.kind.key == "front":
            return
        self.frame.setVisible(chart is not None)
        if chart is None:
            self.nothing.tell(Tone.UNKNOWN, self.session.gettext(self.kind.missing))
        else:
            self.nothing.hide()
            self.frame.show_chart(chart)

    def _failed(self, fault: Exception) -> None:
        self._job = None
        if self.frame is not None:
            self.frame.hide()
        text = self.session.gettext(N_("This chart cannot be drawn: {reason}"))
        self.nothing.tell(Tone.PROBLEM, text.format(reason=fault))

    def _choose(self, key: str) -> None:
        option = find_option(self.session.recommendation, key) if key else None
        if option is not None and option_key(option) == key:
            _ = self.session.gettext
            self.session.choose(key, option_name(option))
            text = _(N_("Chosen: {name}")).format(name=self.session.translator.part(option_name(option)))
            self.session.say(text, _(N_("Undo")), self.session.undo)


def _import_charts(_job: Job) -> object:
    """What drawing needs, but for pyqtgraph: it makes Qt classes, which only the main thread may."""
    return importlib.import_module("numpy")
