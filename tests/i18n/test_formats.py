"""Numbers, money, dates and sizes in both languages."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.formats import SPACE, Formats, shown_unit

EN = Formats(Language.EN)
ZH = load(Language.ZH).formats


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234.5, "1,230"),
        (0.04567, "0.0457"),
        (12.0, "12"),
        (99.96, "100"),
        (-3, "−3"),
        (0, "0"),
        (1.5e15, "1,500,000,000,000,000"),
        (None, "unknown"),
        (float("nan"), "unknown"),
        (float("inf"), "unknown"),
    ],
)
def test_number_has_three_significant_digits(value, text):
    assert EN.number(value) == text


def test_count_is_exact():
    assert EN.count(131072) == "131,072"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (80e9, "B", "74.5 GiB"),
        (131072, "B/token", "128 KiB/token"),
        (1.555e12, "B/s", "1.56 TB/s"),
        (31.5e9, "B/s", "31.5 GB/s"),
        (165.2e12, "FLOP/s", "165 TFLOPS"),
        (0.0018, "s", "1.8 ms"),
        (35, "ms", "35 ms"),
        (1.8, "s", "1.8 s"),
        (150, "s", "2.5 min"),
        (20000, "s", "5.56 h"),
        (9e5, "s", "10.4 days"),
        (3200, "W", "3,200 W"),
        (12000, "W", "12 kW"),
        (7.6e9, "parameter", "7.6B"),
        (0, "B", "0 B"),
        (0, "s", "0 s"),
        (0.42, "1", "0.42"),
        (5, "widget", "5 widget"),
    ],
)
def test_quantity_takes_the_prefix_that_fits(value, unit, text):
    assert EN.quantity(value, unit).replace(SPACE, " ") == text


@given(st.floats(1e-6, 1e18), st.sampled_from(["B", "B/s", "FLOP/s", "s", "W", "Hz", "parameter", "C", "1"]))
def test_shown_unit_leaves_at_least_one_of_it(value, unit):
    name, divisor = shown_unit(value, unit)
    assert divisor > 0
    assert value / divisor >= 1 or name == shown_unit(1e-6, unit)[0]


def test_band_shares_the_unit_of_its_value():
    assert EN.figure(Figure(1.8, 1.5, 2.2, "s")).replace(SPACE, " ") == "1.8 s (1.5–2.2)"


def test_unknown_is_a_word_in_each_language():
    assert EN.quantity(None, "B") == EN.money(None) == EN.figure(Figure(None)) == EN.date(None) == "unknown"
    assert ZH.quantity(None, "B") == ZH.money(None) == ZH.memory(None) == ZH.percent(None) == "未知"


def test_memory_shows_the_vendors_gigabytes_beside_gibibytes():
    assert EN.memory(80 * 2**30, 80).replace(SPACE, " ") == "80 GiB (80 GB)"


def test_storage_is_decimal():
    assert EN.capacity(3.84e12).replace(SPACE, " ") == "3.84 TB"
    assert EN.capacity(512e9).replace(SPACE, " ") == "512 GB"


def test_money_is_whole_on_screen_and_to_the_cent_in_papers():
    amount = Money(Decimal("186000.505"), Currency.CNY)
    assert ZH.money(amount) == EN.money(amount) == "¥186,001"
    assert ZH.money(amount, cents=True) == "¥186,000.51"
    assert EN.money(Money(Decimal("-26400"), Currency.USD)) == "−$26,400"


@given(st.decimals(min_value=0, max_value=10**15, places=2))
def test_money_to_the_cent_loses_nothing(amount):
    assert Decimal(EN.money(Money(amount, Currency.CNY), cents=True)[1:].replace(",", "")) == amount


def test_money_range_of_one_amount_is_one_amount():
    low, high = Money(Decimal(10000), Currency.USD), Money(Decimal(20000), Currency.USD)
    assert EN.money_range(MoneyRange(low, high)) == "$10,000–$20,000"
    assert EN.money_range(MoneyRange(low, low)) == "$10,000"


def test_dates_and_lists_follow_the_language():
    assert ZH.date(date(2026, 6, 3)) == "2026年6月3日"
    assert EN.date(date(2026, 6, 3)) == "Jun 3, 2026"
    assert (ZH.join(["甲", "乙"]), EN.join(["a", "b"])) == ("甲、乙", "a, b")
    assert ZH.quantity(9e5, "s") == f"10.4{SPACE}天"
