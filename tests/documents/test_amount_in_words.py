"""大写: published test values, round trip, and the rules for zeros."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.documents.amount_in_words import amount_in_words

KNOWN = {
    "1409.50": "壹仟肆佰零玖元伍角",
    "16409.02": "壹万陆仟肆佰零玖元零贰分",
    "325.04": "叁佰贰拾伍元零肆分",
    "0": "零元整",
    "0.01": "壹分",
    "0.10": "壹角",
    "10.10": "壹拾元壹角",
    "10000000.05": "壹仟万元零伍分",
    "1000000001": "壹拾亿零壹元整",
    "6007.14": "陆仟零柒元壹角肆分",
    "1680.32": "壹仟陆佰捌拾元叁角贰分",
    "107000.53": "壹拾万零柒仟元伍角叁分",
    "100000": "壹拾万元整",
    "100010000": "壹亿零壹万元整",
    "1000100000000": "壹万零壹亿元整",
    "1000000000000": "壹万亿元整",
    "1000000010000": "壹万亿零壹万元整",
    "20300405.06": "贰仟零叁拾万零肆佰零伍元零陆分",
    "0.005": "壹分",
}
VALUE = {digit: number for number, digit in enumerate("零壹贰叁肆伍陆柒捌玖")}
SCALE = {"拾": 10, "佰": 100, "仟": 1000}


@pytest.mark.parametrize(("amount", "words"), KNOWN.items())
def test_known_values(amount: str, words: str) -> None:
    assert amount_in_words(Decimal(amount)) == "人民币" + words


def test_negative_amounts_say_so_and_minus_nothing_is_nothing() -> None:
    assert amount_in_words(Decimal("-12.30")) == "人民币负壹拾贰元叁角"
    assert amount_in_words(Decimal("-0.001")) == "人民币零元整"


def test_an_amount_without_an_agreed_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        amount_in_words(Decimal(10) ** 16)


@given(st.integers(min_value=0, max_value=10**18 - 1))
def test_words_read_back_to_the_same_amount(cents: int) -> None:
    words = amount_in_words(Decimal(cents) / 100)
    assert read(words) == cents
    assert "零零" not in words
    assert "零元" not in words or words == "人民币零元整"


def read(words: str) -> int:
    """An independent reader: evaluates the numeral from left to right."""
    whole, _, fraction = words.removeprefix("人民币").rpartition("元")
    total = section = digit = 0
    for character in whole:
        if character in VALUE:
            digit = VALUE[character]
        elif character in SCALE:
            section, digit = section + digit * SCALE[character], 0
        elif character == "万":
            section, digit = (section + digit) * 10_000, 0
            total, section = total + section, 0
        else:
            total, section, digit = (total + section + digit) * 100_000_000, 0, 0
    cents = (total + section + digit) * 100
    for character in fraction:
        if character in VALUE:
            digit = VALUE[character]
        elif character in "角分":
            cents += digit * (10 if character == "角" else 1)
            digit = 0
        if character in "整角分":
            digit = 0
    return cents
