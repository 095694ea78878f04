"""Kinsoku and mixed scripts: where a line may end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.documents.content import Span
from gpuconfig.documents.pdf.linebreak import CANNOT_END, CANNOT_START, break_lines, can_break


def measure(text: str, _span: Span) -> float:
    """Wide characters are two units, others one; bold adds nothing."""
    return sum(2.0 if ord(c) >= 0x2E80 else 1.0 for c in text)


def lines(text: str, width: float) -> list[str]:
    return ["".join(p.text for p in line.pieces) for line in break_lines((Span(text),), width, measure)]


def test_chinese_breaks_anywhere_but_before_closing_punctuation() -> None:
    assert lines("购置四张加速卡，用于训练。", 12) == ["购置四张加速", "卡，用于", "训练。"]


def test_an_opening_bracket_never_ends_a_line() -> None:
    assert lines("含增值税（百分之十三）", 10) == ["含增值税", "（百分之", "十三）"]


def test_latin_words_and_numbers_stay_whole() -> None:
    assert lines("使用 Qwen2.5-7B 模型 4096 词元", 14) == ["使用", "Qwen2.5-7B 模", "型 4096 词元"]


def test_an_amount_keeps_its_sign() -> None:
    assert lines("合计¥186,000.00元", 12) == ["合计", "¥186,000.00", "元"]


def test_a_no_break_space_holds_number_and_unit_together() -> None:
    assert lines("memory of 24\u00a0GiB", 12) == ["memory of", "24\u00a0GiB"]


def test_an_address_breaks_after_its_slashes() -> None:
    assert lines("https://example.org/a/long/path/to/page", 20) == [
        "https://example.org/",
        "a/long/path/to/page",
    ]


def test_a_word_wider_than_the_line_is_cut() -> None:
    assert lines("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_newlines_stand_and_spaces_at_line_ends_go() -> None:
    assert lines("one\ntwo  ", 10) == ["one", "two"]
    assert lines("", 10) == [""]


def test_spans_do_not_open_a_break() -> None:
    spans = (Span("RTX", bold=True), Span("5090"))
    assert len(break_lines(spans, 5, measure)) >= 1
    assert [len(line.pieces) for line in break_lines(spans, 7, measure)] == [2]


@pytest.mark.parametrize("closing", "，。、；：！？）》」』】”’…％")
def test_closing_punctuation_is_listed(closing: str) -> None:
    assert not can_break("字", closing)


@settings(max_examples=400, deadline=None)
@given(
    st.text(alphabet="购置显卡（）“”《》，。：；、 abcXYZ019.,-/%¥$()\n", max_size=120), st.integers(12, 60)
)
def test_nothing_is_lost_and_no_line_breaks_the_rules(text: str, width: int) -> None:
    made = lines(text, width)
    assert "".join(made).replace(" ", "") == text.replace("\n", "").replace(" ", "")
    for before, after in pairwise(made):
        if not before or not after or len(before) < 3 or f"{before}\n" in text:
            continue
        joined = before + after
        longest = max((len(word) for word in joined.split(" ")), default=0)
        if longest < width / 2 and before + after in text:
            assert after[0] not in CANNOT_START
            assert before[-1] not in CANNOT_END
