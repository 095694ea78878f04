"""What else must change to put other accelerators into a machine: what stays, what is bought, or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.host import MemoryKit
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment, outlet
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.compatibility.parts_list import read_parts
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.pricing.totals import BuildTotal, total_of
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.engine.selection.composer.unstated import with_unstated
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT, only_known, read_number

FIELD = "upgrade"
"""What a `check` document calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """The machine after the change.

    Attributes:
        kept: lines that stay.
        bought: lines that are new.
        left_over: lines of the old machine that the new one has no use for.
        total: of what is bought.
    """

    build: Build
    kept: tuple[BomLine, ...]
    bought: tuple[BomLine, ...]
    left_over: tuple[BomLine, ...]
    total: BuildTotal
    check: CheckResult


def upgrade(
    owned: Build,
    card: Accelerator,
    count: int,
    place: Environment,
    catalogue: Catalogue,
    numbers: CoefficientSet,
    pricer: Pricer,
) -> Upgrade | NoBuild:
    """The cheapest change that puts `count` of `card` into the machine, or the rule that forbids it."""
    volts, amps = outlet(place, numbers)
    need = Need(
        accelerator=card,
        per_node=count,
        region=pricer.buyer.region,
        ram_bytes=max(
            _memory(owned), numbers.value("rules", "ram_per_vram") * (card.memory_bytes or 0) * count
        ),
        cores=int(numbers.value("rules", "cores_per_card") * count),
        drive_bytes=0.0,
        circuit_w=None if place.machine_room else volts * amps * numbers.value("rules", "circuit_share"),
        circuits=None if place.volts is None and place.amps is None else 1,
        volts=volts,
    )
    build = compose(need, Shelf(catalogue, pricer, numbers, owned))
    if isinstance(build, NoBuild):
        return build
    used = {line.item.id for line in build.lines if line.reused}
    bought = tuple(line for line in build.lines if not line.reused)
    return Upgrade(
        build=build,
        kept=tuple(line for line in build.lines if line.reused),
        bought=bought,
        left_over=tuple(line for line in owned.lines if line.item.id not in used),
        total=total_of(build, pricer.buyer.currency),
        check=with_unstated(check_build(build, place, catalogue, pricer), owned, build),
    )


def _memory(owned: Build) -> float:
    """Capacity that is there: an upgrade never lowers it."""
    kits = [(line.item, line.quantity) for line in owned.of(Kind.MEMORY) if isinstance(line.item, MemoryKit)]
    return float(sum(kit.module_bytes * (kit.modules or 1) * n for kit, n in kits))


@dataclass(frozen=True, slots=True)
class Wish:
    """Which accelerators shall go into the machine of a parts list."""

    card: Accelerator
    count: int


def read_wish(document: object, catalogue: Catalogue) -> tuple[object, Wish | None]:
    """A `check` document without its `upgrade`, and what that asks: `{"gpu": name or id, "count": cards}`.

    Raises:
        InputError: naming the field.
    """
    if not isinstance(document, Mapping) or FIELD not in document:
        return document, None
    rest = {name: value for name, value in document.items() if name != FIELD}
    body = document[FIELD]
    if not isinstance(body, Mapping):
        raise InputError("wrong_type", FIELD, body, NOT_AN_OBJECT)
    only_known(body, ("gpu", "count"), FIELD)
    if body.get("gpu") is None:
        raise InputError("missing", f"{FIELD}.gpu", None, Message(N_("this field is required")))
    count = int(read_number(f"{FIELD}.count", body.get("count", 1), 1, 64, integer=True))
    return rest, Wish(catalogue.accelerator(str(body["gpu"]), f"{FIELD}.gpu"), count)


def upgrade_of(
    document: object, wish: Wish, catalogue: Catalogue, pricers: RegionalPricers
) -> Upgrade | NoBuild:
    """`upgrade` of a parts list as `check` reads it."""
    owned, place = read_parts(document, catalogue)
    groups = ("rules", "pricing", "power")
    numbers = CoefficientSet.of(row for group in groups for row in catalogue.coefficients(group))
    return upgrade(owned, wish.card, wish.count, place, catalogue, numbers, pricers.at(place))
