"""Processor time of the composer: at the bundled catalogue and with 29,000 parts.

`python -m tests.benchmarks.compose`

The large catalogue repeats every bundled part, a little dearer and a little different, as an import does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import product

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency, MoneyRange
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import Aims, Need
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator

VARIED = ("rated_w", "max_gpu_length_mm", "cooling_w", "tdp_w", "max_memory_bytes", "speed_mts", "height_mm")
SHELVES = (
    "boards",
    "cpus",
    "memory",
    "coolers",
    "supplies",
    "cases",
    "drives",
    "nics",
    "switches",
    "racks",
    "servers",
)
WISHES = (
    ("nvidia-rtx-5070ti-16", 1),
    ("nvidia-rtx-4090-24", 2),
    ("nvidia-rtx-pro-5000-48", 4),
    ("nvidia-l20-48", 8),
)
AIMS = Aims(cost=1, quiet=1, cool=1, upgradable=1)


class Crowded(Shelf):
    """A shelf with every part many times."""

    def __init__(self, base: Shelf, times: int) -> None:
        super().__init__(base.catalogue, base.pricer, base.rules)
        self.times = times

    def priced(self, kind: Kind, items):  # type: ignore[no-untyped-def]
        """Each part `times` times, each a little dearer."""
        return tuple(sorted(self._copies(super().priced(kind, items)), key=lambda p: (p.cost, p.item.id)))

    def _copies(self, parts) -> Iterator[Priced]:  # type: ignore[no-untyped-def, type-arg]
        for part in parts:
            for i in range(self.times):
                more = Decimal(1) + Decimal(i * 37 % 101) / 500
                ends = (part.price.price.low, part.price.price.high)
                price = MoneyRange(*(replace(end, amount=end.amount * more) for end in ends))
                other = {"id": f"{part.item.id}-{i}"}
                for name in VARIED:  # no two copies are alike in what the rules read
                    value = getattr(part.item, name, None)
                    if value is not None:
                        other[name] = type(value)(value + i * 0.5)
                yield Priced(replace(part.item, **other), replace(part.price, price=price))


def main() -> int:
    """Print the times."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"))
    small = Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)
    parts = sum(
        len(x) for x in (small.boards, small.memory, small.supplies, small.cases, small.drives, small.servers)
    ) + sum(len(v) for v in (*small.cpus.values(), *small.coolers.values()))
    for shelf, count in ((small, parts), (Crowded(small, -(-29_000 // parts)), None)):
        size = count or parts * shelf.times  # type: ignore[attr-defined]
        started = time.process_time()
        for name in SHELVES:  # the copies are the benchmark's own work, not the composer's
            getattr(shelf, name)
        sys.stdout.write(f"{size:6d} parts  on the shelf after {time.process_time() - started:.3f} s\n")
        for (name, cards), aims in product(WISHES, (None, AIMS)):
            need = Need(
                accelerator=bundled_catalogue().accelerator(name), per_node=cards, cores=max(6, 4 * cards),
                ram_bytes=max(32, 24 * cards) * 2**30, circuit_w=2816.0, aims=aims,
            )  # fmt: skip
            started = time.process_time()
            found = compose(need, shelf)
            seconds = time.process_time() - started
            what = "cheapest" if aims is None else "all aims"
            sys.stdout.write(
                f"{size:6d} parts  {cards}x {name:26s} {what:9s} {seconds:7.3f} s  {type(found).__name__}\n"
            )
            if not isinstance(found, Build):
                sys.stdout.write(f"        {found.message}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
