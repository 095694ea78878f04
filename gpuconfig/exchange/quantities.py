"""Sizes, rates and powers with their units as people write them: "24 GB", "24576 MiB", "1.0 TB/s", "450 W"."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.numbers import NumberStyle, read_number


class Dimension(StrEnum):
    """What kind of quantity a field holds; it decides what a unit means and which one a bare number has."""

    MEMORY = "memory"
    STORAGE = "storage"
    BANDWIDTH = "bandwidth"
    BIT_RATE = "bit_rate"
    POWER = "power"
    LENGTH = "length"
    TEMPERATURE = "temperature"
    FLOPS = "flops"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the base unit of its dimension (bytes, bytes/s, bit/s, W, mm, °C, FLOP/s, 1)."""

    value: Decimal
    unit_given: bool


_DECIMAL = MappingProxyType({"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15})
_BINARY = MappingProxyType({"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50})

_BARE = MappingProxyType(
    {
        Dimension.MEMORY: Decimal(2**30),
        Dimension.STORAGE: Decimal(10**9),
        Dimension.BANDWIDTH: Decimal(10**9),
        Dimension.BIT_RATE: Decimal(10**9),
        Dimension.POWER: Decimal(1),
        Dimension.LENGTH: Decimal(1),
        Dimension.TEMPERATURE: Decimal(1),
        Dimension.FLOPS: Decimal(10**12),
        Dimension.COUNT: Decimal(1),
    }
)
"""What a number without a unit is taken in: GB, GB/s, Gbit/s, W, mm, °C, TFLOPS."""

_LENGTHS = MappingProxyType(
    {
        "mm": "1",
        "毫米": "1",
        "cm": "10",
        "厘米": "10",
        "m": "1000",
        "in": "25.4",
        "inch": "25.4",
        '"': "25.4",
        "英寸": "25.4",
    }
)
_TEMPERATURES = frozenset({"c", "°c", "℃", "度"})
_COUNTS = frozenset({"个", "块", "张", "片", "pcs", "x", "×"})
_SIZE = re.compile(r"(?P<prefix>[kmgtp]?)(?P<binary>i?)(?P<unit>b|bytes?)?(?P<per>/s|ps|每秒)?")
_BITS = re.compile(r"(?P<prefix>[kmgt]?)(bit/s|bps|b/s|bit|be|e)")
_FLOPS = re.compile(r"(?P<prefix>[gtp]?)(flops?(/s)?|ops)")
_POWER = re.compile(r"(?P<prefix>[km]?)(w|瓦|watts?)")
_UNITS = MappingProxyType(
    {
        Dimension.MEMORY: "B, MB, GB, GiB",
        Dimension.STORAGE: "B, GB, TB, TiB",
        Dimension.BANDWIDTH: "GB/s, TB/s",
        Dimension.LENGTH: ", ".join(_LENGTHS),
        Dimension.TEMPERATURE: "°C",
        Dimension.COUNT: ", ".join(sorted(_COUNTS)),
        Dimension.BIT_RATE: "Mbit/s, Gbit/s",
        Dimension.FLOPS: "GFLOPS, TFLOPS, PFLOPS",
        Dimension.POWER: "W, kW",
    }
)
"""What is told to be accepted."""
_SPLIT = re.compile(r"(?P<number>[+\-−]?[\d.,'’\s\u00a0\u202f]*\d)\s*(?P<unit>\D*)")


def read_quantity(
    text: str, dimension: Dimension, field: str, style: NumberStyle = NumberStyle.POINT
) -> Quantity:
    """The quantity `text` names.

    "GB" of memory is what a card is sold with (2**30), of storage and rates 10**9; "GiB" is always 2**30.

    Args:
        text: as typed or found in a cell.
        dimension: of the field.
        field: named in the error.
        style: how the reader writes decimals; a text that the style does not allow is refused, not guessed.

    Raises:
        InputError: no number (`wrong_type`), a unit of another dimension (`wrong_type`), or a number with two
            readings (`ambiguous`).
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    match = _SPLIT.fullmatch(plain)
    reading = read_number(match["number"]) if match else None
    value = None if reading is None else reading.alone(style)
    if match is None or reading is None or not reading.is_number:
        raise InputError("wrong_type", field, text, Message(N_("this is no number")))
    if value is None:
        other = reading.comma if style is NumberStyle.POINT else reading.point
        accepted = Message(N_("{value} with a decimal point"), {"value": str(other)})
        raise InputError(
            "ambiguous", field, text, Message(N_("this number can be read in two ways")), accepted
        )
    unit = match["unit"].strip().lower()
    factor = _BARE[dimension] if not unit else _factor(unit, dimension)
    if factor is None:
        reason = Message(N_("{unit} is not a unit of this field"), {"unit": match["unit"].strip()})
        accepted = Message(N_("one of {names}"), {"names": _UNITS[dimension]})
        raise InputError("wrong_type", field, text, reason, accepted)
    return Quantity(value * factor, bool(unit))


def _factor(unit: str, dimension: Dimension) -> Decimal | None:
    if dimension in (Dimension.MEMORY, Dimension.STORAGE, Dimension.BANDWIDTH):
        return _size_factor(unit, dimension)
    if dimension is Dimension.LENGTH:
        return Decimal(_LENGTHS[unit]) if unit in _LENGTHS else None
    if dimension is Dimension.TEMPERATURE:
        return Decimal(1) if unit in _TEMPERATURES else None
    if dimension is Dimension.COUNT:
        return Decimal(1) if unit in _COUNTS else None
    pattern = {Dimension.BIT_RATE: _BITS, Dimension.FLOPS: _FLOPS, Dimension.POWER: _POWER}[dimension]
    match = pattern.fullmatch(unit)
    if match is None:
        return None
    if dimension is Dimension.POWER and match["prefix"] == "m":
        return None
    return Decimal(_DECIMAL[match["prefix"]])


def _size_factor(unit: str, dimension: Dimension) -> Decimal | None:
    match = _SIZE.fullmatch(unit)
    if match is None or not (match["prefix"] or match["unit"]):
        return None
    if bool(match["per"]) != (dimension is Dimension.BANDWIDTH):
        return None
    sold_binary = dimension is Dimension.MEMORY
    table = _BINARY if match["binary"] or sold_binary else _DECIMAL
    return Decimal(table[match["prefix"]])
