"""What-if as data: the numbers that may be tried on an answer, their ranges, and what they do to the chosen option."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.what_if import Found, WhatIf
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.i18n import Translator
from gpuconfig.presentation.measures import short_name, speed

POSITIONS = 1000
"""Places of a slider."""

CARD = "card"
"""Key under which a project remembers whose price is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One number that may be tried.

    Attributes:
        key: field of `WhatIf`.
        low, high: range of slider and box, in shown units.
        found, value: as the answer was found, and as it is tried.
        logarithmic: equal ratios take equal ways.
        answer: key of the wizard's answer that it becomes; empty: a number of the project's what-if.
    """

    key: str
    title: str
    unit: str
    low: float
    high: float
    found: float
    value: float
    decimals: int
    logarithmic: bool
    answer: str
    help: str

    @property
    def is_moved(self) -> bool:
        """Whether another value than the found one is tried."""
        return not math.isclose(self.value, self.found, rel_tol=1e-9)

    def position(self, value: float) -> int:
        """The slider's place of a value."""
        low, high, at = self._scaled(self.low), self._scaled(self.high), self._scaled(value)
        return round(POSITIONS * (at - low) / (high - low)) if high > low else 0

    def at(self, position: int) -> float:
        """The value at a slider's place, as round as the number box shows it."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        value = low + (high - low) * position / POSITIONS
        return self.rounded(2**value if self.logarithmic else value)

    def rounded(self, value: float) -> float:
        """A value within the range, with the decimals shown; large whole numbers to two digits."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic and value >= 100:
            step = 10 ** (math.floor(math.log10(value)) - 1)
            value = round(value / step) * step
        return round(value, self.decimals)

    def _scaled(self, value: float) -> float:
        return math.log2(max(value, 1e-9)) if self.logarithmic else value


@dataclass(frozen=True, slots=True)
class Shift:
    """One figure of the chosen option, as found and as tried."""

    title: str
    before: str
    now: str
    better: bool | None


def levers(
    found: Found, kind: Kind, option: Option, tried: Mapping[str, float], t: Translator
) -> tuple[Lever, ...]:
    """The numbers that this work and this machine have; `tried` in shown units."""
    made = [*_work_levers(found, kind, t), *_money_levers(found, option, t)]
    return tuple(
        replace(lever, value=min(max(tried.get(lever.key, lever.found), lever.low), lever.high))
        for lever in made
    )


def change_of(values: Mapping[str, float], card: str) -> WhatIf:
    """The engine's change from values in shown units."""

    def whole(name: str) -> int | None:
        return round(values[name]) if name in values else None

    def share(name: str) -> float | None:
        return values[name] / 100 if name in values else None

    return WhatIf(
        batch=whole("batch"),
        length=whole("length"),
        users=whole("users"),
        cards=whole("cards"),
        power_share=share("power_share"),
        card=card if "card_price" in values else "",
        card_price=share("card_price"),
        exchange_rate=values.get("exchange_rate"),
        electricity=values.get("electricity"),
        utilisation=share("utilisation"),
    )


def kept(values: Mapping[str, str]) -> dict[str, float]:
    """The numbers a project remembers; what is not a number is left out."""
    result = {}
    for name, text in values.items():
        try:
            result[name] = float(text)
        except ValueError:
            continue
    return result


def shifts(before: Option, now: Option | None, estimate: Estimate | None, t: Translator) -> tuple[Shift, ...]:
    """What the numbers do to one option: time, memory and power of `estimate`, price and cost of `now`."""
    tried = estimate or (now.estimate if now is not None else before.estimate)
    old, new = speed(before.estimate), speed(tried)
    found = [
        _shift(
            t.gettext(new.title),
            old.figure.value,
            new.figure.value,
            new.figure.unit,
            t,
            low=new.seconds == new.figure.value,
        )
    ]
    if before.estimate.memory is not None and tried.memory is not None:
        used = before.estimate.memory.device_used_bytes, tried.memory.device_used_bytes
        found.append(
            _shift(t.gettext(N_("Memory in use")), used[0].value, used[1].value, "B", t, low=True),
        )
    if before.estimate.power is not None and tried.power is not None:
        watts = before.estimate.power.wall_w, tried.power.wall_w
        found.append(_shift(t.gettext(N_("At the wall")), watts[0].value, watts[1].value, "W", t, low=True))
    if now is not None:
        found.append(_money(t.gettext(N_("Price")), before, now, "price", t))
        if before.tco is not None and now.tco is not None:
            found.append(_money(t.gettext(N_("Three-year cost")), before, now, "tco", t))
    return tuple(found)


