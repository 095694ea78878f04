"""The figures that follow from a cost case: in today's money, by the hour, by the million, against renting."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.case import HIGH, LOW, MIDDLE, CostCase, evaluate
from gpuconfig.engine.pricing.rents import RentTerms, with_rent
from gpuconfig.engine.provenance.figure import Figure

SINGLE = (
    "present_cost",
    "cost_per_gpu_hour",
    "cost_per_million",
    "cost_per_run",
    "useful_hours",
    "downtime_share",
    "price_per_kwh",
    "depreciation_per_year",
    "loan_payment",
    "lease_payment",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFigures:
    """Figures of owning; money in the case's currency.

    Attributes:
        single: by the name of the quantity.
        cash_flow: payments of each month from 0; low, planned, high.
        book_value: at the end of each year.
    """

    single: Mapping[str, Figure]
    cash_flow: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    book_value: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RentFigures:
    """Renting by one contract against owning."""

    terms: RentTerms
    total: Figure
    per_month: Figure
    break_even_utilisation: Figure
    break_even_month: float | None
    mixed: Figure


def cost_figures(case: CostCase) -> CostFigures:
    """Every figure of owning."""
    values = evaluate(case, (*SINGLE, "cash_flow", "book_value_by_month"))
    unit = case.currency.value
    units = {"useful_hours": "h", "downtime_share": "1", "price_per_kwh": f"{unit}/kWh"}
    flow = values["cash_flow"]
    book = values["book_value_by_month"][MIDDLE]
    return CostFigures(
        single={name: figure(values[name], units.get(name, unit)) for name in SINGLE},
        cash_flow=(tuple(flow[LOW]), tuple(flow[MIDDLE]), tuple(flow[HIGH])),
        book_value=tuple(float(v) for v in book[12::12]),
    )


def rent_figures(case: CostCase, terms: RentTerms, coefficients: CoefficientSet) -> RentFigures:
    """One contract: what it costs over the years and where owning becomes cheaper."""
    names = ("rent_total", "rent_per_month", "break_even_utilisation", "break_even_month", "mixed_cost")
    values = evaluate(with_rent(case, terms, coefficients), names)
    month = float(values["break_even_month"][MIDDLE])
    unit = case.currency.value
    return RentFigures(
        terms=terms,
        total=figure(values["rent_total"], unit),
        per_month=figure(values["rent_per_month"], unit),
        break_even_utilisation=figure(values["break_even_utilisation"], "1"),
        break_even_month=month if math.isfinite(month) else None,
        mixed=figure(values["mixed_cost"], unit),
    )


def figure(values: Any, unit: str) -> Figure:
    """Planning value with its ends; unknown where it is no number."""
    array = np.broadcast_to(np.asarray(values, dtype=float), (3,))
    if not math.isfinite(array[MIDDLE]):
        return Figure(None, unit=unit)
    low, high = float(np.nanmin(array)), float(np.nanmax(array))
    if low == high or not math.isfinite(low) or not math.isfinite(high):
        return Figure(float(array[MIDDLE]), unit=unit)
    return Figure(float(array[MIDDLE]), low, high, unit)
