"""Machines by more than price: exact against HiGHS, no worse in what was asked, and sound by the rules."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.aims import AimedShelf, traits_of
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.desktop import Found, compose_desktop
from gpuconfig.engine.selection.composer.need import Aims, Need
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.oracle import cheapest
from tests.selection.requests import estimator

NEEDS = [("nvidia-rtx-5070ti-16", 1, 32), ("nvidia-rtx-4090-24", 2, 96), ("nvidia-rtx-pro-5000-48", 4, 192)]
AIMS = {
    "quiet": Aims(cost=1, quiet=1),
    "cool": Aims(cost=1, cool=1),
    "upgradable": Aims(cost=1, upgradable=1),
    "mixed": Aims(cost=2, quiet=0.5, cool=1, upgradable=0.3),
    "cool at any price": Aims(cool=1),
}


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    """Parts for a buyer in China."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    return Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)


def need(card: str, count: int, ram_gib: int, aims: Aims | None = None, **more: bool) -> Need:
    """One machine's need."""
    return Need(
        accelerator=bundled_catalogue().accelerator(card), per_node=count, ram_bytes=ram_gib * 2**30,
        cores=max(6, 4 * count), circuit_w=2816.0, aims=aims, **more,
    )  # fmt: skip


def built(wanted: Need, shelf: Shelf) -> Build:
    """The machine."""
    found = compose(wanted, shelf)
    assert isinstance(found, Build), found
    return found


def total(build: Build, wanted: Need, shelf: Shelf, name: str) -> float:
    """Sum of one trait over the parts."""
    own = [line for line in build.lines if line.kind is not Kind.ACCELERATOR]
    return sum(getattr(traits_of(line.item, wanted, shelf), name) * line.quantity for line in own)


def price(build: Build) -> Decimal:
    """Planning value of the parts."""
    return sum((x.price.middle().amount * x.quantity for x in build.lines if x.price is not None), Decimal(0))


@pytest.mark.parametrize("aims", AIMS.values(), ids=AIMS)
@pytest.mark.parametrize(("card", "count", "ram"), NEEDS)
def test_exact_against_highs(shelf: Shelf, card: str, count: int, ram: int, aims: Aims) -> None:
    """The least score is the integer programme's."""
    wanted = need(card, count, ram)
    aimed = AimedShelf(shelf, wanted, aims, built(wanted, shelf))
    found, best = compose_desktop(wanted, aimed), cheapest(wanted, aimed)
    assert isinstance(found, Found), found
    assert best is not None
    assert float(found.cost) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize(
    ("aim", "trait", "sign"), [("quiet", "sound", 1), ("cool", "heat_w", 1), ("upgradable", "room", -1)]
)
@pytest.mark.parametrize(("card", "count", "ram"), NEEDS)
def test_better_in_what_was_asked_and_never_cheaper(
    shelf: Shelf, card: str, count: int, ram: int, aim: str, trait: str, sign: int
) -> None:
    """Against the cheapest machine, which has the least price; and the rules pass it."""
    plain = need(card, count, ram, server=False)
    least = built(plain, shelf)
    other = built(need(card, count, ram, AIMS[aim], server=False), shelf)
    assert sign * total(other, plain, shelf, trait) <= sign * total(least, plain, shelf, trait)
    assert price(other) >= price(least)
    place = Environment(region=Region.CN, volts=220, amps=16)
    assert check_build(other, place, bundled_catalogue()).verdict in (Status.OK, Status.WARNING)


def test_asked_for_room_gives_more_room(shelf: Shelf) -> None:
    """Not only no worse: one card's machine gets slots, brackets or watts for another."""
    plain = need("nvidia-rtx-5070ti-16", 1, 32)
    more = built(need("nvidia-rtx-5070ti-16", 1, 32, AIMS["upgradable"]), shelf)
    assert total(more, plain, shelf, "room") > total(built(plain, shelf), plain, shelf, "room") + 1


@pytest.mark.parametrize("aims", [None, Aims(), Aims(cost=5)])
def test_only_price_is_the_cheapest(shelf: Shelf, aims: Aims | None) -> None:
    """Without other weights nothing changes."""
    plain, asked = (need("nvidia-rtx-4090-24", 2, 96, given) for given in (None, aims))
    assert built(asked, shelf) == built(plain, shelf)


@pytest.mark.parametrize("aims", AIMS.values(), ids=AIMS)
def test_prices_of_lines_stay_prices(shelf: Shelf, aims: Aims) -> None:
    """Scores decide and are never shown: each line carries its part's own price."""
    for line in built(need("nvidia-l20-48", 8, 512, aims), shelf).lines:
        offered = shelf.pricer.price(line.kind, line.item)
        assert offered is not None
        assert line.price == offered.price
