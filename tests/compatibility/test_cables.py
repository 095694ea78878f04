"""SlimSAS and MCIO cables: length, redriver, lanes and plugs; what no datum answers is named as not checked."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

SLIMSAS = "riser-slimsas-sff-8654-8i-cable-pcie-gen4"
MCIO = "riser-mcio-sff-ta-1016-8i-cable-pcie-gen5"
HOST4 = "riser-c-payne-slimsas-pcie-gen4-host-adapter-x16-redriver"
DEVICE4 = "riser-c-payne-slimsas-pcie-gen4-device-adapter-x16"
HOST5_PASSIVE = "riser-c-payne-mcio-pcie-gen5-host-adapter-x16-passive"
HOST5_RETIMER = "riser-c-payne-mcio-pcie-gen5-host-adapter-x16-retimer"
DEVICE5 = "riser-mcio-2x8i-to-pcie-x16-device-adapter"


def check(*risers: tuple[str, int] | dict[str, Any]) -> CheckResult:
    """A card on cables."""
    rows = [r if isinstance(r, dict) else {"ref": r[0], "quantity": r[1]} for r in risers]
    parts = {"gpu": [{"ref": "nvidia-rtx-4090-24"}], "riser": rows}
    return check_parts({"parts": parts}, bundled_catalogue())


def of(result: CheckResult, rule: str) -> Finding:
    """The one finding of a rule."""
    (found,) = [f for f in result.findings if f.rule == rule]
    return found


def unknown(result: CheckResult, rule: str) -> set[str]:
    """Fields that a rule lacks."""
    return {field for n in result.not_checked if n.rule == rule for field in n.missing}


def test_a_full_set_is_sound() -> None:
    """Host adapter with redriver, two cables of 75 cm, device adapter."""
    result = check((HOST4, 1), (SLIMSAS, 2), (DEVICE4, 1))
    length = of(result, "pcie.cable_length")
    assert (length.status, length.measured, length.required, length.unit) == (Status.OK, 750, 750, "mm")
    for rule in ("pcie.redriver", "pcie.cable_lanes", "pcie.cable_plugs"):
        assert of(result, rule).status is Status.OK


def test_one_cable_for_sixteen_lanes() -> None:
    """Half of the lanes are missing."""
    lanes = of(check((HOST4, 1), (SLIMSAS, 1), (DEVICE4, 1)), "pcie.cable_lanes")
    assert (lanes.status, lanes.measured, lanes.required) == (Status.WARNING, 8, 16)


def test_a_cable_that_is_too_long() -> None:
    """A metre of SlimSAS at generation 4."""
    cable = {"name": "SlimSAS 8i cable of our own", "riser_type": "cable", "interface": "SlimSAS 8i",
             "pcie_generation": 4, "lanes": 8, "length_mm": 1000, "quantity": 2}  # fmt: skip
    length = of(check((HOST4, 1), cable, (DEVICE4, 1)), "pcie.cable_length")
    assert (length.status, length.measured, length.required) == (Status.WARNING, 1000, 750)


@pytest.mark.parametrize(
    ("field", "lacks"), [("length_mm", "riser.length_mm"), ("pcie_generation", "riser.pcie_generation")]
)
def test_what_the_list_does_not_say_is_not_checked(field: str, lacks: str) -> None:
    """Never passed in silence."""
    cable = {"name": "SlimSAS 8i cable of our own", "riser_type": "cable", "interface": "SlimSAS 8i",
             "pcie_generation": 4, "lanes": 8, "length_mm": 500, "quantity": 2}  # fmt: skip
    del cable[field]
    result = check((HOST4, 1), cable, (DEVICE4, 1))
    assert lacks in unknown(result, "pcie.cable_length")
    assert not [f for f in result.findings if f.rule == "pcie.cable_length"]


def test_how_far_generation_five_reaches_is_not_recorded() -> None:
    """The rule says so instead of taking the figure of generation 4."""
    result = check((HOST5_RETIMER, 1), (MCIO, 2), (DEVICE5, 1))
    assert unknown(result, "pcie.cable_length") == {"riser_mcio_mm (5.0)"}


def test_passive_adapter_at_generation_five() -> None:
    """At risk; one with a retimer is not."""
    assert of(check((HOST5_PASSIVE, 1), (MCIO, 2)), "pcie.redriver").status is Status.WARNING
    assert of(check((HOST5_RETIMER, 1), (MCIO, 2)), "pcie.redriver").status is Status.OK


def test_plugs_of_two_families() -> None:
    """SlimSAS cables do not go into MCIO adapters."""
    assert of(check((HOST5_RETIMER, 1), (SLIMSAS, 2)), "pcie.cable_plugs").status is Status.PROBLEM


def test_a_cable_to_a_drive_is_no_cable_of_a_card() -> None:
    """SlimSAS to U.2."""
    result = check(("riser-slimsas-4i-to-u-2-cable", 1))
    assert not [f for f in result.findings if f.rule.startswith("pcie.cable")]
