"""A list of which nothing is judged is unknown, although advice holds for every machine."""

from __future__ import annotations

from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue


def test_cards_in_an_unknown_case_are_not_ok() -> None:
    parts = {"gpu": [{"name": "RTX 5090", "quantity": 8}], "chassis": [{"name": "4U 8-card"}]}
    result = check_parts({"parts": parts}, bundled_catalogue())
    assert result.verdict is Status.UNKNOWN
    assert {n.rule for n in result.not_checked} >= {"power.continuous", "power.connectors", "pcie.slots"}
