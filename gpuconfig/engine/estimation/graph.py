"""The quantity graph: named pure functions whose parameters are the names of other quantities or inputs.

The same functions answer one configuration (floats), a chart (arrays of tens) and the exhaustive
search (arrays of millions). `Graph.explain` walks the graph and fills in the values.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from types import ModuleType
from typing import Any

import numpy as np

from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.quantities.units import UNITS

Value = Any
"""A NumPy array of shape (rows,) or (rows, pipeline stages); a plain float where no stage axis is used."""
LIBRARY = "np."
"""What a formula says to the library that computes it, and nothing to its reader."""


class GraphError(Exception):
    """A fault of ours in the graph: a cycle, an unknown name, a missing unit."""


@dataclass(frozen=True)
class Quantity:
    """One formula: its name, unit, source and the function that computes it."""

    name: str
    unit: str
    source: str
    function: Callable[..., Value]
    parameters: tuple[str, ...]

    @property
    def title(self) -> str:
        """The first line of the docstring: what the quantity is, for people."""
        return inspect.cleandoc(self.function.__doc__ or self.name).splitlines()[0].rstrip(".")

    @cached_property
    def formula(self) -> str:
        """The formula as written, without the docstring and the name of the library."""
        tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
        body = tree.body[0].body[1:]  # type: ignore[attr-defined]
        lines = [ast.unparse(node).replace(LIBRARY, "") for node in body]
        if len(lines) == 1:
            return lines[0].removeprefix("return ")
        return "\n".join(
            line.removeprefix("return ") if line.startswith("return ") else line for line in lines
        )


@dataclass(frozen=True, slots=True)
class Input:
    """A leaf of the graph: what it is, its unit, and how its value is known."""

    name: str
    title: str
    unit: str = "1"
    mark: Mark = Mark.GIVEN
    evidence: Evidence | None = None
    text: str | None = None  # shown instead of the number where the input is a word


def quantity(*, unit: str, source: str = "") -> Callable[[Callable[..., Value]], Quantity]:
    """Declare a quantity; the function's name is its name, its parameters are the names it needs."""
    if unit not in UNITS:
        raise GraphError(f"unknown unit {unit!r}")

    def declare(function: Callable[..., Value]) -> Quantity:
        if not function.__doc__:
            raise GraphError(f"{function.__name__} has no docstring")
        return Quantity(
            function.__name__, unit, source, function, tuple(inspect.signature(function).parameters)
        )

    return declare


def quantities_of(*modules: ModuleType) -> list[Quantity]:
    """Every quantity declared in `modules`, in order of declaration."""
    return [v for module in modules for v in vars(module).values() if isinstance(v, Quantity)]


