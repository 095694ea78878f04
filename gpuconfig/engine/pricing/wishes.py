"""What a person may say about cost: the `cost` object of a request; what is left open comes from the coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig.engine.workloads.fields import real, whole


class Payment(StrEnum):
    """How the machine is paid."""

    CASH = "cash"
    LOAN = "loan"
    LEASE = "lease"


class Hosting(StrEnum):
    """Whose room it stands in."""

    OWN = "own"
    COLOCATION = "colocation"


class Invoice(StrEnum):
    """Which invoice the buyer gets: only a special one (专票) lets a general taxpayer recover the tax."""

    SPECIAL = "special"
    ORDINARY = "ordinary"
    NONE = "none"


class Duration(StrEnum):
    """How long the machine is needed: for one run, or at work over all the years looked at."""

    ONE_RUN = "one_run"
    CONTINUOUS = "continuous"


class TaxRounding(StrEnum):
    """Where tax is rounded to the cent in papers."""

    PER_LINE = "per_line"
    ON_TOTAL = "on_total"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostWishes:
    """Every field is open where it is None or empty.

    Attributes:
        years: horizon; whole months are taken.
        need: decides where a rental stands; said, machines and rentals are ordered by the cost of that need.
        utilisation: share of the hours at work.
        tariff: id of a recorded tariff.
        per_kwh: price of electricity in the buyer's currency, over any tariff.
        per_kwh_sharp, per_kwh_peak, per_kwh_flat, per_kwh_valley: price of a period of the day in the buyer's
            currency, over that of the tariff; a tariff without the period has no use for it.
        valley_first: work is put into the cheapest hours of the day first.
        colocation_per_kw_month, staff_per_year: in the buyer's currency.
        maintenance_share: of the price of the parts, a year.
        down_payment: share of the price paid at once where the rest is borrowed.
        interest_rate, discount_rate: a year.
        freight_share, duty_rate: of the price of the parts.
        tax_rate: 0.13 is 13 %; over the region's.
        resale_share: of the price of the cards at the end.
        growth_per_year: of the work; 0.5 is half as much again each year.
        storage_gb, egress_gb_month: kept at, and sent out by, a rental provider.
        peak_time_share: share of the hours in which the whole machine is wanted.
    """

    years: float | None = real(None, 0.25, 15)
    need: Duration | None = None
    utilisation: float | None = real(None, 0.001, 1)
    pue: float | None = real(None, 1, 5)
    tariff: str = ""
    per_kwh: float | None = real(None, 0.0001, 100)
    per_kwh_sharp: float | None = real(None, 0.0001, 100)
    per_kwh_peak: float | None = real(None, 0.0001, 100)
    per_kwh_flat: float | None = real(None, 0.0001, 100)
    per_kwh_valley: float | None = real(None, 0.0001, 100)
    valley_first: bool = False
    hosting: Hosting = Hosting.OWN
    colocation_per_kw_month: float | None = real(None, 0, 1e6)
    staff_per_year: float | None = real(None, 0, 1e10)
    maintenance_share: float | None = real(None, 0, 1)
    payment: Payment = Payment.CASH
    down_payment: float | None = real(None, 0, 1)
    interest_rate: float | None = real(None, 0, 1)
    term_months: int | None = whole(None, 1, 180)
    discount_rate: float | None = real(None, 0, 1)
    book_life_years: float | None = real(None, 0.5, 30)
    freight_share: float | None = real(None, 0, 1)
    duty_rate: float | None = real(None, 0, 2)
    invoice: Invoice = Invoice.NONE
    tax_rate: float | None = real(None, 0, 1)
    rounding: TaxRounding = TaxRounding.PER_LINE
    resale_share: float | None = real(None, 0, 2)
    growth_per_year: float | None = real(None, -0.9, 100)
    storage_gb: float | None = real(None, 0, 1e9)
    egress_gb_month: float | None = real(None, 0, 1e9)
    peak_time_share: float | None = real(None, 0, 1)


PERIODS = ("sharp", "peak", "flat", "valley")
"""Periods of a day whose price a person may put in."""


def period_price(said: CostWishes, period: str) -> float | None:
    """What the person says a kilowatt-hour costs in a period of the day; None where nothing."""
    value: float | None = getattr(said, f"per_kwh_{period}") if period in PERIODS else None
    return value


OPEN = CostWishes()
"""Nothing said."""
