"""Risks with likelihood, impact and mitigation, each following from a stated fact of the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from gpuconfig.documents.content import Block, Column, Heading, Paragraph, Style, Table, Tone, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import EXPORTS, RISK_PARTS
from gpuconfig.documents.pricing import priced_build
from gpuconfig.documents.recorded import recorded
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.vocabulary import Condition, ExportStatus, Region
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.leaner import given_up
from gpuconfig.engine.selection.notes import close_said
from gpuconfig.engine.selection.performance import asked_target, close_targets, headroom
from gpuconfig.engine.selection.recommendation import Option, OptionKind

OLD_PRICE_DAYS = 60
LITTLE_MEMORY = 0.05
LIKELY_MISSED = 0.25
MUCH_ASSUMED = 0.5
SOME_ASSUMED = 0.1


class Level(IntEnum):
    """Likelihood or impact."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


_CHECK_QUALITY = N_("Compare results with those of the published weights on your own tasks before the order.")
_GIVEN_UP = {
    "offload_experts": (
        N_("Experts in host memory, for few users only"),
        Level.HIGH,
        N_(
            "Have the users accept the predicted speed; several users at a time need a machine that holds it all."
        ),
    ),
    "offload": (
        N_("Slowed by host memory"),
        Level.MEDIUM,
        N_("Have the users accept the predicted time; a card with more memory does not wait."),
    ),
    "weight_format": (N_("Quantised weights"), Level.MEDIUM, _CHECK_QUALITY),
    "precision": (N_("Quantised weights"), Level.MEDIUM, _CHECK_QUALITY),
}
"""Title, impact and mitigation of what an option gives up, by the leaner setting."""

