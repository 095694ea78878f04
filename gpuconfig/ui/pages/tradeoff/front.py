"""Any two measures against each other, the Pareto front, and the table that chart and hand share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.presentation.measures import MEASURES
from gpuconfig.presentation.tradeoff import Chart, chart, table
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, column, label, row

if TYPE_CHECKING:
    from gpuconfig.ui.charts.scatter import ScatterChart

SHAPE_WORDS = "●■▲◆▼✚"
BOX_WIDTH = 170


class FrontView(QWidget):
    """Axes, finding, chart, words, table.

    Signals:
        chosen: key of the option to speak of from now on.
    """

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._answer: Recommendation | None = None
        self._data: Chart | None = None
        self._entries: tuple[object, ...] = ()
        self.chart: ScatterChart | None = None
        self.across, self.upwards = QComboBox(), QComboBox()
        self.across_label, self.upwards_label = label("secondary"), label("secondary")
        self.across_label.setBuddy(self.across)
        self.upwards_label.setBuddy(self.upwards)
        for place, box in enumerate((self.across, self.upwards)):
            for item in MEASURES:
                box.addItem("", item.key)
            box.setCurrentIndex(place)
            box.currentIndexChanged.connect(lambda _n: self._draw())
            box.setMinimumWidth(BOX_WIDTH)
        self.finding = label("section", wrap=True)
        self.legend = FlowLayout(12)
        self.place = column()
        self.summary = label("secondary", wrap=True)
        self.table_title = label("section")
        self.choose, self.save_button = button(), button()
        self.table = FigureTable(session)
        head = row(self.finding, self.save_button, spacing=8)
        head.setStretch(0, 1)
        axes = row(self.upwards_label, self.upwards, 16, self.across_label, self.across, -1, spacing=8)
        under = row(self.table_title, -1, self.choose)
        parts = (head, axes, self.legend, self.place, self.summary, under, self.table)
        self.setLayout(column(*parts, spacing=10))
        self.table.row_chosen.connect(lambda _key: self._chosen_rows())
        self.table.selectionModel().selectionChanged.connect(lambda *_both: self._chosen_rows())
        self.table.row_opened.connect(self.chosen)
        self.choose.clicked.connect(lambda: self.chosen.emit(self.table.current_key()))
        self.save_button.clicked.connect(self.ask_and_save)

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self._session.gettext
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
        self.save_button.setText(_(N_("Save chart ...")))
        self.save_button.setAccessibleName(_(N_("Save the chart as PNG, SVG or CSV")))
        self.save_button.setToolTip(self.save_button.accessibleName())
        self._entries = ()

    def show_answer(self, answer: Recommendation) -> None:
        """Draw another answer, or the same in other words and colours."""
        self._answer = answer
        self._draw()

    def make_chart(self) -> None:
        """The library is there: draw."""
        from gpuconfig.ui.charts.scatter import ScatterChart

        self.chart = ScatterChart(self._session)
        self.chart.cell_opened.connect(self._point)
        self.chart.brushed.connect(self.table.select_rows)
        self.place.addWidget(self.chart)
        if self._data is not None:
            self.chart.show_data(self._data)

    def _draw(self) -> None:
        if self._answer is None:
            return
        t = self._session.translator
        data = self._data = chart(self._answer, self.across.currentData(), self.upwards.currentData(), t)
        self.finding.setText(data.title)
        left_out = ""
        if data.left_out:
            left_out = " " + t.ngettext(
                "{count} not drawn, since a value is unknown.",
                "{count} not drawn, since a value is unknown.",
                data.left_out,
            )
        hint = t.gettext(N_("Drag over points to choose their rows."))
        self.summary.setText(f"{data.summary}{left_out} {hint}")
        self.table.show_table(table(self._answer, data.points, t))
        self._legend(data)
        if self.chart is not None:
            self.chart.show_data(data)

    def _legend(self, data: Chart) -> None:
        colours = self._session.tokens.series
        entries = (*data.series, colours)
        if entries == self._entries:
            return
        self._entries = entries
        clear(self.legend)
        for number, name in enumerate(data.series):
            made = QLabel(f"{SHAPE_WORDS[number % len(SHAPE_WORDS)]} {name}")
            made.setStyleSheet(f"color: {colours[number % len(colours)]}")
            self.legend.addWidget(made)
        words = self._session.gettext(N_("filled: on the front; hollow: beaten"))
        self.legend.addWidget(label("small", words))

    def _chosen_rows(self) -> None:
        if self.chart is not None:
            self.chart.highlight(*(self.table.selected_keys() or (self.table.current_key(),)))

    def _point(self, key: str, measure: str) -> None:
        self.table.open_cell(key, measure)
        if self.chart is not None:
            self.chart.highlight(key)

    def ask_and_save(self) -> None:
        """Ask for a file and write the chart there."""
        if self.chart is None or self._data is None:
            return
        from gpuconfig.ui.charts.export import FILTER, save_to

        title = self._session.gettext(N_("Save chart"))
        name, chosen = QFileDialog.getSaveFileName(self, title, "chart.png", FILTER)
        if name:
            save_to(self._session, self.chart, self._data.title, self.table.rows.table, Path(name), chosen)
