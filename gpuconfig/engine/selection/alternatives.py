"""Other parts that would do in a build, each with what it changes in the price: checked by every rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.host import Cooler
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.pricing.planning import Pricer, same_market
from gpuconfig.engine.pricing.totals import priced_line
from gpuconfig.engine.quantities.money import Money

EXCHANGEABLE = (
    Kind.CPU, Kind.MOTHERBOARD, Kind.MEMORY, Kind.COOLER, Kind.POWER_SUPPLY, Kind.CHASSIS, Kind.DRIVE, Kind.NIC,
)  # fmt: skip
"""Kinds whose exchange leaves the work's speed as estimated; another accelerator is another candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One exchange.

    Attributes:
        line: the new line with its price.
        difference: of the whole build, positive where it costs more.
        check: what the rules say of the build with it.
    """

    line: BomLine
    difference: Money
    check: CheckResult


def alternatives(
    build: Build, kind: Kind, place: Environment, catalogue: Catalogue, pricer: Pricer
) -> tuple[Alternative, ...]:
    """Parts of `kind` on sale to the buyer that pass every rule in the present one's place, cheapest first.

    Nothing that leaves an essential question open is offered. Memory is exchanged kit for kit of at least
    the present capacity.
    """
    return _exchanges(build, kind, _lacking(build, place, catalogue), place, catalogue, pricer)


def alternatives_of(
    build: Build, place: Environment, catalogue: Catalogue, pricer: Pricer
) -> Mapping[Kind, tuple[Alternative, ...]]:
    """`alternatives` of every part that can be exchanged; kinds without any are left out."""
    lacking = _lacking(build, place, catalogue)
    found = {kind: _exchanges(build, kind, lacking, place, catalogue, pricer) for kind in EXCHANGEABLE}
    return {kind: parts for kind, parts in found.items() if parts}


def _lacking(build: Build, place: Environment, catalogue: Catalogue) -> frozenset[str]:
    """Rules that cannot be judged of the build as it is."""
    return frozenset(n.rule for n in check_build(build, place, catalogue).not_checked)


def _exchanges(
    build: Build,
    kind: Kind,
    lacking: frozenset[str],
    place: Environment,
    catalogue: Catalogue,
    pricer: Pricer,
) -> tuple[Alternative, ...]:
    present = build.first(kind)
    if present is None or kind not in EXCHANGEABLE:
        return ()
    found = []
    for item in _others(present, catalogue):
        line = priced_line(BomLine(kind=kind, item=item, quantity=_pieces(present, item)), pricer)
        if line.offer is None or not same_market(line.offer.region, pricer.buyer.region):
            continue
        changed = replace(build, lines=tuple(line if x is present else x for x in build.lines))
        result = check_build(changed, place, catalogue)
        if result.verdict is Status.PROBLEM or {n.rule for n in result.not_checked} - lacking:
            continue
        found.append(Alternative(line=line, difference=_difference(line, present, build.nodes), check=result))
    return tuple(sorted(found, key=lambda a: (a.difference.amount, a.line.item.id)))


def _others(present: BomLine, catalogue: Catalogue) -> Iterator[CatalogueItem]:
    for item in catalogue.parts(present.kind):
        if item.id == present.item.id:
            continue
        if isinstance(item, Cooler) and item.is_for_cards() is not _cools_cards(present):
            continue
        if present.kind is Kind.MEMORY and _capacity(item) < _capacity(present.item):
            continue
        if present.kind is Kind.DRIVE and getattr(item, "capacity_bytes", 0) < getattr(
            present.item, "capacity_bytes", 0
        ):
            continue
        yield item


def _cools_cards(line: BomLine) -> bool:
    return isinstance(line.item, Cooler) and line.item.is_for_cards()


def _pieces(present: BomLine, item: CatalogueItem) -> int:
    """As many kits as reach the present capacity; of other parts as many as there are."""
    if present.kind is not Kind.MEMORY or not _capacity(item):
        return present.quantity
    return max(1, -(-_capacity(present.item) * present.quantity // _capacity(item)))


def _capacity(item: CatalogueItem) -> int:
    modules, each = getattr(item, "modules", 0), getattr(item, "module_bytes", 0)
    return int(modules) * int(each)


def _difference(new: BomLine, present: BomLine, nodes: int) -> Money:
    if new.price is None:
        raise ValueError("a line without a price is no alternative")
    now = new.price.middle() * (new.quantity * nodes)
    before = (
        None
        if present.price is None or present.reused
        else present.price.middle() * (present.quantity * nodes)
    )
    return (now if before is None else now - before).rounded()
