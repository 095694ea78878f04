"""What used parts are worth by class and age: recorded at whole years, straight lines between them."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.quantities.units import MONTHS

GROUP = "pricing"
HOST = "host"
CLASSES = ("consumer", "workstation", "datacentre")
AGES = range(6)
CONSUMER_WORDS = ("geforce", "rtx 20", "rtx 30", "rtx 40", "rtx 50", "rx ", "arc")
MODULES = ("sxm", "oam", "module", "superchip")


@dataclass(frozen=True, slots=True)
class ValueCurve:
    """Share of the price after each month from 0; low, middle, high."""

    low: tuple[float, ...]
    middle: tuple[float, ...]
    high: tuple[float, ...]


def resale_class(accelerator: Accelerator) -> str:
    """Class of the resale share: `consumer`, `workstation` or `datacentre`."""
    name = f"{accelerator.family} {accelerator.name}".lower()
    if accelerator.form_factor.value in MODULES or accelerator.cooling == "passive":
        return "datacentre"
    return "consumer" if any(word in name for word in CONSUMER_WORDS) else "workstation"


def value_curve(coefficients: CoefficientSet, scope: str, months: int) -> ValueCurve:
    """Worth of a part of class `scope` after each month up to `months`."""
    rows = [coefficients.row(GROUP, "resale", f"{scope}|{age}") for age in AGES]
    columns = [
        [row.low or 0.0 for row in rows],
        [row.value or 0.0 for row in rows],
        [row.high or 0.0 for row in rows],
    ]
    low, middle, high = (tuple(_at(c, m / MONTHS) for m in range(months + 1)) for c in columns)
    return ValueCurve(low, middle, high)


def most_recovered(coefficients: CoefficientSet, years: float, expected: float | None = None) -> float:
    """The largest share of its price that any part is planned to bring back after `years`.

    Args:
        expected: the person's own expectation for the cards.
    """
    months = round(years * MONTHS)
    shares = [value_curve(coefficients, scope, months).middle[-1] for scope in (*CLASSES, HOST)]
    return max(shares if expected is None else (*shares, expected))


def scaled_to(curve: ValueCurve, end: float) -> ValueCurve:
    """The curve moved so that its middle ends at `end`: the person's own expectation, taken as sure."""
    shift = end - curve.middle[-1]
    last = len(curve.middle) - 1 or 1
    moved = tuple(max(0.0, v + shift * i / last) for i, v in enumerate(curve.middle))
    return ValueCurve(moved, moved, moved)


def _at(column: list[float], years: float) -> float:
    age = int(years)
    if age + 1 < len(column):
        return column[age] + (column[age + 1] - column[age]) * (years - age)
    slope = column[-1] - column[-2]
    return max(0.0, column[-1] + slope * (years - len(column) + 1))
