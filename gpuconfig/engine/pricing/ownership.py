"""The cost of owning an option over the years: its lines, its total and the figures that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.market import Tariff
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.case import HIGH, LOW, MIDDLE, CostCase, evaluate
from gpuconfig.engine.pricing.case_inputs import Subject, Use, Work, cost_case
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.pricing.wishes import OPEN, CostWishes
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange

LINES: tuple[tuple[str, int], ...] = (
    ("purchase", 1),
    ("freight", 1),
    ("import_duty", 1),
    ("recovered_tax", -1),
    ("electricity", 1),
    ("cooling", 1),
    ("maintenance", 1),
    ("spares", 1),
    ("colocation", 1),
    ("staff", 1),
    ("interest", 1),
    ("lease_payments", 1),
    ("resale", -1),
)
"""Quantities that add up to the total cost, each with its sign."""

ALWAYS_SHOWN = ("purchase", "electricity", "maintenance", "resale")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """One line of the cost with its sign: the columns of all lines add up to the total's."""

    name: str
    low: Money
    middle: Money
    high: Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Cost over `years`, in one currency.

    Attributes:
        total: everything at its cheap end, and at its dear end.
        middle: everything as planned.
        electricity: with cooling; None where tariff or power is not known: the total is then a lower bound.
    """

    years: float
    lines: tuple[CostLine, ...]
    total: MoneyRange
    middle: Money
    electricity: MoneyRange | None
    energy_kwh: Figure
    tariff: Tariff | None
    case: CostCase

    def part(self, name: str) -> MoneyRange:
        """A line without its sign, its smaller end first; zero where it is not counted."""
        for line in self.lines:
            if line.name == name:
                ends = sorted((abs(line.low.amount), abs(line.high.amount)))
                return MoneyRange(Money(ends[0], line.low.currency), Money(ends[1], line.low.currency))
        zero = Money(Decimal("0.00"), self.middle.currency)
        return MoneyRange(zero, zero)

    @property
    def purchase(self) -> MoneyRange:
        """What the parts cost."""
        return self.part("purchase")

    @property
    def maintenance(self) -> MoneyRange:
        """Repairs and upkeep."""
        return self.part("maintenance")

    @property
    def resale(self) -> MoneyRange:
        """What comes back at the end."""
        return self.part("resale")


def ownership(
    build: Build,
    wall_w: Figure,
    use: Use,
    tariff: Tariff | None,
    pricer: Pricer,
    coefficients: CoefficientSet,
    wishes: CostWishes | None = None,
    work: Work | None = None,
    *,
    accelerator: Accelerator | None = None,
    count: int | None = None,
) -> Ownership:
    """Cost over the years of a priced build that draws `wall_w` (all nodes) at work.

    Args:
        accelerator, count: where the build does not tell them (cards inside a server).
    """
    card, held = cards_of(build)
    said = wishes or OPEN
    case = cost_case(
        Subject(
            build=build,
            wall_w=wall_w,
            use=use,
            tariff=tariff,
            pricer=pricer,
            coefficients=coefficients,
            wishes=said,
            work=work or Work(),
            accelerator=accelerator or card,
            count=held if count is None else count,
        )
    )
    known = wall_w.value is not None and (tariff is not None or said.per_kwh is not None)
    return of_case(case, use, tariff, known)


def of_case(case: CostCase, use: Use, tariff: Tariff | None, energy_known: bool = True) -> Ownership:
    """The ownership that follows from the inputs."""
    names = [name for name, _ in LINES]
    values = evaluate(case, (*names, "total_cost"))
    currency = case.currency
    lines = tuple(
        _line(name, sign, values, currency)
        for name, sign in LINES
        if name in ALWAYS_SHOWN or np.any(values[name])
    )
    total = values["total_cost"]
    energy = values["energy_kwh_per_year"] * (case_value(case, "pue") * use.years)
    bill = values["electricity"] + values["cooling"]
    return Ownership(
        years=use.years,
        lines=lines,
        total=MoneyRange(_money(total[LOW], currency), _money(total[HIGH], currency)),
        middle=_money(total[MIDDLE], currency),
        electricity=MoneyRange(_money(bill[LOW], currency), _money(bill[HIGH], currency))
        if energy_known
        else None,
        energy_kwh=_energy(energy) if energy_known else Figure(None, unit="kWh"),
        tariff=tariff,
        case=case,
    )


def cards_of(build: Build) -> tuple[Accelerator | None, int]:
    """The accelerators of all machines; those a server contains are counted, but not known here."""
    line = build.first(Kind.ACCELERATOR)
    if line is not None and isinstance(line.item, Accelerator):
        return line.item, sum(each.quantity for each in build.of(Kind.ACCELERATOR)) * build.nodes
    server = build.first(Kind.SERVER)
    if server is not None and isinstance(server.item, ServerPlatform):
        return None, (server.item.accelerator_count or 1) * server.quantity * build.nodes
    return None, max(build.nodes, 1)


def case_value(case: CostCase, name: str) -> float:
    """The planning value of an input."""
    value = case.bands[name].value
    return value[-1] if isinstance(value, tuple) else value


def _energy(kwh: Any) -> Figure:
    return Figure(float(kwh[MIDDLE]), float(kwh[LOW]), float(kwh[HIGH]), "kWh")


def _line(name: str, sign: int, values: Mapping[str, Any], currency: Currency) -> CostLine:
    low, middle, high = (_money(sign * values[name][row], currency) for row in (LOW, MIDDLE, HIGH))
    return CostLine(name=name, low=low, middle=middle, high=high)


def _money(value: float, currency: Currency) -> Money:
    """A forecast to the cent; float64 holds it exactly up to 10^13."""
    return Money(Decimal(str(round(float(value), 2))), currency).rounded()
