"""The priced parts of a catalogue, sorted for the composer; parts that nothing can beat only."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.builds.fits import is_open, memory_fits, memory_runs_mts, socket_key
from gpuconfig.engine.builds.load import LoadTable
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.peripheral import Bridge, Cable, Drive, Nic, Riser, Switch
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.machine import load_table
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import PlannedPrice, Pricer
from gpuconfig.engine.selection.composer.need import Need

RULES = "rules"
Item = TypeVar("Item", bound=CatalogueItem)


@dataclass(frozen=True, slots=True)
class Priced(Generic[Item]):
    """A part with its planning price; None where the person owns it: it costs nothing.

    Attributes:
        score: what counts instead of the price where more than the price counts.
    """

    item: Item
    price: PlannedPrice | None
    score: Decimal | None = None

    @property
    def cost(self) -> Decimal:
        """What the composer makes as small as it can: planning value of one piece, or its score."""
        if self.score is not None:
            return self.score
        return Decimal(0) if self.price is None else self.price.middle().amount


class Shelf:
    """Parts one buyer can price or owns, cheapest first.

    Args:
        owned: a machine whose parts are kept where they fit (upgrade); None to buy everything.
    """

    def __init__(
        self, catalogue: Catalogue, pricer: Pricer, rules: CoefficientSet, owned: Build | None = None
    ) -> None:
        self.catalogue = catalogue
        self.pricer = pricer
        self.rules = rules
        self.owned = owned
        self._priced: dict[Kind, tuple[Priced[Any], ...]] = {}
        self._kits: dict[tuple[str, bool | None], tuple[Priced[MemoryKit], ...]] = {}

    def owned_count(self, kind: Kind, item_id: str) -> int:
        """Pieces of one part that the person owns."""
        lines = () if self.owned is None else self.owned.of(kind)
        return sum(line.quantity for line in lines if line.item.id == item_id)

    def priced(self, kind: Kind, items: Iterable[Item]) -> tuple[Priced[Item], ...]:
        """Items that have a price or are owned, cheapest first; equal prices in order of id.

        Kept by kind: shelves with other aims ask for the same parts again.
        """
        if kind not in self._priced:
            self._priced[kind] = self._found(kind, items)
        return cast("tuple[Priced[Item], ...]", self._priced[kind])

    def _found(self, kind: Kind, items: Iterable[Item]) -> tuple[Priced[Item], ...]:
        known = list(items)
        kept = () if self.owned is None else self.owned.of(kind)
        mine: dict[str, Item] = {line.item.id: cast("Item", line.item) for line in kept}
        sold = [
            Priced(i, p) for i in known if i.id not in mine and (p := self.pricer.price(kind, i)) is not None
        ]
        # A part is imported only where the buyer's own market has none of its kind.
        here = [part for part in sold if part.price is not None and not part.price.imported]
        found = [*(Priced(item, None) for item in mine.values()), *(here or sold)]
        return _cheapest_of_equals(sorted(found, key=lambda p: (p.cost, p.item.id)))

    @cached_property
    def boards(self) -> tuple[Priced[Motherboard], ...]:
        """Motherboards."""
        return self.priced(Kind.MOTHERBOARD, self.catalogue.motherboards())

    @cached_property
    def cpus(self) -> dict[str, tuple[Priced[Cpu], ...]]:
        """Processors by socket."""
        groups: dict[str, list[Priced[Cpu]]] = defaultdict(list)
        for cpu in self.priced(Kind.CPU, self.catalogue.cpus()):
            groups[socket_key(cpu.item.socket)].append(cpu)
        return {k: tuple(v) for k, v in groups.items()}

    @cached_property
    def memory(self) -> tuple[Priced[MemoryKit], ...]:
        """Memory kits."""
        return self.priced(Kind.MEMORY, self.catalogue.memory_kits())

    @cached_property
    def coolers(self) -> dict[str, tuple[Priced[Cooler], ...]]:
        """Coolers by each socket they mount on."""
        groups: dict[str, list[Priced[Cooler]]] = defaultdict(list)
        for cooler in self.priced(Kind.COOLER, self.catalogue.coolers()):
            for socket in {socket_key(s) for s in cooler.item.sockets}:
                groups[socket].append(cooler)
        return {k: tuple(v) for k, v in groups.items()}

    @cached_property
    def card_blowers(self) -> tuple[Priced[Cooler], ...]:
        """Blowers for cards without a fan."""
        coolers = self.priced(Kind.COOLER, self.catalogue.coolers())
        return tuple(cooler for cooler in coolers if cooler.item.is_for_cards())

    @cached_property
    def supplies(self) -> tuple[Priced[PowerSupply], ...]:
        """Power supplies."""
        return self.priced(Kind.POWER_SUPPLY, self.catalogue.power_supplies())

    @cached_property
    def cases(self) -> tuple[Priced[Chassis], ...]:
        """Cases."""
        return self.priced(Kind.CHASSIS, self.catalogue.chassis())

    @cached_property
    def most_brackets(self) -> int:
        """Brackets of the closed case that has most."""
        return max((c.item.expansion_slots or 0 for c in self.cases if not is_open(c.item)), default=0)

    @cached_property
    def drives(self) -> tuple[Priced[Drive], ...]:
        """Drives."""
        return self.priced(Kind.DRIVE, self.catalogue.drives())

    @cached_property
    def nics(self) -> tuple[Priced[Nic], ...]:
        """Network cards."""
        return self.priced(Kind.NIC, self.catalogue.nics())

    @cached_property
    def switches(self) -> tuple[Priced[Switch], ...]:
        """Network switches."""
        return self.priced(Kind.SWITCH, self.catalogue.switches())

    @cached_property
    def risers(self) -> tuple[Priced[Riser], ...]:
        """Risers, adapters and cables that carry PCIe lanes."""
        return self.priced(Kind.RISER, self.catalogue.risers())

    @cached_property
    def cables(self) -> tuple[Priced[Cable], ...]:
        """What joins machines to a switch, or supplies to one another."""
        return self.priced(Kind.CABLE, self.catalogue.cables())

    @cached_property
    def bridges(self) -> tuple[Priced[Bridge], ...]:
        """NVLink bridges."""
        return self.priced(Kind.BRIDGE, self.catalogue.bridges())

    @cached_property
    def pdus(self) -> tuple[Priced[Pdu], ...]:
        """Power distribution units."""
        return self.priced(Kind.PDU, self.catalogue.pdus())

    @cached_property
    def racks(self) -> tuple[Priced[Rack], ...]:
        """Racks."""
        return self.priced(Kind.RACK, self.catalogue.racks())

    @cached_property
    def servers(self) -> tuple[Priced[ServerPlatform], ...]:
        """Server platforms."""
        return self.priced(Kind.SERVER, self.catalogue.servers())

    @cached_property
    def loads(self) -> LoadTable:
        """Watts of parts without a rating."""
        return load_table(self.rules)

    def rule(self, name: str, *scopes: str) -> float:
        """A number of the rules."""
        return self.rules.value(RULES, name, *scopes)

    @cached_property
    def server_loads(self) -> LoadTable:
        """The same for boards with registered memory."""
        return load_table(self.rules, "server")

    def weighed(self, amount: Decimal) -> Decimal:
        """What an amount of money counts beside the costs of parts."""
        return amount

    def kits_for(self, memory_type: str, registered: bool | None) -> tuple[Priced[MemoryKit], ...]:
        """Kits of the kind a board names."""
        key = (memory_type, registered)
        if key not in self._kits:
            self._kits[key] = tuple(k for k in self.memory if memory_fits(k.item, memory_type, registered))
        return self._kits[key]

    def runs_mts(self, cpu: Cpu, memory_type: str) -> float:
        """Speed that the processor runs memory of a board's type at; 0 where it is not known."""
        return memory_runs_mts(cpu, memory_type, self.rule("ddr4_mts")) or 0.0

    def cheapest_memory(
        self, kits: Sequence[Priced[MemoryKit]], need: Need, dimm_slots: int, channels: int, mts: float
    ) -> tuple[Priced[MemoryKit], int] | None:
        """The cheapest number of equal kits that hold and give enough and fill every channel with as many modules.

        Kits that the person owns may fill them unevenly or be slow: that is no reason to buy others.

        Args:
            mts: speed the processor runs memory at; kits much slower count only where no faster ones are sold.
        """
        found: list[tuple[Decimal, Priced[MemoryKit], int]] = []
        least_mts = need.memory_mts(channels)
        for kit in kits:
            per_kit = kit.item.capacity_bytes()
            if not per_kit or (kit.item.speed_mts or 0) < least_mts:
                continue  # too slow, or an owned kit of which only the total is known
            count = max(1, int(-(-need.ram_bytes // per_kit)), -(-channels // kit.item.modules))
            if kit.price is not None:
                even = math.lcm(channels, kit.item.modules) // kit.item.modules
                count = -(-count // even) * even
            if count * kit.item.modules > dimm_slots:
                continue
            if kit.price is None and count > self.owned_count(Kind.MEMORY, kit.item.id):
                continue  # what is owned is not enough, and more of it has no price here
            found.append((kit.cost * count, kit, count))
        fastest = max((kit.item.speed_mts or 0 for _, kit, _ in found), default=0)
        least_run = min(fastest, mts * self.rule("memory_speed_share"))
        fast = [f for f in found if f[1].price is None or (f[1].item.speed_mts or 0) >= least_run]
        best = min(fast, key=lambda f: f[0], default=None)
        return None if best is None else best[1:]


_NAMES = frozenset(
    {
        "id", "name", "aliases", "brand", "part_number", "sources", "date", "evidence_kind", "confidence", "notes",
        "inferred_fields", "derived_fields", "confirmations", "origin", "edits",
    }
)  # fmt: skip
"""Fields that no rule of fit or power reads: what is left tells whether two parts can stand for one another."""


def _cheapest_of_equals(parts: Iterable[Priced[Item]]) -> tuple[Priced[Item], ...]:
    """Of parts that differ in name and price alone the first, which is the cheapest.

    An import brings thousands of such twins; leaving them out changes no optimum.
    """
    seen = set()
    kept = []
    for part in parts:
        key = tuple(getattr(part.item, f.name) for f in fields(part.item) if f.name not in _NAMES)
        if key not in seen:
            seen.add(key)
            kept.append(part)
    return tuple(kept)
