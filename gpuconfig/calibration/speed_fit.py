"""Cases of training speed as columns, with the coefficients they read as one vector of values that can be fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuconfig.calibration.coefficient_files import is_fitted
from gpuconfig.calibration.pattern import Free, minimise
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import EVERYWHERE, CoefficientSet
from gpuconfig.engine.estimation.inputs.coefficient_inputs import COEFFICIENT_INPUTS, coefficient_rows
from gpuconfig.engine.estimation.inputs.hardware import speed_scopes
from gpuconfig.engine.estimation.inputs.speed import speed_columns
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.inputs.work_kinds import is_encoder
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.estimation.training.open_settings import settle_open
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.provenance.errors import UserError
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
    "padding_skipped": 0.5, "misaligned_head": 0.3, "software_speed": 0.2, "tensor_exposed": 0.5,
    "context_exposed": 0.7, "expert_exposed": 0.5, "pipeline_exposed": 0.5, "replica_exposed": 0.7,
    "shard_exposed": 0.7, "straggler_share": 1.0, "clock_slope": 0.3,
}  # fmt: skip
"""Coefficients that are fitted, with how far each may be off (standard deviation of its logarithm)."""
BOUNDS = {
    "product_ceiling": (0.2, 0.9), "attention_ceiling": (0.1, 0.85), "bandwidth_ceiling": (0.5, 0.95),
    "grouped_efficiency": (0.2, 1.0), "expert_imbalance": (0.01, 0.5), "straggler_share": (1e-4, 0.02),
    "elementwise_passes": (0.7, 5.0), "tensor_exposed": (0.02, 1.0), "context_exposed": (0.02, 1.0),
    "expert_exposed": (0.02, 1.0), "pipeline_exposed": (0.02, 1.0), "replica_exposed": (0.02, 1.0),
    "shard_exposed": (0.02, 1.0), "software_speed": (0.3, 1.3), "clock_slope": (0.05, 0.8),
}  # fmt: skip
"""What each may not leave."""
FIXED = "fixed"
"""How the note of a row begins that no fit may move."""
HIGHEST_UTILISATION = 0.75
"""Share of the peak above which a published speed is taken for a slip (another card, another count of tokens): large
products alone reach 80 %, and no checked training run 70 %."""
PULL = 0.006
"""What moving a number away from what was believed costs: the value at which held-out sources are predicted best."""
WORST = 1.5
"""Cap of one row's error in the loss (on the logarithm)."""
Read = Callable[[str], EstimateRequest]
"""A request from the JSON text of a measurement; raises UserError."""


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
        settled = settle_open([case.request for case in cases], coefficients)
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
        priors = priors_of(coefficients)
        self.values = np.array([_value(row.coefficient) for row in self.rows.values()], float)
        self.start = np.array([_value(priors.row(*key)) for key in self.rows], float)
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

    def plausible(self) -> Any:
        """Whether each measured speed leaves the card below `HIGHEST_UTILISATION`; padding is not computed."""
        found = training_graph().evaluate(self._columns, ("mfu", "tokens_per_gpu"))
        c = self._columns
        given = (
            c["micro_batch_size"] * c["sequence_length"] * c["sequences_per_sample"] / c["context_parallel"]
        )
        utilisation = found["mfu"] * found["tokens_per_gpu"] / given
        return utilisation / self.speed_ratio(self.values) < HIGHEST_UTILISATION

    def free(self, chosen: Any) -> list[Free]:
        """The numbers that the chosen cases tell something about."""
        touched = set(np.unique(self._places[chosen]))
        result = []
        for (_, name, scope), row in self.rows.items():
            fixed = row.coefficient.note.startswith(FIXED) or (
                name == "software_speed" and scope == EVERYWHERE
            )
            if name in DOUBTS and row.index in touched and self.start[row.index] > 0 and not fixed:
                low, high = BOUNDS.get(name, (1e-12, 1e12))
                result.append(Free(row.index, low, high, DOUBTS[name]))
        return result

    def fit(self, left_out: Iterable[str] = ()) -> Any:
        """The vector of values fitted on every source but those left out."""
        out, plausible = set(left_out), self.plausible()
        kept = (source not in out and plausible[i] for i, (_, source) in enumerate(self.keys))
        chosen = np.flatnonzero(np.fromiter(kept, bool, len(self.keys)))
        groups = [np.array(g, int) for g in grouped([self.keys[i] for i in chosen]).values()]

        def loss(values: Any) -> float:
            errors = np.minimum(np.abs(np.log(self.speed_ratio(values, chosen))), WORST)
            errors = np.where(np.isfinite(errors), errors, WORST)
            parts = [errors[g] for g in groups]
            each = [p.mean() + 0.5 * np.median(p) + 0.3 * np.sqrt((p * p).mean()) for p in parts]
            return float(np.mean(each))

        return minimise(loss, self.start, self.free(chosen), pull=PULL)


def training_cases(measurements: Iterable[Measurement], read: Read) -> list[Case]:
    """The measurements of training speed whose requests can be read."""
    cases = []
    for measurement in measurements:
        if measurement.task == TASK:
            try:
                cases.append(Case(measurement, read(measurement.request)))
            except UserError:
                continue
    return cases


def priors_of(coefficients: CoefficientSet) -> CoefficientSet:
    """What was believed before fitting: every row that no fit wrote."""
    return CoefficientSet.of(row for row in coefficients.rows if not is_fitted(row))


def grouped(keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    """Positions of each key, keys in order of first appearance."""
    groups: dict[tuple[str, str], list[int]] = {}
    for position, key in enumerate(keys):
        groups.setdefault(key, []).append(position)
    return groups


def _value(row: Coefficient) -> float:
    return float("nan") if row.value is None else row.value
