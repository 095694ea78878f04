"""What a machine pays for a kilowatt-hour: periods of the day by their energy, tiers by the energy of the year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.catalogue.market import Tariff
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

DAY_H = 24.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyPrice:
    """Prices of the periods of a day in the tariff's currency with the share of the energy drawn in each.

    Attributes:
        low, middle, high: a kilowatt-hour in each period.
        surcharge: mean of the tiers' surcharges over the year's energy.
        words: the same in short, for the explanation.
    """

    low: tuple[float, ...]
    middle: tuple[float, ...]
    high: tuple[float, ...]
    shares: tuple[float, ...]
    surcharge: float
    words: str


def choose_tariff(tariffs: Sequence[Tariff], region: Region, server: bool) -> Tariff | None:
    """The tariff of the region: industrial for a machine room, commercial else; None where none is recorded."""
    wanted = ("industrial", "commercial") if server else ("commercial", "industrial")
    here = [t for t in tariffs if t.region is region]
    for word in wanted:
        for tariff in here:
            if word in tariff.customer.lower():
                return tariff
    return here[0] if here else None


def tariff_by_id(tariffs: Sequence[Tariff], name: str) -> Tariff:
    """The recorded tariff of that id.

    Raises:
        InputError: no such tariff.
    """
    for tariff in tariffs:
        if tariff.id == name:
            return tariff
    accepted = Message(N_("one of {names}"), {"names": ", ".join(t.id for t in tariffs)})
    raise InputError("unknown_value", "cost.tariff", name, Message(N_("not a known value")), accepted)


def energy_price(
    tariff: Tariff, utilisation: float, idle_share: float, kwh_per_year: float, valley_first: bool
) -> EnergyPrice:
    """Price of the energy of a machine that works `utilisation` of every day.

    Work is spread evenly over the day, or put into the cheapest hours first; at rest the machine goes on drawing
    `idle_share` of its power.
    """
    surcharge = _surcharge(tariff, kwh_per_year)
    if not tariff.periods:
        low, high = float(tariff.per_kwh_low), float(tariff.per_kwh_high)
        if tariff.tiers:
            high = low  # the range is that of the tiers
        middle = (low + high) / 2
        return EnergyPrice(
            low=(low,),
            middle=(middle,),
            high=(high,),
            shares=(1.0,),
            surcharge=surcharge,
            words=f"{middle:g}",
        )
    periods = sorted(tariff.periods, key=lambda p: p.per_kwh)
    shares = _energy_shares([p.hours_per_day for p in periods], utilisation, idle_share, valley_first)
    prices = tuple(float(p.per_kwh) for p in periods)
    words = " + ".join(f"{p.per_kwh} × {share:.0%}" for p, share in zip(periods, shares, strict=True))
    return EnergyPrice(
        low=prices, middle=prices, high=prices, shares=shares, surcharge=surcharge, words=words
    )


def mean_price(price: EnergyPrice) -> float:
    """Mean of the middle prices over the energy."""
    return sum(p * s for p, s in zip(price.middle, price.shares, strict=True)) + price.surcharge


def _energy_shares(
    hours: Sequence[float], utilisation: float, idle_share: float, valley_first: bool
) -> tuple[float, ...]:
    """Shares of the day's energy by period, cheapest first."""
    whole = sum(hours)
    busy_left = utilisation * whole
    energies = []
    for length in hours:
        busy = min(length, busy_left) if valley_first else length * utilisation
        busy_left -= busy
        energies.append(busy + (length - busy) * idle_share)
    total = sum(energies) or 1.0
    return tuple(energy / total for energy in energies)


def _surcharge(tariff: Tariff, kwh_per_year: float) -> float:
    """Mean surcharge of a kilowatt-hour where a year takes `kwh_per_year`."""
    if not tariff.tiers or kwh_per_year <= 0:
        return 0.0
    below, cost = 0.0, Decimal(0)
    for tier in tariff.tiers:
        top = kwh_per_year if tier.up_to_kwh_per_year is None else min(kwh_per_year, tier.up_to_kwh_per_year)
        cost += Decimal(str(round(max(0.0, top - below), 6))) * tier.surcharge_per_kwh
        below = max(below, top)
    return float(cost) / kwh_per_year


def with_period_prices(tariff: Tariff, said: Mapping[str, Decimal]) -> Tariff:
    """The tariff with a person's prices in its periods, in its own currency; itself where none is of them.

    Args:
        said: price of a kilowatt-hour by period.
    """
    if not any(part.period in said for part in tariff.periods):
        return tariff
    periods = tuple(replace(p, per_kwh=said.get(p.period, p.per_kwh)) for p in tariff.periods)
    prices = [part.per_kwh for part in periods]
    return replace(tariff, periods=periods, per_kwh_low=min(prices), per_kwh_high=max(prices))
