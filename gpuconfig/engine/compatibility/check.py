"""Runs every rule over a build and sums up the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.environment import DEFAULT_REGION, Environment, environment_of
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, NotChecked, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.registry import RULES_IN_ORDER
from gpuconfig.engine.compatibility.rule import Rule
from gpuconfig.engine.compatibility.summary import pcie_summary, power_summary, thermal_summary
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.provenance.message import N_, Message

__all__ = ["check_build", "check_machine", "environment_of"]

WHOLE = frozenset(
    {Kind.ACCELERATOR, Kind.CPU, Kind.MOTHERBOARD, Kind.MEMORY, Kind.POWER_SUPPLY, Kind.CHASSIS, Kind.COOLER}
)
"""A list that names all of these claims to be a whole machine: what is not judged then leaves it unknown."""


def check_build(
    build: Build,
    place: Environment,
    catalogue: Catalogue,
    pricer: Pricer | None = None,
    host_bytes: float | None = None,
) -> CheckResult:
    """All findings of one build in its place.

    Args:
        pricer: what remedies cost; None: remedies that are parts are left out.
        host_bytes: what the work holds in host memory.
    """
    numbers = CoefficientSet.of((*catalogue.coefficients("rules"), *catalogue.coefficients("power")))
    return check_machine(Machine(build, place, numbers, pricer, host_bytes))


def check_machine(machine: Machine, rules: Sequence[Rule] = RULES_IN_ORDER) -> CheckResult:
    """All findings of one machine, worst first; the order of the rules within one status."""
    findings: list[Finding] = []
    unknown: list[NotChecked] = []
    essential_unknown = judged = False
    for rule in rules:
        found, lacking = rule.apply(machine)
        findings.extend(found)
        unknown.extend(lacking)
        essential_unknown = essential_unknown or (bool(lacking) and rule.essential is not None)
        judged = judged or (bool(found) and not rule.advice)
    order = {Status.PROBLEM: 0, Status.UNKNOWN: 1, Status.WARNING: 2, Status.OK: 3}
    findings.sort(key=lambda f: order[f.status])
    lacks = essential_unknown and (_is_whole(machine) or not judged)
    verdict = _verdict(findings, lacks)
    if verdict is Status.OK and essential_unknown and _has_stranger(machine):
        verdict = Status.UNKNOWN  # nothing speaks against a part that nothing is known of
    return CheckResult(
        verdict=verdict,
        findings=tuple(findings),
        not_checked=tuple(unknown),
        power=power_summary(machine),
        thermal=thermal_summary(machine),
        pcie=pcie_summary(machine),
        assumptions=_assumptions(machine),
    )


def _assumptions(machine: Machine) -> tuple[Assumption, ...]:
    """What was taken of the place where nothing is said of it."""
    place, found = machine.place, []
    if not machine.cards:
        return ()
    if place.region is None:
        why = Message(N_("no region was named"))
        found.append(Assumption("region", DEFAULT_REGION.value, why))
    if (place.volts is None or place.amps is None) and not place.machine_room and machine.server is None:
        why = Message(N_("no outlet was named: the ordinary one of the region"))
        volts, amps = machine.feed
        found.append(Assumption("mains", f"{volts:.0f} V {amps:.0f} A", why))
    return tuple(found)


def _verdict(findings: Sequence[Finding], essential_unknown: bool) -> Status:
    """Contract: problem, else unknown, else warning, else ok.

    A list that claims to be a whole machine is unknown where socket, fit, connectors or power could not be
    judged. A partial list is judged as far as it goes, and is unknown only where none of these could be judged.
    """
    statuses = {f.status for f in findings}
    if Status.PROBLEM in statuses:
        return Status.PROBLEM
    if Status.UNKNOWN in statuses or not findings or essential_unknown:
        return Status.UNKNOWN
    return Status.WARNING if Status.WARNING in statuses else Status.OK


def _has_stranger(machine: Machine) -> bool:
    """Whether a card is in no catalogue and nothing was said of it: room, connectors and power all hang on it."""
    told = ("slots", "tdp_w", "cooling", "power_connectors", "length_mm")
    return any(
        line.matched == 0.0 and all(getattr(line.item, name, None) is None for name in told)
        for line in machine.build.of(Kind.ACCELERATOR)
    )


def _is_whole(machine: Machine) -> bool:
    server = machine.server
    if server is not None:
        has_cpu = server.includes_cpu or machine.lists(Kind.CPU)
        return bool(machine.cards) and has_cpu and (server.includes_memory or machine.lists(Kind.MEMORY))
    return all(machine.lists(kind) for kind in WHOLE)
