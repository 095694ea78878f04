"""Reasons of prices, remarks on parts, descriptions of sources: each has its Chinese with its figures."""

from __future__ import annotations

import csv

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.recorded import CLAUSE_END, clause_words, recorded_words

ZH = load(Language.ZH)
EN = load(Language.EN)


def rows(pattern: str) -> list[dict[str, str]]:
    files = sorted((paths.database_sources() / "seed").glob(pattern))
    assert files
    return [row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]


def untranslated(table: list[dict[str, str]], column: str) -> set[str]:
    """Clauses without Chinese: use a sentence that is there, or translate yours with its figures as {n1}, {n2}."""
    return {
        clause
        for row in table
        if ZH.gettext(row[column]) == row[column]
        for clause in filter(None, row[column].split(CLAUSE_END))
        if clause_words(clause, ZH) == clause
    }


def test_every_reason_of_a_price_has_its_chinese() -> None:
    assert untranslated(rows("offers/*.csv"), "basis") == set()


@pytest.mark.parametrize("kind", [kind.value for kind in CLASSES])
def test_every_remark_on_a_part_has_its_chinese(kind: str) -> None:
    assert untranslated(rows(f"{kind}.csv"), "notes") == set()


@pytest.mark.parametrize("table", ["tariff", "exchange_rate", "motherboard_slot"])
def test_every_remark_on_a_rate_or_slot_has_its_chinese(table: str) -> None:
    assert untranslated(rows(f"{table}.csv"), "note") == set()


def test_a_source_described_in_words_has_its_chinese() -> None:
    """Addresses and names stay as they are; a description starts with a small letter and names no site."""
    parts = {part.strip() for row in rows("offers/*.csv") for part in row["source"].split(";")}
    described = {
        part for part in parts if part[:1].islower() and "." not in part.split()[0] and "://" not in part
    }
    assert described
    assert {part for part in described if recorded_words(part, ZH) == part} == set()


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        (
            "launch price × 0.33-0.67, the share that used RTX 3090 cost in 2026",
            "首发价 × 0.33–0.67，即 2026 年二手 RTX 3090 的折价",
        ),
        (
            "2 × channel price 155-170 per module (2026-08-18); retail margin on top",
            "2 × 单条渠道价 155–170（2026-08-18）；另加零售利润",
        ),
        ("retail margin on top; words of a user, 12 %", "另加零售利润；words of a user, 12 %"),
        ("words of a user, 12 %; {braces}", "words of a user, 12 %; {braces}"),
        ("", ""),
    ],
)
def test_figures_are_filled_in_again(recorded: str, said: str) -> None:
    assert recorded_words(recorded, ZH) == said
    assert recorded_words(recorded, EN) == recorded
