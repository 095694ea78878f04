"""What is printed agrees: rows, subtotal, tax, total and 大写 of whole papers, read back from their text."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.documents.amount_in_words import amount_in_words
from gpuconfig.documents.bill import Rounding, TaxRule
from gpuconfig.documents.compose import compose
from gpuconfig.documents.content import Document, Table, plain
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.i18n import Language
from tests.documents import factory

CENTS = st.integers(1, 500_000_000).map(lambda cents: Decimal(cents) / 100)
LINES = st.lists(st.tuples(st.integers(1, 64), CENTS, CENTS), min_size=1, max_size=8)
RULES = st.builds(
    TaxRule,
    rate=st.sampled_from([Decimal("0.13"), Decimal("0.06"), Decimal("0.0825"), Decimal(0), None]),
    included=st.booleans(),
    rounding=st.sampled_from(Rounding),
)
BILLS = (DocumentKind.QUOTATION, DocumentKind.REQUISITION, DocumentKind.BUDGET_ESTIMATE)
BASE = factory.context(seller=factory.SELLER)


def paper(lines: list[tuple[int, Decimal, Decimal]], rule: TaxRule, kind: DocumentKind) -> Document:
    assert BASE.option is not None
    build = BASE.option.build
    assert build is not None
    made = []
    for index, (quantity, one, two) in enumerate(lines):
        low, high = sorted((one, two))
        price = MoneyRange(Money(low, Currency.CNY), Money(high, Currency.CNY))
        made.append(replace(build.lines[index], quantity=quantity, price=price))
    option = replace(BASE.option, build=replace(build, lines=tuple(made)))
    context: DocumentContext = replace(BASE, kind=kind, option=option, tax=rule, language=Language.ZH)
    return compose(context)


def check(document: Document, rule: TaxRule) -> None:
    bill = next(block for block in document.blocks if isinstance(block, Table) and block.carried is not None)
    rows = [amount(plain(row[-1].content)) for row in bill.rows]
    *sums, words = bill.foot
    foot = [amount(plain(row[-1].content)) for row in sums]
    total = foot[-1]
    if rule.rate is None:
        assert foot == [sum(rows)]
    else:
        net, tax, gross = foot
        assert net + tax == gross
        assert sum(rows) == (gross if rule.included else net)
    assert plain(words[0].content).endswith("  " + amount_in_words(total))
    for row in bill.rows:
        priced = [cell.value for cell in row if isinstance(cell.value, Decimal) and cell.currency]
        assert all(value == value.quantize(Decimal("0.01")) for value in priced)


def amount(shown: str) -> Decimal:
    assert shown.startswith("¥")
    return Decimal(shown[1:].replace(",", ""))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LINES, RULES, st.sampled_from(BILLS))
def test_printed_amounts_agree(
    lines: list[tuple[int, Decimal, Decimal]], rule: TaxRule, kind: DocumentKind
) -> None:
    check(paper(lines, rule, kind), rule)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LINES, RULES, st.sampled_from(BILLS))
def test_printed_amounts_agree_on_ten_thousand_papers(
    lines: list[tuple[int, Decimal, Decimal]], rule: TaxRule, kind: DocumentKind
) -> None:
    check(paper(lines, rule, kind), rule)
