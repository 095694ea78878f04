"""Fits the coefficients of training speed from the shipped measurements and validates them with whole sources held out.

Few parameters, each bounded and pulled towards what is known beforehand; every source counts the same however many rows
it has; the loss is on logarithms and mixes mean, median and root mean square, so that single wrong rows weigh little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.calibration.pattern import Free, minimise
from gpuconfig.calibration.score import SourceScore, grouped, score_of
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.hardware import (
    BAND_SCOPES,
    COEFFICIENT_INPUTS,
    coefficient_rows,
    speed_scopes,
)
from gpuconfig.engine.estimation.inputs.speed import is_encoder, speed_columns
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.estimation.training.recompute import settle_checkpointing
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import TrainingWorkload

TASK = "training_throughput"
SOURCE = f"db/seed/measurements/{TASK}.csv"
STEP_TIME = "training.step_time_s"
DOUBTS = {
    "product_ceiling": 0.15, "exposed_traffic": 0.5, "attention_ceiling": 0.3, "attention_half_length": 1.0,
    "attention_backward": 0.2, "square_passes": 0.5, "bandwidth_ceiling": 0.1, "elementwise_passes": 0.4,
    "cast_passes": 0.5, "grouped_efficiency": 0.3, "expert_imbalance": 1.0, "permute_passes": 0.5,
    "layer_host_seconds": 0.7, "shard_host_seconds": 1.0, "step_host_seconds": 1.0, "adapter_passes": 0.7,
    "adapter_host_seconds": 0.7, "dequantise_passes": 0.7, "optimizer_passes": 0.5, "loss_passes": 0.4,
    "padding_skipped": 0.5, "misaligned_head": 0.3, "software_speed": 0.2, "tensor_exposed": 0.5, "context_exposed": 0.7,
    "expert_exposed": 0.5, "pipeline_exposed": 0.5, "replica_exposed": 0.7, "shard_exposed": 0.7, "straggler_share": 1.0,
}  # fmt: skip
"""Coefficients that are fitted, with how far each may be off (standard deviation of its logarithm)."""
BOUNDS = {
    "product_ceiling": (0.2, 0.97), "attention_ceiling": (0.1, 0.85), "bandwidth_ceiling": (0.5, 0.95),
    "grouped_efficiency": (0.2, 1.0), "expert_imbalance": (0.01, 0.5), "straggler_share": (1e-4, 0.02),
    "elementwise_passes": (0.7, 5.0), "tensor_exposed": (0.02, 1.0), "context_exposed": (0.02, 1.0),
    "expert_exposed": (0.02, 1.0), "pipeline_exposed": (0.02, 1.0), "replica_exposed": (0.02, 1.0),
    "shard_exposed": (0.02, 1.0), "software_speed": (0.3, 1.3),
}  # fmt: skip
"""What each may not leave."""
WORST = 1.5
"""Cap of one row's error in the loss (on the logarithm)."""
BAND = (0.05, 0.95)


