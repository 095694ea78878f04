"""What a compatibility rule says, and the whole result of a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import MoneyRange


class Status(StrEnum):
    """Outcome of one rule."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What would mend a finding: in words, as a change to apply, its price and loss of speed."""

    text: Message
    change: Mapping[str, object] = field(default_factory=dict)
    cost: MoneyRange | None = None
    slower: float | None = None  # share of speed lost, 0.05 is five per cent


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One rule's answer.

    Attributes:
        rule: id, `power.continuous`.
        title: the rule in a few words.
        measured, required: the two sides compared, in `unit`; None where they are not numbers.
        parts: ids of the parts concerned.
    """

    rule: str
    status: Status
    title: Message
    message: Message
    measured: float | None = None
    required: float | None = None
    unit: str = ""
    parts: tuple[str, ...] = ()
    remedy: Remedy | None = None
    evidence: Evidence | None = None
    overridden: str = ""  # the written reason of an override


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A rule that could not judge, and the fields it lacks."""

    rule: str
    title: Message
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """All findings of one build. `verdict` follows contract.md.

    Attributes:
        assumptions: of the place, where it was not said.
        parts: what each line was taken for: kind, name, id, and how sure the match is (0: not in the catalogue).
    """

    verdict: Status
    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...] = ()
    power: Mapping[str, object] = field(default_factory=dict)
    thermal: Mapping[str, object] = field(default_factory=dict)
    pcie: Mapping[str, object] = field(default_factory=dict)
    parts: tuple[tuple[str, str, str, float], ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def with_overrides(check: CheckResult | None, reasons: Mapping[str, str]) -> CheckResult | None:
    """The result with the reasons with which a person accepted findings, by rule; the verdict stays the rules'."""
    if check is None or not reasons:
        return check
    findings = tuple(replace(f, overridden=reasons.get(f.rule, f.overridden)) for f in check.findings)
    return replace(check, findings=findings)
