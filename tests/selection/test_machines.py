"""Machines as a skilled builder makes them: closed before open, one supply before two, every cable in the bill."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from decimal import Decimal
from itertools import combinations_with_replacement

import pytest

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.builds.feeds import offered, plug
from gpuconfig.engine.builds.placement import carried
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.host import Cpu
from gpuconfig.engine.catalogue.peripheral import Cable
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.efficiency import wall_w
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.desktop import Found
from gpuconfig.engine.selection.composer.feeding import Feedings
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.server import compose_server, unfit, watts_for_processor
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator
from tests.selection.server_oracle import cheapest_server

OUTLET_W = 220 * 16 * 0.8
CLOSED = ("nvidia-rtx-5060ti-16", "amd-rx-9070xt-16", "nvidia-rtx-4090-24", "nvidia-rtx-5090-32")


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """Parts for a buyer in China."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    return Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)


def need(card: str, count: int, **more: object) -> Need:
    """As the recommendation asks: memory as much as the cards have, four cores a card."""
    item = bundled_catalogue().accelerator(card)
    values: dict[str, object] = {"circuit_w": OUTLET_W, **more}
    return Need(
        accelerator=item, per_node=count, cores=max(6, 4 * count),
        ram_bytes=max(32 * 2**30, (item.memory_bytes or 0) * count), **values,  # type: ignore[arg-type]
    )  # fmt: skip


def composed(shelf: Shelf, card: str, count: int, **more: object) -> Build:
    """The machine, which must come out."""
    build = compose(need(card, count, **more), shelf)
    assert isinstance(build, Build), build
    return build


def pieces(build: Build, kind: Kind) -> int:
    """Parts of one kind in one machine."""
    return sum(line.quantity for line in build.of(kind))


@pytest.mark.parametrize("card", CLOSED)
def test_two_cards_stand_in_a_closed_desktop(shelf: Shelf, card: str) -> None:
    """No server, no open frame, one supply: also where the length of a card is not recorded."""
    build = composed(shelf, card, 2)
    assert not build.of(Kind.SERVER)
    assert not build.of(Kind.RISER)
    assert pieces(build, Kind.POWER_SUPPLY) == 1
    case = build.first(Kind.CHASSIS)
    assert case is not None
    assert case.item.max_gpu_length_mm > (bundled_catalogue().accelerator(card).length_mm or 339)  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [4, 8])
def test_thick_cards_stand_in_a_frame_with_all_that_carries_them(shelf: Shelf, count: int) -> None:
    """Of 9070 XT eight, of 4090 four: adapters, cables, supplies and what starts them; no rule warns."""
    build = composed(shelf, "nvidia-rtx-4090-24" if count == 4 else "amd-rx-9070xt-16", count)
    assert "open frame" in build.of(Kind.CHASSIS)[0].item.form_factor  # type: ignore[attr-defined]
    carriers = [line for line in build.of(Kind.RISER) if "cable" not in line.item.riser_type]  # type: ignore[attr-defined]
    ends = [x for x in carriers if "host" not in x.item.riser_type]  # type: ignore[attr-defined]
    assert sum(line.quantity for line in ends) == count
    supplies = pieces(build, Kind.POWER_SUPPLY)
    assert supplies > 1
    assert pieces(build, Kind.CABLE) == supplies - 1
    assert [link.gpu for link in build.links] == list(range(count))
    result = check_build(build, Environment(region=Region.CN), bundled_catalogue())
    assert result.verdict is not Status.PROBLEM
    family = ("pcie.riser", "pcie.cable", "pcie.redriver", "power.", "mechanics.")
    assert not [f for f in result.findings if f.status is not Status.OK and f.rule.startswith(family)]


def test_slots_are_split_only_where_the_board_can() -> None:
    """Eight cards on seven slots: two of them share one, with 8 lanes each."""
    seen = 0
    for board in bundled_catalogue().motherboards():
        slots = [s for s in board.slots if s.physical_lanes >= 16 and s.source != "chipset"]
        placement = carried(board, len(slots) + 1)
        if placement is None:
            continue
        seen += 1
        assert board.slots_split is True
        used = [s.slot.position for s in placement.seats]
        assert len(used) == len(set(used)) + 1
        assert [s.lanes for s in placement.seats if used.count(s.slot.position) == 2] == [8, 8]
    assert seen


