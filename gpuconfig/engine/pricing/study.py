"""Everything that pages and papers say of an option's cost, computed once from its case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.case import Band, CostCase, planned
from gpuconfig.engine.pricing.figures import CostFigures, RentFigures, cost_figures, rent_figures
from gpuconfig.engine.pricing.outlook import Waiting, outgrown_after, waiting
from gpuconfig.engine.pricing.rents import rent_terms, with_rent
from gpuconfig.engine.pricing.replacement import Replacement, replacement
from gpuconfig.engine.pricing.resale import GROUP, HOST, resale_class, value_curve
from gpuconfig.engine.pricing.uncertainty import Spread, Swing, sample, spread, tornado
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.quantities.units import MONTHS

HORIZONS = (3.0, 5.0)
"""Years that papers compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostStudy:
    """One option's cost.

    Attributes:
        case: with the on-demand rent in it, where one is recorded.
        chances: probability that the option costs less than another, by the other's key.
        outgrown: months until growing work fills the machine; None: never.
        horizons: years and planned cost over them, for the same machine kept shorter or longer.
        replacement: when it is sold and what comes back; None for a machine full from the start.
    """

    case: CostCase
    figures: CostFigures
    rents: tuple[RentFigures, ...]
    spread: Spread
    swings: tuple[Swing, ...]
    chances: Mapping[str, float]
    waiting: Waiting
    outgrown: float | None
    horizons: tuple[tuple[float, float], ...] = ()
    replacement: Replacement | None = None

    @property
    def on_demand(self) -> RentFigures | None:
        """The contract without obligation."""
        return next((r for r in self.rents if r.terms.kind is RentalKind.ON_DEMAND), None)


def pricing_coefficients(catalogue: Catalogue) -> CoefficientSet:
    """The coefficients of cost."""
    return CoefficientSet.of(catalogue.coefficients(GROUP))


def with_years(
    case: CostCase, years: float, accelerator: Accelerator, coefficients: CoefficientSet
) -> CostCase:
    """The same machine kept for other years, worth then what its class and age say."""
    months = round(years * MONTHS)
    bands = dict(case.bands)
    for name, scope in (("card_value_share", resale_class(accelerator)), ("host_value_share", HOST)):
        curve = value_curve(coefficients, scope, months)
        bands[name] = replace(bands[name], value=curve.middle, low=curve.low, high=curve.high)
    month = tuple(float(m) for m in range(months + 1))
    bands["month"] = Band(month, month, month)
    bands["years"] = Band(years, years, years)
    return replace(case, bands=bands)


def cost_study(
    case: CostCase,
    accelerator: Accelerator,
    count: int,
    catalogue: Catalogue,
    rivals: Sequence[CostCase] = (),
    growth_per_year: float = 0.0,
) -> CostStudy:
    """The study of one option against renting the same cards and against `rivals`."""
    coefficients = pricing_coefficients(catalogue)
    try:
        rate = catalogue.exchange_rate(Currency.USD, Currency.CNY)
    except InputError:
        rate = None
    terms = rent_terms(catalogue.cloud_offers(), accelerator.id, count, rate, case)
    first = next((t for t in terms if t.kind is RentalKind.ON_DEMAND), None)
    rented = case if first is None else with_rent(case, first, coefficients)
    draws = sample(case)
    utilisation = case.bands["utilisation"].value
    outgrown = outgrown_after(utilisation if isinstance(utilisation, float) else 1.0, growth_per_year)
    return CostStudy(
        case=rented,
        figures=cost_figures(case),
        rents=tuple(rent_figures(case, each, coefficients) for each in terms),
        spread=spread(draws),
        swings=tornado(case),
        chances={
            rival.key: float(np.mean(draws < sample(rival))) for rival in rivals if rival.key != case.key
        },
        waiting=waiting(rented, accelerator, coefficients),
        horizons=tuple(
            (years, planned(with_years(case, years, accelerator, coefficients), "total_cost"))
            for years in HORIZONS
        ),
        outgrown=outgrown,
        replacement=replacement(case, outgrown),
    )
