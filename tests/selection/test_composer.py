"""The composer: exact against HiGHS, sound against the rules, and telling where nothing can be built."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.builds.fits import same_network, switches_needed
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.desktop import Found, compose_desktop
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.oracle import cheapest
from tests.selection.requests import estimator

CASES = [
    ("nvidia-rtx-5070ti-16", 1, 32),
    ("nvidia-rtx-4090-24", 1, 64),
    ("nvidia-rtx-4090-24", 2, 96),
    ("amd-ai-pro-r9700-32", 2, 64),
    ("nvidia-rtx-pro-5000-48", 4, 192),
    ("nvidia-rtx-pro-6000-maxq", 4, 256),
    ("nvidia-rtx-5090-32", 2, 64),
    ("nvidia-rtx-5090-32", 1, 32),
]
IDS = [f"{n}x {card}" for card, n, _ in CASES]


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """Parts for a buyer in China."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    return Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)


def need(card: str, count: int, ram_gib: int = 32, **more: object) -> Need:
    """One machine's need."""
    return Need(
        accelerator=bundled_catalogue().accelerator(card), per_node=count, ram_bytes=ram_gib * 2**30,
        cores=max(6, 4 * count), circuit_w=more.pop("circuit_w", 2816.0), **more,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize(("card", "count", "ram"), CASES, ids=IDS)
def test_exact_against_highs(shelf: Shelf, card: str, count: int, ram: int) -> None:
    """The enumeration's cost is the integer programme's optimum."""
    wanted = need(card, count, ram)
    found = compose_desktop(wanted, shelf)
    best = cheapest(wanted, shelf)
    if best is None:
        assert isinstance(found, NoBuild)
    else:
        assert isinstance(found, Found), found
        assert float(found.cost) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize(("card", "count", "ram"), CASES, ids=IDS)
def test_verified_by_the_rules(shelf: Shelf, card: str, count: int, ram: int) -> None:
    """What is composed has no problem and nothing essential unknown."""
    build = compose(need(card, count, ram), shelf)
    if isinstance(build, NoBuild):
        pytest.skip(str(build.message))
    result = check_build(build, Environment(region=Region.CN, volts=220, amps=16), bundled_catalogue())
    assert result.verdict in (Status.OK, Status.WARNING), [f for f in result.findings if f.status != "ok"]
    assert all(line.price is not None for line in build.lines)


@pytest.mark.parametrize(
    ("card", "kind"),
    [("nvidia-h200-sxm-141", Kind.SERVER), ("nvidia-l20-48", Kind.SERVER), ("amd-mi300x-192", Kind.SERVER)],
)
def test_servers(shelf: Shelf, card: str, kind: Kind) -> None:
    """Modules and passive cards go into servers; a system that contains its modules is not paid twice."""
    build = compose(need(card, 8, 512), shelf)
    assert isinstance(build, Build), build
    server = build.first(kind)
    assert server is not None
    cards = build.first(Kind.ACCELERATOR)
    assert cards is not None
    assert cards.reused is bool(getattr(server.item, "includes_accelerators", False))
    result = check_build(build, Environment(region=Region.CN, machine_room=True), bundled_catalogue())
    assert result.verdict in (Status.OK, Status.WARNING), [f for f in result.findings if f.status != "ok"]


def test_cluster_has_network_and_switch(shelf: Shelf) -> None:
    """Several machines bring network cards, a switch with enough ports and a rack."""
    build = compose(need("nvidia-l20-48", 8, 512, nodes=2, network_bits_per_gpu=100e9), shelf)
    assert isinstance(build, Build), build
    assert build.of(Kind.NIC)
    assert {line.kind for line in build.shared} >= {Kind.SWITCH, Kind.RACK}


@pytest.mark.parametrize(
    ("card", "count", "frames", "rule"),
    [
        ("nvidia-rtx-4090-24", 8, False, "pcie.slot_spacing"),
        ("nvidia-rtx-4090-24", 13, True, "mechanics.case_brackets"),
        ("nvidia-h200-sxm-141", 1, True, "mechanics.card_form"),
        ("nvidia-l20-48", 1, True, "cooling.passive_card"),
        ("hygon-k100-64", 2, True, "mechanics.card_unknown"),
    ],
)
def test_impossible_wishes_end_in_their_rule(
    shelf: Shelf, card: str, count: int, frames: bool, rule: str
) -> None:
    """Not an empty list: the rule that forbids it, in words."""
    found = compose(need(card, count, 128, server=False, frames=frames), shelf)
    assert isinstance(found, NoBuild)
    assert found.rule == rule
    assert str(found.message)


def test_weak_circuit_forbids(shelf: Shelf) -> None:
    """Two 575 W cards on one 500 W circuit."""
    found = compose(need("nvidia-rtx-5090-32", 2, 64, circuit_w=500.0, circuits=1, server=False), shelf)
    assert isinstance(found, NoBuild)
    assert found.rule == "power.mains_circuit"
    assert (found.measured or 0) > (found.required or 0)


@pytest.mark.parametrize("bits", [25e9, 50e9, 100e9])
def test_cards_of_a_cluster_speak_what_its_switch_speaks(shelf: Shelf, bits: float) -> None:
    """No Ethernet card on an InfiniBand switch, and no tree of switches that cannot be wired."""
    wanted = need("nvidia-rtx-pro-5000-48", 4, 256, nodes=4, network_bits_per_gpu=bits / 4)
    build = compose(wanted, shelf)
    assert isinstance(build, Build)
    nic = next(line for line in build.lines if line.kind is Kind.NIC)
    switch = next(line for line in build.shared if line.kind is Kind.SWITCH)
    assert same_network(nic.item, switch.item)
    ports = nic.quantity * nic.item.ports * 4
    assert switch.quantity == switches_needed(switch.item.ports, ports)


def test_networks_that_do_not_go_together() -> None:
    catalogue = bundled_catalogue()
    ethernet = catalogue.part(Kind.NIC, "nic-intel-e810-cqda2-2x100gbe")
    either = catalogue.part(Kind.NIC, "nic-nvidia-connectx-6-vpi-1x200g-hdr-200gbe")
    infiniband = catalogue.part(Kind.SWITCH, "switch-nvidia-quantum-qm8700-hdr")
    switch = catalogue.part(Kind.SWITCH, "switch-nvidia-spectrum-3-sn4600")
    assert [same_network(n, s) for n in (ethernet, either) for s in (infiniband, switch)] == [
        False,
        True,
        True,
        True,
    ]
    assert [switches_needed(4, n) for n in (4, 8, 16)] == [1, 6, None]
