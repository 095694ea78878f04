"""Tables: sorting with unknowns last, copies that spreadsheets read and never run."""

from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table, sorted_rows, to_csv, to_markdown

COLUMNS = (Column(key="name", title="Name"), Column(key="price", title="Price", numeric=True))


def row(name, price):
    text = "unknown" if price is None else f"¥{price}"
    return Row(key=name, cells=(Shown(text=name, sort=name), Shown(text=text, sort=price)))


TABLE = Table(
    columns=COLUMNS,
    rows=(row("b", 2.0), Row(key="g", cells=(), heading="Group"), row("a", None), row("c", 1.0)),
)


def test_unknown_is_last_whichever_way():
    assert [r.key for r in sorted_rows(TABLE, 1)] == ["c", "b", "a"]
    assert [r.key for r in sorted_rows(TABLE, 1, descending=True)] == ["b", "c", "a"]


def test_csv_for_excel():
    text = to_csv(TABLE)
    assert text.startswith("\ufeffName,Price\r\n")
    assert "a,unknown" in text


def test_a_cell_that_looks_like_a_formula_is_text():
    table = Table(columns=COLUMNS, rows=(row("=HYPERLINK(1)", 1.0), row("-5%", 1.0)))
    assert "'=HYPERLINK(1)" in to_csv(table)
    assert "'-5%" not in to_csv(table)


def test_markdown_escapes_bars():
    table = Table(columns=COLUMNS, rows=(row("a|b", 1.0),))
    assert "a\\|b" in to_markdown(table)
    assert to_markdown(table).splitlines()[1] == "| :-- | --: |"
