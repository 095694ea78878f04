"""Help pages: printed by name; the measured tables are those that the program measures now."""

import re

import pytest

from gpuconfig import paths
from gpuconfig.cli.commands.help import page_names
from gpuconfig.cli.help_tables.table import block, block_names, filled
from gpuconfig.engine.provenance.errors import DataError

KINDS = ("memory", "training", "scaling", "serving", "image", "vision")
ROUNDING = 0.11
"""Percentage points between two printings of one figure."""


def committed(language):
    return (paths.resources() / "help" / f"accuracy.{language}.md").read_text(encoding="utf-8")


def cells(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def agree(a, b):
    numbers = [re.fullmatch(r"(\d+(?:\.\d+)?) %", text) for text in (a, b)]
    if not all(numbers):
        return a == b
    step = ROUNDING if "." in a else 1.0
    return abs(float(numbers[0][1]) - float(numbers[1][1])) <= step


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_committed_tables_are_what_is_measured(gpuconfig, kind, language):
    now = cells(gpuconfig("validate", kind, "--markdown", "--lang", language).out.strip())
    then = cells(block(committed(language), kind))
    assert len(now) == len(then) > 2
    assert [
        (a, b)
        for row, old in zip(now, then, strict=True)
        for a, b in zip(row, old, strict=True)
        if not agree(a, b)
    ] == [], "run `gpuconfig help --refresh --held-out`"


def test_agreement_is_no_more_than_rounding():
    assert agree("2.7 %", "2.8 %")
    assert not agree("2.7 %", "2.9 %")
    assert not agree("Rows", "Row")


def test_both_languages_have_the_same_figures():
    assert block_names(committed("en")) == block_names(committed("zh"))
    for name in block_names(committed("en")):
        english, chinese = (cells(block(committed(language), name)) for language in ("en", "zh"))
        assert len(english) > 2
        assert [row[3:] for row in english[1:]] == [row[3:] for row in chinese[1:]], name


def test_text_without_a_place_is_an_error():
    with pytest.raises(DataError):
        filled("<!-- begin a -->\n<!-- end -->", {"b": "text"})


def test_every_page_is_printed_and_an_unknown_one_refused(gpuconfig):
    assert gpuconfig("help").out.split() == page_names()
    for page in page_names():
        assert gpuconfig("help", page, "--lang", "zh").out.startswith("# ")
    refused = gpuconfig("help", "no-such-page")
    assert refused.code == 3
    assert "accuracy" in refused.err
