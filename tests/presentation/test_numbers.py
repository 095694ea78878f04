"""Numbers as people type them."""

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.presentation.wizard.numbers import read_decimal, read_ranged


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("4,096", 4096),
        ("1.5", "1.5"),
        ("500,000.50", "500000.50"),
        ("５０万", 500_000),
        ("50 万", 500_000),
        ("¥500000", 500_000),
        ("10亿", 10**9),
        ("1B", 10**9),
        ("1.5m", 1_500_000),
        (" 7 ", 7),
        ("1e6", 10**6),
        ("3千", 3000),
        ("12 500 000", 12_500_000),
        ("500\u00a0000\n", 500_000),
    ],
)
def test_understood(text, value):
    assert read_decimal(text, "x") == Decimal(value)


def test_lengths_of_context_count_in_1024():
    assert read_decimal("4k", "x", binary=True) == 4096
    assert read_decimal("4k", "x") == 4000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12\n34",
        "12\n500",
        "1 2",
        "1 0000",
        "abc",
        "1,5",
        "1,50",
        "0,500",
        "1.2.3",
        "--1",
        "1 kg",
        "=1",
        "NaN",
        "inf",
        "1,,000",
    ],
)
def test_refused(text):
    with pytest.raises(InputError) as told:
        read_decimal(text, "field.name")
    assert told.value.field == "field.name"
    assert told.value.accepted is not None


def test_outside_says_what_is_accepted():
    with pytest.raises(InputError) as told:
        read_ranged("0", "x", 1, 1_000_000, whole=True)
    assert "from 1 to 1,000,000" in told.value.message.english()


@given(st.text(max_size=30))
def test_no_text_breaks_it(text):
    with contextlib.suppress(InputError):
        assert read_decimal(text, "x").is_finite()


@given(st.integers(-(10**15), 10**15))
def test_grouped_and_plain_mean_the_same(number):
    assert read_decimal(f"{number:,}", "x") == read_decimal(str(number), "x") == number
