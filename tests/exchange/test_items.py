"""Items out and in again, suppliers' lists, duplicates, and cells that would be formulas."""

import json
from dataclasses import replace

import openpyxl
import pytest

from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.rows import decode_item
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.item_cells import to_cells, to_raw
from gpuconfig.exchange.parts_table import is_own_table, own_candidates, plan_items, supplier_candidates
from gpuconfig.exchange.plan import RowState
from gpuconfig.exchange.sheet import safe, unsafe
from gpuconfig.exchange.text_table import parse_text_table, read_text_table
from gpuconfig.exchange.write_table import csv_text, export_items, markdown

TABLE_KINDS = [kind for kind in Kind if kind is not Kind.MODEL]


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_export_and_import_change_nothing(catalogue, tmp_path, kind):
    items = catalogue.parts(kind)
    export_items(tmp_path / "items.csv", kind, items)
    sheet = read_text_table(tmp_path / "items.csv")
    assert is_own_table(sheet, kind)
    plan = plan_items("import", "items.csv", kind, own_candidates(sheet, kind), items)
    assert plan.counts()[RowState.UNCHANGED] == len(items), [
        r for r in plan.rows if r.state is not RowState.UNCHANGED
    ][:3]


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_cells_hold_the_whole_item(catalogue, kind):
    """All but the maker's pages: a table that a person sends speaks for itself."""
    for item in catalogue.parts(kind):
        raw = to_raw(kind, to_cells(item))
        adapter = raw.pop("adapter_plugs", [])
        raw["accelerator_connector"] = [*raw.get("accelerator_connector", []), *adapter]
        assert decode_item(CLASSES[kind], raw) == replace(item, confirmations=())


def test_changed_added_and_rejected(catalogue, tmp_path):
    supplies = catalogue.power_supplies()
    export_items(tmp_path / "p.csv", Kind.POWER_SUPPLY, supplies[:3])
    text = (tmp_path / "p.csv").read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    header = lines[0].split(",")
    new = dict.fromkeys(header, "")
    new |= {
        "id": "own-1",
        "name": "Own 1500 W",
        "rated_w": "1500",
        "evidence_kind": "assumed",
        "redundant": "no",
    }
    bad = {**new, "id": "own-2", "rated_w": "many"}
    lines[1] = lines[1].replace(",2050,", ",2000,")
    text = "\n".join([*lines, ",".join(new.values()), ",".join(bad.values()), ",".join(new.values())])
    sheet = parse_text_table(text, "p.csv")
    plan = plan_items("t", "p.csv", Kind.POWER_SUPPLY, own_candidates(sheet, Kind.POWER_SUPPLY), supplies)
    assert [row.state for row in plan.rows] == [
        RowState.CHANGED, RowState.UNCHANGED, RowState.UNCHANGED, RowState.ADDED, RowState.REJECTED, RowState.REJECTED,
    ]  # fmt: skip
    assert "rated_w" in str(plan.rows[4].reasons[0])
    assert "line 5" in str(plan.rows[5].reasons[0])


def test_unknown_column_is_named():
    with pytest.raises(InputError) as error:
        to_raw(Kind.CPU, {"id": "x", "colour": "red"})
    assert (error.value.code, error.value.field) == ("unknown_field", "colour")


def test_supplier_list_of_cards(catalogue):
    text = """型号,品牌,显存,显存带宽,功耗,备注
RTX 5080 涡轮 16G,华硕,16 GB,960 GB/s,360W,现货
RTX 4090 24GB,NVIDIA,24G?,1008,450,
,,,,,
"""
    sheet = parse_text_table(text, "list.csv")
    rows = supplier_candidates(sheet, Kind.ACCELERATOR, guess_mapping(sheet), "supplier, 2026-11")
    plan = plan_items("t", "list.csv", Kind.ACCELERATOR, rows, catalogue.accelerators())
    first, second = plan.rows
    assert (first.state, first.data["memory_bytes"], first.data["tdp_w"]) == (
        RowState.ADDED,
        16 * 2**30,
        360.0,
    )
    assert "bandwidth_bytes_per_s" in str(second.reasons[0]) or "memory_bytes" in str(second.reasons[0])
    assert second.state is RowState.REJECTED


def test_same_part_number_is_recognised(catalogue):
    known = next(drive for drive in catalogue.drives() if drive.part_number)
    text = f"name,brand,part number,memory\nAnother name,X,{known.part_number},2 TB\n"
    sheet = parse_text_table(text, "d.csv")
    rows = supplier_candidates(sheet, Kind.DRIVE, guess_mapping(sheet), "list")
    (row,) = plan_items("t", "d.csv", Kind.DRIVE, rows, catalogue.drives()).rows
    assert (row.state, row.like, row.likeness) == (RowState.ADDED, known.id, 1.0)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\tx", '=HYPERLINK("http://x")']
)
def test_formulas_of_data_stay_text(cell):
    assert safe(cell).startswith("'")
    assert unsafe(safe(cell)) == cell
    assert "'" + cell[0] in csv_text(["name"], [[cell]])


@pytest.mark.parametrize("cell", ["-3.5", "+7", "42", "plain", "'quoted"])
def test_numbers_and_text_are_left(cell):
    assert safe(cell) == cell


def test_workbook_holds_no_formula(catalogue, tmp_path):
    export_items(tmp_path / "x.xlsx", Kind.UPS, catalogue.ups_units())
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    cells = [cell for row in book.worksheets[0].iter_rows() for cell in row]
    assert cells
    assert not [cell for cell in cells if cell.data_type == "f"]


def test_json_and_markdown(catalogue, tmp_path):
    export_items(tmp_path / "x.json", Kind.RACK, catalogue.racks())
    body = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert (body["kind"], len(body["items"])) == ("rack", len(catalogue.racks()))
    assert markdown(["a", "b"], [["x|y", ""]]) == "| a |\n| --- |\n| x\\|y |\n"


def test_no_such_format(catalogue, tmp_path):
    with pytest.raises(InputError):
        export_items(tmp_path / "x.docx", Kind.RACK, catalogue.racks())
