"""Watts from the wall to each part as bands whose breadth is their power: one layout for window and paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NODE = 10.0
"""Breadth of a node's bar."""
GAP = 6.0
"""Free space between two bars of the last column."""


@dataclass(frozen=True, slots=True)
class WattNode:
    """A source or load: its name, its watts and how they are written; `lost` is heat of the supplies."""

    label: str
    watts: float
    text: str
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WattFlow:
    """What a machine draws.

    Attributes:
        wall, supply: the mains and the supplies' output.
        loads: parts, the greatest first; with the loss of the supplies they make up the wall's watts.
        summary: the picture in words.
    """

    wall: WattNode
    supply: WattNode
    loads: tuple[WattNode, ...]
    lost: WattNode
    summary: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A node as drawn: a rectangle from the top left, and where its label's middle stands."""

    node: WattNode
    x: float
    top: float
    height: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Band:
    """A ribbon between two bars: its upper edges left and right, and its breadth."""

    left: float
    left_top: float
    right: float
    right_top: float
    height: float
    lost: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """All bars and bands in a field of `width` and `height`, y downward."""

    bars: tuple[Bar, ...]
    bands: tuple[Band, ...]
    height: float


def lay_out(flow: WattFlow, width: float, row: float, labels: float) -> Layout:
    """Three columns: wall, supplies, parts.

    Args:
        width: of the whole field.
        row: least height of a labelled row.
        labels: room right of the last column.
    """
    ends = (*flow.loads, flow.lost) if flow.lost.watts > 0 else flow.loads
    total = sum(node.watts for node in ends) or 1.0
    body = max(row * 5, row * len(ends) * 0.8)
    scale = body / total
    heights = [max(1.5, node.watts * scale) for node in ends]
    tops = _stacked(heights, row)
    height = max(tops[-1] + max(heights[-1], row), row * 1.2 + body)
    middle, last = (width - labels) * 0.45, width - labels - NODE
    inner = sum(node.watts for node in flow.loads) * scale
    start = row * 1.2
    bars = [
        Bar(flow.wall, 0.0, start, body, start - row * 0.6),
        Bar(flow.supply, middle, start, inner, start - row * 0.6),
    ]
    bands = [Band(NODE, start, middle, start, inner, False)]
    offset = start
    for node, top, breadth in zip(ends, tops, heights, strict=True):
        own = node.watts * scale
        left = NODE if node.lost else middle + NODE
        bands.append(Band(left, offset, last, top, own, node.lost))
        bars.append(Bar(node, last, top, breadth, top + breadth / 2))
        offset += own
    return Layout(tuple(bars), tuple(bands), height)


def _stacked(heights: Sequence[float], row: float) -> list[float]:
    """Upper edges under one another; thin bars keep a row for their label."""
    tops, y = [], row * 1.2
    for height in heights:
        room = max(height + GAP, row)
        tops.append(y + (room - GAP - height) / 2 if room > height + GAP else y)
        y += room
    return tops
