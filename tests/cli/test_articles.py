"""The page on the articles' figures: its tables are what the program predicts now, and what its text says holds."""

import re

import pytest

from gpuconfig import paths
from gpuconfig.cli.help_tables.articles import article_blocks
from gpuconfig.cli.help_tables.table import block, block_names
from gpuconfig.i18n import Language, load

ROUNDING = 0.02
"""Relative difference of two printings of one figure on two machines."""
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def page(language):
    return (paths.resources() / "help" / f"articles.{language}.md").read_text(encoding="utf-8")


def cells(table):
    rows = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]


def numbers(text):
    return [float(n.replace(",", "")) for n in NUMBER.findall(text)]


def agree(a, b):
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    return all(abs(x - y) <= max(ROUNDING * abs(y), 1.0) for x, y in zip(numbers(a), numbers(b), strict=True))


@pytest.fixture(scope="module")
def predicted(services):
    return {language.value: article_blocks(services, load(language).gettext) for language in Language}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_committed_tables_are_what_is_predicted(predicted, language):
    committed = page(language)
    assert block_names(committed) == set(predicted[language])
    differ = [
        (name, a, b)
        for name, text in predicted[language].items()
        for row, old in zip(cells(text), cells(block(committed, name)), strict=True)
        for a, b in zip(row, old, strict=True)
        if not agree(a, b)
    ]
    assert differ == [], "run `gpuconfig help --refresh`"


def test_agreement_is_no_more_than_rounding():
    assert agree("17,193 (11,915–25,962)", "17,190 (11,915–25,962)")
    assert not agree("17,193", "18,000")
    assert not agree("fits", "does not fit")


@pytest.fixture(scope="module")
def tables(predicted):
    return {name: cells(text)[2:] for name, text in predicted["en"].items()}


def test_13b_cannot_be_trained_by_ddp_on_a100_nor_sharded_on_4090(tables):
    verdicts = {row[0]: row[3] for row in tables["eight-cards"]}
    assert verdicts["DDP of 13B on 8 A100 80GB"] == "does not fit"
    assert verdicts["13B on 8 A100 80GB, fully sharded"] == "fits"
    assert verdicts["13B on 8 RTX 4090, fully sharded"] == "does not fit"


def test_data_parallelism_is_the_fastest_split_of_4090s(tables):
    for column in (1, 3):
        speeds = [numbers(row[column])[0] for row in tables["ways-to-split"]]
        assert max(speeds[:2]) > 1.3 * max(speeds[2:])


def test_article_split_is_sound_and_beaten(tables):
    article, best = (numbers(row[1])[0] for row in tables["three-dimensions"][:2])
    assert 0.85 * best < article < best
    assert "TP8 PP4" in tables["three-dimensions"][0][0]


def test_small_steps_scale_worse_and_peer_to_peer_helps(tables):
    rows = {(row[0], row[4]): row for row in tables["four-cards"]}
    for row in rows.values():
        assert numbers(row[2])[0] <= numbers(row[3])[0]
    stock, narrow, patched = (
        numbers(r[2])[0] for (name, _), r in rows.items() if name.startswith("RTX 4090")
    )
    assert narrow < stock < patched
    assert narrow < 68 < stock  # the article's figure


def test_a_thousand_dollars_of_electricity_need_the_machine(tables):
    alone, _, machine = (numbers(row[3])[0] for row in tables["electricity"])
    assert alone == 613
    assert alone < machine
