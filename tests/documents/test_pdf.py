"""The PDF of a proposal: text in reading order, page numbers, bookmarks, fonts, hostile text, same bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from gpuconfig.documents.context import Terms
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import render, write_document
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.settings import Organisation
from tests.documents import factory

HOSTILE = (
    '=HYPERLINK("http://evil")',
    "<b>bold</b> & </para> <font color=red>",
    "emoji 🚀 and \u202eright-to-left\u202c שלום",
    "control \x00\x07\x1b[31m characters\r\n\ttab",
    "half a pair \ud800 and \udfff",
    "很长" * 2500,
    "{placeholder} %s {0} ${x}",
)


def reader(**changes: Any) -> PdfReader:
    language = changes.pop("language", Language.ZH)
    kind = changes.pop("kind", DocumentKind.PROPOSAL)
    return PdfReader(BytesIO(render(factory.context(kind, language, **changes), ".pdf")))


def whole_text(pdf: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in pdf.pages)


def test_the_first_page_says_what_how_much_why_by_when_and_what_is_asked() -> None:
    page = reader().pages[0].extract_text()
    places = [
        page.index(words)
        for words in (
            "论证报告",
            "请批准购置 1 台整机（4 × NVIDIA GeForce RTX 5090 32GB）",
            "人民币壹拾玖万捌仟肆佰伍拾叁元零壹分",
            "为什么选它",
            "可选方案",
            "未选：",
            "主要风险",
            "时间安排与前提",
            "估算前提：",
            "审批意见",
        )
    ]
    assert places == sorted(places)


def test_amounts_agree_wherever_they_are_printed() -> None:
    text = whole_text(reader())
    assert text.count("¥198,453.01") >= 2
    rows = [
        Decimal(m.replace(",", ""))
        for m in ("104,000.00", "9,299.00", "18,650.25", "52,005.76", "8,200.00", "3,798.00", "2,500.00")
    ]
    assert all(f"¥{row:,}" in text for row in rows)
    assert sum(rows) == Decimal("198453.01") == Decimal("175622.14") + Decimal("22830.87")
    assert "¥175,622.14" in text
    assert "¥22,830.87" in text


def test_every_page_tells_its_number_and_the_whole() -> None:
    pdf = reader()
    count = len(pdf.pages)
    for number, page in enumerate(pdf.pages, 1):
        assert f"第 {number} 页 / 共 {count} 页" in page.extract_text()
    english = reader(language=Language.EN)
    assert f"page 1 / {len(english.pages)}" in english.pages[0].extract_text()


def test_bookmarks_contents_metadata_and_language() -> None:
    pdf = reader()
    top, *chapters = pdf.outline
    assert "RTX 5090" in top["/Title"]
    titles = [entry["/Title"] for entry in chapters if not isinstance(entry, list)]
    assert titles[0].endswith("需求")
    assert any(title.startswith("附录 C") for title in titles)
    assert pdf.trailer["/Root"]["/Lang"] == "zh-CN"
    assert pdf.metadata is not None
    assert pdf.metadata.title is not None
    assert "RTX 5090" in pdf.metadata.title
    assert pdf.metadata.author == "杭州某某人工智能研究院"
    assert pdf.metadata.creation_date is not None
    assert pdf.metadata.creation_date.date() == date(2026, 12, 2)


def test_only_embedded_fonts_are_used() -> None:
    for page in reader().pages:
        for font in page["/Resources"]["/Font"].values():
            descriptor = font.get_object().get("/FontDescriptor")
            assert descriptor is not None, font.get_object().get("/BaseFont")
            assert "/FontFile2" in descriptor.get_object()


def test_the_chart_is_vectors() -> None:
    for page in reader().pages:
        assert not page.get("/Resources", {}).get("/XObject")


@pytest.mark.parametrize("language", Language)
def test_the_same_input_gives_the_same_bytes(language: Language) -> None:
    context = factory.context(language=language)
    assert render(context, ".pdf") == render(context, ".pdf")


def test_english_papers_carry_no_chinese_but_names_and_capitals() -> None:
    text = whole_text(reader(language=Language.EN, organisation=Organisation(name="Lab")))
    allowed = "塔式机架两用机箱支持卡定制人民币壹拾玖万捌仟肆佰伍拾叁元零壹分"
    assert set(re.findall(r"[\u4e00-\u9fff]", text)) <= set(allowed)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_literally_and_breaks_nothing(text: str) -> None:
    base = factory.context()
    assert base.option is not None
    card = replace(base.option.accelerator, name=text)
    build = base.option.build
    assert build is not None
    lines = tuple(replace(line, item=replace(line.item, name=text), note=text) for line in build.lines)
    option = replace(base.option, accelerator=card, build=replace(build, lines=lines))
    made = reader(
        option=option,
        project=Project(title=text, notes=text),
        organisation=replace(base.organisation, name=text, address=text),
        number=text[:40],
    )
    shown = re.sub(r"\s", "", whole_text(made))
    for word in re.findall(r"[\x21-\x7e]{3,}", text[:60]):
        assert word in shown


def test_a_very_long_text_is_printed_to_its_end() -> None:
    base = factory.context()
    words = "".join(f"第{number}句。" for number in range(900))
    made = reader(kind=DocumentKind.REQUISITION, terms=Terms(existing=words), organisation=base.organisation)
    text = whole_text(made).replace("\n", "")
    broken = [number for number in range(900) if f"第{number}句。" not in text]
    assert len(broken) < len(made.pages)  # at most one sentence runs over each page break
    assert "第899句。" in text


def test_characters_without_a_glyph_are_named() -> None:
    text = whole_text(reader(project=Project(title="GPU 🚀")))
    assert "GPU □" in text
    assert "U+1F680" in text


def test_the_draft_mark_goes_once_prices_are_agreed() -> None:
    assert "草稿" in whole_text(reader())
    assert "草稿" not in whole_text(reader(prices_frozen=True))


def test_no_machine_says_so_and_names_what_is_to_be_decided() -> None:
    empty = replace(factory.recommendation(), options=())
    page = reader(option=None, recommendation=empty).pages[0].extract_text()
    assert "没有机器能满足需求" in page


def test_a_failed_export_leaves_the_old_file(tmp_path: Any) -> None:
    target = tmp_path / "paper.pdf"
    target.write_bytes(b"old")
    broken = factory.context(organisation=replace(factory.context().organisation, name=None))  # type: ignore[arg-type]
    with pytest.raises((TypeError, AttributeError)):
        write_document(broken, target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_unknown_suffix_names_what_is_accepted(tmp_path: Any) -> None:
    with pytest.raises(InputError) as error:
        write_document(factory.context(), tmp_path / "paper.docx")
    assert error.value.field == "path"
    assert not list(tmp_path.iterdir())


def test_a_long_bill_repeats_its_header_and_carries_its_sum() -> None:
    base = factory.context()
    assert base.option is not None
    build = base.option.build
    assert build is not None
    lines = tuple(build.lines[1] for _ in range(120))
    made = reader(option=replace(base.option, build=replace(build, lines=lines)))
    pages = [page.extract_text() for page in made.pages]
    billed = [page for page in pages if "ASUS Pro WS" in page and "含税金额" in page]
    assert len(billed) >= 3
    assert "转下页" in billed[0]
    assert "承前页" in billed[1]
    carried = re.search(r"转下页\s*¥([\d,.]+)", billed[0])
    assert carried is not None
    amount = Decimal(carried[1].replace(",", ""))
    assert amount == Decimal("9299.00") * billed[0].count("ASUS Pro WS")
    assert f"¥{amount:,}" in billed[1].split("ASUS")[0]


def test_the_logo_is_drawn_and_a_bad_one_left_out(tmp_path: Path) -> None:
    good, bad = tmp_path / "logo.png", tmp_path / "bad.png"
    Image.new("RGBA", (400, 120), (11, 99, 206, 255)).save(good)
    bad.write_bytes(b"not an image")
    organisation = factory.context().organisation
    for path, drawn in ((good, True), (bad, False), (tmp_path / "none.png", False), (tmp_path, False)):
        page = reader(organisation=replace(organisation, logo=str(path))).pages[0]
        assert bool(page["/Resources"].get("/XObject")) is drawn
        assert "论证报告" in page.extract_text()
