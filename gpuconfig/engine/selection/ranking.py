"""Order, Pareto front and the choice of the options that are shown.

What is not known never wins over what is: it counts as cost. An option's counted cost is its cost over the years and,
as shares of it, the parts of its premium:

- `unmeasured`: nothing on its kind of card was measured: what such estimates are off;
- `assumed_price`: prices that nobody was seen to ask here, or not on a known day: how far they are off what is asked,
  or the dear end of their own range where that is further;
- `several_machines`: setting up and keeping machines that must work as one;
- `target`: an asked target that the estimate's band crosses: the share at which costs are taken for equal, in full
  where it is as likely missed as met.

So an option of that kind stands first only where it is cheaper by more than what is not known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.vocabulary import PriceKind
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.selection.performance import TAIL, time_of
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.request import Weights
from gpuconfig.engine.workloads.request import Kind

GROUP = "selection"
UNMEASURED, ASSUMED_PRICE, SEVERAL_MACHINES, TARGET = (
    "unmeasured",
    "assumed_price",
    "several_machines",
    "target",
)
"""Parts of the premium."""
OF_PURCHASE = frozenset({ASSUMED_PRICE, SEVERAL_MACHINES})
"""Parts that come with buying: a rent is asked in dated price lists, and the provider sets its machines up."""
WORST = 10.0
"""What an unknown value counts in a weighted order, on the scale that the Pareto set spans from 0 to 1."""

Key = Callable[[Option], tuple[object, ...]]


def order(options: Sequence[Option], kind: Kind, weights: Weights | None) -> list[Option]:
    """Options best first with rank and Pareto mark.

    Those that meet target and budget come first, of them those that are known to work, then by counted cost, then
    by time. With weights, the weighted sum of values scaled over the Pareto set orders them; where cost and time
    alone are weighted, that set, which is of price and time, comes first.
    """
    marked = mark_pareto(options, kind)
    marked.sort(key=order_key(marked, kind, weights))
    return [replace(option, rank=i) for i, option in enumerate(marked, start=1)]


def order_key(options: Sequence[Option], kind: Kind, weights: Weights | None) -> Key:
    """What `options`, marked, are ordered by."""
    if weights is None or by_cost(weights):
        return lambda o: (
            group(o), not known(o), counted_cost(o), _time(o, kind), o.accelerator.id, o.count,
        )  # fmt: skip
    scores = _weighted(options, kind, weights)
    front = not weights.energy and not weights.risk
    return lambda o: (
        group(o), not known(o), front and not o.pareto, scores[id(o)], counted_cost(o), o.accelerator.id, o.count,
    )  # fmt: skip


def by_cost(weights: Weights | None) -> bool:
    """Whether cost alone orders what is known to work: nothing is weighted."""
    return weights is None or not any((weights.cost, weights.time, weights.energy, weights.risk))


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


def machine_of(option: Option) -> tuple[str, int, int]:
    """What tells one machine from another."""
    return option.accelerator.id, option.count, option.nodes


def cost(option: Option) -> Decimal:
    """Three-year cost, the price where there is none."""
    return (option.price.planned() if option.tco is None else option.tco.planned()).amount


def counted_cost(option: Option) -> Decimal:
    """The value options are ordered by: what is not known of an option counts as cost."""
    return cost(option) * (1 + Decimal(str(option.premium)))


def premium_parts(
    build: Build, planned: Decimal, evidence: float, chance: float, coefficients: CoefficientSet
) -> Mapping[str, float]:
    """Shares by which an option counts dearer in the order, by what is not known of it; zeros are left out.

    Args:
        build: with its prices.
        planned: its cost over the years, in the currency of the prices.
        evidence: 0 where its kind of card was measured, 1 where nothing near it was.
        chance: of missing an asked target.
    """
    named = {
        UNMEASURED: evidence * coefficients.value(GROUP, "unmeasured_premium"),
        TARGET: min(1.0, max(0.0, chance - TAIL) / (0.5 - TAIL))
        * coefficients.value(GROUP, "target_premium"),
    }
    if planned > 0:
        lines = [
            (line, count) for line, count in build.all_lines() if line.price is not None and not line.reused
        ]
        doubt = sum((_price_doubt(line, coefficients) * count for line, count in lines), Decimal(0))
        paid = sum(
            (line.price.middle().amount * n for line, n in lines if line.price is not None), Decimal(0)
        )
        several = coefficients.value(GROUP, "several_machines_premium") if build.nodes > 1 else 0.0
        named[ASSUMED_PRICE] = float(doubt / planned)
        named[SEVERAL_MACHINES] = several * float(paid / planned)
    return {name: round(share, 4) for name, share in named.items() if round(share, 4) > 0}


def _price_doubt(line: BomLine, coefficients: CoefficientSet) -> Decimal:
    """What the price of one piece may be above its planning value because nobody was seen to ask it here."""
    if line.price is None or line.offer is None or (not line.assumed and line.offer.date):
        return Decimal(0)
    middle = line.price.middle().amount
    kind = "assumed" if line.offer.kind is PriceKind.ASSUMED or not line.assumed else "converted"
    share = Decimal(str(coefficients.value(GROUP, "price_premium", kind)))
    return max(middle * share, line.price.high.amount - middle)


def price(option: Option) -> Decimal:
    """Planning price."""
    return option.price.planned().amount


def known(option: Option) -> bool:
    """Whether all of it has a price and nothing speaks against its working."""
    return not option.unproven and not option.price.missing


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
        "cost": [float(counted_cost(o)) for o in options],
        "time": [_time(o, kind) for o in options],
        "energy": [_energy(o) for o in options],
        "risk": [float("inf") if o.risk is None else o.risk for o in options],
    }
    totals = [0.0] * len(options)
    for name, values in columns.items():
        weight = getattr(weights, name)
        known = [v for v, o in zip(values, options, strict=True) if o.pareto and v < float("inf")]
        low, high = min(known, default=0.0), max(known, default=1.0)
        spread = (high - low) or 1.0
        for i, value in enumerate(values):
            totals[i] += weight * (WORST if value == float("inf") else (value - low) / spread)
    return {id(o): totals[i] for i, o in enumerate(options)}


def _energy(option: Option) -> float:
    value = None if option.tco is None else option.tco.energy_kwh.value
    return float("inf") if value is None else value
