"""A build: the parts of one machine and how many such machines there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.quantities.money import MoneyRange


@dataclass(frozen=True, slots=True, kw_only=True)
class BomLine:
    """One line of the bill of materials, for one node.

    Attributes:
        item: the catalogue row; for a part that is not in the catalogue an item made from what was given.
        quantity: pieces in one node.
        offer: the price taken; None where there is none.
        price: low-high of one piece in the build's currency after conversion; None where not known.
        converted: the price was converted from another currency: never a street price.
        assumed: nobody was seen to ask it where the buyer buys: it counts into the assumed share.
        matched: how sure the match of a written name to the catalogue is, 0..1; 1 for a reference by id.
        slot: board position it sits in; None where not placed.
        power_limit_w: a cap set on it.
        reused: the user owns it already.
    """

    kind: Kind
    item: CatalogueItem
    quantity: int = 1
    offer: Offer | None = None
    price: MoneyRange | None = None
    converted: bool = False
    assumed: bool = False
    matched: float = 1.0
    slot: tuple[int, ...] = ()
    power_limit_w: float | None = None
    reused: bool = False
    note: str = ""


class Via(StrEnum):
    """What a card's link goes through."""

    CPU = "cpu"
    CHIPSET = "chipset"
    RISER = "riser"
    SWITCH = "switch"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLink:
    """What is said of one card's link; `gpu` counts cards from 0, None: of every card."""

    gpu: int | None = None
    generation: int | None = None
    lanes: int | None = None
    via: Via | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """`nodes` equal machines of `lines`, and what stands once for all (`shared`: switch, cables, rack).

    Attributes:
        splits_slots: one slot of the board feeds several cards, each with its share of the lanes.
        remarks: free text of a person about the links.
    """

    lines: tuple[BomLine, ...]
    nodes: int = 1
    shared: tuple[BomLine, ...] = ()
    name: str = ""
    fields_given: frozenset[str] = field(default_factory=frozenset)
    links: tuple[CardLink, ...] = ()
    splits_slots: bool = False
    remarks: tuple[str, ...] = ()

    def of(self, kind: Kind) -> tuple[BomLine, ...]:
        """Lines of one kind."""
        return tuple(line for line in self.lines if line.kind is kind)

    def anywhere(self, kind: Kind) -> tuple[BomLine, ...]:
        """Lines of one kind, whether listed in a machine or beside all of them."""
        return tuple(line for line in (*self.lines, *self.shared) if line.kind is kind)

    def machines(self) -> int:
        """Machines that stand in racks: the nodes, times the servers listed in each."""
        return self.nodes * max(1, sum(line.quantity for line in self.of(Kind.SERVER)))

    def first(self, kind: Kind) -> BomLine | None:
        """The only or first line of one kind."""
        return next(iter(self.of(kind)), None)

    def all_lines(self) -> Iterator[tuple[BomLine, int]]:
        """Every line with its quantity over all nodes."""
        for line in self.lines:
            yield line, line.quantity * self.nodes
        for line in self.shared:
            yield line, line.quantity
