"""From requests to the table of inputs of the training graph (the columns that memory needs)."""

from __future__ import annotations

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import InputTable
from gpuconfig.engine.estimation.inputs.device import device_columns
from gpuconfig.engine.estimation.inputs.model import architecture_of, model_columns
from gpuconfig.engine.estimation.inputs.notes import training_notes
from gpuconfig.engine.estimation.inputs.parallelism import check_mix, strategy_columns
from gpuconfig.engine.estimation.inputs.replicas import check_replicas, check_whole_replicas
from gpuconfig.engine.estimation.inputs.workload import workload_columns
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest

FULLY_SHARDED = 3


def training_columns(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet, check: bool = True
) -> dict[str, float]:
    """One row of every column named in `names.TRAINING_INPUTS`, as plain floats.

    Raises:
        InputError: the shape or the mix of degrees is impossible (`check` False leaves the mix to the caller).
    """
    shape = architecture_of(request.model)
    parallelism = request.parallelism or Parallelism()
    columns = model_columns(request.model)
    columns.update(strategy_columns(parallelism, request.hardware))
    fully_sharded = parallelism.zero_stage == FULLY_SHARDED
    columns.update(workload_columns(settings, shape, coefficients, fully_sharded))
    check_replicas(request.hardware, settings)
    if check:
        check_mix(columns)
        check_whole_replicas(parallelism, settings)
    columns.update(device_columns(request, settings, coefficients))
    return columns


def training_table(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet, check: bool = True
) -> InputTable:
    """One configuration as an InputTable of one row; stack tables or replace columns for many."""
    columns = training_columns(request, settings, coefficients, check)
    return InputTable(dict(columns), training_notes(request, settings, coefficients))
