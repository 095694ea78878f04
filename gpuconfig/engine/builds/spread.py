"""Cards dealt out over several supplies: which feeds what, and how full each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Loads of supplies, the strongest first.

    Attributes:
        supply_of_card: for each card the supply it hangs on.
        host: the supply that feeds everything but the cards.
    """

    ratings_w: tuple[float, ...]
    loads_w: tuple[float, ...]
    supply_of_card: tuple[int, ...]
    host: int

    def fullest(self) -> float:
        """Greatest share of a rating."""
        return max(load / rated for load, rated in zip(self.loads_w, self.ratings_w, strict=True))


def spread(
    ratings_w: Sequence[float], cards_w: Sequence[float], host_w: float, most: Sequence[int] | None = None
) -> Spread:
    """The dealing whose fullest supply is the least full: of equal cards the best there is.

    The host hangs on the weakest supply unless another one serves better; then each card, the hungriest first, goes
    where it leaves the most room.

    Args:
        most: cards that the plugs of each supply feed, in the order of `ratings_w`; None: plugs do not bind.
    """
    count = len(cards_w)
    limits = [count] * len(ratings_w) if most is None else most
    order = sorted(range(len(ratings_w)), key=ratings_w.__getitem__, reverse=True)
    ratings, room = tuple(ratings_w[i] for i in order), [limits[i] for i in order]
    if sum(room) < count:
        room = [count] * len(room)  # no dealing feeds them all: the rule of connectors says it
    tried = (_dealt(ratings, cards_w, host_w, host, list(room)) for host in reversed(range(len(ratings))))
    return min(tried, key=lambda s: round(s.fullest(), 9))


def _dealt(
    ratings: tuple[float, ...], cards_w: Sequence[float], host_w: float, host: int, room: list[int]
) -> Spread:
    loads = [0.0] * len(ratings)
    loads[host] += host_w
    taken = [0] * len(cards_w)
    for card in sorted(range(len(cards_w)), key=cards_w.__getitem__, reverse=True):
        _, best = min([((loads[i] + cards_w[card]) / ratings[i], i) for i, left in enumerate(room) if left])
        loads[best] += cards_w[card]
        room[best] -= 1
        taken[card] = best
    return Spread(ratings_w=ratings, loads_w=tuple(loads), supply_of_card=tuple(taken), host=host)
