"""The page of checked claims: complete, equal in both languages, and in agreement with the catalogue."""

import re

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.vocabulary import Precision

ROW = re.compile(r"^\| ((?:C[014]|X)-\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
VERDICTS = {
    "right": "正确", "wrong": "错误", "partly right": "部分正确", "out of date": "已过时",
    "not verifiable": "无法核实", "impossible": "不可能", "missing": "遗漏",
}  # fmt: skip


def rows(language):
    text = (paths.resources() / "help" / f"claims.{language}.md").read_text(encoding="utf-8")
    return {match[0]: match[1:] for match in ROW.findall(text)}


def test_every_claim_is_answered_once_in_both_languages():
    english, chinese = rows("en"), rows("zh")
    assert list(english) == list(chinese)
    counts = {prefix: sum(i.startswith(prefix) for i in english) for prefix in ("C0", "C1", "C4", "X")}
    assert counts == {"C0": 70, "C1": 10, "C4": 106, "X": 22}
    for claim, (_, verdict, _, _) in english.items():
        assert chinese[claim][1] == VERDICTS[verdict], claim


@pytest.mark.parametrize(
    ("claim", "card", "value"),
    [
        ("C4-09", "nvidia-rtx-3090-24", 936), ("C4-42", "nvidia-a100-pcie-40", 1555),
        ("C4-63", "intel-flex-170-16", 512),
    ],
)  # fmt: skip
def test_right_bandwidths_are_those_of_the_catalogue(catalogue, claim, card, value):
    assert str(value) in rows("en")[claim][2]
    assert catalogue.accelerator(card).bandwidth_bytes_per_s == value * 1e9


def test_right_rate_of_the_4090_is_that_of_the_catalogue(catalogue):
    assert "165.2" in rows("en")["C0-18"][2]
    assert catalogue.accelerator("nvidia-rtx-4090-24").peak_flops(Precision.FP16) == pytest.approx(165.2e12)


def test_glossaries_have_the_same_terms():
    pages = [
        (paths.resources() / "help" / f"glossary.{language}.md").read_text(encoding="utf-8")
        for language in ("en", "zh")
    ]
    assert (
        len(re.findall(r"^\*\*", pages[0], re.MULTILINE))
        == len(re.findall(r"^\*\*", pages[1], re.MULTILINE))
        >= 30
    )
