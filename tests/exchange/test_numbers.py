"""Numbers, units, money and days: round trips in both writings, and never a wrong silent reading."""

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.exchange.amounts import read_money
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_column, read_number
from gpuconfig.exchange.quantities import Dimension, read_quantity

AMOUNTS = st.decimals(min_value="0.01", max_value="99999999", places=2)


def written(value, style, group):
    whole, _, decimals = f"{value:,.2f}".partition(".")
    whole = whole.replace(",", group)
    return f"{whole}{'.' if style is NumberStyle.POINT else ','}{decimals}"


@given(AMOUNTS, st.sampled_from(["", ",", " ", "'"]))
def test_point_writing_round_trips(value, group):
    assert read_number(written(value, NumberStyle.POINT, group)).point == value


@given(AMOUNTS, st.sampled_from(["", ".", " ", "\u00a0"]))
def test_comma_writing_round_trips(value, group):
    assert read_number(written(value, NumberStyle.COMMA, group)).comma == value


@given(AMOUNTS, st.sampled_from(list(NumberStyle)))
def test_a_grouped_amount_is_never_read_wrong(value, style):
    """With marks between thousands and two decimals only one reading is left, and it is the right one."""
    text = written(value, style, "," if style is NumberStyle.POINT else ".")
    reading = read_number(text)
    assert reading.by(style) == value
    assert not reading.is_ambiguous


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text):
    reading = read_number(text)
    assert reading.is_number == (reading.point is not None or reading.comma is not None)


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("1,500", "1500", "1.500"), ("3.000", "3.000", "3000"), ("-3.000", "-3.000", "-3000"), ("1,5", None, "1.5"),
        ("1.5", "1.5", None), ("12 999,00", None, "12999.00"), ("１２３", "123", "123"), ("0,125", None, "0.125"),
        ("1.2.3", None, None), ("abc", None, None), ("1,23,456", None, None), ("", None, None),
    ],
)  # fmt: skip
def test_both_readings(text, point, comma):
    reading = read_number(text)
    assert (reading.point, reading.comma) == tuple(None if v is None else Decimal(v) for v in (point, comma))


def test_a_column_decides_together():
    """-3.000 is minus three thousand beside 1.111,11 (a bank's export once read it as -3.00)."""
    column = read_column(["-3.000", "1.111,11"])
    assert column.style is NumberStyle.COMMA
    assert column.values == (Decimal(-3000), Decimal("1111.11"))


def test_a_column_that_decides_nothing_is_asked_about():
    column = read_column(["1,500", "", "20", "x"])
    assert (column.style, column.ambiguous, column.unreadable) == (None, (0,), (3,))
    assert column.values == (None, None, Decimal(20), None)


def test_two_writings_in_one_column_have_no_style():
    assert read_column(["1.111,11", "2,222.22"]).style is None


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("24 GB", Dimension.MEMORY, 24 * 2**30), ("24GiB", Dimension.MEMORY, 24 * 2**30),
        ("24576 MiB", Dimension.MEMORY, 24 * 2**30), ("24", Dimension.MEMORY, 24 * 2**30),
        ("2 TB", Dimension.STORAGE, 2 * 10**12), ("1.0 TB/s", Dimension.BANDWIDTH, 10**12),
        ("1008", Dimension.BANDWIDTH, 1008 * 10**9), ("450 W", Dimension.POWER, 450), ("1.2kW", Dimension.POWER, 1200),
        ("400 Gb/s", Dimension.BIT_RATE, 400 * 10**9), ("12 in", Dimension.LENGTH, Decimal("304.8")),
        ("30.4 cm", Dimension.LENGTH, 304), ("165.2 TFLOPS", Dimension.FLOPS, Decimal("165.2e12")),
        ("85 °C", Dimension.TEMPERATURE, 85), ("8 张", Dimension.COUNT, 8),
    ],
)  # fmt: skip
def test_quantities(text, dimension, value):
    assert read_quantity(text, dimension, "field").value == value


