"""The steps of the wizard: what was answered stands under each, and a click on it goes there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpuconfig.i18n import Language
from tests.ui.conftest import open_sample, settle

MODEL, SETTINGS = 1, 2


def test_each_step_says_its_answer_and_leads_back(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    window.show_page("wizard")
    settle(window)
    page = window.pages["wizard"]
    said = [answer.text() for answer in page.rail.answers]
    assert said[0] == "Full fine-tuning"
    assert said[3] == "¥500,000"
    assert said[5].strip() == ""
    QTest.mouseClick(page.rail.answers[MODEL], Qt.MouseButton.LeftButton)
    assert page.number == MODEL


def test_a_long_answer_is_cut_to_its_step_and_whole_in_the_tool_tip(make_window):
    window = make_window(Language.EN, (960, 600))
    open_sample(window, 0)
    window.show_page("wizard")
    settle(window)
    answer = window.pages["wizard"].rail.answers[SETTINGS]
    assert answer.text().endswith("…")
    assert answer.fontMetrics().horizontalAdvance(answer.text()) <= answer.width()
    assert answer.toolTip().startswith(answer.text().removesuffix("…"))
    assert answer.toolTip().endswith("AdamW")
