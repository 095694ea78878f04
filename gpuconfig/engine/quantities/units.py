"""Base units and the sizes of prefixes. Inside the engine everything is in base units."""

from __future__ import annotations

GB = 10**9  # vendors' gigabyte
GIB = 2**30  # drivers' and tools' gibibyte
MIB = 2**20
TERA = 10**12
HOUR_S = 3600.0
DAY_S = 86400.0
YEAR_H = 8760.0
MONTHS = 12
"""Of a year."""

UNITS = frozenset(
    {
        "1", "B", "B/s", "B/token", "FLOP", "FLOP/s", "FLOP/token", "s", "ms", "token", "token/s", "sample/s",
        "W", "Wh", "J", "K", "C", "mm", "Hz", "element", "parameter", "USD", "CNY", "USD/h", "s/token", "1/s",
        "image/s", "operation", "kWh", "h", "month", "year", "money", "money/h", "money/kWh", "money/month",
    }
)  # fmt: skip
"""Every unit a quantity may carry; `1` is a pure number, `money` the currency of the buyer."""
