"""The power a card holds for hours (its limit, or what its cooler carries off) and the clock that is left at it."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import Input, quantity

INLET = Input("inlet_c", "Air at the intake of the cards", "C")
_SCOPES = ("{card}", "{architecture}")
HOLDING = (
    ("rated_inlet_c", "Air at the intake up to which the card holds its board power", "C", _SCOPES),
    ("throttle_c", "Chip temperature at which the card lowers its clock", "C", _SCOPES),
    ("power_loss", "Share of the speed that would be lost with all of the power", "1", _SCOPES),
    (
        "power_exponent",
        "Exponent by which the loss of speed grows with the share of the power taken off",
        "1",
        _SCOPES,
    ),
)
"""Coefficients of the group `power`: name, title, unit, scopes."""


@quantity(unit="W")
def cooled_w(tdp_w: Value, inlet_c: Value, rated_inlet_c: Value, throttle_c: Value) -> Value:
    """Power the cooler carries off with the chip at its limit: heat flows in proportion to the difference to the air"""
    share = (throttle_c - inlet_c) / (throttle_c - rated_inlet_c)
    return tdp_w * np.clip(np.where(np.isnan(share), 1.0, share), 0.1, 1.0)


@quantity(unit="W")
def sustained_w(power_limit_w: Value, tdp_w: Value, cooled_w: Value) -> Value:
    """Power a card holds: the least of its limit, its board power and what its cooler carries off"""
    return np.fmin(np.fmin(power_limit_w, tdp_w), cooled_w)


def held_clock(peak_flops: Value, tdp_w: Value, flops_per_watt: Value, slope: Value) -> Value:
    """Clock over the rated one: of two boards with one chip, the one with less power holds the lower clock.

    Args:
        flops_per_watt: peak for each watt of board power at which the rated clock is held, FLOP/J.
        slope: how far the clock follows the power; 0 where it does not.
    """
    share = (tdp_w * flops_per_watt / peak_flops) ** slope
    return np.where(np.isnan(share), 1.0, share)


@quantity(unit="1")
def power_share(sustained_w: Value, tdp_w: Value) -> Value:
    """Power held over board power, at most one; one where either is not known"""
    share = np.minimum(sustained_w / tdp_w, 1.0)
    return np.where(np.isnan(share), 1.0, share)


@quantity(unit="1")
def power_speed(power_share: Value, power_loss: Value, power_exponent: Value) -> Value:
    """Clock that is left at the power held: voltage falls with clock, so the first watts cost little speed"""
    return np.maximum(1.0 - power_loss * (1.0 - power_share) ** power_exponent, 0.1)
