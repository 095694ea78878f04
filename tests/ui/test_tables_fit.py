"""A table in little room: space between columns goes first, then spare notes, and only then it scrolls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table
from gpuconfig.ui.widgets.table_delegate import PADDING, ROW_HEIGHT, STACKED_HEIGHT, TIGHT, in_two
from gpuconfig.ui.widgets.table_view import FigureTable
from tests.ui.conftest import pause

TABLE = Table(
    columns=(
        Column(key="name", title="Name"),
        Column(key="price", title="Price", numeric=True),
        Column(key="risk", title="Risk", spare_notes=True),
    ),
    rows=(
        Row(
            key="a",
            cells=(
                Shown(text="8× RTX PRO 4000 Blackwell 24GB"),
                Shown(text="¥142,030–¥183,350", note="98% assumed"),
                Shown(text="moderate", note="little memory to spare"),
            ),
        ),
    ),
    name="Options",
)


@pytest.fixture
def table(window) -> FigureTable:
    made = FigureTable(window.session)
    made.setParent(window.centralWidget())
    made.show_table(TABLE)
    made.show()
    return made


def lay_out(table: FigureTable, columns: int) -> None:
    """Give the columns this many pixels together."""
    table.resize(columns + 2 * table.frameWidth(), 200)
    pause(20)


def test_space_goes_first_then_spare_notes_then_it_scrolls(table):
    roomy, close, noteless = (sum(manner.widths) for manner in table._manners)
    assert roomy > close > noteless
    for width, far_side, without in (
        (roomy, PADDING, set()),
        (roomy - 1, TIGHT, set()),
        (close - 1, TIGHT, {2}),
        (noteless, TIGHT, {2}),
    ):
        lay_out(table, width)
        assert (table._delegate.far_side, set(table._delegate.without_notes)) == (far_side, without), width
        assert table.horizontalScrollBar().maximum() == 0, width
    lay_out(table, noteless - 1)
    assert table._delegate.far_side == PADDING
    assert table.horizontalScrollBar().maximum() > 0


def test_a_note_that_is_not_drawn_is_still_told(table):
    lay_out(table, sum(table._manners[-1].widths))
    assert "little memory to spare" in table.rows.data(table.rows.index(0, 2), 3)  # the tool tip


def test_a_table_that_may_stack_puts_notes_under_the_figures_before_it_scrolls(window):
    made = FigureTable(window.session, stacks=True)
    made.setParent(window.centralWidget())
    made.show_table(replace(TABLE, columns=tuple(replace(c, spare_notes=False) for c in TABLE.columns)))
    made.show()
    beside, stacked = made._manners[1], made._manners[-1]
    assert sum(stacked.widths) < sum(beside.widths)
    for width, height in ((sum(beside.widths), ROW_HEIGHT), (sum(stacked.widths), STACKED_HEIGHT)):
        lay_out(made, width)
        assert made.rowHeight(0) == height
        assert made.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("street price, new, 2026-01", ["street price,", "new, 2026-01"]),
        ("市场价、成色未知、2025", ["市场价、", "成色未知、2025"]),
        ("GDDR7", ["GDDR7"]),
    ],
)
def test_words_break_in_two_where_a_reader_would(text, lines):
    assert in_two(text) == lines