@dataclass(frozen=True, slots=True)
class Case:
    """A measurement with the request it belongs to."""

    measurement: Measurement
    request: EstimateRequest

    @property
    def source(self) -> str:
        """The source that is held out as a whole."""
        return self.measurement.fields.get("origin") or self.measurement.evidence.source

    @property
    def regime(self) -> str:
        """`tuned`, `untuned` or `encoder`."""
        return self.measurement.fields.get("regime", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One coefficient row that the cases read, and where it stands in the vector of values."""

    coefficient: Coefficient
    index: int


class TrainingFit:
    """The cases as columns, with each coefficient column replaced by positions in one vector of values."""

    def __init__(self, cases: Sequence[Case], coefficients: CoefficientSet) -> None:
        self.rows: dict[tuple[str, str, str], Row] = {}
        self.cases: list[Case] = []
        columns: list[dict[str, float]] = []
        places: list[list[int]] = []
        settled = settle_checkpointing([case.request for case in cases], coefficients)
        for case, ready in zip(cases, settled, strict=True):
            try:
                row, at = self._row(ready.request, coefficients)
                row["recompute_share"] = ready.share
            except UserError:
                continue
            self.cases.append(case)
            columns.append(row)
            places.append(at)
        self._columns = {name: np.array([c[name] for c in columns]) for name in columns[0]} if columns else {}
        self._places = np.array(places, int)
        self.values = np.array([_value(row.coefficient) for row in self.rows.values()], float)
        self.start = np.array([prior_of(row.coefficient) for row in self.rows.values()], float)
        self._measured = np.array([c.measurement.value for c in self.cases], float)
        self._inverse = np.array([c.measurement.quantity == STEP_TIME for c in self.cases], bool)
        self.keys = [(c.regime, c.source) for c in self.cases]

    def _row(
        self, request: EstimateRequest, coefficients: CoefficientSet
    ) -> tuple[dict[str, float], list[int]]:
        assert isinstance(request.workload, TrainingWorkload)
        split = request.parallelism or Parallelism()
        settings, _ = resolve_settings(request.workload, request.model, request.accelerator, split)
        columns = training_columns(request, settings, coefficients)
        columns.update(speed_columns(request, settings, coefficients).columns)
        scopes = speed_scopes(request.accelerator, settings, is_encoder(request.model))
        at = []
        for _, found in coefficient_rows(scopes, coefficients):
            key = (found.group, found.name, found.scope)
            at.append(self.rows.setdefault(key, Row(found, len(self.rows))).index)
        return columns, at

    def speed_ratio(self, values: Any, chosen: Any = slice(None)) -> Any:
        """Predicted over measured speed of the chosen cases."""
        columns: dict[str, Any] = {name: column[chosen] for name, column in self._columns.items()}
        places = self._places[chosen]
        for number, item in enumerate(COEFFICIENT_INPUTS):
            columns[item.name] = values[places[:, number]]
        found = training_graph().evaluate(columns, ("tokens_per_s", "step_seconds"))
        inverse, measured = self._inverse[chosen], self._measured[chosen]
        return np.where(inverse, measured / found["step_seconds"], found["tokens_per_s"] / measured)

    def free(self, chosen: Any) -> list[Free]:
        """The numbers that the chosen cases tell something about."""
        touched = set(np.unique(self._places[chosen]))
        result = []
        for (_, name, scope), row in self.rows.items():
            general = name == "software_speed" and scope == "*"
            assumed = row.coefficient.evidence.kind is EvidenceKind.ASSUMED
            if name in DOUBTS and row.index in touched and self.start[row.index] > 0 and not general and not assumed:
                low, high = BOUNDS.get(name, (1e-12, 1e12))
                result.append(Free(row.index, low, high, DOUBTS[name]))
        return result

    def fit(self, left_out: Iterable[str] = ()) -> Any:
        """The vector of values fitted on every source but those left out."""
        out = set(left_out)
        chosen = np.array([i for i, (_, source) in enumerate(self.keys) if source not in out], int)
        groups = [np.array(g, int) for g in grouped([self.keys[i] for i in chosen]).values()]

        def loss(values: Any) -> float:
            errors = np.minimum(np.abs(np.log(self.speed_ratio(values, chosen))), WORST)
            errors = np.where(np.isfinite(errors), errors, WORST)
            parts = [errors[g] for g in groups]
            each = [p.mean() + 0.5 * np.median(p) + 0.3 * np.sqrt((p * p).mean()) for p in parts]
            return float(np.mean(each))

        return minimise(loss, self.start, self.free(chosen))


def cases_of(measurements: Iterable[Measurement], read: Any) -> list[Case]:
    """Measurements of training speed with their requests; `read` turns a request's JSON text into a request."""
    return [Case(m, read(m.request)) for m in measurements if m.task == TASK]


def calibrate_training(cases: Sequence[Case], coefficients: CoefficientSet, today: str) -> list[Coefficient]:
    """The rows that changed: fitted values, and bands from residuals of sources that were held out.

    Args:
        today: ISO day written into the evidence of fitted rows.
    """
    fit = TrainingFit(cases, coefficients)
    values = fit.fit()
    evidence = Evidence(SOURCE, today, EvidenceKind.CALCULATED)
    free = {f.index for f in fit.free(np.arange(len(fit.cases)))}
    fitted = [
        replace(
            row.coefficient, value=float(f"{values[row.index]:.4g}"), evidence=evidence,
            note=f"prior {fit.start[row.index]:g}",
        )
        for row in fit.rows.values() if row.index in free
    ]  # fmt: skip
    return [*fitted, *_bands(fit, coefficients, evidence)]


def validate_training(
    cases: Sequence[Case], coefficients: CoefficientSet, held_out: bool = False
) -> list[SourceScore]:
    """Errors by regime and source, tuned first; with `held_out` each source is predicted by a fit on all others."""
    fit = TrainingFit(cases, coefficients)
    ratio = _held_out_ratio(fit) if held_out else fit.speed_ratio(fit.values)
    scores = []
    for (regime, source), rows in grouped(fit.keys).items():
        bands = []
        for i in rows:
            low, high = (_value(row) for row in _band_rows(fit.cases[i], coefficients))
            bands.append((ratio[i] * low, ratio[i] * high))
        scores.append(score_of(regime, source, list(ratio[rows]), [1.0] * len(rows), bands))
    order = {"tuned": 0, "untuned": 1, "encoder": 2}
    return sorted(scores, key=lambda s: (order.get(s.part, 3), s.source))


def _held_out_ratio(fit: TrainingFit) -> Any:
    ratio = np.full(len(fit.cases), np.nan)
    for source in dict.fromkeys(source for _, source in fit.keys):
        rows = np.array([i for i, (_, s) in enumerate(fit.keys) if s == source], int)
        ratio[rows] = fit.speed_ratio(fit.fit([source]), rows)
    return ratio


def _bands(fit: TrainingFit, coefficients: CoefficientSet, evidence: Evidence) -> list[Coefficient]:
    """Ends of the 90 % band by regime: quantiles of measured over predicted speed, each source with the same weight."""
    ratio = 1.0 / _held_out_ratio(fit)
    lows = [_band_rows(case, coefficients)[0].scope for case in fit.cases]
    by_scope: dict[str, list[list[int]]] = {}
    for (scope, _), rows in grouped(
        [(scope, source) for scope, (_, source) in zip(lows, fit.keys, strict=True)]
    ).items():
        by_scope.setdefault(scope, []).append(rows)
    every = _ends(ratio, [rows for groups in by_scope.values() for rows in groups])
    result = []
    for scope, groups in by_scope.items():
        low, high = _ends(ratio, groups)
        if len(groups) == 1:  # one source tells nothing of how others differ
            low, high = min(low, every[0]), max(high, every[1])
        for name, end in (("speed_low", low), ("speed_high", high)):
            row = coefficients.row("compute", name, scope)
            result.append(replace(row, value=float(f"{end:.3g}"), evidence=evidence))
    return result


def _ends(ratio: Any, groups: Sequence[list[int]]) -> tuple[float, float]:
    """Both ends of the 90 % band over groups that weigh the same."""
    values = np.concatenate([ratio[g] for g in groups])
    weights = np.concatenate([np.full(len(g), 1.0 / len(g)) for g in groups])
    return weighted_quantile(values, weights, BAND[0]), weighted_quantile(values, weights, BAND[1])


def weighted_quantile(values: Any, weights: Any, share: float) -> float:
    """The value below which `share` of the weight lies."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, share * total[-1])])


def _band_rows(case: Case, coefficients: CoefficientSet) -> tuple[Coefficient, Coefficient]:
    """The rows of the low and the high end that a case reads."""
    assert isinstance(case.request.workload, TrainingWorkload)
    split = case.request.parallelism or Parallelism()
    settings, _ = resolve_settings(case.request.workload, case.request.model, case.request.accelerator, split)
    scopes = speed_scopes(case.request.accelerator, settings, is_encoder(case.request.model))
    names = tuple(scope.format_map(scopes) for scope in BAND_SCOPES)
    return coefficients.row("compute", "speed_low", *names), coefficients.row("compute", "speed_high", *names)


def prior_of(row: Coefficient) -> float:
    """What was believed before fitting: the note's `prior NUMBER`, else the value itself."""
    words = row.note.split()
    return float(words[1]) if len(words) > 1 and words[0] == "prior" else _value(row)


def _value(row: Coefficient) -> float:
    return float("nan") if row.value is None else row.value
