"""Renting the same cards: hours at the price list of a cloud against owning, at the same use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.catalogue.market import CloudOffer
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Region, RentalKind
from gpuconfig.engine.pricing.case import Band, CostCase, planned
from gpuconfig.engine.pricing.case_inputs import default_use
from gpuconfig.engine.pricing.figures import rent_figures
from gpuconfig.engine.pricing.planning import try_rate
from gpuconfig.engine.pricing.rents import RentTerms, rent_spread, rent_terms, with_rent
from gpuconfig.engine.pricing.wishes import Duration
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.quantities.units import HOUR_S, MONTHS, YEAR_H
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.leaner import told
from gpuconfig.engine.selection.options import Costing
from gpuconfig.engine.selection.performance import time_of, timed_as
from gpuconfig.engine.selection.ranking import OF_PURCHASE, counted_cost, known
from gpuconfig.engine.selection.recommendation import CostOfOwnership, Option, OptionKind, OptionPrice
from gpuconfig.engine.selection.request import BudgetKind
from gpuconfig.engine.workloads.request import Kind

RECENT = 12  # newest price lists looked at for one accelerator


def rental_within(considered: Sequence[Option], demand: Demand, costing: Costing) -> Option | None:
    """The cheapest rental among the accelerators that work, at the use assumed for owning.

    None without prices, or where it is over the budget.
    """
    found: list[Option] = []
    for option in considered:
        if _reads_host_memory(option):
            continue  # price lists name the cards of a machine, not its memory
        offers = rental_offers(option, costing.catalogue, costing.region)
        rented = _rented(option, offers, demand, costing) if offers else None
        if rented is not None:
            found.append(rented)
    least = min(found, key=lambda option: (not known(option), counted_cost(option)), default=None)
    return least if least is not None and least.within_budget else None


def _reads_host_memory(option: Option) -> bool:
    memory = option.estimate.memory
    return memory is not None and memory.host_bytes is not None


def rental_offers(option: Option, catalogue: Catalogue, region: Region) -> list[CloudOffer]:
    """On-demand prices of the card in the newest lists: Chinese ones for a buyer in China where there are any.

    Nobody else rents from a Chinese list: data and taxes keep them out.
    """
    mine = [
        o for o in catalogue.cloud_offers()
        if o.accelerator_id == option.accelerator.id and o.kind is RentalKind.ON_DEMAND
        and o.count <= option.count
    ]  # fmt: skip
    if option.nodes > 1:  # many rent out a card, few a machine that is made to work with others
        mine = [o for o in mine if o.count >= option.count // option.nodes]
    here = [o for o in mine if o.region.upper().startswith("CN") == (region is Region.CN)]
    return ((here or mine) if region is Region.CN else here)[:RECENT]


@dataclass(frozen=True, slots=True)
class _Rent:
    """A rent in the buyer's currency: as planned, by the middle price list, and at the ends of its range."""

    planned: Money
    ends: MoneyRange

    @classmethod
    def of(cls, values: Sequence[float], currency: Currency) -> _Rent:
        """From low, planned and high."""
        low, middle, high = (Money(Decimal(str(round(v, 2))), currency).rounded() for v in values)
        return cls(middle, MoneyRange(min(low, middle), max(high, middle)))

    def over(self, months: int) -> _Rent:
        """The mean of a month."""
        parts = [
            Money(m.amount / months, m.currency).rounded()
            for m in (self.planned, self.ends.low, self.ends.high)
        ]
        return _Rent(parts[0], MoneyRange(parts[1], parts[2]))


def _rented(option: Option, offers: Sequence[CloudOffer], demand: Demand, costing: Costing) -> Option | None:
    case = None if option.tco is None else option.tco.case
    rate = try_rate(costing.pricer)
    terms = () if case is None else rent_terms(offers, option.accelerator.id, option.count, rate, case)
    if case is None or not terms:
        return None
    hourly = with_rent(case, terms[0], costing.coefficients).bands["rent_per_gpu_hour"]
    currency = case.currency
    hour = _Rent.of([end * option.count for end in _ends(hourly)], currency)
    use = default_use(costing.coefficients, machine_room=option.nodes > 1, wishes=costing.wishes)
    run_hours = _run_hours(option, demand)
    why = [_hour_said(hour, terms[0], option, costing)]
    if costing.wishes.need is Duration.ONE_RUN and run_hours is not None:
        total, month, said = _one_run(case, hour, run_hours)
        why.append(said)
    else:
        # One run alone may need more hours than the use assumed: it must be paid to its end.
        hours = max(use.hours(), run_hours or 0.0)
        longer = case.with_values(utilisation=min(1.0, hours / (use.years * YEAR_H)))
        found = rent_figures(longer, terms[0], costing.coefficients)
        total, month = _of_figure(found.total, currency), _of_figure(found.per_month, currency)
        month_hours = hours / use.years / MONTHS
        why.append(
            _month_said(month.planned, hour.planned * Decimal(str(round(month_hours))), round(month_hours))
        )
        if run_hours is not None:
            run = (hour.planned * Decimal(str(round(run_hours, 3)))).rounded()
            why.append(Message(N_("one run costs {run} to rent"), {"run": run}))
    budget = demand.request.budget
    monthly = budget is not None and budget.kind is BudgetKind.PER_MONTH
    shown = month if monthly else total
    zero = MoneyRange(*[Money(Decimal(0), currency)] * 2)
    rested = {n: s for n, s in option.premium_parts.items() if n not in OF_PURCHASE}
    return replace(
        option,
        kind=OptionKind.RENT,
        build=None,
        check=None,
        price=OptionPrice(
            total=shown.ends, middle=shown.planned, assumed_share=0.0, oldest_date=terms[0].oldest or None,
            tax_included=False,
        ),
        tco=CostOfOwnership(
            years=use.years, total=total.ends, middle=total.planned, electricity=zero, resale=zero,
            energy_kwh=UNKNOWN, per_month=month.planned, parts={"rent": total.ends},
        ),
        why=(*why, *told(option)),
        loses_because=(),
        flips_if=_break_even(option, hour.planned),
        risk=None,
        risk_parts={},
        pareto=False,
        within_budget=budget is None or shown.planned <= costing.pricer.convert(budget.money),
        premium=sum(rested.values()),
        premium_parts=rested,
    )  # fmt: skip