_LEVELS = {Level.LOW: N_("low"), Level.MEDIUM: N_("medium"), Level.HIGH: N_("high")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """One risk in the paper's language."""

    title: str
    fact: str
    likelihood: Level
    impact: Level
    mitigation: str


def risks(context: DocumentContext, writer: Writer) -> list[Risk]:
    """All risks the answer itself shows, the gravest first."""
    if context.option is None:
        return []
    rented = context.option.kind is OptionKind.RENT
    found = [
        *_given_up_risks(context.option, writer),
        *_target_risks(context, context.option, writer),
        *_price_risks(context, context.option, writer),
        *(_rent_risks(writer) if rented else _supply_risks(context, context.option, writer)),
        *_fit_risks(context.option, writer),
    ]
    return sorted(found, key=lambda risk: -risk.likelihood * risk.impact)


def risk_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """The table of risks."""
    rows = tuple(
        (
            writer.cell(text(risk.title, bold=True)),
            writer.cell(risk.fact),
            writer.cell(_level(risk.likelihood, writer)),
            writer.cell(_level(risk.impact, writer)),
            writer.cell(risk.mitigation),
        )
        for risk in risks(context, writer)
    )
    if not rows:
        return []
    columns = (
        Column(title=writer.say(N_("Risk")), weight=1.7),
        Column(title=writer.say(N_("What is known")), weight=3.6),
        Column(title=writer.say(N_("Likelihood")), weight=0.8),
        Column(title=writer.say(N_("Impact")), weight=0.8),
        Column(title=writer.say(N_("Mitigation")), weight=3.6),
    )
    note = N_(
        "Likelihood and impact are graded by fixed rules from the facts in the second column, not measured."
    )
    return [
        Heading(writer.say(N_("Risks and mitigation"))),
        Paragraph(
            text(writer.sentences([writer.say(note), *_score(context, writer)]), tone=Tone.SECONDARY),
            Style.SMALL,
        ),
        Table(columns=columns, rows=rows, first_column_heads=True),
    ]


def _score(context: DocumentContext, writer: Writer) -> list[str]:
    """The engine's risk score with its parts."""
    option = context.option
    parts = [] if option is None else [(name, value) for name, value in option.risk_parts.items() if value]
    if option is None or option.risk is None or not parts:
        return []
    shown = [
        f"{writer.say(RISK_PARTS.get(name, name))} {writer.formats.number(value, 2)}" for name, value in parts
    ]
    score = writer.formats.number(option.risk, 2)
    return [writer.say(N_("Risk score {score} of 1: {parts}."), score=score, parts=shown)]


def _level(level: Level, writer: Writer) -> str:
    return writer.say(_LEVELS[level])


def _given_up_risks(option: Option, writer: Writer) -> Iterator[Risk]:
    """What the machine does leaner than asked or published is certain: whoever signs must have accepted it."""
    for setting, fact in given_up(option).items():
        title, impact, mitigation = _GIVEN_UP[setting]
        yield Risk(
            title=writer.say(title),
            fact=writer.message(fact),
            likelihood=Level.HIGH,
            impact=impact,
            mitigation=writer.say(mitigation),
        )


def _target_risks(context: DocumentContext, option: Option, writer: Writer) -> Iterator[Risk]:
    """Targets that are met as planned and missed at the bad end of the prediction."""
    request = context.request
    close = close_targets(option.estimate, request.kind, asked_target(request))
    if not close:
        return
    chance = max(judged.chance_of_missing() or 0.0 for judged in close)
    mitigation = N_(
        "Agree the figure as an acceptance test with the seller, or take the next option whose band keeps the target."
    )
    yield Risk(
        title=writer.say(N_("Target met by a narrow margin")),
        fact=writer.sentences([writer.message(close_said(judged)) for judged in close]),
        likelihood=Level.HIGH if chance >= LIKELY_MISSED else Level.MEDIUM,
        impact=Level.HIGH,
        mitigation=writer.say(mitigation),
    )


def _price_risks(context: DocumentContext, option: Option, writer: Writer) -> Iterator[Risk]:
    share = option.price.assumed_share
    if share >= SOME_ASSUMED:
        yield Risk(
            title=writer.say(N_("Price not confirmed")),
            fact=writer.say(
                N_("{share} of the total rests on assumed or converted prices; range {range}."),
                share=writer.percent(share),
                range=writer.about(option.price.total),
            ),
            likelihood=Level.HIGH if share >= MUCH_ASSUMED else Level.MEDIUM,
            impact=Level.HIGH if share >= MUCH_ASSUMED else Level.MEDIUM,
            mitigation=writer.say(
                N_("Obtain three quotations before the order; approve up to the upper end of the range.")
            ),
        )
    if option.price.missing:
        yield Risk(
            title=writer.say(N_("Parts without a price")),
            fact=writer.say(
                N_("No price was found for {parts}; the total is a lower bound."),
                parts=list(option.price.missing),
            ),
            likelihood=Level.HIGH,
            impact=Level.MEDIUM,
            mitigation=writer.say(N_("Have these parts quoted and add them to the request.")),
        )
    day: date | None = Evidence("", context.price_date).day() if context.price_date else None
    if not day or (context.issued - day).days > OLD_PRICE_DAYS:
        known = N_("The oldest price is {days} days old.") if day else N_("At least one price has no date.")
        yield Risk(
            title=writer.say(N_("Old prices")),
            fact=writer.say(known, days=(context.issued - day).days if day else 0),
            likelihood=Level.MEDIUM,
            impact=Level.MEDIUM,
            mitigation=writer.say(
                N_("Refresh the prices on the day of the order; memory and cards moved most in 2026.")
            ),
        )


def _rent_risks(writer: Writer) -> Iterator[Risk]:
    """Nothing is imported or delivered: price and stock are another's, and so is the machine the data lies on."""
    yield Risk(
        title=writer.say(N_("Rent and availability move")),
        fact=writer.say(N_("The rent is the middle of dated price lists; providers change price and stock.")),
        likelihood=Level.MEDIUM,
        impact=Level.MEDIUM,
        mitigation=writer.say(N_("Reserve before the work begins and name a second provider.")),
    )
    yield Risk(
        title=writer.say(N_("Data leaves the house")),
        fact=writer.say(N_("Model and data are stored and processed on the provider's machines.")),
        likelihood=Level.MEDIUM,
        impact=Level.HIGH,
        mitigation=writer.say(
            N_("Agree on confidentiality and deletion in writing; keep secret data off rented machines.")
        ),
    )


def _supply_risks(context: DocumentContext, option: Option, writer: Writer) -> Iterator[Risk]:
    card = option.accelerator
    restricted = (ExportStatus.LICENCE, ExportStatus.CASE_BY_CASE, ExportStatus.UNKNOWN)
    if context.request.constraints.region is Region.CN and card.export_status in restricted:
        unknown = card.export_status is ExportStatus.UNKNOWN
        yield Risk(
            title=writer.say(N_("Export control")),
            fact=f"{card.name}: {recorded(card.export_china, writer) or writer.say(EXPORTS[card.export_status])}",
            likelihood=Level.MEDIUM if unknown else Level.HIGH,
            impact=Level.HIGH,
            mitigation=writer.say(
                N_("Pay only on delivery; have the seller prove lawful import; keep the next option ready.")
            ),
        )
    priced = priced_build(context, option)
    delivered = priced.lines if priced and option.kind is OptionKind.BUY else ()
    unknown_times = [line for line in delivered if not _lead_time_known(line.line)]
    if unknown_times:
        yield Risk(
            title=writer.say(N_("Delivery time unknown")),
            fact=writer.say(N_("No lead time is recorded for {count} parts."), count=len(unknown_times)),
            likelihood=Level.MEDIUM,
            impact=Level.LOW,
            mitigation=writer.say(
                N_("Ask for lead times with the quotations; order the slowest part first.")
            ),
        )
    states = {line.line.offer.condition for line in (priced.lines if priced else ()) if line.line.offer}
    if card.modified or Condition.MODIFIED in states or Condition.USED in states:
        yield Risk(
            title=writer.say(N_("Used or modified goods")),
            fact=writer.say(
                N_("The price is for used or modified goods, which the maker does not guarantee.")
            ),
            likelihood=Level.MEDIUM,
            impact=Level.MEDIUM,
            mitigation=writer.say(
                N_("Agree a test of 72 hours and a seller's warranty; keep one spare card.")
            ),
        )


def _lead_time_known(line: BomLine) -> bool:
    return line.reused or (line.offer is not None and line.offer.lead_time_days is not None)


def _fit_risks(option: Option, writer: Writer) -> Iterator[Risk]:
    estimate = option.estimate
    worst = headroom(estimate)
    if estimate.verdict is Verdict.FITS and worst is not None and worst < LITTLE_MEMORY:
        yield Risk(
            title=writer.say(N_("Little memory left")),
            fact=writer.say(N_("{share} left at the upper end of the need."), share=writer.percent(worst)),
            likelihood=Level.MEDIUM,
            impact=Level.MEDIUM,
            mitigation=writer.say(
                N_("Shorten sequences or recompute activations if it does not fit; try it first.")
            ),
        )
    if estimate.verdict is not Verdict.FITS:
        facts = {
            Verdict.TOO_CLOSE: N_("The band of the predicted memory reaches the card's limit."),
            Verdict.UNKNOWN: N_("Whether the work fits the memory could not be judged."),
            Verdict.DOES_NOT_FIT: N_("The predicted memory is over the card's limit."),
        }
        yield Risk(
            title=writer.say(N_("Memory may not suffice")),
            fact=writer.say(facts[estimate.verdict]),
            likelihood=Level.HIGH if estimate.verdict is Verdict.DOES_NOT_FIT else Level.MEDIUM,
            impact=Level.HIGH,
            mitigation=writer.say(N_("Try the work on a rented card of the same kind before ordering.")),
        )
    check = option.check
    if check is None:
        return
    problems = [f for f in check.findings if f.status is Status.PROBLEM and not f.overridden]
    if problems:
        yield Risk(
            title=writer.say(N_("Unsolved problems of the build")),
            fact=writer.join([writer.message(finding.title) for finding in problems]),
            likelihood=Level.HIGH,
            impact=Level.HIGH,
            mitigation=writer.say(N_("Carry out the remedies of the findings before ordering.")),
        )
    if check.not_checked:
        yield Risk(
            title=writer.say(N_("Not everything could be checked")),
            fact=writer.join([writer.message(item.title) for item in check.not_checked[:6]]),
            likelihood=Level.MEDIUM,
            impact=Level.MEDIUM,
            mitigation=writer.say(N_("Ask the seller to confirm these points in writing.")),
        )
    if not estimate.nearest:
        yield Risk(
            title=writer.say(N_("No measurement near this configuration")),
            fact=writer.say(N_("The prediction rests on the model alone.")),
            likelihood=Level.MEDIUM,
            impact=Level.MEDIUM,
            mitigation=writer.say(N_("Try the work on a rented card of the same kind before ordering.")),
        )
