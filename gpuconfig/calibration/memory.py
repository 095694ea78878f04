"""Fits what the memory model cannot count (allocator, context, communicator, bands) from shipped measurements.

Tensors are counted, not fitted. A fit sees only pairs of counters of one run: what tensors took, and what the
allocator or the card showed beside it. Every source counts the same, however many rows it has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuconfig.calibration.coefficient_files import is_fitted
from gpuconfig.calibration.memory_bands import Residual, fit_bands
from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.answer import MemoryAnswer
from gpuconfig.engine.estimation.coefficients import EVERYWHERE, CoefficientSet
from gpuconfig.engine.estimation.inputs.device import framework_class
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.inputs.workload import GROUP
from gpuconfig.engine.estimation.memory.answer import memory_answers
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import TrainingWorkload

TASK = "training_memory"
SOURCE = f"db/seed/measurements/{TASK}.csv"
ALLOCATED, RESERVED, DEVICE = "peak_allocated_bytes", "peak_reserved_bytes", "device_used_bytes"
COUNTERS = {ALLOCATED: "allocated", RESERVED: "reserved", DEVICE: "device"}
FULL_CARD = 0.90
"""Above this share of the card the allocator gives cached blocks back: such rows say nothing about its habits."""
ROUNDS, SMALLEST_ERROR = 30, 0.005
FITTED = (
    ("communicator_bytes", "B"),
    ("spread_share", "1"),
    ("sharded_share", "1"),
    ("phase_share", "1"),
    ("displaced_share", "1"),
)
DOUBT, PULL = 0.5, 0.15
"""How far each may be off, relative, and how strongly it is held where the rows do not tell."""

Read = Callable[[str], EstimateRequest]
"""A request from the JSON text of a measurement; raises UserError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A measurement with the columns of its request."""

    measurement: Measurement
    columns: dict[str, float]
    scopes: tuple[str, ...]

    @property
    def source(self) -> str:
        """The source that is held out as a whole."""
        return self.measurement.fields.get("origin") or self.measurement.evidence.source

    @property
    def counter(self) -> str:
        """Which counter was measured."""
        return self.measurement.quantity.rsplit(".", 1)[-1]


def memory_cases(measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet) -> list[Case]:
    """The measurements of training memory whose requests can be answered."""
    cases = []
    for measurement in measurements:
        if measurement.task != TASK:
            continue
        try:
            request = read(measurement.request)
            cases.append(_case(measurement, request, coefficients))
        except UserError:
            continue
    return cases


def calibrate_memory(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet, today: str
) -> list[Coefficient]:
    """The fitted rows of the group `memory`: allocator, context, communicator, and the bands of each counter.

    Args:
        today: ISO day written into the evidence of fitted rows.
    """
    rows = list(measurements)
    priors = CoefficientSet.of(r for r in coefficients.rows if r.group != GROUP or not is_fitted(r))
    evidence = Evidence(SOURCE, today, EvidenceKind.CALCULATED)
    fitted = fit_allocator(memory_cases(rows, read, priors), priors, evidence)
    cases = memory_cases(rows, read, priors.with_rows(fitted))
    return [*fitted, *fit_bands(_residuals(cases), evidence)]


def validate_memory(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet, held_out: bool = False
) -> list[SourceScore]:
    """Scores by counter and source; with `held_out` each source is predicted by a fit on all others."""
    rows = list(measurements)
    cases = memory_cases(rows, read, coefficients)
    if not held_out:
        return score(compare(cases))
    comparisons: list[Comparison] = []
    evidence = Evidence(SOURCE, None, EvidenceKind.CALCULATED)
    for source in dict.fromkeys(c.source for c in cases):
        fitted = fit_allocator([c for c in cases if c.source != source], coefficients, evidence)
        again = memory_cases(rows, read, coefficients.with_rows(fitted))
        comparisons += compare([c for c in again if c.source == source])
    return score(comparisons)


def compare(cases: Sequence[Case]) -> list[Comparison]:
    """Each measurement beside its prediction."""
    answers = memory_answers(memory_graph(), [c.columns for c in cases])
    result = []
    for case, answer in zip(cases, answers, strict=True):
        figure = _figure(answer, case)
        quantity = f"memory.{case.counter}"
        value = case.measurement.value
        result.append(Comparison(case.source, quantity, value, figure.value, figure.low, figure.high))
    return result


def fit_allocator(cases: Sequence[Case], priors: CoefficientSet, evidence: Evidence) -> list[Coefficient]:
    """Shares of the allocator and the communicator from runs of which two counters are known.

    Least absolute relative errors by reweighting, with a pull to what is known beforehand. The driver context is not
    fitted: it cannot be told apart from the rest in a single number per run.
    """
    pairs = _pairs(cases)
    if not pairs:
        return []
    columns = {n: np.array([p[0].columns[n] for p in pairs]) for n in pairs[0][0].columns}
    names = (
        "other_phase_bytes",
        "displaced_logits_bytes",
        "fully_sharded",
        "needed_reserved_bytes",
        "weight_bytes",
    )
    values = memory_graph().evaluate(columns, [*names, "loss_reserved_bytes"])
    allocated, shown = (np.array([p[i].measurement.value for p in pairs]) for i in (0, 1))
    on_device = np.array([p[1].counter == DEVICE for p in pairs], float)
    many = on_device * (columns["gpus"] > 1)
    other, displaced, sharded, needed, weights = (
        np.broadcast_to(values[name], allocated.shape) for name in names
    )
    moving = np.maximum(allocated - weights, 0)
    displaced = np.where(values["loss_reserved_bytes"] > needed, displaced, 0)
    design = np.stack([many, moving, moving * sharded, other, displaced], axis=1)
    known = np.array([priors.value(GROUP, name) for name, _ in FITTED])
    gap = shown - allocated - on_device * columns["context_bytes"]
    solution = _least_absolute(design, gap, shown, _source_weights([p[0].source for p in pairs]), known)
    note = f"fit of {len(pairs)} runs of which two counters are known"
    return [
        _fitted_row(name, unit, float(max(value, 0)), evidence, note)
        for (name, unit), value in zip(FITTED, solution, strict=True)
    ]


def _fitted_row(name: str, unit: str, value: float, evidence: Evidence, note: str) -> Coefficient:
    return Coefficient(
        group=GROUP, name=name, scope=EVERYWHERE, value=value, unit=unit, evidence=evidence, note=note
    )


def _residuals(cases: Sequence[Case]) -> list[Residual]:
    return [
        Residual(COUNTERS[case.counter], case.scopes[-1], case.source, c.measured / c.predicted)
        for case, c in zip(cases, compare(cases), strict=True)
        if c.predicted
    ]


def _case(measurement: Measurement, request: EstimateRequest, coefficients: CoefficientSet) -> Case:
    assert isinstance(request.workload, TrainingWorkload)
    split = request.parallelism or Parallelism()
    settings, _ = resolve_settings(request.workload, request.model, request.accelerator, split)
    return Case(
        measurement=measurement,
        columns=training_columns(request, settings, coefficients),
        scopes=framework_class(settings),
    )


def _figure(answer: MemoryAnswer, case: Case) -> Figure:
    parts = case.measurement.quantity.split(".")
    shown = answer.by_stage[int(parts[-2])] if "by_stage" in parts else answer
    figure = getattr(shown, case.counter)
    assert isinstance(figure, Figure)
    return figure


def _pairs(cases: Sequence[Case]) -> list[tuple[Case, Case]]:
    """Runs with allocated and another counter, on a card that is not full."""
    allocated = {(c.source, c.measurement.request): c for c in cases if c.counter == ALLOCATED}
    found = []
    for case in cases:
        first = allocated.get((case.source, case.measurement.request))
        room = case.measurement.value < FULL_CARD * case.columns["usable_memory_bytes"]
        if case.counter != ALLOCATED and first is not None and room:
            found.append((first, case))
    return found


def _source_weights(sources: Sequence[str]) -> Any:
    count: dict[str, int] = defaultdict(int)
    for source in sources:
        count[source] += 1
    return np.array([1 / count[source] for source in sources])


def _least_absolute(design: Any, gap: Any, shown: Any, weights: Any, known: Any) -> Any:
    again = np.ones(len(gap))
    solution = known
    pull = np.diag(PULL / (DOUBT * known))
    for _ in range(ROUNDS):
        root = np.sqrt(weights * again) / shown
        left = np.concatenate([design * root[:, None], pull])
        right = np.concatenate([gap * root, pull @ known])
        solution = np.linalg.lstsq(left, right, rcond=None)[0]
        again = 1 / np.maximum(np.abs(design @ solution - gap) / shown, SMALLEST_ERROR)
    return solution
