"""Order, Pareto front and the choice of the options that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.selection.performance import time_of
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.request import Weights
from gpuconfig.engine.workloads.request import Kind


def order(options: Sequence[Option], kind: Kind, weights: Weights | None) -> list[Option]:
    """Options best first with rank and Pareto mark.

    Those that meet target and budget come first, of them those that are known to work, then by three-year cost, then
    by time. With weights, the Pareto set comes first by the weighted sum of values scaled over it.
    """
    marked = mark_pareto(options, kind)
    if weights is None or not any((weights.cost, weights.time, weights.energy, weights.risk)):
        marked.sort(
            key=lambda o: (group(o), o.unproven, counted_cost(o), _time(o, kind), o.accelerator.id, o.count)
        )
    else:
        scores = _weighted(marked, kind, weights)
        marked.sort(
            key=lambda o: (
                group(o),
                o.unproven,
                not o.pareto,
                scores[id(o)],
                counted_cost(o),
                o.accelerator.id,
                o.count,
            )
        )
    return [replace(option, rank=i) for i, option in enumerate(marked, start=1)]


def shown(options: Sequence[Option], count: int) -> tuple[Option, ...]:
    """The first options that differ in card or count, at most `count`, ranked anew."""
    chosen: list[Option] = []
    seen: set[tuple[str, int]] = set()
    for option in options:
        key = (option.accelerator.id, option.count)
        if key not in seen and len(chosen) < count:
            seen.add(key)
            chosen.append(replace(option, rank=len(chosen) + 1))
    return tuple(chosen)


def cost(option: Option) -> Decimal:
    """Three-year cost, the price where there is none."""
    return (option.price.total.middle() if option.tco is None else option.tco.planned()).amount


def counted_cost(option: Option) -> Decimal:
    """The value options are ordered by: what an estimate without a measurement near it is off counts as cost."""
    return cost(option) * (1 + Decimal(str(option.premium)))


def price(option: Option) -> Decimal:
    """Planning price."""
    return option.price.total.middle().amount


def mark_pareto(options: Sequence[Option], kind: Kind) -> list[Option]:
    """Options marked where no other is both cheaper to buy and faster; an unproven one beats no proven one."""
    by_price = sorted(options, key=lambda o: (price(o), _time(o, kind)))
    fastest = fastest_proven = float("inf")
    front = set()
    for option in by_price:
        seconds = _time(option, kind)
        if seconds < (fastest if option.unproven else fastest_proven):
            front.add(id(option))
        fastest = min(fastest, seconds)
        if not option.unproven:
            fastest_proven = min(fastest_proven, seconds)
    return [replace(o, pareto=id(o) in front) for o in options]


def group(option: Option) -> int:
    """0 for what meets target and budget; the more it misses, the higher."""
    return (0 if option.meets_target is not False else 1) + (0 if option.within_budget else 2)


def _time(option: Option, kind: Kind) -> float:
    seconds = time_of(option.estimate, kind)
    return float("inf") if seconds is None else seconds


def _weighted(options: Sequence[Option], kind: Kind, weights: Weights) -> dict[int, float]:
    """Weighted sum per option of values scaled 0..1 over the Pareto set; unknown counts as the worst."""
    columns = {
        "cost": [float(cost(o)) for o in options],
        "time": [_time(o, kind) for o in options],
        "energy": [_energy(o) for o in options],
        "risk": [o.risk for o in options],
    }
    totals = [0.0] * len(options)
    for name, values in columns.items():
        weight = getattr(weights, name)
        known = [v for v, o in zip(values, options, strict=True) if o.pareto and v < float("inf")]
        low, high = min(known, default=0.0), max(known, default=1.0)
        spread = (high - low) or 1.0
        for i, value in enumerate(values):
            totals[i] += weight * (10.0 if value == float("inf") else (value - low) / spread)
    return {id(o): totals[i] for i, o in enumerate(options)}


def _energy(option: Option) -> float:
    value = None if option.tco is None else option.tco.energy_kwh.value
    return float("inf") if value is None else value
