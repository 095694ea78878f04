"""Every paper of every kind of option: rented, kept, nothing found; dollars; no tax; filled-in terms; firm prices."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from gpuconfig.documents.compose import compose
from gpuconfig.documents.content import Document, Table, plain
from gpuconfig.documents.context import DocumentContext, Terms
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.markdown.render import render_markdown
from gpuconfig.documents.write import render
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.selection.recommendation import Option, OptionKind, SmallestBudget
from gpuconfig.i18n import Language
from gpuconfig.settings import Organisation
from tests.documents import factory


def rented() -> Option:
    """The first option as a rent of three years."""
    option = factory.recommendation().options[0]
    assert option.tco is not None
    total = factory.yuan("788400")
    tco = replace(
        option.tco, total=total, per_month=Money(Decimal("21900"), Currency.CNY), parts={"rent": total}
    )
    price = replace(option.price, total=total, assumed_share=0.0, tax_included=False, missing=())
    return replace(option, kind=OptionKind.RENT, build=None, check=None, price=price, tco=tco)


def text_of(document: Document) -> str:
    return render_markdown(document)


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("language", Language)
def test_papers_of_a_rent(kind: DocumentKind, language: Language) -> None:
    context = factory.context(kind, language, option=rented(), seller=factory.SELLER)
    if kind is DocumentKind.BUILD_SHEET:
        with pytest.raises(InputError) as error:
            compose(context)
        assert error.value.field == "option"
        return
    assert render(context, ".pdf").startswith(b"%PDF")
    text = text_of(compose(context))
    assert "13%" not in text  # the tax on goods says nothing about a service
    if kind in (DocumentKind.REQUISITION, DocumentKind.QUOTATION):
        assert "¥788,400.00" in text
    if kind is DocumentKind.PROPOSAL:
        assert "¥21,900" in text.split("##")[0]


@pytest.mark.parametrize("kind", DocumentKind)
def test_papers_of_keeping_what_there_is(kind: DocumentKind) -> None:
    option = replace(rented(), kind=OptionKind.KEEP)
    context = factory.context(kind, option=option, seller=factory.SELLER)
    if kind in (DocumentKind.BUILD_SHEET, DocumentKind.QUOTATION, DocumentKind.REQUISITION):
        with pytest.raises(InputError) as error:
            compose(context)
        assert error.value.field == "option"
    else:
        if kind is DocumentKind.PROPOSAL:
            assert "请批准继续使用" in text_of(compose(context))
        assert render(context, ".pdf").startswith(b"%PDF")


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("suffix", [".pdf", ".xlsx", ".md"])
def test_papers_where_nothing_fits(kind: DocumentKind, suffix: str) -> None:
    base = factory.recommendation()
    smallest = SmallestBudget(Money(Decimal("210000"), Currency.CNY), base.options[0])
    made = replace(
        base,
        options=(),
        considered=(),
        smallest_budget_that_works=smallest,
        with_used_parts=replace(base.options[0], within_budget=True),
    )
    context = factory.context(kind, option=None, recommendation=made, seller=factory.SELLER)
    if kind is DocumentKind.QUOTATION:
        with pytest.raises(InputError):
            render(context, suffix)
        return
    assert render(context, suffix)
    if kind is not DocumentKind.CARD_COMPARISON:
        assert "¥210,000.00" in text_of(compose(context))
        assert "若接受二手配件" in text_of(compose(context))


def test_a_quotation_names_its_missing_seller() -> None:
    for seller in (None, Organisation(), Organisation(name="  ")):
        with pytest.raises(InputError) as error:
            compose(factory.context(DocumentKind.QUOTATION, seller=seller))
        assert error.value.field == "seller.name"
        assert error.value.code == "missing"


def in_dollars() -> DocumentContext:
    base = factory.context(DocumentKind.QUOTATION, Language.EN, seller=factory.SELLER, tax=None)
    option = base.option
    assert option is not None
    assert option.build is not None

    def dollars(amounts: MoneyRange) -> MoneyRange:
        return MoneyRange(*(Money(end.amount, Currency.USD) for end in (amounts.low, amounts.high)))

    lines = tuple(
        replace(line, price=None if line.price is None else dollars(line.price))
        for line in option.build.lines
    )
    price = replace(option.price, total=dollars(option.price.total))
    return replace(base, option=replace(option, build=Build(lines=lines), price=price))


def test_dollars_have_no_chinese_capitals_and_an_unstated_tax_is_not_invented() -> None:
    text = text_of(compose(in_dollars()))
    assert "$198,453.01" in text
    assert "人民币" not in text
    assert "tax not stated" in text
    assert "VAT" not in text


def test_prices_without_tax_get_it_added() -> None:
    rule = replace(factory.VAT, included=False)
    document = compose(factory.context(DocumentKind.REQUISITION, tax=rule))
    bill = next(block for block in document.blocks if isinstance(block, Table) and block.carried is not None)
    net, tax, gross = (plain(row[-1].content) for row in bill.foot[:3])
    assert (net, gross) == ("¥198,453.01", "¥224,251.90")
    assert tax == "¥25,798.89"


def test_terms_validity_and_revision_are_printed() -> None:
    terms = Terms(
        payment="30 % / 70 %", warranty="三年上门", acceptance="满载 24 小时", invoice="增值税专用发票"
    )
    context = factory.context(
        DocumentKind.QUOTATION, seller=factory.SELLER, terms=terms, valid_until=date(2026, 12, 31), revision=3
    )
    text = text_of(compose(context))
    for shown in ("30 % / 70 %", "三年上门", "满载 24 小时", "增值税专用发票", "2026年12月31日", "第 3 版"):
        assert shown in text


def test_a_paper_without_number_gets_one_of_kind_and_day() -> None:
    assert "QU-20261202" in text_of(
        compose(factory.context(DocumentKind.QUOTATION, seller=factory.SELLER, number=""))
    )


GIVEN_UP = {"weight_format": "gguf:q4_k_m", "offload_experts": "35"}


def test_what_is_given_up_stands_among_the_main_risks() -> None:
    option = replace(factory.recommendation().options[0], leaner=GIVEN_UP)
    proposal = text_of(compose(factory.context(DocumentKind.PROPOSAL, Language.EN, option=option)))
    main = proposal.split("Main risks")[1].split("Contents")[0]
    assert "Experts in host memory, for few users only" in main
    assert "Quantised weights" in main


def test_whoever_signs_reads_that_a_whole_machine_is_bought_unless_parts_are_there_already() -> None:
    option = factory.recommendation().options[0]
    assert option.build is not None
    whole = text_of(compose(factory.context(DocumentKind.BUDGET_ESTIMATE, Language.EN, option=option)))
    assert "one complete machine with" in whole
    first, *others = option.build.lines
    owned = replace(option.build, lines=(first, replace(others[0], reused=True), *others[1:]))
    added = factory.context(DocumentKind.BUDGET_ESTIMATE, Language.EN, option=replace(option, build=owned))
    assert "one complete machine with" not in text_of(compose(added))
