"""Public reports about wrong data, each with the answer that is right."""

import json
from pathlib import Path

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.vocabulary import Kind, Precision
from gpuconfig.exchange.cloud_table import read_cloud_prices
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.numbers import NumberStyle, read_column, read_number
from gpuconfig.exchange.parts_table import plan_items, supplier_candidates
from gpuconfig.exchange.price_rows import cloud_rows
from gpuconfig.exchange.text_table import parse_text_table, read_text_table

DATA = Path(__file__).parents[1] / "data" / "data_reports.jsonl"
REPORTS = {r["id"]: r for r in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
TABLE = "名称,品牌,显存\n“训练卡” 24G,某厂,24 GB\n"


def imported(path):
    sheet = read_text_table(path)
    found = supplier_candidates(sheet, Kind.ACCELERATOR, guess_mapping(sheet), path.name)
    return plan_items("t", path.name, Kind.ACCELERATOR, found, ()).rows


def test_every_report_is_here():
    assert set(REPORTS) == {"DF01", "DF04", "DF05", "DF06", "DF15", "DF16", "DF17"}


@pytest.mark.parametrize("encoding", ["gbk", "utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_df01_df16_encodings_of_spreadsheets(tmp_path, encoding):
    path = tmp_path / "报价.csv"
    path.write_bytes(TABLE.encode(encoding))
    (row,) = imported(path)
    assert (row.name, row.data["brand"]) == ("“训练卡” 24G", "某厂")


def test_df04_one_cell_decides_and_alone_it_is_asked_about():
    column = REPORTS["DF04"]["inputs"]["column"]
    decided = read_column(column)
    assert decided.style is NumberStyle.COMMA
    assert decided.values[0] == REPORTS["DF04"]["expected"]["value_if_de"]
    alone = read_column(column[:1])
    assert alone.ambiguous == (0,)
    assert read_number(column[0]).is_ambiguous


def test_df05_utilisation_is_of_the_dense_peak(catalogue):
    given, right = REPORTS["DF05"]["inputs"], REPORTS["DF05"]["expected"]
    peak = catalogue.accelerator(f"{given['gpu']} SXM").peak_flops(Precision.BF16)
    assert given["achieved_tflops"] * 1e12 / peak * 100 == pytest.approx(right["value"], rel=0.01)


def test_df06_peaks_of_hopper_are_dense(catalogue):
    given, right = REPORTS["DF06"]["inputs"], REPORTS["DF06"]["expected"]
    for name, tflops in zip(given["gpus"], right["values"], strict=True):
        peak = catalogue.accelerator(name).peak_flops(Precision.BF16)
        assert peak == pytest.approx(tflops * 1e12, rel=0.01), name


def test_df15_an_instance_with_another_card_is_flagged(catalogue):
    given = REPORTS["DF15"]["inputs"]
    instance = given["instance"].split()[1]
    text = f"InstanceType,AcceleratorName,AcceleratorCount,Price\n{instance},A100 40GB,1,4\n"
    rows = read_cloud_prices(
        parse_text_table(text, "guide.csv"), "Tencent Cloud", "2026-01-01", "guide",
        lambda name: catalogue.find(Kind.ACCELERATOR, f"{name}").id if catalogue.find(Kind.ACCELERATOR, name) else None,
    )  # fmt: skip
    rows = [{**row, "accelerator_id": "nvidia-a100-sxm4-40"} for row in rows]
    (flagged,) = cloud_rows(rows, catalogue.cloud_offers())
    assert any("nvidia-v100-sxm2-32" in str(reason) for reason in flagged.reasons)
    same = [{**row, "accelerator_id": "nvidia-v100-sxm2-32"} for row in rows]
    assert cloud_rows(same, catalogue.cloud_offers())[0].reasons == ()


def test_df17_the_font_has_every_glyph_of_the_translations():
    from babel.messages.pofile import read_po
    from fontTools.ttLib import TTFont

    known = set(TTFont(paths.fonts()[0]).getBestCmap())
    used = set("¥￥€")
    for path in (paths.resources() / "locale" / "zh_CN").glob("*.po"):
        with path.open("rb") as file:
            used |= {c for m in read_po(file) if isinstance(m.string, str) for c in m.string}
    assert {c for c in used if c.isprintable() and ord(c) not in known} <= set("↺✕⁠")
