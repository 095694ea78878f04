"""An engine's message becomes a sentence of the reader's language."""

from datetime import date
from decimal import Decimal
from enum import StrEnum

import pytest

from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.i18n import Language, load, render

EN, ZH = load(Language.EN), load(Language.ZH)


class Answer(StrEnum):
    NO = "no"


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        ("RTX 4090", "RTX 4090", "RTX 4090"),
        (12480, "12,480", "12,480"),
        (1.23456, "1.23", "1.23"),
        (Decimal("0.5"), "0.5", "0.5"),
        (None, "unknown", "未知"),
        (True, "yes", "是"),
        (Answer.NO, "no", "否"),
        (Message("unknown"), "unknown", "未知"),
        (Money(Decimal(500000), Currency.CNY), "¥500,000", "¥500,000"),
        (Figure(2.0, unit="s"), "2\u00a0s", "2\u00a0s"),
        (date(2026, 6, 3), "Jun 3, 2026", "2026年6月3日"),
        ((1, None), "1, unknown", "1、未知"),
    ],
)
def test_a_value_follows_the_locale(value, english, chinese):
    message = Message("{value}", {"value": value})
    assert (render(message, EN), render(message, ZH)) == (english, chinese)


def test_the_sentence_is_translated_and_its_values_are_filled():
    outer = Message(
        "{inner}!", {"inner": Message("{count} {unit}", {"count": 1000, "unit": Message("days")})}
    )
    assert render(outer, EN) == "1,000 days!"
    assert render(outer, ZH) == "1,000 天!"


def test_an_explicit_format_is_kept():
    assert render(Message("{x:.1f}", {"x": 3.14159}), ZH) == "3.1"


def test_text_without_values_may_hold_braces():
    assert render(Message('{"a": 1}'), EN) == '{"a": 1}'


def test_text_without_translation_stays_english_and_empty_stays_empty():
    assert ZH.gettext("no such text anywhere") == "no such text anywhere"
    assert ZH.gettext("") == ""
    assert ZH.pgettext("nowhere", "no such text") == "no such text"


def test_plural_forms():
    assert EN.ngettext("{count} option", "{count} options", 1) == "1 option"
    assert EN.ngettext("{count} option", "{count} options", 1200) == "1,200 options"
