"""Short peaks of cards against what supplies stand.

Cards exceed their TDP for less than a millisecond. Spikes of several cards are independent, so their
excess adds by the root of the sum of squares, not by the sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.vocabulary import Cooling, FormFactor
from gpuconfig.engine.estimation.coefficients import CoefficientSet

RULES = "rules"


def excursion_class(card: Accelerator) -> str:
    """Class of the excursion table: `consumer`, `workstation` or `datacentre`."""
    if card.form_factor is not FormFactor.PCIE or card.cooling is Cooling.PASSIVE:
        return "datacentre"
    name = f"{card.family} {card.name}".lower()
    workstation = any(w in name for w in ("rtx pro", "rtx a", "ada", "quadro", "radeon pro", "ai pro"))
    return "workstation" if workstation else "consumer"


def excursion_ratio(card: Accelerator, rules: CoefficientSet) -> float:
    """Peak below one millisecond over TDP: the card's own where recorded, else that of its class."""
    if card.transient_w is not None and card.tdp_w:
        return card.transient_w / card.tdp_w
    return rules.value(RULES, "excursion_ratio", excursion_class(card))


def peak_load(continuous_w: float, cards: Sequence[tuple[float, float, int]]) -> float:
    """Peak of a build.

    Args:
        continuous_w: load of everything, cards at their TDP.
        cards: (watts of one card, excursion ratio, count). A power cap acts in milliseconds: it does not
            lower the spike below its ratio to the cap.
    """
    squares = sum(count * (watts * (ratio - 1)) ** 2 for watts, ratio, count in cards)
    return continuous_w + math.sqrt(squares)


def peak_allowance(supplies: Sequence[tuple[PowerSupply, int]], rules: CoefficientSet) -> float:
    """Watts that the supplies stand for 100 us, by ATX version; an unstated version counts as ATX 2."""
    return sum(
        s.rated_w * count * rules.value(RULES, "atx_peak_share", version_of(s)) for s, count in supplies
    )


def survives_transient(
    supplies: Sequence[tuple[PowerSupply, int]],
    continuous_w: float,
    cards: Sequence[tuple[float, float, int]],
    rules: CoefficientSet,
) -> bool:
    """Whether the peak stays within the allowance."""
    return peak_load(continuous_w, cards) <= peak_allowance(supplies, rules)


def version_of(supply: PowerSupply) -> str:
    """`3.1`, `3.0`, `crps` or `2`."""
    text = supply.atx_version or ""
    # Without a 16-pin plug a supply bears the label of ATX 3 after the weaker test of peaks.
    if text.startswith("3") and supply.pcie_16 != 0:
        return "3.1" if text.startswith("3.1") else "3.0"
    return "crps" if "crps" in supply.form_factor.lower() else "2"