def _hour_said(hour: _Rent, terms: RentTerms, option: Option, costing: Costing) -> Message:
    """The price of an hour with its range, and whether the lists or a stated spread gave it."""
    values = {"hour": hour.planned, "count": option.count, "offers": terms.offers, "low": hour.ends.low,
              "high": hour.ends.high}  # fmt: skip
    spread = rent_spread(terms, costing.coefficients)
    if spread is None:
        text = N_("{hour} an hour (cards: {count}; middle of {offers} price lists, {low} to {high})")
        return Message(text, values)
    text = N_(
        "{hour} an hour (cards: {count}; price lists: {offers}, too few to show a spread: {low} to {high}, as usual "
        "between providers, {spread:.0%} up and down)"
    )
    return Message(text, {**values, "spread": spread})


def _one_run(case: CostCase, hour: _Rent, run_hours: float) -> tuple[_Rent, _Rent, Message]:
    """Rent of one run with its storage and data sent out, the mean of a month, and the sentence that says so."""
    months = math.ceil(run_hours / (YEAR_H / MONTHS))
    extra = [end * months for end in _ends(case.bands["rent_extra_per_month"])]
    cards = [float(m.amount) * run_hours for m in (hour.ends.low, hour.planned, hour.ends.high)]
    whole = _Rent.of([a + b for a, b in zip(cards, extra, strict=True)], case.currency)
    text = N_(
        "only one run is needed: {run} to rent for its {hours} hours, {rest} of it for storage and data sent out"
    )
    rest = Money(Decimal(str(round(extra[1], 2))), case.currency).rounded()
    values = {"run": whole.planned, "hours": math.ceil(run_hours), "rest": rest}
    return whole, whole.over(months), Message(text, values)


def _ends(band: Band) -> tuple[float, float, float]:
    """Low, planned and high of an input of one value."""
    low, middle, high = (v[-1] if isinstance(v, tuple) else v for v in (band.low, band.value, band.high))
    return low, middle, high


def _of_figure(figure: Figure, currency: Currency) -> _Rent:
    value = figure.value or 0.0
    return _Rent.of([value if end is None else end for end in (figure.low, value, figure.high)], currency)


def _month_said(month: Money, cards: Money, hours: int) -> Message:
    """A month, with what is paid beside the cards: the price an hour alone would not add up to it."""
    rest = Money(month.amount - cards.amount, month.currency).rounded()
    values = {"month": month, "hours": hours, "rest": rest}
    if rest.amount <= 0:
        return Message(N_("{month} a month at {hours} hours"), values)
    return Message(
        N_("{month} a month at {hours} hours, {rest} of it for storage, data sent out and repeated work"),
        values,
    )


def _run_hours(option: Option, demand: Demand) -> float | None:
    seconds = time_of(option.estimate, demand.request.kind)
    is_run = timed_as(option.estimate, demand.request.kind) is Kind.TRAINING
    return seconds / HOUR_S if is_run and seconds is not None else None


def _break_even(option: Option, per_hour: Money) -> tuple[Message, ...]:
    """Share of the hours of the years from which owning is cheaper."""
    case = None if option.tco is None else option.tco.case
    if case is None or per_hour.amount <= 0:
        return ()
    rented = case.with_values(rent_per_gpu_hour=float(per_hour.amount) / option.count, reserved=0.0)
    share = planned(rented, "break_even_utilisation")
    if share >= 1:
        return (Message(N_("renting stays cheaper than owning even around the clock")),)
    text = N_("cheaper than owning below {share:.0%} of the hours ({hours} hours a month)")
    return (Message(text, {"share": share, "hours": round(share * YEAR_H / 12)}),)
