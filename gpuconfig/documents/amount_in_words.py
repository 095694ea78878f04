"""Amounts in financial Chinese capitals (大写), as invoices and contracts in mainland China need them.

Rules of 《支付结算办法》 annex 1: 人民币 stands directly before the amount; an amount that ends at 元 takes 整,
one that ends at 角 may (here it does not), one that ends at 分 does not; zeros inside read one 零, also where only
the 万 is 0 (the annex's own example: 107000.53 is 壹拾万零柒仟元伍角叁分); where 角 is 0 and 分 is not, 零 stands
after 元.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

LARGEST = Decimal(10) ** 16
"""Amounts from here on have no agreed reading."""

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_PLACES = ("", "拾", "佰", "仟")
_GROUPS = ("", "万", "亿", "万亿")


def amount_in_words(amount: Decimal) -> str:
    """`amount` of RMB in 大写, rounded half up to the 分: 1409.50 is 人民币壹仟肆佰零玖元伍角.

    Raises:
        ValueError: at 10^16 yuan and above.
    """
    cents = int((abs(amount) * 100).quantize(Decimal(1), ROUND_HALF_UP))
    yuan, rest = divmod(cents, 100)
    jiao, fen = divmod(rest, 10)
    if yuan >= LARGEST:
        raise ValueError(f"{amount} is too large to be written in capitals")
    sign = "负" if amount < 0 and cents else ""
    whole = _whole(yuan) + "元" if yuan or not rest else ""
    return f"人民币{sign}{whole}{_fraction(jiao, fen, bool(yuan))}"


def _whole(number: int) -> str:
    """Groups of four digits from the highest, with one 零 where a zero lies between two read digits."""
    if not number:
        return _DIGITS[0]
    groups = []
    while number:
        number, group = divmod(number, 10_000)
        groups.append(group)
    text = ""
    for power in range(len(groups) - 1, -1, -1):
        group = groups[power]
        if not group:
            continue
        skipped = text and (group < 1000 or groups[power + 1] % 10 == 0)
        text += (_DIGITS[0] if skipped else "") + _group(group)
        text += _group_name(power, groups)
    return text


def _group_name(power: int, groups: list[int]) -> str:
    """万亿 shares its 亿 with the group below where that one is read too: 壹万零壹亿, not 壹万亿零壹亿."""
    if power == 3 and groups[2]:
        return "万"
    return _GROUPS[power]


def _group(number: int) -> str:
    """Up to four digits: 1005 is 壹仟零伍."""
    text, zero = "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if not digit:
            zero = bool(text)
            continue
        text += (_DIGITS[0] if zero else "") + _DIGITS[digit] + _PLACES[place]
        zero = False
    return text


def _fraction(jiao: int, fen: int, after_yuan: bool) -> str:
    if not jiao and not fen:
        return "整"
    tenths = _DIGITS[jiao] + "角" if jiao else (_DIGITS[0] if after_yuan else "")
    return tenths + (_DIGITS[fen] + "分" if fen else "")
