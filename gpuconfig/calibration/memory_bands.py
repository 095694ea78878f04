"""Bands of the memory counters: how far measured runs lie from the model, by counter and class of framework.

Every source counts the same. How much wider than its residuals a band must be is learnt by holding sources out: the
next source is another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.estimation.inputs.workload import GROUP
from gpuconfig.engine.provenance.evidence import Evidence

ENDS = (0.05, 0.95)
INSIDE = 0.85
"""Least share of a held-out source's rows that the band of the others holds, on average over sources."""
WIDENINGS = (1.0, 1.1, 1.2, 1.3, 1.5)
FEWEST_SOURCES = 3
"""Classes of fewer sources say nothing about the next one; they take the widening of the others."""
WIDEST, NARROWEST = 0.30, 0.04
"""Ends of a band lie between these distances from the value."""


@dataclass(frozen=True, slots=True)
class Residual:
    """Measured over predicted memory of one run, in one counter."""

    counter: str
    scope: str
    source: str
    ratio: float


def fit_bands(residuals: Sequence[Residual], evidence: Evidence) -> list[Coefficient]:
    """Low and high end of each counter by class of framework."""
    groups: dict[tuple[str, str], list[Residual]] = defaultdict(list)
    for item in residuals:
        groups[item.counter, item.scope].append(item)
    widening = _widening([_by_source(g) for g in groups.values()])
    rows = []
    for (counter, scope), items in groups.items():
        low, high = band_ends(_by_source(items), widening)
        rows.append(
            Coefficient(
                group=GROUP, name=f"{counter}_band", scope=scope, value=1.0, low=low, high=high, evidence=evidence,
                note=f"fit of {len(items)} residuals, every source alike, ends {widening:g} times as far",
            )
        )  # fmt: skip
    return rows


def band_ends(ratios: Mapping[str, Sequence[float]], widening: float) -> tuple[float, float]:
    """Where nine tenths of the residuals lie, every source alike, `widening` times as far from 1."""
    values = np.concatenate([np.asarray(r, float) for r in ratios.values()])
    weights = np.concatenate([np.full(len(r), 1 / len(r)) for r in ratios.values()])
    order = np.argsort(values)
    share = (np.cumsum(weights[order]) - weights[order] / 2) / weights.sum()
    low, high = (1 + widening * (float(end) - 1) for end in np.interp(ENDS, share, values[order]))
    return max(1 - WIDEST, min(low, 1 - NARROWEST)), min(1 + WIDEST, max(high, 1 + NARROWEST))


def _widening(groups: Sequence[Mapping[str, Sequence[float]]]) -> float:
    """The least widening whose bands, fitted without a source, hold enough of that source's rows."""
    many = [g for g in groups if len(g) >= FEWEST_SOURCES]
    for widening in WIDENINGS:
        if not many or np.mean([_held_out(g, widening) for g in many]) >= INSIDE:
            return widening
    return WIDENINGS[-1]


def _held_out(ratios: Mapping[str, Sequence[float]], widening: float) -> float:
    """Share of each source's rows inside the band of all others, averaged over sources."""
    shares = []
    for source, rows in ratios.items():
        low, high = band_ends({s: r for s, r in ratios.items() if s != source}, widening)
        shares.append(np.mean([low <= r <= high for r in rows]))
    return float(np.mean(shares))


def _by_source(items: Sequence[Residual]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for item in items:
        found[item.source].append(item.ratio)
    return found
