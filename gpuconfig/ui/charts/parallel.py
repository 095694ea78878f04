"""Options over several measures at once: one upright a measure, up is better, one thread an option."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics

from gpuconfig.presentation.charts.model import Parallel, Thread
from gpuconfig.ui.charts.canvas import NEAR_PX, SYMBOLS, Canvas
from gpuconfig.ui.session import Session

FAINT = 90
LEFT_ROOM = 0.35
"""Before the first upright, in steps between uprights: half of its title stands there."""

LEAST_UPRIGHTS_PX = 240


class ParallelChart(Canvas):
    """Draws `Parallel`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._parallel: Parallel | None = None
        self._highlight = ""

    def show_data(self, parallel: Parallel) -> None:
        """Draw other data, or the same in other colours."""
        self._parallel = parallel
        self.redraw_soon()
        self.setAccessibleName(parallel.title)
        self.setAccessibleDescription(parallel.summary)

    def highlight(self, key: str) -> None:
        """Draw one thread over the others."""
        self._highlight = key
        self.redraw()

    def draw(self) -> None:
        """Uprights with their ends, dominated threads faint, the front's over them."""
        shown = self._parallel
        if shown is None:
            return
        self.name_axes("", "", grid=(False, False))
        for side in ("bottom", "left"):
            self.item.getAxis(side).setTicks([[]])
            self.item.getAxis(side).showLabel(False)
            self.item.getAxis(side).setPen(None)
        for place, axis in enumerate(shown.axes):
            pen = pg.mkPen(self.tokens.field_border, width=1)
            self.item.plot([place, place], [0, 1], pen=pen)
            self.text(axis.title, place, 1.13, (0.5, 1.0))
            self.text(axis.best, place, 1.02, (0.5, 1.0), self.tokens.secondary)
            self.text(axis.worst, place, -0.02, (0.5, 0.0), self.tokens.secondary)
        for thread in sorted(shown.threads, key=lambda t: (t.key == self._highlight, t.front)):
            self._thread(thread)
        self._names(shown)
        self.plot.setYRange(-0.12, 1.22, padding=0)

    def _thread(self, thread: Thread) -> None:
        chosen = thread.key == self._highlight
        colour = QColor(self.colour(thread.number))
        if not thread.front and not chosen:
            colour.setAlpha(FAINT)
        pen = pg.mkPen(colour, width=3.5 if chosen else 1.8 if thread.front else 1)
        known = [(float(x), y) for x, y in enumerate(thread.places) if y is not None]
        if not known:
            return
        xs, ys = zip(*known, strict=True)
        whole = len(known) == len(thread.places)
        if not whole:
            pen.setStyle(Qt.PenStyle.DashLine)
        fill = QColor(colour) if thread.front else QColor(self.tokens.background)
        self.item.plot(
            list(xs), list(ys), pen=pen, symbol=SYMBOLS[thread.number % len(SYMBOLS)], symbolSize=8,
            symbolPen=pg.mkPen(colour, width=1.5), symbolBrush=pg.mkBrush(fill),
        )  # fmt: skip

    def _names(self, shown: Parallel) -> None:
        """The front's threads named at the right; a name that would cover another is left out.

        The uprights leave as much room as the longest of the names takes.
        """
        last = float(max(len(shown.axes) - 1, 1))
        metrics = QFontMetrics(self.small_font())
        longest = 0
        taken: list[float] = []
        ordered = sorted(shown.threads, key=lambda t: (t.key != self._highlight, not t.front))
        for thread in ordered:
            end = thread.places[-1] if thread.places else None
            if end is None or not (thread.front or thread.key == self._highlight):
                continue
            if any(abs(end - other) < 0.055 for other in taken):
                continue
            taken.append(end)
            words = f"  {thread.name}  "
            longest = max(longest, metrics.horizontalAdvance(words))
            self.text(words, last, end, (0.0, 0.5))
        uprights = max(self.plot.width() - longest, LEAST_UPRIGHTS_PX)
        self.plot.setXRange(-LEFT_ROOM, last + (last + LEFT_ROOM) * longest / uprights, padding=0)

    def _near(self, position: QPointF) -> tuple[Thread, int] | None:
        """The thread under a place, and the upright it is nearest to."""
        best, found = float(NEAR_PX), None
        for thread in self._parallel.threads if self._parallel is not None else ():
            for x, y in enumerate(thread.places):
                if y is None:
                    continue
                at = self.item.vb.mapViewToScene(QPointF(float(x), y))
                apart = ((at.x() - position.x()) ** 2 + (at.y() - position.y()) ** 2) ** 0.5
                if apart < best:
                    best, found = apart, (thread, x)
        return found

    def hover_text(self, position: QPointF) -> str:
        """The name of the thread under the pointer."""
        near = self._near(position)
        return "" if near is None else near[0].name

    def cell_at(self, position: QPointF) -> tuple[str, str] | None:
        """The option and the measure under a place."""
        near = self._near(position)
        if near is None or self._parallel is None:
            return None
        return near[0].key, self._parallel.axes[near[1]].key
