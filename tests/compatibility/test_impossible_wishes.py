"""Wishes that no case or board can hold end in the rule that forbids them, and what is unknown is never fine."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

WIDE = {"name": "RTX 4090", "quantity": 8, "slots": 3.5}
BOARD = {"name": "ATX board", "form_factor": "ATX"}
CASE = {"name": "ATX case", "form_factor": "ATX"}


def judged(region: str = "EU", **parts: Any) -> CheckResult:
    """A list with one part of each kind."""
    listed = {kind: [part] for kind, part in parts.items()}
    return check_parts({"region": region, "parts": listed}, bundled_catalogue())


def status(result: CheckResult, rule: str) -> Status | None:
    """What a rule says; None where it says nothing."""
    return next((f.status for f in result.findings if f.rule == rule), None)


@pytest.mark.parametrize("region", ["EU", "US", "CN"])
def test_eight_wide_cards_in_an_atx_case(region: str) -> None:
    """32 brackets: neither the board nor the case has them, in every region."""
    result = judged(region, gpu=WIDE, motherboard=BOARD, chassis=CASE)
    assert result.verdict is Status.PROBLEM
    assert status(result, "pcie.slots") is Status.PROBLEM
    assert status(result, "mechanics.case_brackets") is Status.PROBLEM


@pytest.mark.parametrize(
    ("form", "cards", "expected"),
    [
        ("ATX", 2, None), ("ATX", 3, Status.PROBLEM), ("ATX Full Tower", 2, None),
        ("Mini-ITX", 1, Status.PROBLEM), ("Micro-ATX", 2, Status.PROBLEM), ("open frame", 8, None), ("", 8, None),
    ],
)  # fmt: skip
def test_the_form_of_a_case_bounds_its_brackets(form: str, cards: int, expected: Status | None) -> None:
    """Only what no case of the form can hold is a problem; what may fit stays not checked."""
    result = judged(gpu={**WIDE, "quantity": cards}, chassis={"name": "own box", "form_factor": form})
    assert status(result, "mechanics.case_brackets") is expected
    lacking = ("chassis.expansion_slots",) in [n.missing for n in result.not_checked]
    assert lacking is (expected is None and form != "open frame")


@pytest.mark.parametrize(("cards", "expected"), [(2, None), (3, Status.PROBLEM)])
def test_the_size_of_a_board_bounds_its_cards(cards: int, expected: Status | None) -> None:
    """No slot recorded: a third card of four brackets would need position 9 of a board that ends at 7."""
    result = judged(gpu={**WIDE, "quantity": cards}, motherboard=BOARD)
    assert status(result, "pcie.slots") is expected
    lacking = [n.missing for n in result.not_checked if n.rule == "pcie.slots"]
    assert lacking == ([("motherboard.slots",)] if expected is None else [])


@pytest.mark.parametrize("region", ["EU", "CN"])
def test_an_export_note_is_no_judgement(region: str) -> None:
    """A card alone: nothing says that it fits anything."""
    assert judged(region, gpu={"name": "RTX 4090"}).verdict is Status.UNKNOWN
    assert judged(region, gpu=WIDE, motherboard={"name": "own board"}).verdict is Status.UNKNOWN
