"""The requirement as it was given, and every default that was taken."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.documents.assumption_lines import AssumptionLine, assumption_lines
from gpuconfig.documents.content import (
    Block,
    Column,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Table,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import (
    CHECKPOINTING,
    CONDITION_WISHES,
    FORMS,
    NOISES,
    OFFLOADS,
    OPTIMIZERS,
    REGIONS,
)
from gpuconfig.documents.naming import task
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import BudgetKind, Constraints, Target
from gpuconfig.engine.workloads.number_format import number_format
from gpuconfig.engine.workloads.request import Workload
from gpuconfig.engine.workloads.serving import ServingWorkload, VisionWorkload
from gpuconfig.engine.workloads.training import Offload, TrainingWorkload


def requirement(context: DocumentContext, writer: Writer) -> list[Block]:
    """Facts of the request, then the assumptions."""
    request = context.request
    facts = [Fact(writer.say(N_("Task")), text(task(request, writer)))]
    parameters = writer.formats.quantity(float(request.model.parameters), "parameter")
    facts.append(Fact(writer.say(N_("Parameters")), text(parameters)))
    facts += _facts(_workload(request.workload, writer), writer)
    facts += _facts(_target(request.target, writer), writer)
    facts.append(Fact(writer.say(N_("Budget")), text(budget_words(context, writer))))
    facts += _facts(_constraints(request.constraints, writer), writer)
    blocks: list[Block] = [Heading(writer.say(N_("Requirement"))), Facts(tuple(facts), columns=2)]
    if context.project.notes.strip():
        blocks += [Heading(writer.say(N_("Need")), 2), Paragraph(text(context.project.notes))]
    return blocks + _assumptions(context, writer)


def budget_words(context: DocumentContext, writer: Writer) -> str:
    """Amount, period and tax basis."""
    budget = context.request.budget
    if budget is None:
        return writer.say(N_("no limit given"))
    basis = writer.say(N_("tax included") if budget.tax_included else N_("without tax"))
    amount = writer.formats.money(budget.money)
    if budget.kind is BudgetKind.PER_MONTH:
        return writer.say(N_("{amount} a month, {basis}"), amount=amount, basis=basis)
    return writer.say(N_("{amount}, {basis}"), amount=amount, basis=basis)


Pairs = Iterator[tuple[str, str]]


def _facts(pairs: Pairs, writer: Writer) -> list[Fact]:
    return [Fact(writer.say(label), text(shown)) for label, shown in pairs]


def _workload(workload: Workload, writer: Writer) -> Pairs:
    formats = writer.formats
    if isinstance(workload, TrainingWorkload):
        if workload.dataset_tokens is not None:
            yield N_("Training data"), writer.tokens(workload.dataset_tokens)
        if workload.sequence_length is not None:
            yield N_("Sequence length"), writer.tokens(workload.sequence_length)
        yield N_("Precision"), number_format(workload.precision.value)
        if workload.optimizer is not None:
            yield N_("Optimizer"), writer.say(OPTIMIZERS[workload.optimizer])
        if workload.checkpointing is not None:
            yield N_("Recomputation"), writer.say(CHECKPOINTING[workload.checkpointing])
        if workload.offload is not Offload.NONE:
            yield N_("Offload"), writer.say(OFFLOADS[workload.offload])
        return
    if isinstance(workload, ServingWorkload):
        fields = (
            (N_("Weight format"), workload.weight_format and number_format(workload.weight_format)),
            (N_("Prompt"), _tokens(workload.prompt_tokens, writer)),
            (N_("Answer"), _tokens(workload.output_tokens, writer)),
            (
                N_("Requests at a time"),
                None if workload.concurrency is None else formats.count(workload.concurrency),
            ),
        )
        for label, shown in fields:
            if shown is not None:
                yield label, shown
        return
    if isinstance(workload, VisionWorkload):
        yield from _images(workload, writer)


def _images(workload: VisionWorkload, writer: Writer) -> Pairs:
    for label, count in ((N_("Images"), workload.dataset_images), (N_("Epochs"), workload.epochs)):
        if count is not None:
            yield label, writer.formats.count(count)


def _tokens(count: int | None, writer: Writer) -> str | None:
    return None if count is None else writer.tokens(count)


def _target(target: Target, writer: Writer) -> Pairs:
    formats = writer.formats
    fields = (
        (N_("Deadline of a run"), target.deadline_s, "s"),
        (N_("Throughput wanted"), target.tokens_per_s, "token/s"),
        (N_("Time to first token at most"), target.ttft_ms, "ms"),
        (N_("Time per output token at most"), target.tpot_ms, "ms"),
    )
    for label, value, unit in fields:
        if value is not None:
            yield label, formats.quantity(value, unit)
    if target.users is not None:
        yield N_("Users at a time"), formats.count(target.users)


def _constraints(limits: Constraints, writer: Writer) -> Pairs:
    say, formats = writer.say, writer.formats
    yield N_("Form"), say(FORMS[limits.form])
    yield N_("Condition"), say(CONDITION_WISHES[limits.condition])
    yield N_("Bought in"), say(REGIONS[limits.region])
    if limits.accelerators:
        yield N_("Only these accelerators"), writer.join(list(limits.accelerators))
    if limits.vendors:
        yield N_("Only these makers"), writer.join(list(limits.vendors))
    if limits.gpu_count is not None:
        yield N_("Number of accelerators"), formats.count(limits.gpu_count)
    if limits.max_gpus is not None:
        yield N_("At most"), formats.count(limits.max_gpus)
    if limits.mains is not None:
        named = ((limits.mains.volts, "V"), (limits.mains.amps, "A"))
        shown = [f"{formats.number(value)} {unit}" for value, unit in named if value is not None]
        yield N_("Mains circuit"), " · ".join(shown)
    if limits.ambient_c is not None:
        yield N_("Room temperature"), formats.quantity(limits.ambient_c, "C")
    if limits.noise is not None:
        yield N_("Place"), say(NOISES[limits.noise])
    if limits.available_within_days is not None:
        yield N_("Available within"), say(N_("{days} days"), days=limits.available_within_days)


def assumed(context: DocumentContext, writer: Writer) -> list[AssumptionLine]:
    """Every default that was taken, of the recommendation and of the chosen option's estimate."""
    made: dict[str, Assumption] = {item.field: item for item in context.recommendation.assumptions}
    if context.option is not None:
        for item in context.option.estimate.assumptions:
            made.setdefault(item.field, item)
    split = context.option and writer.parallelism(context.option.estimate.parallelism)
    return assumption_lines(made.values(), split or "", writer)


def _assumptions(context: DocumentContext, writer: Writer) -> list[Block]:
    rows = tuple(
        tuple(writer.cell(words) for words in (line.title, line.value, line.why))
        for line in assumed(context, writer)
    )
    if not rows:
        return []
    columns = (
        Column(title=writer.say(N_("Field")), weight=2.8),
        Column(title=writer.say(N_("Assumed value")), weight=2.2),
        Column(title=writer.say(N_("Why")), weight=4.2),
    )
    return [
        Heading(writer.say(N_("Assumptions taken where nothing was said")), 2),
        Table(columns=columns, rows=rows),
    ]