def test_a_closed_server_is_worth_a_little_more(shelf: Shelf) -> None:
    """Eight dear blower cards: the server costs a few per cent of the whole more and is taken."""
    assert composed(shelf, "nvidia-rtx-pro-6000-maxq", 8).of(Kind.SERVER)


def test_one_named_outlet_is_one_circuit(shelf: Shelf) -> None:
    """Four 575 W cards: on circuits of their own two supplies do; on an outlet of 10 A no cap is deep enough."""
    build = composed(shelf, "nvidia-rtx-5090-32", 4)
    assert pieces(build, Kind.POWER_SUPPLY) == 2
    assert all(line.power_limit_w is None for line in build.lines)
    found = compose(need("nvidia-rtx-5090-32", 4, circuits=1, circuit_w=220 * 10 * 0.8), shelf)
    assert isinstance(found, NoBuild)
    assert (found.measured or 0) > (found.required or 0)
    assert found.rule == "power.mains_circuit"


@pytest.mark.parametrize(("card", "amps"), [("nvidia-rtx-5090-32", 15), ("nvidia-rtx-pro-6000-ws", 16)])
def test_cards_are_held_to_what_the_outlet_carries(shelf: Shelf, card: str, amps: int) -> None:
    """As little as must be: ten watts more a card are too much for the circuit."""
    circuit = 220 * amps * 0.8
    build = composed(shelf, card, 4, circuits=1, circuit_w=circuit)
    (cap,) = {line.power_limit_w for line in build.of(Kind.ACCELERATOR)}
    assert cap is not None
    place = Environment(region=Region.CN, volts=220, amps=amps)
    result = check_build(build, place, bundled_catalogue())
    assert result.verdict is not Status.PROBLEM
    assert not [f for f in result.findings if f.rule == "power.mains_circuit" and f.status is not Status.OK]
    more = compose(need(card, 4, circuits=1, circuit_w=circuit, power_limit_w=cap + 10), shelf)
    assert isinstance(more, NoBuild)
    assert more.rule == "power.mains_circuit"


def test_better_supplies_spare_the_cap(shelf: Shelf) -> None:
    """Four 5090 run in full on 16 A behind supplies of a better class: the rule of outlets agrees."""
    build = composed(shelf, "nvidia-rtx-5090-32", 4, circuits=1, circuit_w=220 * 16 * 0.8)
    assert {line.power_limit_w for line in build.of(Kind.ACCELERATOR)} == {None}
    classes = {line.item.efficiency for line in build.of(Kind.POWER_SUPPLY)}  # type: ignore[attr-defined]
    assert classes & {"80+ Platinum", "80+ Titanium"}
    result = check_build(build, Environment(region=Region.CN, volts=220, amps=16), bundled_catalogue())
    assert not [f for f in result.findings if f.rule == "power.mains_circuit" and f.status is not Status.OK]


def test_no_supply_for_another_voltage(shelf: Shelf) -> None:
    """At 120 V nothing that gives its watts only at 200 V."""
    build = composed(shelf, "nvidia-rtx-5090-32", 2, volts=120.0, circuit_w=120 * 20 * 0.8)
    for line in build.of(Kind.POWER_SUPPLY):
        assert (line.item.full_power_min_volts or 0) <= 120  # type: ignore[attr-defined]
    place = Environment(region=Region.US, volts=120, amps=20)
    rules = {f.rule for f in check_build(build, place, bundled_catalogue()).findings if f.status != "ok"}
    assert "power.low_line" not in rules


@pytest.mark.parametrize(("card", "count", "watts"), [
    ("nvidia-rtx-4090-24", 4, 2200.0), ("nvidia-rtx-5090-32", 4, 2750.0), ("amd-rx-9070xt-16", 6, 2200.0),
    ("nvidia-rtx-5090-32", 3, 2100.0), ("nvidia-rtx-4090-24", 5, 2700.0),
])  # fmt: skip
def test_two_supplies_against_every_pair_and_every_dealing(
    shelf: Shelf, card: str, count: int, watts: float
) -> None:
    """The cheapest pair is that of a search over all pairs, all numbers of cards on the first and both hosts."""
    wanted = need(card, count)
    some = Feedings(wanted, shelf, Blame(), 2).for_load(watts, count)
    next(some)
    found = next(iter(next(some)))
    share, each = shelf.rule("continuous_share"), wanted.card_w()
    host = watts - each * count

    def feeds(supply, cards: int, with_host: bool) -> bool:  # type: ignore[no-untyped-def]
        offer, load = offered([(supply, 1)]), cards * each + (host if with_host else 0)
        if offer is None or load > supply.rated_w * share:
            return False
        if wall_w(shelf.rules, None, [(supply, load)]) > OUTLET_W:
            return False
        plugging = plug([(wanted.accelerator, cards)], 1 if with_host else 0, offer, cards)
        return plugging is not None and plugging.works()

    pairs = combinations_with_replacement([s for s in shelf.supplies if s.item.form_factor == "ATX"], 2)
    costs = [
        a.cost + b.cost for a, b in pairs
        if any(feeds(a.item, n, first) and feeds(b.item, count - n, not first)
               for n in range(count + 1) for first in (True, False))
    ]  # fmt: skip
    starter = found.starter
    assert starter is not None
    assert found.cost - starter.cost == min(costs)


