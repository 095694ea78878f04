"""Owning against renting: cost of a delivered hour, break-even utilisation, electricity of a month."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.quantities.units import YEAR_H


def hour_of_life(price: Decimal, years: float, utilisation: float) -> Decimal:
    """Price of one useful hour of hardware that lives `years`, by straight line and without other cost.

    Raises:
        ValueError: nothing to spread the price over.
    """
    hours = years * YEAR_H * utilisation
    if hours <= 0:
        raise ValueError("no useful hours")
    return price / Decimal(str(hours))


def rent_total(per_hour: Decimal, accelerators: int, years: float, utilisation: float) -> Decimal:
    """Rent for the useful hours of `years`."""
    return per_hour * accelerators * Decimal(str(years * YEAR_H * utilisation))


def break_even_utilisation(own_total: Decimal, per_hour: Decimal, accelerators: int, years: float) -> Decimal:
    """Share of the hours from which owning is cheaper: above 1 renting always is.

    Raises:
        ValueError: rent or time of zero.
    """
    full = rent_total(per_hour, accelerators, years, 1.0)
    if full <= 0:
        raise ValueError("no rent to compare with")
    return own_total / full


def power_cost(
    accelerators: int, watts: float, utilisation: float, hours: float, per_kwh: Decimal, pue: float
) -> Decimal:
    """Electricity of `accelerators` over `hours`."""
    kwh = accelerators * watts / 1000 * utilisation * hours * pue
    return Decimal(str(kwh)) * per_kwh
