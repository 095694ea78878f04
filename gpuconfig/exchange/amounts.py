"""Amounts of money as people write them: "￥12,999", "$1,999", "12 999,00 元", "1.5万"."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from types import MappingProxyType

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.exchange.numbers import NumberStyle, read_number

_FOREIGN = re.compile(
    r"(NT\$|HK\$|US?\$?\s*EUR|EUR|€|£|GBP|JPY|円|TWD|HKD|港|台币|新台币|日元|欧元)", re.IGNORECASE
)
_MARKS = MappingProxyType(
    {
        "us$": Currency.USD, "$": Currency.USD, "usd": Currency.USD, "美元": Currency.USD, "美金": Currency.USD,
        "¥": Currency.CNY, "rmb": Currency.CNY, "cny": Currency.CNY, "cn¥": Currency.CNY, "人民币": Currency.CNY,
        "元": Currency.CNY, "块": Currency.CNY, "圆": Currency.CNY,
    }
)  # fmt: skip
_FACTORS = MappingProxyType(
    {
        "万": Decimal(10**4),
        "w": Decimal(10**4),
        "k": Decimal(10**3),
        "千": Decimal(10**3),
        "亿": Decimal(10**8),
    }
)
_PARTS = re.compile(
    r"(?P<before>[^\d+\-.,]*)(?P<number>[+\-]?[\d.,'’\s\u00a0\u202f]*\d)\s*(?P<factor>[万千亿wk]?)(?P<after>.*)",
    re.IGNORECASE,
)


def read_money(
    text: str, field: str, default: Currency | None = None, style: NumberStyle = NumberStyle.POINT
) -> Money:
    """The amount `text` names.

    Args:
        text: as typed or found in a cell.
        field: named in the error.
        default: currency of an amount without a mark; None makes the mark necessary.
        style: how the reader writes decimals.

    Raises:
        InputError: no amount, another currency, a missing currency, or a number with two readings.
    """
    plain = unicodedata.normalize("NFKC", text).strip().replace("−", "-")
    if _FOREIGN.search(plain):
        accepted = Message(N_("an amount in CNY or USD"))
        raise InputError(
            "unknown_value", field, text, Message(N_("this currency is not known here")), accepted
        )
    match = _PARTS.fullmatch(plain)
    if match is None:
        raise InputError("wrong_type", field, text, Message(N_("this is no amount")))
    marks = [mark.strip().lower() for mark in (match["before"], match["after"]) if mark.strip()]
    currencies = {_MARKS[mark] for mark in marks if mark in _MARKS}
    if len(currencies) > 1 or any(mark not in _MARKS for mark in marks):
        raise InputError("wrong_type", field, text, Message(N_("this is no amount")))
    currency = currencies.pop() if currencies else default
    if currency is None:
        accepted = Message(N_("an amount in CNY or USD"))
        raise InputError("missing", field, text, Message(N_("the currency is missing")), accepted)
    return Money(
        _number(match["number"], text, field, style) * _FACTORS.get(match["factor"].lower(), Decimal(1)),
        currency,
    )


def _number(number: str, text: str, field: str, style: NumberStyle) -> Decimal:
    reading = read_number(number)
    value = reading.alone(style)
    if value is None and reading.is_number:
        other = reading.comma if style is NumberStyle.POINT else reading.point
        accepted = Message(N_("{value} with a decimal point"), {"value": str(other)})
        raise InputError(
            "ambiguous", field, text, Message(N_("this number can be read in two ways")), accepted
        )
    if value is None:
        raise InputError("wrong_type", field, text, Message(N_("this is no amount")))
    return value
