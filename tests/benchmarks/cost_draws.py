"""Time of sampling a cost: `python tests/benchmarks/cost_draws.py`. Target: 10,000 draws under 0.2 s."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from gpuconfig.engine.pricing.uncertainty import DRAWS, sample, spread, tornado
from tests.selection.requests import answer_of

ROUNDS = 5


def main() -> None:
    """Print the best of some rounds, and the tornado's time."""
    tco = answer_of("full_7b").options[0].tco
    assert tco is not None
    assert tco.case is not None
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        draws = sample(tco.case)
        seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    inputs = len(tornado(tco.case))
    print(f"{DRAWS} draws: {min(seconds) * 1000:.1f} ms, {spread(draws)}")
    print(f"tornado of {inputs} inputs: {(time.perf_counter() - start) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
