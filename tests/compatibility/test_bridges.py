"""NVLink bridges: two equal cards that they are made for, at their distance, in the number that a pair takes."""

from __future__ import annotations

import pytest

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from tests.bundled_catalogue import bundled_catalogue

RTX_3090, A6000, A100, H100 = (
    "nvidia-rtx-3090-24",
    "nvidia-rtx-a6000-48",
    "nvidia-a100-pcie-80",
    "nvidia-h100-pcie-80",
)
TWO, THREE = "nvlink-nvlink-bridge-2-slot-rtx-a6000-a5000-3090", "nvlink-nvlink-bridge-3-slot-rtx-a6000-3090"
FOR_A100 = "nvlink-nvlink-bridge-for-a100-pcie-one-of-three"
AM5, WRX90 = "board-asus-proart-x870e-creator-wifi", "board-asus-pro-ws-wrx90e-sage-se"


def build(cards: dict[str, int], bridge: str, count: int = 1, board: str | None = None) -> Build:
    catalogue = bundled_catalogue()
    lines = [
        BomLine(kind=Kind.ACCELERATOR, item=catalogue.accelerator(c), quantity=n) for c, n in cards.items()
    ]
    item = next(b for b in catalogue.bridges() if b.id == bridge)
    lines.append(BomLine(kind=Kind.BRIDGE, item=item, quantity=count))
    if board is not None:
        lines.append(
            BomLine(kind=Kind.MOTHERBOARD, item=next(b for b in catalogue.motherboards() if b.id == board))
        )
    return Build(lines=tuple(lines))


def told(*args: object, **more: object) -> Finding:
    result = check_build(build(*args, **more), Environment(), bundled_catalogue())  # type: ignore[arg-type]
    (finding,) = (f for f in result.findings if f.rule == "pcie.nvlink_bridge")
    return finding


@pytest.mark.parametrize(
    ("cards", "bridge", "count", "status"),
    [
        ({RTX_3090: 2}, THREE, 1, Status.OK),
        ({RTX_3090: 1}, THREE, 1, Status.PROBLEM),
        ({RTX_3090: 1, A6000: 1}, THREE, 1, Status.PROBLEM),
        ({RTX_3090: 3}, THREE, 1, Status.WARNING),
        ({RTX_3090: 4}, THREE, 2, Status.WARNING),
        ({RTX_3090: 2}, THREE, 2, Status.WARNING),
        ({A100: 2}, FOR_A100, 3, Status.OK),
        ({A100: 2}, FOR_A100, 1, Status.PROBLEM),
        ({H100: 2}, FOR_A100, 3, Status.PROBLEM),
        ({"nvidia-rtx-4090-24": 2}, THREE, 1, Status.PROBLEM),
        ({"nvidia-a40-48": 2}, "nvlink-nvlink-bridge-for-a30-a40", 1, Status.OK),
    ],
)  # fmt: skip
def test_pairs_and_numbers(cards: dict[str, int], bridge: str, count: int, status: Status) -> None:
    assert told(cards, bridge, count).status is status


def test_two_of_three_bridges_are_told_with_what_a_pair_takes() -> None:
    finding = told({A100: 2}, FOR_A100, 2)
    assert (finding.measured, finding.required) == (2, 3)


@pytest.mark.parametrize(("bridge", "status"), [(TWO, Status.PROBLEM), (THREE, Status.OK)])
def test_the_span_is_the_distance_of_the_cards(bridge: str, status: Status) -> None:
    """This board's two wide slots lie three apart."""
    assert told({RTX_3090: 2}, bridge, board=AM5).status is status


def test_no_sentence_is_left_empty() -> None:
    text = told({RTX_3090: 1}, THREE, board=AM5).message
    assert "{" not in text.text.format(**text.values)
    assert "  " not in text.text.format(**text.values)


@pytest.mark.parametrize(("count", "linked"), [(2, True), (3, False)])
def test_a_bridge_links_two_cards_and_no_more(count: int, linked: bool) -> None:
    numbers = CoefficientSet.of(bundled_catalogue().coefficients("rules"))
    assert Machine(build({RTX_3090: count}, THREE), Environment(), numbers).is_linked is linked
