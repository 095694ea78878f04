"""Hosts that a builder would choose: no old host under a dear card, even channels, blowers for cards without a fan."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuconfig.documents.sections.slots import slot_picture
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.host import MemoryKit, Motherboard
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.lag import Lag
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.i18n import Language, load
from gpuconfig.presentation.build_view import slot_map
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator


@pytest.fixture(scope="module")
def used_shelf() -> Shelf:
    """Parts for a buyer in China who takes used goods."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"), used_ok=True)
    return Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)


def need(card: str, count: int, ram_gib: int = 32) -> Need:
    return Need(
        accelerator=bundled_catalogue().accelerator(card), per_node=count, ram_bytes=ram_gib * 2**30,
        cores=max(6, 4 * count), circuit_w=2816.0,
    )  # fmt: skip


def composed(card: str, count: int, shelf: Shelf, ram_gib: int = 32) -> Build:
    build = compose(need(card, count, ram_gib), shelf)
    assert isinstance(build, Build), build
    return build


@pytest.mark.parametrize("card", ["nvidia-rtx-4090d-24", "nvidia-rtx-5090-32"])
def test_a_dear_card_gets_a_host_of_its_time(used_shelf: Shelf, card: str) -> None:
    """At the price of such a card the used platform of years ago saves nothing that counts."""
    cpu = composed(card, 1, used_shelf).first(Kind.CPU)
    assert cpu is not None
    assert (getattr(cpu.item, "pcie_generation", None) or 0) >= 4


def test_a_cheap_old_card_keeps_its_cheap_old_host(used_shelf: Shelf) -> None:
    """Beside a card of generation 3 a host of generation 3 is no worse."""
    build = composed("nvidia-tesla-p40-24", 2, used_shelf)
    cpu = build.first(Kind.CPU)
    assert cpu is not None
    assert getattr(cpu.item, "pcie_generation", None) == 3
    wanted = need("nvidia-tesla-p40-24", 2)
    assert Lag(wanted, used_shelf).cost(3, 3) == 0
    assert Lag(wanted, used_shelf).cost(None, 3) > 0


def test_each_generation_behind_counts_a_share_of_the_cards(used_shelf: Shelf) -> None:
    """The oldest part of the link counts; a link of which nothing is recorded counts as one behind."""
    wanted = need("nvidia-rtx-5090-32", 2)
    price = used_shelf.pricer.price(Kind.ACCELERATOR, wanted.accelerator)
    assert price is not None
    each = price.middle().amount * 2 * Decimal(str(used_shelf.rule("generation_behind_worth")))
    lag = Lag(wanted, used_shelf)
    assert [lag.cost(*g) for g in ((5, 5), (5, 4), (3, 4), (None, None))] == [0, each, 2 * each, each]


@pytest.mark.parametrize("ram_gib", [48, 96])
def test_channels_are_filled_evenly(used_shelf: Shelf, ram_gib: int) -> None:
    """No three modules on two channels."""
    build = composed("nvidia-rtx-4090d-24", 1, used_shelf, ram_gib)
    board, kit = build.first(Kind.MOTHERBOARD), build.first(Kind.MEMORY)
    assert board is not None
    assert kit is not None
    assert isinstance(board.item, Motherboard)
    assert isinstance(kit.item, MemoryKit)
    assert kit.item.modules * kit.quantity % (board.item.memory_channels or 2) == 0


def test_used_cards_without_a_fan_get_a_blower_each(used_shelf: Shelf) -> None:
    """In a case that is long enough for card and blower; judged sound by the rules."""
    build = composed("nvidia-tesla-p40-24", 2, used_shelf)
    blowers = [line for line in build.of(Kind.COOLER) if line.item.is_for_cards()]  # type: ignore[attr-defined]
    assert [line.quantity for line in blowers] == [2]
    result = check_build(build, Environment(region=Region.CN, volts=220, amps=16), bundled_catalogue())
    assert result.verdict in (Status.OK, Status.WARNING), result.findings
    told = {f.rule: f for f in result.findings}
    assert told["cooling.passive_card"].status is Status.OK
    length = told["mechanics.card_length"]
    assert length.measured == pytest.approx(267 + 110)


def test_a_blower_too_few_is_a_problem(used_shelf: Shelf) -> None:
    build = composed("nvidia-tesla-p40-24", 2, used_shelf)
    lines = tuple(
        line if line.kind is not Kind.COOLER else type(line)(kind=line.kind, item=line.item)
        for line in build.lines
    )
    result = check_build(Build(lines=lines), Environment(region=Region.CN), bundled_catalogue())
    assert {f.rule for f in result.findings if f.status is Status.PROBLEM} == {"cooling.passive_card"}


