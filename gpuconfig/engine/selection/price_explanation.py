"""The tree behind an option's total, its three-year cost, or the price of one of its parts."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.pricing.case import cost_graph, explain_cost
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.recommendation import Option, OptionKind

_SIGNS = {"resale": -1.0}


def explain_price(option: Option, name: str = "total") -> Explanation:
    """The tree of `total`, `tco`, of one part's id, or of any quantity of the cost graph.

    Raises:
        KeyError: the option has no such figure.
    """
    if name == "tco":
        return _tco(option)
    if option.tco is not None and option.tco.case is not None and name in cost_graph().quantities:
        return _with_parts(explain_cost(option.tco.case, name), option)
    lines = () if option.build is None else tuple(option.build.all_lines())
    if name == "total":
        total = option.price.total
        if option.kind is OptionKind.RENT:
            return _node("total", N_("rent"), total, "", (), option.price.planned())
        inputs = tuple(_line(line, count) for line, count in lines)
        return _node(
            "total", N_("price of all parts"), total, N_("sum of price x pieces over all parts"), inputs
        )
    for line, count in lines:
        if line.item.id == name:
            return _line(line, count)
    raise KeyError(name)


def _tco(option: Option) -> Explanation:
    if option.tco is None:
        raise KeyError("tco")
    if option.tco.case is not None:
        return _with_parts(replace(explain_cost(option.tco.case, "total_cost"), name="tco"), option)
    parts = []
    for key, value in option.tco.parts.items():
        inputs = (explain_price(option),) if key == "purchase" and option.build is not None else ()
        planned = option.tco.planned() if len(option.tco.parts) == 1 else None
        parts.append(_node(key, key, value, "", inputs, planned))
    formula = " + ".join(f"{'-' if _SIGNS.get(k, 1) < 0 else ''}{k}" for k in option.tco.parts)
    return _node(
        "tco", N_("cost over the years"), option.tco.total, formula.replace("+ -", "- "), tuple(parts),
        option.tco.planned(),
    )  # fmt: skip


def _with_parts(node: Explanation, option: Option) -> Explanation:
    """Below the price of all parts the lines it is the sum of."""
    if node.name == "hardware_price" and option.build is not None:
        lines = tuple(_line(line, count) for line, count in option.build.all_lines())
        return replace(node, formula=N_("sum of price x pieces over all parts"), inputs=lines)
    return replace(node, inputs=tuple(_with_parts(child, option) for child in node.inputs))


def _line(line: BomLine, count: int) -> Explanation:
    offer = line.offer
    evidence = None if offer is None else offer.evidence()
    mark = Mark.GIVEN if evidence is None else Mark.of(evidence)
    if line.assumed and mark is not Mark.ASSUMED:
        mark = Mark.CALCULATED
    total = None if line.price is None else line.price * count
    asked = () if offer is None else (
        Explanation(
            name="offer", title=N_("price as recorded"), value=float((offer.low + offer.high) / 2),
            unit=offer.currency.value, mark=Mark.of(offer.evidence()), evidence=evidence,
            low=float(offer.low), high=float(offer.high),
        ),
        Explanation(name="pieces", title=N_("pieces"), value=float(count), unit="1", mark=Mark.GIVEN),
    )  # fmt: skip
    middle = None if total is None else float(total.middle().amount)
    return Explanation(
        name=line.item.id, title=line.item.name, value=middle, unit="" if total is None else total.low.currency.value,
        mark=mark, formula=N_("price in the buyer's currency and tax basis x pieces"), evidence=evidence,
        low=None if total is None else float(total.low.amount),
        high=None if total is None else float(total.high.amount), inputs=asked,
    )  # fmt: skip


def _node(
    name: str, title: str, value: MoneyRange, formula: str, inputs: tuple[Explanation, ...],
    planned: Money | None = None,
) -> Explanation:  # fmt: skip
    middle = value.middle() if planned is None else planned
    return Explanation(
        name=name, title=title, value=float(middle.amount), unit=value.low.currency.value,
        mark=Mark.CALCULATED, formula=formula, low=float(value.low.amount), high=float(value.high.amount),
        inputs=inputs,
    )  # fmt: skip
