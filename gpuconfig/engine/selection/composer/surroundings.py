"""Case, supply and cooler around a host: the cheapest three that go together, each question asked once.

What a host asks of them is little: the board's form and brackets, the processor's socket and heat, the watts.
Hosts that ask the same get the same answer, therefore answers are kept by what was asked.
"""

from __future__ import annotations

import math
from decimal import Decimal

from gpuconfig.engine.builds.feeds import offered, plug
from gpuconfig.engine.builds.fits import board_in_case, cooler_in_case, socket_key, supply_in_case
from gpuconfig.engine.builds.placement import Placement, covered
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply
from gpuconfig.engine.catalogue.host import Cooler, Cpu, Motherboard
from gpuconfig.engine.compatibility.transient import excursion_ratio, survives_transient
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf

Three = tuple[Priced[Cooler], Priced[Chassis], Priced[PowerSupply]]
CaseKey = tuple[str, float]
CoolerKey = tuple[str, float]


class Surroundings:
    """Answers for one need."""

    def __init__(self, need: Need, shelf: Shelf, blame: Blame) -> None:
        self.need = need
        self.shelf = shelf
        self.blame = blame
        self._supplies: dict[float, list[Priced[PowerSupply]]] = {}
        self._cases: dict[CaseKey, list[Priced[Chassis]]] = {}
        self._coolers: dict[CoolerKey, list[Priced[Cooler]]] = {}
        self._threes: dict[tuple[float, CaseKey, CoolerKey], Three | None] = {}
        # Every supply's plugs are judged once: they depend on the cards alone.
        self._plugged = [s for s in shelf.supplies if self._plugs(s.item)]

    def least(self) -> Decimal:
        """Less than any three can cost."""
        coolers = [c[0].cost for c in self.shelf.coolers.values() if c]
        ends = (self.shelf.cases, self.shelf.supplies)
        return min(coolers, default=Decimal(0)) + sum((p[0].cost for p in ends if p), Decimal(0))

    def cheapest(self, board: Motherboard, placement: Placement, cpu: Cpu, watts: float) -> Three | None:
        """The cheapest three for a host of `watts`, cards included; None where none goes together."""
        positions: float | None = placement.positions
        if positions is None:
            one = covered(self.need.accelerator.slots or 1)
            positions = one if self.need.per_node == 1 else math.inf
        case_key = (board.form_factor, positions)
        cooler_key = (socket_key(cpu.socket), cpu.tdp_w or 0.0)
        key = (watts, case_key, cooler_key)
        if key not in self._threes:
            self._threes[key] = self._best(
                self._supplies_for(watts), self._cases_for(board, positions), self._coolers_for(cpu)
            )
        return self._threes[key]

    @staticmethod
    def _best(
        supplies: list[Priced[PowerSupply]], cases: list[Priced[Chassis]], coolers: list[Priced[Cooler]]
    ) -> Three | None:
        best: Three | None = None
        limit: Decimal | None = None
        if not coolers or not cases:
            return None
        for supply in supplies:
            if limit is not None and supply.cost + cases[0].cost + coolers[0].cost >= limit:
                break
            for case in cases:
                two = supply.cost + case.cost
                if limit is not None and two + coolers[0].cost >= limit:
                    break
                if supply_in_case(supply.item, case.item) is not True:
                    continue
                cooler = next((c for c in coolers if cooler_in_case(c.item, case.item)), None)
                if cooler is not None and (limit is None or two + cooler.cost < limit):
                    limit = two + cooler.cost
                    best = (cooler, case, supply)
        return best

    def _supplies_for(self, watts: float) -> list[Priced[PowerSupply]]:
        if watts not in self._supplies:
            self._supplies[watts] = _shorter_only(self._strong_enough(watts))
        return self._supplies[watts]

    def _strong_enough(self, watts: float) -> list[Priced[PowerSupply]]:
        need, rules = self.need, self.shelf.rules
        wall = watts / rules.value("rules", "efficiency_230")
        if need.circuit_w is not None and wall > need.circuit_w:
            self.blame.circuit(wall, need.circuit_w)
            return []
        share = self.shelf.rule("continuous_share")
        peaks = [(need.card_w(), excursion_ratio(need.accelerator, rules), need.per_node)]
        strong = [s for s in self._plugged if s.item.rated_w * share >= watts]
        if not strong:
            most = max((s.item.rated_w for s in self.shelf.supplies), default=0.0) * share
            if most < watts:
                self.blame.watts(watts, most)
            else:
                self.blame.connectors(need)
        return [s for s in strong if survives_transient([(s.item, 1)], watts, peaks, rules)]

    def _plugs(self, supply: PowerSupply) -> bool:
        offer = offered([(supply, 1)])
        plugging = None if offer is None else plug([(self.need.accelerator, self.need.per_node)], 1, offer)
        return plugging is not None and plugging.works()

    def _cases_for(self, board: Motherboard, positions: float) -> list[Priced[Chassis]]:
        key = (board.form_factor, positions)
        if key not in self._cases:
            self._cases[key] = [c for c in self.shelf.cases if self._takes(c.item, board, positions)]
        return self._cases[key]

    def _takes(self, case: Chassis, board: Motherboard, positions: float) -> bool:
        card = self.need.accelerator
        if case.max_gpu_length_mm is None or case.expansion_slots is None:
            return False
        if card.length_mm is not None and case.max_gpu_length_mm <= card.length_mm:
            self.blame.length(self.need, case.max_gpu_length_mm)
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


def _shorter_only(supplies: list[Priced[PowerSupply]]) -> list[Priced[PowerSupply]]:
    """Of strong enough supplies of one form those that are shorter than every cheaper one: only those can be of use.

    One of unknown length is never known to fit.
    """
    shortest: dict[str, float] = {}
    kept = []
    for supply in supplies:
        form, length = supply.item.form_factor.upper(), supply.item.length_mm
        if length is not None and length < shortest.get(form, math.inf):
            shortest[form] = length
            kept.append(supply)
    return kept
