"""The power of a card under one unchanging load: pictures, clips and batches of images."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity


@quantity(unit="W")
def gpu_w(tdp_w: Value, busy_power: Value, sustained_w: Value) -> Value:
    """Power of one card at work"""
    return np.fmin(tdp_w * busy_power, sustained_w)
