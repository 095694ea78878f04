"""Where names stand beside their points: over no point, on no line and over no other name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetrics

ANCHORS = ((0.0, 1.0), (0.0, 0.5), (1.0, 0.5), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.5, 1.3), (0.5, -0.3))
"""Above right, right, left, below right, above left, below left, above, below."""


class Names:
    """The free places of one drawing, in the plot's own pixels."""

    def __init__(self, view: pg.ViewBox, metrics: QFontMetrics) -> None:
        self._view = view
        self._metrics = metrics
        self._boxes: list[QRectF] = []
        self._lines: list[QLineF] = []

    def keep_clear(self, points: Iterable[tuple[float, float]], size: float) -> None:
        """No name covers a symbol of `size` pixels at any of these points."""
        self._boxes += [self._box(point, QSizeF(size, size), (0.5, 0.5)) for point in points]

    def keep_off(self, points: Sequence[tuple[float, float]]) -> None:
        """No name stands on the line through these points."""
        pixels = [self._view.mapFromView(QPointF(*point)) for point in points]
        self._lines += [QLineF(a, b) for a, b in pairwise(pixels)]

    def place(
        self, words: str, at: tuple[float, float], anchors: Sequence[tuple[float, float]] = ANCHORS
    ) -> tuple[float, float] | None:
        """The first free one of `anchors` for words beside a point, kept from then on; None where all are taken."""
        size = QSizeF(self._metrics.horizontalAdvance(words) + 4, self._metrics.height() + 4)
        area = QRectF(self._view.rect())
        centre = self._view.mapFromView(QPointF(*at))
        others = [box for box in self._boxes if box.center() != centre]
        for anchor in anchors:
            box = self._box(at, size, anchor)
            covers = any(box.intersects(other) for other in others)
            if area.contains(box) and not covers and not any(_crosses(line, box) for line in self._lines):
                self._boxes.append(box)
                return anchor
        return None

    def _box(self, at: tuple[float, float], size: QSizeF, anchor: tuple[float, float]) -> QRectF:
        place = self._view.mapFromView(QPointF(*at))
        corner = QPointF(place.x() - anchor[0] * size.width(), place.y() - anchor[1] * size.height())
        return QRectF(corner, size)


def _crosses(line: QLineF, box: QRectF) -> bool:
    """Whether a line touches a box, a little drawn in: the line may end at the point that the box names."""
    inner = box.adjusted(3, 3, -3, -3)
    if inner.contains(line.p1()) or inner.contains(line.p2()):
        return True
    corners = (inner.topLeft(), inner.topRight(), inner.bottomRight(), inner.bottomLeft())
    sides = (QLineF(corners[n], corners[(n + 1) % 4]) for n in range(4))
    bounded = QLineF.IntersectionType.BoundedIntersection
    return any(line.intersects(side)[0] == bounded for side in sides)
