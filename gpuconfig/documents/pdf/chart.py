"""The trade-off chart as vectors: price against time, the Pareto front filled, dominated options hollow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, Literal

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Circle, Drawing, Line, Polygon, PolyLine, String
from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.content import Point, Span, Tone, TradeOff
from gpuconfig.documents.pdf.flow import Placeable
from gpuconfig.documents.pdf.fonts import BOLD, REGULAR, Typeface
from gpuconfig.documents.pdf.style import (
    BORDER,
    HAIRLINE,
    LEAD,
    SECONDARY,
    SERIES,
    SMALL,
    TABLE,
    TEXT,
    TEXT_WIDTH,
)
from gpuconfig.documents.pdf.text import TextBox, text_box
from gpuconfig.i18n.formats import Formats

PLOT_HEIGHT = 215.0
LEFT, RIGHT, BOTTOM, TOP = 52.0, 14.0, 34.0, 8.0
ALL_NAMED = 6
"""With more points than this only the front is named."""
LOG_FROM_RATIO = 12.0
"""Axes whose largest value is more than this many times the smallest are logarithmic."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to points of the drawing; logarithmic where the values span decades."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Position of `value`."""
        low, high = (log10(self.low), log10(self.high)) if self.logarithmic else (self.low, self.high)
        place = log10(value) if self.logarithmic else value
        return self.start + (self.end - self.start) * (place - low) / (high - low)


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """Title, drawing and the summary in words."""

    title: TextBox
    drawing: Drawing
    summary: TextBox
    before: float = 6.0
    after: float = 10.0
    keeps_next: bool = False

    @property
    def height(self) -> float:
        """Of all three."""
        return self.title.height + 4.0 + self.drawing.height + self.summary.height + 2.0

    def least(self) -> float:
        """It cannot be divided."""
        return self.height

    def split(self, _available: float, /) -> tuple[Placeable, Placeable] | None:
        """It cannot be divided."""
        return None

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """From the title down."""
        self.title.draw(canvas, x, top, TEXT_WIDTH)
        y = top - self.title.height - 4.0 - self.drawing.height
        renderPDF.draw(self.drawing, canvas, x, y)
        self.summary.draw(canvas, x, y - 2.0, TEXT_WIDTH)


def lay_chart(chart: TradeOff, face: Typeface, formats: Formats) -> ChartBlock:
    """The chart over the text's width."""
    title = text_box((Span(chart.title, bold=True),), TEXT_WIDTH, face, LEAD)
    summary = text_box((Span(chart.summary, tone=Tone.SECONDARY),), TEXT_WIDTH, face, SMALL)
    return ChartBlock(title, _drawing(chart, face, formats), summary)


def axis(values: list[float], start: float, end: float) -> Axis:
    """An axis around positive `values` with four to eight ticks at round numbers."""
    low, high = min(values), max(values)
    if low > 0 and high / low > LOG_FROM_RATIO:
        ticks = _log_ticks(low, high)
        return Axis(min(low / 1.15, ticks[0]), max(high * 1.15, ticks[-1]), start, end, True, ticks)
    span = (high - low) or abs(high) or 1.0
    step = _round_step(span * 1.2 / 5)
    first = max(0.0, floor((low - span * 0.08) / step) * step)
    count = ceil((high + span * 0.08 - first) / step)
    ticks = tuple(first + step * index for index in range(count + 1))
    return Axis(ticks[0], ticks[-1], start, end, False, ticks)


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    steps = (1, 2, 5) if high / low < 1000 else (1,)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in steps]
    inside = [tick for tick in ticks if low / 1.15 <= tick <= high * 1.15]
    return tuple(inside) if len(inside) >= 2 else (low, high)


def _round_step(raw: float) -> float:
    power = 10.0 ** floor(log10(raw))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if raw <= step * power * 1.0001)


