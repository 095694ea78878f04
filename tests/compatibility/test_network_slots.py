"""Network cards take slots and lanes as accelerators do; what they give is the lesser of ports and slot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.builds.adapters import ports_bits_per_s, seat_nics, usable_bits_per_s
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.placement import place
from gpuconfig.engine.builds.wiring import links_in_reach
from gpuconfig.engine.catalogue.peripheral import Cable, Nic
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from tests.bundled_catalogue import bundled_catalogue

CX7, CX6 = "nic-nvidia-connectx-7-1x400g-ndr-400gbe", "nic-nvidia-connectx-6-vpi-2x200g-hdr-200gbe"
MAXQ, SERVER_CARD = "nvidia-rtx-pro-6000-maxq", "nvidia-rtx-pro-6000-server"
BOARD = "board-asus-proart-x870e-creator-wifi"


def nic(ref: str) -> Nic:
    return next(n for n in bundled_catalogue().nics() if n.id == ref)


def board_build(cards: int, nics: int, ref: str = CX7) -> Build:
    catalogue = bundled_catalogue()
    board = next(b for b in catalogue.motherboards() if b.id == BOARD)
    return Build(
        lines=(
            BomLine(kind=Kind.ACCELERATOR, item=catalogue.accelerator(MAXQ), quantity=cards),
            BomLine(kind=Kind.MOTHERBOARD, item=board),
            BomLine(kind=Kind.NIC, item=nic(ref), quantity=nics),
        )
    )


def server_build(server: str, nics: int) -> Build:
    catalogue = bundled_catalogue()
    platform = next(s for s in catalogue.servers() if s.id == server)
    return Build(
        lines=(
            BomLine(kind=Kind.ACCELERATOR, item=catalogue.accelerator(SERVER_CARD), quantity=8),
            BomLine(kind=Kind.SERVER, item=platform),
            BomLine(kind=Kind.NIC, item=nic(CX7), quantity=nics),
        )
    )


def found(build: Build, rule: str) -> Finding:
    result = check_build(build, Environment(), bundled_catalogue())
    return next(f for f in result.findings if f.rule == rule)


@pytest.mark.parametrize(("cards", "gbit"), [(1, 252), (2, 63)])
def test_a_narrow_slot_limits_a_fast_network_card(cards: int, gbit: float) -> None:
    """Beside one card eight lanes of generation 5 are left, beside two the four of the chipset."""
    told = found(board_build(cards, 1), "network.slot_rate")
    assert told.status is Status.WARNING
    assert told.measured == pytest.approx(gbit, abs=1)
    assert told.required == 400


def test_a_network_card_takes_the_lanes_its_slot_shares() -> None:
    numbers = CoefficientSet.of(bundled_catalogue().coefficients("rules"))
    with_nic = Machine(board_build(1, 1), Environment(), numbers).placement
    without = Machine(board_build(1, 0), Environment(), numbers).placement
    assert with_nic is not None
    assert without is not None
    assert (without.least_lanes(), with_nic.least_lanes()) == (16, 8)


def test_more_network_cards_than_slots() -> None:
    assert found(board_build(2, 1), "network.slots").status is Status.OK
    told = found(board_build(2, 2), "network.slots")
    assert (told.status, told.measured, told.required) == (Status.PROBLEM, 1, 2)


@pytest.mark.parametrize(
    ("server", "count", "status"),
    [
        ("server-gigabyte-g493-zb0", 4, Status.OK), ("server-gigabyte-g493-zb0", 5, Status.WARNING),
        ("server-gigabyte-g493-zb0", 12, Status.PROBLEM), ("server-supermicro-as-4125gs-tnrt", 2, Status.OK),
        ("server-supermicro-as-4125gs-tnrt", 3, Status.PROBLEM),
    ],
)  # fmt: skip
def test_a_server_has_few_slots_beside_its_cards(server: str, count: int, status: Status) -> None:
    assert found(server_build(server, count), "network.slots").status is status


def test_two_ports_of_200_share_a_slot_of_generation_4() -> None:
    assert usable_bits_per_s(nic(CX6), 5, 16) == pytest.approx(252e9, rel=0.01)
    assert usable_bits_per_s(nic(CX7), 4, 16) == pytest.approx(252e9, rel=0.01)
    assert usable_bits_per_s(nic(CX7), 5, 16) == 400e9
    assert usable_bits_per_s(replace(nic(CX7), port_bits_per_s=None), 5, 16) is None


@given(generation=st.integers(1, 6), lanes=st.sampled_from([1, 2, 4, 8, 16]), ports=st.integers(1, 4))
def test_a_slot_never_adds_to_the_ports(generation: int, lanes: int, ports: int) -> None:
    card = replace(nic(CX7), ports=ports)
    usable, own = usable_bits_per_s(card, generation, lanes), ports_bits_per_s(card)
    assert usable is not None
    assert own is not None
    assert 0 < usable <= own


@given(cards=st.integers(1, 2), count=st.integers(1, 4))
def test_no_two_cards_sit_in_one_slot(cards: int, count: int) -> None:
    board = next(b for b in bundled_catalogue().motherboards() if b.id == BOARD)
    placement = place(board, [2.0] * cards)
    assert placement is not None
    seated = seat_nics(board, placement, [nic(CX7)] * count)
    taken = [s.slot.position for s in (*seated.cards.seats, *(s for s in seated.seats if s is not None))]
    assert len(set(taken)) == len(taken)


def between_racks(racks: int, *cables: Cable) -> CheckResult:
    """Sixteen servers in so many racks with these cables."""
    shared = (
        *(BomLine(kind=Kind.CABLE, item=cable, quantity=32) for cable in cables),
        BomLine(kind=Kind.RACK, item=bundled_catalogue().racks()[0], quantity=racks),
    )
    build = replace(server_build("server-gigabyte-g493-zb0", 2), nodes=16, shared=shared)
    return check_build(build, Environment(), bundled_catalogue())


def cable_of(ref: str) -> Cable:
    return next(c for c in bundled_catalogue().cables() if c.id == ref)


DAC, SR4 = "cable-dac-400g-osfp-2-m", "cable-optics-400g-osfp-30-m"


@pytest.mark.parametrize(
    ("racks", "cables", "status"),
    [
        (1, (DAC,), Status.OK), (3, (DAC,), Status.OK), (128, (DAC,), Status.WARNING),
        (40, (DAC, SR4), Status.OK), (40, (SR4,), Status.OK), (3, (SR4,), Status.OK),
        # 5 m of rise and half of 128 racks of 0.6 m are 43 m.
        (128, (DAC, SR4), Status.WARNING), (128, (DAC, "cable-optics-400g-osfp-100-m"), Status.OK),
    ],
)  # fmt: skip
def test_cables_reach_the_racks(racks: int, cables: tuple[str, ...], status: Status) -> None:
    """Copper joins neighbouring racks only, light as far as its length."""
    result = between_racks(racks, *(cable_of(ref) for ref in cables))
    assert [f.status for f in result.findings if f.rule == "network.cable_reach"] == [status]


def test_light_of_unknown_length_is_named() -> None:
    """No length is made up."""
    result = between_racks(40, replace(cable_of(SR4), length_mm=None))
    assert [n.missing for n in result.not_checked if n.rule == "network.cable_reach"] == [
        ("cable.length_mm",)
    ]


@given(st.integers(1, 300), st.integers(1, 64), st.integers(0, 64))
def test_links_in_reach_counted_one_by_one(links: int, switch_links: int, reached: int) -> None:
    """The first so many links of each switch."""
    assert links_in_reach(links, switch_links, reached) == sum(
        n % switch_links < reached for n in range(links)
    )
