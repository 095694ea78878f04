"""The cost page: ownership over the years part by part, and rent against buying."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.quantities.units import YEAR_H
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.i18n import Translator
from gpuconfig.presentation.measures import (
    figure_shown,
    machine_kind,
    option_key,
    option_name,
    price_shown,
    tco_shown,
)
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.reference import PriceReference, ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

PART_WORDS = {
    "purchase": N_("Purchase"),
    "electricity": N_("Electricity"),
    "cooling": N_("Cooling"),
    "space": N_("Space"),
    "network": N_("Network"),
    "operation": N_("Operation"),
    "administration": N_("Operation"),
    "maintenance": N_("Maintenance"),
    "repair": N_("Repairs"),
    "failures": N_("Failures"),
    "financing": N_("Financing"),
    "resale": N_("Resale, comes back"),
    "tax": N_("Tax"),
    "shipping": N_("Shipping"),
    "demand": N_("Demand charge"),
}


@dataclass(frozen=True, slots=True)
class RentLine:
    """Renting the same cards from one provider."""

    provider: str
    per_hour: Shown
    break_even: Shown
    three_years: Shown
    date: str


def ownership_table(option: Option, t: Translator) -> Table:
    """Cost over the years part by part."""
    _ = t.gettext
    tco = option.tco
    columns = (
        Column(key="part", title=_("Part"), width=220),
        Column(key="amount", title=_("Amount"), numeric=True, width=200),
        Column(key="share", title=_("Share"), numeric=True, width=90),
    )
    if tco is None:
        return Table(columns=columns, rows=(), name=_("Cost of ownership"))
    parts = {name: _taken_off(name, amount) for name, amount in tco.parts.items()} or {
        "purchase": option.price.total,
        "electricity": tco.electricity,
        "resale": _taken_off("resale", tco.resale),
    }
    whole = tco.total.middle().amount
    rows = [_part_row(option, name, amount, whole, t) for name, amount in parts.items()]
    total = Shown(
        text=t.formats.money_range(tco.total),
        reference=PriceReference(option, "tco", N_("Cost over the years")),
        best=True,
    )
    label = _("Total over {years} years").format(years=t.formats.number(tco.years))
    rows.append(Row(key="total", cells=(Shown(text=label, best=True), total, Shown(text=""))))
    return Table(columns=columns, rows=tuple(rows), name=_("Cost of ownership"), pinned=1)


def _part_row(option: Option, name: str, amount: MoneyRange, whole: Decimal, t: Translator) -> Row:
    middle = amount.middle().amount
    explanation = Explanation(
        name=name,
        title=PART_WORDS.get(name, name),
        value=float(middle),
        low=float(amount.low.amount),
        high=float(amount.high.amount),
        unit=amount.low.currency.value,
        mark=Mark.CALCULATED,
    )
    reference = (
        PriceReference(option, name, PART_WORDS.get(name, name))
        if name == "tco"
        else ReadyReference(explanation)
    )
    share = float(middle / whole) if whole else None
    share_text = Shown(
        text=t.formats.percent(None if share is None else round(share, 3)),
        reference=ReadyReference(explanation),
        sort=share,
    )
    word = t.gettext(PART_WORDS.get(name, name))
    return Row(
        key=name,
        cells=(
            Shown(text=word, sort=word),
            Shown(text=_signed(amount, t), reference=reference),
            share_text,
        ),
    )


def _signed(amount: MoneyRange, t: Translator) -> str:
    """A range below zero carries its sign once: −¥35,688–¥118,422."""
    if amount.high.amount > 0:
        return t.formats.money_range(amount)
    return "−" + t.formats.money_range(MoneyRange(_negative(amount.high), _negative(amount.low)))


def _taken_off(name: str, amount: MoneyRange) -> MoneyRange:
    """Resale comes back: below zero in a sum of costs."""
    if name != "resale" or amount.high.amount <= 0:
        return amount
    return MoneyRange(_negative(amount.high), _negative(amount.low))


def _negative(money: Money) -> Money:
    return Money(-money.amount, money.currency)


def energy_facts(option: Option, t: Translator) -> tuple[tuple[str, Shown], ...]:
    """Energy and monthly cost."""
    tco = option.tco
    if tco is None:
        return ()
    energy = tco.energy_kwh
    explanation = Explanation(
        name="energy_kwh",
        title=N_("Energy over the years"),
        value=energy.value,
        low=energy.low,
        high=energy.high,
        unit=energy.unit,
        mark=Mark.CALCULATED,
    )
    figure = Figure(energy.value, energy.low, energy.high, "kWh")
    facts = [(t.gettext(N_("Energy over the years")), figure_shown(figure, ReadyReference(explanation), t))]
    if tco.per_month is not None:
        monthly = PriceReference(option, "tco", N_("Cost a month"))
        facts.append(
            (t.gettext(N_("Cost a month")), Shown(text=t.formats.money(tco.per_month), reference=monthly))
        )
    return tuple(facts)


def options_cost_table(recommendation: Recommendation, t: Translator) -> Table:
    """All options by price and by cost over the years."""
    _ = t.gettext
    columns = (
        Column(key="name", title=_("Option"), width=180),
        Column(key="kind", title=_("Machine"), width=110),
        Column(key="price", title=_("Price"), numeric=True, width=190),
        Column(key="tco", title=_("Three-year cost"), numeric=True, width=190),
    )
    rows = tuple(
        Row(
            key=option_key(option),
            cells=(
                Shown(text=option_name(option), sort=option.accelerator.name),
                Shown(
                    text=_(N_("rented")) if option.kind is OptionKind.RENT else machine_kind(option.build, t)
                ),
                price_shown(option, t),
                tco_shown(option, t),
            ),
        )
        for option in all_options(recommendation)
    )
    return Table(columns=columns, rows=rows, name=_("Cost of all options"), pinned=1)


def rent_table(option: Option, services: Services, t: Translator) -> Table:
    """Renting the option's cards: price an hour and the hours after which buying is cheaper."""
    _ = t.gettext
    columns = (
        Column(key="provider", title=_("Provider"), width=150),
        Column(key="terms", title=_("Contract"), width=110),
        Column(key="hour", title=_("All cards, an hour"), numeric=True, width=140),
        Column(key="even", title=_("Buying pays after"), numeric=True, width=150),
        Column(key="use", title=_("Use over three years"), numeric=True, width=150),
        Column(key="date", title=_("Date"), width=90),
    )
    rows: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for offer in services.catalogue().cloud_offers():
        terms = (offer.provider, offer.kind.value)
        if offer.accelerator_id != option.accelerator.id or terms in seen:
            continue
        seen.add(terms)
        rows.append(_rent_row(option, offer, services, t))
        if len(rows) >= 12:
            break
    return Table(columns=columns, rows=tuple(rows), name=_("Rent against buy"), pinned=1)


