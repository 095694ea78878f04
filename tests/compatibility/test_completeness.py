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


def cluster(nodes: int, switches: int = 1, **nic: object) -> CheckResult:
    """Machines of four cards with two cards of two ports."""
    catalogue = bundled_catalogue()
    card = catalogue.accelerator("nvidia-rtx-4090-24")
    (adapter,) = (n for n in catalogue.nics() if n.id == NIC)
    (switch,) = (s for s in catalogue.switches() if s.id == SWITCH)
    lines = (
        BomLine(kind=Kind.ACCELERATOR, item=card, quantity=4),
        BomLine(kind=Kind.NIC, item=replace(adapter, **nic), quantity=2),  # type: ignore[arg-type]
    )
    shared = (BomLine(kind=Kind.SWITCH, item=switch, quantity=switches),)
    return check_build(Build(lines=lines, nodes=nodes, shared=shared), Environment(), catalogue)


def test_links_of_a_cluster_are_counted_and_told_to_be_without_a_price() -> None:
    """Four machines, four ports each."""
    (found,) = (f for f in cluster(4).findings if f.rule == "purchase.network_links")
    assert (found.status, found.measured) == (Status.WARNING, 16)
    (more,) = (f for f in cluster(4, switches=3).findings if f.rule == "purchase.network_links")
    assert "between the switches" in more.message.text


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
    """Which feeds what is said; whether the case holds both is not known and said too."""
    result = two_supplies(2)
    (roles,) = (f for f in result.findings if f.rule == "power.supply_roles")
    assert roles.message.values["plan"] == "#1: 2, #2: 2"
    assert roles.message.values["host"] == 2
    assert ("chassis.psu_places",) in [n.missing for n in result.not_checked]


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
