"""Money in Decimal with currency and tax basis; conversions carry rate and date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from gpuconfig.engine.provenance.evidence import Evidence

CENT = Decimal("0.01")


class Currency(StrEnum):
    """The two currencies a budget may be in."""

    CNY = "CNY"
    USD = "USD"


class TaxBasis(StrEnum):
    """Whether an amount contains value-added or sales tax."""

    INCLUDED = "included"
    EXCLUDED = "excluded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount in one currency."""

    amount: Decimal
    currency: Currency

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.amount - other.amount, self.currency)

    def __mul__(self, factor: int | Decimal) -> Money:
        return Money(self.amount * factor, self.currency)

    def rounded(self) -> Money:
        """The amount to the cent (分), half up as invoices do."""
        return Money(self.amount.quantize(CENT, ROUND_HALF_UP), self.currency)

    def _same(self, other: Money) -> None:
        if self.currency is not other.currency:
            raise TypeError(f"{self.currency} and {other.currency} do not add without a rate")


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many units of `target` one unit of `base` buys, on a day."""

    base: Currency
    target: Currency
    rate: Decimal
    evidence: Evidence

    def convert(self, money: Money, currency: Currency) -> Money:
        """`money` in `currency`; unchanged where it already is."""
        if money.currency is currency:
            return money
        if (money.currency, currency) == (self.base, self.target):
            return Money(money.amount * self.rate, currency)
        if (money.currency, currency) == (self.target, self.base):
            return Money(money.amount / self.rate, currency)
        raise ValueError(f"no rate from {money.currency} to {currency}")


@dataclass(frozen=True, slots=True)
class MoneyRange:
    """Low and high of the same thing in one currency."""

    low: Money
    high: Money

    def middle(self) -> Money:
        """The planning price: the middle of low and high."""
        return Money((self.low.amount + self.high.amount) / 2, self.low.currency)

    def __add__(self, other: MoneyRange) -> MoneyRange:
        return MoneyRange(self.low + other.low, self.high + other.high)

    def __mul__(self, factor: int) -> MoneyRange:
        return MoneyRange(self.low * factor, self.high * factor)


def total(amounts: Iterable[Money], currency: Currency) -> Money:
    """Sum of `amounts`, all in `currency`; zero where there are none."""
    result = Money(Decimal(0), currency)
    for amount in amounts:
        result = result + amount
    return result
