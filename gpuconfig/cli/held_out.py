"""Scores where each source is predicted by coefficients fitted without it: how well a model does on a new source."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gpuconfig.calibration.source_score import SourceScore
from gpuconfig.calibration.validate import TASKS
from gpuconfig.cli.run import Shell
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest

KINDS = ("memory", "training", "serving", "image", "vision")
"""Kinds whose fit can leave a source out; links are fitted on few sources that each know other links."""


def held_out_scores(shell: Shell, kind: str) -> Sequence[SourceScore]:
    """Scores of one kind of model; takes as long as one fit for each source.

    Raises:
        UserError: the kind has no such scores.
    """
    if kind not in KINDS:
        values = {"kind": kind, "names": ", ".join(KINDS)}
        raise UserError("unknown_value", Message(N_("{kind} has no held-out scores; {names} have"), values))
    catalogue, services = shell.services.catalogue(), shell.services

    def read(text: str) -> EstimateRequest:
        return services.read_estimate(json.loads(text))

    coefficients = CoefficientSet.of(
        row for group in catalogue.coefficient_groups() for row in catalogue.coefficients(group)
    )
    rows = [m for task in TASKS[kind] for m in catalogue.measurements(task)]
    if kind == "memory":
        from gpuconfig.calibration.memory import validate_memory

        return validate_memory(rows, read, coefficients, held_out=True)
    if kind == "training":
        from gpuconfig.calibration.training import validate_training

        return validate_training(rows, read, coefficients, held_out=True)
    from gpuconfig.calibration import pipelines, serving

    if kind == "serving":
        return serving.held_out_scores(rows, read, coefficients)
    pipeline = pipelines.VISION if kind == "vision" else pipelines.DIFFUSION
    return pipelines.held_out_scores(pipeline, rows, read, coefficients)
