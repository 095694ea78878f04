"""Compatibility: what was measured against what is required, remedies, and what was not checked."""

from __future__ import annotations

from gpuconfig.documents.content import (
    Block,
    Bullets,
    Column,
    Heading,
    Paragraph,
    Row,
    Table,
    Text,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import STATUSES
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.titles import PART_KINDS, missing_title
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, NotChecked, Status
from gpuconfig.engine.provenance.message import N_

TONES = {
    Status.OK: Tone.OK,
    Status.WARNING: Tone.WARNING,
    Status.PROBLEM: Tone.PROBLEM,
    Status.UNKNOWN: Tone.UNKNOWN,
}
_ORDER = (Status.PROBLEM, Status.WARNING, Status.UNKNOWN, Status.OK)


def findings_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """All findings, problems first, then what could not be judged."""
    check = context.option.check if context.option else None
    if check is None:
        return []
    return [*_opening(check, writer), *_table(check.findings, writer), *_not_checked(check, writer)]


def findings_in_short(context: DocumentContext, writer: Writer) -> list[Block]:
    """What whoever decides must know: all but the passed checks, which stand in an appendix of their own."""
    check = context.option.check if context.option else None
    if check is None:
        return []
    notable = tuple(finding for finding in check.findings if finding.status is not Status.OK)
    return [*_opening(check, writer), *_table(notable, writer), *_not_checked(check, writer)]


def passed_checks(context: DocumentContext, title: str, writer: Writer) -> list[Block]:
    """The appendix of the passed checks."""
    check = context.option.check if context.option else None
    passed = tuple(f for f in check.findings if f.status is Status.OK) if check else ()
    return [Heading(title), *_table(passed, writer, dense=True)] if passed else []


def _opening(check: CheckResult, writer: Writer) -> list[Block]:
    return [Heading(writer.say(N_("Compatibility checks"))), Paragraph(_sum_up(check, writer))]


def _table(findings: tuple[Finding, ...], writer: Writer, *, dense: bool = False) -> list[Block]:
    if not findings:
        return []
    say = writer.say
    columns = (
        Column(title=say(N_("Result")), weight=1.15),
        Column(title=say(N_("Rule")), weight=1.7),
        Column(title=say(N_("Measured → required")), weight=1.7),
        Column(title=say(N_("Finding and remedy")), weight=4.6),
    )
    ordered = sorted(findings, key=lambda finding: _ORDER.index(finding.status))
    return [Table(columns=columns, rows=tuple(_row(finding, writer) for finding in ordered), dense=dense)]


def _not_checked(check: CheckResult, writer: Writer) -> list[Block]:
    if not check.not_checked:
        return []
    say = writer.say
    items = tuple(
        text(writer.message(item.title))
        + text(" " + say(N_("(not known: {fields})"), fields=_missing(item, writer)), tone=Tone.SECONDARY)
        for item in check.not_checked
    )
    return [Heading(say(N_("Not checked")), 2), Bullets(items)]


def _missing(item: NotChecked, writer: Writer) -> str:
    kinds = {kind: writer.say(label) for kind, label in PART_KINDS.items()}
    return writer.join([writer.message(missing_title(path, kinds)) for path in item.missing])


def _sum_up(check: CheckResult, writer: Writer) -> Text:
    counts = {status: sum(f.status is status for f in check.findings) for status in Status}
    verdict = text(writer.say(STATUSES[check.verdict]), bold=True, tone=TONES[check.verdict])
    words = writer.say(
        N_(": {ok} passed, {warnings} to note, {problems} problems, {unknown} not judged."),
        ok=counts[Status.OK],
        warnings=counts[Status.WARNING],
        problems=counts[Status.PROBLEM],
        unknown=counts[Status.UNKNOWN] + len(check.not_checked),
    )
    return verdict + text(words)


def _row(finding: Finding, writer: Writer) -> Row:
    status = text(writer.say(STATUSES[finding.status]), bold=True, tone=TONES[finding.status])
    return (
        writer.cell(status),
        writer.cell(writer.message(finding.title)),
        writer.cell(_sides(finding, writer)),
        writer.cell(text(writer.message(finding.message)) + _remedy(finding, writer)),
    )


def _sides(finding: Finding, writer: Writer) -> Text:
    if finding.measured is None and finding.required is None:
        return ()
    left, right = (
        writer.formats.quantity(value, finding.unit or "1") for value in (finding.measured, finding.required)
    )
    return text(left if finding.required is None else f"{left} → {right}")


def _remedy(finding: Finding, writer: Writer) -> Text:
    made: Text = ()
    remedy = finding.remedy
    if remedy is not None:
        made += text("\n" + writer.say(N_("Remedy: ")), bold=True) + text(writer.message(remedy.text))
        extras = []
        if remedy.cost is not None:
            extras.append(writer.say(N_("costs {amount}"), amount=writer.about(remedy.cost)))
        if remedy.slower:
            extras.append(writer.say(N_("{share} slower"), share=writer.percent(remedy.slower)))
        if extras:
            made += text(" (" + writer.join(extras) + ")", tone=Tone.SECONDARY)
    if finding.overridden:
        made += text("\n" + writer.say(N_("Overridden: ")), bold=True) + text(finding.overridden)
    return made
