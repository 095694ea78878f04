"""Price against time, or any two measures, with the same data as a table."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.measures import MEASURES, option_name
from gpuconfig.presentation.option_view import all_options, find_option
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.tradeoff import chart, table
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, column, label, row

if TYPE_CHECKING:
    from gpuconfig.ui.charts.scatter import ScatterChart

SHAPE_WORDS = "●■▲◆▼✚"


class TradeoffPage(Page):
    """What more money buys."""

    key = "tradeoff"
    wide = True

    def build(self) -> None:
        """Axes, title, chart, legend, table."""
        session = self.session
        self.empty = Notice(session)
        self.content = QWidget()
        self.across, self.upwards = QComboBox(), QComboBox()
        self.across_label, self.upwards_label = label("secondary"), label("secondary")
        self.across_label.setBuddy(self.across)
        self.upwards_label.setBuddy(self.upwards)
        for place, box in enumerate((self.across, self.upwards)):
            for item in MEASURES:
                box.addItem("", item.key)
            box.setCurrentIndex(place)
            box.currentIndexChanged.connect(lambda _n: self._draw())
            box.setMinimumWidth(160)
        self.finding = label("section", wrap=True)
        self.legend = QHBoxLayout()
        self.legend.setSpacing(12)
        self.place = column()
        self.summary = label("secondary", wrap=True)
        self.table_title = label("section")
        self.choose = button()
        self.table = FigureTable(session)
        self.chart: ScatterChart | None = None
        self._loading = False
        axes = row(self.upwards_label, self.upwards, 16, self.across_label, self.across, -1, spacing=8)
        head = row(self.table_title, -1, self.choose)
        parts = (self.finding, axes, self.legend, self.place, self.summary, head, self.table)
        self.content.setLayout(column(*parts, spacing=10))
        self.body.addWidget(self.empty)
        self.body.addWidget(self.content)
        self.body.addStretch(1)
        self.table.row_chosen.connect(self._highlight)
        self.table.row_opened.connect(self._choose)
        self.choose.clicked.connect(lambda: self._choose(self.table.current_key()))

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Trade-off")))
        self.answers.setText(
            _(N_("What does more money buy, and which options are beaten by others in both respects?"))
        )
        self.across_label.setText(_(N_("Across")))
        self.upwards_label.setText(_(N_("Upwards")))
        self.across.setAccessibleName(_(N_("Measure across")))
        self.upwards.setAccessibleName(_(N_("Measure upwards")))
        for box in (self.across, self.upwards):
            for place, item in enumerate(MEASURES):
                box.setItemText(place, _(item.title))
        self.table_title.setText(_(N_("The same as a table")))
        self.choose.setText(_(N_("Choose the current row")))
        self.choose.setAccessibleName(_(N_("Choose the current row")))

    def refresh(self) -> None:
        """Draw the options; the chart's library is loaded off the main thread the first time."""
        answer = self.session.recommendation
        if answer is None or not all_options(answer):
            self.content.hide()
            _ = self.session.gettext
            text = _(N_("No options to draw yet."))
            self.empty.tell(
                Tone.ACCENT,
                text,
                _(N_("To the requirement")),
                lambda: self.session.page_requested.emit("wizard"),
            )
            return
        self.empty.hide()
        self.content.show()
        self._draw()

    def _draw(self) -> None:
        answer = self.session.recommendation
        if answer is None or not all_options(answer):
            return
        t = self.session.translator
        data = chart(answer, self.across.currentData(), self.upwards.currentData(), t)
        self.finding.setText(data.title)
        left_out = ""
        if data.left_out:
            left_out = " " + t.ngettext(
                "{count} not drawn, since a value is unknown.",
                "{count} not drawn, since a value is unknown.",
                data.left_out,
            )
        self.summary.setText(data.summary + left_out)
        self.table.show_table(table(answer, data.points, t))
        clear(self.legend)
        for number, name in enumerate(data.series):
            colours = self.session.tokens.series
            made = QLabel(f"{SHAPE_WORDS[number % len(SHAPE_WORDS)]} {name}")
            made.setStyleSheet(f"color: {colours[number % len(colours)]}")
            self.legend.addWidget(made)
        self.legend.addWidget(label("small", t.gettext(N_("filled: on the front; hollow: beaten"))))
        self.legend.addStretch(1)
        if self.chart is not None:
            self.chart.show_chart(data)
        elif not self._loading:
            self._loading = True
            self.session.jobs.read(Message(N_("Loading the chart")), _import_chart, self._made)

    def _made(self, _module: object) -> None:
        from gpuconfig.ui.charts.scatter import ScatterChart

        self.chart = ScatterChart(self.session)
        self.chart.point_chosen.connect(self._point)
        self.place.addWidget(self.chart)
        self._draw()

    def _highlight(self, key: str) -> None:
        if self.chart is not None:
            self.chart.highlight(key)

    def _point(self, key: str) -> None:
        self.table.select(key)
        self._highlight(key)

    def _choose(self, key: str) -> None:
        option = find_option(self.session.recommendation, key) if key else None
        if option is not None:
            _ = self.session.gettext
            self.session.choose(key, option_name(option))
            self.session.say(
                _(N_("Chosen: {name}")).format(name=option_name(option)), _(N_("Undo")), self.session.undo
            )


def _import_chart(_job: Job) -> object:
    return importlib.import_module("pyqtgraph")
