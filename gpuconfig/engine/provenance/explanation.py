"""The tree behind a figure: formula, inputs with values, unit, source, date, band, nearest measurements."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig.engine.provenance.evidence import Evidence


class Mark(StrEnum):
    """How the value of a node came about."""

    MEASURED = "measured"
    VENDOR = "vendor"
    SECONDARY = "secondary"
    CALCULATED = "calculated"
    ASSUMED = "assumed"
    GIVEN = "given"

    @classmethod
    def of(cls, evidence: Evidence) -> Mark:
        """The mark of a value that rests on `evidence`: each kind of evidence has its own."""
        return cls(evidence.kind.value)


@dataclass(frozen=True, slots=True)
class NearMeasurement:
    """A real measurement near the request: distance 0 is the same configuration."""

    distance: float
    measured: float
    unit: str
    source: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One node of the tree; `inputs` are its children.

    Attributes:
        name: the quantity's or input's name.
        title: what it is, one English line (translatable).
        formula: the formula as written in the source, empty for an input.
        value: number, or None where unknown; text for inputs that are words.
        low, high: band where the quantity has one.
    """

    name: str
    title: str
    value: float | str | None
    unit: str
    mark: Mark
    formula: str = ""
    source: str = ""
    evidence: Evidence | None = None
    low: float | None = None
    high: float | None = None
    inputs: tuple[Explanation, ...] = ()
    nearest: tuple[NearMeasurement, ...] = ()
