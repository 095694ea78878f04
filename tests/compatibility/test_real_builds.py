"""Real builds with their outcome, judged as their sources say."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

DATA = Path(__file__).parent.parent / "data"
BUILDS = [json.loads(line) for line in (DATA / "builds.jsonl").read_text().splitlines()]
RULES = {
    row["check"]: row["rules"].split("|")
    for row in csv.DictReader((DATA / "build_checks.csv").read_text().splitlines())
}
TOLD_BESIDE = {"nicehash-1396-1080ti-750w": {"gpu": {"note": "one cable of the supply feeds both plugs"}}}
"""What the source tells in words besides its list: the parts were sound, another cable in another socket worked."""


@pytest.mark.parametrize("build", BUILDS, ids=lambda b: b["id"])
def test_verdict(build: dict[str, Any]) -> None:
    """The verdict is the one the source gives."""
    parts = dict(build["parts"])
    for kind, words in TOLD_BESIDE.get(build["id"], {}).items():
        parts[kind] = [{**part, **words} for part in parts[kind]]
    result = check_parts({"id": build["id"], "parts": parts}, bundled_catalogue())
    told = [(f.status.value, f.rule, str(f.message)) for f in result.findings if f.status != "ok"]
    assert result.verdict.value in build["verdict"], told


@pytest.mark.parametrize("build", BUILDS, ids=lambda b: b["id"])
def test_expected_checks_are_answered(build: dict[str, Any]) -> None:
    """Each check the source speaks of is answered by its rule, or listed as not checked with what is missing."""
    result = check_parts({"parts": build["parts"]}, bundled_catalogue())
    answered = {f.rule for f in result.findings} | {n.rule for n in result.not_checked}
    for check in build["checks"]:
        assert answered & set(RULES[check]), (check, sorted(answered))


@pytest.mark.parametrize("build", [b for b in BUILDS if b["outcome"] == "ok"], ids=lambda b: b["id"])
def test_no_false_problem(build: dict[str, Any]) -> None:
    """A build that works as built is never called a problem."""
    result = check_parts({"parts": build["parts"]}, bundled_catalogue())
    assert result.verdict.value != "problem", [f for f in result.findings if f.status == "problem"]


def test_every_check_of_the_builds_has_a_rule() -> None:
    """The table maps every check that the builds name."""
    assert {c for b in BUILDS for c in b["checks"]} <= set(RULES)
