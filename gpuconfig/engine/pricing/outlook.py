"""What lies ahead: waiting for prices to move, and growth out of the machine."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.case import MIDDLE, CostCase, evaluate
from gpuconfig.engine.pricing.resale import GROUP, HOST, resale_class
from gpuconfig.engine.quantities.units import MONTHS

WAIT_MONTHS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Buying three months later, at the drift of prices that was seen.

    Attributes:
        drift: of the cards' price in three months; None: nobody has recorded one.
        saved: what the price falls (negative: what it rises), with the range of the drift.
        bridging: rent of the same work meanwhile, less what owning would have cost; None without a rent.
    """

    drift: float | None
    saved: tuple[float, float, float] | None
    bridging: float | None

    @property
    def value(self) -> float | None:
        """What waiting is worth: positive where it pays."""
        if self.saved is None:
            return None
        return self.saved[1] - (self.bridging or 0.0)


def waiting(case: CostCase, accelerator: Accelerator, coefficients: CoefficientSet) -> Waiting:
    """Value of waiting three months; the case carries the rent that would bridge them."""
    cards = coefficients.find(GROUP, "price_drift_quarter", resale_class(accelerator))
    host = coefficients.find(GROUP, "price_drift_quarter", HOST)
    rent = _single(case, "rent_per_gpu_hour")
    bridging = None
    if rent > 0 and len(_months(case)) > WAIT_MONTHS:
        values = evaluate(case, ("rent_by_month", "running_cost", "horizon_months"))
        running = values["running_cost"][MIDDLE] / values["horizon_months"][MIDDLE] * WAIT_MONTHS
        bridging = float(values["rent_by_month"][MIDDLE][WAIT_MONTHS] - running)
    if cards is None or cards.value is None:
        return Waiting(drift=None, saved=None, bridging=bridging)
    prices = _single(case, "accelerator_price"), _single(case, "host_price")
    ends = [
        -(prices[0] * (getattr(cards, end) or 0.0) + prices[1] * (getattr(host, end, None) or 0.0))
        for end in ("high", "value", "low")
    ]
    return Waiting(drift=cards.value, saved=(ends[0], ends[1], ends[2]), bridging=bridging)


def outgrown_after(utilisation: float, growth_per_year: float) -> float | None:
    """Months until work that grows fills the machine; None where it never does."""
    if utilisation >= 1:
        return 0.0
    if growth_per_year <= 0 or utilisation <= 0:
        return None
    return MONTHS * math.log(1 / utilisation) / math.log(1 + growth_per_year)


def _single(case: CostCase, name: str) -> float:
    value = case.bands[name].value
    return value[-1] if isinstance(value, tuple) else value


def _months(case: CostCase) -> tuple[float, ...]:
    value = case.bands["month"].value
    return value if isinstance(value, tuple) else (value,)
