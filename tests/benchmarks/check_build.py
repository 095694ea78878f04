"""Time of one check (`python -m tests.benchmarks.check_build`): real parts lists, and complete machines with faults.

Processor time. A list is read from its names as the command line reads it and judged with priced remedies. The
first round also fills what a process keeps (words of the catalogue's names, prices of a region); every later
round has another ambient temperature, so that no answer is a repeated one.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.parts_list import check_parts
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.benchmarks.compose import WISHES
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator

LISTS = Path(__file__).parent.parent / "data" / "builds.jsonl"
ROUNDS = 5
EXCHANGED = (Kind.POWER_SUPPLY, Kind.CHASSIS, Kind.COOLER, Kind.MEMORY, Kind.MOTHERBOARD, Kind.CPU)


def main() -> int:
    """Print median, 95th percentile and the slowest of each round."""
    lists = [json.loads(line)["parts"] for line in LISTS.read_text(encoding="utf-8").splitlines()]
    catalogue = bundled_catalogue()
    pricers = RegionalPricers(catalogue)
    for number in range(ROUNDS):
        documents = [{"parts": parts, "ambient_c": 20 + number} for parts in lists]
        _time(f"lists, round {number + 1}", documents, lambda d: check_parts(d, catalogue, pricers))
    place = Environment()
    pricer = pricers.at(place)
    shelf = Shelf(catalogue, pricer, estimator().coefficients)
    builds = list(_faulty(shelf))
    for number in range(ROUNDS):
        warm = replace(place, ambient_c=20.0 + number)
        _time(f"machines, round {number + 1}", builds, lambda b: check_build(b, warm, catalogue, pricer))  # noqa: B023
    return 0


def _faulty(shelf: Shelf) -> Iterator[Build]:
    """Composed machines with one part exchanged for any other of its kind: most break a rule and have remedies."""
    for name, cards in WISHES:
        card = bundled_catalogue().accelerator(name)
        found = compose(Need(accelerator=card, per_node=cards, cores=max(6, 4 * cards)), shelf)
        if not isinstance(found, Build):
            continue
        for kind in EXCHANGED:
            present = found.first(kind)
            for item in () if present is None else bundled_catalogue().parts(kind)[::7]:
                lines = tuple(replace(x, item=item) if x is present else x for x in found.lines)
                yield replace(found, lines=lines)


def _time(title: str, inputs: list, work: Callable[[object], object]) -> None:  # type: ignore[type-arg]
    times = []
    for each in inputs:
        started = time.process_time()
        work(each)
        times.append((time.process_time() - started) * 1e3)
    times.sort()
    late = times[int(len(times) * 0.95)]
    sys.stdout.write(
        f"{title:20s} {len(times):4d} checks  median {statistics.median(times):5.2f} ms  p95 {late:5.2f} ms  "
        f"slowest {times[-1]:6.2f} ms\n"
    )


if __name__ == "__main__":
    sys.exit(main())
