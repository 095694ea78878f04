"""Efficiency of power supplies by their 80 PLUS class, the outlet's voltage and the load they are at.

Classes are certified at 20, 50 and 100 % of the rating; between these points the efficiency is read on straight lines,
which is within half a percent of published curves. Below 20 % the figure of 20 % stands: nothing is certified there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.compatibility.environment import LOW_LINE_BELOW_V
from gpuconfig.engine.estimation.coefficients import CoefficientSet

CLASSES = ("titanium", "platinum", "gold", "silver", "bronze")
STANDARD = "standard"
"""80 PLUS without a metal."""
POINTS = (0.2, 0.5, 1.0)
"""Shares of the rating that the classes are certified at."""


def class_of(text: str) -> tuple[str, ...]:
    """The class that a supply's text names; () where it names none, which counts as the usual one."""
    words = text.lower()
    named = next((name for name in CLASSES if name in words), None)
    if named is not None:
        return (named,)
    return (STANDARD,) if re.search(r"80\s*\+|80\s*plus", words) else ()


def efficiency_at(numbers: CoefficientSet, volts: float | None, share: float, *classes: str) -> float:
    """Of a supply at `share` of its rating; less where the outlet gives 100-127 V. `volts` None: 200 V or more.

    Of an unknown class the usual figure at half load stands for every load.
    """
    line = "efficiency_115" if volts is not None and volts < LOW_LINE_BELOW_V else "efficiency_230"
    if not classes:
        return numbers.value("rules", line)
    certified = [numbers.value("rules", name, *classes) for name in (f"{line}_20", line, f"{line}_100")]
    return float(np.interp(share, POINTS, certified))


def wall_w(numbers: CoefficientSet, volts: float | None, loads: Iterable[tuple[PowerSupply, float]]) -> float:
    """Watts that supplies draw together, each at its own load in watts."""
    return sum(
        load / efficiency_at(numbers, volts, load / supply.rated_w, *class_of(supply.efficiency))
        for supply, load in loads
    )
