"""The cost of one option as inputs with their ranges, and the graph that they are put into.

A case rests on nothing outside itself: totals, cash flows, samples and explanations all come from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.graph import Graph, Input, Value, quantities_of
from gpuconfig.engine.pricing import formulas, renting
from gpuconfig.engine.pricing.inputs import INPUTS
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.quantities.money import Currency

LOW, MIDDLE, HIGH = 0, 1, 2
"""Rows of an evaluation: everything at its cheap end, as planned, at its dear end."""

Number = float | tuple[float, ...]
"""One value, or one for each month or period of the day."""


@dataclass(frozen=True, slots=True)
class Band:
    """An input with its range.

    Attributes:
        sign: 1 where more of it costs more, -1 where it costs less, 0 where the range is no matter of price:
            it is sampled, but does not enter low and high.
        own: the option's own; options share the draws of every other input.
    """

    value: Number
    low: Number
    high: Number
    sign: int = 0
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCase:
    """Inputs of every formula of cost for one option.

    Attributes:
        notes: what is known of each input, over the graph's own.
        key: names the option, so that its own draws differ from another's.
        work: what `work_per_s` counts: token, image, clip, sample; empty where nothing is known.
    """

    currency: Currency
    bands: Mapping[str, Band]
    notes: Mapping[str, Input]
    key: str = ""
    work: str = ""

    def with_values(self, **values: float) -> CostCase:
        """The same case with some inputs replaced by a sure value."""
        bands = dict(self.bands)
        for name, value in values.items():
            bands[name] = replace(bands[name], value=value, low=value, high=value)
        return replace(self, bands=bands)


@cache
def cost_graph() -> Graph:
    """Owning and renting in one graph."""
    return Graph(quantities_of(formulas, renting), INPUTS)


def corners(case: CostCase) -> dict[str, Value]:
    """Columns of three rows: low, planned, high."""
    columns: dict[str, Value] = {}
    for name, band in case.bands.items():
        ends = {1: (band.low, band.high), -1: (band.high, band.low)}.get(band.sign, (band.value, band.value))
        columns[name] = np.array([ends[0], band.value, ends[1]], dtype=float)
    return columns


def evaluate(case: CostCase, wanted: Sequence[str]) -> dict[str, Value]:
    """`wanted` in the three rows, with everything below them."""
    return cost_graph().evaluate(corners(case), wanted)


def planned(case: CostCase, name: str) -> float:
    """The planning value of one quantity; NaN where it cannot be known."""
    return float(np.asarray(evaluate(case, (name,))[name])[MIDDLE])


def explain_cost(case: CostCase, name: str, depth: int = 12) -> Explanation:
    """The tree below `name`, in the case's currency, each node with its low and high.

    Raises:
        KeyError: no such quantity.
    """
    graph = cost_graph()
    if name not in graph.quantities:
        raise KeyError(name)
    values = evaluate(case, (name,))
    middle = {n: np.asarray(v)[MIDDLE : MIDDLE + 1] if np.ndim(v) else v for n, v in values.items()}
    tree = graph.explain(name, middle, case.notes, depth)
    return _dressed(tree, values, case)


def _dressed(node: Explanation, values: Mapping[str, Value], case: CostCase) -> Explanation:
    """Currency in place of `money`, and the ends of the rows as band."""
    inputs = tuple(_dressed(child, values, case) for child in node.inputs)
    unit = node.unit.replace("money", case.currency.value)
    low, high = _ends(values.get(node.name)) if not isinstance(node.value, str) else (None, None)
    return replace(node, unit=unit, low=low, high=high, inputs=inputs)


def _ends(value: Any) -> tuple[float | None, float | None]:
    array = np.asarray(value, dtype=float)
    if array.ndim != 1 or len(array) <= HIGH or not np.isfinite(array).all() or array.min() == array.max():
        return None, None
    return float(array.min()), float(array.max())
