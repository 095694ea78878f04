"""What a person fills in for papers: number, revision, validity, second language, terms; bad input names its field."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from gpuconfig.documents.bill import Rounding
from gpuconfig.documents.fields import read_paper_fields
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.preview import page_pictures
from gpuconfig.documents.pricing import tax_wished
from gpuconfig.documents.recorded import described, recorded
from gpuconfig.documents.write import render
from gpuconfig.documents.writer import Writer, linked
from gpuconfig.engine.pricing.wishes import CostWishes, TaxRounding
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.i18n import Language, load
from gpuconfig.project.document import Project
from gpuconfig.project.files import dumps, loads
from tests.documents import factory


def test_every_field_is_read() -> None:
    read = read_paper_fields(
        {"number": " Q-7 ", "revision": "3", "valid_until": "2026-12-31", "second_language": "en",
         "prices_frozen": "1", "payment": "30 % 预付", "warranty": "3 年"}
    )  # fmt: skip
    assert (read.number, read.revision, read.valid_until) == ("Q-7", 3, date(2026, 12, 31))
    assert read.second_language is Language.EN
    assert read.prices_frozen
    assert (read.terms.payment, read.terms.warranty, read.terms.remarks) == ("30 % 预付", "3 年", "")


def test_nothing_given_is_the_first_revision_of_a_draft() -> None:
    read = read_paper_fields({})
    assert (read.number, read.revision, read.valid_until, read.prices_frozen) == ("", 1, None, False)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("revision", "0"), ("revision", "two"), ("revision", "１"), ("valid_until", "31.12.2026"),
        ("valid_until", "2026-02-30"), ("second_language", "fr"), ("prices_frozen", "maybe"), ("colour", "red"),
    ],
)  # fmt: skip
def test_bad_input_names_its_field(field: str, value: str) -> None:
    with pytest.raises(InputError) as caught:
        read_paper_fields({field: value})
    assert caught.value.field == f"paper.{field}"


def test_the_fields_live_in_the_project_file() -> None:
    project = Project(title="t", paper={"payment": "现金", "revision": "2"})
    assert loads(dumps(project), "t").paper == project.paper


@pytest.mark.parametrize("kind", [k for k in DocumentKind if k is not DocumentKind.QUOTATION])
@pytest.mark.parametrize("languages", [(Language.ZH, Language.EN), (Language.EN, Language.ZH)])
def test_every_paper_in_both_languages(kind: DocumentKind, languages: tuple[Language, Language]) -> None:
    context = factory.context(kind, languages[0], second_language=languages[1])
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(render(context, ".pdf"))).pages)
    for language in Language:
        heading = load(language).pgettext("paper", kind.heading)
        assert "".join(heading.split()) in "".join(text.split())


def test_terms_revision_and_validity_are_printed() -> None:
    fields = read_paper_fields({"payment": "到货付款", "revision": "4", "valid_until": "2026-12-31"})
    context = replace(
        factory.context(DocumentKind.QUOTATION, seller=factory.SELLER),
        terms=fields.terms,
        revision=fields.revision,
        valid_until=fields.valid_until,
    )
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(render(context, ".pdf"))).pages)
    for words in ("到货付款", "第 4 版", "2026年12月31日"):
        assert words in text


def test_rate_and_rounding_of_the_person_come_first() -> None:
    rule = tax_wished(CostWishes(tax_rate=0.0825, rounding=TaxRounding.ON_TOTAL), None, included=False)
    assert rule is not None
    assert (rule.rate, rule.rounding, rule.included) == (Decimal("0.0825"), Rounding.ON_TOTAL, False)
    assert tax_wished(CostWishes(), None, included=True) is None


def test_pages_are_pictures_of_the_paper(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(render(factory.context(), ".pdf"))
    pictures, count = page_pictures(path, 36, 2)
    assert count > 5
    assert len(pictures) == 2
    for picture in pictures:
        assert (picture.width, picture.height) == (298, 421)
        assert len(picture.pixels) == picture.stride * picture.height
        assert len(set(picture.pixels)) > 10  # not blank


def test_bases_of_prices_are_in_the_papers_language() -> None:
    chinese, english = Writer(load(Language.ZH)), Writer(load(Language.EN))
    basis = "US price × 6.78 (2026-06) with 13 % VAT: a conversion, nobody asks this amount"
    assert recorded(basis, chinese) == "美元价 × 6.78（2026-06 汇率）含 13% 增值税：汇率换算，非市场报价"
    assert "6.78" in recorded(basis, english)
    assert recorded("estimate: typical price of such parts, used", chinese) == "按同类二手产品的常见价格估计"
    assert recorded("words nobody translated", chinese) == "words nobody translated"
    assert described("tpot, a setting inferred", english) == "time per output token, a setting inferred"
    assert described("tpot, a setting inferred", chinese) == "每 token 延迟（TPOT），部分设置为推断"


def test_the_place_behind_an_address_is_no_part_of_the_link() -> None:
    place = "https://github.com/someone/prices (data/prices.json, 2026-04)"
    assert (linked(place).text, linked(place).link) == (place, "https://github.com/someone/prices")
    assert linked("a shop list, 2026-02").link == ""
    assert linked("seen at https://example.com").link == ""
