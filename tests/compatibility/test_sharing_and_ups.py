"""M.2 sockets that take lanes from cards, and how long a UPS carries the machine."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue


def told(result: CheckResult, rule: str) -> Finding:
    (found,) = [f for f in result.findings if f.rule == rule]
    return found


def checked(**parts: Any) -> CheckResult:
    whole = {"gpu": [{"ref": "RTX 5090"}], **{kind: [entry] for kind, entry in parts.items()}}
    return check_parts({"parts": whole}, bundled_catalogue())


@pytest.mark.parametrize(("drives", "status"), [(1, Status.OK), (3, Status.OK), (4, Status.WARNING)])
def test_sockets_without_shared_lanes_come_first(drives: int, status: Status) -> None:
    """The board has four sockets of which one takes lanes from the second slot."""
    drive = {"name": "own", "form_factor": "M.2", "nvme": True, "quantity": drives}
    found = told(
        checked(motherboard={"ref": "board-asus-proart-x870e-creator-wifi"}, drive=drive), "pcie.m2_sharing"
    )
    assert found.status is status
    assert (found.measured, found.required) == (drives, 3)


def test_a_board_without_a_record_is_not_passed() -> None:
    drive = {"name": "own", "form_factor": "M.2", "nvme": True}
    result = checked(motherboard={"ref": "board-asrock-rack-romed8-2t"}, drive=drive)
    assert [n.missing for n in result.not_checked if n.rule == "pcie.m2_sharing"] == [
        ("motherboard.conflicts",)
    ]


def test_run_time_falls_with_the_load() -> None:
    minutes = []
    for watts in (800, 1200, 2400):
        found = told(checked(ups={"name": "own", "va": 3000, "watts": watts}), "power.ups_runtime")
        minutes.append(found.measured)
        assert found.status is (Status.OK if (found.measured or 0) >= 5 else Status.WARNING)
    assert minutes == sorted(minutes)
    weak = told(checked(ups={"name": "own", "va": 3000, "watts": 400}), "power.ups_runtime")
    assert weak.status is Status.PROBLEM
