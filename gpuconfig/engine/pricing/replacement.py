"""Selling and replacing: when the machine is full or its years are over, what comes back and what is used again."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.pricing.case import MIDDLE, CostCase, evaluate
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money

REUSABLE = (Kind.MOTHERBOARD, Kind.POWER_SUPPLY, Kind.CHASSIS)
"""Parts that outlive a generation of cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """The plan of one machine; amounts as planned, in the case's currency.

    Attributes:
        months: after which it is replaced.
        full: it is replaced because growing work fills it; else because the years of the comparison are over.
        cards: what the cards sell for then.
        whole: what the whole machine sells for then.
        cost: of owning until then, were the whole machine sold.
    """

    months: int
    full: bool
    cards: float
    whole: float
    cost: float


def replacement(case: CostCase, outgrown: float | None) -> Replacement | None:
    """Replaced when it is full, at the latest at the end of the years; None for a machine full from the start.

    Args:
        outgrown: months until growing work fills the machine; None: never.
    """
    values = evaluate(
        case, ("cost_if_sold_by_month", "value_by_month", "accelerator_price", "card_value_share")
    )
    owning, worth = (values[name][MIDDLE] for name in ("cost_if_sold_by_month", "value_by_month"))
    last = len(worth) - 1
    months = last if outgrown is None else min(last, int(outgrown))
    if months < 1:
        return None
    cards = values["accelerator_price"][MIDDLE] * values["card_value_share"][MIDDLE][months]
    return Replacement(
        months=months,
        full=outgrown is not None and outgrown < last,
        cards=float(cards),
        whole=float(worth[months]),
        cost=float(owning[months]),
    )


def plan_in_words(plan: Replacement, build: Build | None, currency: Currency) -> tuple[Message, ...]:
    """The plan as sentences: when, what comes back, what is used again."""

    def money(value: float) -> Money:
        return Money(Decimal(str(round(value, 2))), currency)

    when = N_(
        "When the machine is full, after {months} months, the cards sell for {cards} and the whole machine for {whole}"
    )
    if not plan.full:
        when = N_("After {months} months the cards sell for {cards} and the whole machine for {whole}")
    said = [
        Message(when, {"months": plan.months, "cards": money(plan.cards), "whole": money(plan.whole)}),
        Message(N_("owning has then cost {cost}"), {"cost": money(plan.cost)}),
    ]
    if parts := reusable(build):
        text = N_("the next machine can use again, where its cards fit them: {parts}")
        said.append(Message(text, {"parts": parts}))
    return tuple(said)


def reusable(build: Build | None) -> tuple[str, ...]:
    """Names of the parts that the next machine can use again; none of a server that is sold as a whole."""
    if build is None:
        return ()
    return tuple(line.item.name for line, _ in build.all_lines() if line.kind in REUSABLE)
