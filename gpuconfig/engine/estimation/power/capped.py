"""Speed that is left of a card below a power limit, for those who ask outside an estimate."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.network import architecture_scope
from gpuconfig.engine.estimation.power.limits import GROUP
from gpuconfig.engine.estimation.power.sustained import power_share, power_speed


def speed_left(card: Accelerator, limit_w: float, coefficients: CoefficientSet) -> float:
    """Clock at `limit_w` over that at board power: the formula of the estimates; 1 where board power is not known."""
    if card.tdp_w is None:
        return 1.0
    scopes = (card.id, architecture_scope(card))
    loss, exponent = (coefficients.value(GROUP, name, *scopes) for name in ("power_loss", "power_exponent"))
    return float(power_speed.function(power_share.function(limit_w, card.tdp_w), loss, exponent))
