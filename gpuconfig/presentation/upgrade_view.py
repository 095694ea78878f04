"""What putting other cards into a machine changes: what stays, is bought and is left over, or what forbids it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation.badges import STATUS_TONES
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.option_view import amount_text
from gpuconfig.presentation.shown import Tone

MOST_CARDS = 64
"""Cards one machine may be asked to hold, as in a `check` document."""


@dataclass(frozen=True, slots=True)
class PartGroup:
    """Parts of one fate; each part with its category and, where it is bought, its price."""

    title: str
    parts: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeView:
    """The answer as shown; `groups` are empty where a rule forbids it."""

    tone: Tone
    headline: str
    groups: tuple[PartGroup, ...] = ()
    findings: tuple[tuple[Tone, str], ...] = ()


def upgrade_view(answer: Upgrade | NoBuild, card: Accelerator, count: int, t: Translator) -> UpgradeView:
    """The answer for `count` of `card` in words."""
    if isinstance(answer, NoBuild):
        return _forbidden(answer, t)
    _ = t.gettext
    missing = len(answer.total.missing)
    words = (
        N_("{cards} go in for {price}") if answer.bought else N_("{cards} go in and nothing has to be bought")
    )
    headline = _(words).format(
        cards=f"{count}× {t.part(card.name)}", price=t.formats.money_range(answer.total.total)
    )
    if missing:
        headline += " · " + _(N_("prices missing: {count}")).format(count=missing)
    groups = (
        (N_("Bought"), answer.bought, True),
        (N_("Stays"), answer.kept, False),
        (N_("Left over"), answer.left_over, False),
    )
    told = tuple(_told(found, t) for found in answer.check.findings if found.status is not Status.OK)
    return UpgradeView(
        tone=STATUS_TONES[answer.check.verdict],
        headline=headline,
        groups=tuple(
            PartGroup(_(title), _parts(lines, priced, t)) for title, lines, priced in groups if lines
        ),
        findings=told,
    )


def _forbidden(answer: NoBuild, t: Translator) -> UpgradeView:
    figures = [
        t.gettext(words).format(value=amount_text(value, answer.unit, t))
        for words, value in (
            (N_("there is {value}"), answer.measured),
            (N_("needed {value}"), answer.required),
        )
        if value is not None
    ]
    reason = t.gettext(N_("Not possible: {reason}")).format(reason=render(answer.message, t))
    shown = f" ({' · '.join(figures)})" if figures else ""
    return UpgradeView(tone=Tone.PROBLEM, headline=reason + shown)


def _parts(lines: Iterable[BomLine], priced: bool, t: Translator) -> tuple[tuple[str, str, str], ...]:
    rows = []
    for line in lines:
        price = ""
        if priced:
            price = t.unknown if line.price is None else t.formats.money_range(line.price * line.quantity)
        name = f"{line.quantity}× {t.part(line.item.name)}"
        if line.power_limit_w is not None:
            limit = t.formats.quantity(line.power_limit_w, "W")
            name += " · " + t.gettext(N_("power limit {watts}")).format(watts=limit)
        rows.append((t.gettext(KIND_WORDS[line.kind]), name, price))
    return tuple(rows)


def _told(finding: Finding, t: Translator) -> tuple[Tone, str]:
    return STATUS_TONES[finding.status], f"{render(finding.title, t)}: {render(finding.message, t)}"
