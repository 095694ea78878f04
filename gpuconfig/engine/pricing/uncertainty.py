"""How sure a cost is: every range sampled at once, what matters most, which option is likelier the cheaper.

Forecasts only: a sampled amount is never payable. The same inputs give the same draws, always.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np

from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.pricing.case import Band, CostCase, cost_graph

DRAWS = 10_000
SEED = 20_261_202
CURVES = frozenset({"card_value_share", "host_value_share", "period_price"})
"""Inputs of several values that move together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What nine of ten draws lie below and above, and the middle one."""

    p10: float
    p50: float
    p90: float


@dataclass(frozen=True, slots=True)
class Swing:
    """What one input alone does to a quantity at its two ends, the others as planned."""

    name: str
    at_low: float
    at_high: float

    @property
    def width(self) -> float:
        """How far the quantity moves."""
        return abs(self.at_high - self.at_low)


def sample(case: CostCase, name: str = "total_cost", draws: int = DRAWS) -> Value:
    """`draws` values of a quantity, every input drawn from its range (triangular around the planning value)."""
    columns = {key: _drawn(key, band, case.key, draws) for key, band in case.bands.items()}
    return np.broadcast_to(cost_graph().evaluate(columns, (name,))[name], (draws,))


def spread(draws: Value) -> Spread:
    """P10, P50 and P90; NaN where any draw is unknown."""
    p10, p50, p90 = np.percentile(draws, (10, 50, 90))
    return Spread(p10=float(p10), p50=float(p50), p90=float(p90))


def tornado(case: CostCase, name: str = "total_cost") -> tuple[Swing, ...]:
    """What moves a quantity, widest first; inputs that move nothing are left out."""
    moving = [key for key, band in case.bands.items() if band.low != band.high]
    rows = 2 * len(moving)
    columns: dict[str, Value] = {}
    for key, band in case.bands.items():
        column = np.array([band.value] * max(rows, 1), dtype=float)
        if key in moving:
            place = 2 * moving.index(key)
            column[place], column[place + 1] = band.low, band.high
        columns[key] = column
    found = np.broadcast_to(cost_graph().evaluate(columns, (name,))[name], (max(rows, 1),))
    swings = [
        Swing(key, float(found[2 * i]), float(found[2 * i + 1]))
        for i, key in enumerate(moving)
        if math.isfinite(found[2 * i]) and math.isfinite(found[2 * i + 1])
    ]
    return tuple(sorted((s for s in swings if s.width > 0), key=lambda s: -s.width))


def likelier_cheaper(first: CostCase, second: CostCase, draws: int = DRAWS) -> float:
    """Probability that the first costs less than the second: what they share is drawn once for both."""
    return float(np.mean(sample(first, draws=draws) < sample(second, draws=draws)))


def _drawn(name: str, band: Band, key: str, draws: int) -> Value:
    value = np.array(band.value, dtype=float)
    if band.low == band.high:
        return value[None, ...]
    stream = zlib.crc32(f"{name}|{key}".encode() if band.own else name.encode())
    uniform = np.random.default_rng([SEED, stream]).random(draws)
    low, high = np.array(band.low, dtype=float), np.array(band.high, dtype=float)
    if value.ndim:
        uniform = uniform[:, None]
    span = np.where(high > low, high - low, 1.0)
    turn = (value - low) / span
    rising = low + np.sqrt(uniform * span * (value - low))
    falling = high - np.sqrt((1 - uniform) * span * (high - value))
    return np.where(uniform < turn, rising, falling)
