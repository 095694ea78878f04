"""Why no machine came out: the obstacle that the enumeration met furthest along the way."""

from __future__ import annotations

from gpuconfig.engine.builds.placement import Placement, covered
from gpuconfig.engine.catalogue.host import Cpu, Motherboard
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.need import Need, NoBuild


class Blame:
    """Keeps the obstacle of the latest stage; of one stage the closest miss."""

    def __init__(self) -> None:
        self._stage = -1
        self._found: NoBuild | None = None

    def verdict(self) -> NoBuild:
        """The rule that forbids the machine."""
        if self._found is not None:
            return self._found
        return NoBuild(
            rule="catalogue.parts", message=Message(N_("the catalogue has no priced parts for it"))
        )

    def slots(self, need: Need, board: Motherboard) -> None:
        """Too few slots on the board, or the cards cover one another."""
        offered = sum(1 for s in board.slots if s.physical_lanes >= 16)
        text = N_("{count} cards of {width} slots do not fit the slots of any board")
        self._keep(0, "pcie.slot_spacing", text, need, offered, need.per_node, "1")

    def brackets(self, need: Need, positions: float, most: int) -> None:
        """Too few brackets in the case."""
        text = N_("{count} cards of {width} slots need {required} brackets, the largest case has {measured}")
        self._keep(2, "mechanics.case_brackets", text, need, most, positions, "1")

    def lanes(self, need: Need, placement: Placement) -> None:
        """A card would hang on too few lanes, or behind the chipset."""
        text = N_(
            "{count} cards: the worst slot has {measured} lanes, {required} from the processor are needed"
        )
        least = 0 if placement.behind_chipset() and need.per_node > 1 else placement.least_lanes()
        self._keep(1, "pcie.lane_width", text, need, least or 0, need.lanes, "1")

    def network(self, need: Need) -> None:
        """No slot is left for a network card."""
        text = N_("{count} cards of {width} slots leave no slot for a network card on any board")
        self._keep(1, "network.slots", text, need, 0, 1, "1")

    def memory(self, need: Need, board: Motherboard) -> None:
        """No kit of the board's kind is large enough."""
        text = N_("no priced memory of the board's kind reaches {required} B in its slots")
        self._keep(3, "memory.capacity", text, need, board.max_memory_bytes or 0, need.ram_bytes, "B")

    def cooler(self, cpu: Cpu) -> None:
        """No cooler for the processor."""
        if self._stage <= 4:
            message = Message(N_("no priced cooler mounts on {socket} and carries {watts} W"),
                              {"socket": cpu.socket, "watts": cpu.tdp_w})  # fmt: skip
            self._stage, self._found = 4, NoBuild(rule="cooling.cpu_cooler", message=message)

    def watts(self, watts: float, most: float) -> None:
        """No supply strong enough by the 80 % rule."""
        if self._stage < 5 or (self._stage == 5 and self._found and most > (self._found.measured or 0)):
            message = Message(
                N_(
                    "{required:.0f} W continuous load; the supply may carry {measured:.0f} W by the 80 % rule"
                ),
                {"required": watts, "measured": most},
            )
            self._stage = 5
            self._found = NoBuild(
                rule="power.continuous", message=message, measured=most, required=watts, unit="W"
            )

    def connectors(self, need: Need) -> None:
        """No supply with enough plugs."""
        text = N_("no supply strong enough states enough plugs for {count} cards")
        self._keep(6, "power.connectors", text, need, None, None, "")

    def circuit(self, wall: float, limit: float) -> None:
        """More than the outlet carries."""
        if self._stage <= 7:
            message = Message(
                N_("{measured:.0f} W at the wall; the circuit carries {required:.0f} W for long"),
                {"measured": wall, "required": limit},
            )
            self._stage = 7
            self._found = NoBuild(
                rule="power.mains_circuit", message=message, measured=wall, required=limit, unit="W"
            )

    def length(self, need: Need, length: float, room: float) -> None:
        """The card is too long for the case."""
        text = N_("the card is {required:.0f} mm long, the roomiest case takes {measured:.0f} mm")
        if self._stage != 2 or self._found is None or room > (self._found.measured or 0):
            self._keep(2, "mechanics.card_length", text, need, room, length, "mm")

    def hot_case(self, need: Need, planned: float, room: float) -> None:
        """No case of the class that a hot card wants."""
        text = N_("a card that heats the case so much wants a mesh front and {required:.0f} mm of room; of the priced "
                  "cases none with enough brackets has both")  # fmt: skip
        self._keep(2, "cooling.hot_card_case", text, need, min(room, planned), planned, "mm")

    def _keep(
        self,
        stage: int,
        rule: str,
        text: str,
        need: Need,
        measured: float | None,
        required: float | None,
        unit: str,
    ) -> None:
        if stage < self._stage or (stage == self._stage and not _closer(measured, self._found)):
            return
        values = {
            "count": need.per_node, "width": covered(need.accelerator.slots or 1),
            "measured": measured, "required": required,
        }  # fmt: skip
        self._stage = stage
        self._found = NoBuild(
            rule=rule, message=Message(text, values), measured=measured, required=required, unit=unit
        )


def _closer(measured: float | None, found: NoBuild | None) -> bool:
    return found is None or (measured or 0) > (found.measured or 0)
