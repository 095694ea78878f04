"""90 % bands of answers, as factors of the value, from the residuals of the validation by regime."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.settings import GROUP
from gpuconfig.engine.provenance.figure import Figure

BAND_SCOPES = ("{engine}|{architecture}", "{engine}|{family}", "{engine}")


def band(scopes: Mapping[str, str], name: str, coefficients: CoefficientSet) -> tuple[float, float]:
    """Low and high factor of `decode`, `prefill`, `tpot`, `ttft`, `output`, `capacity` or `memory`."""
    return coefficients.band(GROUP, f"band_{name}", *(s.format_map(dict(scopes)) for s in BAND_SCOPES))


def banded(value: float, factors: tuple[float, float], unit: str) -> Figure:
    """A figure with its band; unknown stays unknown."""
    if value != value or value in (float("inf"), float("-inf")):
        return Figure(None, unit=unit)
    return Figure(value, value * factors[0], value * factors[1], unit)
