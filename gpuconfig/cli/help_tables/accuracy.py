"""Scores of the models on the shipped measurements as Markdown: what "How accurate is this?" shows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence

from gpuconfig.calibration.source_score import SourceScore
from gpuconfig.cli.help_tables.table import UNKNOWN, Gettext, markdown_table
from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.provenance.message import N_

HEADS = (
    N_("Quantity"), N_("Source"), N_("Licence"), N_("Rows"), N_("Median error"), N_("Error, 90th percentile"),
    N_("Rows in band"), N_("Width of band"),
)  # fmt: skip
QUANTITIES: Mapping[str, str] = {
    "memory.peak_allocated_bytes": N_("allocated memory"),
    "memory.by_stage.-1.peak_allocated_bytes": N_("allocated memory, last pipeline stage"),
    "memory.peak_reserved_bytes": N_("reserved memory"),
    "memory.device_used_bytes": N_("memory the device shows as used"),
    "training.tokens_per_s": N_("training, tokens/s"),
    "training.step_time_s": N_("training, time of a step"),
    "training.scaling_efficiency": N_("scaling efficiency"),
    "communication.bus_bandwidth": N_("all-reduce, bus bandwidth"),
    "serving.output_tokens_per_s": N_("all users' tokens/s"),
    "serving.prefill_tokens_per_s": N_("prefill, tokens/s"),
    "serving.decode_tokens_per_s_per_user": N_("one user's tokens/s"),
    "serving.tpot_ms": N_("time per output token under load"),
    "serving.ttft_ms": N_("time to first token under load"),
    "serving.weights_bytes": N_("size of the weights"),
    "serving.kv_capacity_tokens": N_("capacity of the KV cache"),
    "image.iterations_per_s": N_("images, steps/s"),
    "image.seconds_per_image": N_("seconds per image"),
    "video.seconds_per_clip": N_("seconds per video"),
    "vision.samples_per_s": N_("vision, samples/s"),
    "training.speed.tuned": N_("training speed, tuned stacks"),
    "training.speed.untuned": N_("training speed, plain stacks"),
    "training.speed.encoder": N_("training speed, encoders"),
}
"""What a person calls each measured quantity; one that is not listed keeps its name."""

_SCHEME = "https://"


def accuracy_table(
    scores: Sequence[SourceScore], licences: Mapping[str, str], gettext: Gettext, with_bands: bool = True
) -> str:
    """One line a quantity and source, and the mean over sources where there are several.

    Args:
        licences: of each source.
        with_bands: False leaves out the columns of bands, where none were compared.
    """
    columns = len(HEADS) if with_bands else len(HEADS) - 2
    rows: list[list[str]] = []
    for quantity in dict.fromkeys(s.quantity for s in scores):
        each = [s for s in scores if s.quantity == quantity]
        label = gettext(QUANTITIES[quantity]) if quantity in QUANTITIES else quantity
        for s in sorted(each, key=lambda s: s.source):
            source = s.source.removeprefix(_SCHEME)
            rows.append([label, source, licences.get(s.source, UNKNOWN), f"{s.rows:,}", *_shares([s])])
        if len(each) > 1:
            mean = gettext(N_("mean over sources"))
            rows.append([f"**{label}**", f"**{mean}**", "", f"{sum(s.rows for s in each):,}", *_shares(each)])
    return markdown_table([gettext(h) for h in HEADS[:columns]], [row[:columns] for row in rows])


def licences_of(measurements: Sequence[Measurement]) -> dict[str, str]:
    """The licence of each source, by the name that scores have for it."""
    found: dict[str, set[str]] = {}
    for m in measurements:
        source = m.fields.get("origin") or m.evidence.source
        found.setdefault(source, set()).add(m.licence or UNKNOWN)
    return {source: ", ".join(sorted(names)) for source, names in found.items()}


def _shares(scores: Sequence[SourceScore]) -> list[str]:
    return [
        _percent([s.median for s in scores]), _percent([s.p90 for s in scores]),
        _percent([s.inside for s in scores], 0), _percent([s.width for s in scores], 0),
    ]  # fmt: skip


def _percent(values: Sequence[float], digits: int = 1) -> str:
    known = [v for v in values if not math.isnan(v)]
    return f"{statistics.mean(known) * 100:.{digits}f} %" if known else UNKNOWN
