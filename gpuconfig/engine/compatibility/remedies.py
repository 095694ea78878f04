"""What would mend a finding, with what it costs and what it slows."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Remedy
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange

MAKERS_FLOOR = 0.6  # drivers accept caps down to about this share of the TDP


def cap_cards(machine: Machine, excess_w: float) -> Remedy | None:
    """Cap every card so that `excess_w` watts go away; None where that would be below what drivers accept."""
    drawn = [line.power_limit_w or card.tdp_w for card, line in machine.cards]
    if not drawn or any(w is None for w in drawn) or excess_w <= 0:
        return None
    total = sum(w for w in drawn if w is not None)
    share = 1 - excess_w / total
    if share < MAKERS_FLOOR:
        return None
    cap = 5 * int(max(w for w in drawn if w is not None) * share // 5)
    slower = machine.number("cap_slower_share") * (1 - share)
    return Remedy(
        text=Message(
            N_("cap each card to {cap} W: about {slower:.0%} slower, free"), {"cap": cap, "slower": slower}
        ),
        change={"power_limit_w": cap},
        cost=_free(machine),
        slower=slower,
    )


def stronger_supply(machine: Machine, rated_w: float) -> Remedy | None:
    """The cheapest supply of the catalogue of at least `rated_w`; None without prices or without one."""
    if machine.pricer is None or machine.server is not None:
        return None
    offers = []
    for supply in machine.pricer.catalogue.power_supplies():
        found = machine.pricer.price(Kind.POWER_SUPPLY, supply) if supply.rated_w >= rated_w else None
        if found is not None:
            offers.append((found.middle(), supply, found))
    if not offers:
        return None
    _, supply, found = min(offers, key=lambda o: o[0].amount)
    return Remedy(
        text=Message(N_("{name} with {watts:.0f} W instead"), {"name": supply.name, "watts": supply.rated_w}),
        change={"power_supply": supply.id},
        cost=found.price,
    )


def _free(machine: Machine) -> MoneyRange | None:
    if machine.pricer is None:
        return None
    nothing = Money(Decimal(0), machine.pricer.buyer.currency)
    return MoneyRange(nothing, nothing)
