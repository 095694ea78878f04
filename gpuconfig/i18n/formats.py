"""Numbers, money, dates, sizes and durations as a reader of the language writes them.

At most three significant digits unless money or a count; memory in GiB with the vendor's GB beside it; a band
in brackets. Both languages group digits alike; dates differ, and Babel, which knows them, is imported at the
first date, to keep the first window fast.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from math import floor, isfinite, log10

from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.quantities.units import DAY_S, GB, GIB, HOUR_S, MIB
from gpuconfig.i18n.language import Language

SPACE = "\u00a0"
"""Between a number and its unit: never broken at the end of a line."""

MINUS = "\u2212"
"""As wide as a digit and never broken from its number, which the hyphen is not."""

SIGNIFICANT_DIGITS = 3
SMALL = 100
"""Amounts below this many yuan or dollars are shown with their cents."""

_SYMBOLS = {Currency.CNY: "¥", Currency.USD: "$"}

# Base unit -> (shown unit, the smallest value in base units that is shown in it), largest first.
_LADDERS: dict[str, tuple[tuple[str, float], ...]] = {
    "B": (("GiB", GIB), ("MiB", MIB), ("KiB", 1024), ("B", 1)),
    "B/token": (("MiB/token", MIB), ("KiB/token", 1024), ("B/token", 1)),
    "B/s": (("TB/s", 1e12), ("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3), ("B/s", 1)),
    "bit/s": (("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("bit/s", 1)),
    "FLOP/s": (("PFLOPS", 1e15), ("TFLOPS", 1e12), ("GFLOPS", 1e9), ("FLOPS", 1)),
    "TFLOP/s": (("PFLOPS", 1e3), ("TFLOPS", 1)),
    "OP/s": (("POPS", 1e15), ("TOPS", 1e12), ("GOPS", 1e9), ("OPS", 1)),
    "FLOP": (("EFLOP", 1e18), ("PFLOP", 1e15), ("TFLOP", 1e12), ("GFLOP", 1e9), ("FLOP", 1)),
    "FLOP/J": (("TFLOP/J", 1e12), ("GFLOP/J", 1e9), ("FLOP/J", 1)),
    "FLOP/token": (("TFLOP/token", 1e12), ("GFLOP/token", 1e9), ("FLOP/token", 1)),
    "s": ((N_("days"), 3 * DAY_S), ("h", 3 * HOUR_S), ("min", 120), ("s", 1), ("ms", 1e-3), ("µs", 1e-6)),
    "W": (("MW", 1e6), ("kW", 1e4), ("W", 1)),
    "Wh": (("MWh", 1e6), ("kWh", 1e3), ("Wh", 1)),
    "Hz": (("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("Hz", 1)),
    "parameter": (("T", 1e12), ("B", 1e9), ("M", 1e6), ("", 1)),
    "C": (("°C", 1),),
    "1": (("", 1),),
}  # fmt: skip
_DIVISORS = {"days": DAY_S, "h": HOUR_S, "min": 60.0, "kW": 1e3}  # where the step is larger than the unit
_TRANSLATED_UNITS = (N_("token/s"), N_("token"), N_("sample/s"), N_("image/s"), N_("USD/h"))


@dataclass(frozen=True, slots=True)
class Formats:
    """Formats of one language; `translate` is its catalogue's gettext."""

    language: Language
    translate: Callable[[str], str] = str

    @property
    def unknown(self) -> str:
        """The word for a value nobody knows."""
        return self.translate(N_("unknown"))

    def count(self, value: int) -> str:
        """An exact whole number: 12,480."""
        return f"{value:,d}"

    def number(self, value: float | Decimal | None, digits: int = SIGNIFICANT_DIGITS) -> str:
        """A number with `digits` significant digits at most and no trailing zeros: 1,230; 0.0457; 12."""
        if value is None or not isfinite(value):
            return self.unknown
        text = f"{_significant(Decimal(str(value)), digits):,f}".replace("-", MINUS)
        return text.rstrip("0").rstrip(".") if "." in text else text

    def percent(self, fraction: float | None) -> str:
        """A share: 0.125 is 12.5%."""
        return self.unknown if fraction is None else self.number(fraction * 100) + "%"

    def quantity(self, value: float | None, unit: str) -> str:
        """A value in a base unit of the engine, shown in the prefix that fits: 9.5e10 B is 88.5 GiB."""
        return self.band(value, None, None, unit)

    def figure(self, figure: Figure) -> str:
        """A figure with its unit and, where it has one, its band: 1.8 s (1.5–2.2)."""
        return self.band(figure.value, figure.low, figure.high, figure.unit)

    def band(
        self,
        value: float | None,
        low: float | None,
        high: float | None,
        unit: str,
        like: float | None = None,
    ) -> str:
        """`value` with low–high in brackets, all in the same unit: that of `like`, where it has neighbours."""
        if value is None:
            return self.unknown
        shown, divisor = shown_unit(like or value, unit)
        label = self.translate(shown) if shown else ""
        gap = "" if unit == "parameter" or not label else SPACE  # a 7.6B model, but 7.6 B of memory
        text = self.number(value / divisor) + gap + label
        if low is None or high is None:
            return text
        return f"{text} ({self.number(low / divisor)}–{self.number(high / divisor)})"

    def memory(self, size_bytes: float | None, vendor_gb: float | None = None) -> str:
        """Memory in GiB, with the vendor's GB beside it where given: 74.5 GiB (80 GB)."""
        text = self.quantity(size_bytes, "B")
        return text if vendor_gb is None else f"{text} ({self.number(vendor_gb)}{SPACE}GB)"

    def capacity(self, size_bytes: float | None) -> str:
        """Storage as vendors and shops write it, in decimal units: 3.84 TB."""
        if size_bytes is None:
            return self.unknown
        unit, divisor = ("TB", 1e12) if size_bytes >= 1e12 else ("GB", float(GB))
        return self.number(size_bytes / divisor) + SPACE + unit

    def money(self, money: Money | None, *, cents: bool = False) -> str:
        """An amount, on screen to the yuan or dollar, with `cents` to the 分: ¥186,000; $26,400.50.

        A price an hour or a kilowatt-hour keeps its cents: ¥1 could be 0.50 or 1.49.
        """
        if money is None:
            return self.unknown
        small = abs(money.amount) < SMALL and money.amount != money.amount.to_integral_value()
        amount = money.amount.quantize(Decimal("0.01" if cents or small else "1"), ROUND_HALF_UP)
        return f"{MINUS if amount < 0 else ''}{_SYMBOLS[money.currency]}{abs(amount):,f}"

    def money_range(self, money: MoneyRange | None, *, cents: bool = False) -> str:
        """Low–high; one amount where both are the same; below zero with one sign: −¥35,688–¥118,422."""
        if money is None:
            return self.unknown
        if money.high.amount < 0:
            ends = (
                Money(-money.high.amount, money.high.currency),
                Money(-money.low.amount, money.low.currency),
            )
            return MINUS + self.money_range(MoneyRange(*ends), cents=cents)
        low, high = self.money(money.low, cents=cents), self.money(money.high, cents=cents)
        return low if low == high else f"{low}–{high}"

    def date(self, day: date | None) -> str:
        """A day: 2026年6月3日; Jun 3, 2026."""
        if day is None:
            return self.unknown
        from babel.dates import format_date

        return format_date(day, "medium", locale=self.language.locale_name)

    def join(self, items: Sequence[str]) -> str:
        """A list in a sentence: 甲、乙、丙; a, b, c."""
        return ("、" if self.language is Language.ZH else ", ").join(items)


def shown_unit(value: float, unit: str) -> tuple[str, float]:
    """The unit a value of base unit `unit` is shown in, and how many base units it is.

    For axes and table columns, which need one unit for many values: give the largest.
    """
    if unit == "ms":
        shown, divisor = shown_unit(value / 1e3, "s")
        return shown, divisor * 1e3
    ladder = _LADDERS.get(unit, ((unit, 1.0),))
    if not value:
        return next(((name, 1.0) for name, step in ladder if step == 1), ladder[-1])
    for name, step in ladder:
        if abs(value) >= step:
            return name, _DIVISORS.get(name, float(step))
    return ladder[-1][0], float(ladder[-1][1])


def _significant(value: Decimal, digits: int) -> Decimal:
    if not value:
        return Decimal(0)
    exponent = floor(log10(abs(value))) - digits + 1
    return value.quantize(Decimal(1).scaleb(exponent), ROUND_HALF_EVEN)
