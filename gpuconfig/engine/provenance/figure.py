"""A predicted or recorded number with its unit, band and evidence."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.evidence import Evidence

BAND = 0.9
"""Share of outcomes that `low` and `high` of a figure enclose."""
BAND_SIGMAS = 1.645
"""Half of such a band in standard deviations."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number a person sees.

    Attributes:
        value: in `unit`; None where it is not known.
        low, high: 90 % band from residuals of the validation; None where not known.
        unit: base unit, for example `B`, `s`, `token/s`, `W`, `1`.
        evidence: what it rests on; None for a value calculated by the graph.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    unit: str = "1"
    evidence: Evidence | None = None

    def contract(self) -> dict[str, float | None]:
        """The contract's `{"value", "low", "high"}`."""
        return {"value": self.value, "low": self.low, "high": self.high}


UNKNOWN = Figure(None)
