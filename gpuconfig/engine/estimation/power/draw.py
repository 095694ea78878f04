"""Power drawn by accelerators and machines, and the speed that is left at a power limit."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity
from gpuconfig.engine.quantities.units import HOUR_S


@quantity(unit="1")
def busy_share(arithmetic_seconds: Value, step_seconds: Value) -> Value:
    """Share of the step in which the matrix units of a card are busy"""
    return np.minimum(arithmetic_seconds / step_seconds, 1.0)


@quantity(unit="W")
def gpu_w(sustained_w: Value, busy_share: Value, busy_power: Value, waiting_power: Value) -> Value:
    """Mean power of one accelerator over a step"""
    return sustained_w * (waiting_power + (busy_power - waiting_power) * busy_share)


@quantity(unit="Wh")
def energy_wh_per_mtoken(wall_w: Value, tokens_per_s: Value) -> Value:
    """Energy at the socket for a million tokens"""
    return wall_w / tokens_per_s * 1e6 / HOUR_S
