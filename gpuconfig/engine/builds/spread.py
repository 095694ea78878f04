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


def spread(ratings_w: Sequence[float], cards_w: Sequence[float], host_w: float) -> Spread:
    """The host on the weakest supply; then each card, the hungriest first, where it leaves the most room."""
    ratings = sorted(ratings_w, reverse=True)
    loads = [0.0] * len(ratings)
    loads[-1] += host_w
    taken = [0] * len(cards_w)
    for card in sorted(range(len(cards_w)), key=lambda i: -cards_w[i]):
        best = min(range(len(loads)), key=lambda i: (loads[i] + cards_w[card]) / ratings[i])
        loads[best] += cards_w[card]
        taken[card] = best
    return Spread(
        ratings_w=tuple(ratings), loads_w=tuple(loads), supply_of_card=tuple(taken), host=len(ratings) - 1
    )
