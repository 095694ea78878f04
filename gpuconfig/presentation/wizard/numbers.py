"""Numbers as people type them: 4096, 4,096, 4k, 1B, 50万; what can be read in two ways is refused."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

_FACTORS = {
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "b": 10**9,
    "t": 10**12,
    "千": 10**3,
    "万": 10**4,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
}
_BETWEEN_GROUPS = re.compile(r"(?<=\d)[ _](?=\d{3}(?!\d))")
_PATTERN = re.compile(r"([+-]?[\d.,]+(?:e[+-]?\d+)?)\s*(百万|千万|[kmgbt千万亿])?", re.IGNORECASE)


def normalised(text: str) -> str:
    """Full-width digits and letters as ASCII, currency signs and spaces between thousands gone.

    Two numbers that were pasted at once stay two, which no field accepts.
    """
    plain = unicodedata.normalize("NFKC", text).replace("，", ",").strip().lower()
    return _BETWEEN_GROUPS.sub("", plain.strip("¥$￥元 "))


def read_decimal(text: str, field: str, *, binary: bool = False) -> Decimal:
    """The exact number a person means.

    Args:
        text: as typed.
        field: name of the field, for the error.
        binary: "4k" is 4,096, as lengths of context are spoken of.

    Raises:
        InputError: not a number, or one that can be read in two ways.
    """
    accepted = Message(N_("a number such as 4096, 4,096 or 1.5M"))
    match = _PATTERN.fullmatch(normalised(text))
    if match is None:
        raise InputError("wrong_type", field, text, Message(N_("this is not a number")), accepted)
    digits, suffix = match.group(1), (match.group(2) or "").lower()
    if "," in digits:
        whole, dot, fraction = digits.partition(".")
        groups = whole.lstrip("+-").split(",")
        if not (
            1 <= len(groups[0]) <= 3 and groups[0] != "0" and all(len(group) == 3 for group in groups[1:])
        ):
            reason = Message(N_("the comma can be read in two ways; write 1.5 or 1500"))
            raise InputError("wrong_type", field, text, reason, accepted)
        digits = whole.replace(",", "") + dot + fraction
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise InputError("wrong_type", field, text, Message(N_("this is not a number")), accepted) from None
    factor = 1024 if binary and suffix == "k" else _FACTORS.get(suffix, 1)
    return number * factor


def read_ranged(
    text: str,
    field: str,
    low: float | None,
    high: float | None,
    *,
    whole: bool = False,
    binary: bool = False,
) -> Decimal:
    """A number within a range.

    Raises:
        InputError: not a number, not whole, or outside; says what is accepted.
    """
    number = read_decimal(text, field, binary=binary)
    if whole and number != number.to_integral_value():
        raise InputError("wrong_type", field, text, Message(N_("a whole number is needed")))
    if (low is not None and number < Decimal(str(low))) or (high is not None and number > Decimal(str(high))):
        accepted = Message(N_("from {low} to {high}"), {"low": _plain(low), "high": _plain(high)})
        raise InputError("out_of_range", field, text, Message(N_("outside the accepted range")), accepted)
    return number


def _plain(number: float | None) -> str:
    if number is None:
        return "∞"
    if number and (abs(number) < 1e-3 or abs(number) >= 1e13):
        return f"{number:.1e}"
    return f"{number:,.10g}"
