"""How old a price may be before it is looked at again; what moves fast ages sooner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.estimation.coefficients import CoefficientSet

GROUP = "pricing"
ANY = "*"


@dataclass(frozen=True, slots=True)
class AgeLimits:
    """Days up to which a price is fresh, and up to which it is only ageing; beyond it is stale."""

    fresh_days: int
    stale_days: int


class PriceAges:
    """The limits by family of card, else of everything else."""

    def __init__(self, coefficients: Iterable[Coefficient]) -> None:
        self._numbers = CoefficientSet.of(coefficients)

    def limits(self, item: CatalogueItem | None = None) -> AgeLimits:
        """The limits of one item; None asks for those of most things."""
        scopes = (item.family, ANY) if isinstance(item, Accelerator) else (ANY,)
        fresh, stale = (
            int(self._numbers.value(GROUP, name, *scopes))
            for name in ("price_fresh_days", "price_stale_days")
        )
        return AgeLimits(fresh, stale)
