"""Power drawn by accelerators and machines, and the speed that is left at a power limit."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity
from gpuconfig.engine.quantities.units import HOUR_S


@quantity(unit="1")
def power_share(sustained_w: Value, tdp_w: Value) -> Value:
    """Power held over board power, at most one; one where either is not known"""
    share = np.minimum(sustained_w / tdp_w, 1.0)
    return np.where(np.isnan(share), 1.0, share)


@quantity(unit="1")
def power_speed(power_share: Value, power_loss: Value) -> Value:
    """Clock that is left at the power held: voltage falls with clock, so the first watts cost little speed"""
    return np.maximum(1.0 - power_loss * (1.0 - power_share) * (1.0 - power_share), 0.1)


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
