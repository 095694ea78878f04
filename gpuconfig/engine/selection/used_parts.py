"""What allowing used parts would open, where new ones alone leave nothing to buy within the budget."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.demand import CAPTIONS
from gpuconfig.engine.selection.performance import time_of, timed_as
from gpuconfig.engine.selection.ranking import price
from gpuconfig.engine.selection.reasons import name_of
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.engine.selection.request import ConditionWish, RecommendRequest
from gpuconfig.engine.workloads.request import Kind


def buys(found: Recommendation) -> bool:
    """Whether anything but a rental is on offer."""
    return any(o.kind is not OptionKind.RENT for o in found.options)


def used_allowed(request: RecommendRequest) -> RecommendRequest:
    """The same request with used and modified parts."""
    return replace(request, constraints=replace(request.constraints, condition=ConditionWish.USED_OK))


def with_used_parts(found: Recommendation, used: Recommendation, kind: Kind) -> Recommendation:
    """`found` with the machine that `used`, the answer with used parts, has before all new ones.

    Where none is within the budget, the cheapest that works, if it costs less than the cheapest new one.
    """
    option = next((o for o in used.options if o.kind is OptionKind.BUY), None)
    text = N_("allowing used parts: {offer}")
    if option is None:
        option = _cheaper(found, used)
        text = N_("even allowing used parts nothing is within the budget: {offer} at least")
    if option is None:
        return found
    told = Message(text, {"offer": _offer(option, kind)})
    return replace(found, with_used_parts=option, notes=(*found.notes, told))


def _offer(option: Option, kind: Kind) -> Message:
    values: dict[str, object] = {"machine": name_of(option), "price": option.price.planned().rounded()}
    seconds = time_of(option.estimate, kind)
    if seconds is None:
        return Message(N_("{machine} for {price}"), values)
    values |= {"what": Message(CAPTIONS[timed_as(option.estimate, kind)]), "time": Figure(seconds, unit="s")}
    return Message(N_("{machine} for {price} ({what}: {time})"), values)


def _cheaper(found: Recommendation, used: Recommendation) -> Option | None:
    least, new = used.smallest_budget_that_works, found.smallest_budget_that_works
    if least is None or (new is not None and price(least.option) >= price(new.option)):
        return None
    return least.option
