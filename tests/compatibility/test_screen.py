"""Who shows a picture beside cards without an output."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue


def told(card: str, cpu: str, board: str) -> list[Finding]:
    """What the rule says of three parts."""
    parts: dict[str, Any] = {
        "gpu": [{"name": card}],
        "cpu": [{"name": cpu}],
        "motherboard": [{"name": board}],
    }
    result = check_parts({"parts": parts}, bundled_catalogue())
    return [f for f in result.findings if f.rule == "host.display"]


@pytest.mark.parametrize(
    ("cpu", "board", "status"),
    [
        ("AMD Ryzen 5 5600", "MSI B450M Mortar", Status.WARNING),
        ("AMD Ryzen 5 5600GT", "MSI B450M Mortar", Status.OK),
        ("Intel Core i5-12400F", "MSI B760M Bomber WiFi DDR4", Status.WARNING),
        ("Intel Core i5-13600K", "MSI B760M Bomber WiFi DDR4", Status.OK),
        ("Intel Xeon E5-2680 v4", "Huananzhi X99-F8", Status.WARNING),
        ("AMD EPYC 7302P", "Supermicro H12SSL-i", Status.OK),
    ],
)
def test_somebody_shows_the_picture(cpu: str, board: str, status: Status) -> None:
    """Management of the board, graphics of the processor, or a card for the screen that the list lacks."""
    (finding,) = told("Tesla P40", cpu, board)
    assert finding.status is status
    assert (finding.remedy is not None) == (status is Status.WARNING)


def test_a_card_with_outputs_needs_nobody() -> None:
    assert told("RTX 4090", "AMD Ryzen 5 5600", "MSI B450M Mortar") == []
