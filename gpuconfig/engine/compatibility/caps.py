"""How low a card's power can be capped."""

from __future__ import annotations

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared
from gpuconfig.engine.provenance.message import N_


def below_floor(machine: Machine, line: BomLine, own: float) -> list[Judgement]:
    """A cap that the driver does not take: sure where the card's own floor was measured, else below any card's."""
    least, limit = machine.numbers.find("rules", "cap_floor_share", line.item.id), line.power_limit_w
    if least is None or least.value is None or limit is None or limit >= least.value * own:
        return []
    sure = least.scope != "*" or (least.low is not None and limit < least.low * own)
    status = Status.PROBLEM if sure else Status.WARNING
    text = N_(
        "a cap of {measured:.0f} W; the driver takes {required:.0f} W at least of a card of {own:.0f} W"
    )
    return compared(status, text, {"own": own}, limit, least.value * own, "W", [line.item.id])
