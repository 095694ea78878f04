"""Figures of the research that bind: thin air, inlet of fast networks, plugs of processors, labels of supplies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

CARD = {"name": "a card", "length_mm": 300, "slots": 2, "tdp_w": 300, "cooling": "blower"}


def found(rule: str, parts: dict[str, Any], **more: Any) -> list[Finding]:
    """What one rule says of a list."""
    result = check_parts({"parts": parts, **more}, bundled_catalogue())
    return [f for f in result.findings if f.rule == rule]


@pytest.mark.parametrize(
    ("metres", "share"), [(610, 0.93), (1219, 0.86), (1524, 0.83), (1829, 0.80), (2438, 0.74), (3048, 0.69)]
)
def test_thin_air_follows_its_table(metres: float, share: float) -> None:
    """2,000 to 10,000 feet as the sheet has them, straight between."""
    (told,) = found("cooling.altitude", {"gpu": [CARD]}, altitude_m=metres)
    assert told.measured == pytest.approx(share, abs=1e-9)
    assert told.status is (Status.WARNING if share < 0.85 else Status.OK)


def test_air_is_thinner_beyond_the_table() -> None:
    (told,) = found("cooling.altitude", {"gpu": [CARD]}, altitude_m=4267)
    assert told.measured == pytest.approx(0.69 - 2 * 0.05, abs=0.001)


@pytest.mark.parametrize(
    ("nic", "cable", "limit"),
    [
        ("nic-intel-e810-cqda2-2x100gbe", None, 35),
        ("nic-qnap-qxg-10g1t-1x10gbase-t", None, 45),
        ("nic-intel-e810-cqda2-2x100gbe", "AOC", 30),
    ],
)
def test_fast_networks_want_cool_air(nic: str, cable: str | None, limit: float) -> None:
    """A server that bears 45 C bears 35 with cards of 100 GbE and 30 with optical cables."""
    catalogue = bundled_catalogue()
    server = replace(next(s for s in catalogue.servers() if s.max_inlet_c is None), max_inlet_c=45.0)
    lines = (
        BomLine(kind=Kind.SERVER, item=server),
        BomLine(kind=Kind.NIC, item=next(n for n in catalogue.nics() if n.id == nic)),
    )
    one = catalogue.cables()[0]
    shared = () if cable is None else (BomLine(kind=Kind.CABLE, item=replace(one, cable_type=cable)),)
    result = check_build(Build(lines=lines, shared=shared), Environment(ambient_c=25), catalogue)
    (told,) = (f for f in result.findings if f.rule == "cooling.ambient")
    assert told.required == limit


@pytest.mark.parametrize(("watts", "status"), [(599, Status.OK), (601, Status.WARNING)])
def test_processors_within_their_plugs(watts: float, status: Status) -> None:
    """300 W through each EPS plug."""
    parts = {
        "gpu": [CARD],
        "cpu": [{"name": "a processor", "socket": "sTR5", "tdp_w": watts, "cores": 64}],
        "motherboard": [{"name": "a board", "socket": "sTR5", "eps_8": 2}],
        "power_supply": [{"name": "a supply", "rated_w": 2000, "eps_8": 2}],
    }
    (told,) = found("power.board_sockets", parts)
    assert told.status is status


@pytest.mark.parametrize(("plugs", "allowed"), [(1, 2000), (0, 1360)])
def test_the_label_of_atx_3_without_its_plug(plugs: int, allowed: float) -> None:
    """A supply without a 16-pin plug passed the weaker test only: it counts as ATX 2."""
    supply = {"name": "a supply", "rated_w": 1000, "atx_version": "3.1", "pcie_16": plugs, "pcie_6plus2": 6}
    (told,) = found("power.transient", {"gpu": [CARD], "power_supply": [supply]})
    assert told.required == allowed


def test_two_sockets_share_160_lanes() -> None:
    """Not twice 128: the link between the processors takes the others."""
    slots = [{"position": i, "physical_lanes": 16, "electrical_lanes": 16, "generation": 5, "source": "cpu"}
             for i in range(1, 12)]  # fmt: skip
    board = {"name": "a board", "socket": "SP5", "cpu_sockets": 2, "slots": slots, "positions_known": True}
    cpu = {
        "name": "a processor",
        "socket": "SP5",
        "tdp_w": 200,
        "cores": 16,
        "pcie_lanes": 128,
        "quantity": 2,
    }
    eleven = {"gpu": [{**CARD, "slots": 1, "quantity": 11}], "cpu": [cpu], "motherboard": [board]}
    (told,) = found("pcie.cpu_lanes", eleven)
    assert (told.status, told.measured, told.required) == (Status.WARNING, 176, 160)


def test_a_blower_behind_the_card_is_told() -> None:
    """The length is that of both, and the sentence says so."""
    parts = {
        "gpu": [{"name": "Tesla P40", "length_mm": 267, "slots": 2, "tdp_w": 250, "cooling": "passive"}],
        "cooler": [{"name": "P40 cooling shroud with blower", "height_mm": 110, "cooling_w": 260}],
        "chassis": [{"name": "a case", "max_gpu_length_mm": 400, "expansion_slots": 7}],
    }
    (told,) = found("mechanics.card_length", parts)
    assert (told.status, told.measured) == (Status.OK, 377)
    assert told.message.values["behind"] == 110


def test_places_of_a_case_answer_for_a_second_supply() -> None:
    """What is recorded is not asked for again."""
    case = {"name": "Fractal Design Define 7 XL", "psu_places": 2}
    parts = {
        "gpu": [CARD],
        "power_supply": [{"name": "1600 W", "rated_w": 1600, "quantity": 2}],
        "chassis": [case],
    }
    result = check_parts({"parts": parts}, bundled_catalogue())
    assert ("chassis.psu_places",) not in [n.missing for n in result.not_checked]


def test_a_cap_is_told() -> None:
    """It is not kept by the card when the machine is switched off."""
    (told,) = found("power.cap", {"gpu": [{"name": "RTX 3090", "power_limit_w": 280, "quantity": 4}]})
    assert (told.status, told.measured, told.required) == (Status.OK, 280, 350)
    assert not found("power.cap", {"gpu": [{"name": "RTX 3090", "power_limit_w": 350}]})


@pytest.mark.parametrize(
    ("slots", "watts", "cap", "room_c", "gap_mm", "held_w"),
    [
        (2.5, 450.0, None, 25.0, 10.16, 450 * 47 / 52),  # 25 C and 15 K: 47 of the 52 K up to 87 C are left
        (3.0, 450.0, None, 20.0, 0.0, 450.0),  # 35 C at the intake: makers warrant full power
        (3.0, 300.0, None, 35.0, 0.0, 300 * 37 / 52),
        (3.0, 450.0, 400.0, 25.0, 0.0, 400.0),  # a cap below what the cooler carries off
    ],
)
def test_open_cards_without_a_gap_say_what_they_hold(
    slots: float, watts: float, cap: float | None, room_c: float, gap_mm: float, held_w: float
) -> None:
    """Room between the cards and the power that is left in the neighbour's air; a cap ends the warning."""
    card = {"name": "own card", "slots": slots, "tdp_w": watts, "power_limit_w": cap, "cooling": "open_air",
            "quantity": 2}  # fmt: skip
    parts = {"gpu": [card], "motherboard": [{"ref": "board-asus-proart-x870e-creator-wifi"}]}
    (told,) = found("cooling.neighbours", parts, ambient_c=room_c)
    assert told.status is (Status.WARNING if cap is None else Status.OK)
    assert told.message.values["measured"] == pytest.approx(gap_mm)
    assert told.message.values["held"] == pytest.approx(held_w)
    (unnamed,) = found("cooling.neighbours", parts)
    assert unnamed.message.values["full"] == pytest.approx(20 + 52 * (1 - (cap or watts) / watts))
    assert unnamed.message.values["each"] == pytest.approx(watts / 52)
