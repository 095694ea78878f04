"""What is predicted: memory with its parts, speed with its band, and the nearest real measurements."""

from __future__ import annotations

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
from gpuconfig.documents.labels import BOUNDS, MEMORY_PARTS, VERDICTS
from gpuconfig.documents.recorded import described
from gpuconfig.documents.writer import Writer, linked
from gpuconfig.engine.estimation.answer import Estimate, MemoryAnswer, VisionAnswer
from gpuconfig.engine.provenance.explanation import NearMeasurement
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.performance import headroom

NEAREST_SHOWN = 5
PARTS_OF_AN_ADDRESS = 3
MFU = N_("Model FLOPS utilisation")
SCALING = N_("Scaling efficiency")
SHARES = (MFU, SCALING)


def performance_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """Speed, memory, measurements, warnings of the estimate."""
    if context.option is None:
        return []
    estimate = context.option.estimate
    split = writer.parallelism(estimate.parallelism)
    facts = [
        Fact(writer.say(label), _shown(label, figure, writer))
        for label, figure in figures(estimate)
        if figure.value is not None
    ]
    if split:
        facts.insert(0, Fact(writer.say(N_("Split of the work")), text(split)))
    if estimate.bound_by is not None:
        facts.append(Fact(writer.say(N_("Limited by")), text(writer.say(BOUNDS[estimate.bound_by]))))
    blocks: list[Block] = [Heading(writer.say(N_("Predicted memory and speed")))]
    if facts:
        note = writer.say(N_("Brackets: 90 % band from the errors of the model against measurements."))
        blocks += [Paragraph(text(note, tone=Tone.SECONDARY), Style.SMALL), Facts(tuple(facts), columns=2)]
    if estimate.memory is not None:
        blocks += _memory(estimate, estimate.memory, writer)
    blocks += _nearest(estimate.nearest, writer)
    for item in estimate.warnings:
        blocks.append(Paragraph(text("▲ ", tone=Tone.WARNING) + text(writer.message(item.message))))
    return blocks


def _shown(label: str, figure: Figure, writer: Writer) -> Text:
    return writer.share(figure) if label in SHARES else writer.figure(figure)


def _first_epoch(answer: VisionAnswer) -> Figure:
    """The rate of the first epoch where it is not that of all."""
    first = answer.first_epoch_samples_per_s
    return UNKNOWN if first.value == answer.samples_per_s.value else first


def figures(estimate: Estimate) -> list[tuple[str, Figure]]:
    """The figures of an estimate with their English names, the main ones first."""
    made: list[tuple[str, Figure]] = []
    if estimate.training is not None:
        answer = estimate.training
        made += [
            (N_("Time of the training run"), answer.time_to_train_s),
            (N_("Training throughput"), answer.tokens_per_s),
            (N_("Throughput per card"), answer.tokens_per_s_per_gpu),
            (N_("Time of one step"), answer.step_time_s),
            (MFU, answer.mfu),
            (SCALING, answer.scaling_efficiency),
        ]
    if estimate.serving is not None:
        serving = estimate.serving
        made += [
            (N_("Output of all users"), serving.output_tokens_per_s),
            (N_("Output per user"), serving.decode_tokens_per_s_per_user),
            (N_("Time to first token"), serving.ttft_ms),
            (N_("Time per output token"), serving.tpot_ms),
            (N_("Requests that fit at a time"), serving.max_concurrency),
        ]
    if estimate.image is not None:
        made.append((N_("Time for one image"), estimate.image.seconds_per_image))
    if estimate.video is not None:
        made.append((N_("Time for one clip"), estimate.video.seconds_per_clip))
    if estimate.vision is not None:
        vision = estimate.vision
        made += [
            (N_("Time of the training run"), vision.time_to_train_s),
            (N_("Throughput"), vision.samples_per_s),
            (N_("Throughput of the first epoch"), _first_epoch(vision)),
            (N_("Time of one step"), vision.step_time_s),
            (MFU, vision.mfu),
            (SCALING, vision.scaling_efficiency),
        ]
    if estimate.power is not None:
        made += [
            (N_("Power of the cards"), estimate.power.gpu_w),
            (N_("Power at the wall"), estimate.power.wall_w),
        ]
    return made


def _memory(estimate: Estimate, memory: MemoryAnswer, writer: Writer) -> list[Block]:
    say = writer.say
    rows: list[Row] = [
        (
            writer.cell(say(MEMORY_PARTS.get(name, name))),
            Cell(content=text(writer.formats.memory(size)), value=size),
        )
        for name, size in memory.breakdown_bytes.items()
        if size
    ]
    foot: tuple[Row, ...] = (
        (
            writer.cell(text(say(N_("Used on the device, with band")), bold=True)),
            writer.cell(writer.figure(memory.device_used_bytes)),
        ),
        (writer.cell(say(N_("Usable"))), writer.cell(writer.formats.memory(memory.usable_bytes))),
        (
            writer.cell(say(N_("Left at the upper end of the need"))),
            writer.cell(
                text(writer.percent(headroom(estimate))) + text(f" · {say(VERDICTS[estimate.verdict])}")
            ),
        ),
    )
    columns = (
        Column(title=say(N_("Memory of the fullest card")), weight=3),
        Column(title=say(N_("Size")), weight=2, align=Align.RIGHT),
    )
    return [Table(columns=columns, rows=tuple(rows), foot=foot)]


def _place(source: str) -> str:
    """Whose measurement it is: an address up to its second folder, under which the link leads to the page."""
    scheme, found, rest = source.partition("://")
    parts = rest.split("/")
    return "/".join(parts[:PARTS_OF_AN_ADDRESS]) if found and scheme in ("http", "https") else source


def _nearest(nearest: tuple[NearMeasurement, ...], writer: Writer) -> list[Block]:
    if not nearest:
        return []
    say = writer.say
    rows = tuple(
        (
            writer.cell(described(item.description, writer) or say(N_("measurement"))),
            writer.cell(writer.formats.quantity(item.measured, item.unit)),
            writer.cell(writer.formats.number(item.distance, 2)),
            writer.cell((linked(item.source, _place(item.source)),)),
        )
        for item in nearest[:NEAREST_SHOWN]
    )
    columns = (
        Column(title=say(N_("Nearest measurement")), weight=3.2),
        Column(title=say(N_("Measured")), weight=1.5, align=Align.RIGHT),
        Column(title=say(N_("Distance (0 = the same)")), weight=1.0, align=Align.RIGHT),
        Column(title=say(N_("Source")), weight=3.0),
    )
    return [Table(columns=columns, rows=rows, dense=True)]
