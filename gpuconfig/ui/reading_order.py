"""Tab goes as the eye does: along the layouts, whatever was made first, and what it reaches is scrolled into sight.

Qt's own chain is the order in which widgets were made, which is another one wherever a page is filled anew. So the
chain of a window is put in order just before each step in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLayout, QMainWindow, QScrollArea, QWidget

TAB = Qt.FocusPolicy.TabFocus.value
SEEN_AROUND = 24
"""Pixels beside the widget with the keyboard that are kept in sight, so that the person sees there is more."""


class ReadingOrder:
    """Of a window: mixed in before the widget class."""

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002
        """Tab and Shift+Tab."""
        assert isinstance(self, QWidget)
        put_in_order(self)
        moved = bool(super().focusNextPrevChild(next))  # type: ignore[misc]
        reached = self.focusWidget()
        if reached is not None:
            bring_into_sight(reached)
        return moved


def put_in_order(window: QWidget) -> None:
    """Make the window's chain of Tab that of `stops`."""
    for one, other in pairwise(stops(window)):
        if one.nextInFocusChain() is not other:
            QWidget.setTabOrder(one, other)


def stops(widget: QWidget) -> Iterator[QWidget]:
    """The widgets under this one that take Tab, as they are read."""
    for child in _children(widget):
        if child.isHidden() or child.isWindow():
            continue
        if child.focusPolicy().value & TAB:
            if child.isEnabled():
                yield child
        else:
            yield from stops(child)


def bring_into_sight(widget: QWidget) -> None:
    """Scroll everything that the widget lies in until it shows."""
    inner, area = widget, widget.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea) and inner is not area:
            area.ensureWidgetVisible(widget, SEEN_AROUND, SEEN_AROUND)
        area = area.parentWidget()


def bring_part_into_sight(widget: QWidget, part: QRect) -> None:
    """Scroll the nearest area until a part of a widget shows, for example the cell of a long table."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    inner = area.widget() if isinstance(area, QScrollArea) else None
    if isinstance(area, QScrollArea) and inner is not None:
        middle = widget.mapTo(inner, part.center())
        half = QPoint(min(part.width(), area.viewport().width()) // 2, part.height())
        area.ensureVisible(middle.x(), middle.y(), half.x(), half.y())


def _children(widget: QWidget) -> Iterator[QWidget]:
    """What lies in the layout as it is read, then what lies beside any layout."""
    if isinstance(widget, QMainWindow):
        parts = (widget.centralWidget(), widget.statusBar(), widget.menuBar())
        yield from (part for part in parts if part is not None)
        return
    if isinstance(widget, QScrollArea):
        inner = widget.widget()
        if inner is not None:
            yield inner
        return
    inside = [child for child in widget.children() if isinstance(child, QWidget)]
    layout = widget.layout()
    placed = [] if layout is None else list(_placed(layout, inside))
    yield from placed
    yield from (child for child in inside if child not in placed)


def _placed(layout: QLayout, inside: list[QWidget]) -> Iterator[QWidget]:
    """Widgets of a layout in its order.

    Its items are not asked for: Python would remember each by its address after Qt has freed it, and take whatever
    comes to lie there for it.
    """
    parts: list[tuple[int, QWidget | QLayout]] = [(layout.indexOf(child), child) for child in inside]
    parts += [(layout.indexOf(inner), inner) for inner in layout.children() if isinstance(inner, QLayout)]
    for place, part in sorted(parts, key=lambda pair: pair[0]):
        if place >= 0 and isinstance(part, QLayout):
            yield from _placed(part, inside)
        elif place >= 0 and isinstance(part, QWidget):
            yield part
