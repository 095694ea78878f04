"""Scores the present coefficients on every shipped measurement: what `gpuconfig validate` prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.workloads.request import EstimateRequest

TASKS: Mapping[str, tuple[str, ...]] = {
    "memory": ("training_memory",),
    "training": ("training_throughput", "training_check"),
    "serving": ("serving",),
    "image": ("image", "video", "image_check"),
    "vision": ("vision",),
}
"""Measurement files of each kind of validation that compares estimates; no fit reads those named `…_check`."""

Read = Callable[[object], EstimateRequest]
Answers = Callable[[Sequence[EstimateRequest]], Sequence[Estimate | UserError]]


def validate(measurements: Sequence[Measurement], read: Read, estimate: Answers) -> list[SourceScore]:
    """Scores by quantity and source; a measurement whose request is refused counts as an error of 100 %."""
    read_rows: list[EstimateRequest | UserError] = []
    for measurement in measurements:
        try:
            read_rows.append(read(json.loads(measurement.request)))
        except UserError as error:
            read_rows.append(error)
    answers = iter(estimate([row for row in read_rows if isinstance(row, EstimateRequest)]))
    pairs = [next(answers) if isinstance(row, EstimateRequest) else row for row in read_rows]
    return score([_compared(m, answer) for m, answer in zip(measurements, pairs, strict=True)])


def _compared(measurement: Measurement, answer: Estimate | UserError) -> Comparison:
    found: object = answer
    for step in measurement.quantity.split("."):
        found = found[int(step)] if isinstance(found, tuple) and found else getattr(found, step, None)
    figure = found if isinstance(found, Figure) else Figure(found if isinstance(found, int | float) else None)
    source = measurement.fields.get("origin") or measurement.evidence.source
    predicted = figure.value if figure.value else None
    return Comparison(source, measurement.quantity, measurement.value, predicted, figure.low, figure.high)
