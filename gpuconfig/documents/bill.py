"""Payable money: lines, subtotal, tax and total that agree to the cent (分), in both tax bases and rounding rules.

Everything is Decimal. A unit price is rounded to the cent first, since that is what an invoice can print; from
there on the amounts follow by one of four rules, and every sum printed is the sum of what is printed above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import cached_property

from gpuconfig.engine.quantities.money import CENT, Currency

ZERO = Decimal("0.00")


class Rounding(StrEnum):
    """Where tax is rounded to the cent."""

    PER_LINE = "per_line"
    ON_TOTAL = "on_total"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRule:
    """How tax is charged.

    Attributes:
        rate: 0.13 is 13 %; None where it is not known: tax is then neither added nor split off.
        included: the unit prices contain the tax (含税).
        source, date: where the rate comes from and the day it speaks of.
    """

    rate: Decimal | None
    included: bool
    rounding: Rounding = Rounding.PER_LINE
    source: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillAmounts:
    """Amounts of one line or of the whole bill; without tax, tax, with tax."""

    net: Decimal
    tax: Decimal
    gross: Decimal


@dataclass(frozen=True, kw_only=True)
class Bill:
    """Quantities and unit prices of one currency under one tax rule.

    Attributes:
        quantities, unit_prices: of the lines in order; a price of None is not known and adds nothing.
    """

    currency: Currency
    rule: TaxRule
    quantities: tuple[int, ...]
    unit_prices: tuple[Decimal | None, ...]

    @cached_property
    def prices(self) -> tuple[Decimal | None, ...]:
        """Unit prices to the cent, in the rule's tax basis."""
        return tuple(None if price is None else to_cent(price) for price in self.unit_prices)

    @cached_property
    def charged(self) -> tuple[Decimal | None, ...]:
        """Quantity times unit price of each line, in the rule's tax basis."""
        pairs = zip(self.quantities, self.prices, strict=True)
        return tuple(None if price is None else price * quantity for quantity, price in pairs)

    @cached_property
    def lines(self) -> tuple[BillAmounts | None, ...]:
        """Each line split by the rule; None where it has no price.

        With rounding on the total a line's split is for information: only its charged side is summed.
        """
        return tuple(None if charged is None else self._split(charged) for charged in self.charged)

    @cached_property
    def subtotal(self) -> Decimal:
        """Sum of the charged amounts, in the rule's tax basis."""
        return sum((amount for amount in self.charged if amount is not None), ZERO)

    @cached_property
    def total(self) -> BillAmounts:
        """Net, tax and gross of the whole bill: net + tax = gross, and the charged side is `subtotal`."""
        if self.rule.rounding is Rounding.ON_TOTAL:
            return self._split(self.subtotal)
        known = [line for line in self.lines if line is not None]
        net, tax = sum((line.net for line in known), ZERO), sum((line.tax for line in known), ZERO)
        return BillAmounts(net=net, tax=tax, gross=net + tax)

    @property
    def missing(self) -> int:
        """How many lines have no price: the total is then a lower bound."""
        return sum(price is None for price in self.prices)

    def net_price(self, price: Decimal) -> Decimal:
        """A unit price without tax, to the cent; for information where prices include it."""
        return self._split(price).net

    def gross_price(self, price: Decimal) -> Decimal:
        """A unit price with tax, to the cent; for information where prices exclude it."""
        return self._split(price).gross

    def _split(self, charged: Decimal) -> BillAmounts:
        rate = self.rule.rate
        if rate is None:
            return BillAmounts(net=charged, tax=ZERO, gross=charged)
        if self.rule.included:
            net = to_cent(charged / (1 + rate))
            return BillAmounts(net=net, tax=charged - net, gross=charged)
        tax = to_cent(charged * rate)
        return BillAmounts(net=charged, tax=tax, gross=charged + tax)


def to_cent(amount: Decimal) -> Decimal:
    """`amount` to the cent, half up as invoices do."""
    return amount.quantize(CENT, ROUND_HALF_UP)