SERVERS = [
    ("nvidia-l20-48", 8), ("nvidia-l20-48", 2), ("nvidia-l40s-48", 4), ("nvidia-rtx-pro-6000-maxq", 8),
    ("nvidia-rtx-pro-6000-server", 8), ("nvidia-h200-sxm-141", 8), ("nvidia-h20-sxm-96", 8), ("amd-mi300x-192", 8),
    ("nvidia-rtx-5090-32", 8), ("nvidia-a100-pcie-80", 4), ("nvidia-h200-nvl-141", 8), ("nvidia-rtx-4090-24", 8),
]  # fmt: skip


@pytest.mark.parametrize(("card", "count"), SERVERS)
@pytest.mark.parametrize("ram_gib", [256, 1024])
def test_servers_exact_against_highs(shelf: Shelf, card: str, count: int, ram_gib: int) -> None:
    """The enumeration's cost is the integer programme's optimum."""
    wanted = need(card, count, circuit_w=None)
    wanted = Need(
        accelerator=wanted.accelerator, per_node=count, cores=wanted.cores, ram_bytes=ram_gib * 2**30
    )
    found, best = compose_server(wanted, shelf), cheapest_server(wanted, shelf)
    if best is None:
        assert isinstance(found, NoBuild)
    else:
        assert isinstance(found, Found), found
        assert float(found.cost) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize(("card", "per_node", "nodes", "gbit"), [
    ("nvidia-h100-sxm5-80", 8, 2, 400), ("nvidia-h20-sxm-96", 8, 16, 400), ("nvidia-l20-48", 8, 4, 25),
    ("nvidia-rtx-4090-24", 4, 4, 25), ("nvidia-rtx-5090-32", 2, 2, 12),
])  # fmt: skip
def test_a_cluster_is_complete_and_priced(
    shelf: Shelf, card: str, per_node: int, nodes: int, gbit: float
) -> None:
    """Switch, a cable for every link, racks and their distribution for rack machines; no rule doubts it."""
    build = composed(shelf, card, per_node, nodes=nodes, network_bits_per_gpu=gbit * 1e9, circuit_w=None)
    kinds = {line.kind for line in build.shared}
    assert kinds >= {Kind.SWITCH, Kind.CABLE}
    assert (Kind.RACK in kinds) is (Kind.PDU in kinds) is bool(build.of(Kind.SERVER))
    assert all(line.price is not None for line in (*build.lines, *build.shared) if not line.reused)
    result = check_build(build, Environment(region=Region.CN), bundled_catalogue())
    told = {f.rule: f.status for f in result.findings}
    assert told["purchase.network_links"] is Status.OK
    for rule in ("power.pdu", "power.rack", "network.slots"):
        assert told.get(rule, Status.OK) is Status.OK
    assert result.verdict is not Status.PROBLEM


def cables_price(build: Build) -> Decimal:
    """Price of the cables of a build."""
    lines = [line for line in build.shared if isinstance(line.item, Cable)]
    return sum((line.price.middle().amount * line.quantity for line in lines if line.price), Decimal(0))


