"""Renting the same cards: hours at the price list of a cloud against owning, at the same use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.catalogue.market import CloudOffer
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Region, RentalKind
from gpuconfig.engine.pricing.case import planned
from gpuconfig.engine.pricing.case_inputs import default_use
from gpuconfig.engine.pricing.figures import rent_figures
from gpuconfig.engine.pricing.ownership import case_value
from gpuconfig.engine.pricing.planning import try_rate
from gpuconfig.engine.pricing.rents import rent_terms
from gpuconfig.engine.pricing.wishes import Duration
from gpuconfig.engine.provenance.figure import UNKNOWN
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.quantities.units import HOUR_S, MONTHS, YEAR_H
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.leaner import told
from gpuconfig.engine.selection.options import Costing
from gpuconfig.engine.selection.performance import time_of
from gpuconfig.engine.selection.ranking import cost
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
        if offers:
            found.append(_rented(option, offers, demand, costing))
    least = min(found, key=lambda option: (option.unproven, cost(option)), default=None)
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
    here = [o for o in mine if o.region.upper().startswith("CN") == (region is Region.CN)]
    return ((here or mine) if region is Region.CN else here)[:RECENT]


def _rented(option: Option, offers: Sequence[CloudOffer], demand: Demand, costing: Costing) -> Option:
    pricer = costing.pricer
    rates = sorted(pricer.convert(Money(o.per_gpu_hour(), o.currency)).amount for o in offers)
    currency = pricer.buyer.currency
    use = default_use(costing.coefficients, machine_room=option.nodes > 1, wishes=costing.wishes)
    cards = Decimal(option.count)
    hour = MoneyRange(Money(rates[0] * cards, currency), Money(rates[-1] * cards, currency))
    middle = Money(rates[len(rates) // 2] * cards, currency)
    run_hours = _run_hours(option, demand)
    run = None if run_hours is None else (middle * Decimal(str(round(run_hours, 3)))).rounded()
    why = [
        Message(N_("{hour} an hour (cards: {count}; middle of {offers} price lists, {low} to {high})"),
                {"hour": middle.rounded(), "count": option.count, "offers": len(offers),
                 "low": hour.low.rounded(), "high": hour.high.rounded()}),
    ]  # fmt: skip
    once = costing.wishes.need is Duration.ONE_RUN and run_hours is not None
    if once and run_hours is not None:
        total, month, said = _one_run(option, middle, run_hours)
        why.append(said)
    else:
        # One run alone may need more hours than the use assumed: it must be paid to its end.
        hours = Decimal(str(round(max(use.hours(), run_hours or 0.0))))
        month_hours = Decimal(str(round(YEAR_H / 12 * use.utilisation)))
        total, month = _paid(option, middle * hours, middle * month_hours, offers, costing)
        if hours > Decimal(str(round(use.hours()))):
            total = MoneyRange((middle * hours).rounded(), (middle * hours).rounded())
        why.append(_month_said(month, middle * month_hours, int(month_hours)))
        if run is not None:
            why.append(Message(N_("one run costs {run} to rent"), {"run": run}))
    budget = demand.request.budget
    monthly = budget is not None and budget.kind is BudgetKind.PER_MONTH
    shown = MoneyRange(month, month) if monthly else total
    zero = MoneyRange(*[Money(Decimal(0), currency)] * 2)
    return replace(
        option,
        kind=OptionKind.RENT,
        build=None,
        check=None,
        price=OptionPrice(
            total=shown, assumed_share=0.0, oldest_date=min((o.date for o in offers if o.date), default=None),
            tax_included=False,
        ),
        tco=CostOfOwnership(
            years=use.years, total=total, electricity=zero, resale=zero, energy_kwh=UNKNOWN, per_month=month,
            parts={"rent": total},
        ),
        why=(*why, *told(option)),
        loses_because=(),
        flips_if=_break_even(option, middle),
        risk=0.0,
        risk_parts={},
        pareto=False,
        within_budget=budget is None or shown.middle() <= pricer.convert(budget.money),
    )  # fmt: skip


def _one_run(option: Option, per_hour: Money, run_hours: float) -> tuple[MoneyRange, Money, Message]:
    """Rent of one run with its storage and data sent out, the mean of a month, and the sentence that says so."""
    months = math.ceil(run_hours / (YEAR_H / MONTHS))
    case = None if option.tco is None else option.tco.case
    extra = 0.0 if case is None else case_value(case, "rent_extra_per_month") * months
    rest = Money(Decimal(str(round(extra, 2))), per_hour.currency).rounded()
    whole = Money(
        (per_hour * Decimal(str(round(run_hours, 3)))).amount + rest.amount, per_hour.currency
    ).rounded()
    text = N_(
        "only one run is needed: {run} to rent for its {hours} hours, {rest} of it for storage and data sent out"
    )
    values = {"run": whole, "hours": math.ceil(run_hours), "rest": rest}
    return (
        MoneyRange(whole, whole),
        Money(whole.amount / months, whole.currency).rounded(),
        Message(text, values),
    )


def _paid(
    option: Option, total: Money, month: Money, offers: Sequence[CloudOffer], costing: Costing
) -> tuple[MoneyRange, Money]:
    """Rent over the years and of a month, by the formulas that owning is compared with."""
    case = None if option.tco is None else option.tco.case
    rate = try_rate(costing.pricer)
    terms = () if case is None else rent_terms(offers, option.accelerator.id, option.count, rate, case)
    if case is None or not terms:
        return MoneyRange(total.rounded(), total.rounded()), month.rounded()
    found = rent_figures(case, terms[0], costing.coefficients)
    ends = [
        Money(Decimal(str(round(end, 2))), case.currency).rounded()
        for end in (found.total.value or 0.0, found.per_month.value or 0.0)
    ]
    return MoneyRange(ends[0], ends[0]), ends[1]


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
    return None if demand.request.kind is not Kind.TRAINING or seconds is None else seconds / HOUR_S


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
