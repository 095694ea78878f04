"""What carries a card away from its slot: a ribbon, or adapters at both ends of cables; the cheapest sound one.

Only carriers that no rule of risers and cables warns of are taken: a ribbon within the length of its generation,
cables within theirs, at generation 5 a host adapter that renews the signal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal

from gpuconfig.engine.builds.placement import Placement, Seat
from gpuconfig.engine.catalogue.peripheral import Riser
from gpuconfig.engine.compatibility.cables import Plug, plug_of
from gpuconfig.engine.selection.composer.shelf import RULES, Priced, Shelf

Carrier = tuple[tuple[Priced[Riser], int], ...]
WHOLE, HALF = 16, 8
PASSIVE_UP_TO = 4
"""From the next generation on a host adapter must renew the signal."""


class Carriers:
    """Carriers by generation and width of the link, for cards of one generation."""

    def __init__(self, shelf: Shelf, card_generation: int | None) -> None:
        self._shelf = shelf
        self._card = card_generation
        self._known: dict[tuple[int, int, int], Carrier | None] = {}

    def carrier_for(self, placement: Placement) -> Carrier | None:
        """All parts that carry the cards of a placement; None where one of them has none."""
        cards: dict[int, list[Seat]] = defaultdict(list)
        for seat in placement.seats:
            cards[seat.slot.position].append(seat)
        total: Counter[str] = Counter()
        parts: dict[str, Priced[Riser]] = {}
        for seats in cards.values():
            found = self._cheapest(self._generation(seats[0]), seats[0].lanes or WHOLE, len(seats))
            if found is None:
                return None
            for part, count in found:
                total[part.item.id] += count
                parts[part.item.id] = part
        return tuple((parts[item], count) for item, count in total.items())

    def _generation(self, seat: Seat) -> int:
        known = [g for g in (self._card, seat.slot.generation) if g is not None]
        return min(known, default=PASSIVE_UP_TO)

    def _cheapest(self, generation: int, lanes: int, cards: int) -> Carrier | None:
        key = (generation, WHOLE if lanes > HALF else HALF, cards)
        if key not in self._known:
            tried = [*self._of_cables(*key), *(self._ribbons(generation) if cards == 1 else ())]
            self._known[key] = min(tried, key=cost_of, default=None)
        return self._known[key]

    def _ribbons(self, generation: int) -> list[Carrier]:
        found: list[Carrier] = []
        for part in self._shelf.risers:
            item = part.item
            if "ribbon" not in item.riser_type.lower() or (item.pcie_generation or 0) < generation:
                continue
            limit = self._shelf.rules.find(RULES, "riser_passive_mm", str(item.pcie_generation))
            short = limit is None or limit.value is None or (item.length_mm or 1e9) <= limit.value
            if (item.lanes or 0) >= WHOLE and short:
                found.append(((part, 1),))
        return found

    def _of_cables(self, generation: int, lanes: int, cards: int) -> list[Carrier]:
        """A host adapter in the slot, an adapter under each card, a cable for each 8 lanes."""
        cables = max(1, lanes // HALF)
        cheapest: dict[tuple[str, Plug], Priced[Riser]] = {}
        for part in self._shelf.risers:
            role, plug = self._role(part.item, generation, lanes), plug_of(part.item)
            if role and plug is not None and (part.item.pcie_generation or 0) >= generation:
                known = cheapest.get((role, plug))
                cheapest[role, plug] = part if known is None or part.cost < known.cost else known
        found: list[Carrier] = []
        for plug in Plug:
            parts = [cheapest.get((role, plug)) for role in ("host", "end", "cable")]
            if all(parts):
                numbers = (1, cards, cables * cards)
                found.append(tuple((p, n) for p, n in zip(parts, numbers, strict=True) if p is not None))
        return found

    def _role(self, item: Riser, generation: int, lanes: int) -> str:
        """What the part is on the way; empty where it is none of them, or not sound at the generation."""
        kind = item.riser_type.lower()
        if "host adapter" in kind and (item.redriver or generation <= PASSIVE_UP_TO):
            return "host"
        if "device adapter" in kind and _width(item) == lanes:
            return "end"
        return "cable" if kind == "cable" and item.lanes == HALF and self._holds(item) else ""

    def _holds(self, cable: Riser) -> bool:
        """Whether the cable is within the length that its generation carries, where that is recorded."""
        plug = plug_of(cable)
        name = f"riser_{'' if plug is None else plug.value.lower()}_mm"
        limit = self._shelf.rules.find(RULES, name, str(cable.pcie_generation))
        return limit is None or limit.value is None or (cable.length_mm or 1e9) <= limit.value


def cost_of(carrier: Carrier) -> Decimal:
    """What all its parts cost."""
    return sum((part.cost * count for part, count in carrier), Decimal(0))


def adapters_fed(carrier: Carrier) -> int:
    """Device adapters, each of which takes a plug of a supply."""
    return sum(n for part, n in carrier if "device adapter" in part.item.riser_type.lower())


def _width(adapter: Riser) -> int:
    return WHOLE if (adapter.lanes or 0) > HALF else HALF
