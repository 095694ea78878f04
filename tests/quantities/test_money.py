"""Money adds exactly, never across currencies, and converts with a dated rate."""

from decimal import Decimal

import pytest

from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, MoneyRange, total

CNY, USD = Currency.CNY, Currency.USD
RATE = ExchangeRate(USD, CNY, Decimal("6.78"), Evidence("bank", "2026-06"))


def test_money_is_exact() -> None:
    assert Money(Decimal("0.1"), CNY) + Money(Decimal("0.2"), CNY) == Money(Decimal("0.3"), CNY)
    assert total([Money(Decimal("0.1"), CNY)] * 10, CNY).amount == 1


def test_currencies_do_not_add() -> None:
    with pytest.raises(TypeError, match="rate"):
        _ = Money(Decimal(1), CNY) + Money(Decimal(1), USD)


def test_conversion_both_ways() -> None:
    assert RATE.convert(Money(Decimal(100), USD), CNY) == Money(Decimal("678.00"), CNY)
    assert RATE.convert(Money(Decimal("678.00"), CNY), USD) == Money(Decimal(100), USD)


def test_invoices_round_half_up() -> None:
    assert Money(Decimal("2.675"), CNY).rounded().amount == Decimal("2.68")


def test_a_range_multiplies_and_has_a_middle() -> None:
    one = MoneyRange(Money(Decimal(10), CNY), Money(Decimal(20), CNY))
    assert (one * 3).high.amount == 60
    assert one.middle().amount == 15