@pytest.mark.parametrize(("card", "nodes", "gbit", "far"), [
    ("nvidia-h20-sxm-96", 128, 400, True), ("nvidia-h100-sxm5-80", 40, 400, True),
    ("nvidia-l20-48", 64, 25, True), ("nvidia-l20-48", 12, 25, False), ("nvidia-h100-sxm5-80", 2, 400, False),
])  # fmt: skip
def test_links_that_leave_the_reach_of_copper_are_optical(
    shelf: Shelf, card: str, nodes: int, gbit: float, far: bool
) -> None:
    """A cable for each link still; light only where racks stand beyond copper, long enough, and in the price."""
    build = composed(shelf, card, 8, nodes=nodes, network_bits_per_gpu=gbit * 1e9, circuit_w=None)
    racks = sum(line.quantity for line in build.shared if line.kind is Kind.RACK)
    assert (racks > shelf.rule("copper_racks")) is far
    cables = [(line.item, line.quantity) for line in build.shared if isinstance(line.item, Cable)]
    optical = [(cable, count) for cable, count in cables if cable.is_optical()]
    assert bool(optical) is far
    half_row = racks / 2 * shelf.rule("rack_pitch_mm")
    assert all((cable.length_mm or 0) > half_row for cable, _ in optical)
    told = {f.rule: f.status for f in check_build(build, Environment(), bundled_catalogue()).findings}
    assert told["network.cable_reach"] is told["purchase.network_links"] is Status.OK
    if not far:
        return
    # What climbs to the switches above is light throughout: as many links as come from the machines.
    assert sum(count for _, count in optical) >= sum(count for _, count in cables) / 2
    near = next(cable for cable, _ in cables if not cable.is_optical())
    least = min(c.price.middle().amount for c in shelf.cables if c.price and c.item.id == near.id)
    assert cables_price(build) > least * sum(count for _, count in cables)


def test_without_long_cables_the_rule_tells_it(shelf: Shelf) -> None:
    """Nothing is left out of the list: copper stays in it, and the rule warns."""
    poor = copy(shelf)
    poor.__dict__["cables"] = tuple(cable for cable in shelf.cables if not cable.item.is_optical())
    build = composed(poor, "nvidia-h20-sxm-96", 8, nodes=128, network_bits_per_gpu=400e9, circuit_w=None)
    told = {f.rule: f.status for f in check_build(build, Environment(), bundled_catalogue()).findings}
    assert told["network.cable_reach"] is Status.WARNING
    assert told["purchase.network_links"] is Status.OK


def test_no_machine_of_a_cluster_without_a_slot_for_its_network(shelf: Shelf) -> None:
    """Where the cards take every slot, another board is taken, or the rule is named."""
    for count in (1, 2, 4):
        found = compose(need("nvidia-rtx-pro-6000-maxq", count, nodes=2, network_bits_per_gpu=25e9), shelf)
        if isinstance(found, NoBuild):
            assert found.rule in ("network.slots", "network.rate")
            continue
        problems = check_build(found, Environment(region=Region.CN), bundled_catalogue())
        assert "network.slots" not in {f.rule for f in problems.findings if f.status is Status.PROBLEM}


@pytest.mark.parametrize("amps", [8.1, 8.2, 8.3, 8.4])
def test_an_outlet_of_120_v_counts_what_supplies_lose_there(shelf: Shelf, amps: float) -> None:
    """What the composer holds one outlet to carry, it carries by the rule of outlets too."""
    build = compose(need("nvidia-rtx-5090-32", 1, volts=120.0, circuit_w=120 * amps * 0.8, circuits=1), shelf)
    place = Environment(region=Region.US, volts=120, amps=amps)
    if isinstance(build, Build):
        found = {f.rule: f.status for f in check_build(build, place, bundled_catalogue()).findings}
        assert found["power.mains_circuit"] == "ok"
    else:
        assert build.rule == "power.mains_circuit"


def test_processors_of_a_server_count_by_their_own_power(shelf: Shelf) -> None:
    """A feed that leaves each socket 10 W is refused; one that leaves what the composed processors draw is not."""
    wanted = need("nvidia-l20-48", 8, desktop=False, frames=False)
    build = composed(shelf, "nvidia-l20-48", 8, desktop=False, frames=False)
    server, cpu = build.lines[1].item, build.of(Kind.CPU)[0].item
    assert isinstance(server, ServerPlatform)
    assert isinstance(cpu, Cpu)
    working = (server.psu_count or 0) - (server.psu_redundant or 0)
    none = -watts_for_processor(server, replace(wanted, server_feed_w=0.0), shelf)

    def fed(each_w: float) -> NoBuild | None:
        wall = (none + each_w) * (server.cpu_sockets or 2) / shelf.rule("efficiency_230")
        return unfit(server, replace(wanted, server_feed_w=wall / working), shelf)

    refused = fed(10.0)
    assert refused is not None
    assert refused.rule == "power.mains_circuit"
    assert fed((cpu.tdp_w or 0.0) + 1.0) is None
