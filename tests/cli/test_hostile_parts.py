"""Hostile parts lists and papers: the message names the field as it can be shown, and what would be accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.test_hostile_input import strict

LORA = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "lora"},
    "constraints": {"accelerators": ["nvidia-rtx-4090-24"], "gpu_count": 1, "condition": "used_ok"},
    "options": 1,
}
PARTS = {"parts": {"gpu": [{"name": "RTX 4090", "tdp_w": 450}], "psu": [{"name": "1600 W"}]}}


@pytest.mark.parametrize(
    ("command", "request_", "field"),
    [
        ("check", {**PARTS, "": 1}, '""'),
        ("check", {**PARTS, "x" * 6000: 1}, "x" * 80),
        ("check", {"parts": {"gpu": [{"name": "RTX 4090", "\ud800\n\x1b[31m": 1}]}}, r"parts.gpu[0].\ud800\n\x1b[31m"),
        ("check", {"parts": {"gpu": [{"name": "RTX 4090", "origin": "x"}]}}, "parts.gpu[0].origin"),
        ("recommend", {"\ud800": 1}, r"\ud800"),
        ("tco", {"名" * 6000: 1}, "名" * 80),
    ],
)  # fmt: skip
def test_a_field_nobody_reads_is_named_as_it_can_be_shown(
    gpuconfig: Callable[..., Any], command: str, request_: Any, field: str
) -> None:
    run = gpuconfig(command, "-", "--json", lines=[request_])
    error = strict(run.out)["error"]
    assert (run.code, error["code"], error["field"]) == (3, "unknown_field", field)
    assert field in error["message"]
    assert len(error["message"]) < 1500


@pytest.mark.parametrize(
    ("kind", "name", "value", "needed"),
    [
        ("gpu", "tdp_w", "450 W", "a number is needed (given: '450 W'; accepted: a number from 1 to 1,000,000)"),
        ("gpu", "brand", ["x"], "a text is needed"),
        ("gpu", "aliases", [1], "a list of texts is needed"),
        ("psu", "redundant", "x", "true or false is needed"),
    ],
)  # fmt: skip
def test_a_figure_of_the_wrong_kind_is_told_which_is_needed(
    gpuconfig: Callable[..., Any], kind: str, name: str, value: Any, needed: str
) -> None:
    run = gpuconfig("check", "-", "--json", request={"parts": {kind: [{"name": "own", name: value}]}})
    error = run.json["error"]
    assert (run.code, error["code"], error["field"]) == (3, "wrong_type", f"parts.{kind}[0].{name}")
    assert needed in error["message"]


@pytest.mark.parametrize("value", [["x"], {"a": 1}, float("nan")])
def test_what_a_paper_would_print_is_a_text(gpuconfig: Callable[..., Any], tmp_path: Any, value: Any) -> None:
    path = tmp_path / "paper.md"
    words = ("document", "-", "--json", "--output", str(path))
    run = gpuconfig(*words, request={**LORA, "organisation": {"name": value}})
    assert (run.code, run.json["error"]["field"]) == (3, "organisation.name")
    assert not path.exists()


def test_null_in_a_paper_is_not_given(gpuconfig: Callable[..., Any], tmp_path: Any) -> None:
    path = tmp_path / "paper.md"
    organisation = {"name": None, "contact": 10086}
    words = ("document", "-", "--document", "requisition", "--output", str(path))
    assert gpuconfig(*words, request={**LORA, "organisation": organisation}).code == 0
    text = path.read_text(encoding="utf-8")
    assert "None" not in text
    assert "10086" in text


def test_a_list_longer_than_any_machine_is_refused_at_once(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("check", "-", "--json", request={"parts": {"gpu": ["RTX 4090"] * 1025}})
    assert (run.code, run.json["error"]["field"]) == (3, "parts.gpu.length")