def _rent_row(option: Option, offer, services: Services, t: Translator) -> Row:  # type: ignore[no-untyped-def]
    price = option.price.total.middle()
    hour = Money(offer.per_gpu_hour() * option.count, offer.currency)
    if hour.currency is not price.currency:
        rate = services.catalogue().exchange_rate(hour.currency, price.currency)
        hour = rate.convert(hour, price.currency)
    running = Decimal(0)
    if option.tco is not None:
        running = option.tco.electricity.middle().amount / Decimal(str(YEAR_H * option.tco.years))
    saved = hour.amount - running
    hours = float(price.amount / saved) if saved > 0 else None
    leaf = Explanation(
        name="rent_per_hour", title=N_("All cards, an hour"), value=float(hour.amount), unit=hour.currency.value,
        mark=Mark.VENDOR, source=offer.source,
    )  # fmt: skip
    buy = Explanation(
        name="price", title=N_("Price of the whole machine"), value=float(price.amount), unit=price.currency.value,
        mark=Mark.CALCULATED,
    )  # fmt: skip
    power = Explanation(
        name="electricity_per_hour", title=N_("Electricity an hour"), value=float(running), unit=price.currency.value,
        mark=Mark.CALCULATED,
    )  # fmt: skip
    even = Explanation(
        name="break_even_hours", title=N_("Hours of use after which buying is cheaper"), value=hours, unit="h",
        mark=Mark.CALCULATED, formula="price / (rent_per_hour - electricity_per_hour)", inputs=(buy, leaf, power),
    )  # fmt: skip
    share = None if hours is None else hours / (YEAR_H * 3)
    use = (
        t.gettext(N_("never in three years"))
        if share is None or share > 1
        else t.formats.percent(round(share, 2))
    )
    tone = Tone.NORMAL if hours is not None else Tone.UNKNOWN
    return Row(
        key=f"{offer.provider}:{offer.kind.value}",
        cells=(
            Shown(text=offer.provider, note=offer.instance, sort=offer.provider),
            Shown(text=t.gettext(TERM_WORDS.get(offer.kind.value, offer.kind.value))),
            Shown(text=t.formats.money(hour, cents=True), reference=ReadyReference(leaf), sort=float(hour.amount)),
            Shown(
                text=t.unknown if hours is None else t.formats.number(hours) + " h",
                reference=ReadyReference(even), sort=hours, tone=tone,
            ),
            Shown(text=use, reference=ReadyReference(even), sort=share),
            Shown(text=offer.date or t.gettext(N_("undated")), sort=offer.date),
        ),
    )  # fmt: skip


TERM_WORDS = {
    "on_demand": N_("on demand"),
    "spot": N_("spot"),
    "reserved": N_("reserved"),
    "estimate": N_("estimate"),
}