def test_cards_with_a_warranty_stay_in_servers(used_shelf: Shelf) -> None:
    """A new card without a fan is vouched for in a server's air only."""
    wanted = Need(accelerator=bundled_catalogue().accelerator("nvidia-l20-48"), per_node=1, server=False)
    found = compose(wanted, used_shelf)
    assert isinstance(found, NoBuild)
    assert found.rule == "cooling.passive_card"


@pytest.mark.parametrize("card", ["nvidia-rtx-4090-24", "nvidia-rtx-5090-32", "nvidia-rtx-5060ti-16"])
def test_never_less_than_the_maker_asks_for(used_shelf: Shelf, card: str) -> None:
    build = composed(card, 1, used_shelf)
    supplies = sum(line.item.rated_w * line.quantity for line in build.of(Kind.POWER_SUPPLY))  # type: ignore[attr-defined]
    asked = bundled_catalogue().accelerator(card).recommended_psu_w
    assert asked is not None
    assert supplies >= asked


def test_a_split_slot_names_every_card_it_feeds(used_shelf: Shelf) -> None:
    build = composed("nvidia-rtx-pro-4000-24", 8, used_shelf, 192)
    result = check_build(build, Environment(region=Region.CN), bundled_catalogue())
    rows: Any = result.pcie["slots"]
    assert build.splits_slots
    assert max(len(row["cards"]) for row in rows) > 1
    assert sorted(number for row in rows for number in row["cards"]) == list(range(8))


def test_a_frame_shows_where_its_cables_lead(used_shelf: Shelf) -> None:
    """Each slot names the card at the end of its cable; no card is drawn into a slot it does not sit in."""
    build = composed("nvidia-rtx-4090-24", 4, used_shelf, 96)
    assert build.of(Kind.RISER)
    result = check_build(build, Environment(region=Region.CN), bundled_catalogue())
    assert result.pcie["carried"] is True
    assert sorted(row["card"] for row in result.pcie["slots"] if row["card"] is not None) == [0, 1, 2, 3]  # type: ignore[union-attr]
    writer = Writer(load(Language.EN))
    assert slot_picture(build, result, writer) is None
    shown = slot_map(build, result, load(Language.EN))
    assert shown is not None
    assert sum("by riser or cable" in box.label for box in shown.boxes) == 4


def test_a_server_names_the_circuits_it_takes(used_shelf: Shelf) -> None:
    """Eight cards of 275 W take more than one feed of a machine room."""
    wanted = Need(
        accelerator=bundled_catalogue().accelerator("nvidia-l20-48"), per_node=8, ram_bytes=384 * 2**30
    )
    build = compose(wanted, used_shelf)
    assert isinstance(build, Build)
    result = check_build(build, Environment(region=Region.CN), bundled_catalogue())
    power = result.power
    assert power["circuit_w"] == pytest.approx(220 * 16 * 0.8)
    assert power["circuits"] == -(-float(power["wall_w"]) // float(power["circuit_w"]))  # type: ignore[arg-type]
    rack = next(f for f in result.findings if f.rule == "power.rack")
    assert rack.unit == "W"
    assert rack.measured == pytest.approx(power["wall_w"])


@pytest.mark.parametrize("card", ["nvidia-tesla-p40-24", "nvidia-tesla-p4-8", "nvidia-v100-pcie-16"])
def test_cards_without_an_output_get_a_host_with_a_picture(used_shelf: Shelf, card: str) -> None:
    """One that shows it, unless a card for the screen is cheaper; that is then told with its price."""
    build = composed(card, 1, used_shelf)
    place = Environment(region=Region.CN)
    told = [f for f in check_build(build, place, bundled_catalogue(), used_shelf.pricer).findings
            if f.rule == "host.display"]  # fmt: skip
    assert len(told) == 1
    lacks = told[0].status is Status.WARNING
    assert not lacks or (told[0].remedy is not None and told[0].remedy.cost is not None)


def test_adapters_to_eps_sockets_are_on_the_bill(used_shelf: Shelf) -> None:
    """One for each card beyond the supply's own EPS plugs, so that the rule finds none missing."""
    build = composed("nvidia-tesla-p40-24", 4, used_shelf)
    told = [f for f in check_build(build, Environment(), bundled_catalogue()).findings
            if f.rule == "power.card_adapters"]  # fmt: skip
    listed = sum(line.quantity for line in build.of(Kind.CABLE))
    assert [(f.status, f.required) for f in told] == [(Status.OK, listed)]
    without = replace(build, lines=tuple(line for line in build.lines if line.kind is not Kind.CABLE))
    (short,) = (f for f in check_build(without, Environment(), bundled_catalogue(), used_shelf.pricer).findings
                if f.rule == "power.card_adapters")  # fmt: skip
    assert short.status is Status.WARNING
    assert short.remedy is not None
    assert short.remedy.cost is not None
