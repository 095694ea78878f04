"""技术偏离表 / Technical deviation table: each requirement against what the machine offers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig.documents.content import Block, Column, Document, Paragraph, Style, Table, Text, Tone, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.labels import CONDITION_WISHES, CONDITIONS, FORMS, STATUSES, VERDICTS
from gpuconfig.documents.naming import machine
from gpuconfig.documents.pricing import planning_total
from gpuconfig.documents.sections.parties import signed_by
from gpuconfig.documents.sections.requirement import budget_words
from gpuconfig.documents.sections.summary import nothing_fits
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.request import ConditionWish, Form


class Deviation(StrEnum):
    """How the answer lies to the requirement."""

    BETTER = "better"
    NONE = "none"
    WORSE = "worse"
    UNKNOWN = "unknown"


_WORDS = {
    Deviation.BETTER: (N_("positive"), Tone.OK),
    Deviation.NONE: (N_("nil"), Tone.NORMAL),
    Deviation.WORSE: (N_("negative"), Tone.PROBLEM),
    Deviation.UNKNOWN: (N_("unknown"), Tone.UNKNOWN),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One row in the paper's language."""

    required: str
    offered: Text
    deviation: Deviation
    note: str = ""


def deviation_table(context: DocumentContext, writer: Writer) -> Document:
    """The rows of the request, then those of the compatibility rules."""
    option = context.option
    if option is None:
        return form(context, writer, nothing_fits(context, writer))
    say = writer.say
    items = [*_requested(context, option, writer), *_rules(option, writer)]
    rows = tuple(
        (
            writer.count_cell(number),
            writer.cell(item.required),
            writer.cell(item.offered),
            writer.cell(text(say(_WORDS[item.deviation][0]), tone=_WORDS[item.deviation][1], bold=True)),
            writer.cell(item.note),
        )
        for number, item in enumerate(items, 1)
    )
    columns = (
        Column(title=say(N_("No.")), weight=0.4),
        Column(title=say(N_("Required")), weight=2.6),
        Column(title=say(N_("Response")), weight=3.6),
        Column(title=say(N_("Deviation")), weight=0.9),
        Column(title=say(N_("Remark")), weight=2.2),
    )
    counts = {kind: sum(item.deviation is kind for item in items) for kind in Deviation}
    lead = say(
        N_("{machine}: {better} positive, {none} without deviation, {worse} negative, {unknown} unknown."),
        machine=machine(option, writer),
        better=counts[Deviation.BETTER],
        none=counts[Deviation.NONE],
        worse=counts[Deviation.WORSE],
        unknown=counts[Deviation.UNKNOWN],
    )
    blocks: list[Block] = [
        Paragraph(text(lead, bold=True)),
        Table(columns=columns, rows=rows),
        Paragraph(
            text(say(N_("Predicted values are compared by the whole 90 % band.")), tone=Tone.SECONDARY),
            Style.SMALL,
        ),
        signed_by((N_("Prepared by"), N_("Reviewed by")), writer, seal=True),
    ]
    return form(context, writer, blocks)


def _requested(context: DocumentContext, option: Option, writer: Writer) -> Iterator[Item]:
    say, request = writer.say, context.request
    memory = {Verdict.FITS: Deviation.NONE, Verdict.DOES_NOT_FIT: Deviation.WORSE}
    yield Item(
        required=say(N_("The work fits the memory of the cards")),
        offered=text(say(VERDICTS[option.estimate.verdict])),
        deviation=memory.get(option.estimate.verdict, Deviation.UNKNOWN),
    )
    training, serving, target = option.estimate.training, option.estimate.serving, request.target
    if target.deadline_s is not None:
        time = training.time_to_train_s if training else None
        yield _at_most(N_("Training run within {limit}"), target.deadline_s, "s", time, writer)
    if target.tokens_per_s is not None:
        rate = training.tokens_per_s if training else serving.output_tokens_per_s if serving else None
        yield _at_least(N_("Throughput of at least {limit}"), target.tokens_per_s, "token/s", rate, writer)
    if target.ttft_ms is not None:
        first = serving.ttft_ms if serving else None
        yield _at_most(N_("First token within {limit}"), target.ttft_ms, "ms", first, writer)
    if target.tpot_ms is not None:
        token = serving.tpot_ms if serving else None
        yield _at_most(N_("Each further token within {limit}"), target.tpot_ms, "ms", token, writer)
    yield from _purchase(context, option, writer)


def _purchase(context: DocumentContext, option: Option, writer: Writer) -> Iterator[Item]:
    say, limits = writer.say, context.request.constraints
    if context.request.budget is not None:
        high = option.price.total.high
        yield Item(
            required=say(N_("Budget {budget}"), budget=budget_words(context, writer)),
            offered=text(writer.money(planning_total(context, option))),
            deviation=Deviation.NONE if option.within_budget else Deviation.WORSE,
            note=say(N_("range {range}"), range=writer.about(option.price.total)) if high else "",
        )
    if limits.form is not Form.ANY and option.build is not None:
        is_server = option.build.first(Kind.SERVER) is not None
        fits = is_server == (limits.form is Form.SERVER)
        yield Item(
            required=say(FORMS[limits.form]),
            offered=text(say(FORMS[Form.SERVER if is_server else Form.WORKSTATION])),
            deviation=Deviation.NONE if fits else Deviation.WORSE,
        )
    states = {line.offer.condition for line in option.build.lines if line.offer} if option.build else set()
    worse = states - {Condition.NEW, Condition.UNKNOWN}
    wants_new = limits.condition is ConditionWish.NEW
    yield Item(
        required=say(CONDITION_WISHES[limits.condition]),
        offered=text(writer.join([say(CONDITIONS[state]) for state in sorted(states)])),
        deviation=Deviation.WORSE if worse and wants_new else Deviation.NONE,
    )


def _at_most(label: str, limit: float, unit: str, figure: Figure | None, writer: Writer) -> Item:
    required = writer.say(label, limit=writer.formats.quantity(limit, unit))
    if figure is None or figure.value is None:
        return Item(required=required, offered=writer.unknown(), deviation=Deviation.UNKNOWN)
    low, high = figure.low or figure.value, figure.high or figure.value
    kind = Deviation.BETTER if high < limit else Deviation.WORSE if low > limit else Deviation.UNKNOWN
    return Item(required=required, offered=writer.figure(figure), deviation=kind)


def _at_least(label: str, limit: float, unit: str, figure: Figure | None, writer: Writer) -> Item:
    required = writer.say(label, limit=writer.formats.quantity(limit, unit))
    if figure is None or figure.value is None:
        return Item(required=required, offered=writer.unknown(), deviation=Deviation.UNKNOWN)
    low, high = figure.low or figure.value, figure.high or figure.value
    kind = Deviation.BETTER if low > limit else Deviation.WORSE if high < limit else Deviation.UNKNOWN
    return Item(required=required, offered=writer.figure(figure), deviation=kind)


def _rules(option: Option, writer: Writer) -> Iterator[Item]:
    if option.check is None:
        return
    kinds = {
        Status.OK: Deviation.NONE,
        Status.WARNING: Deviation.NONE,
        Status.PROBLEM: Deviation.WORSE,
        Status.UNKNOWN: Deviation.UNKNOWN,
    }
    for finding in option.check.findings:
        remedy = writer.message(finding.remedy.text) if finding.remedy else ""
        yield Item(
            required=writer.message(finding.title),
            offered=text(writer.message(finding.message)),
            deviation=kinds[finding.status],
            note=remedy or (writer.say(STATUSES[finding.status]) if finding.status is Status.WARNING else ""),
        )
