"""Electrical load of a build by part, on the DC side of the supplies, and what the wall then sees."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cpu, MemoryKit
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.peripheral import Drive, Nic, Riser
from gpuconfig.engine.catalogue.vocabulary import Kind


@dataclass(frozen=True, slots=True)
class LoadItem:
    """Watts of one line at continuous work and at its peak."""

    part: str
    watts: float
    peak_w: float


@dataclass(frozen=True, slots=True)
class Load:
    """All loads of one node; `missing` names the parts whose power is not known."""

    items: tuple[LoadItem, ...]
    missing: tuple[str, ...] = ()

    def watts(self) -> float:
        """Continuous sum."""
        return sum(i.watts for i in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTable:
    """Watts of parts that carry no rating of their own.

    Attributes:
        module_host_share: of a machine sold whole with its modules: all else in it over the modules, as rated.
        supply_efficiency: between the socket, where makers rate a machine, and the parts.
    """

    board_w: float
    server_base_w: float
    module_host_share: float
    supply_efficiency: float
    udimm_w: float
    rdimm_w: float
    drive_w: float
    nic_w: float


def card_watts(line: BomLine) -> float | None:
    """Power of one card: its cap where one is set, else its TDP."""
    card = line.item
    tdp = card.tdp_w if isinstance(card, Accelerator) else None
    if line.power_limit_w is not None:
        return line.power_limit_w if tdp is None else min(line.power_limit_w, tdp)
    return tdp


def load_of(build: Build, table: LoadTable) -> Load:
    """Load of one node of `build`."""
    items: list[LoadItem] = []
    missing: list[str] = []
    server = build.first(Kind.SERVER)
    if server is not None:
        watts = platform_watts(server.item, bool(build.of(Kind.ACCELERATOR)), table)
        items.append(LoadItem(server.item.id, watts, watts))
    elif build.lines:
        items.append(LoadItem("board", table.board_w, table.board_w))
    for line in build.lines:
        found = _line_load(line, table)
        if found is None:
            missing.append(line.item.id)
        elif found.watts:
            items.append(found)
    return Load(tuple(items), tuple(missing))


def platform_watts(platform: CatalogueItem, cards_listed: bool, table: LoadTable) -> float:
    """What a server brings: of a whole one all that it is rated for, less its modules where lines name them."""
    if not isinstance(platform, ServerPlatform):
        return table.server_base_w
    if platform.base_power_w is not None:
        return platform.base_power_w
    modules = (platform.accelerator_count or 0) * (platform.max_accelerator_w or 0.0)
    if not (platform.sold_whole() and modules):
        return table.server_base_w
    whole = modules * (1 + table.module_host_share)
    if platform.max_system_power_w is not None:
        whole = platform.max_system_power_w * table.supply_efficiency
    return whole - modules if cards_listed else whole


def supplies(build: Build) -> tuple[tuple[PowerSupply, int], ...]:
    """Supplies bought singly, with their number."""
    return tuple(
        (line.item, line.quantity)
        for line in build.of(Kind.POWER_SUPPLY)
        if isinstance(line.item, PowerSupply)
    )


def _line_load(line: BomLine, table: LoadTable) -> LoadItem | None:
    item, count = line.item, line.quantity
    if isinstance(item, Accelerator):
        watts = card_watts(line)
        return (
            None if watts is None else LoadItem(item.id, watts * count, (item.transient_w or watts) * count)
        )
    if isinstance(item, Cpu):
        if item.tdp_w is None:
            return None
        return LoadItem(item.id, item.tdp_w * count, max(item.tdp_w, item.max_turbo_w or 0) * count)
    if isinstance(item, MemoryKit):
        each = table.rdimm_w if item.registered else table.udimm_w
        return LoadItem(item.id, each * item.modules * count, each * item.modules * count)
    if isinstance(item, Drive):
        watts = (item.tdp_w or table.drive_w) * count
        return LoadItem(item.id, watts, watts)
    if isinstance(item, Nic):
        watts = (item.tdp_w or table.nic_w) * count
        return LoadItem(item.id, watts, watts)
    if isinstance(item, Riser):
        watts = (item.tdp_w or 0.0) * count
        return LoadItem(item.id, watts, watts)
    return LoadItem(item.id, 0.0, 0.0)
