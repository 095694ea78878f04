"""Robust fit of coefficients in the logarithm: relative errors, priors, few parameters.

Minimises the Huber loss of log(predicted / measured) plus the squared distance of each parameter from its prior in
units of its tolerance (Gauss-Newton with reweighting). A parameter that no row speaks about stays at its prior.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

HUBER = 0.10
"""Relative error from which a row counts linearly."""
STEP = 0.02
"""Step of the numeric derivative, in the logarithm."""
LARGEST_MOVE = 0.5


@dataclass(frozen=True, slots=True)
class Parameter:
    """A coefficient to fit: its column, the scope it is written for, its prior and tolerance, the rows that read it."""

    name: str
    scope: str
    prior: float
    tolerance: float
    rows: np.ndarray


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted value and how many rows it rests on."""

    parameter: Parameter
    value: float
    row_count: int


Predict = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(values of the parameters, indices of rows) -> log of the predictions of these rows."""


def fit(
    parameters: Sequence[Parameter],
    log_measured: np.ndarray,
    weights: np.ndarray,
    predict: Predict,
    rounds: int = 8,
) -> list[Fitted]:
    """Fitted values in the order of `parameters`."""
    theta = np.log(np.array([p.prior for p in parameters]))
    prior = theta.copy()
    stiffness = np.array([1 / p.tolerance**2 for p in parameters])
    everything = np.arange(log_measured.size)
    for _ in range(rounds):
        base = predict(np.exp(theta), everything)
        residual = base - log_measured
        scale = weights / np.maximum(np.abs(residual), HUBER) * HUBER
        jacobian = _jacobian(parameters, theta, base, predict)
        normal = jacobian.T @ (scale[:, None] * jacobian) / HUBER**2 + np.diag(stiffness)
        gradient = jacobian.T @ (scale * residual) / HUBER**2 + stiffness * (theta - prior)
        move = np.linalg.solve(normal, -gradient)
        theta = theta + np.clip(move, -LARGEST_MOVE, LARGEST_MOVE)
        if np.max(np.abs(move)) < 1e-3:
            break
    return [Fitted(p, float(np.exp(t)), int(p.rows.size)) for p, t in zip(parameters, theta, strict=True)]


def _jacobian(
    parameters: Sequence[Parameter], theta: np.ndarray, base: np.ndarray, predict: Predict
) -> np.ndarray:
    jacobian = np.zeros((base.size, len(parameters)))
    for i, parameter in enumerate(parameters):
        moved = theta.copy()
        moved[i] += STEP
        jacobian[parameter.rows, i] = (predict(np.exp(moved), parameter.rows) - base[parameter.rows]) / STEP
    return np.nan_to_num(jacobian)


def band_factors(residuals: np.ndarray, share: float = 0.92) -> tuple[float, float]:
    """Low and high factor of a prediction that hold `share` of the log residuals (predicted over measured)."""
    edge = (1 - share) / 2
    low, high = np.quantile(residuals, [edge, 1 - edge])
    return float(np.exp(-high)), float(np.exp(-low))
