"""A robust minimiser: coordinate pattern search over logarithms, no derivatives, no dependencies beyond NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FIRST_STEP, LAST_STEP, GROW, SHRINK = 0.25, 0.005, 1.3, 0.5


@dataclass(frozen=True, slots=True)
class Free:
    """One positive number to fit: its place, its bounds, and how far (as a logarithm) it may be off."""

    index: int
    low: float
    high: float
    doubt: float


def minimise(
    loss: Callable[[Any], float], start: Any, free: Sequence[Free], rounds: int = 14, pull: float = 0.0015
) -> Any:
    """The vector near `start` that makes `loss` small.

    Each number may move within its bounds; moving it costs `pull` times the square of its distance in units of its
    doubt, so that what the data do not tell stays where it was.
    """
    start = np.asarray(start, float)
    best = start.copy()
    steps = np.full(len(free), FIRST_STEP)

    def cost(x: Any) -> float:
        apart = sum((np.log(x[f.index] / start[f.index]) / f.doubt) ** 2 for f in free)
        return loss(x) + pull * float(apart)

    lowest = cost(best)
    for _ in range(rounds):
        for i, item in enumerate(free):
            moved = False
            for sign in (1.0, -1.0):
                tried = best.copy()
                tried[item.index] = min(max(tried[item.index] * np.exp(sign * steps[i]), item.low), item.high)
                value = cost(tried)
                if value < lowest - 1e-7:
                    best, lowest, moved = tried, value, True
                    break
            steps[i] *= GROW if moved else SHRINK
        if steps.max() < LAST_STEP:
            break
    return best
