"""Files as people have them: encodings, delimiters, workbooks, hostile sizes."""

import codecs
import random
import zipfile

import openpyxl
import pytest

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.tables import read_tables
from gpuconfig.exchange.text_table import parse_text_table, read_text_table
from gpuconfig.exchange.xlsx_table import read_workbook

TEXT = "型号,含税单价\nRTX 4090 涡轮,15500\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(), codecs.BOM_UTF8 + TEXT.encode(), TEXT.encode("gb18030"), TEXT.encode("gbk"),
        TEXT.encode("utf-16"), codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT.encode("utf-16-le"),
    ],
    ids=["utf-8", "utf-8 mark", "gb18030", "gbk", "utf-16", "utf-16 be", "utf-16 no mark"],
)  # fmt: skip
def test_encodings(tmp_path, data):
    file = tmp_path / "报价.csv"
    file.write_bytes(data)
    sheet = read_text_table(file)
    assert sheet.rows == (("型号", "含税单价"), ("RTX 4090 涡轮", "15500"))
    assert not any("\ufffd" in cell for row in sheet.rows for cell in row)


def test_bytes_of_no_encoding_are_refused(tmp_path):
    file = tmp_path / "x.csv"
    file.write_bytes(b"a,b\n\xff\xff\x81\x00,1\n")
    with pytest.raises(DataError) as error:
        read_text_table(file)
    assert error.value.code == "bad_encoding"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter):
    text = (
        f'name{delimiter}price{delimiter}note\na{delimiter}"1,5"{delimiter}"x;y"\nb{delimiter}2{delimiter}z\n'
    )
    assert parse_text_table(text, "t").rows[1] == ("a", "1,5", "x;y")


def test_enormous_cell_and_too_many_rows_end_in_a_message():
    with pytest.raises(DataError) as error:
        parse_text_table("a,b\n" + "x" * 40_000 + ",1\n", "big.csv")
    assert error.value.code == "too_large"
    with pytest.raises(DataError) as error:
        parse_text_table("a,b\n" + "1,2\n" * 200_001, "long.csv")
    assert error.value.code == "too_large"


def workbook(path, merged=True):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "报价单"
    sheet.append(["某某公司 GPU 服务器报价单"])
    sheet.append(["报价日期：2026-11-30"])
    sheet.append(["序号", "产品名称", "品牌", "数量", "含税单价（元）", "金额", "货期"])
    sheet.append([1, "RTX 4090 24GB", "NVIDIA", 8, 15500, 124000, "现货"])
    sheet.append([2, "Samsung 990 PRO 2 TB", "三星", 2, 1599.5, 3199, "2周"])
    sheet.append(["合计", None, None, None, None, 127199])
    if merged:
        sheet.merge_cells("A1:G1")
        sheet.merge_cells("C4:C5")
    book.create_sheet("空")
    book.save(path)


def test_workbook_with_merged_titles(tmp_path):
    workbook(tmp_path / "q.xlsx")
    (sheet,) = read_workbook(tmp_path / "q.xlsx")
    mapping = guess_mapping(sheet)
    assert (sheet.name, mapping.header) == ("报价单", 2)
    assert {mapping.column(f) for f in ("name", "quantity", "price_included", "lead_time")} == {1, 3, 4, 6}
    assert sheet.rows[4][2] == "NVIDIA", "the merged brand covers both lines"
    assert sheet.rows[4][4] == "1599.5"


def test_packed_bomb_is_not_unpacked(tmp_path):
    file = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (300 * 2**20))
    with pytest.raises(DataError) as error:
        read_workbook(file)
    assert error.value.code == "too_large"


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04broken"])
def test_no_workbook_is_named(tmp_path, content):
    file = tmp_path / "x.xlsx"
    file.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_workbook(file)
    assert error.value.code == "bad_workbook"


def test_a_cell_of_a_gigabyte_ends_in_a_message(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"name,price\nx,")
        file.truncate(2**30)
    with pytest.raises(DataError) as error:
        read_tables(path)
    assert error.value.code == "too_large"


def test_a_sheet_of_a_million_rows_is_refused_before_it_is_built(tmp_path):
    path = tmp_path / "rows.xlsx"
    row = b'<row r="1"><c r="A1"><v>%d</v></c></row>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            chance = random.Random(1)
            for _ in range(1000):
                sheet.write(b"".join(row % chance.getrandbits(60) for _ in range(1000)))
    with pytest.raises(DataError) as error:
        read_tables(path)
    assert error.value.code == "too_large"
    assert "rows" in str(error.value)
