"""What a chart is before anybody draws it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig.presentation.table import Table


class Look(StrEnum):
    """How a series is drawn."""

    LINE = "line"
    DASHED = "dashed"
    MARKED = "marked"  # a line with its points
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series in shown units.

    Attributes:
        low, high: ends of a band; empty: none.
        hollow: numbers of the points drawn hollow: what they stand for cannot be done.
        labels: a name for each point, drawn beside it where there is room; empty: none.
        number: which colour and shape of the series; one that repeats another's shares both.
        rows: key of each point's row in the chart's table; empty where a point has none.
        column: key of the table's column that holds the points' values.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    look: Look = Look.MARKED
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    hollow: frozenset[int] = frozenset()
    labels: tuple[str, ...] = ()
    number: int = 0
    rows: tuple[str, ...] = ()
    column: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Lines or points over two axes.

    Attributes:
        title: the finding, in words.
        summary: the chart in words, for screen readers and under it.
        log_x, log_y: equal ratios take equal ways.
        x_ticks: places of the x axis that are named; empty: numbers.
        upright: a place of the x axis marked by an upright line with its name; None: none.
    """

    title: str
    summary: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    table: Table
    log_x: bool = False
    log_y: bool = False
    x_ticks: tuple[tuple[float, str], ...] = ()
    upright: tuple[float, str] | None = None
    from_zero: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One stacked bar with its row of the table; `limit` is what it must stay below."""

    key: str
    name: str
    parts: tuple[float, ...]
    limit: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Stacked bars that lie; `parts` names the segments from the left, `columns` those of the table they are from."""

    title: str
    summary: str
    x_title: str
    parts: tuple[str, ...]
    columns: tuple[str, ...]
    bars: tuple[Bar, ...]
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One upright of a parallel-coordinates chart, and the table's column it shows; up is better."""

    key: str
    title: str
    best: str
    worst: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One option over all axes: 0 worst, 1 best; None: unknown, the thread is broken there."""

    key: str
    name: str
    places: tuple[float | None, ...]
    front: bool
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    """Options over several measures at once."""

    title: str
    summary: str
    axes: tuple[Axis, ...]
    threads: tuple[Thread, ...]
    table: Table


AnyChart = Plot | Bars | Parallel
