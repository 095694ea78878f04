"""Spreadsheets: typed cells, formulas that give the printed sums, text that never becomes a formula."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from gpuconfig.documents.bill import Rounding, TaxRule
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import render
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from tests.documents import factory

BILLS = (
    DocumentKind.BUDGET_ESTIMATE,
    DocumentKind.QUOTATION,
    DocumentKind.REQUISITION,
    DocumentKind.PROPOSAL,
)


def book(kind: DocumentKind, **changes: Any) -> Workbook:
    language = changes.pop("language", Language.ZH)
    context = factory.context(kind, language, seller=factory.SELLER, **changes)
    return load_workbook(BytesIO(render(context, ".xlsx")))


def bill_sheet(made: Workbook) -> tuple[Worksheet, int]:
    """The sheet with the goods and the row of its header."""
    for sheet in made.worksheets:
        for row in sheet.iter_rows(min_col=1, max_col=1):
            if row[0].value in ("序号", "No.") and sheet.cell(row[0].row, 5).value:
                return sheet, row[0].row
    raise AssertionError("no bill")


@pytest.mark.parametrize("kind", BILLS)
@pytest.mark.parametrize("included", [True, False])
@pytest.mark.parametrize("rounding", Rounding)
def test_formulas_give_the_printed_sums(kind: DocumentKind, included: bool, rounding: Rounding) -> None:
    rule = TaxRule(rate=Decimal("0.13"), included=included, rounding=rounding)
    sheet, head = bill_sheet(book(kind, tax=rule))
    columns = sheet.max_column if kind is not DocumentKind.PROPOSAL else 7
    amounts: list[Decimal] = []
    row = head + 1
    while isinstance(sheet.cell(row, 1).value, int):
        formula = str(sheet.cell(row, columns).value)
        assert formula.startswith("=")
        amounts.append(evaluate_row(sheet, formula))
        row += 1
    assert len(amounts) == 8
    net, tax, gross = (str(sheet.cell(row + index, columns).value) for index in range(3))
    span = f"{sheet.cell(head + 1, columns).coordinate}:{sheet.cell(row - 1, columns).coordinate}"
    assert span in (gross if included else net)
    assert span in (net if included else gross) or str(sheet.cell(row, columns).coordinate) in gross
    assert tax.startswith("=")
    total = sum(amounts)
    assert total == (Decimal("198453.01"))


def evaluate_row(sheet: Worksheet, formula: str) -> Decimal:
    """ROUND(D5*F5,2) or IFERROR(ROUND(D5*F5,2),0) of the sheet's values."""
    match = re.fullmatch(r"=(?:IFERROR\()?ROUND\(([A-Z]+\d+)\*([A-Z]+\d+),2\)(?:,0\))?", formula)
    assert match is not None, formula
    left, right = sheet[match[1]].value, sheet[match[2]].value
    if isinstance(right, str) and not right.startswith("="):
        return Decimal(0)
    return (Decimal(str(left)) * Decimal(str(right))).quantize(Decimal("0.01"))


def test_cells_are_typed() -> None:
    sheet, head = bill_sheet(book(DocumentKind.REQUISITION))
    assert isinstance(sheet.cell(head + 1, 5).value, int)
    price = sheet.cell(head + 1, 6)
    assert price.value == pytest.approx(26_000)
    assert price.data_type == "n"
    assert "¥" in price.number_format


def test_text_is_never_a_formula() -> None:
    base = factory.context()
    assert base.option is not None
    build = base.option.build
    assert build is not None
    evil = '=HYPERLINK("http://evil","x")'
    lines = tuple(replace(line, item=replace(line.item, name=evil)) for line in build.lines)
    made = book(
        DocumentKind.REQUISITION,
        option=replace(base.option, build=replace(build, lines=lines)),
        project=Project(title="+1+1", notes="@SUM(A1)"),
        organisation=replace(base.organisation, name="-2", department="=1+1"),
    )
    shown = [
        cell
        for sheet in made.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    ]
    formulas = [str(cell.value) for cell in shown if cell.data_type == "f"]
    assert all(re.match(r"=(IFERROR\(|ROUND\(|SUM|[A-Z]+\d+[+-])", formula) for formula in formulas), formulas
    assert any(str(cell.value).startswith(evil) for cell in shown)
    assert any(cell.value == "=1+1" and cell.data_type == "s" and cell.quotePrefix for cell in shown)


def test_control_characters_and_long_text_do_not_break_the_file() -> None:
    made = book(
        DocumentKind.BUDGET_ESTIMATE, project=Project(title="a\x00b\x07\ufffe", notes="很长" * 20_000)
    )
    texts = [str(cell.value) for sheet in made.worksheets for row in sheet.iter_rows() for cell in row]
    assert any("a□b□□" in text for text in texts)
    assert max(len(text) for text in texts) <= 32_767


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("language", Language)
def test_every_paper_becomes_a_sheet_with_the_same_bytes(kind: DocumentKind, language: Language) -> None:
    context = factory.context(kind, language, seller=factory.SELLER)
    first = render(context, ".xlsx")
    assert first == render(context, ".xlsx")
    assert load_workbook(BytesIO(first)).worksheets
