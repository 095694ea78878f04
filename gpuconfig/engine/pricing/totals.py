"""The total of a build: low-high, the share that rests on assumed prices, the oldest date, what has no price."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildTotal:
    """Sum over all nodes and shared parts; reused parts cost nothing.

    Attributes:
        middle: the planning value.
        assumed_share: of `middle`, 0..1.
        oldest_date: ISO day of the oldest price taken.
        missing: names of parts without any price: the total is a lower bound.
    """

    total: MoneyRange
    middle: Money
    assumed_share: float
    oldest_date: str | None
    missing: tuple[str, ...] = ()


def priced_line(line: BomLine, pricer: Pricer) -> BomLine:
    """`line` with the planning price of its part."""
    found = pricer.price(line.kind, line.item)
    if found is None:
        return line
    return replace(
        line, offer=found.offer, price=found.price, converted=found.converted, assumed=found.assumed
    )


def priced(build: Build, pricer: Pricer) -> Build:
    """`build` with a planning price on every line that has one."""
    return replace(
        build,
        lines=tuple(priced_line(line, pricer) for line in build.lines),
        shared=tuple(priced_line(line, pricer) for line in build.shared),
    )


def total_of(build: Build, currency: Currency) -> BuildTotal:
    """The total of a priced build in `currency`."""
    lines = [(line, count) for line, count in build.all_lines() if not line.reused]
    ranges = [line.price * count for line, count in lines if line.price is not None]
    zero = Money(Decimal(0), currency)
    low = _sum((r.low for r in ranges), zero)
    high = _sum((r.high for r in ranges), zero)
    middle = _sum((r.middle() for r in ranges), zero)
    assumed = _sum((line.price.middle() * n for line, n in lines if line.price and line.assumed), zero)
    dates = [line.offer.date for line, _ in lines if line.offer is not None and line.offer.date]
    share = float(assumed.amount / middle.amount) if middle.amount else 0.0
    return BuildTotal(
        total=MoneyRange(low.rounded(), high.rounded()),
        middle=middle.rounded(),
        assumed_share=share,
        oldest_date=min(dates, default=None),
        missing=tuple(line.item.name for line, _ in lines if line.price is None),
    )


def _sum(amounts: Iterable[Money], zero: Money) -> Money:
    total = zero
    for amount in amounts:
        total = total + amount
    return total
