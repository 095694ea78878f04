"""Owned parts that are bought anew for want of a figure: which one, so that the person can state it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.provenance.message import N_, Message

RULE = "reuse.unstated"
READ: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {
        Kind.CPU: ("socket", "cores", "tdp_w"),
        Kind.MOTHERBOARD: ("socket", "form_factor", "memory_type", "slots"),
        Kind.MEMORY: ("memory_type", "modules", "speed_mts"),
        Kind.POWER_SUPPLY: ("pcie_16", "pcie_6plus2", "form_factor", "length_mm"),
        Kind.CHASSIS: ("max_gpu_length_mm", "expansion_slots"),
        Kind.COOLER: ("sockets", "cooling_w"),
    }
)
"""What a part of each kind is never known to serve without."""
NONE_IS_UNKNOWN = frozenset({"modules"})
"""Counts of what every such part has: none of them means that the number is not known."""


def with_unstated(check: CheckResult, owned: Build | None, build: Build) -> CheckResult:
    """The findings on `build`, and a warning for each owned part that lacks a figure and is replaced in it."""
    found = () if owned is None else tuple(_unstated(owned, build))
    if not found:
        return check
    verdict = Status.WARNING if check.verdict is Status.OK else check.verdict
    return replace(check, verdict=verdict, findings=(*check.findings, *found))


def _unstated(owned: Build, build: Build) -> Iterator[Finding]:
    kept = {line.item.id for line in build.lines if line.reused}
    bought = {line.kind for line in build.lines if not line.reused}
    for line in owned.lines:
        if line.item.id in kept or line.kind not in bought:
            continue
        lacking = _lacking(line.kind, line.item)
        if not lacking:
            continue
        text = N_("{part} is replaced because these are not stated: {fields}; state them, and it may stay")
        titles = [Message(field_title(name, line.kind)) for name in lacking]
        yield Finding(
            rule=RULE,
            status=Status.WARNING,
            title=Message(N_("Owned parts")),
            message=Message(text, {"part": line.item.name, "fields": titles}),
            parts=(line.item.id,),
        )


def _lacking(kind: Kind, item: CatalogueItem) -> tuple[str, ...]:
    """Fields of `READ` that are not known."""
    return tuple(name for name in READ.get(kind, ()) if _unknown(name, getattr(item, name)))


def _unknown(name: str, value: object) -> bool:
    return value in (None, "", ()) or (name in NONE_IS_UNKNOWN and value == 0)
