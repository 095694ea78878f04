"""Tables to files: CSV, XLSX, JSON and Markdown; text from data never becomes a spreadsheet formula."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Sequence
from pathlib import Path

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.item_cells import columns, to_cells
from gpuconfig.exchange.item_form import FieldKind, form_fields
from gpuconfig.exchange.sheet import is_number, safe

FORMATS = ("csv", "xlsx", "json", "md")


def export_items(path: Path, kind: Kind, items: Sequence[CatalogueItem]) -> None:
    """Write `items` in the format of the file's ending; CSV carries a mark so that spreadsheets read Chinese.

    Raises:
        InputError: an ending that is none of the formats.
    """
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        accepted = Message("{formats}", {"formats": ", ".join(FORMATS)})
        raise InputError("unknown_value", "file", path.name, Message(N_("no such format")), accepted)
    header = columns(kind)
    rows = [[to_cells(item).get(name, "") for name in header] for item in items]
    part = path.with_name(f".{path.name}.part")
    try:
        _write(part, ending, kind, header, rows)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, ending: str, kind: Kind, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if ending == "csv":
        path.write_bytes(csv_text(header, rows).encode("utf-8-sig"))
    elif ending == "json":
        records = [{name: cell for name, cell in zip(header, row, strict=True) if cell} for row in rows]
        text = json.dumps({"kind": kind.value, "items": records}, ensure_ascii=False, indent=1)
        path.write_text(text, encoding="utf-8")
    elif ending == "md":
        path.write_text(markdown(header, rows), encoding="utf-8")
    else:
        numbers = {f.name for f in form_fields(kind) if f.kind is FieldKind.NUMBER} | {"memory_gb"}
        _workbook(path, kind.value, header, rows, numbers)


def csv_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A CSV table with every cell made safe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe(cell) for cell in header])
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table without the columns that are empty in every row."""
    kept = [index for index in range(len(header)) if any(row[index] for row in rows)]

    def line(cells: Sequence[str]) -> str:
        shown = (cells[i].replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for i in kept)
        return "| " + " | ".join(shown) + " |"

    return "\n".join([line(header), "|" + " --- |" * len(kept), *(line(row) for row in rows)]) + "\n"


def _workbook(
    path: Path, title: str, header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str]
) -> None:
    import openpyxl  # heavy, and only for workbooks

    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    sheet = book.create_sheet(title)
    for number, row in enumerate([header, *rows], start=1):
        for column, cell in enumerate(row, start=1):
            if not cell:
                continue
            target = sheet.cell(number, column)
            # A text that looks like a number stays one: "8.0" is a compute capability, not eight.
            if header[column - 1] in numbers and is_number(cell):
                target.value = float(cell)
            else:
                target.value = cell
                target.data_type = "s"  # text, whatever it begins with
    sheet.freeze_panes = "C2"
    book.save(path)
