"""Public bug reports about builds, turned into parts lists with a known right answer."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from gpuconfig.engine.provenance.errors import InputError
from tests.bundled_catalogue import bundled_catalogue


def judged(parts: dict[str, Any], **more: Any) -> CheckResult:
    """The check of one list."""
    return check_parts({"parts": parts, **more}, bundled_catalogue())


def flagged(result: CheckResult) -> set[str]:
    """Rules that warn or see a problem."""
    return {f.rule for f in result.findings if f.status in (Status.WARNING, Status.PROBLEM)}


def test_bc03_external_link() -> None:
    """A 575 W card on OCuLink x4 is told as a stability risk."""
    result = judged({"gpu": [{"name": "RTX 5090"}], "interconnect": [{"name": "OCuLink PCIe 4.0 x4"}]})
    assert "pcie.external" in flagged(result)


def test_bc04_chipset_slot() -> None:
    """Three links that all say x8: the one behind the chipset is told."""
    links = [
        {"gpu": i, "generation": 4, "lanes": 8, "via": via} for i, via in enumerate(("chipset", "cpu", "cpu"))
    ]
    result = judged({"gpu": [{"name": "RTX 3090", "quantity": 3}]}, links=links)
    assert "pcie.chipset_slot" in flagged(result)
    assert "pcie.chipset_slot" not in flagged(judged({"gpu": [{"name": "RTX 3090", "quantity": 3}]}, links=[
        {"generation": 4, "lanes": 8, "via": "cpu"}]))  # fmt: skip


def test_bc05_riser_reading() -> None:
    """A 4090 behind a riser that reads generation 1: the riser's generation, or idle power saving."""
    result = judged(
        {"gpu": [{"name": "RTX 4090"}]}, links=[{"gpu": 0, "generation": 1, "lanes": 16, "via": "riser"}]
    )
    assert "pcie.link_reading" in flagged(result)


def test_bc07_no_usable_headroom() -> None:
    """Four RTX 3090 at 300 W and a workstation host on 1600 W: flagged; 1717 W at the wall are 1580 W inside."""
    parts = {
        "gpu": [{"name": "RTX 3090", "quantity": 4, "power_limit_w": 300, "cooling": "blower", "slots": 2}],
        "cpu": [{"name": "Xeon W-2255", "tdp_w": 165}],
        "power_supply": [{"name": "1600 W", "rated_w": 1600}],
    }
    result = judged(parts)
    assert "power.continuous" in flagged(result)
    assert pytest.approx(1580, rel=0.02) == 1717 * 0.92


def test_bc09_wall_power() -> None:
    """Two cards of 245 W, a 190 W processor and 100 W of rest behind 88 % efficiency are about 896 W at the wall."""
    parts = {
        "gpu": [{"name": "RTX 3090", "quantity": 2, "power_limit_w": 245}],
        "cpu": [{"name": "Threadripper 2950X", "tdp_w": 190}],
        "power_supply": [{"name": "1200 W", "rated_w": 1200}],
    }
    result = judged(parts, mains={"volts": 120, "amps": 15})
    inside = 2 * 245 + 190 + 100
    assert inside / 0.88 == pytest.approx(896, rel=0.03)
    assert result.power["wall_w"] == pytest.approx(896, rel=0.1)
    assert result.power["circuit_w"] == pytest.approx(1440)
    assert result.verdict is Status.OK


def test_bc12_passive_card_in_a_tower() -> None:
    """A Tesla P40 in a desktop tower needs forced air."""
    result = judged({"gpu": [{"name": "Tesla P40"}], "chassis": [{"name": "Fractal Design Define 7"}]})
    told = [f for f in result.findings if f.rule == "cooling.passive_card"]
    assert told
    assert told[0].status is Status.PROBLEM
    assert "loud" in str(told[0].message)


def test_the_cap_that_helps_weak_blowers_is_what_each_carries_off() -> None:
    parts = {
        "gpu": [{"name": "Tesla P40", "quantity": 2}],
        "cooler": [{"name": "P40 cooling shroud with blower", "quantity": 2, "cooling_w": 210}],
    }
    (told,) = [f for f in judged(parts).findings if f.rule == "cooling.passive_card"]
    assert (told.status, told.measured, told.required) == (Status.WARNING, 210, 250)
    assert told.remedy is not None
    assert told.remedy.change == {"power_limit_w": 210}


