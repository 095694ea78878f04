"""Papers in two languages at once: nothing of either is lost, and what agrees stands once."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from gpuconfig.documents.bilingual import side_by_side
from gpuconfig.documents.compose import compose
from gpuconfig.documents.content import Heading, Paragraph, Table, plain, text
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.text import text_box
from gpuconfig.documents.write import render
from gpuconfig.i18n import Language
from tests.documents import factory


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("first", Language)
def test_every_paper_can_be_laid_side_by_side(kind: DocumentKind, first: Language) -> None:
    second = Language.EN if first is Language.ZH else Language.ZH
    context = factory.context(kind, first, seller=factory.SELLER, second_language=second)
    made = compose(context)
    alone = compose(replace(context, second_language=None))
    other = compose(replace(context, second_language=None, language=second))
    headings = [block.text for block in made.blocks if isinstance(block, Heading)]
    singles = [
        (one.text, two.text)
        for one, two in zip(alone.blocks, other.blocks, strict=True)
        if isinstance(one, Heading) and isinstance(two, Heading)
    ]
    for both, (one, two) in zip(headings, singles, strict=True):
        assert one in both
        assert two.split("\u2002")[-1] in both


def test_figures_stand_once() -> None:
    context = factory.context(DocumentKind.QUOTATION, seller=factory.SELLER, second_language=Language.EN)
    bill = next(b for b in compose(context).blocks if isinstance(b, Table) and b.carried is not None)
    assert plain(bill.rows[0][-1].content) == "¥104,000.00"
    name = plain(bill.rows[0][1].content)
    assert name.count("RTX 5090") == 1
    assert "加速卡" in name
    assert "Accelerator" in name


def test_the_file_holds_both() -> None:
    context = factory.context(second_language=Language.EN)
    text = "\n".join(page.extract_text() for page in PdfReader(BytesIO(render(context, ".pdf"))).pages)
    assert "请批准购置" in text
    assert "Approve the purchase of" in text


def test_two_different_papers_are_refused() -> None:
    one, two = (compose(factory.context(kind)) for kind in (DocumentKind.PROPOSAL, DocumentKind.DEVIATION))
    with pytest.raises(ValueError, match="different blocks"):
        side_by_side(one, two)


@pytest.mark.parametrize("first", Language)
def test_the_summary_in_two_languages_stays_on_one_page(first: Language) -> None:
    second = Language.EN if first is Language.ZH else Language.ZH
    context = factory.context(DocumentKind.PROPOSAL, first, second_language=second)
    page = PdfReader(BytesIO(render(context, ".pdf"))).pages[0].extract_text()
    for words in ("请审批", "主要风险", "Main risks", "审批意见", "Decision:"):
        assert words in page


def test_a_short_second_language_stands_on_the_line_of_the_first() -> None:
    paper = compose(factory.context())
    for words, lines in (("采购地区", 1), ("采购地区" * 12, 2)):
        first, second = (replace(paper, blocks=(Paragraph(text(said)),)) for said in (words, "Bought in"))
        (made,) = side_by_side(first, second).blocks
        assert isinstance(made, Paragraph)
        assert len(text_box(made.content, 480.0, Typeface(), 9.5).lines) == lines
