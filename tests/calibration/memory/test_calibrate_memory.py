"""Fitting and validating the memory model on the shipped measurements."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gpuconfig.calibration.memory import ALLOCATED, calibrate_memory, memory_cases, validate_memory
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.workloads.model_spec import model_from_object
from gpuconfig.engine.workloads.request import EstimateRequest, read_request
from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    path = tmp_path_factory.mktemp("calibration") / "catalogue.sqlite"
    build(path)
    opened = open_catalogue(path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def coefficients(catalogue: Catalogue) -> CoefficientSet:
    return CoefficientSet.of(
        r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)
    )


@pytest.fixture(scope="module")
def read(catalogue: Catalogue) -> Any:
    def one(text: str) -> EstimateRequest:
        return read_request(json.loads(text), lambda m: model_from_object(m), catalogue.accelerator)  # type: ignore[arg-type,return-value]

    return one


def test_every_shipped_measurement_is_answered(
    catalogue: Catalogue, coefficients: CoefficientSet, read: Any
) -> None:
    rows = [m for m in catalogue.measurements() if m.task == "training_memory"]
    assert len(memory_cases(rows, read, coefficients)) == len(rows) > 500
    assert all(m.licence for m in rows)


def test_the_shipped_coefficients_are_what_the_fit_gives(
    catalogue: Catalogue, coefficients: CoefficientSet, read: Any
) -> None:
    for row in calibrate_memory(catalogue.measurements(), read, coefficients, "2026-12-02"):
        shipped = coefficients.row("memory", row.name, row.scope)
        assert shipped.scope == row.scope, row
        assert shipped.value == pytest.approx(row.value, rel=0.02), row
        for mine, theirs in ((shipped.low, row.low), (shipped.high, row.high)):
            assert mine == pytest.approx(theirs, abs=0.01), row


def test_errors_stay_small_on_sources_that_were_held_out(
    catalogue: Catalogue, coefficients: CoefficientSet, read: Any
) -> None:
    scores = validate_memory(catalogue.measurements(), read, coefficients, held_out=True)
    allocated = [s for s in scores if s.quantity.endswith(ALLOCATED)]
    assert len(allocated) >= 4
    assert sum(s.median for s in allocated) / len(allocated) < 0.05
    assert sum(s.p90 for s in allocated) / len(allocated) < 0.15
    assert all(s.refused == 0 for s in scores)


def test_bands_hold_what_they_promise(catalogue: Catalogue, coefficients: CoefficientSet, read: Any) -> None:
    scores = validate_memory(catalogue.measurements(), read, coefficients)
    inside = [s.inside for s in scores if s.quantity.endswith(ALLOCATED)]
    assert 0.85 <= sum(inside) / len(inside) <= 0.99
    assert all(s.width < 0.5 for s in scores)