@pytest.mark.parametrize(("room", "status"), [(330, Status.WARNING), (322, Status.PROBLEM), (360, Status.OK)])
def test_bc15_length_without_margin(room: float, status: Status) -> None:
    """330 mm in 330 mm is a warning, not "330 > 330"; 322 mm is too short."""
    parts = {
        "gpu": [{"name": "some 5090", "length_mm": 330, "slots": 3.5, "tdp_w": 575}],
        "chassis": [{"name": "a case", "max_gpu_length_mm": room, "expansion_slots": 7}],
    }
    told = [f for f in judged(parts).findings if f.rule == "mechanics.card_length"]
    assert [f.status for f in told] == [status]


def test_bc21_one_lane_risers() -> None:
    """x1 links are unusable for shared work, and 16 GB of host memory is far below 96 GB on the cards."""
    parts = {
        "gpu": [{"name": "RTX 3090", "quantity": 4}],
        "motherboard": [{"name": "ASRock H510 Pro BTC+"}],
        "memory": [{"name": "16 GB DDR4"}],
        "interconnect": [{"name": "PCIe 3.0 x1 per GPU"}],
    }
    assert {"pcie.lane_width", "memory.ram_vs_vram"} <= flagged(judged(parts))
    better = {**parts, "motherboard": [{"name": "ROMED8-2T"}], "interconnect": [{"name": "4.0 x16"}]}
    assert "pcie.lane_width" not in flagged(judged(better))


def test_unlisted_parts_leave_a_whole_machine_unknown() -> None:
    """Seven parts of which the card is in no catalogue: unknown, with the fields that are missing."""
    parts = {
        "gpu": [{"name": "Foocard 9000"}],
        "cpu": [{"ref": "cpu-amd-ryzen-5-9600x"}],
        "motherboard": [{"ref": "board-msi-pro-b850m-p"}],
        "memory": [{"ref": "mem-ddr5-dimm-2x16-5600-cmk32gx5m2b5600c36"}],
        "power_supply": [{"name": "NZXT C1200"}],
        "chassis": [{"name": "Fractal Design Define 7"}],
        "cooler": [{"ref": "cooler-thermalright-peerless-assassin-120-se"}],
    }
    result = judged(parts)
    assert result.verdict is Status.UNKNOWN
    lacking = {field for n in result.not_checked for field in n.missing}
    assert {"foocard-9000.tdp_w", "foocard-9000.length_mm", "foocard-9000.power_connectors"} <= lacking
    listed = {**parts, "gpu": [{"name": "RTX 5070 Ti"}]}
    assert judged(listed).verdict is not Status.UNKNOWN


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"parts": {"gpus": []}}, "parts.gpus"),
        ({"parts": {"gpu": [{"name": "RTX 4090", "colour": "red"}]}}, "parts.gpu[0].colour"),
        ({"parts": {"gpu": [{"name": "RTX 4090", "quantity": 0}]}}, "parts.gpu[0].quantity"),
        ({"part": {}}, "part"),
        ({"parts": {}, "links": [{"lanes": 99}]}, "links[0].lanes"),
        ({"parts": {"gpu": [{"ref": "nvidia-rtx-4091"}]}}, "parts.gpu[0].ref"),
        ({"parts": {}, "region": "XX"}, "region"),
    ],
)
def test_bad_lists_name_the_field(document: object, field: str) -> None:
    """Nothing is ignored, nothing is guessed."""
    with pytest.raises(InputError) as error:
        check_parts(document, bundled_catalogue())
    assert error.value.field == field


def test_watts_in_the_name_of_a_supply() -> None:
    """A supply outside the catalogue that says its watts in its name is judged by them."""
    named = judged(
        {"gpu": ["RTX 4090"], "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}], "psu": ["Nobody 500 W Bronze"]}
    )
    assert "power.continuous" in flagged(named)
    silent = judged(
        {"gpu": ["RTX 4090"], "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}], "psu": ["Nobody Bronze"]}
    )
    assert ("power.continuous", ("power_supply.rated_w",)) in {
        (n.rule, n.missing) for n in silent.not_checked
    }
