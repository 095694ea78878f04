"""What the rules look at: one node's parts, typed, with its cards one by one and the place it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from gpuconfig.engine.builds.adapters import SeatedNics, seat_nics, takes_slot, usable_bits_per_s
from gpuconfig.engine.builds.build import BomLine, Build, CardLink
from gpuconfig.engine.builds.feeds import Plugging, most_cards, offered, plug
from gpuconfig.engine.builds.load import Load, LoadTable, load_of, supplies
from gpuconfig.engine.builds.placement import Placement, carried, place, seats_for
from gpuconfig.engine.builds.spread import Spread, spread
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.peripheral import Nic
from gpuconfig.engine.catalogue.vocabulary import Cooling, Kind, LinkKind, Region
from gpuconfig.engine.compatibility.efficiency import class_of, efficiency_at, wall_w
from gpuconfig.engine.compatibility.environment import (
    Environment,
    machine_room_feed,
    mains_region,
    outlet,
)
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Pricer

RULES = "rules"
BRIDGED = 2
"""Cards that a bridge joins."""
HALF_LOAD = 0.5
"""Share of its rating that a supply is taken to be at where its load is not known."""
MTS_BYTES = 8e6
"""Bytes a second of one channel of 64 bit at one million transfers."""
Item = TypeVar("Item", bound=CatalogueItem)


@dataclass(frozen=True)
class Machine:
    """One node under check.

    Attributes:
        numbers: the rule table, group `rules`.
        pricer: what remedies cost; None where nobody asks.
        host_bytes: what the work holds in host memory; None where no work is named.
    """

    build: Build
    place: Environment
    numbers: CoefficientSet
    pricer: Pricer | None = None
    host_bytes: float | None = None

    def number(self, name: str, *scopes: str) -> float:
        """A number of the rule table."""
        return self.numbers.value(RULES, name, *scopes)

    @cached_property
    def card_lines(self) -> tuple[BomLine, ...]:
        """Lines of accelerators."""
        return tuple(line for line in self.build.of(Kind.ACCELERATOR) if isinstance(line.item, Accelerator))

    @cached_property
    def cards(self) -> tuple[tuple[Accelerator, BomLine], ...]:
        """Every card with its line, one entry a piece."""
        return tuple(
            (line.item, line)
            for line in self.card_lines
            if isinstance(line.item, Accelerator)
            for _ in range(line.quantity)
        )

    @cached_property
    def links(self) -> tuple[CardLink, ...]:
        """What is said of the links of the cards."""
        return self.build.links

    @cached_property
    def board(self) -> Motherboard | None:
        """The board."""
        return self._first(Kind.MOTHERBOARD, Motherboard)

    @cached_property
    def cpu(self) -> Cpu | None:
        """The processor."""
        return self._first(Kind.CPU, Cpu)

    @cached_property
    def cpus(self) -> int:
        """Number of processors."""
        return sum(line.quantity for line in self.build.of(Kind.CPU))

    @cached_property
    def case(self) -> Chassis | None:
        """The case."""
        return self._first(Kind.CHASSIS, Chassis)

    @cached_property
    def server(self) -> ServerPlatform | None:
        """The server platform."""
        return self._first(Kind.SERVER, ServerPlatform)

    @cached_property
    def cooler(self) -> Cooler | None:
        """The cooler of the processor."""
        return next((c for c, _ in self._coolers if not c.is_for_cards()), None)

    @cached_property
    def card_blowers(self) -> tuple[tuple[Cooler, int], ...]:
        """Blowers for cards without a fan, with their number."""
        return tuple((c, n) for c, n in self._coolers if c.is_for_cards())

    @cached_property
    def _coolers(self) -> tuple[tuple[Cooler, int], ...]:
        lines = self.build.of(Kind.COOLER)
        return tuple((line.item, line.quantity) for line in lines if isinstance(line.item, Cooler))

    def card_length_mm(self, card: Accelerator) -> float | None:
        """Room that a card takes with the blower behind it; None where its length or the blower's is not known."""
        behind = [c.height_mm for c, _ in self.card_blowers] if card.cooling is Cooling.PASSIVE else []
        known = [h for h in behind if h is not None]
        if card.length_mm is None or len(known) < len(behind):
            return None
        return card.length_mm + max(known, default=0.0)

    @cached_property
    def kits(self) -> tuple[tuple[MemoryKit, int], ...]:
        """Memory kits with their number."""
        lines = self.build.of(Kind.MEMORY)
        return tuple((line.item, line.quantity) for line in lines if isinstance(line.item, MemoryKit))

    @cached_property
    def supplies(self) -> tuple[tuple[PowerSupply, int], ...]:
        """Supplies bought singly, with their number."""
        return supplies(self.build)

    @cached_property
    def load(self) -> Load:
        """Load of the node."""
        return load_of(self.build, self.loads)

    @cached_property
    def is_whole_computer(self) -> bool:
        """A computer sold with its accelerator inside: nothing else is to be listed."""
        return bool(self.cards) and all(card.complete_machine for card, _ in self.cards)

    @cached_property
    def is_linked(self) -> bool:
        """All cards joined by something faster than PCIe; a bridge counts where it is listed and joins all."""
        bridged = bool(self.build.of(Kind.BRIDGE)) and len(self.cards) <= BRIDGED
        if bridged or any("nvlink" in line.note.lower() for line in self.card_lines):
            return True
        return bool(self.cards) and all(
            card.link is not None and card.link.kind is not LinkKind.NVLINK_BRIDGE for card, _ in self.cards
        )

    @cached_property
    def is_server_board(self) -> bool:
        """Boards and processors with registered memory: workstation and server class."""
        kits = any(kit.registered for kit, _ in self.kits)
        board = bool(self.board and self.board.registered)
        return kits or board or bool(self.cpu and self.cpu.registered)

    @cached_property
    def loads(self) -> LoadTable:
        """Watts of parts without a rating."""
        return load_table(self.numbers, "server" if self.is_server_board else "*")

    @cached_property
    def placement(self) -> Placement | None:
        """Where the cards sit: as said, else the best there is; None where they do not fit or it is not known.

        Network cards beside them take what lanes their slots share.
        """
        return self._alone if self.seated_nics is None else self.seated_nics.cards

    @cached_property
    def _alone(self) -> Placement | None:
        """Where the cards sit on a board that holds nothing else."""
        if self.board is None or not self.cards or any(card.slots is None for card, _ in self.cards):
            return None
        widths = [card.slots or 1.0 for card, _ in self.cards]
        named = [p for line in self.card_lines for p in line.slot]
        if len(named) == len(widths):
            return seats_for(self.board, named, widths)
        return place(self.board, widths)

    @cached_property
    def nics(self) -> tuple[Nic, ...]:
        """Every network card, one entry a piece."""
        lines = self.build.of(Kind.NIC)
        return tuple(line.item for line in lines if isinstance(line.item, Nic) for _ in range(line.quantity))

    @cached_property
    def seated_nics(self) -> SeatedNics | None:
        """Network cards in the board's other slots; None without any, or where the slots are not known."""
        return self.seated([nic for nic in self.nics if takes_slot(nic)])

    def seated(self, nics: Sequence[Nic]) -> SeatedNics | None:
        """Where `nics` would sit beside the cards; None where the slots are not known."""
        board, placed = self.board, self._alone
        if board is not None and (self.lists(Kind.RISER) or (placed is None and self.build.links)):
            placed = carried(board, len(self.cards))
        if board is None or placed is None or not board.positions_known or not nics:
            return None
        return seat_nics(board, placed, nics)

    def slots_beside(self, lanes: int) -> int | None:
        """Slots at least `lanes` wide that the cards leave where positions are not recorded; None without slots."""
        if self.board is None or not self.board.slots:
            return None
        wide = sum(s.physical_lanes >= lanes for s in self.board.slots)
        return max(wide - (0 if self.build.links else len(self.cards)), 0)

    def network_bits_per_s(self) -> float | None:
        """What ports and slots of all network cards let through; None where a port's rate is not recorded."""
        seated = self.seated_nics
        seats = iter(() if seated is None else seated.seats)
        rates = []
        for nic in self.nics:
            seat = next(seats, None) if takes_slot(nic) else None
            if seated is not None and seat is None and takes_slot(nic):
                continue  # it finds no slot
            slot = None if seat is None else seat.slot.generation
            if seat is None and self.server is not None:
                slot = self.server.pcie_generation
            rates.append(usable_bits_per_s(nic, slot, None if seat is None else seat.lanes))
        return None if not rates or None in rates else sum(r for r in rates if r is not None)

    @property
    def region(self) -> Region:
        """Whose outlets count."""
        return mains_region(self.place)

    @property
    def feed(self) -> tuple[float, float]:
        """Volts and amperes where a supply hangs: as named, in a machine room a feed of its own, else an outlet."""
        room = self.server is not None or self.place.machine_room
        if room and not self.place.names_circuit():
            return machine_room_feed(self.place, self.numbers)
        return outlet(self.place, self.numbers)

    @property
    def volts(self) -> float:
        """Of the circuit that a supply hangs on."""
        return self.feed[0]

    @property
    def circuit_w(self) -> float:
        """What one circuit carries for long."""
        volts, amps = self.feed
        return volts * amps * self.number("circuit_share")

    @property
    def feeds(self) -> int:
        """Circuits that the supplies can hang on."""
        if self.place.names_circuit():
            return 1
        if self.server is not None:
            return self.server.psu_count or 4
        return max(1, sum(n for _, n in self.supplies))

    def efficiency(self) -> float:
        """Of the supplies at the load they are at: what parts draw over what is drawn at the wall."""
        return self._efficiency

    @cached_property
    def _efficiency(self) -> float:
        """Of the supplies at the load they are at, by their 80 PLUS class and the outlet's voltage.

        Half load is taken where the load or the rating is not known.
        """
        loads = self._supply_loads()
        if loads:
            drawn = wall_w(self.numbers, self.volts, loads)
            return sum(load for _, load in loads) / drawn if drawn else 1.0
        words = [s.efficiency for s, _ in self.supplies] or [self.server.efficiency if self.server else ""]
        rated = self.rated_w()
        known = rated and not self.load.missing and not self.supplies
        share = self.load.watts() / rated if known and rated else HALF_LOAD
        return efficiency_at(self.numbers, self.volts, share, *class_of(words[0]))

    def _supply_loads(self) -> list[tuple[PowerSupply, float]]:
        """Supplies bought singly with the watts that each gives: as the cards are dealt out, else by their ratings."""
        each = sorted((s for s, n in self.supplies for _ in range(n)), key=lambda s: -s.rated_w)
        watts, rated = self.load.watts(), sum(s.rated_w for s in each)
        if not rated or not watts or self.load.missing:
            return []
        dealt = self.spread()
        if dealt is None:
            return [(s, watts * s.rated_w / rated) for s in each]
        return list(zip(each, dealt.loads_w, strict=True))

    def memory_bytes_per_s(self) -> float | None:
        """Peak of the host memory's filled channels; None where modules, rates or channels are not known."""
        cpu, holders = self.cpu, (self.server, self.board)
        channels = next((h.memory_channels for h in holders if h is not None and h.memory_channels), None)
        if channels is None and cpu is not None and cpu.memory_channels is not None:
            channels = cpu.memory_channels * max(1, self.cpus)
        rates = [kit.speed_mts for kit, _ in self.kits] + ([] if cpu is None else [cpu.memory_mts])
        known = [rate for rate in rates if rate is not None]
        if channels is None or not self.kits or len(known) < len(rates):
            return None
        return min(channels, sum(kit.modules * n for kit, n in self.kits)) * min(known) * MTS_BYTES

    def host_rated_w(self) -> float | None:
        """Continuous watts of everything but the cards; None where a load is not known."""
        cards = {line.item.id for line in self.card_lines}
        missing = set(self.load.missing) - cards
        return None if missing else sum(i.watts for i in self.load.items if i.part not in cards)

    def wall_w(self) -> float | None:
        """Continuous watts at the wall; None where a load is not known."""
        return None if self.load.missing else self.load.watts() / self.efficiency()

    def rated_w(self) -> float | None:
        """Watts of all supplies; what remains where one fails is a question of its own. None where not known."""
        if self.supplies:
            return sum(s.rated_w * count for s, count in self.supplies)
        if self.server is not None and self.server.psu_count and self.server.psu_w:
            return self.server.psu_count * self.server.psu_w
        return None

    def spread(self) -> Spread | None:
        """Cards over supplies bought singly; None for one supply, redundant ones, or where a load is not known."""
        count = sum(n for _, n in self.supplies)
        shared = any("crps" in f"{s.form_factor} {s.name}".lower() or s.redundant for s, _ in self.supplies)
        if count < 2 or shared or not self.cards or self.load.missing:
            return None
        cards = [line.power_limit_w or card.tdp_w or 0.0 for card, line in self.cards]
        ratings = [s.rated_w for s, n in self.supplies for _ in range(n)]
        first = self.cards[0][0]
        most = None
        if all(card.id == first.id for card, _ in self.cards):
            most = [
                most_cards(s, first, len(cards), self.slots_fed > 0)
                for s, n in self.supplies
                for _ in range(n)
            ]
        return spread(ratings, cards, self.load.watts() - sum(cards), most)

    @cached_property
    def slots_fed(self) -> int:
        """Adapters at the ends of cables, each of which takes a plug for the 75 W of its slot."""
        lines = self.build.of(Kind.RISER)
        return sum(n.quantity for n in lines if "device adapter" in getattr(n.item, "riser_type", "").lower())

    def plugging(self) -> Plugging | None:
        """How the plugs of all supplies go into the cards; None where sockets or plugs are not known."""
        offer = offered(self.supplies)
        if offer is None or not self.supplies:
            return None
        own = 0 if self.board is None and self.cpu is None else 1  # the processor's plug is not for cards
        cards = [(card, 1) for card, _ in self.cards]
        return plug(cards, own, offer, self.slots_fed)

    def lists(self, kind: Kind) -> bool:
        """Whether the list names any part of `kind`."""
        return bool(self.build.of(kind))

    def _first(self, kind: Kind, what: type[Item]) -> Item | None:
        line = self.build.first(kind)
        return line.item if line is not None and isinstance(line.item, what) else None


def load_table(numbers: CoefficientSet, board: str = "*") -> LoadTable:
    """Watts of parts that carry no rating of their own; `board` is `server` for registered memory."""
    return LoadTable(
        board_w=numbers.value(RULES, "load_board_w", board),
        server_base_w=numbers.value(RULES, "load_server_base_w"),
        module_host_share=numbers.value(RULES, "load_module_host_share"),
        supply_efficiency=efficiency_at(numbers, None, HALF_LOAD),
        udimm_w=numbers.value(RULES, "load_udimm_w"),
        rdimm_w=numbers.value(RULES, "load_rdimm_w"),
        drive_w=numbers.value(RULES, "load_drive_w"),
        nic_w=numbers.value(RULES, "load_nic_w"),
    )
