"""Changes of the chosen machine: what a remedy's button does, which other parts would do and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.alternatives import Alternative
from gpuconfig.engine.selection.exchange import CAP, change_key, change_value
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Translator
from gpuconfig.presentation import badges
from gpuconfig.presentation.build_view import KIND_WORDS

MOST = 40
"""Other parts shown of one kind; the list is sorted by what they change in the price."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One part that can be taken instead; `changes` is what the project keeps."""

    text: str
    name: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Exchangeable:
    """A part of the machine with what would do in its place."""

    kind: str
    present: str
    choices: tuple[Choice, ...]


def changes_of(finding: Finding, option: Option) -> Mapping[str, str]:
    """What applying the finding's remedy writes into the project; empty where it is not a change of parts."""
    change = finding.remedy.change if finding.remedy is not None else {}
    build = option.build
    if build is None:
        return {}
    if CAP in change:
        return {change_key(option, CAP): str(change[CAP])}
    for kind in Kind:
        line = build.first(kind)
        if kind.value in change and line is not None:
            several = change.get("quantity")
            plain = 1 if kind is Kind.POWER_SUPPLY else line.quantity
            count = several if isinstance(several, int) else plain
            return {change_key(option, kind.value): change_value(str(change[kind.value]), count)}
    return {}


def exchanged_keys(exchanges: Mapping[str, str], option: Option) -> tuple[str, ...]:
    """Keys of the changes that concern the option."""
    own = change_key(option, "")
    return tuple(key for key in exchanges if key.startswith(own))


def exchangeable(
    found: Mapping[Kind, tuple[Alternative, ...]], option: Option, t: Translator
) -> tuple[Exchangeable, ...]:
    """For each part of the machine the others that pass every rule, cheapest first."""
    rows = []
    for kind, others in found.items():
        line = option.build.first(kind) if option.build is not None else None
        if line is None or not others:
            continue
        choices = tuple(_choice(other, option, t) for other in others[:MOST])
        rows.append(Exchangeable(t.gettext(KIND_WORDS[kind]), _name(line, t), choices))
    return tuple(rows)


def _choice(other: Alternative, option: Option, t: Translator) -> Choice:
    line, difference = other.line, other.difference
    sign = "+" if difference.amount > 0 else ""
    same = t.gettext(N_("same price"))
    text = f"{_name(line, t)} · {sign + t.formats.money(difference) if difference.amount else same}"
    if other.check.verdict is not Status.OK:
        text += f" · {badges.status(other.check.verdict, t).text}"
    key = change_key(option, line.kind.value)
    return Choice(text, line.item.name, {key: change_value(line.item.id, line.quantity)})


def _name(line: BomLine, t: Translator) -> str:
    name = t.part(line.item.name)
    return name if line.quantity == 1 else f"{line.quantity} × {name}"
