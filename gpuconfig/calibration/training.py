"""Calibration and validation of training speed, with whole sources held out.

Few parameters, each bounded and pulled towards what is known beforehand; every source counts the same however many rows
it has; the loss is on logarithms and mixes mean, median and root mean square, so that single wrong rows weigh little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gpuconfig.calibration.coefficient_files import FITTED
from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.calibration.speed_fit import SOURCE, TASK, Case, Read, TrainingFit, grouped, training_cases
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.coefficient_inputs import BAND_SCOPES
from gpuconfig.engine.estimation.inputs.hardware import speed_scopes
from gpuconfig.engine.estimation.inputs.work_kinds import is_encoder
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.training import TrainingWorkload

NOTE = f"{FITTED}{TASK}"
REGIMES = ("tuned", "untuned", "encoder")
BAND = (0.05, 0.95)
UNSEEN = 0.5
"""By how much more than the residuals bands reach out (on the logarithm), over the number of sources at hand: the next
source is another one, and the fewer there are, the less they tell of it."""


def calibrate_training(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet, today: str
) -> list[Coefficient]:
    """The fitted rows of the groups `compute` and `communication`, and the bands.

    Bands come from the residuals of sources that were held out of the fit.

    Args:
        today: ISO day written into the evidence of fitted rows.
    """
    fit = TrainingFit(training_cases(measurements, read), coefficients)
    values = fit.fit()
    evidence = Evidence(SOURCE, today, EvidenceKind.CALCULATED)
    free = {f.index for f in fit.free(np.arange(len(fit.cases)))}
    fitted = [
        replace(row.coefficient, value=float(f"{values[row.index]:.4g}"), evidence=evidence, note=NOTE)
        for row in fit.rows.values()
        if row.index in free
    ]
    return [*fitted, *_bands(fit, coefficients, evidence)]


def validate_training(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet, held_out: bool = False
) -> list[SourceScore]:
    """Scores of speed by regime and source, tuned first; with `held_out` each source by a fit on all others."""
    fit = TrainingFit(training_cases(measurements, read), coefficients)
    ratio = held_out_ratio(fit) if held_out else fit.speed_ratio(fit.values)
    comparisons = []
    for i, case in enumerate(fit.cases):
        low, high = (row.value for row in _band_rows(case, coefficients))
        predicted = float(ratio[i])
        ends = (None if low is None else predicted * low, None if high is None else predicted * high)
        comparisons.append(Comparison(case.source, f"training.speed.{case.regime}", 1.0, predicted, *ends))
    order = {f"training.speed.{regime}": i for i, regime in enumerate(REGIMES)}
    return sorted(score(comparisons), key=lambda s: (order.get(s.quantity, len(order)), s.source))


def held_out_ratio(fit: TrainingFit) -> Any:
    """Predicted over measured speed of each case by a fit on all other sources."""
    ratio = np.full(len(fit.cases), np.nan)
    for source in dict.fromkeys(source for _, source in fit.keys):
        rows = np.array([i for i, (_, s) in enumerate(fit.keys) if s == source], int)
        ratio[rows] = fit.speed_ratio(fit.fit([source]), rows)
    return ratio


def _bands(fit: TrainingFit, coefficients: CoefficientSet, evidence: Evidence) -> list[Coefficient]:
    """Ends of the 90 % band by kind of stack: quantiles of measured over predicted speed, sources weigh the same."""
    ratio, plausible = 1.0 / held_out_ratio(fit), fit.plausible()
    scopes = [_band_rows(case, coefficients)[0].scope for case in fit.cases]
    by_scope: dict[str, list[list[int]]] = {}
    keys = [(scope, source) for scope, (_, source) in zip(scopes, fit.keys, strict=True)]
    for (scope, _), rows in grouped(keys).items():
        kept = [i for i in rows if plausible[i]]
        if kept:
            by_scope.setdefault(scope, []).append(kept)
    every = _ends(ratio, [rows for groups in by_scope.values() for rows in groups])
    result = []
    for scope, groups in by_scope.items():
        low, high = _ends(ratio, groups)
        if (
            len(groups) == 1
        ):  # one source tells little of how others differ: half-way to what all of them show
            low, high = min(low, (low * every[0]) ** 0.5), max(high, (high * every[1]) ** 0.5)
        for name, end in (("speed_low", low), ("speed_high", high)):
            row = coefficients.row("compute", name, scope)
            result.append(replace(row, value=float(f"{end:.3g}"), evidence=evidence, note=NOTE))
    return result


def _ends(ratio: Any, groups: Sequence[list[int]]) -> tuple[float, float]:
    """Both ends of the 90 % band over groups that weigh the same."""
    values = np.concatenate([ratio[g] for g in groups])
    weights = np.concatenate([np.full(len(g), 1.0 / len(g)) for g in groups])
    ends = (weighted_quantile(values, weights, share) for share in BAND)
    low, high = (float(end ** (1.0 + UNSEEN / len(groups))) for end in ends)
    return low, high


def weighted_quantile(values: Any, weights: Any, share: float) -> float:
    """The value below which `share` of the weight lies."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, share * total[-1])])


def _band_rows(case: Case, coefficients: CoefficientSet) -> tuple[Coefficient, Coefficient]:
    """The rows of the low and the high end that a case reads."""
    request = case.request
    assert isinstance(request.workload, TrainingWorkload)
    split = request.parallelism or Parallelism()
    settings, _ = resolve_settings(request.workload, request.model, request.accelerator, split)
    words = speed_scopes(request.accelerator, settings, is_encoder(request.model))
    scopes = tuple(scope.format_map(words) for scope in BAND_SCOPES)
    return coefficients.row("compute", "speed_low", *scopes), coefficients.row(
        "compute", "speed_high", *scopes
    )
