"""Risers are counted against the cards that need one, and against the slots and lanes they take."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

RIBBON = "riser-linkup-pcie-4-0-x16-riser-cable-250-mm"
HOST = "riser-slimsas-host-adapter-x16-passive"
END = "riser-slimsas-device-adapter-x8"
TOWER = "case-fractal-design-define-7-xl-atx-full-tower-dark-tinted"
FRAME = "case-open-frame-12-cards-two-levels"
BOARD = "board-asus-proart-x870e-creator-wifi"
"""Three slots of 16 lanes in size: two of the processor, one of the chipset."""
LANES = ("pcie.lane_width", "pcie.cpu_lanes", "pcie.generation")


def judged(cards: int, *risers: dict[str, Any], case: str = FRAME, **more: Any) -> CheckResult:
    """Cards of two slots on a desktop board."""
    parts: dict[str, Any] = {
        "gpu": [{"ref": "nvidia-rtx-pro-6000-maxq", "quantity": cards}],
        "motherboard": [{"ref": BOARD}],
        "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}],
        "chassis": [{"ref": case}],
        **({"riser": list(risers)} if risers else {}),
        **more,
    }
    return check_parts({"region": "EU", "parts": parts}, bundled_catalogue())


def status(result: CheckResult, rule: str) -> Status | None:
    """What a rule says; None where it says nothing."""
    return next((f.status for f in result.findings if f.rule == rule), None)


@pytest.mark.parametrize(
    ("cards", "risers", "expected"),
    [
        (8, 1, Status.PROBLEM), (8, 8, Status.PROBLEM), (4, 4, Status.PROBLEM), (4, 1, Status.PROBLEM),
        (3, 3, Status.OK), (2, 1, Status.OK), (2, 2, Status.OK), (1, 1, Status.OK),
    ],
)  # fmt: skip
def test_each_riser_takes_a_slot(cards: int, risers: int, expected: Status) -> None:
    """A ribbon moves a card; it gives the board no slot that it has not."""
    result = judged(cards, {"ref": RIBBON, "quantity": risers})
    assert status(result, "pcie.slots") is expected
    assert (result.verdict is Status.PROBLEM) is (expected is Status.PROBLEM)


@pytest.mark.parametrize("cards", [2, 3, 8])
def test_lanes_are_judged_or_named(cards: int) -> None:
    """With risers as without: the rules of lanes answer, or say what they lack."""
    result = judged(cards, {"ref": RIBBON, "quantity": cards})
    answered = {f.rule for f in result.findings} | {n.rule for n in result.not_checked}
    assert set(LANES) <= answered


def test_the_third_card_hangs_behind_the_chipset() -> None:
    """The link of a carried card is that of its slot."""
    result = judged(3, {"ref": RIBBON, "quantity": 3})
    assert status(result, "pcie.chipset_slot") is Status.WARNING
    assert status(result, "pcie.lane_width") is not Status.OK


@pytest.mark.parametrize(
    ("part", "number", "cards", "expected"),
    [
        (HOST, 1, 4, Status.OK), (HOST, 2, 8, Status.OK), (HOST, 1, 8, Status.PROBLEM),
        ("riser-c-payne-pm40100-pcie-gen4-switch-board-100-lanes", 1, 8, Status.OK),
    ],
)  # fmt: skip
def test_only_listed_parts_multiply_slots(part: str, number: int, cards: int, expected: Status) -> None:
    """Two slots beside one host adapter of four cards end at six."""
    ends = {"ref": END, "quantity": cards}
    assert status(judged(cards, {"ref": part, "quantity": number}, ends), "pcie.slots") is expected
    assert status(judged(cards, ends), "pcie.slots") is (Status.OK if cards <= 3 else Status.PROBLEM)


def test_a_splitter_by_name_feeds_four() -> None:
    """Two slots and a splitter: six cards, not eight."""
    splitter = {"name": "PCIe x16 to 4x x4 bifurcation splitter"}
    assert status(judged(6, splitter), "pcie.slots") is Status.OK
    assert status(judged(8, splitter), "pcie.slots") is Status.PROBLEM


@pytest.mark.parametrize(
    ("cards", "expected"), [(3, Status.OK), (8, Status.PROBLEM)]
)  # fmt: skip
def test_a_remark_gives_no_slots_either(cards: int, expected: Status) -> None:
    """Words that name risers leave their number open, not that of the slots."""
    result = judged(cards, interconnect=[{"name": "PCIe 4.0 risers"}])
    assert status(result, "pcie.slots") is expected


def test_cards_on_risers_need_brackets_of_a_closed_case() -> None:
    """Eight cards of two slots in a tower: no riser makes it larger."""
    carried = judged(8, {"ref": RIBBON, "quantity": 8}, case=TOWER)
    told = {f.rule: f.status for f in carried.findings}
    lacking = {n.rule: n.missing for n in carried.not_checked}
    assert (
        told.get("mechanics.case_brackets") is Status.PROBLEM
        or lacking.get("mechanics.case_brackets") == ("chassis.vertical_slots",)
    )  # fmt: skip
    assert (
        status(judged(2, {"ref": RIBBON, "quantity": 2}, case=TOWER), "mechanics.case_brackets") is Status.OK
    )


@pytest.mark.parametrize(("upright", "expected"), [(0, Status.PROBLEM), (3, Status.PROBLEM), (9, Status.OK)])
def test_upright_brackets_count(upright: int, expected: Status) -> None:
    """Sixteen brackets for eight cards of two."""
    case = {
        "name": "own tower",
        "form_factor": "ATX Full Tower",
        "expansion_slots": 9,
        "vertical_slots": upright,
    }
    result = judged(8, {"ref": RIBBON, "quantity": 8}, chassis=[case])
    assert status(result, "mechanics.case_brackets") is expected
