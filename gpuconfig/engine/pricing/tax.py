"""Tax inside an amount: of a price with tax the gross is fixed, net and tax are derived from it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.engine.quantities.money import Money


@dataclass(frozen=True, slots=True)
class TaxedAmount:
    """Net, tax and gross of one line; they add up to the cent."""

    net: Money
    tax: Money
    gross: Money


def from_gross(unit: Money, quantity: int, rate: Decimal) -> TaxedAmount:
    """A line whose unit price contains the tax (含税): the gross is unit x quantity, never rebuilt from the net."""
    gross = (unit * quantity).rounded()
    net = Money(gross.amount / (1 + rate), gross.currency).rounded()
    return TaxedAmount(net, gross - net, gross)


def from_net(unit: Money, quantity: int, rate: Decimal) -> TaxedAmount:
    """A line whose unit price is without tax (未税): the tax is rounded on the line."""
    net = (unit * quantity).rounded()
    tax = Money(net.amount * rate, net.currency).rounded()
    return TaxedAmount(net, tax, net + tax)
