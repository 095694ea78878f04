"""90 % bands of answers, as factors of the value, from the residuals of the validation by regime."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.settings import GROUP
from gpuconfig.engine.provenance.figure import Figure

BAND_SCOPES = ("{engine}|{architecture}", "{engine}|{family}", "{engine}")
CROWD_SCOPES = ("{engine}|{crowd}", "{engine}", "{crowd}")


def band_scopes(name: str) -> tuple[str, ...]:
    """What tells bands of this name apart, the most special first: waiting spreads by the users, not by the card."""
    return CROWD_SCOPES if name == "ttft" else BAND_SCOPES


def band(scopes: Mapping[str, str], name: str, coefficients: CoefficientSet) -> tuple[float, float]:
    """Low and high factor of `decode`, `prefill`, `tpot`, `ttft`, `output`, `capacity` or `memory`."""
    return coefficients.band(GROUP, f"band_{name}", *(s.format_map(dict(scopes)) for s in band_scopes(name)))


def speculative_spread(
    scopes: Mapping[str, str], drafted: int, coefficients: CoefficientSet
) -> tuple[float, float]:
    """Low and high factor of the rate that texts easy and hard to draft make; 1 and 1 without speculation."""
    if not drafted:
        return 1.0, 1.0
    row = coefficients.row(GROUP, "acceptance", scopes["method"])
    usual = _accepted(row.value or 0.0, drafted)
    low, high = (usual if edge is None else _accepted(edge, drafted) for edge in (row.low, row.high))
    return low / usual, high / usual


def inverse(factors: tuple[float, float]) -> tuple[float, float]:
    """The band of one over the value: of a time from that of a rate."""
    low, high = factors
    return 1 / high, 1 / low


def joined(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """The band of a product of two independent factors, as their distances in the logarithm add in squares."""
    low, high = (math.hypot(math.log(a), math.log(b)) for a, b in zip(first, second, strict=True))
    return math.exp(-low), math.exp(high)


def _accepted(acceptance: float, drafted: int) -> float:
    return sum(acceptance**i for i in range(drafted + 1))


def banded(value: float, factors: tuple[float, float], unit: str) -> Figure:
    """A figure with its band; unknown stays unknown."""
    if value != value or value in (float("inf"), float("-inf")):
        return Figure(None, unit=unit)
    return Figure(value, value * factors[0], value * factors[1], unit)
