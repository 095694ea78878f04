"""Where renting and buying nothing stand among the machines, by the cost of what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.pricing.case_inputs import default_use
from gpuconfig.engine.pricing.wishes import Duration
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.options import Costing
from gpuconfig.engine.selection.ranking import counted_cost, machine_of, mark_pareto, order_key
from gpuconfig.engine.selection.reasons import name_of
from gpuconfig.engine.selection.recommendation import (
    CostOfOwnership,
    Nothing,
    Option,
    OptionKind,
    OptionPrice,
)
from gpuconfig.engine.selection.request import BudgetKind


def with_rental(
    options: Sequence[Option],
    rented: Option | None,
    considered: Sequence[Option],
    demand: Demand,
    costing: Costing,
) -> tuple[Option, ...]:
    """The rental in its place among the machines to buy.

    Where the need is said (one run, or at work all the years) it stands where the order puts it; a budget by the
    month puts it first; else it stands behind the machines, and says what the two cost. What wins its place takes it;
    behind them all it stands beside the number of machines asked for, unless only one answer was.
    """
    if rented is None:
        return tuple(options)
    budget = demand.request.budget
    monthly = budget is not None and budget.kind is BudgetKind.PER_MONTH
    place = 0 if monthly else len(options)
    if costing.wishes.need is not None:
        place = _place(rented, options, considered, demand)
    bought = next((o for o in options if o.kind is OptionKind.BUY), None)
    if bought is not None:
        rented = _beside(rented, bought, costing, behind=place == len(options))
    first = (Message(N_("the budget is one by the month: what is rented stands first")),) if monthly else ()
    behind = [
        replace(o, loses_because=(*(_dearer(o, rented) or first), *o.loses_because)) for o in options[place:]
    ]
    asked = demand.request.options
    placed = [*options[:place], rented, *behind][: asked + 1 if place == asked > 1 else asked]
    return tuple(replace(o, rank=i) for i, o in enumerate(placed, start=1))


def nothing_beside(
    options: Sequence[Option], considered: Sequence[Option], costing: Costing
) -> Nothing | None:
    """Buying nothing with the figures of an option; None where the work runs on what there is."""
    if any(option.kind is OptionKind.KEEP for option in (*options, *considered)):
        return None
    currency = costing.pricer.buyer.currency
    years = default_use(costing.coefficients, machine_room=False, wishes=costing.wishes).years
    zero = Money(Decimal("0.00"), currency)
    none = MoneyRange(zero, zero)
    cheapest = min((o for o in options if o.tco is not None), key=counted_cost, default=None)
    flips: tuple[Message, ...] = ()
    if cheapest is not None and cheapest.tco is not None:
        text = N_(
            "first if the work is worth less than {cost} over {years:.0f} years: the least that doing it costs"
        )
        flips = (Message(text, {"cost": cheapest.tco.planned().rounded(), "years": cheapest.tco.years}),)
    return Nothing(
        rank=len(options) + 1,
        price=OptionPrice(
            total=none, assumed_share=0.0, oldest_date=None, tax_included=costing.pricer.buyer.tax_included
        ),
        tco=CostOfOwnership(
            years=years, total=none, electricity=none, resale=none, energy_kwh=Figure(0.0, unit="kWh"),
            per_month=zero,
        ),
        why=(Message(N_("nothing is paid and nothing is tied up")),),
        loses_because=(Message(N_("the work is not done: misses the target")),),
        flips_if=flips,
    )  # fmt: skip


def _place(rented: Option, options: Sequence[Option], considered: Sequence[Option], demand: Demand) -> int:
    """How many of the machines shown the order puts before the rental."""
    kind, weights = demand.request.kind, demand.request.weights
    mark = next(o for o in mark_pareto([*considered, rented], kind) if o.kind is OptionKind.RENT).pareto
    whole = [*considered, replace(rented, pareto=mark)]
    key = order_key(whole, kind, weights)
    places = {machine_of(o): key(o) for o in whole if o.kind is not OptionKind.RENT}
    mine = key(whole[-1])
    return sum(places[machine_of(o)] < mine for o in options)


def _beside(rented: Option, bought: Option, costing: Costing, *, behind: bool) -> Option:
    """The rental with what buying costs at the same need, and what would move it."""
    assert rented.tco is not None  # a rental always names its total
    if bought.tco is None:
        return rented
    own, rent = bought.tco.planned().rounded(), rented.tco.planned().rounded()
    values = {"rent": rent, "own": own, "machine": name_of(bought), "years": bought.tco.years}
    once = costing.wishes.need is Duration.ONE_RUN
    if once:
        text = N_(
            "for this one run renting costs {rent}, buying {machine} costs {own} over {years:.0f} years"
        )
    else:
        text = N_("over {years:.0f} years at the same hours renting costs {rent}, owning {machine} {own}")
    why = (*rented.why, Message(text, values))
    loses: tuple[Message, ...] = ()
    flips = rented.flips_if
    if behind and rent.amount > own.amount:
        more = Money(rent.amount - own.amount, rent.currency)
        text = N_("{more} more over the years than {other}")
        loses = (Message(text, {"more": more, "other": name_of(bought)}),)
    elif behind and costing.wishes.need is None:
        loses = (Message(N_("how long it is needed was not said, and the budget is one to buy with")),)
        flips = (
            Message(N_("first once the need is said: one run, or these hours over all the years")),
            *flips,
        )
    return replace(rented, why=why, loses_because=loses, flips_if=flips)


def _dearer(option: Option, rented: Option) -> tuple[Message, ...]:
    """What a machine behind the rental costs more."""
    if option.tco is None or rented.tco is None:
        return ()
    more = option.tco.planned().rounded().amount - rented.tco.planned().rounded().amount
    if more <= 0:
        return ()
    text = N_("{more} more over the years than renting {other}")
    values = {"more": Money(more, option.price.total.low.currency), "other": name_of(rented)}
    return (Message(text, values),)
