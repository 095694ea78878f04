"""A rule: an id, what it asks, and a pure function from a machine to judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType

from gpuconfig.engine.compatibility.finding import Finding, NotChecked, Remedy, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.message import Message


class Essential(StrEnum):
    """What must be judged before a complete machine may be called sound."""

    SOCKET = "socket"
    FIT = "fit"
    CONNECTORS = "connectors"
    POWER = "power"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One outcome of a rule; `missing` names the fields that were lacking, status UNKNOWN then."""

    status: Status
    message: Message | None = None
    measured: float | None = None
    required: float | None = None
    unit: str = ""
    parts: tuple[str, ...] = ()
    remedy: Remedy | None = None
    missing: tuple[str, ...] = ()


Judge = Callable[[Machine], Iterable[Judgement]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of compatibility.

    Attributes:
        id: `family.name`.
        title: what it asks, in a few words.
        source: where the rule comes from.
        essential: what it decides, where a machine cannot be called sound without it.
        advice: speaks of any list that names a card, of its purchase or its place: says nothing of how parts fit.
    """

    id: str
    title: Message
    judge: Judge
    source: str = ""
    essential: Essential | None = None
    advice: bool = False

    def apply(self, machine: Machine) -> tuple[list[Finding], list[NotChecked]]:
        """Findings, and what could not be judged for want of data. Nothing: the rule does not apply."""
        findings: list[Finding] = []
        unknown: list[NotChecked] = []
        for item in self.judge(machine):
            if item.message is None:
                unknown.append(NotChecked(self.id, self.title, item.missing))
                continue
            findings.append(
                Finding(
                    rule=self.id,
                    status=item.status,
                    title=self.title,
                    message=item.message,
                    measured=item.measured,
                    required=item.required,
                    unit=item.unit,
                    parts=item.parts,
                    remedy=item.remedy,
                    evidence=Evidence(self.source, kind=EvidenceKind.VENDOR) if self.source else None,
                )
            )
        return findings, unknown


def rule(
    id: str,  # noqa: A002 - the contract's word
    title: str,
    *,
    source: str = "",
    essential: Essential | None = None,
    advice: bool = False,
) -> Callable[[Judge], Rule]:
    """Declare a rule; the function judges."""

    def declare(judge: Judge) -> Rule:
        return Rule(
            id=id, title=Message(title), judge=judge, source=source, essential=essential, advice=advice
        )

    return declare


def rules_of(*modules: ModuleType) -> tuple[Rule, ...]:
    """Every rule declared in `modules`, in order."""
    return tuple(v for module in modules for v in vars(module).values() if isinstance(v, Rule))


def missing(*fields: str) -> list[Judgement]:
    """The rule cannot judge: these fields are not known."""
    return [Judgement(status=Status.UNKNOWN, missing=tuple(fields))]


def compared(
    status: Status,
    text: str,
    values: dict[str, object],
    measured: float | None,
    required: float | None,
    unit: str,
    parts: Sequence[str] = (),
    remedy: Remedy | None = None,
) -> list[Judgement]:
    """One judgement with its two figures, which the text may name `{measured}` and `{required}`."""
    filled = {"measured": measured, "required": required, **values}
    return [
        Judgement(
            status=status, message=Message(text, filled), measured=measured, required=required, unit=unit,
            parts=tuple(parts), remedy=remedy,
        )
    ]  # fmt: skip


def stated(
    status: Status, text: str, values: dict[str, object] | None = None, parts: Sequence[str] = (),
    remedy: Remedy | None = None,
) -> list[Judgement]:  # fmt: skip
    """One judgement without figures."""
    return [Judgement(status=status, message=Message(text, values or {}), parts=tuple(parts), remedy=remedy)]
