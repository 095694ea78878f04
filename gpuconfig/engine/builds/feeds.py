"""Power connectors: what cards and board ask for, what supplies offer, and whether it can be plugged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator, PowerConnector
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind

SLOT_W = 75.0  # PCIe card electromechanical specification: 12 V 5.5 A and 3.3 V 3 A
EIGHT_PIN_W = 150.0
SIX_PIN_W = 75.0
SIXTEEN_PIN_W = 600.0  # the highest sense level; cards and cables may state less
EPS_8_W = 300.0
EPS_ADAPTER = "EPS adapter"
"""Kind of cable that makes a card's EPS plug of two 8-pin plugs."""

RATED_W = {
    ConnectorKind.PCIE_6: SIX_PIN_W,
    ConnectorKind.PCIE_8: EIGHT_PIN_W,
    ConnectorKind.PCIE_12: SIXTEEN_PIN_W,
    ConnectorKind.PCIE_16: SIXTEEN_PIN_W,
    ConnectorKind.EPS_8: EPS_8_W,
}


@dataclass(frozen=True, slots=True)
class Plugs:
    """Numbers of plugs. On the side of cards `eight` holds 6- and 8-pin, on that of supplies 6+2-pin."""

    sixteen: int = 0
    eight: int = 0
    eps: int = 0

    def __add__(self, other: Plugs) -> Plugs:
        return Plugs(self.sixteen + other.sixteen, self.eight + other.eight, self.eps + other.eps)

    def __mul__(self, count: int) -> Plugs:
        return Plugs(self.sixteen * count, self.eight * count, self.eps * count)


def connector_budget_w(connectors: Iterable[PowerConnector]) -> float:
    """Watts that the slot and the connectors may carry together."""
    return SLOT_W + sum(
        (c.max_w if c.max_w is not None else RATED_W.get(c.kind, 0.0)) * c.count for c in connectors
    )


def plugs_of(card: Accelerator) -> Plugs | None:
    """Plugs one card needs, as it is made; None where its connectors are not known."""
    if card.power_connectors is None:
        return None
    total = Plugs()
    for connector in card.power_connectors:
        if connector.kind in (ConnectorKind.PCIE_16, ConnectorKind.PCIE_12):
            total += Plugs(sixteen=connector.count)
        elif connector.kind in (ConnectorKind.PCIE_8, ConnectorKind.PCIE_6):
            total += Plugs(eight=connector.count)
        elif connector.kind is ConnectorKind.EPS_8:
            total += Plugs(eps=connector.count)
        else:
            return None
    return total


def eight_pins_for_sixteen(card: Accelerator) -> int:
    """8-pin plugs that feed a 16-pin socket through an adapter: that of the box, else by the card's power."""
    given = sum(c.count for c in card.adapter_connectors if c.kind is ConnectorKind.PCIE_8)
    if given:
        return given
    beyond_slot = (card.tdp_w or SIXTEEN_PIN_W) - SLOT_W
    return max(2, math.ceil(beyond_slot / EIGHT_PIN_W))


def offered(supplies: Iterable[tuple[PowerSupply, int]]) -> Plugs | None:
    """Plugs of all supplies together; None where one of them does not state them."""
    total = Plugs()
    for supply, count in supplies:
        if supply.pcie_6plus2 is None or supply.pcie_16 is None:
            return None
        total += Plugs(supply.pcie_16, supply.pcie_6plus2, supply.eps_8 or 0) * count
    return total


@dataclass(frozen=True, slots=True)
class Plugging:
    """How the plugs go: what is short, and how many sockets hang on adapters of 8-pin plugs.

    Attributes:
        adapters: 16-pin and EPS sockets on adapters.
        eps_adapters: EPS sockets among them; the adapter of a 16-pin socket comes with the card.
    """

    short_eight: int
    short_eps: int
    adapters: int
    eps_adapters: int = 0

    def works(self) -> bool:
        """Every socket is fed."""
        return self.short_eight == 0 and self.short_eps == 0


def plug(
    cards: Iterable[tuple[Accelerator, int]], board_eps: int, offer: Plugs, slots_fed: int = 0
) -> Plugging | None:
    """Native 16-pin plugs first, adapters for the rest; EPS-fed cards take two 8-pin plugs where no EPS is left.

    None where a card's connectors are not known.

    Args:
        slots_fed: device adapters at the end of cables, each of which takes a plug for its slot's 75 W.
    """
    sixteen_left, eps_left = offer.sixteen, offer.eps - board_eps
    eight_left = offer.eight - slots_fed
    short_eps = max(0, -eps_left)
    eps_left = max(0, eps_left)
    adapters = eps_adapters = 0
    for card, count in sorted(cards, key=lambda c: -(c[0].tdp_w or 0)):
        need = plugs_of(card)
        if need is None:
            return None
        eight_left -= need.eight * count
        native = min(sixteen_left, need.sixteen * count)
        sixteen_left -= native
        through = need.sixteen * count - native
        adapters += through
        eight_left -= through * eight_pins_for_sixteen(card)
        direct = min(eps_left, need.eps * count)
        eps_left -= direct
        eight_left -= 2 * (need.eps * count - direct)
        eps_adapters += need.eps * count - direct
    return Plugging(max(0, -eight_left), short_eps, adapters + eps_adapters, eps_adapters)


def most_cards(supply: PowerSupply, card: Accelerator, count: int, slots_fed: bool) -> int:
    """How many of `count` equal cards the plugs of one supply feed; all of them where plugs are not known.

    Args:
        slots_fed: each card stands on an adapter that takes a plug of its own.
    """
    offer = offered([(supply, 1)])
    if offer is None or plugs_of(card) is None:
        return count
    for cards in range(count, 0, -1):
        plugging = plug([(card, cards)], 1, offer, cards if slots_fed else 0)
        if plugging is not None and plugging.works():
            return cards
    return 0
