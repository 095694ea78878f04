"""A chart on a page: its finding as the title, legend, drawing, words, and the same numbers as a table."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.charts.model import AnyChart, Bars, Look, Parallel, Plot
from gpuconfig.ui.charts.bars import BarChart
from gpuconfig.ui.charts.canvas import SHAPE_WORDS, Canvas
from gpuconfig.ui.charts.export import FILTER, save_to
from gpuconfig.ui.charts.lines import LineChart
from gpuconfig.ui.charts.parallel import ParallelChart
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, column, label, row

BLOCKS = "█▓▨▦▧░"
"""Hatchings of the segments of bars, in words of one character."""


class ChartFrame(QWidget):
    """Shows any chart; the drawing widgets are made when one of their sort is first shown.

    Signals:
        row_opened: key of the row that was double-clicked in the table.
    """

    row_opened = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._chart: AnyChart | None = None
        self.canvas: Canvas | None = None
        self._made: dict[type[Canvas], Canvas] = {}
        self.title = label("section", wrap=True)
        self.legend = FlowLayout(12)
        self._place = column(spacing=0)
        self.summary = label("secondary", wrap=True)
        self.table_title = label("section")
        self.save_button = button()
        self.table = FigureTable(session)
        head = row(self.title, self.save_button, spacing=8)
        head.setStretch(0, 1)
        parts = (head, self.legend, self._place, self.summary, self.table_title, self.table)
        self.setLayout(column(*parts, spacing=10))
        self.save_button.clicked.connect(self.ask_and_save)
        self.table.row_chosen.connect(self._highlight)
        self.table.row_opened.connect(self.row_opened)
        self.retranslate()

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self._session.gettext
        self.table_title.setText(_(N_("The same as a table")))
        self.save_button.setText(_(N_("Save chart ...")))
        self.save_button.setAccessibleName(_(N_("Save the chart as PNG, SVG or CSV")))
        self.save_button.setToolTip(self.save_button.accessibleName())

    def show_chart(self, chart: AnyChart) -> None:
        """Show a chart."""
        self._chart = chart
        self.title.setText(chart.title)
        self.summary.setText(chart.summary)
        self.summary.setVisible(bool(chart.summary))
        self.table.show_table(chart.table)
        wanted: type[Canvas] = LineChart
        if isinstance(chart, Bars):
            wanted = BarChart
        elif isinstance(chart, Parallel):
            wanted = ParallelChart
        if wanted not in self._made:
            self._made[wanted] = self._make(wanted)
        for kind, canvas in self._made.items():
            canvas.setVisible(kind is wanted)
        self.canvas = self._made[wanted]
        self._legend(chart)
        self.canvas.show_data(chart)  # type: ignore[attr-defined]

    def _make(self, kind: type[Canvas]) -> Canvas:
        made = kind(self._session)
        self._place.addWidget(made)
        made.cell_opened.connect(self.table.open_cell)
        made.cell_opened.connect(lambda key, _column: self._highlight(key))
        return made

    def _highlight(self, key: str) -> None:
        if isinstance(self.canvas, ParallelChart):
            self.canvas.highlight(key)

    def _legend(self, chart: AnyChart) -> None:
        clear(self.legend)
        colours = self._session.tokens.series
        for words, number in _entries(chart):
            made = QLabel(words)
            made.setStyleSheet(f"color: {colours[number % len(colours)]}")
            self.legend.addWidget(made)
        if isinstance(chart, Plot) and any(series.hollow for series in chart.series):
            words = self._session.gettext(N_("hollow: does not fit"))
            self.legend.addWidget(label("small", words))

    def ask_and_save(self) -> None:
        """Ask for a file and write the chart there."""
        if self._chart is None or self.canvas is None:
            return
        _ = self._session.gettext
        name, chosen = QFileDialog.getSaveFileName(self, _(N_("Save chart")), "chart.png", FILTER)
        if name:
            self.save_as(Path(name), chosen)

    def save_as(self, path: Path, chosen: str = "") -> None:
        """Write the chart to a file, and say so."""
        assert self._chart is not None  # only a chart that shows is saved
        assert self.canvas is not None
        save_to(self._session, self.canvas, self._chart.title, self._chart.table, path, chosen)


def _entries(chart: AnyChart) -> list[tuple[str, int]]:
    """Words of the legend with the number of their colour; a single line needs none."""
    if isinstance(chart, Bars):
        return [
            (f"{BLOCKS[(n + n // len(BLOCKS)) % len(BLOCKS)]} {name}", n)
            for n, name in enumerate(chart.parts)
        ]
    if isinstance(chart, Plot) and len(chart.series) > 1:
        found: dict[str, int] = {}
        for series in chart.series:
            shape = "╌" if series.look is Look.DASHED else SHAPE_WORDS[series.number % len(SHAPE_WORDS)]
            shape = "━" if series.look is Look.LINE else shape
            if series.name:
                found.setdefault(f"{shape} {series.name}", series.number)
        return list(found.items())
    return []
