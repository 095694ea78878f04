"""Spreadsheets in LibreOffice: they open, every formula is computed without an error and gives the printed sums."""

from __future__ import annotations

import re
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import load_workbook

from gpuconfig.documents.bill import Rounding, TaxRule
from gpuconfig.documents.compose import compose
from gpuconfig.documents.content import Table
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import render
from gpuconfig.i18n import Language
from tests.documents import factory

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = [pytest.mark.long, pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not here")]

ERROR = re.compile(r"#(NAME|REF|VALUE|DIV/0|N/A|NUM|NULL)|Err:\d+")


def papers() -> dict[str, DocumentContext]:
    made = {
        f"{kind.value}-{language.value}": factory.context(kind, language, seller=factory.SELLER)
        for kind in DocumentKind
        for language in Language
    }
    for included in (True, False):
        for rounding in Rounding:
            rule = TaxRule(rate=Decimal("0.13"), included=included, rounding=rounding)
            name = f"quotation-{'gross' if included else 'net'}-{rounding.value}"
            made[name] = factory.context(DocumentKind.QUOTATION, seller=factory.SELLER, tax=rule)
    return made


def amounts(context: DocumentContext) -> list[Decimal]:
    """Sums under the bills of the paper, to the cent."""
    tables = [
        block for block in compose(context).blocks if isinstance(block, Table) and block.carried is not None
    ]
    cells = [cell for table in tables for row in table.foot for cell in row]
    return [cell.value for cell in cells if isinstance(cell.value, Decimal)]


def test_every_paper_is_computed_as_it_is_printed(tmp_path: Path) -> None:
    contexts = papers()
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, context in contexts.items():
        (source / f"{name}.xlsx").write_bytes(render(context, ".xlsx"))
    command = [
        str(OFFICE), f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--norestore",
        "--convert-to", "xlsx", "--outdir", str(target), *(str(p) for p in sorted(source.iterdir())),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    said = "\n".join(
        line for line in (done.stdout + done.stderr).splitlines() if "javaldx" not in line
    )  # no Java here
    assert not re.search(r"error|warn|repair|corrupt", said, re.IGNORECASE), said
    assert sorted(p.name for p in target.iterdir()) == sorted(p.name for p in source.iterdir())
    formulas = 0
    for name, context in contexts.items():
        computed = load_workbook(target / f"{name}.xlsx", data_only=True)
        written = load_workbook(source / f"{name}.xlsx")
        found: list[Decimal] = []
        for sheet in written.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    value = computed[sheet.title][cell.coordinate].value
                    assert not ERROR.search(str(value)), (name, cell.coordinate, cell.value, value)
                    if cell.data_type == "f":
                        formulas += 1
                        assert isinstance(value, int | float), (name, cell.coordinate, cell.value, value)
                        found.append(Decimal(str(value)).quantize(Decimal("0.01")))
        for amount in amounts(context):
            assert amount in found, (name, amount)
    assert formulas > 100
