"""What a bill leaves open is said: cables of a cluster, places and roles of several supplies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.spread import spread
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

NIC = "nic-intel-e810-cqda2-2x100gbe"
SWITCH = "switch-arista-7280r3-series-100g-400g"


def cluster(nodes: int, switches: int = 1, cables: int = 0, **nic: object) -> CheckResult:
    """Machines of four cards with two cards of two ports."""
    catalogue = bundled_catalogue()
    card = catalogue.accelerator("nvidia-rtx-4090-24")
    (adapter,) = (n for n in catalogue.nics() if n.id == NIC)
    (switch,) = (s for s in catalogue.switches() if s.id == SWITCH)
    lines = (
        BomLine(kind=Kind.ACCELERATOR, item=card, quantity=4),
        BomLine(kind=Kind.NIC, item=replace(adapter, **nic), quantity=2),  # type: ignore[arg-type]
    )
    (cable,) = (c for c in catalogue.cables() if c.id == "cable-dac-100g-qsfp28-3-m")
    shared = (BomLine(kind=Kind.SWITCH, item=switch, quantity=switches),)
    if cables:
        shared = (*shared, BomLine(kind=Kind.CABLE, item=cable, quantity=cables))
    return check_build(Build(lines=lines, nodes=nodes, shared=shared), Environment(), catalogue)


@pytest.mark.parametrize(
    ("switches", "cables", "status", "links"),
    [
        (1, 0, Status.WARNING, 16), (1, 15, Status.WARNING, 16), (1, 16, Status.OK, 16),
        (3, 16, Status.WARNING, 32), (3, 32, Status.OK, 32),
    ],
)  # fmt: skip
def test_links_of_a_cluster_are_counted(switches: int, cables: int, status: Status, links: int) -> None:
    """Four machines, four ports each; between switches as many links again."""
    result = cluster(4, switches, cables)
    (found,) = (f for f in result.findings if f.rule == "purchase.network_links")
    assert (found.status, found.measured) == (status, links)
    assert ("between the switches" in found.message.text) is (switches > 1 and status is Status.WARNING)


def test_unknown_ports_are_named() -> None:
    """No count is made up."""
    result = cluster(4, ports=None)
    assert [n.missing for n in result.not_checked if n.rule == "purchase.network_links"] == [("nic.ports",)]


def test_one_machine_has_no_network_to_buy() -> None:
    """The rule does not apply."""
    result = cluster(1)
    rules = {f.rule for f in result.findings} | {n.rule for n in result.not_checked}
    assert "purchase.network_links" not in rules


def two_supplies(count: int) -> CheckResult:
    """Four cards on supplies of 1,600 W."""
    parts = {
        "gpu": [{"name": "RTX 3090", "quantity": 4}],
        "cpu": [{"name": "Ryzen 9 5950X"}],
        "power_supply": [{"name": "EVGA SuperNOVA 1600 G2", "rated_w": 1600, "quantity": count}],
        "chassis": [{"name": "Fractal Design Define 7 XL"}],
    }
    return check_parts({"parts": parts}, bundled_catalogue())


def test_roles_and_places_of_two_supplies() -> None:
    """Which feeds what is said; whether the case holds both is not recorded and said too."""
    result = two_supplies(2)
    (roles,) = (f for f in result.findings if f.rule == "power.supply_roles")
    assert roles.message.values["plan"] == "#1: 2, #2: 2"
    assert roles.message.values["host"] == 2
    assert ("chassis.psu_places",) in [n.missing for n in result.not_checked]


@pytest.mark.parametrize(("places", "status"), [(1, Status.WARNING), (2, Status.OK)])
def test_places_of_a_case_that_states_them(places: int, status: Status) -> None:
    """Two supplies in one place stand outside."""
    parts = {
        "gpu": [{"name": "RTX 3090", "quantity": 4}],
        "cpu": [{"name": "Ryzen 9 5950X"}],
        "power_supply": [{"name": "EVGA SuperNOVA 1600 G2", "rated_w": 1600, "quantity": 2}],
        "chassis": [{"name": "Fractal Design Define 7 XL", "psu_places": places}],
    }
    result = check_parts({"parts": parts}, bundled_catalogue())
    (found,) = (f for f in result.findings if f.rule == "mechanics.supply_places")
    assert (found.status, found.measured, found.required) == (status, 2, places)


def test_one_supply_asks_for_no_roles() -> None:
    """Neither rule applies."""
    result = two_supplies(1)
    rules = {f.rule for f in result.findings} | {n.rule for n in result.not_checked}
    assert not {"power.supply_roles", "mechanics.supply_places"} & rules


@given(
    st.lists(st.floats(300, 3000), min_size=2, max_size=4),
    st.lists(st.floats(50, 700), min_size=1, max_size=12),
    st.floats(50, 800),
)
def test_every_watt_is_fed_once(ratings: list[float], cards: list[float], host: float) -> None:
    """Loads add up, and each card hangs on a supply that exists."""
    dealt = spread(ratings, cards, host)
    assert sum(dealt.loads_w) == pytest.approx(sum(cards) + host)
    assert all(0 <= number < len(ratings) for number in dealt.supply_of_card)
    for number, load in enumerate(dealt.loads_w):
        own = sum(w for w, at in zip(cards, dealt.supply_of_card, strict=True) if at == number)
        assert load == pytest.approx(own + (host if number == dealt.host else 0.0))
