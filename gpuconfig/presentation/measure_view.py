"""A person's own runs as tables: what pasted lines say, and each kept run beside the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation.shown import BLANK, Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.measuring import OwnRun, ReadValue

QUANTITY_WORDS = {
    "memory.peak_allocated_bytes": N_("peak memory, allocated"),
    "memory.peak_reserved_bytes": N_("peak memory, reserved"),
    "memory.device_used_bytes": N_("memory of the card, in use"),
    "training.tokens_per_s": N_("tokens a second, all cards"),
    "training.tokens_per_s_per_gpu": N_("tokens a second and card"),
    "training.samples_per_s": N_("samples a second"),
    "training.step_time_s": N_("time of a step"),
    "training.model_tflops_per_gpu": N_("model TFLOPS a card"),
    "serving.output_tokens_per_s": N_("output tokens a second"),
    "serving.decode_tokens_per_s_per_user": N_("tokens a second of one user"),
    "serving.prefill_tokens_per_s": N_("prompt tokens a second"),
    "serving.ttft_ms": N_("time to the first token"),
    "serving.tpot_ms": N_("time between tokens"),
    "training.mfu": N_("share of the peak used (MFU)"),
    "training.time_to_train_s": N_("time to train"),
    "training.energy_wh_per_mtoken": N_("energy of a million tokens"),
    "image.iterations_per_s": N_("iterations a second"),
    "image.seconds_per_image": N_("seconds an image"),
    "video.seconds_per_clip": N_("seconds a clip"),
    "vision.samples_per_s": N_("images a second"),
    "vision.step_time_s": N_("time of a step"),
    "vision.time_to_train_s": N_("time to train"),
}


def run_request(work: Mapping[str, Any], card: str, count: int, nodes: int = 1) -> dict[str, Any]:
    """The contract's `estimate` of what ran: model and workload of the project on cards of one kind."""
    kept = {name: work[name] for name in ("model", "workload") if name in work}
    return {**kept, "hardware": {"gpu": card, "gpus_per_node": count, "nodes": nodes}}


def quantity_in_words(name: str, t: Translator) -> str:
    """What was measured; its own name where it has no words."""
    return t.gettext(QUANTITY_WORDS[name]) if name in QUANTITY_WORDS else name


def value_in_words(value: float, unit: str, t: Translator) -> str:
    """A measured value in the unit it is read in."""
    if unit == "B":
        return t.formats.quantity(value, "B")
    return f"{t.formats.number(value)} {'' if unit == '1' else unit}".strip()


def read_table(values: Sequence[ReadValue], t: Translator) -> Table:
    """Every figure of pasted lines; those that cannot be compared say why."""
    _ = t.gettext
    columns = (
        Column(key="line", title=_(N_("Line")), numeric=True, width=60),
        Column(key="what", title=_(N_("Measured quantity")), width=200),
        Column(key="value", title=_(N_("Measured value")), numeric=True, width=110),
        Column(key="tool", title=_(N_("Printed by")), width=110),
        Column(key="note", title=_(N_("Details")), width=280),
    )
    rows = []
    for place, found in enumerate(values):
        note = render(found.problem, t) if found.problem is not None else ""
        taken = found.problem is None
        cells = (
            Shown(text=str(found.line), sort=found.line),
            Shown(text=quantity_in_words(found.quantity, t), tone=Tone.NORMAL if taken else Tone.SECONDARY),
            Shown(text=value_in_words(found.value, found.unit, t), sort=found.value),
            Shown(text=found.tool, sort=found.tool),
            Shown(text=note, tone=Tone.WARNING) if note else BLANK,
        )
        rows.append(Row(key=str(place), cells=cells, muted=not taken))
    return Table(columns=columns, rows=tuple(rows), name=_(N_("What the lines say")))


def runs_table(runs: Sequence[OwnRun], t: Translator) -> Table:
    """Kept runs, each beside the estimate without it."""
    _ = t.gettext
    columns = (
        Column(key="date", title=_(N_("Date")), width=90),
        Column(key="what", title=_(N_("Measured quantity")), width=190),
        Column(key="value", title=_(N_("Measured value")), numeric=True, width=110),
        Column(key="estimated", title=_(N_("Estimated without it")), numeric=True, width=140),
        Column(key="off", title=_(N_("Measured against estimated")), numeric=True, width=150),
        Column(key="source", title=_(N_("Source")), width=180),
    )
    rows = []
    for run in runs:
        own, off = run.measurement, run.off()
        estimated = (
            Shown(text=t.unknown, tone=Tone.UNKNOWN)
            if run.estimated is None
            else Shown(text=value_in_words(run.estimated, own.unit, t), sort=run.estimated)
        )
        sign = "+" if off is not None and off > 0 else ""
        cells = (
            Shown(text=own.evidence.date or t.unknown, sort=own.evidence.date or ""),
            Shown(text=quantity_in_words(own.quantity, t), sort=own.quantity),
            Shown(text=value_in_words(own.value, own.unit, t), sort=own.value),
            estimated,
            BLANK if off is None else Shown(text=f"{sign}{t.formats.percent(off)}", sort=off),
            Shown(text=own.evidence.source, sort=own.evidence.source),
        )
        rows.append(Row(key=own.id, cells=cells))
    return Table(columns=columns, rows=tuple(rows), name=_(N_("Your measurements")))
