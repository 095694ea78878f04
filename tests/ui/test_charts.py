"""Charts as they are drawn: what a click on them opens, where names stand, what shows while one is worked out."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest

from gpuconfig.i18n import Language
from gpuconfig.presentation.charts.model import Bars, Parallel, Plot
from gpuconfig.ui.charts.canvas import Canvas
from gpuconfig.ui.charts.names import Names
from gpuconfig.ui.charts.slots import GUTTER, label_left, shared_line
from gpuconfig.ui.pages.tradeoff.kinds import KINDS
from tests.ui.conftest import open_sample, pause, settle

SERVING = 4
LAID_OUT_TURNS = 100
KIND_KEYS = [kind.key for kind in KINDS]


def show(window, key: str) -> Canvas:
    """The chart `key` of the trade-off page, drawn."""
    window.show_page("tradeoff")
    settle(window)
    page = window.pages["tradeoff"]
    page.kinds.button(KIND_KEYS.index(key)).setChecked(True)
    settle(window)
    canvas = page.front.chart if key == "front" else page.frame.canvas
    assert canvas is not None
    return canvas


def first_point(window, key: str, canvas: Canvas) -> QPointF:
    """A place of the scene at which a figure is drawn."""
    page = window.pages["tradeoff"]
    if key == "front":
        point = page.front._data.points[0]
        return canvas.item.vb.mapViewToScene(QPointF(point.x, point.y))
    chart = page.frame._chart
    if isinstance(chart, Bars):
        return canvas.item.vb.mapViewToScene(QPointF(chart.bars[0].parts[0] / 2, 0.0))
    if isinstance(chart, Parallel):
        return canvas.item.vb.mapViewToScene(QPointF(0.0, chart.threads[0].places[0]))
    assert isinstance(chart, Plot)
    series = next(s for s in chart.series if s.rows)
    return canvas.item.vb.mapViewToScene(QPointF(*canvas._points(series, chart)[0]))


@pytest.mark.parametrize("key", KIND_KEYS)
def test_a_click_on_what_is_drawn_opens_its_figure_and_shows_its_row(make_window, key):
    window = make_window(Language.EN)
    open_sample(window, SERVING)
    canvas = show(window, key)
    cell = canvas.cell_at(first_point(window, key, canvas))
    assert cell is not None
    canvas.cell_opened.emit(*cell)
    settle(window)
    page = window.pages["tradeoff"]
    table = page.front.table if key == "front" else page.frame.table
    assert table.current_key() == cell[0]
    assert window.why is not None
    assert window.why.isVisible()
    assert window.why.path[-1].value is not None
    assert canvas.cell_at(QPointF(-50.0, -50.0)) is None


def test_while_a_chart_is_worked_out_the_one_before_does_not_show(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    show(window, "memory")
    page = window.pages["tradeoff"]
    page.kinds.button(KIND_KEYS.index("roofline")).setChecked(True)
    assert not page.frame.isVisible()
    assert page.nothing.isVisible()
    settle(window)
    assert page.frame.isVisible()
    assert not page.nothing.isVisible()


def test_bars_have_room_for_their_longest_name(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    canvas = show(window, "memory")
    longest = max(window.pages["tradeoff"].frame._chart.bars, key=lambda bar: len(bar.name)).name
    needed = QFontMetrics(canvas.small_font()).horizontalAdvance(longest)
    axis = canvas.item.getAxis("left")
    for _turn in range(LAID_OUT_TURNS):  # the chart is laid out by events of its own
        if axis.width() > needed:
            break
        pause(20)
    assert axis.width() > needed


def names_on_a_square(qapp) -> Names:
    view = pg.ViewBox()
    view.resize(400, 400)
    view.setRange(xRange=(0, 10), yRange=(0, 10), padding=0)
    view.updateMatrix()
    return Names(view, QFontMetrics(QFont(qapp.font())))


def test_a_name_stands_off_the_line_of_its_point(qapp):
    names = names_on_a_square(qapp)
    above, right = (0.0, 1.0), (0.0, 0.5)
    names.keep_off([(1.0, 5.0), (9.0, 5.0)])
    assert names.place("RTX", (1.0, 5.0), (right,)) is None
    assert names.place("RTX", (1.0, 5.0), (right, above)) == above


def test_no_name_covers_another_or_a_point_or_leaves_the_plot(qapp):
    names = names_on_a_square(qapp)
    right = (0.0, 0.5)
    names.keep_clear([(2.0, 5.0)], 20)
    assert names.place("a long name", (1.5, 5.0), (right,)) is None
    assert names.place("RTX", (5.0, 5.0), (right,)) == right
    assert names.place("RTX", (5.0, 5.05), (right,)) is None
    assert names.place("RTX", (9.9, 9.0), (right,)) is None


def test_every_watt_of_the_power_tree_opens_by_click_and_by_key(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    window.show_page("build")
    settle(window)
    tree = window.pages["build"].power
    assert len(tree._behind) == len(tree._bars()) > 4
    for number, bar in enumerate(tree._bars()):
        assert tree.node_at(QPointF(bar.x + 2, bar.label_y)) == number
    last = len(tree._bars()) - 1
    QTest.mouseClick(
        tree, Qt.MouseButton.LeftButton, pos=QPoint(int(tree._bars()[2].x) + 3, int(tree._bars()[2].label_y))
    )
    settle(window)
    cards = window.why.path[-1]
    assert [node.name for node in cards.inputs] == ["quantity", "tdp_w"]
    tree.setFocus()
    for _press in range(last):
        QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_F1)
    settle(window)
    heat = window.why.path[-1].value
    tree.setFocus()
    for _press in range(last):
        QTest.keyClick(tree, Qt.Key.Key_Up)
    QTest.keyClick(tree, Qt.Key.Key_F1)
    settle(window)
    mains = window.why.path[-1]
    assert mains.inputs[0].value + heat == pytest.approx(mains.value)


@pytest.mark.parametrize("width", [160, 240, 330, 900])
def test_two_texts_of_one_line_never_meet(qapp, width):
    metrics = QFontMetrics(QFont(qapp.font()))
    card, slot = "2× RTX PRO 4000 Blackwell 24GB", "PCIe 4.0 x8 (shared) · by riser or cable"
    left, right = shared_line(card, slot, width, metrics)
    assert metrics.horizontalAdvance(left) + metrics.horizontalAdvance(right) < width
    assert right.startswith("PCIe")
    assert width < 900 or (left, right) == (card, slot)


@pytest.mark.parametrize("words", [20.0, 80.0, 84.0, 85.0, 300.0])
def test_words_of_a_slot_never_cross_its_outline(words):
    """Beside the outline of a slot of one lane, inside that of a wide one."""
    outline = 100.0
    left = label_left(outline, words) - GUTTER
    assert (left > 0 and left + words < outline) or left > outline
