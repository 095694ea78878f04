"""The real measurements nearest to a request, for every kind of workload.

Distance 0 is the same configuration. Sizes count by their ratio (a factor of two is 1 times the weight), words by
whether they are the same; another card of the same architecture counts half.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import NearMeasurement
from gpuconfig.engine.workloads.request import EstimateRequest

SIZES = (
    ("sequence_length", 0.5), ("micro_batch_size", 0.3), ("prompt_tokens", 0.5), ("output_tokens", 0.3),
    ("concurrency", 0.6), ("batch", 0.5), ("batch_per_gpu", 0.5), ("width", 0.6), ("height", 0.6), ("frames", 0.6),
    ("steps", 0.6), ("image_size", 0.6),
)  # fmt: skip
"""Fields of workloads that are sizes, with the weight of a factor of two."""
WORDS = (
    ("method", 1.5), ("precision", 1.0), ("framework", 0.8), ("checkpointing", 0.5), ("engine", 1.2),
    ("weight_format", 1.0), ("kv_dtype", 0.3), ("compiled", 0.3), ("offload", 1.0),
)  # fmt: skip
"""Fields of workloads that are words, with the weight of a difference."""
PARAMETERS, GPUS, CARD, ARCHITECTURE = 1.0, 0.4, 1.0, 1.0
BETWEEN_LOOKS = 200
MOST_KEPT = 2048
"""Answers kept for the next request that asks the same."""


@dataclass(frozen=True, slots=True)
class _Known:
    measurement: Measurement
    sizes: tuple[float, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """Measurements of some quantities, their sizes and words as numbers, a row each."""

    measurements: tuple[Measurement, ...]
    sizes: Any
    codes: Any


class NearestIndex:
    """Measurements by quantity, ready to be asked thousands of times.

    Args:
        known: measurements with the request each belongs to.
    """

    def __init__(self, known: Iterable[tuple[Measurement, EstimateRequest]]) -> None:
        groups: dict[str, list[_Known]] = {}
        for measurement, request in known:
            groups.setdefault(measurement.quantity, []).append(
                _Known(measurement, _sizes(request), _words(request))
            )
        self._groups = groups
        self._vocabulary = {
            w: float(i) for i, w in enumerate({w for g in groups.values() for k in g for w in k.words})
        }
        self._tables: dict[tuple[str, ...], _Table] = {}
        self._memo: dict[tuple[Any, ...], tuple[NearMeasurement, ...]] = {}

    @staticmethod
    def build(
        measurements: Iterable[Measurement],
        read: Callable[[object], EstimateRequest],
        look: Callable[[], None] | None = None,
    ) -> NearestIndex:
        """An index over `measurements`; those whose request cannot be read any more are left out.

        Args:
            read: turns a request's JSON object into a request.
            look: called after every few measurements; what it raises stops the work.
        """
        known = []
        for i, item in enumerate(measurements):
            if look is not None and i % BETWEEN_LOOKS == 0:
                look()
            try:
                known.append((item, read(json.loads(item.request))))
            except (UserError, ValueError):
                continue
        return NearestIndex(known)

    def near(
        self, request: EstimateRequest, quantities: Sequence[str], count: int = 3
    ) -> tuple[NearMeasurement, ...]:
        """Up to `count` measurements of `quantities` (as `Measurement.quantity` writes them), nearest first."""
        sizes, words = _sizes(request), _words(request)
        key = (*quantities, count, sizes, words)
        if key not in self._memo:
            if len(self._memo) >= MOST_KEPT:  # a session asks for new configurations without end
                self._memo.clear()
            self._memo[key] = self._nearest(sizes, words, tuple(quantities), count)
        return self._memo[key]

    def _nearest(
        self, sizes: tuple[float, ...], words: tuple[str, ...], quantities: tuple[str, ...], count: int
    ) -> tuple[NearMeasurement, ...]:
        if quantities not in self._tables:
            self._tables[quantities] = self._table(quantities)
        table = self._tables[quantities]
        if not table.measurements:
            return ()
        codes = np.array([self._vocabulary.get(w, -1.0) for w in words])
        # a size that one of the two does not state is no difference: fmax passes NaN over
        apart = np.fmax(np.abs(table.sizes - np.array(sizes)), 0.0) @ _SIZE_WEIGHTS
        apart += (table.codes != codes) @ _WORD_WEIGHTS
        best = np.argsort(apart, kind="stable")[:count]
        return tuple(_shown(table.measurements[i], float(apart[i])) for i in best.tolist())

    def _table(self, quantities: tuple[str, ...]) -> _Table:
        known = [each for quantity in quantities for each in self._groups.get(quantity, ())]
        return _Table(
            tuple(each.measurement for each in known),
            np.array([each.sizes for each in known]),
            np.array([[self._vocabulary[w] for w in each.words] for each in known]),
        )


def nearest_measurements(
    index: NearestIndex | None, request: EstimateRequest, quantities: Sequence[str], count: int = 3
) -> tuple[NearMeasurement, ...]:
    """The nearest measurements over several quantities, nearest first; nothing without an index."""
    return () if index is None else index.near(request, quantities, count)


_SIZE_WEIGHTS = np.array([PARAMETERS, GPUS, *(w for _, w in SIZES)])
_WORD_WEIGHTS = np.array([CARD / 2, ARCHITECTURE, *(w for _, w in WORDS)])


def _sizes(request: EstimateRequest) -> tuple[float, ...]:
    model, work = request.model, request.workload
    shape = model.architecture
    active = model.active_parameters or (shape.active_parameters if shape else None) or model.parameters
    values = [float(active or 1), float(request.hardware.gpu_count)]
    values.extend(_number(getattr(work, name, None)) for name, _ in SIZES)
    return tuple(math.log2(v) if v > 0 else math.nan for v in values)


def _words(request: EstimateRequest) -> tuple[str, ...]:
    work, card = request.workload, request.accelerator
    words = [f"card {card.id}", f"architecture {card.architecture}"]
    words.extend(f"{name} {getattr(work, name, '')}" for name, _ in WORDS)
    return tuple(words)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan


def _shown(item: Measurement, distance: float) -> NearMeasurement:
    return NearMeasurement(
        distance=round(distance, 3), measured=item.value, unit=item.unit, source=item.evidence.source,
        description=item.note or item.id,
    )  # fmt: skip


def distance(one: EstimateRequest, other: EstimateRequest) -> float:
    """How far two configurations lie apart; 0 is the same, a factor of two in the parameters is 1."""
    apart = np.nan_to_num(np.abs(np.array(_sizes(one)) - np.array(_sizes(other)))) @ _SIZE_WEIGHTS
    differ = np.array([a != b for a, b in zip(_words(one), _words(other), strict=True)], dtype=float)
    return float(apart + differ @ _WORD_WEIGHTS)
