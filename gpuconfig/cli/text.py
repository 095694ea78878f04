"""Answers as lines for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.titles import missing_title
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.estimation.answer import Assumption, Estimate, TrainingAnswer, Verdict
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.i18n import Translator, render
from gpuconfig.i18n.sources import source_words
from gpuconfig.presentation.build_view import KIND_WORDS

# Apart from the f-strings that use them: extractors do not look inside those.
VERDICT = N_("Verdict")
USABLE = N_("Usable")
ASSUMED = N_("Assumed")
NOTE = N_("Note")
NOT_CHECKED = N_("not checked")
DO_NOTHING = N_("Do nothing")
VERDICTS = {
    Verdict.FITS: N_("fits"),
    Verdict.TOO_CLOSE: N_("too close to call"),
    Verdict.DOES_NOT_FIT: N_("does not fit"),
    Verdict.UNKNOWN: N_("unknown"),
}
KINDS = {
    OptionKind.BUY: N_("bought"),
    OptionKind.RENT: N_("rented, for all years"),
    OptionKind.KEEP: N_("what there is already"),
}
RENTED_BY_MONTH = N_("rented, for a month")
STATUSES = {
    Status.OK: N_("ok"),
    Status.WARNING: N_("warning"),
    Status.PROBLEM: N_("problem"),
    Status.UNKNOWN: N_("unknown"),
}


def labelled(name: str, text: str, to: Translator) -> str:
    """A name and what it is, with the colon of the language."""
    return to.gettext(N_("{name}: {text}")).format(name=name, text=text)


def estimate_text(answer: Estimate, to: Translator) -> Iterator[str]:
    """Verdict, memory, speed and power of one estimate."""
    yield labelled(to.gettext(VERDICT), to.gettext(VERDICTS[answer.verdict]), to)
    if answer.memory:
        memory = answer.memory
        for title, figure in (
            (N_("Peak allocated"), memory.peak_allocated_bytes),
            (N_("Peak reserved"), memory.peak_reserved_bytes),
            (N_("Used on the card"), memory.device_used_bytes),
        ):
            yield _row(title, figure, "B", to)
        yield "  " + labelled(to.gettext(USABLE), to.formats.memory(memory.usable_bytes), to)
        for name, size in memory.breakdown_bytes.items():
            yield f"    {name:14} {to.formats.memory(size)}"
    for part, fields in _SPEED:
        body = getattr(answer, part)
        if body is not None:
            for title, name, unit in fields:
                figure = getattr(body, name)
                if figure.value is not None:
                    yield _row(title, figure, unit, to)
    if answer.training is not None:
        yield from _beyond_speed(answer.training, to)
    for assumption in answer.assumptions:
        yield f"  {_assumed(assumption, to)}"
    for warning in answer.warnings:
        yield "  " + labelled(to.gettext(NOTE), render(warning.message, to), to)
    for note in answer.notes:
        yield f"  {render(note, to)}"


def explanation_text(tree: Explanation, to: Translator, depth: int, level: int = 0) -> Iterator[str]:
    """The tree, one node a line, formulas and sources below it."""
    pad = "  " * level
    shown = to.unknown if tree.value is None else tree.value
    if isinstance(shown, float):
        shown = to.formats.quantity(shown, tree.unit)
    yield f"{pad}{tree.name} = {shown}  [{to.gettext(tree.mark.value)}] {to.gettext(tree.title)}"
    for line in tree.formula.splitlines():
        yield f"{pad}  | {line}"
    source = source_words(tree.source or (tree.evidence.source if tree.evidence else ""), to)
    if source:
        dated = f" ({tree.evidence.date})" if tree.evidence and tree.evidence.date else ""
        yield f"{pad}  < {source[:160]}{dated}"
    if level < depth:
        for child in tree.inputs:
            yield from explanation_text(child, to, depth, level + 1)


def recommendation_text(answer: Recommendation, to: Translator) -> Iterator[str]:
    """Ranked options, or why there is none and which budget would work."""
    for option in answer.options:
        yield from _option(option, to, f"{option.rank}. ")
    if answer.nothing is not None and answer.options:
        nothing = answer.nothing
        name, price = to.gettext(DO_NOTHING), to.formats.money_range(nothing.price.total)
        yield f"{nothing.rank}. {name}  {price}"
        for message in (*nothing.why, *nothing.loses_because, *nothing.flips_if):
            yield f"   - {render(message, to)}"
    if not answer.options:
        yield to.gettext(N_("No option meets the requirement within the budget."))
        smallest = answer.smallest_budget_that_works
        if smallest is not None:
            amount = to.formats.money(smallest.amount)
            yield to.gettext(N_("The smallest budget that works: {amount}")).format(amount=amount)
            yield from _option(smallest.option, to, "")
    if answer.rejected:
        yield to.gettext(N_("Rejected:"))
        yield from _rejected(answer, to)
    for warning in answer.warnings:
        yield labelled(to.gettext(NOTE), render(warning.message, to), to)
    for assumption in answer.assumptions:
        yield _assumed(assumption, to)
    for note in answer.notes:
        yield render(note, to)


def _rejected(answer: Recommendation, to: Translator) -> Iterator[str]:
    """A line for each reason, the cards that share it after it: a law that bars thirty cards is told once."""
    groups: dict[str, list[str]] = {}
    for row in answer.rejected:
        groups.setdefault(render(row.reason, to), []).append(to.part(row.name))
    for reason, names in groups.items():
        if len(names) == 1:
            yield "  " + labelled(names[0], reason, to)
        else:
            yield "  " + labelled(reason, to.formats.join(names), to)


def check_text(result: CheckResult, to: Translator) -> Iterator[str]:
    """Findings, and what was not checked."""
    yield labelled(to.gettext(VERDICT), to.gettext(STATUSES[result.verdict]), to)
    yield from _findings(result.findings, to, "  ")
    yield from _unchecked(result, to, "  ")


def upgrade_text(answer: Upgrade | NoBuild, to: Translator) -> Iterator[str]:
    """What else must change."""
    if isinstance(answer, NoBuild):
        yield to.gettext(N_("The upgrade is not possible: {reason}")).format(
            reason=render(answer.message, to)
        )
        return
    yield to.gettext(N_("The upgrade costs {price}")).format(price=to.formats.money_range(answer.total.total))
    rows = (
        (N_("bought new"), answer.bought),
        (N_("kept part"), answer.kept),
        (N_("left over"), answer.left_over),
    )
    for word, lines in rows:
        for line in lines:
            yield f"  [{to.gettext(word)}] {line.quantity} x {to.part(line.item.name)}" + _capped(line, to)
    yield from _findings([f for f in answer.check.findings if f.status is not Status.OK], to, "  ")


def _capped(line: BomLine, to: Translator) -> str:
    """Power that the cards of a line are held to."""
    if line.power_limit_w is None:
        return ""
    return ", " + to.gettext(N_("power limit {watts}")).format(
        watts=to.formats.quantity(line.power_limit_w, "W")
    )


def _findings(findings: Iterable[Finding], to: Translator, pad: str) -> Iterator[str]:
    for finding in findings:
        status = to.gettext(STATUSES[finding.status])
        yield f"{pad}[{status}] " + labelled(render(finding.title, to), render(finding.message, to), to)
        if finding.remedy:
            cost = finding.remedy.cost
            price = "" if cost is None else f" ({to.formats.money_range(cost)})"
            yield f"{pad}    -> {render(finding.remedy.text, to)}{price}"


def _unchecked(result: CheckResult, to: Translator, pad: str) -> Iterator[str]:
    for row in result.not_checked:
        missing = to.formats.join([render(missing_title(path, KIND_WORDS), to) for path in row.missing])
        yield f"{pad}[{to.gettext(NOT_CHECKED)}] " + labelled(render(row.title, to), missing, to)


def kind_word(option: Option, to: Translator) -> str:
    """How the machine is had: bought, rented, kept."""
    monthly = option.kind is OptionKind.RENT and option.tco and option.tco.total != option.price.total
    return to.gettext(RENTED_BY_MONTH if monthly else KINDS[option.kind])


def machines(option: Option, to: Translator) -> str:
    """`8x H100`, or `2 x 8x H100` where there are several machines."""
    each = f"{option.count // max(option.nodes, 1)}x {to.part(option.accelerator.name)}"
    return each if option.nodes <= 1 else f"{option.nodes} x {each}"


def _option(option: Option, to: Translator, place: str) -> Iterator[str]:
    price = to.formats.money_range(option.price.total)
    share = to.formats.percent(option.price.assumed_share)
    yield f"{place}{machines(option, to)}  {price} ({kind_word(option, to)})"
    yield "   " + to.gettext(N_("share of assumed prices: {share}")).format(share=share)
    if option.estimate.training:
        figure = option.estimate.training.time_to_train_s
        yield " " + _row(N_("Time to train"), figure, "s", to)
    for message in (*option.why, *option.loses_because, *option.flips_if):
        yield f"   - {render(message, to)}"
    if option.build:
        for line in option.build.lines:
            cost = to.gettext(N_("kept part")) if line.reused else to.formats.money_range(line.price)
            yield f"     {line.quantity:3} x {to.part(line.item.name)}  {cost}"
    for warning in option.estimate.warnings:
        yield "   " + labelled(to.gettext(NOTE), render(warning.message, to), to)
    if option.check:
        told = [f for f in option.check.findings if f.status is not Status.OK]
        yield from _findings(told, to, "   ")
        yield from _unchecked(option.check, to, "   ")


_SPEED = (
    (
        "training",
        (
            (N_("Speed"), "tokens_per_s", "token/s"),
            (N_("Step time"), "step_time_s", "s"),
            (N_("Model FLOPs utilisation"), "mfu", "1"),
            (N_("Scaling efficiency"), "scaling_efficiency", "1"),
            (N_("Time to train"), "time_to_train_s", "s"),
        ),
    ),
    (
        "serving",
        (
            (N_("Speed for one user between prompts"), "decode_tokens_per_s_per_user", "token/s"),
            (N_("Speed for all users"), "output_tokens_per_s", "token/s"),
            (N_("Time to first token"), "ttft_ms", "ms"),
            (N_("Time per output token"), "tpot_ms", "ms"),
            (N_("KV capacity"), "kv_capacity_tokens", "token"),
        ),
    ),
    ("image", ((N_("Time per image"), "seconds_per_image", "s"),)),
    ("video", ((N_("Time per clip"), "seconds_per_clip", "s"),)),
    (
        "vision",
        (
            (N_("Speed"), "samples_per_s", "sample/s"),
            (N_("Speed in the first epoch"), "first_epoch_samples_per_s", "sample/s"),
            (N_("Step time"), "step_time_s", "s"),
            (N_("Model FLOPs utilisation"), "mfu", "1"),
            (N_("Scaling efficiency"), "scaling_efficiency", "1"),
            (N_("Time to train"), "time_to_train_s", "s"),
        ),
    ),
    ("power", ((N_("Card power"), "gpu_w", "W"), (N_("Wall power"), "wall_w", "W"))),
)


def _assumed(assumption: Assumption, to: Translator) -> str:
    why = render(assumption.why, to)
    return labelled(to.gettext(ASSUMED), f"{assumption.field} = {assumption.value} ({why})", to)


def _beyond_speed(training: TrainingAnswer, to: Translator) -> Iterator[str]:
    """Rent of the whole run, and why the next best split lost."""
    rent, strategies = training.rent_to_train, training.strategies
    if rent is not None and None not in (rent.amount.low, rent.amount.high):
        ends = (
            Money(Decimal(str(round(end or 0.0, 2))), Currency(rent.currency))
            for end in (rent.amount.low, rent.amount.high)
        )
        yield "  " + labelled(
            to.gettext(N_("Rent for the whole run")), to.formats.money_range(MoneyRange(*ends)), to
        )
    if strategies is not None and strategies.runner_up_lost_because is not None:
        yield f"  {render(strategies.runner_up_lost_because, to)}"


def _row(title: str, figure: Figure, unit: str, to: Translator) -> str:
    band = to.formats.band(figure.value, figure.low, figure.high, unit)
    return "  " + labelled(to.gettext(title), band, to)
