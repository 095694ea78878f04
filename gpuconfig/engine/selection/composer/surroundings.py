"""Case, supplies and cooler around a host: the cheapest three that go together, each question asked once.

What a host asks of them is little: the board's form and brackets, the processor's socket and heat, the watts.
Hosts that ask the same get the same answer, therefore answers are kept by what was asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

from gpuconfig.engine.builds.fits import (
    board_in_case,
    breathes,
    cooler_in_case,
    heats_case,
    is_open,
    socket_key,
    supply_in_case,
)
from gpuconfig.engine.builds.placement import Placement, covered
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis
from gpuconfig.engine.catalogue.host import Cooler, Cpu, Motherboard
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.feeding import Feeding, Feedings
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf

Three = tuple[Priced[Cooler], Priced[Chassis], Feeding]
CaseKey = tuple[str, float]
CoolerKey = tuple[str, float]


class Surroundings:
    """Answers for one need.

    Args:
        carried: the cards stand in an open frame, on risers or cables.
        behind_mm: room that something behind each card takes.
    """

    def __init__(
        self, need: Need, shelf: Shelf, blame: Blame, carried: bool = False, behind_mm: float = 0.0
    ) -> None:
        self.need = need
        self.shelf = shelf
        self.blame = blame
        self.carried = carried
        self._length = planned_length(need.accelerator, shelf) + behind_mm
        # A card of which the length is known has room for its cable and a fan; what is planned for has it already.
        self._margin = shelf.rule("length_margin_mm") if need.accelerator.length_mm is not None else 0.0
        self._hot = heats_case(need.accelerator, need.card_w(), shelf.rule("hot_card_w"))
        self._of_kind = [c for c in shelf.cases if is_open(c.item) is carried]
        places = max((c.item.psu_places or 1 for c in self._of_kind), default=1)
        self._feedings = Feedings(need, shelf, blame, places)
        self._cases: dict[CaseKey, list[Priced[Chassis]]] = {}
        self._coolers: dict[CoolerKey, list[Priced[Cooler]]] = {}
        self._threes: dict[tuple[float, CaseKey, CoolerKey, int], Three | None] = {}

    def least(self) -> Decimal:
        """Less than any three can cost."""
        coolers = [c[0].cost for c in self.shelf.coolers.values() if c]
        ends = (self._of_kind, self.shelf.supplies)
        return min(coolers, default=Decimal(0)) + sum((p[0].cost for p in ends if p), Decimal(0))

    def cheapest(
        self, board: Motherboard, placement: Placement, cpu: Cpu, watts: float, fed: int = 0
    ) -> Three | None:
        """The cheapest three for a host of `watts`, cards included; None where none goes together.

        Args:
            fed: device adapters at the ends of cables, each of which takes a plug of a supply.
        """
        case_key = (board.form_factor, self._positions(placement))
        cooler_key = (socket_key(cpu.socket), cpu.tdp_w or 0.0)
        key = (watts, case_key, cooler_key, fed)
        if key not in self._threes:
            # What the case forbids is told: nothing behind it is asked, and nothing there can hide it.
            cases = self._cases_for(board, case_key[1])
            coolers = self._coolers_for(cpu) if cases else []
            feedings = self._feedings.for_load(watts, fed) if coolers else ()
            tried = (
                self._best(some, [c for c in cases if (c.item.psu_places or 1) >= count], coolers)
                for count, some in enumerate(feedings, 1)
            )
            self._threes[key] = next((three for three in tried if three is not None), None)
        return self._threes[key]

    def _positions(self, placement: Placement) -> float:
        """Brackets the cards take: in a frame side by side, on a board as far down as they reach."""
        need = self.need
        one = covered(need.accelerator.slots or 1)
        if self.carried:
            return one * need.per_node
        if placement.positions is not None:
            return placement.positions
        return one if need.per_node == 1 else math.inf

    def _best(
        self, feedings: Iterable[Feeding], cases: list[Priced[Chassis]], coolers: list[Priced[Cooler]]
    ) -> Three | None:
        best: Three | None = None
        limit: Decimal | None = None
        for feeding in feedings:
            if limit is not None and feeding.cost + cases[0].cost + coolers[0].cost >= limit:
                break
            for case in cases:
                two = feeding.cost + case.cost
                if limit is not None and two + coolers[0].cost >= limit:
                    break
                if not self._holds(case.item, feeding):
                    continue
                cooler = next((c for c in coolers if self.carried or cooler_in_case(c.item, case.item)), None)
                if cooler is not None and (limit is None or two + cooler.cost < limit):
                    limit = two + cooler.cost
                    best = (cooler, case, feeding)
        return best

    def _holds(self, case: Chassis, feeding: Feeding) -> bool:
        """Whether every supply is of the form that the case takes, and short enough."""
        if self.carried:
            return all(part.item.form_factor.upper() == "ATX" for part, _ in feeding.supplies)
        return all(supply_in_case(part.item, case) is True for part, _ in feeding.supplies)

    def _cases_for(self, board: Motherboard, positions: float) -> list[Priced[Chassis]]:
        key = (board.form_factor, positions)
        if key not in self._cases:
            self._cases[key] = [c for c in self._of_kind if self._takes(c.item, board, positions)]
        return self._cases[key]

    def _takes(self, case: Chassis, board: Motherboard, positions: float) -> bool:
        if case.max_gpu_length_mm is None or case.expansion_slots is None:
            return False
        kept = bool(self.shelf.owned_count(Kind.CHASSIS, case.id))  # what is owned need only hold the card
        if not self.carried and self._hot and not kept:
            planned = max(self._length + self._margin, self.shelf.rule("hot_card_case_mm"))
            if case.max_gpu_length_mm < planned or breathes(case) is not True:
                self.blame.hot_case(self.need, planned, case.max_gpu_length_mm)
                return False
        elif not self.carried and case.max_gpu_length_mm < self._length + self._margin:
            self.blame.length(self.need, self._length, case.max_gpu_length_mm)
            return False
        if positions > case.expansion_slots:
            self.blame.brackets(self.need, positions, case.expansion_slots)
            return False
        return board_in_case(board, case) is True

    def _coolers_for(self, cpu: Cpu) -> list[Priced[Cooler]]:
        key = (socket_key(cpu.socket), cpu.tdp_w or 0.0)
        if key not in self._coolers:
            self._coolers[key] = [
                c
                for c in self.shelf.coolers.get(key[0], ())
                if c.item.cooling_w is not None and c.item.cooling_w >= key[1] and c.item.rack_units is None
            ]
            if not self._coolers[key]:
                self.blame.cooler(cpu)
        return self._coolers[key]


def planned_length(card: Accelerator, shelf: Shelf) -> float:
    """Length of the card; where it is not known that of the longest usual cards, so that any of them fits."""
    return card.length_mm if card.length_mm is not None else shelf.rule("card_length_planned_mm")
