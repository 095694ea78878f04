"""Who shows a picture where the cards have no output: the board's management, or a processor with graphics."""

from __future__ import annotations

import re
from decimal import Decimal

from gpuconfig.engine.builds.fits import socket_key
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.host import Cpu, Motherboard
from gpuconfig.engine.catalogue.vocabulary import Cooling, FormFactor, Region
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Pricer, try_rate
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange

RULES = "rules"
WITHOUT_GRAPHICS = re.compile(r"\d{3,5}[A-Z]*F\b")
"""Names of processors whose graphics are switched off: 12400F, 265KF, 7500F."""
WITH_GRAPHICS = re.compile(r"\d{4}G[ET]?\b")
"""Names of those that have graphics on a socket whose others have none: 5600G, 5600GT."""
MANAGED = ("rack", "supermicro", "sage", "tyan", "mz", "mc6")
"""Makers and series of boards that carry a management controller with a video output."""


def shows_none(card: Accelerator, numbers: CoefficientSet) -> bool:
    """Whether a card has no output for a screen: one without a fan, or one recorded so."""
    if card.form_factor is not FormFactor.PCIE:
        return False
    recorded = numbers.find(RULES, "card_without_output", card.id)
    return card.cooling is Cooling.PASSIVE or recorded is not None


def is_managed(board: Motherboard, numbers: CoefficientSet) -> bool:
    """Whether the board's management controller shows a picture: by its series, or as recorded."""
    name = f"{board.name} {board.brand}".lower()
    return any(word in name for word in MANAGED) or numbers.find(RULES, "board_managed", board.id) is not None


def has_graphics(cpu: Cpu, numbers: CoefficientSet) -> bool | None:
    """Whether the processor has graphics, by its socket and its name; None where the socket is not recorded."""
    row = numbers.find(RULES, "processor_graphics", socket_key(cpu.socket))
    if row is None or row.value is None:
        return None
    if row.value:
        return WITHOUT_GRAPHICS.search(cpu.name) is None
    return WITH_GRAPHICS.search(cpu.name) is not None


def display_card_price(pricer: Pricer, numbers: CoefficientSet) -> MoneyRange | None:
    """What a small card for the screen costs this buyer; None without a rate to his currency."""
    here = pricer.buyer.region is Region.CN
    sold_in = Currency.CNY if here else Currency.USD
    if sold_in is not pricer.buyer.currency and try_rate(pricer) is None:
        return None
    band = numbers.band(RULES, "display_card_price", sold_in.value)
    low, high = (pricer.convert(Money(Decimal(str(end)), sold_in)).rounded() for end in band)
    return MoneyRange(low, high)
