"""What-if: sliders and boxes, the pages that follow, one step of undo when the person stops."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuconfig.i18n import Language
from gpuconfig.presentation.charts.model import Parallel
from gpuconfig.ui.main_window import MainWindow
from tests.ui import inspection
from tests.ui.conftest import open_sample, pause, settle

COMMITTED_MS = 1000
TWO_4090 = 2


@pytest.fixture
def window(make_window) -> MainWindow:
    """The sample with two cards, its answer, and the panel open."""
    made = make_window(Language.EN)
    open_sample(made, TWO_4090)
    made.show_page("result")
    settle(made)
    made.activateWindow()
    QTest.keyClick(made, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    settle(made)
    return made


def cost(window: MainWindow) -> str:
    """Three-year cost of the first option as its card shows it."""
    answer = window.session.recommendation
    assert answer is not None
    return str(answer.options[0].tco.total)


def stop(window: MainWindow) -> None:
    """The person stops; the step is made, and whatever follows ends."""
    pause(COMMITTED_MS)
    settle(window)


def test_a_price_typed_into_the_box_is_one_step_and_comes_back(window):
    before, steps = cost(window), len(window.session.history.titles())
    box = window.side.what_if.rows["electricity"].box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "1.6")
    pause(80)
    assert cost(window) != before
    assert window.side.what_if.shifts.count() > 0
    stop(window)
    assert len(window.session.history.titles()) == steps + 1
    assert window.session.project.what_if == {"electricity": "1.6"}
    window.session.undo()
    settle(window)
    assert cost(window) == before
    assert window.session.project.what_if == {}
    window.session.redo()
    settle(window)
    assert cost(window) != before


def test_arrow_keys_move_a_slider(window):
    slider = window.side.what_if.rows["utilisation"].slider
    slider.setFocus()
    before = cost(window)
    for _press in range(5):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    stop(window)
    assert cost(window) != before
    assert "utilisation" in window.session.project.what_if


def test_a_tried_number_is_told_among_the_assumptions(window):
    window.side.what_if.rows["electricity"].box.setValue(2.0)
    stop(window)
    told = [a for a in window.session.recommendation.assumptions if a.field == "electricity"]
    assert [a.value for a in told] == ["2"]


def test_another_length_is_searched_in_the_background_and_becomes_an_answer(window):
    rows = window.side.what_if.rows
    rows["length"].box.setValue(2048)
    pause(80)
    assert window.session.answers.get("sequence_length") != "2048"
    pause(COMMITTED_MS)
    assert window.session.answers["sequence_length"] == "2048"
    assert window.session.settling or window.session.searching or window.session.recommendation is not None
    settle(window)
    assert window.session.request.workload.sequence_length == 2048
    window.session.undo()
    settle(window)
    assert window.session.request.workload.sequence_length != 2048


def test_back_to_what_was_found_is_one_step(window):
    before = cost(window)
    rows = window.side.what_if.rows
    rows["electricity"].box.setValue(2.0)
    stop(window)
    rows["utilisation"].box.setValue(20)
    stop(window)
    window.side.what_if.reset.click()
    stop(window)
    assert cost(window) == before
    assert window.session.project.what_if == {}
    window.session.undo()
    settle(window)
    assert set(window.session.project.what_if) == {"electricity", "utilisation"}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("size", [(1366, 768), (1024, 700)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_panel_is_named_and_nothing_of_it_is_clipped(make_window, language, size):
    made = make_window(language, size)
    open_sample(made, TWO_4090)
    made.show_page("result")
    made.side.toggle_what_if()
    settle(made)
    panel = made.side.what_if
    panel.rows["utilisation"].box.setValue(20)
    stop(made)
    assert inspection.clipped(panel) == []
    assert inspection.nameless(panel) == []
    stray = inspection.stray_english if language is Language.ZH else inspection.stray_chinese
    assert stray(panel) == []
    QTest.keyClick(QApplication.focusWidget() or panel, Qt.Key.Key_Escape)


@pytest.mark.parametrize("language", list(Language))
def test_every_chart_is_drawn_named_and_saved(make_window, language, tmp_path):
    made = make_window(language)
    open_sample(made, TWO_4090)
    made.show_page("tradeoff")
    settle(made)
    page = made.pages["tradeoff"]
    drawn = 0
    for button in page.kinds.buttons()[1:]:
        button.setChecked(True)
        pause(400)
        settle(made)
        if page.nothing.isVisible():
            continue
        drawn += 1
        frame = page.frame
        assert frame.title.text()
        assert frame.canvas.accessibleName() == frame.title.text()
        assert frame.table.rows.rows
        stray = inspection.stray_english if language is Language.ZH else inspection.stray_chinese
        sources = {row.cells[-1].plain() for row in frame.table.rows.rows}  # names stay as they are written
        assert [text for text in stray(page) if text not in sources] == []
        assert inspection.clipped(page) == []
        for suffix in ("png", "svg", "csv"):
            path = tmp_path / f"chart.{suffix}"
            frame.save_as(path)
            settle(made)
            assert path.stat().st_size > 100
    assert drawn >= 5


def test_dragging_over_points_chooses_their_rows(make_window):
    made = make_window(Language.EN)
    open_sample(made, TWO_4090)
    made.show_page("tradeoff")
    settle(made)
    front = made.pages["tradeoff"].front
    assert front.chart is not None
    keys = tuple(point.key for point in front._data.points)
    front.chart.item.vb.brushed.emit(front.chart.item.vb.viewRect())
    assert set(front.table.selected_keys()) == set(keys)


def test_a_thread_of_all_measures_is_chosen_with_its_row(make_window):
    made = make_window(Language.EN)
    open_sample(made, TWO_4090)
    made.show_page("tradeoff")
    settle(made)
    page = made.pages["tradeoff"]
    page.kinds.buttons()[1].setChecked(True)
    settle(made)
    chart = page.frame._chart
    assert isinstance(chart, Parallel)
    page.frame.canvas.cell_opened.emit(chart.threads[-1].key, "power")
    assert page.frame.table.current_key() == chart.threads[-1].key