@pytest.mark.parametrize(
    ("text", "dimension", "code"),
    [
        ("24 GB/s", Dimension.MEMORY, "wrong_type"), ("24 GB", Dimension.BANDWIDTH, "wrong_type"),
        ("1,5 TB", Dimension.STORAGE, "ambiguous"), ("fast", Dimension.POWER, "wrong_type"),
        ("450 V", Dimension.POWER, "wrong_type"),
    ],
)  # fmt: skip
def test_quantities_that_are_refused(text, dimension, code):
    with pytest.raises(InputError) as error:
        read_quantity(text, dimension, "field")
    assert error.value.code == code


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("￥12,999", "12999", "CNY"), ("$1,999", "1999", "USD"), ("12 999,00", "12999.00", "CNY"),
        ("5万", "50000", "CNY"),
        ("1.5 万元", "15000.0", "CNY"),
        ("RMB 22,559", "22559", "CNY"), ("USD 3650", "3650", "USD"), ("12999元", "12999", "CNY"),
    ],
)  # fmt: skip
def test_money(text, amount, currency):
    money = read_money(text, "price", Currency.CNY)
    assert (money.amount, money.currency) == (Decimal(amount), Currency(currency))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1,5", "ambiguous"),
        ("NT$ 99,990", "unknown_value"),
        ("€ 1220", "unknown_value"),
        ("abc", "wrong_type"),
        ("¥$5", "wrong_type"),
    ],
)
def test_money_that_is_refused(text, code):
    with pytest.raises(InputError) as error:
        read_money(text, "price", Currency.CNY)
    assert error.value.code == code


def test_money_without_a_currency_asks():
    with pytest.raises(InputError) as error:
        read_money("1999", "price")
    assert error.value.code == "missing"


@given(st.dates(min_value=datetime.date(2000, 1, 1), max_value=datetime.date(2099, 12, 31)))
def test_days_round_trip(day):
    texts = [
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%Y%m%d}",
    ]
    assert set(read_days(texts).values) == {day.isoformat()}


def test_a_day_above_twelve_settles_the_order():
    column = read_days(["3/4/2026", "13/4/2026"])
    assert column.values == ("2026-04-03", "2026-04-13")


def test_an_open_order_is_asked_about():
    column = read_days(["3/4/2026", "soon"])
    assert (column.ambiguous, column.unreadable) == ((0,), (1,))


WRITINGS = {NumberStyle.POINT: (",", "."), NumberStyle.COMMA: (".", ",")}


@given(
    st.integers(0, 10**12),
    st.sampled_from(list(NumberStyle)),
    st.sampled_from([("¥{}", Currency.CNY), ("￥{}", Currency.CNY), ("{} 元", Currency.CNY), ("${}", Currency.USD),
                     ("US${}", Currency.USD), ("{} USD", Currency.USD), ("RMB {}", Currency.CNY)]),
)  # fmt: skip
def test_money_of_both_locales_round_trips(cents, style, mark):
    group, decimal = WRITINGS[style]
    text = f"{cents // 100:,}".replace(",", group) + f"{decimal}{cents % 100:02d}"
    form, currency = mark
    money = read_money(form.format(text), "price", None, style)
    assert (money.amount * 100, money.currency) == (cents, currency)


@given(
    st.decimals(Decimal("0.001"), Decimal(10**6), places=3),
    st.sampled_from(list(NumberStyle)),
    st.sampled_from([("W", Dimension.POWER, 1), ("kW", Dimension.POWER, 1000), ("GiB", Dimension.MEMORY, 2**30),
                     ("MiB", Dimension.MEMORY, 2**20), ("GB/s", Dimension.BANDWIDTH, 10**9),
                     ("TB/s", Dimension.BANDWIDTH, 10**12), ("mm", Dimension.LENGTH, 1),
                     ("TFLOPS", Dimension.FLOPS, 10**12)]),
)  # fmt: skip
def test_units_of_both_locales_are_right_or_asked_about(value, style, unit):
    name, dimension, factor = unit
    text = format(value, "f").replace(".", WRITINGS[style][1]) + f" {name}"
    reading = read_number(text.split()[0])
    if reading.alone(style) is None:
        with pytest.raises(InputError, match="two ways"):
            read_quantity(text, dimension, "x", style)
    else:
        assert read_quantity(text, dimension, "x", style).value == value * factor


@given(st.integers(1, 999), st.integers(0, 999))
def test_a_comma_before_three_digits_is_never_half_read(whole, rest):
    """In a column that nothing else settles it is asked about; alone it is what the reader's own writing says."""
    text = f"{whole},{rest:03d}"
    assert read_column([text]).values == (None,)
    assert read_number(text).alone(NumberStyle.POINT) == whole * 1000 + rest
    assert read_number(text).alone(NumberStyle.COMMA) == whole + Decimal(rest) / 1000
