"""The robust fit, and that what is fitted is what the model reads."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from gpuconfig import paths
from gpuconfig.calibration.pipelines import PIPELINES
from gpuconfig.calibration.relative_fit import Parameter, band_factors, fit
from gpuconfig.calibration.serving import FITS
from gpuconfig.calibration.source_score import Comparison, score
from gpuconfig.engine.estimation.serving.inputs import COEFFICIENT_INPUTS


def test_fit_finds_two_factors_despite_outliers():
    rng = np.random.default_rng(1)
    sizes = rng.uniform(1, 100, 60)
    measured = 3.0 * sizes + 7.0
    measured[:6] *= 5  # rows that are simply wrong
    rows = np.arange(60)
    parameters = [Parameter("slope", "*", 1.0, 5.0, rows), Parameter("fixed", "*", 1.0, 5.0, rows)]

    def predict(theta):
        return np.log(np.exp(theta[0]) * sizes + np.exp(theta[1]))

    slope, fixed = fit(parameters, np.log(measured), np.ones(60), predict, rounds=40)
    assert slope.value == pytest.approx(3.0, rel=0.05)
    assert fixed.value == pytest.approx(7.0, rel=0.25)


def test_a_parameter_nobody_speaks_about_stays_at_its_prior():
    rows = np.arange(3)
    parameters = [
        Parameter("used", "*", 1.0, 1.0, rows),
        Parameter("idle", "*", 4.0, 1.0, np.array([], dtype=int)),
    ]
    fitted = fit(parameters, np.log(np.full(3, 2.0)), np.ones(3), lambda theta: np.full(3, theta[0]))
    assert fitted[1].value == pytest.approx(4.0)


def test_band_holds_its_share():
    residuals = np.random.default_rng(2).normal(0, 0.1, 4000)
    low, high = band_factors(residuals)
    inside = np.mean((np.exp(-residuals) >= low) & (np.exp(-residuals) <= high))
    assert 0.9 < inside < 0.94


def test_every_fitted_scope_is_read():
    read = {c.name: (*c.scopes, "*") for c in COEFFICIENT_INPUTS}
    for name, what in FITS.items():
        assert {template for template, _ in what.levels} <= set(read[name]), name
    for pipeline in PIPELINES:
        scopes = {n: (*s, "*") for n, _, _, s in pipeline.coefficients}
        for name, what in pipeline.fits.items():
            assert set(what.scopes) <= set(scopes[name]), name


def test_score_counts_a_refused_row_as_all_wrong():
    rows = [Comparison("s", "q", 100.0, 110.0, 90.0, 130.0), Comparison("s", "q", 100.0, None, None, None)]
    (line,) = score(rows)
    assert (line.rows, line.refused) == (2, 1)
    assert line.median == pytest.approx(0.55)
    assert line.inside == 1.0


def test_few_factors_are_written():
    """The physical core and what engines, families, formats and cards add to it: at most eighty numbers."""
    rows = (paths.database_sources() / "seed" / "coefficients" / "serving.csv").read_text("utf-8")
    fitted = [r for r in csv.DictReader(io.StringIO(rows)) if r["kind"] == "calculated"]
    factors = [r for r in fitted if not r["name"].startswith("band_")]
    assert 20 < len(factors) <= 80


def test_what_engines_share_moves_less_than_what_one_source_shows():
    for name, what in FITS.items():
        shared = [t for template, t in what.levels if "{stack}" in template and "{card}" not in template]
        own = [t for template, t in what.levels if "{card}" in template or "{architecture}" in template]
        assert not shared or not own or max(shared) < min(own), name
