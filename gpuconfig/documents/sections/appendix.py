"""The formula, inputs and sources behind the main figures, the source of every price, and the versions."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from gpuconfig.documents.content import (
    Align,
    Block,
    Cell,
    Column,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Row,
    Style,
    Table,
    Text,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import MARKS
from gpuconfig.documents.pricing import priced_build
from gpuconfig.documents.recorded import recorded
from gpuconfig.documents.sections.fallen import fallen_out
from gpuconfig.documents.sections.findings import passed_checks
from gpuconfig.documents.sections.ownership import PARTS as COST_PARTS
from gpuconfig.documents.writer import Writer, linked
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.selection.price_explanation import explain_price
from gpuconfig.i18n.sources import source_parts

_LETTERS_AFTER = {"B": ("C", "D"), "C": ("D", "E")}
"""Appendices of the checks and of the candidates, by that of the sources."""
DEPTH = 3
"""Levels of a tree that are printed; deeper ones are in the program."""
ROWS_PER_TREE = 45

_TRAINING = (
    "device_used_bytes",
    "peak_allocated_bytes",
    "step_time_s",
    "tokens_per_s",
    "time_to_train_s",
    "mfu",
)
_SERVING = ("device_used_bytes", "kv_bytes_per_token", "output_tokens_per_s", "ttft_ms", "tpot_ms")
_OTHER = ("device_used_bytes", "seconds_per_image", "seconds_per_clip", "samples_per_s", "time_to_train_s")


def main_quantities(estimate: Estimate) -> tuple[str, ...]:
    """Names of the quantities a paper explains."""
    if estimate.training is not None:
        return (*_TRAINING, "wall_w")
    return (*(_SERVING if estimate.serving is not None else _OTHER), "wall_w")


@dataclass(slots=True)
class Sources:
    """Numbered list of sources in the order they are met."""

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, source: str, date: str | None) -> int:
        """The source's number; a new one gets the next."""
        return self.numbers.setdefault((source, date or ""), len(self.numbers) + 1)


def appendix(context: DocumentContext, writer: Writer) -> list[Block]:
    """Trees, prices, sources, then the checks that passed and the candidates that fell out, versions."""
    sources, say = Sources(), writer.say
    checks, fallen = _LETTERS_AFTER[_letter(context)]
    blocks = _trees(context, sources, writer)
    blocks += _prices(context, sources, writer.say(N_("Appendix B: sources of the prices")), writer)
    blocks += _source_list(sources, say(N_("Appendix {letter}: sources"), letter=_letter(context)), writer)
    blocks += passed_checks(context, say(N_("Appendix {letter}: checks that passed"), letter=checks), writer)
    if context.option is not None:
        title = say(N_("Appendix {letter}: candidates that fell out"), letter=fallen)
        blocks += fallen_out(context.recommendation.rejected, writer, title)
    return blocks + versions(context, writer)


def price_sources(context: DocumentContext, writer: Writer) -> list[Block]:
    """Where each price comes from, for papers without the formulas."""
    sources = Sources()
    blocks = _prices(context, sources, writer.say(N_("Sources of the prices")), writer)
    blocks += _source_list(sources, writer.say(N_("Sources")), writer)
    return blocks + versions(context, writer)


def _letter(context: DocumentContext) -> str:
    """Appendix of the sources: without parts there is no appendix of prices before it."""
    return "B" if priced_build(context) is None else "C"


def _trees(context: DocumentContext, sources: Sources, writer: Writer) -> list[Block]:
    option = context.option
    if option is None:
        return []
    trees = []
    for name in main_quantities(option.estimate):
        try:
            trees.append(context.explain(option.estimate_request, name))
        except (UserError, KeyError):
            continue  # this workload's graph has no quantity of that name
    if option.tco is not None:
        trees.append(explain_price(option, "tco"))
    if not trees:
        return []
    say = writer.say
    blocks: list[Block] = [
        Heading(say(N_("Appendix A: formulas and inputs of the main figures"))),
        Paragraph(
            text(
                say(
                    N_(
                        "Each figure with its formula; its inputs are indented below it. Marks: measured, vendor's, "
                        "calculated, assumed, given. Numbers in [ ] are the sources of appendix {letter}."
                    ),
                    letter=_letter(context),
                ),
                tone=Tone.SECONDARY,
            ),
            Style.SMALL,
        ),
    ]
    seen: set[str] = set()
    for tree in trees:
        blocks += _tree(tree, sources, seen, writer)
    return blocks


def _tree(tree: Explanation, sources: Sources, seen: set[str], writer: Writer) -> list[Block]:
    say = writer.say
    rows: list[Row] = []
    _walk(tree, 0, rows, sources, seen, writer)
    columns = (
        Column(title=say(N_("Quantity and formula")), weight=6.0),
        Column(title=say(N_("Value")), weight=1.8, align=Align.RIGHT),
        Column(title=say(N_("Mark")), weight=0.7),
        Column(title=say(N_("Source")), weight=0.5),
    )
    cut = len(rows) > ROWS_PER_TREE
    blocks: list[Block] = [
        Heading(_title(tree, writer), 2),
        Table(columns=columns, rows=tuple(rows[:ROWS_PER_TREE]), dense=True),
    ]
    if cut:
        note = say(N_("{count} further inputs are in the program."), count=len(rows) - ROWS_PER_TREE)
        blocks.append(Paragraph(text(note, tone=Tone.SECONDARY), Style.SMALL))
    return blocks


