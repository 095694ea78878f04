"""What a machine shall be besides cheap: quiet, cool, open for more cards; still an exact optimum.

Each aim is a sum over the parts: sound energy (levels of independent sources add as energies), watts of heat, room
for further cards. A weighted sum of price and aims is then a sum over parts too: a part's price is replaced by its
score, and the same enumeration finds the optimum. Aims are scaled by the cheapest machine, so that with equal weights
one per cent of its price is worth one per cent of its noise, of its heat or of its room. Cards are no choice of the
composer and stay out of every sum. Where no datum says how loud a part is, it counts as the loudest of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.selection.composer.need import Aims, Need
from gpuconfig.engine.selection.composer.shelf import RULES, Item, Priced, Shelf

TIE = 1e-6
"""Weight of the price where none is given: of equally good machines the cheapest."""
HOLDING = 3
"""Parts that limit further cards: slots of the board, brackets of the case, watts of the supply."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Of a part or a machine without its cards: sound energy, watts of heat, cards it has room for."""

    sound: float = 0.0
    heat_w: float = 0.0
    room: float = 0.0


class AimedShelf(Shelf):
    """The parts of another shelf by their score for one need.

    Args:
        cheapest: the machine that aims are scaled by.
    """

    def __init__(self, base: Shelf, need: Need, aims: Aims, cheapest: Build) -> None:
        super().__init__(base.catalogue, base.pricer, base.rules, base.owned)
        self._base, self._need, self._aims = base, need, aims
        own = [line for line in cheapest.lines if line.kind is not Kind.ACCELERATOR]
        price = sum(
            float(line.price.middle().amount) * line.quantity for line in own if line.price is not None
        )
        traits = [(traits_of(line.item, need, base), line.quantity) for line in own]
        self._price = price or 1.0
        self._sound = sum(t.sound * n for t, n in traits) or 1.0
        self._heat = sum(t.heat_w * n for t, n in traits) or 1.0
        self._room = sum(t.room * n for t, n in traits) or 1.0

    def priced(self, kind: Kind, items: Iterable[Item]) -> tuple[Priced[Item], ...]:
        """The base's parts, best score first."""
        scored = [replace(part, score=self._score(kind, part)) for part in self._base.priced(kind, items)]
        return tuple(sorted(scored, key=lambda p: (p.cost, p.item.id)))

    def weighed(self, amount: Decimal) -> Decimal:
        """Money counts by its weight."""
        return amount * Decimal(str(max(self._aims.cost, TIE)))

    def _score(self, kind: Kind, part: Priced[Item]) -> Decimal:
        aims, found = self._aims, traits_of(part.item, self._need, self._base)
        worse = aims.quiet * found.sound / self._sound + aims.cool * found.heat_w / self._heat
        worse += aims.upgradable * (self._most.get(kind, 0.0) - found.room) / self._room
        return Decimal(str(round(max(aims.cost, TIE) * float(part.cost) + self._price * worse, 6)))

    @cached_property
    def _most(self) -> dict[Kind, float]:
        """Most room a part of each kind has; of a desktop's parts and of a server the same sum.

        Room is good and scores are bad: what counts is what lacks to the most. Both forms start from one sum, else
        their scores could not be compared.
        """
        base, most = self._base, {}
        for kind, parts in (
            (Kind.MOTHERBOARD, base.boards),
            (Kind.CHASSIS, base.cases),
            (Kind.POWER_SUPPLY, base.supplies),
            (Kind.SERVER, base.servers),
        ):
            most[kind] = max((traits_of(p.item, self._need, base).room for p in parts), default=0.0)
        single = sum(room for kind, room in most.items() if kind is not Kind.SERVER)
        most[Kind.MOTHERBOARD] += max(0.0, most[Kind.SERVER] - single)
        most[Kind.SERVER] = max(most[Kind.SERVER], single)
        return most


def traits_of(item: CatalogueItem, need: Need, shelf: Shelf) -> Traits:
    """What one piece adds to noise, heat and room."""
    rules, loads = shelf.rules, shelf.loads
    cards_w = need.card_w() * need.per_node
    match item:
        case Cpu():
            return Traits(heat_w=item.tdp_w or 0.0)
        case MemoryKit():
            return Traits(heat_w=(loads.rdimm_w if item.registered else loads.udimm_w) * item.modules)
        case Cooler():
            return Traits(sound=_energy(item.noise_dba, "cpu_cooler", shelf))
        case PowerSupply():
            share = shelf.rule("continuous_share")
            watts = max(need.card_w(), 1.0)
            return Traits(heat_w=_lost(item.efficiency, cards_w, shelf), room=item.rated_w * share / watts)
        case Motherboard():
            wide = [
                s for s in item.slots if s.physical_lanes >= 16 and (s.electrical_lanes or 0) >= need.lanes
            ]
            return Traits(room=float(len(wide)))
        case Chassis():
            return Traits(room=(item.expansion_slots or 0) / max(1.0, need.accelerator.slots or 1.0))
        case ServerPlatform():
            return Traits(
                sound=_energy(item.noise_dba, "rack_server", shelf),
                heat_w=(item.base_power_w or rules.value(RULES, "load_server_base_w"))
                + _lost(item.efficiency, cards_w, shelf),
                room=float(HOLDING * (item.accelerator_count or 0)),
            )
    return Traits()


def _energy(level_dba: float | None, source: str, shelf: Shelf) -> float:
    """Sound energy relative to 0 dB(A)."""
    if level_dba is None:
        level_dba = shelf.rules.band(RULES, "noise_dba", source)[1]
    return float(10 ** (level_dba / 10))


def _lost(efficiency: str, cards_w: float, shelf: Shelf) -> float:
    """Watts a supply of that class loses on the way to the cards, at half load and 230 V."""
    named = [w for w in ("titanium", "platinum", "gold") if w in efficiency.lower()]
    return cards_w * (1 / shelf.rules.value(RULES, "efficiency_230", *named[:1]) - 1)
