"""加速卡对比表 / Comparison of accelerators: facts of two to six cards side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from gpuconfig.documents.content import (
    Block,
    Cell,
    Column,
    Document,
    PageBreak,
    Paragraph,
    Row,
    Style,
    Table,
    Text,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.labels import COOLINGS, EXPORTS
from gpuconfig.documents.sections.appendix import versions
from gpuconfig.documents.sections.summary import nothing_fits
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import SOFTWARE_NAMES, ExportStatus, Kind
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import MoneyRange

MOST_CARDS = 6
PER_TABLE = 4
_MARKS = {EvidenceKind.VENDOR: "√", EvidenceKind.CALCULATED: "°", EvidenceKind.ASSUMED: "°"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One fact: `field` is the catalogue's, `best` picks the value that is printed bold."""

    title: str
    field: str
    unit: str = "1"
    best: Callable[[list[float]], float] | None = None


ROWS = (
    CardRow(title=N_("Architecture"), field="architecture"),
    CardRow(title=N_("Software"), field="software"),
    CardRow(title=N_("Memory, as sold"), field="memory_gb", unit="GB", best=max),
    CardRow(title=N_("Memory type"), field="memory_type"),
    CardRow(title="ECC", field="ecc"),
    CardRow(title=N_("Memory bandwidth"), field="bandwidth_bytes_per_s", unit="B/s", best=max),
    CardRow(title=N_("BF16 dense, FP32 accumulation"), field="bf16_fp32acc_flops", unit="FLOP/s", best=max),
    CardRow(title=N_("FP16 dense, FP16 accumulation"), field="fp16_fp16acc_flops", unit="FLOP/s", best=max),
    CardRow(title=N_("FP8 dense, FP32 accumulation"), field="fp8_fp32acc_flops", unit="FLOP/s", best=max),
    CardRow(title=N_("FP32"), field="fp32_flops", unit="FLOP/s", best=max),
    CardRow(title=N_("PCIe"), field="pcie"),
    CardRow(title=N_("Link between cards"), field="link"),
    CardRow(title=N_("PCIe peer-to-peer"), field="peer_to_peer"),
    CardRow(title=N_("Power (TDP)"), field="tdp_w", unit="W", best=min),
    CardRow(title=N_("Width in slots"), field="slots", best=min),
    CardRow(title=N_("Length"), field="length_mm", unit="mm", best=min),
    CardRow(title=N_("Cooling"), field="cooling"),
    CardRow(title=N_("On the market since"), field="launch_date"),
    CardRow(title=N_("Export to China"), field="export_status"),
)


def card_comparison(context: DocumentContext, writer: Writer) -> Document:
    """Tables of at most four cards; what is assumed or unknown says so."""
    cards = compared_cards(context)
    if not cards:
        return form(context, writer, nothing_fits(context, writer))
    blocks: list[Block] = []
    each = len(cards) if len(cards) <= PER_TABLE else ceil(len(cards) / 2)
    for start in range(0, len(cards), each):
        if start:
            blocks.append(PageBreak())  # a second table of this length would break over the page
        blocks.append(_table(cards, cards[start : start + each], context, writer))
    note = N_(
        "Peak rates are dense. Bold: the best of all cards compared. √ on a page of the maker; ° assumed or derived; "
        "the others are from third parties' databases or press."
    )
    blocks.append(Paragraph(text(writer.say(note), tone=Tone.SECONDARY), Style.SMALL))
    blocks += versions(context, writer)
    names = writer.join([writer.part(card.name) for card in cards])
    return replace(form(context, writer, blocks), title=names, subtitle=names)


def compared_cards(context: DocumentContext) -> tuple[Accelerator, ...]:
    """The cards given, else those of the options and the machines considered, each once."""
    if context.cards:
        return context.cards[:MOST_CARDS]
    options = (*context.options, *context.recommendation.considered)
    found = {option.accelerator.id: option.accelerator for option in options}
    return tuple(found.values())[:MOST_CARDS]


