"""Supplies for one load: one, or several of at most two models, each within the 80 % rule, its plugs and its outlet.

A supply that the buyer owns is kept up to the share at which the rule of continuous load still passes it.

One supply is taken where one will do, and never more than must be: each more is a plug, a start and an outlet more.
A machine never has less than the maker of its cards asks for.
Several supplies deal the cards out as the rule of several supplies does: host on the weakest, a card with its riser
on one supply. Of parts that something else beats in every respect none is tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations_with_replacement

from gpuconfig.engine.builds.feeds import EPS_ADAPTER, most_cards, offered, plug
from gpuconfig.engine.builds.spread import spread
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.peripheral import Cable
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.efficiency import CLASSES, efficiency_at, wall_w
from gpuconfig.engine.compatibility.machine import HALF_LOAD
from gpuconfig.engine.compatibility.transient import excursion_ratio, survives_transient, version_of
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf

STARTER = "supply starter"


@dataclass(frozen=True, slots=True)
class Feeding:
    """Supplies that stand together, the strongest first, and the cables that go with them.

    Attributes:
        starter: what starts the others with the first.
        adapters: from 8-pin plugs to the EPS sockets of the cards, with their number.
    """

    cost: Decimal
    supplies: tuple[tuple[Priced[PowerSupply], int], ...]
    starter: Priced[Cable] | None = None
    adapters: tuple[Priced[Cable], int] | None = None

    def count(self) -> int:
        """Supplies in all."""
        return sum(n for _, n in self.supplies)


class Feedings:
    """Answers for one need.

    Args:
        places: the most supplies that any case in question holds.
        fed: device adapters at the ends of cables, each of which takes a plug.
    """

    def __init__(self, need: Need, shelf: Shelf, blame: Blame, places: int) -> None:
        self._need, self._shelf, self._blame, self._places = need, shelf, blame, places
        self._share = shelf.rule("continuous_share")
        self._kept, self._one_kept = shelf.rule("continuous_tolerance"), shelf.rule("one_supply_tolerance")
        self._circuit = need.circuit_w
        self._peaks = [(need.card_w(), excursion_ratio(need.accelerator, shelf.rules), need.per_node)]
        self._asked = 0.0 if need.is_capped() else need.accelerator.recommended_psu_w or 0.0
        self._sound = [s for s in shelf.supplies if self._at_this_voltage(s.item)]
        self._known: dict[tuple[str, bool], int] = {}
        self._several: dict[int, list[Feeding]] = {}
        self._adapter = next((c for c in shelf.cables if c.item.cable_type == EPS_ADAPTER), None)

    def for_load(self, watts: float, fed: int) -> Iterator[Iterable[Feeding]]:
        """Those that carry `watts`, cheapest first; first those of one supply, then of two, and so on."""
        singles = [self._adapted(Feeding(s.cost, ((s, 1),))) for s in self._singles(watts, fed)]
        yield _shorter_only(sorted(singles, key=lambda f: f.cost))
        for total in range(2, self._places + 1):
            yield (f for f in self._sets(total) if self._carries(f, watts, fed))

    def _singles(self, watts: float, fed: int) -> list[Priced[PowerSupply]]:
        best = efficiency_at(self._shelf.rules, self._need.volts, HALF_LOAD, CLASSES[0])
        if self._circuit is not None and watts > self._circuit * best:
            usual = efficiency_at(self._shelf.rules, self._need.volts, HALF_LOAD)
            self._blame.circuit(watts / usual, self._circuit)
            return []
        need = self._need
        plugged = [s for s in self._sound if self._most(s.item, fed > 0) >= need.per_node]
        strong = [s for s in plugged if self._is_strong(((s, 1),), watts)]
        if not strong:
            most = max((s.item.rated_w for s in self._shelf.supplies), default=0.0) * self._share
            if most * self._places < watts:
                self._blame.watts(watts, most * self._places)
            elif most >= watts:
                self._blame.connectors(need)
        if self._circuit is not None:
            drawn = [(s, self._drawn([(s.item, watts)])) for s in strong]
            strong = [s for s, wall in drawn if wall <= self._circuit]
            if drawn and not strong:
                self._blame.circuit(min(wall for _, wall in drawn), self._circuit)
        return [s for s in strong if survives_transient([(s.item, 1)], watts, self._peaks, self._shelf.rules)]

    def _sets(self, total: int) -> list[Feeding]:
        """`total` supplies of at most two models, cheapest first."""
        if total not in self._several:
            starter = next((c for c in self._shelf.cables if c.item.cable_type == STARTER), None)
            atx = [s for s in self._sound if not s.item.redundant and _is_atx(s.item)]
            # One that is owned is free only as often as it is there: it beats none that can be bought.
            models = [
                *(s for s in atx if s.price is None),
                *_unbeaten([s for s in atx if s.price is not None]),
            ]
            pairs = combinations_with_replacement(models if starter is not None else (), 2)
            mixes = (mix for pair in pairs for mix in _mixes(*pair, total, starter))
            found = [self._adapted(mix) for mix in mixes if self._are_there(mix.supplies)]
            self._several[total] = sorted(found, key=lambda f: f.cost)
        return self._several[total]

    def _carries(self, feeding: Feeding, watts: float, fed: int) -> bool:
        need = self._need
        each = [part.item for part, n in feeding.supplies for _ in range(n)]
        if not self._is_strong(feeding.supplies, watts):
            return False
        circuits = min(len(each), need.circuits or len(each))
        room = [self._most(s, fed > 0) for s in each]
        if sum(room) < need.per_node:
            return False
        dealt = spread([s.rated_w for s in each], [need.card_w()] * need.per_node,
                       watts - need.card_w() * need.per_node, room)  # fmt: skip
        if not each[dealt.host].eps_8:
            return False
        loads = list(zip(each, dealt.loads_w, strict=True))
        share = self._one_kept if self._is_owned(feeding.supplies) else self._share
        if any(load > supply.rated_w * share for supply, load in loads):
            return False
        if self._circuit is not None and (
            self._drawn(loads) > self._circuit * circuits
            or any(self._drawn([one]) > self._circuit for one in loads)
        ):
            return False
        pairs = [(part.item, n) for part, n in feeding.supplies]
        return survives_transient(pairs, watts, self._peaks, self._shelf.rules)

    def _is_strong(self, supplies: tuple[tuple[Priced[PowerSupply], int], ...], watts: float) -> bool:
        """Whether the ratings carry the load: bought by the 80 % rule and the cards' maker, owned as the check does."""
        rated = sum(part.item.rated_w * n for part, n in supplies)
        if self._is_owned(supplies):
            return watts <= rated * self._kept
        return rated >= max(self._asked, watts / self._share)

    def _are_there(self, supplies: tuple[tuple[Priced[PowerSupply], int], ...]) -> bool:
        """Whether no more of an owned model are taken than the person has."""
        owned = self._shelf.owned_count
        return all(p.price is not None or n <= owned(Kind.POWER_SUPPLY, p.item.id) for p, n in supplies)

    def _is_owned(self, supplies: tuple[tuple[Priced[PowerSupply], int], ...]) -> bool:
        """Whether nothing of them is bought."""
        return all(self._shelf.owned_count(Kind.POWER_SUPPLY, part.item.id) >= n for part, n in supplies)

    def _drawn(self, loads: Iterable[tuple[PowerSupply, float]]) -> float:
        """Watts at the wall."""
        return wall_w(self._shelf.rules, self._need.volts, loads)

    def _most(self, supply: PowerSupply, fed: bool) -> int:
        """Cards that its plugs feed, of all."""
        key = (supply.id, fed)
        if key not in self._known:
            known = supply.pcie_16 is not None and supply.pcie_6plus2 is not None
            need = self._need
            self._known[key] = most_cards(supply, need.accelerator, need.per_node, fed) if known else 0
        return self._known[key]

    def _adapted(self, feeding: Feeding) -> Feeding:
        """With the adapters that cards with EPS sockets take where the supplies have no such plug to spare."""
        offer = offered((part.item, n) for part, n in feeding.supplies)
        if self._adapter is None or offer is None:
            return feeding
        plugging = plug([(self._need.accelerator, self._need.per_node)], 1, offer)
        if plugging is None or not plugging.eps_adapters:
            return feeding
        count = plugging.eps_adapters
        return replace(
            feeding, cost=feeding.cost + self._adapter.cost * count, adapters=(self._adapter, count)
        )

    def _at_this_voltage(self, supply: PowerSupply) -> bool:
        volts, least = self._need.volts, supply.full_power_min_volts
        return volts is None or least is None or volts >= least


