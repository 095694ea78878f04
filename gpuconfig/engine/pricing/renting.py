"""Renting the same accelerators, and where owning becomes cheaper: formulas over those of owning."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity
from gpuconfig.engine.quantities.units import MONTHS, YEAR_H


@quantity(unit="1")
def rented_share(utilisation: Value, downtime_share: Value, rework_share: Value, reserved: Value) -> Value:
    """Share of the hours that rent is paid for: those of the same work; all of them where reserved."""
    return np.where(reserved > 0, 1.0, utilisation * (1 - downtime_share) * (1 + rework_share))


@quantity(unit="money/month")
def rent_per_month(
    rent_per_gpu_hour: Value, accelerators: Value, rented_share: Value, rent_extra_per_month: Value
) -> Value:
    """Rent of a month with its storage and data sent out."""
    return rent_per_gpu_hour * accelerators * rented_share * YEAR_H / MONTHS + rent_extra_per_month


@quantity(unit="money")
def rent_total(rent_per_month: Value, years: Value) -> Value:
    """Rent over the years."""
    return rent_per_month * MONTHS * years


@quantity(unit="money")
def rent_by_month(rent_per_month: Value, month: Value) -> Value:
    """Rent paid up to each month."""
    return rent_per_month[:, None] * month


@quantity(unit="money")
def energy_cost_at_full_use(
    wall_w: Value, idle_share: Value, pue: Value, price_per_kwh: Value, years: Value
) -> Value:
    """Electricity that work adds to rest, around the clock over the years."""
    return wall_w / 1000 * YEAR_H * years * (1 - idle_share) * pue * price_per_kwh


@quantity(unit="money")
def fixed_cost(total_cost: Value, energy_cost_at_full_use: Value, utilisation: Value) -> Value:
    """Cost over the years that does not depend on how much the machine works."""
    return total_cost - energy_cost_at_full_use * utilisation


@quantity(unit="money")
def rent_at_full_use(rent_per_gpu_hour: Value, accelerators: Value, years: Value) -> Value:
    """Rent around the clock over the years."""
    return rent_per_gpu_hour * accelerators * YEAR_H * years


@quantity(unit="1")
def break_even_utilisation(
    fixed_cost: Value, rent_at_full_use: Value, energy_cost_at_full_use: Value
) -> Value:
    """Share of the hours from which owning is cheaper: above 1 renting always is."""
    saved = rent_at_full_use - energy_cost_at_full_use
    return np.where(saved > 0, fixed_cost / saved, np.inf)


@quantity(unit="month")
def break_even_month(cost_if_sold_by_month: Value, rent_by_month: Value) -> Value:
    """First month after which owning has cost no more than renting; none within the years: unknown."""
    cheaper = cost_if_sold_by_month[:, 1:] <= rent_by_month[:, 1:]
    return np.where(cheaper.any(axis=-1), cheaper.argmax(axis=-1) + 1.0, np.nan)


@quantity(unit="money")
def mixed_cost(
    fixed_cost: Value,
    energy_cost_at_full_use: Value,
    base_share: Value,
    peak_time_share: Value,
    rent_at_full_use: Value,
) -> Value:
    """Own the base, rent the peak: owned cards work around the clock, the rest is rented in its hours."""
    owned_part = base_share * (fixed_cost + energy_cost_at_full_use)
    return owned_part + (1 - base_share) * peak_time_share * rent_at_full_use
