"""The tree behind an option's price, cost of ownership and risk: lines, offers, sources and dates."""

from __future__ import annotations

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.recommendation import Option

TOTAL, OWNERSHIP, RISK, ASSUMED_SHARE = "total", "tco", "risk", "assumed_share"
_MARKS = {
    EvidenceKind.MEASURED: Mark.MEASURED,
    EvidenceKind.VENDOR: Mark.VENDOR,
    EvidenceKind.CALCULATED: Mark.CALCULATED,
    EvidenceKind.ASSUMED: Mark.ASSUMED,
}


def explain_price(option: Option, name: str) -> Explanation:
    """The tree behind `total`, `tco`, `risk`, `assumed_share` or the price of one part (by its id).

    Raises:
        InputError: the option has no such figure.
    """
    found = {TOTAL: _total, OWNERSHIP: _ownership, RISK: _risk, ASSUMED_SHARE: _assumed_share}.get(name)
    tree = found(option) if found else _part(option, name)
    if tree is None:
        raise InputError("unknown_value", "quantity", name, Message(N_("no such quantity")))
    return tree


def _total(option: Option) -> Explanation:
    lines = () if option.build is None else tuple(_line(*pair) for pair in option.build.all_lines())
    title = N_("Total price of the machine, all nodes")
    return _money(TOTAL, title, option.price.total, N_("sum of price × quantity over all lines"), lines)


def _assumed_share(option: Option) -> Explanation:
    return Explanation(
        name=ASSUMED_SHARE,
        title=N_("Share of the total that rests on assumed or converted prices"),
        value=option.price.assumed_share,
        unit="1",
        mark=Mark.CALCULATED,
        formula=N_("assumed and converted lines / total"),
        inputs=(_total(option),),
    )


def _ownership(option: Option) -> Explanation | None:
    tco = option.tco
    if tco is None:
        return None
    parts = (
        *(_money(name, name, value, "", ()) for name, value in tco.parts.items()),
        _money("electricity", N_("Electricity over the years"), tco.electricity, "", ()),
        _money("resale", N_("Resale value at the end"), tco.resale, "", ()),
    )
    unique = {part.name: part for part in parts}
    title = N_("Cost of ownership over the years")
    formula = N_("purchase + electricity + other costs - resale")
    return _money(OWNERSHIP, title, tco.total, formula, tuple(unique.values()))


def _risk(option: Option) -> Explanation:
    parts = tuple(
        Explanation(name=name, title=name, value=value, unit="1", mark=Mark.CALCULATED)
        for name, value in option.risk_parts.items()
    )
    return Explanation(
        name=RISK,
        title=N_("Risk, a stated sum from 0 to 1"),
        value=option.risk,
        unit="1",
        mark=Mark.CALCULATED,
        formula=" + ".join(option.risk_parts),
        inputs=parts,
    )


def _part(option: Option, name: str) -> Explanation | None:
    if option.build is None:
        return None
    return next((_line(*pair) for pair in option.build.all_lines() if pair[0].item.id == name), None)


def _line(line: BomLine, quantity: int) -> Explanation:
    offer = line.offer
    price = line.price
    unit_price = Explanation(
        name="price",
        title=N_("Price of one piece, middle of low and high"),
        value=None if price is None else float(price.middle().amount),
        unit=_unit(price),
        mark=Mark.ASSUMED if offer is None else _MARKS[offer.evidence().kind],
        evidence=None if offer is None else offer.evidence(),
        low=None if price is None else float(price.low.amount),
        high=None if price is None else float(price.high.amount),
    )
    count = Explanation(name="quantity", title=N_("Pieces"), value=float(quantity), unit="1", mark=Mark.GIVEN)
    whole = None if price is None else price * quantity
    return _money(line.item.id, line.item.name, whole, N_("price × quantity"), (unit_price, count))


def _money(
    name: str, title: str, amount: MoneyRange | None, formula: str, inputs: tuple[Explanation, ...]
) -> Explanation:
    return Explanation(
        name=name,
        title=title,
        value=None if amount is None else float(amount.middle().amount),
        unit=_unit(amount),
        mark=Mark.CALCULATED,
        formula=formula,
        low=None if amount is None else float(amount.low.amount),
        high=None if amount is None else float(amount.high.amount),
        inputs=inputs,
    )


def _unit(amount: MoneyRange | Money | None) -> str:
    if amount is None:
        return "1"
    low = amount.low if isinstance(amount, MoneyRange) else amount
    return low.currency.value
