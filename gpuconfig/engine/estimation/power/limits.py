"""The power limits that a card accepts."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware

GROUP = "power"


def check_power_limit(card: Accelerator, hardware: Hardware, coefficients: CoefficientSet) -> None:
    """Refuse a limit that no driver would set on this card; a card of unknown board power is not checked.

    Raises:
        InputError: the limit is below the card's minimum or above its maximum.
    """
    limit = hardware.power_limit_w
    if limit is None or card.tdp_w is None:
        return
    low, high = coefficients.band(GROUP, "power_limit_share", card.id, card.form_factor.value)
    least, most = round(card.tdp_w * low), round(card.tdp_w * high)
    if least <= limit <= most:
        return
    values: dict[str, object] = {"card": card.name, "low": least, "high": most}
    raise InputError(
        "out_of_range", "hardware.power_limit_w", limit, Message(N_("{card} cannot be set to this"), values),
        Message(N_("a number from {low} to {high}"), values),
    )  # fmt: skip
