"""Prices of remedies where only a region is known: a buyer of new goods, tax included."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.compatibility.environment import DEFAULT_REGION, Environment, mains_region
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency


class RegionalPricers:
    """One pricer a region, kept: many lists are judged with the same prices."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[Region, Pricer] = {}

    def at(self, place: Environment) -> Pricer:
        """The pricer of a place."""
        region = mains_region(place)
        if region not in self._known:
            taxes = CoefficientSet.of(self._catalogue.coefficients("pricing"))
            currency = Currency.CNY if region is DEFAULT_REGION else Currency.USD
            rate = Decimal(str(taxes.value("pricing", "tax_rate", region.value)))
            buyer = Buyer(region=region, currency=currency, tax_rate=rate)
            self._known[region] = Pricer(self._catalogue, buyer)
        return self._known[region]
