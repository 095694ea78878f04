"""How well a model does on one source of measurements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceScore:
    """One line of `validate`: errors of one quantity on one source.

    Attributes:
        quantity: what was measured, for example `serving.tpot_ms`.
        rows: measurements compared; `refused` those without an answer.
        median, p90: of |predicted / measured - 1|.
        inside: share within the predicted 90 % band.
        width: median width of the band over the value.
    """

    source: str
    quantity: str
    rows: int
    refused: int
    median: float
    p90: float
    inside: float
    width: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measurement beside its prediction; `predicted` None where it was refused."""

    source: str
    quantity: str
    measured: float
    predicted: float | None
    low: float | None
    high: float | None


def score(comparisons: Sequence[Comparison]) -> list[SourceScore]:
    """Scores by quantity and source, in the order of first appearance; a refused row counts as an error of 100 %."""
    groups: dict[tuple[str, str], list[Comparison]] = defaultdict(list)
    for item in comparisons:
        groups[item.quantity, item.source].append(item)
    return [_score(quantity, source, items) for (quantity, source), items in groups.items()]


def _score(quantity: str, source: str, items: Sequence[Comparison]) -> SourceScore:
    errors = [1.0 if i.predicted is None else abs(i.predicted / i.measured - 1) for i in items]
    banded = [i for i in items if i.predicted and i.low is not None and i.high is not None]
    inside = [i.low <= i.measured <= i.high for i in banded if i.low is not None and i.high is not None]
    widths = [((i.high or 0.0) - (i.low or 0.0)) / (i.predicted or 1.0) for i in banded]
    return SourceScore(
        source=source, quantity=quantity, rows=len(items), refused=sum(i.predicted is None for i in items),
        median=float(np.median(errors)), p90=float(np.quantile(errors, 0.9)),
        inside=float(np.mean(inside)) if inside else float("nan"),
        width=float(np.median(widths)) if widths else float("nan"),
    )  # fmt: skip