def _work_levers(found: Found, kind: Kind, t: Translator) -> list[Lever]:
    """Batch, length, users, cards: they become answers of the wizard."""
    _ = t.gettext
    batch_answer, length_answer = {
        Kind.TRAINING: ("micro_batch_size", "sequence_length"),
        Kind.SERVING: ("", "prompt_tokens"),
        Kind.IMAGE: ("batch", ""),
        Kind.VIDEO: ("batch", "frames"),
    }.get(kind, ("batch_per_gpu", ""))
    length_unit = _(N_("frames")) if kind is Kind.VIDEO else _(N_("tokens"))
    made = []
    if found.batch is not None and batch_answer:
        unit = _(N_("per card")) if kind is Kind.TRAINING else ""
        title = N_("Micro batch") if kind is Kind.TRAINING else N_("Batch")
        made.append(_whole("batch", _(title), unit, 1, 128, found.batch, batch_answer))
    if found.length is not None and length_answer:
        title = N_("Sequence length") if kind is Kind.TRAINING else N_("Prompt length")
        title = N_("Frames") if kind is Kind.VIDEO else title
        low, high = (1, 512) if kind is Kind.VIDEO else (128, 131_072)
        made.append(_whole("length", _(title), length_unit, low, high, found.length, length_answer))
    if found.users is not None:
        made.append(
            _whole("users", _(N_("Requests at the same time")), "", 1, 1024, found.users, "users"),
        )
    made.append(_whole("cards", _(N_("Cards")), "", 1, 16, found.cards, "gpu_count"))
    return made


def _money_levers(found: Found, option: Option, t: Translator) -> list[Lever]:
    """Power, price, rate, electricity, use: they stay numbers of the project's what-if."""
    _ = t.gettext
    made = []
    if found.board_power_w is not None:
        help_ = _(N_("100 % is {watts} a card")).format(watts=t.formats.quantity(found.board_power_w, "W"))
        made.append(_plain("power_share", _(N_("Power limit")), "%", 40, 100, 100, 0, help_))
    if option.build is not None:
        card = short_name(option.accelerator.name)
        price = t.unknown if found.card_price is None else t.formats.money(found.card_price)
        help_ = _(N_("{card}: 100 % is {price}")).format(card=card, price=price)
        made.append(_plain("card_price", _(N_("Price of the cards")), "%", 40, 250, 100, 0, help_))
    if found.exchange_rate is not None:
        rate = found.exchange_rate
        title = _(N_("Exchange rate"))
        made.append(
            _plain("exchange_rate", title, "CNY/USD", round(0.6 * rate, 2), round(1.6 * rate, 2), rate, 4, "")
        )
    if found.electricity is not None:
        unit = f"{option.price.total.low.currency.value}/kWh"
        most = max(round(4 * found.electricity, 1), 0.5)
        made.append(_plain("electricity", _(N_("Electricity")), unit, 0.0, most, found.electricity, 3, ""))
    if found.utilisation is not None:
        title, help_ = _(N_("Utilisation")), _(N_("Share of all hours at work"))
        made.append(_plain("utilisation", title, "%", 1, 100, 100 * found.utilisation, 0, help_))
    return made


def _whole(key: str, title: str, unit: str, low: int, high: int, found: int, answer: str) -> Lever:
    return Lever(
        key=key, title=title, unit=unit, low=min(low, found), high=max(high, found), found=found, value=found,
        decimals=0, logarithmic=True, answer=answer, help="",
    )  # fmt: skip


def _plain(
    key: str, title: str, unit: str, low: float, high: float, found: float, decimals: int, help_: str
) -> Lever:
    return Lever(
        key=key, title=title, unit=unit, low=low, high=high, found=round(found, decimals), value=found,
        decimals=decimals, logarithmic=False, answer="", help=help_,
    )  # fmt: skip


def _shift(
    title: str, before: float | None, now: float | None, unit: str, t: Translator, *, low: bool
) -> Shift:
    better = None
    if before is not None and now is not None and not math.isclose(before, now, rel_tol=5e-4):
        better = (now < before) is low
    return Shift(title, t.formats.quantity(before, unit), t.formats.quantity(now, unit), better)


def _money(title: str, before: Option, now: Option, part: str, t: Translator) -> Shift:
    old, new = (
        option.price.planned() if part == "price" or option.tco is None else option.tco.planned()
        for option in (before, now)
    )
    better = None if old == new else new < old
    return Shift(title, t.formats.money(old), t.formats.money(new), better)
