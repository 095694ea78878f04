"""`gpuconfig calibrate`: fits the coefficients of a model from the shipped measurements."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from gpuconfig import paths
from gpuconfig.calibration.coefficient_files import write_fitted
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.engine.workloads.request import EstimateRequest

Read = Callable[[str], EstimateRequest]


def run(shell: Shell) -> Exit:
    """Write the fitted rows into copies of the coefficient files in `--output`, or into the seed itself."""
    source = paths.database_sources() / "seed" / "coefficients"
    target = shell.options.output or source
    services = shell.services
    catalogue = services.catalogue()
    rows = [r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)]

    def read(text: str) -> EstimateRequest:
        return services.read_estimate(json.loads(text))

    fitted = fit(shell, read, CoefficientSet.of(rows))
    for group in sorted({row.group for row in fitted}):
        path = _copy(source / f"{group}.csv", target)
        write_fitted(path, [row for row in fitted if row.group == group])
        shell.print(str(path))
    for row in fitted:
        shell.print(f"  {row.group}.{row.name} [{row.scope}] {row.value} ({row.low} - {row.high})")
    return Exit.DONE


def fit(shell: Shell, read: Read, coefficients: CoefficientSet) -> Sequence[Coefficient]:
    """Fitted rows of the chosen kind of model."""
    kind = shell.options.kind
    catalogue, today = shell.services.catalogue(), date.today().isoformat()
    if kind == "memory":
        from gpuconfig.calibration.memory import calibrate_memory

        return calibrate_memory(catalogue.measurements("training_memory"), read, coefficients, today)
    if kind == "training":
        from gpuconfig.calibration.training import calibrate_training

        return calibrate_training(catalogue.measurements("training_throughput"), read, coefficients, today)
    if kind == "scaling":
        from gpuconfig.calibration.scaling import calibrate_scaling

        return calibrate_scaling(catalogue.measurements(), read, coefficients, today)
    if kind == "serving":
        from gpuconfig.calibration.serving import calibrate_serving

        return calibrate_serving(catalogue.measurements("serving"), read, coefficients)
    from gpuconfig.calibration.pipelines import DIFFUSION, VISION, calibrate_pipeline
    from gpuconfig.calibration.validate import TASKS

    rows = [m for task in TASKS[kind] for m in catalogue.measurements(task)]
    return calibrate_pipeline(VISION if kind == "vision" else DIFFUSION, rows, read, coefficients)


def _copy(source: Path, folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / source.name
        if not target.exists():
            shutil.copyfile(source, target)
    except OSError as error:
        values = {"file": str(folder), "reason": refusal(error)}
        raise DataError("unwritable", Message(N_("{file} cannot be written: {reason}"), values)) from None
    return target