def _drawing(chart: TradeOff, face: Typeface, formats: Formats) -> Any:
    drawing: Any = Drawing(TEXT_WIDTH, PLOT_HEIGHT)
    # Else the renderer starts with Helvetica, which is not embedded.
    drawing.__dict__["initialFontName"] = REGULAR
    x = axis([p.x for p in chart.points], LEFT, TEXT_WIDTH - RIGHT)
    y = axis([p.y for p in chart.points], BOTTOM, PLOT_HEIGHT - TOP - 14.0)
    _grid(drawing, x, y, face, formats)
    clean = face.printable
    drawing.add(_text(LEFT - 46, PLOT_HEIGHT - TOP - 4.0, clean(chart.y_label), anchor="start"))
    drawing.add(_text(TEXT_WIDTH - RIGHT, 3.0, clean(chart.x_label), anchor="end"))
    front = sorted((p for p in chart.points if p.front), key=lambda p: p.x)
    if len(front) > 1:
        places = [coordinate for p in front for coordinate in (x.at(p.x), y.at(p.y))]
        drawing.add(PolyLine(places, strokeColor=SERIES[0], strokeWidth=1.0, strokeDashArray=(3, 2)))
    for point in sorted(chart.points, key=lambda p: (p.chosen, p.front)):
        _mark(drawing, point, x.at(point.x), y.at(point.y))
    _labels(drawing, chart, x, y, face)
    _legend(drawing, chart, face)
    return drawing


def _grid(drawing: Drawing, x: Axis, y: Axis, face: Typeface, formats: Formats) -> None:
    for tick in y.ticks:
        place = y.at(tick)
        drawing.add(Line(x.start, place, x.end, place, strokeColor=BORDER, strokeWidth=HAIRLINE))
        drawing.add(_text(x.start - 5, place - 2.6, face.printable(formats.number(tick)), anchor="end"))
    drawing.add(Line(x.start, y.start, x.end, y.start, strokeColor=SECONDARY, strokeWidth=0.8))
    for tick in x.ticks:
        place = x.at(tick)
        drawing.add(Line(place, y.start, place, y.start - 3, strokeColor=SECONDARY, strokeWidth=0.8))
        drawing.add(_text(place, y.start - 12, face.printable(formats.number(tick)), anchor="middle"))


def _mark(drawing: Drawing, point: Point, x: float, y: float, half: float = 6.5) -> None:
    """A diamond for the recommended option, a filled circle on the front, a hollow one behind it."""
    if point.chosen:
        corners = [x, y + half, x + half, y, x, y - half, x - half, y]
        drawing.add(Polygon(corners, fillColor=SERIES[1], strokeColor=SERIES[1], strokeWidth=1))
    elif point.front:
        drawing.add(Circle(x, y, 4, fillColor=SERIES[0], strokeColor=SERIES[0], strokeWidth=1))
    else:
        drawing.add(Circle(x, y, 3, fillColor=None, strokeColor=SECONDARY, strokeWidth=0.8))


def _labels(drawing: Drawing, chart: TradeOff, x: Axis, y: Axis, face: Typeface) -> None:
    """Names beside the recommended and the front's points, where they cover nothing."""
    taken = [(x.at(p.x) - 6, y.at(p.y) - 6, x.at(p.x) + 6, y.at(p.y) + 6) for p in chart.points]
    taken += _along(sorted((p for p in chart.points if p.front), key=lambda p: p.x), x, y)
    few = len(chart.points) <= ALL_NAMED
    named = sorted(
        (p for p in chart.points if few or p.front or p.chosen),
        key=lambda p: (not p.chosen, not p.front, p.x),
    )
    for point in named:
        label = face.printable(point.label)
        size = TABLE if point.chosen else SMALL
        width = face.width(label, size, bold=point.chosen)
        frame = (x.start, y.start, x.end, y.end + 10)
        place = _free_place(x.at(point.x), y.at(point.y), width, size, taken, frame)
        if place is None and point.chosen:  # the recommended option is named in any case
            place = _far_place(x.at(point.x), y.at(point.y), width, size, taken, frame)
            drawing.add(
                Line(
                    x.at(point.x),
                    y.at(point.y),
                    place[0] - 1.5,
                    place[1] + size / 2,
                    strokeColor=SERIES[1],
                    strokeWidth=0.6,
                )
            )
        if place is None:
            continue
        taken.append((place[0], place[1], place[0] + width, place[1] + size))
        colour = TEXT if point.chosen or point.front else SECONDARY
        font = BOLD if point.chosen else REGULAR
        drawing.add(String(place[0], place[1] + 1.5, label, fontName=font, fontSize=size, fillColor=colour))


