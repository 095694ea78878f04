"""Electrical load of a build by part, on the DC side of the supplies, and what the wall then sees."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cpu, MemoryKit
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
    """Watts of parts that carry no rating of their own."""

    board_w: float
    server_base_w: float
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
        platform = server.item
        base = platform.base_power_w if isinstance(platform, ServerPlatform) else None
        items.append(LoadItem(platform.id, base or table.server_base_w, base or table.server_base_w))
    elif build.lines:
        items.append(LoadItem("board", table.board_w, table.board_w))
    for line in build.lines:
        found = _line_load(line, table)
        if found is None:
            missing.append(line.item.id)
        elif found.watts:
            items.append(found)
    return Load(tuple(items), tuple(missing))


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