def _table(
    every: tuple[Accelerator, ...], shown: tuple[Accelerator, ...], context: DocumentContext, writer: Writer
) -> Table:
    rows: list[Row] = []
    for row in ROWS:
        best = _best(row, every)
        cells = tuple(Cell(content=_fact(card, row, best, writer)) for card in shown)
        rows.append((writer.cell(text(writer.say(row.title), tone=Tone.SECONDARY)), *cells))
    prices = tuple(writer.cell(_price(card, context, writer)) for card in shown)
    rows.append((writer.cell(text(writer.say(N_("Price of one")), tone=Tone.SECONDARY)), *prices))
    columns = (
        Column(title="", weight=1.6),
        *(Column(title=writer.part(card.name), weight=2.0) for card in shown),
    )
    return Table(columns=columns, rows=tuple(rows), first_column_heads=True)


def _best(row: CardRow, cards: tuple[Accelerator, ...]) -> float | None:
    if row.best is None or len(cards) < 2:
        return None
    known = [float(value) for card in cards if (value := getattr(card, row.field)) is not None]
    return row.best(known) if len(set(known)) > 1 else None


def _fact(card: Accelerator, row: CardRow, best: float | None, writer: Writer) -> Text:
    special = {
        "software": _software,
        "cooling": _cooling,
        "pcie": _pcie,
        "link": _link,
        "export_status": _export,
    }
    if row.field in special:
        return special[row.field](card, writer)
    value = getattr(card, row.field)
    if value is None or value == "":
        return writer.unknown()
    if isinstance(value, bool):
        shown = writer.say(N_("yes") if value else N_("no"))
    elif isinstance(value, int | float):
        shown = writer.formats.quantity(float(value), row.unit)
    else:
        shown = writer.word(str(getattr(value, "value", value)))
    return text(
        shown + _mark(card, row.field),
        bold=isinstance(value, int | float) and not isinstance(value, bool) and value == best,
    )


def _mark(card: Accelerator, field: str) -> str:
    """Behind a value: whether its maker states it, or nobody does."""
    return _MARKS.get(card.evidence(field).kind, "")


def _software(card: Accelerator, writer: Writer) -> Text:
    return text(writer.say(SOFTWARE_NAMES[card.software]))


def _cooling(card: Accelerator, writer: Writer) -> Text:
    if card.cooling is None:
        return writer.unknown()
    return text(writer.say(COOLINGS[card.cooling]) + _mark(card, "cooling"))


def _pcie(card: Accelerator, writer: Writer) -> Text:
    if card.pcie_generation is None or card.pcie_lanes is None:
        return writer.unknown()
    return text(f"{card.pcie_generation}.0 x{card.pcie_lanes}" + _mark(card, "pcie_lanes"))


def _link(card: Accelerator, writer: Writer) -> Text:
    if card.link is None:
        return text(writer.say(N_("none"))) if card.link_known else writer.unknown()
    rate = card.link.per_direction_bytes_per_s
    if rate is None:
        return text(writer.part(card.link.name))
    each = writer.say(N_("{rate} each way"), rate=writer.formats.quantity(rate, "B/s"))
    name = writer.part(card.link.name) + _mark(card, "link")
    return text(name) + text(f"\n{each}", tone=Tone.SECONDARY, small=True)


def _export(card: Accelerator, writer: Writer) -> Text:
    if card.export_status is ExportStatus.UNKNOWN:
        return writer.unknown()
    restricted = card.export_status in (ExportStatus.LICENCE, ExportStatus.CASE_BY_CASE)
    return text(writer.say(EXPORTS[card.export_status]), tone=Tone.WARNING if restricted else Tone.NORMAL)


def _price(card: Accelerator, context: DocumentContext, writer: Writer) -> Text:
    """Low–high of one card as priced in an option that has it."""
    for option in (*context.options, *context.recommendation.considered):
        if option.accelerator.id != card.id or option.build is None:
            continue
        line = option.build.first(Kind.ACCELERATOR)
        if line is not None and isinstance(line.price, MoneyRange):
            return text(writer.about(line.price))
    return writer.unknown()
