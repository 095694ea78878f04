"""The power a card holds for hours: its limit, or what its cooler carries off at the air it gets."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import Input, quantity

INLET = Input("inlet_c", "Air at the intake of the cards", "C")
COOLING = (
    ("rated_inlet_c", "Air at the intake up to which the card holds its board power", "C"),
    ("throttle_c", "Chip temperature at which the card lowers its clock", "C"),
)
"""Coefficients of the group `power`: name, title, unit."""


@quantity(unit="W")
def cooled_w(tdp_w: Value, inlet_c: Value, rated_inlet_c: Value, throttle_c: Value) -> Value:
    """Power the cooler carries off with the chip at its limit: heat flows in proportion to the difference to the air"""
    share = (throttle_c - inlet_c) / (throttle_c - rated_inlet_c)
    return tdp_w * np.clip(np.where(np.isnan(share), 1.0, share), 0.1, 1.0)


@quantity(unit="W")
def sustained_w(power_limit_w: Value, tdp_w: Value, cooled_w: Value) -> Value:
    """Power a card holds: the least of its limit, its board power and what its cooler carries off"""
    return np.fmin(np.fmin(power_limit_w, tdp_w), cooled_w)
