"""Room beside the cards, noise by place, board size, offload; and remedies that are parts with a price."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.finding import Finding, Status, with_overrides
from gpuconfig.engine.compatibility.parts_list import check_parts, read_parts
from gpuconfig.engine.compatibility.prices import RegionalPricers
from tests.bundled_catalogue import bundled_catalogue

CASE = {"name": "a case", "max_gpu_length_mm": 420, "expansion_slots": 7, "bays_35": 2, "bays_25": 1}
CARD = {"name": "a card", "length_mm": 340, "slots": 3, "tdp_w": 300, "cooling": "open air"}


def found(rule: str, parts: dict[str, Any], **more: Any) -> list[Finding]:
    """What one rule says of a list."""
    pricers = RegionalPricers(bundled_catalogue())
    result = check_parts({"parts": parts, **more}, bundled_catalogue(), pricers)
    return [f for f in result.findings if f.rule == rule]


@pytest.mark.parametrize(("length", "status"), [(365, Status.OK), (366, Status.WARNING)])
def test_a_radiator_in_front_takes_55_mm(length: float, status: Status) -> None:
    """420 mm become 365 mm, as the source measures."""
    parts = {
        "gpu": [{**CARD, "length_mm": length}],
        "chassis": [CASE],
        "cooler": [{"name": "aio", "radiator_mm": 360}],
    }
    assert [f.status for f in found("mechanics.radiator", parts)] == [status]


@pytest.mark.parametrize(
    ("height", "room", "status"),
    [(31.25, None, Status.OK), (44, 47, Status.OK), (44, 40, Status.PROBLEM), (44, None, None)],
)
def test_memory_under_the_cooler(height: float, room: float | None, status: Status | None) -> None:
    """Bare modules fit always, tall ones by the cooler's room; without that it is not judged."""
    kit = {"name": "kit", "memory_type": "DDR5", "modules": 2, "module_bytes": 2**34, "height_mm": height}
    cooler = {"name": "air", "height_mm": 160, **({} if room is None else {"memory_clearance_mm": room})}
    told = found("mechanics.memory_height", {"gpu": [CARD], "memory": [kit], "cooler": [cooler]})
    assert [f.status for f in told] == ([] if status is None else [status])


@pytest.mark.parametrize(("large", "small", "problems"), [(2, 1, 0), (3, 0, 1), (2, 2, 1), (1, 2, 0)])
def test_drives_and_bays(large: int, small: int, problems: int) -> None:
    """A 2.5-inch drive takes a 3.5-inch bay that is left."""
    drives = [
        {"name": "disk", "form_factor": size, "interface": "SATA", "quantity": count}
        for size, count in (("3.5 inch", large), ("2.5 inch", small))
        if count
    ]
    told = found("storage.places", {"gpu": [CARD], "chassis": [CASE], "drive": drives})
    assert sum(f.status is Status.PROBLEM for f in told) == problems


def test_noise_adds_as_energy() -> None:
    """Twice the same card is 3 dB more in its own share; four blowers are too loud for an office."""
    one = found("cooling.noise", {"gpu": [{**CARD, "noise_dba": 60}]}, noise="lab")[0]
    two = found("cooling.noise", {"gpu": [{**CARD, "noise_dba": 60, "quantity": 2}]}, noise="lab")[0]
    assert (two.measured or 0) - (one.measured or 0) == pytest.approx(3.0, abs=0.05)
    blowers = found("cooling.noise", {"gpu": [{**CARD, "cooling": "blower", "quantity": 4}]}, noise="office")
    assert [f.status for f in blowers] == [Status.WARNING]
    assert not found("cooling.noise", {"gpu": [CARD]})


def test_more_cards_than_a_board_of_the_size_can_have() -> None:
    """Four cards of three slots need position 10; an ATX board has 7, whatever its positions are."""
    board = {"name": "some board", "socket": "AM5", "form_factor": "ATX", "positions_known": False,
             "slots": [{"position": i} for i in (1, 2, 3, 4)]}  # fmt: skip
    told = found("pcie.slots", {"gpu": [{**CARD, "quantity": 4}], "motherboard": [board]})
    assert [(f.status, f.measured, f.required) for f in told] == [(Status.PROBLEM, 7, 10)]


def test_host_memory_short_of_what_the_work_offloads() -> None:
    """96 GiB are there, 120 GiB are asked: a problem, and the kits that would do with their price."""
    parts = {
        "gpu": ["RTX 4090"],
        "motherboard": [{"ref": "board-asus-proart-x870e-creator-wifi"}],
        "memory": [{"ref": "mem-ddr5-dimm-2x48-6000-cmk96gx5m2b6000z30"}],
    }
    build, place = read_parts({"parts": parts}, bundled_catalogue())
    pricer = RegionalPricers(bundled_catalogue()).at(place)
    short = check_build(build, place, bundled_catalogue(), pricer, host_bytes=120 * 2**30)
    told = next(f for f in short.findings if f.rule == "memory.offload")
    assert told.status is Status.PROBLEM
    assert told.remedy is not None
    assert told.remedy.cost is not None
    enough = check_build(build, place, bundled_catalogue(), pricer, host_bytes=60 * 2**30)
    assert next(f for f in enough.findings if f.rule == "memory.offload").status is Status.OK


def test_remedies_mend_what_they_are_for() -> None:
    """The part that a remedy names, put in place, takes the problem away."""
    parts: dict[str, Any] = {
        "gpu": [{"name": "RTX 5090", "quantity": 2}],
        "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}],
        "motherboard": [{"ref": "board-asus-proart-x870e-creator-wifi"}],
        "memory": [{"ref": "mem-ddr5-dimm-2x48-6000-cmk96gx5m2b6000z30"}],
        "power_supply": ["NZXT C1200"],
        "chassis": ["Cooler Master NR200P MAX"],
        "cooler": ["Thermalright Peerless Assassin 120 SE"],
    }
    for _ in range(4):
        result = check_parts({"parts": parts}, bundled_catalogue(), RegionalPricers(bundled_catalogue()))
        problem = next((f for f in result.findings if f.status is Status.PROBLEM), None)
        if problem is None:
            break
        assert problem.remedy is not None, problem.rule
        assert problem.remedy.cost is not None
        for kind, item in problem.remedy.change.items():
            parts[kind] = [{"ref": item}]
    assert result.verdict is not Status.PROBLEM


def test_the_reason_of_an_override_stands_on_its_finding() -> None:
    result = check_parts(
        {"parts": {"gpu": ["RTX 5090"]}, "mains": {"volts": 220, "amps": 1}}, bundled_catalogue()
    )
    told = with_overrides(result, {"power.mains_circuit": "a second circuit is being laid"})
    assert told is not None
    assert {f.overridden for f in told.findings if f.rule == "power.mains_circuit"} == {
        "a second circuit is being laid"
    }


def test_one_default_outlet_and_it_is_told() -> None:
    """Without a word on the place: China's ordinary outlet, named as assumed."""
    result = check_parts({"parts": {"gpu": ["RTX 4090"]}}, bundled_catalogue())
    assert {(a.field, a.value) for a in result.assumptions} == {("region", "CN"), ("mains", "220 V 10 A")}
