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


@pytest.mark.parametrize(("listed", "status"), [(0, Status.WARNING), (1, Status.WARNING), (3, Status.OK)])
def test_adapters_to_eps_sockets_are_counted(listed: int, status: Status) -> None:
    """Four P40 on a supply with one EPS plug to spare: three adapters."""
    parts: dict[str, Any] = {
        "gpu": [{"name": "Tesla P40", "quantity": 4}],
        "cpu": [{"name": "AMD EPYC 7302P"}],
        "power_supply": [{"name": "a supply", "rated_w": 2000, "eps_8": 2, "pcie_6plus2": 8, "pcie_16": 0}],
        "cable": [{"name": "cable-eps-adapter-2x8-pin", "quantity": listed}] if listed else [],
    }
    result = check_parts({"parts": parts}, bundled_catalogue())
    (finding,) = (f for f in result.findings if f.rule == "power.card_adapters")
    assert (finding.status, finding.measured, finding.required) == (status, listed, 3)
