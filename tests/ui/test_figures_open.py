"""Every number on every page opens: formula, inputs or source stand behind it."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QLabel

from gpuconfig.i18n import Language
from gpuconfig.presentation.reference import explain
from gpuconfig.ui.rail import PAGES
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.table_view import FigureTable
from tests.ui.conftest import open_sample, settle

NUMBER = re.compile(r"\d")
AMOUNT = re.compile(r"[¥$]\s?\d|\d\s?%")
PLAIN_COLUMNS = {
    "rank",
    "quantity",
    "name",
    "kind",
    "age",
    "date",
    "provider",
    "reason",
    "front",
    "part",
    "fact",
}
"""Ordinals, counts of pieces, names and days: they are what they are."""


@pytest.mark.parametrize("number", [0, 1])
def test_every_figure_has_something_behind_it(make_window, number):
    window = make_window(Language.EN)
    open_sample(window, number)
    silent, references = [], []
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        for label in window.findChildren(FigureLabel):
            if label.isVisibleTo(window):
                references.append(label.shown.reference)
                if NUMBER.search(label.text()) and label.shown.reference is None:
                    silent.append((key, label.text()))
        for table in window.pages[key].findChildren(FigureTable):
            model = table.rows
            for row in range(model.rowCount()):
                for place, column in enumerate(model.table.columns):
                    cell = model.cell(row, place)
                    if column.key in PLAIN_COLUMNS or model.rows[row].heading:
                        continue
                    references.append(cell.reference)
                    if NUMBER.search(cell.text) and cell.reference is None:
                        silent.append((key, column.key, cell.text))
    assert silent == []
    opened = [reference for reference in references if reference is not None]
    assert len(opened) > 100
    for reference in opened[::25]:
        found = explain(reference, window.session.services)
        assert found.title


def test_the_main_figures_open_to_a_formula_with_inputs(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    window.show_page("result")
    settle(window)
    page = window.pages["result"]
    with_inputs = 0
    for label in page.findChildren(FigureLabel):
        if label.isVisibleTo(page) and label.shown.reference is not None:
            found = explain(label.shown.reference, window.session.services)
            with_inputs += bool(found.inputs)
    assert with_inputs >= 12


@pytest.mark.parametrize("number", range(6))
def test_amounts_in_sentences_open(make_window, number):
    """Reasons and advice; a label with a role is a hint, or the note of the figure it stands by."""
    window = make_window(Language.EN)
    open_sample(window, number)
    opened = 0
    for key in ("result", "cost"):
        window.show_page(key)
        settle(window)
        for label in window.pages[key].findChildren(QLabel):
            said = label.wordWrap() and label.isVisibleTo(window) and AMOUNT.search(label.text())
            if said and not label.property("role") and not isinstance(label.parent(), Notice):
                assert isinstance(label, FigureLabel), label.text()
                assert label.shown.reference is not None, label.text()
                opened += 1
    assert opened or window.session.option is None
