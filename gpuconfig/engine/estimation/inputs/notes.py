"""What is known of each input of a request: title, unit, where its value comes from; for `explain`."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.inputs.device import card_scopes, framework_class
from gpuconfig.engine.estimation.inputs.model import architecture_of
from gpuconfig.engine.estimation.inputs.names import DEVICE, FRAMEWORK, MODEL, TRAINING_INPUTS
from gpuconfig.engine.estimation.inputs.workload import GROUP, framework_scopes
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.workloads.request import EstimateRequest


def training_notes(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet
) -> dict[str, Input]:
    """Notes of every memory input; an input with nothing special keeps the graph's own."""
    notes = {item.name: item for item in TRAINING_INPUTS}
    model = request.model.evidence()
    for item in MODEL:
        notes[item.name] = _with(item, model)
    scopes = framework_scopes(settings, architecture_of(request.model))
    for item in FRAMEWORK:
        notes[item.name] = _with(item, coefficients.evidence(GROUP, item.name, *scopes))
    card = request.accelerator
    for item in DEVICE:
        row = coefficients.find(GROUP, item.name, *card_scopes(card), *framework_class(settings))
        if row is not None:
            notes[item.name] = _with(item, row.evidence)
    field = "usable_bytes" if card.usable_bytes is not None else "memory_bytes"
    notes["usable_memory_bytes"] = _with(notes["usable_memory_bytes"], card.evidence(field))
    return notes


def _with(item: Input, evidence: Evidence) -> Input:
    return replace(item, evidence=evidence, mark=Mark.of(evidence))
