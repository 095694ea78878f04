"""How far predictions are from measurements, by source: the table of `gpuconfig validate`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceScore:
    """Errors of one source in one regime.

    Attributes:
        median, p90: of |predicted / measured - 1|.
        bias: median of predicted / measured - 1.
        inside, width: share of rows inside the predicted band, and its median width over the value; None without bands.
    """

    part: str
    source: str
    count: int
    median: float
    p90: float
    bias: float
    inside: float | None = None
    width: float | None = None


def score_of(
    part: str, source: str, predicted: Sequence[float], measured: Sequence[float],
    bands: Sequence[tuple[float, float]] | None = None,
) -> SourceScore:  # fmt: skip
    """The score of one group of rows."""
    ratio = np.asarray(predicted, float) / np.asarray(measured, float)
    errors = np.sort(np.abs(ratio - 1.0))
    inside = width = None
    if bands is not None:
        low, high = np.array(bands, float).T
        truth = np.asarray(measured, float)
        inside = float(np.mean((low <= truth) & (truth <= high)))
        width = float(np.median((high - low) / np.asarray(predicted, float)))
    return SourceScore(
        part=part, source=source, count=len(errors), median=float(np.median(errors)),
        p90=float(errors[min(len(errors) - 1, int(0.9 * len(errors)))]), bias=float(np.median(ratio) - 1.0),
        inside=inside, width=width,
    )  # fmt: skip


def macro(scores: Iterable[SourceScore], field: str = "median") -> float:
    """Mean over sources of one field; NaN without any."""
    values: list[Any] = [getattr(s, field) for s in scores]
    known = [float(v) for v in values if v is not None]
    return float(np.mean(known)) if known else float("nan")


def grouped(keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    """Positions of each key, keys in order of first appearance."""
    groups: dict[tuple[str, str], list[int]] = {}
    for position, key in enumerate(keys):
        groups.setdefault(key, []).append(position)
    return groups