def _along(front: list[Point], x: Axis, y: Axis) -> list[Area]:
    """Small areas along the front's line, which no label may cover."""
    areas: list[Area] = []
    for first, second in pairwise(front):
        steps = max(2, int(abs(x.at(second.x) - x.at(first.x)) / 6))
        for step in range(1, steps):
            left = x.at(first.x) + (x.at(second.x) - x.at(first.x)) * step / steps
            low = y.at(first.y) + (y.at(second.y) - y.at(first.y)) * step / steps
            areas.append((left - 1, low - 1, left + 1, low + 1))
    return areas


Area = tuple[float, float, float, float]
Anchor = Literal["start", "middle", "end"]


def _free_place(
    x: float, y: float, width: float, size: float, taken: list[Area], frame: Area
) -> tuple[float, float] | None:
    """Right, left, above or below the point, whichever overlaps nothing; None where all do."""
    candidates = (
        (x + 9, y - size / 2),
        (x - 9 - width, y - size / 2),
        (x - width / 2, y + 9),
        (x - width / 2, y - 9 - size),
        (x + 8, y + 7),
        (x - 8 - width, y + 7),
        (x + 8, y - 7 - size),
        (x - 8 - width, y - 7 - size),
    )
    for left, low in candidates:
        box = (left, low, left + width, low + size)
        inside = box[0] >= frame[0] and box[2] <= frame[2] and box[1] >= frame[1] and box[3] <= frame[3]
        if inside and not any(_overlap(box, other, x, y) for other in taken):
            return left, low
    return None


def _far_place(
    x: float, y: float, width: float, size: float, taken: list[Area], frame: Area
) -> tuple[float, float]:
    """The nearest free place up to half the chart away, right of or above the point; beside it where there is none."""
    for distance in range(14, 110, 8):
        for left, low in ((x + 6, y + distance), (x + distance, y + distance), (x + 6, y - distance - size)):
            box = (left, low, left + width, low + size)
            inside = box[2] <= frame[2] and box[1] >= frame[1] and box[3] <= frame[3]
            if inside and not any(_overlap(box, other, x, y) for other in taken):
                return left, low
    return x + 9, y - size / 2


def _overlap(box: Area, other: Area, x: float, y: float) -> bool:
    own = other == (x - 6, y - 6, x + 6, y + 6)
    return not own and box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _legend(drawing: Drawing, chart: TradeOff, face: Typeface) -> None:
    """Right of the axis title, marks before words."""
    kinds = (
        (chart.legend[0], Point(label="", x=0, y=0, chosen=True), any(p.chosen for p in chart.points)),
        (chart.legend[1], Point(label="", x=0, y=0, front=True), any(p.front for p in chart.points)),
        (chart.legend[2], Point(label="", x=0, y=0), any(not p.front and not p.chosen for p in chart.points)),
    )
    right = TEXT_WIDTH - RIGHT
    base = PLOT_HEIGHT - TOP - 4.0
    for label, sample, present in reversed(kinds):
        if not present:
            continue
        shown = face.printable(label)
        right -= face.width(shown, SMALL)
        drawing.add(_text(right, base, shown, anchor="start"))
        _mark(drawing, sample, right - 10, base + 2.6, 4.5)
        right -= 26


def _text(x: float, y: float, shown: str, *, anchor: Anchor) -> String:
    return String(x, y, shown, fontName=REGULAR, fontSize=SMALL, fillColor=SECONDARY, textAnchor=anchor)
