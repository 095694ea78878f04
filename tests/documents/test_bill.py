"""Rows, subtotal, tax, total and 大写 agree to the 分 under every tax basis and rounding rule."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.documents.bill import Bill, Rounding, TaxRule
from gpuconfig.engine.quantities.money import CENT, Currency

RATES = st.sampled_from(
    [None, Decimal(0), Decimal("0.06"), Decimal("0.09"), Decimal("0.13"), Decimal("0.0825")]
)
PRICES = st.none() | st.decimals(min_value=0, max_value=10_000_000, places=4)
LINES = st.lists(st.tuples(st.integers(1, 500), PRICES), min_size=1, max_size=12)


def bill(lines: list[tuple[int, Decimal | None]], rule: TaxRule) -> Bill:
    quantities, prices = zip(*lines, strict=True)
    return Bill(currency=Currency.CNY, rule=rule, quantities=quantities, unit_prices=prices)


@settings(max_examples=2500, deadline=None)
@given(LINES, RATES, st.booleans(), st.sampled_from(Rounding))
def test_rows_subtotal_tax_and_total_agree(
    lines: list[tuple[int, Decimal | None]], rate: Decimal | None, included: bool, rounding: Rounding
) -> None:
    made = bill(lines, TaxRule(rate=rate, included=included, rounding=rounding))
    known = [
        (amount, split) for amount, split in zip(made.charged, made.lines, strict=True) if split is not None
    ]
    total = made.total
    assert made.subtotal == sum(amount for amount, _ in known)
    assert total.net + total.tax == total.gross
    assert made.subtotal == (total.gross if included else total.net)
    for amount, split in known:
        assert split.net + split.tax == split.gross
        assert amount == (split.gross if included else split.net)
        assert all(part == part.quantize(CENT) for part in (split.net, split.tax, split.gross))
    if rounding is Rounding.PER_LINE:
        assert total.tax == sum(split.tax for _, split in known)
        assert total.net == sum(split.net for _, split in known)
    elif rate is not None:
        exact = made.subtotal * rate / (1 + rate) if included else made.subtotal * rate
        assert abs(total.tax - exact) <= CENT / 2
    assert made.missing == len(lines) - len(known)


@pytest.mark.parametrize(
    ("included", "rounding", "net", "tax", "gross"),
    [
        (True, Rounding.PER_LINE, "26.52", "3.48", "30.00"),
        (True, Rounding.ON_TOTAL, "26.55", "3.45", "30.00"),
        (False, Rounding.PER_LINE, "30.00", "3.90", "33.90"),
        (False, Rounding.ON_TOTAL, "30.00", "3.90", "33.90"),
    ],
)
def test_worked_example(included: bool, rounding: Rounding, net: str, tax: str, gross: str) -> None:
    lines: list[tuple[int, Decimal | None]] = [(1, Decimal("0.10"))] * 300
    total = bill(lines, TaxRule(rate=Decimal("0.13"), included=included, rounding=rounding)).total
    if included and rounding is Rounding.PER_LINE:
        net, tax = "27.00", "3.00"  # 0.10 / 1.13 = 0.0885, 0.09 in each line
    if not included and rounding is Rounding.PER_LINE:
        tax, gross = "3.00", "33.00"  # 0.10 x 0.13 = 0.013, 0.01 in each line
    assert (total.net, total.tax, total.gross) == (Decimal(net), Decimal(tax), Decimal(gross))


def test_a_half_cent_of_tax_goes_up() -> None:
    rule = TaxRule(rate=Decimal("0.13"), included=False)
    assert bill([(1, Decimal("0.50"))], rule).total.tax == Decimal("0.07")


def test_an_unknown_rate_adds_no_tax() -> None:
    total = bill([(2, Decimal("10"))], TaxRule(rate=None, included=False)).total
    assert (total.net, total.tax, total.gross) == (Decimal("20.00"), Decimal("0.00"), Decimal("20.00"))
