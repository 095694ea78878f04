"""Look-up of fitted coefficients: the most special scope that exists wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.provenance.evidence import Evidence

EVERYWHERE = "*"
T = TypeVar("T")


MOST_DERIVED = 4096
"""Derived values kept for the next request that needs the same."""


class MissingCoefficientError(LookupError):
    """A coefficient file lacks a row that a model reads: a fault of our data, not of the person."""


@dataclass(frozen=True)
class CoefficientSet:
    """Frozen look-up over rows of `db/seed/coefficients`.

    A scope is written as the model that reads it writes it, for example `ampere`, `hf_trainer|a100`, or `*`.
    """

    rows: tuple[Coefficient, ...]

    @staticmethod
    def of(rows: Iterable[Coefficient]) -> CoefficientSet:
        """A set over any rows; a later row of the same group, name and scope replaces an earlier one."""
        return CoefficientSet(tuple(rows))

    @cached_property
    def _index(self) -> dict[tuple[str, str, str], Coefficient]:
        return {(r.group, r.name, r.scope): r for r in self.rows}

    @cached_property
    def _memo(self) -> dict[tuple[str, ...], Coefficient | None]:
        return {}

    def find(self, group: str, name: str, *scopes: str) -> Coefficient | None:
        """The row of the first of `scopes` that exists (most special first, then `*`), or None."""
        key = (group, name, *scopes)
        if key not in self._memo:
            tried = ((group, name, scope) for scope in (*scopes, EVERYWHERE))
            self._memo[key] = next((self._index[k] for k in tried if k in self._index), None)
        return self._memo[key]

    def row(self, group: str, name: str, *scopes: str) -> Coefficient:
        """Like `find`.

        Raises:
            MissingCoefficientError: no such row.
        """
        found = self.find(group, name, *scopes)
        if found is None:
            raise MissingCoefficientError(f"coefficient {group}.{name} for {scopes or EVERYWHERE}")
        return found

    def value(self, group: str, name: str, *scopes: str) -> float:
        """The value of the first scope that exists; NaN where the row says "unknown".

        Raises:
            MissingCoefficientError: no such row.
        """
        value = self.row(group, name, *scopes).value
        return float("nan") if value is None else value

    def values(self, group: str, names: tuple[str, ...], *scopes: str) -> Mapping[str, float]:
        """Several values for the same scopes; kept, because thousands of requests share their scopes.

        Raises:
            MissingCoefficientError: no such row.
        """
        key = (group, names, scopes)
        if key not in self._groups:
            self._groups[key] = {name: self.value(group, name, *scopes) for name in names}
        return self._groups[key]

    @cached_property
    def _groups(self) -> dict[tuple[str, tuple[str, ...], tuple[str, ...]], Mapping[str, float]]:
        return {}

    def band(self, group: str, name: str, *scopes: str) -> tuple[float, float]:
        """Low and high of the row; NaN where not known."""
        found = self.row(group, name, *scopes)
        nan = float("nan")
        return (nan if found.low is None else found.low, nan if found.high is None else found.high)

    def evidence(self, group: str, name: str, *scopes: str) -> Evidence:
        """The evidence of the row that `value` reads."""
        return self.row(group, name, *scopes).evidence

    @cached_property
    def _derived(self) -> dict[tuple[str, ...], Any]:
        return {}

    def once(self, key: tuple[str, ...], make: Callable[[], T]) -> T:
        """What `make` derives from this set, computed at its first use and kept under `key`."""
        if key not in self._derived:
            if len(self._derived) >= MOST_DERIVED:  # keys that a session keeps making up do not pile up
                self._derived.clear()
            self._derived[key] = make()
        found: T = self._derived[key]
        return found

    def with_rows(self, rows: Iterable[Coefficient]) -> CoefficientSet:
        """This set with some rows replaced or added, for fitting and for what-ifs."""
        return CoefficientSet((*self.rows, *rows))


def scoped_evidence(row: Coefficient) -> Evidence:
    """The evidence of a coefficient with the scope it was read for."""
    return replace(row.evidence, note=": ".join(t for t in (row.scope, row.note) if t))