class Graph:
    """A checked set of quantities over named inputs."""

    def __init__(self, quantities: Iterable[Quantity], inputs: Iterable[Input]) -> None:
        self.quantities: dict[str, Quantity] = {}
        for item in quantities:
            if self.quantities.setdefault(item.name, item) is not item:
                raise GraphError(f"{item.name} is declared twice")
        self.inputs = {item.name: item for item in inputs}
        for item in self.quantities.values():
            for parameter in item.parameters:
                if parameter not in self.quantities and parameter not in self.inputs:
                    raise GraphError(
                        f"{item.name} needs {parameter}, which is neither a quantity nor an input"
                    )
        if both := self.quantities.keys() & self.inputs.keys():
            raise GraphError(f"{sorted(both)} are both quantities and inputs")
        try:
            needs = {
                q.name: [p for p in q.parameters if p in self.quantities] for q in self.quantities.values()
            }
            self.order: tuple[str, ...] = tuple(TopologicalSorter(needs).static_order())
        except CycleError as error:
            raise GraphError(f"cycle: {error.args[1]}") from error
        self._position = {name: i for i, name in enumerate(self.order)}
        self._plans: dict[tuple[str, ...], tuple[Quantity, ...]] = {}

    def plan(self, wanted: Sequence[str]) -> tuple[Quantity, ...]:
        """The quantities that `wanted` rests on, in the order of evaluation."""
        key = tuple(wanted)
        if key not in self._plans:
            needed: set[str] = set()
            stack = list(key)
            while stack:
                name = stack.pop()
                if name in needed or name in self.inputs:
                    continue
                if name not in self.quantities:
                    raise GraphError(f"no quantity {name!r}")
                needed.add(name)
                stack.extend(self.quantities[name].parameters)
            self._plans[key] = tuple(
                self.quantities[n] for n in sorted(needed, key=self._position.__getitem__)
            )
        return self._plans[key]

    def evaluate(self, inputs: Mapping[str, Value], wanted: Sequence[str]) -> dict[str, Value]:
        """Values of `wanted` and of everything below it, together with the inputs.

        Args:
            inputs: each a float or an array; arrays broadcast against one another.
            wanted: names of quantities.
        """
        values = dict(inputs)
        with np.errstate(divide="ignore", invalid="ignore"):
            for item in self.plan(wanted):
                if item.name not in values:
                    values[item.name] = item.function(*[values[p] for p in item.parameters])
        return values

    def update(self, values: Mapping[str, Value], changed: Mapping[str, Value]) -> dict[str, Value]:
        """`values` of an earlier evaluation after inputs changed: only what depends on them is redone."""
        stale = set(changed)
        result = {**values, **changed}
        with np.errstate(divide="ignore", invalid="ignore"):
            for name in self.order:
                item = self.quantities[name]
                if name in values and not stale.isdisjoint(item.parameters):
                    stale.add(name)
                    result[name] = item.function(*[result[p] for p in item.parameters])
        return result

    def explain(
        self,
        name: str,
        values: Mapping[str, Value],
        notes: Mapping[str, Input] | None = None,
        depth: int = 12,
    ) -> Explanation:
        """The tree below `name` with values filled in.

        Args:
            values: from `evaluate` on scalars (arrays show their last element's maximum).
            notes: what is known of this request's inputs (text, mark, evidence), over the graph's own.
            depth: levels shown; deeper ones can be asked for by name.
        """
        known = {**self.inputs, **(notes or {})}
        value = _scalar(values.get(name))
        if name not in self.quantities:
            leaf = known.get(name) or Input(name, name)
            return Explanation(
                name=name,
                title=leaf.title,
                value=leaf.text if leaf.text is not None else value,
                unit=leaf.unit,
                mark=leaf.mark,
                evidence=leaf.evidence,
            )
        item = self.quantities[name]
        below = tuple(self.explain(p, values, notes, depth - 1) for p in item.parameters) if depth > 0 else ()
        return Explanation(
            name=name,
            title=item.title,
            value=value,
            unit=item.unit,
            mark=Mark.CALCULATED,
            formula=item.formula,
            source=item.source,
            inputs=below,
        )


@dataclass
class InputTable:
    """Columns of inputs for many configurations at once; a column of length one serves all rows.

    Attributes:
        columns: name -> float, or array of shape (rows,).
        notes: what is known of each input, for `explain`.
    """

    columns: dict[str, Value]
    notes: dict[str, Input] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of configurations."""
        return max((np.size(c) for c in self.columns.values()), default=1)

    def replaced(self, **columns: Value) -> InputTable:
        """The same table with some columns replaced, for example one per strategy of a search."""
        return InputTable({**self.columns, **columns}, self.notes)

    @staticmethod
    def stacked(tables: Sequence[InputTable]) -> InputTable:
        """Several tables of one row as one table of many rows."""
        names = tables[0].columns
        return InputTable({n: np.array([t.columns[n] for t in tables]) for n in names}, tables[0].notes)


def _scalar(value: Value) -> float | None:
    if value is None:
        return None
    number = float(np.max(value)) if np.size(value) else float("nan")
    return number if np.isfinite(number) else None