def _mixes(
    first: Priced[PowerSupply], second: Priced[PowerSupply], total: int, starter: Priced[Cable] | None
) -> Iterator[Feeding]:
    """Every share of two models; of one model where both are the same."""
    strong, weak = sorted((first, second), key=lambda s: -s.item.rated_w)
    for n in (total,) if first is second else range(1, total):
        parts = ((strong, n),) if n == total else ((strong, n), (weak, total - n))
        cost = sum((part.cost * count for part, count in parts), Decimal(0))
        more = Decimal(0) if starter is None else starter.cost * (total - 1)
        yield Feeding(cost + more, parts, starter)


def _is_atx(supply: PowerSupply) -> bool:
    return supply.form_factor.upper() == "ATX"


def _unbeaten(supplies: list[Priced[PowerSupply]]) -> list[Priced[PowerSupply]]:
    """Those that no cheaper one beats in watts, plugs and standing of peaks."""
    kept: list[Priced[PowerSupply]] = []
    for part in supplies:
        mine = _worth(part.item)
        if not any(all(a >= b for a, b in zip(_worth(k.item), mine, strict=True)) for k in kept):
            kept.append(part)
    return kept


def _worth(supply: PowerSupply) -> tuple[float, ...]:
    peak = {"crps": 0.0, "2": 1.0, "3.0": 2.0, "3.1": 3.0}[version_of(supply)]
    plugs = (supply.pcie_16, supply.pcie_6plus2, supply.eps_8)
    return (supply.rated_w, peak, *(-1.0 if p is None else float(p) for p in plugs))


def _shorter_only(feedings: Iterable[Feeding]) -> list[Feeding]:
    """Of strong enough single supplies of one form those that are shorter than every cheaper one.

    One of unknown length is never known to fit into a case; in an open frame the cheapest does.
    """
    shortest: dict[str, float] = {}
    kept = []
    for feeding in feedings:
        supply = feeding.supplies[0][0].item
        form, length = supply.form_factor.upper(), supply.length_mm
        first = form not in shortest
        if first or (length is not None and length < shortest[form]):
            shortest[form] = math.inf if length is None else length
            kept.append(feeding)
    return kept
