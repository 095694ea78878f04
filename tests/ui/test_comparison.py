"""Rows of a comparison are hidden and brought back, by button and by key; six cards need no sideways scrolling."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpuconfig.i18n import Language
from gpuconfig.project.commands import SetCompared
from tests.ui.conftest import open_sample, settle

SIX = (
    "nvidia-h100-sxm5-80",
    "nvidia-h200-sxm-141",
    "nvidia-rtx-5090-32",
    "amd-mi300x-192",
    "nvidia-a100-sxm4-80",
    "nvidia-rtx-4090-24",
)


def compared(window):
    """The page with two options of a sample side by side."""
    open_sample(window, 0)
    window.show_page("comparison")
    settle(window)
    return window.pages["comparison"]


def test_hidden_rows_are_counted_and_come_back(make_window):
    page = compared(make_window(Language.EN))
    before = [row.key for row in page.table.rows.rows]
    first, second = [row.key for row in page.table.rows.rows if not row.heading][:2]
    page.table.select(first)
    page.hide_row.click()
    page.table.select(second)
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    left = [row.key for row in page.table.rows.rows]
    assert not {first, second} & set(left)
    assert page.show_rows.text() == "Show 2 hidden rows"
    page.show_rows.click()
    assert [row.key for row in page.table.rows.rows] == before
    assert page.show_rows.isHidden()


@pytest.mark.parametrize("language", list(Language))
def test_six_cards_stand_side_by_side_in_a_small_window(make_window, language):
    window = make_window(language)
    page = compared(window)
    page.cards_button.click()
    window.session.do(SetCompared(SIX))
    settle(window)
    assert len(page.table.rows.table.columns) == len(SIX) + 1
    assert page.table.horizontalScrollBar().maximum() == 0
