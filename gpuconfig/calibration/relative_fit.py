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
HALVINGS = 5
"""How often a step that makes the fit worse is halved: a rate at its ceiling has no slope that would hold it back."""
CONVERGED = 3e-3


@dataclass(frozen=True, slots=True)
class Parameter:
    """A factor on a coefficient to fit: its column, the scope it is written for, the rows that read it.

    Attributes:
        prior: the coefficient before the fit.
        tolerance: how far the factor may go from 1, in the logarithm.
        ancestors: places of the wider parameters whose factors these rows carry too; this one is the rest.
    """

    name: str
    scope: str
    prior: float
    tolerance: float
    rows: np.ndarray
    ancestors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted value, its own log factor over the wider scopes, and how many rows it rests on."""

    parameter: Parameter
    value: float
    row_count: int
    own: float = 0.0


Predict = Callable[[np.ndarray], np.ndarray]
"""Log factors of the parameters -> log of the predictions of all rows."""


def fit(
    parameters: Sequence[Parameter],
    log_measured: np.ndarray,
    weights: np.ndarray,
    predict: Predict,
    rounds: int = 8,
    start: np.ndarray | None = None,
) -> list[Fitted]:
    """Fitted values in the order of `parameters`; `start` are log factors near the answer."""
    theta = np.zeros(len(parameters)) if start is None else start.copy()
    stiffness = np.array([1 / p.tolerance**2 for p in parameters])
    together = _disjoint(parameters, log_measured.size)

    def loss(at: np.ndarray, residual: np.ndarray) -> float:
        far = np.abs(residual)
        huber = np.where(far < HUBER, far**2 / 2, HUBER * (far - HUBER / 2)) / HUBER**2
        return float(weights @ np.nan_to_num(huber) + stiffness @ at**2 / 2)

    for _ in range(rounds):
        base = predict(theta)
        residual = base - log_measured
        scale = weights / np.maximum(np.abs(residual), HUBER) * HUBER
        jacobian = _jacobian(parameters, together, theta, base, predict)
        normal = jacobian.T @ (scale[:, None] * jacobian) / HUBER**2 + np.diag(stiffness)
        gradient = jacobian.T @ (scale * residual) / HUBER**2 + stiffness * theta
        move = np.clip(np.linalg.solve(normal, -gradient), -LARGEST_MOVE, LARGEST_MOVE)
        before = loss(theta, residual)
        for _ in range(HALVINGS):
            if loss(theta + move, predict(theta + move) - log_measured) <= before:
                break
            move = move / 2
        theta = theta + move
        if np.max(np.abs(move)) < CONVERGED:
            break
    found = []
    for p, own in zip(parameters, theta, strict=True):
        value = p.prior * float(np.exp(own + sum(theta[i] for i in p.ancestors)))
        found.append(Fitted(p, value, int(p.rows.size), float(own)))
    return found


def _disjoint(parameters: Sequence[Parameter], size: int) -> list[list[int]]:
    """Sets of parameters without a row in common: one evaluation gives the derivatives of a whole set."""
    sets: list[list[int]] = []
    covered: list[np.ndarray] = []
    for i, parameter in enumerate(parameters):
        place = next((k for k, c in enumerate(covered) if not c[parameter.rows].any()), len(sets))
        if place == len(sets):
            sets.append([])
            covered.append(np.zeros(size, dtype=bool))
        sets[place].append(i)
        covered[place][parameter.rows] = True
    return sets


def _jacobian(
    parameters: Sequence[Parameter],
    together: Sequence[Sequence[int]],
    theta: np.ndarray,
    base: np.ndarray,
    predict: Predict,
) -> np.ndarray:
    jacobian = np.zeros((base.size, len(parameters)))
    for places in together:
        moved = theta.copy()
        moved[list(places)] += STEP
        slope = (predict(moved) - base) / STEP
        for i in places:
            jacobian[parameters[i].rows, i] = slope[parameters[i].rows]
    return np.nan_to_num(jacobian)


def band_factors(residuals: np.ndarray, share: float = 0.92) -> tuple[float, float]:
    """Low and high factor of a prediction that hold `share` of the log residuals (predicted over measured)."""
    edge = (1 - share) / 2
    low, high = np.quantile(residuals, [edge, 1 - edge])
    return float(np.exp(-high)), float(np.exp(-low))


def shortest_band_factors(residuals: np.ndarray, share: float) -> tuple[float, float]:
    """The same, but the narrowest that hold `share`: where a hidden setting makes the errors of one side long."""
    ordered = np.sort(residuals)
    held = int(np.ceil(share * ordered.size))
    first = int(np.argmin(ordered[held - 1 :] - ordered[: ordered.size - held + 1]))
    return float(np.exp(-ordered[first + held - 1])), float(np.exp(-ordered[first]))