def _walk(
    node: Explanation, depth: int, rows: list[Row], sources: Sources, seen: set[str], writer: Writer
) -> None:
    repeated = node.name in seen and bool(node.inputs)
    rows.append(_row(node, depth, repeated, sources, writer))
    seen.add(node.name)
    if repeated or depth + 1 >= DEPTH:
        return
    for child in node.inputs:
        _walk(child, depth + 1, rows, sources, seen, writer)


def _row(node: Explanation, depth: int, repeated: bool, sources: Sources, writer: Writer) -> Row:
    if depth:
        title = text(_title(node, writer))
        title += text(f"  {node.name}", tone=Tone.SECONDARY, small=True)
    else:
        title = text(node.name, bold=True)  # its title is the heading above
    if node.formula and not repeated:
        title += text(f"\n= {writer.word(node.formula)}", tone=Tone.ACCENT, small=True)
    if repeated:
        title += text("  " + writer.say(N_("(see above)")), tone=Tone.SECONDARY, small=True)
    number = _number(node, sources)
    mark_tone = Tone.WARNING if node.mark is Mark.ASSUMED else Tone.SECONDARY
    return (
        Cell(content=title, indent=depth),
        writer.cell(_value(node, writer)),
        writer.cell(text(writer.say(MARKS[node.mark]), tone=mark_tone, small=True)),
        writer.cell(text(f"[{number}]" if number else "", tone=Tone.SECONDARY, small=True)),
    )


def _title(node: Explanation, writer: Writer) -> str:
    """What the node is; parts of a cost are named as the cost table names them."""
    return writer.say(COST_PARTS.get(node.title, node.title)) or node.name


def _value(node: Explanation, writer: Writer) -> Text:
    if node.value is None:
        return writer.unknown()
    if isinstance(node.value, str):
        return text(node.value)
    if node.unit in set(Currency):
        return text(_amount(node, writer))
    return text(writer.formats.band(node.value, node.low, node.high, node.unit))


def _amount(node: Explanation, writer: Writer) -> str:
    """A forecast in money, to the yuan or dollar, with its range."""
    ends = [
        Money(Decimal(str(value)), Currency(node.unit))
        for value in (node.value, node.low, node.high)
        if isinstance(value, int | float)
    ]
    shown = writer.formats.money(ends[0])
    return f"{shown} ({writer.about(MoneyRange(ends[1], ends[2]))})" if len(ends) == 3 else shown


def _number(node: Explanation, sources: Sources) -> int | None:
    if node.evidence is not None and node.evidence.source:
        return sources.number(node.evidence.source, node.evidence.date)
    return sources.number(node.source, None) if node.source else None


def _prices(context: DocumentContext, sources: Sources, title: str, writer: Writer) -> list[Block]:
    priced = priced_build(context)
    if priced is None:
        return []
    say = writer.say
    rows = []
    for line in priced.lines:
        offer = line.line.offer
        number = sources.number(offer.source, offer.date) if offer and offer.source else None
        source = text(f"[{number}]" if number else "")
        if offer is not None and offer.basis:
            source += text(f"{' ' if number else ''}{recorded(offer.basis, writer)}", tone=Tone.SECONDARY)
        rows.append(
            (
                writer.cell(writer.part(line.line.item.name)),
                writer.cell(writer.about(line.line.price)),
                writer.cell(line.mark(writer)),
                writer.cell(source),
            )
        )
    columns = (
        Column(title=say(N_("Part")), weight=3.0),
        Column(title=say(N_("Low – high, one piece")), weight=1.8, align=Align.RIGHT),
        Column(title=say(N_("Price mark")), weight=1.7),
        Column(title=say(N_("Source and basis")), weight=3.0),
    )
    return [Heading(title), Table(columns=columns, rows=tuple(rows), dense=True)]


def _source_list(sources: Sources, title: str, writer: Writer) -> list[Block]:
    if not sources.numbers:
        return []
    say = writer.say
    rows = tuple(
        (
            writer.count_cell(number),
            writer.cell(_addresses(source, writer)),
            writer.cell(date or say(N_("undated"))),
        )
        for (source, date), number in sources.numbers.items()
    )
    columns = (
        Column(title=say(N_("No.")), weight=0.4),
        Column(title=say(N_("Source")), weight=7.0),
        Column(title=say(N_("Date")), weight=1.1),
    )
    return [Heading(title), Table(columns=columns, rows=rows, dense=True)]


def _addresses(source: str, writer: Writer) -> Text:
    made: Text = ()
    for part, words in source_parts(source, writer.translator):
        made += (*text("\n" if made else ""), linked(part, words))
    return made


def versions(context: DocumentContext, writer: Writer) -> list[Block]:
    """What the paper was made with."""
    say = writer.say
    names = {
        "application": N_("Application"),
        "catalogue": N_("Catalogue"),
        "coefficients": N_("Coefficients"),
    }
    used = dict(context.versions) or dict(context.recommendation.versions)
    facts = [Fact(say(names.get(key, key)), text(value)) for key, value in used.items()]
    facts.append(Fact(say(N_("Oldest price")), text(writer.day(context.price_date))))
    if context.option is not None:
        facts.append(Fact(say(N_("Assumed share")), text(writer.percent(context.option.price.assumed_share))))
    return [Heading(say(N_("Versions and dates"))), Facts(tuple(facts), columns=2, keep=True)]
