"""The cost of owning a machine, in the buyer's currency: every formula once.

Rows are the low corner, the planning value and the high corner of one option, or draws of a sample. A trailing
axis counts months from 0 (the day of purchase) to the horizon.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity
from gpuconfig.engine.quantities.units import MONTHS, YEAR_H

YEAR_DAYS = 365
DOWN_AT_MOST = 0.9


@quantity(unit="money")
def hardware_price(accelerator_price: Value, host_price: Value) -> Value:
    """Price of all parts."""
    return accelerator_price + host_price


@quantity(unit="money")
def capital(
    hardware_price: Value,
    freight_share: Value,
    duty_rate: Value,
    tax_rate: Value,
    tax_recoverable: Value,
) -> Value:
    """Money that the machine ties up: price, freight and duty, less recovered tax."""
    return hardware_price * (1 + freight_share + duty_rate - tax_recoverable * tax_rate / (1 + tax_rate))


@quantity(unit="money")
def purchase(hardware_price: Value, owned: Value) -> Value:
    """Purchase of the parts."""
    return hardware_price * owned


@quantity(unit="money")
def freight(hardware_price: Value, freight_share: Value, owned: Value) -> Value:
    """Freight and insurance."""
    return hardware_price * freight_share * owned


@quantity(unit="money")
def import_duty(hardware_price: Value, duty_rate: Value, owned: Value) -> Value:
    """Import duty."""
    return hardware_price * duty_rate * owned


@quantity(unit="money", source="https://www.chinatax.gov.cn")
def recovered_tax(hardware_price: Value, tax_rate: Value, tax_recoverable: Value, owned: Value) -> Value:
    """Value-added tax inside the price that a general taxpayer gets back."""
    return hardware_price * tax_rate / (1 + tax_rate) * tax_recoverable * owned


@quantity(unit="1")
def busy_share(utilisation: Value, idle_share: Value) -> Value:
    """Mean power over power at work: at rest the machine draws its idle share."""
    return utilisation + (1 - utilisation) * idle_share


@quantity(unit="kWh")
def energy_kwh_per_year(wall_w: Value, busy_share: Value) -> Value:
    """Energy of the machine in a year."""
    return wall_w / 1000 * YEAR_H * busy_share


@quantity(unit="kWh")
def cooling_kwh_per_year(energy_kwh_per_year: Value, pue: Value) -> Value:
    """Energy of cooling and losses of the room in a year."""
    return energy_kwh_per_year * (pue - 1)


@quantity(unit="money/kWh")
def price_per_kwh(period_price: Value, period_energy_share: Value, tier_surcharge: Value) -> Value:
    """Mean price of the energy drawn: each period of the day by its share, and the surcharge of higher tiers."""
    return (period_price * period_energy_share).sum(axis=-1) + tier_surcharge


@quantity(unit="money")
def electricity(energy_kwh_per_year: Value, price_per_kwh: Value, years: Value) -> Value:
    """Electricity of the machine over the years."""
    return energy_kwh_per_year * price_per_kwh * years


@quantity(unit="money")
def cooling(cooling_kwh_per_year: Value, price_per_kwh: Value, years: Value) -> Value:
    """Electricity of cooling over the years."""
    return cooling_kwh_per_year * price_per_kwh * years


@quantity(unit="money", source="https://github.com/chanthaphan/gpu-tco")
def maintenance(hardware_price: Value, maintenance_share: Value, years: Value) -> Value:
    """Maintenance and repairs over the years."""
    return hardware_price * maintenance_share * years


@quantity(unit="money", source="https://github.com/chanthaphan/gpu-tco")
def spares(hardware_price: Value, spares_share: Value, years: Value) -> Value:
    """Spare parts kept over the years."""
    return hardware_price * spares_share * years


@quantity(unit="money")
def colocation(wall_w: Value, colocation_per_kw_month: Value, years: Value) -> Value:
    """Rent of rack space by the power it takes."""
    return wall_w / 1000 * colocation_per_kw_month * MONTHS * years


@quantity(unit="money")
def staff(staff_per_year: Value, years: Value) -> Value:
    """Share of the people who run the machine."""
    return staff_per_year * years


@quantity(unit="money")
def running_cost(
    electricity: Value, cooling: Value, maintenance: Value, spares: Value, colocation: Value, staff: Value
) -> Value:
    """Everything that is paid month by month."""
    return electricity + cooling + maintenance + spares + colocation + staff


@quantity(unit="month")
def horizon_months(years: Value) -> Value:
    """Months looked at."""
    return MONTHS * years


@quantity(unit="month")
def paid_months(horizon_months: Value, term_months: Value) -> Value:
    """Months in which instalments are paid."""
    return np.minimum(horizon_months, term_months)


@quantity(unit="1")
def annuity_factor(interest_rate: Value, term_months: Value) -> Value:
    """Monthly instalment of a loan of 1."""
    r = np.maximum(interest_rate / MONTHS, 1e-12)
    return r / (1 - (1 + r) ** -term_months)


@quantity(unit="money")
def loan_principal(capital: Value, financed_share: Value, owned: Value) -> Value:
    """Part of the price that is borrowed."""
    return capital * financed_share * owned


@quantity(unit="money/month")
def loan_payment(loan_principal: Value, annuity_factor: Value) -> Value:
    """Monthly instalment of the loan."""
    return loan_principal * annuity_factor


@quantity(unit="money")
def loan_balance(
    loan_principal: Value, loan_payment: Value, interest_rate: Value, paid_months: Value
) -> Value:
    """What is still owed at the end of the years looked at."""
    r = np.maximum(interest_rate / MONTHS, 1e-12)
    growth = (1 + r) ** paid_months
    return np.maximum(0.0, loan_principal * growth - loan_payment * (growth - 1) / r)


@quantity(unit="money")
def interest(loan_payment: Value, paid_months: Value, loan_principal: Value, loan_balance: Value) -> Value:
    """Interest paid: instalments beyond what they pay back."""
    return loan_payment * paid_months - (loan_principal - loan_balance)


@quantity(unit="money/month")
def lease_payment(
    capital: Value,
    residual_share: Value,
    interest_rate: Value,
    term_months: Value,
    annuity_factor: Value,
    owned: Value,
) -> Value:
    """Monthly lease: an annuity on the price less the residual value that the lessor keeps."""
    r = np.maximum(interest_rate / MONTHS, 1e-12)
    return capital * (1 - residual_share * (1 + r) ** -term_months) * annuity_factor * (1 - owned)


@quantity(unit="money")
def lease_payments(lease_payment: Value, paid_months: Value) -> Value:
    """Lease over the years; the machine goes back at its end."""
    return lease_payment * paid_months


@quantity(unit="money")
def value_by_month(
    accelerator_price: Value,
    host_price: Value,
    card_value_share: Value,
    host_value_share: Value,
    owned: Value,
) -> Value:
    """What the machine would be sold for after each month."""
    worth = accelerator_price[:, None] * card_value_share + host_price[:, None] * host_value_share
    return worth * owned[:, None]


@quantity(unit="money")
def resale(value_by_month: Value) -> Value:
    """What comes back at the end by selling."""
    return value_by_month[:, -1]


@quantity(unit="money")
def total_cost(
    purchase: Value,
    freight: Value,
    import_duty: Value,
    recovered_tax: Value,
    running_cost: Value,
    interest: Value,
    lease_payments: Value,
    resale: Value,
) -> Value:
    """Cost over the years."""
    bought = purchase + freight + import_duty - recovered_tax
    return bought + running_cost + interest + lease_payments - resale


@quantity(unit="money")
def cash_flow(
    month: Value,
    horizon_months: Value,
    capital: Value,
    owned: Value,
    loan_principal: Value,
    loan_payment: Value,
    lease_payment: Value,
    paid_months: Value,
    running_cost: Value,
    loan_balance: Value,
    resale: Value,
) -> Value:
    """Money paid in each month; the sale at the end comes back."""
    end = horizon_months[:, None]
    first = np.where(month == 0, (capital * owned - loan_principal)[:, None], 0.0)
    running = np.where(month > 0, (running_cost / horizon_months)[:, None], 0.0)
    instalments = (loan_payment + lease_payment)[:, None]
    rates = np.where((month > 0) & (month <= paid_months[:, None]), instalments, 0.0)
    last = np.where(month == end, (loan_balance - resale)[:, None], 0.0)
    return first + running + rates + last


@quantity(unit="money")
def present_cost(cash_flow: Value, month: Value, discount_rate: Value) -> Value:
    """Cost in today's money: each month's payment discounted to the day of purchase."""
    return (cash_flow * (1 + discount_rate[:, None]) ** (-month / MONTHS)).sum(axis=-1)


@quantity(unit="money")
def cost_if_sold_by_month(
    capital: Value,
    owned: Value,
    running_cost: Value,
    interest: Value,
    lease_payments: Value,
    month: Value,
    horizon_months: Value,
    value_by_month: Value,
) -> Value:
    """What owning has cost after each month, were the machine sold then."""
    spread = (running_cost + interest + lease_payments) / horizon_months
    return (capital * owned)[:, None] + spread[:, None] * month - value_by_month


@quantity(unit="money")
def book_value_by_month(
    capital: Value, owned: Value, salvage_share: Value, book_life_years: Value, month: Value
) -> Value:
    """Value in the books: straight line over the book life down to the salvage value."""
    gone = np.minimum(1.0, month / (MONTHS * book_life_years[:, None]))
    return (capital * owned)[:, None] * (1 - (1 - salvage_share[:, None]) * gone)


@quantity(unit="money")
def depreciation_per_year(
    capital: Value, owned: Value, salvage_share: Value, book_life_years: Value
) -> Value:
    """Straight-line depreciation in a year of the book life."""
    return capital * owned * (1 - salvage_share) / book_life_years


@quantity(unit="1", source="https://interestingengineering.substack.com")
def downtime_share(failure_rate: Value, repair_days: Value, accelerators_per_node: Value) -> Value:
    """Share of the time a machine stands still: one failed card stops its machine until it is replaced."""
    return np.minimum(DOWN_AT_MOST, failure_rate * accelerators_per_node * repair_days / YEAR_DAYS)


@quantity(unit="h")
def useful_hours(years: Value, utilisation: Value, downtime_share: Value) -> Value:
    """Hours of work over the years."""
    return years * YEAR_H * utilisation * (1 - downtime_share)


@quantity(unit="money/h")
def cost_per_gpu_hour(total_cost: Value, useful_hours: Value, accelerators: Value) -> Value:
    """Cost of one useful hour of one accelerator."""
    return total_cost / (useful_hours * accelerators)


@quantity(unit="money")
def cost_per_million(total_cost: Value, useful_hours: Value, work_per_s: Value) -> Value:
    """Cost of a million tokens (or images, clips, samples)."""
    return total_cost / (work_per_s * 3600 * useful_hours / 1e6)


@quantity(unit="money")
def cost_per_run(total_cost: Value, run_hours: Value, useful_hours: Value) -> Value:
    """Cost of one training run: its share of the hours of work."""
    return total_cost * run_hours / useful_hours
