"""Estimates of image and video generation: many requests as arrays, order kept, each bad one its own error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import (
    Estimate,
    Fix,
    ImageAnswer,
    MemoryAnswer,
    Verdict,
    VideoAnswer,
    time_ratio,
)
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.diffusion import memory, quantities
from gpuconfig.engine.estimation.diffusion.inputs import INPUTS
from gpuconfig.engine.estimation.diffusion.table import GROUP, diffusion_row
from gpuconfig.engine.estimation.graph import Graph, InputTable, quantities_of
from gpuconfig.engine.estimation.host_memory import host_memory_warnings, with_host_memory
from gpuconfig.engine.estimation.power import host, steady, sustained
from gpuconfig.engine.estimation.power.host import HOST_INPUTS
from gpuconfig.engine.estimation.single_rows import (
    Row,
    estimate_rows,
    explain_row,
    figure,
    power_answer,
    verdict,
)
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest, Kind

ANSWERS = (
    "gpu_w", "wall_w",
    "seconds_per_image", "seconds_per_clip", "iterations_per_s", "peak_allocated_bytes", "device_used_bytes",
    "denoiser_bytes", "pipeline_bytes", "text_bytes", "vae_bytes", "denoiser_activation_bytes", "vae_activation_bytes",
    "denoiser_stage_bytes", "vae_stage_bytes", "text_stage_bytes", "load_stage_bytes",
)  # fmt: skip
PICTURE = N_("{cost}; a picture takes {ratio} times as long")
CLIP = N_("{cost}; a clip takes {ratio} times as long")
BAND_SCOPES = ("{engine}|{network}|{family}", "{engine}|{network}", "{network}")
STAGES = (
    ("denoiser_stage_bytes", "denoising"),
    ("vae_stage_bytes", "decoding"),
    ("text_stage_bytes", "text encoding"),
    ("load_stage_bytes", "loading"),
)


@cache
def diffusion_graph() -> Graph:
    """The graph, checked once."""
    return Graph(quantities_of(quantities, memory, host, steady, sustained), (*INPUTS, *HOST_INPUTS))


def estimate_diffusion(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    _measurements: Sequence[Measurement] = (),
) -> list[Estimate | UserError]:
    """Answers in the order of `requests`; one that cannot be accepted becomes its error."""
    return estimate_rows(requests, coefficients, diffusion_row, diffusion_graph(), ANSWERS, _answer)


def explain_diffusion(request: EstimateRequest, coefficients: CoefficientSet, name: str) -> Explanation:
    """The tree behind one quantity of one request.

    Raises:
        InputError: the request is not valid, or there is no such quantity.
    """
    return explain_row(request, coefficients, diffusion_row, diffusion_graph(), name, "seconds_per_image")


def _answer(
    request: EstimateRequest, row: Row, one: Mapping[str, float], coefficients: CoefficientSet
) -> Estimate:
    scopes = [s.format_map(row.scopes) for s in BAND_SCOPES]
    low, high = coefficients.band(GROUP, "band_time", *scopes)
    band = coefficients.band(GROUP, "band_memory", *scopes)
    judged = verdict(one["device_used_bytes"], one["usable_memory_bytes"], *band)
    video, image = None, None
    if request.kind is Kind.VIDEO:
        video = VideoAnswer(seconds_per_clip=figure(one["seconds_per_clip"], low, high, "s"))
    else:
        image = ImageAnswer(
            iterations_per_s=figure(one["iterations_per_s"], 1 / high, 1 / low, "1/s"),
            seconds_per_image=figure(one["seconds_per_image"], low, high, "s"),
        )
    memory = _memory(row, one, band, judged)
    return Estimate(
        id=request.id,
        verdict=with_host_memory(judged, memory, request.hardware.host_memory_bytes),
        memory=memory,
        image=image,
        video=video,
        power=power_answer(one, GROUP, coefficients),
        assumptions=row.assumptions,
        warnings=tuple(host_memory_warnings(memory, request.hardware.host_memory_bytes)),
        notes=_video_engines(request),
    )


def _video_engines(request: EstimateRequest) -> tuple[Message, ...]:
    """What reads and writes the files of clips on this card: a clip is made once and encoded after."""
    card = request.accelerator
    if request.kind is not Kind.VIDEO or not card.video_encode:
        return ()
    text = N_("video engines of {card}: {engines}")
    if card.av1_encode is False:
        text = N_("video engines of {card}: {engines}; AV1 is encoded by the processor")
    return (Message(text, {"card": card.name, "engines": Message(card.video_encode)}),)


def _memory(
    row: Row, one: Mapping[str, float], memory_band: tuple[float, float], judged: Verdict
) -> MemoryAnswer:
    low, high = memory_band
    used, allocated, usable = (
        one["device_used_bytes"],
        one["peak_allocated_bytes"],
        one["usable_memory_bytes"],
    )
    stage, phase = max((one[n], word) for n, word in STAGES)
    activations = {"denoising": "denoiser_activation_bytes", "decoding": "vae_activation_bytes"}.get(phase)
    kept = one[activations] if activations else 0.0
    offloaded = row.columns["model_offload"] + row.columns["sequential_offload"] > 0
    return MemoryAnswer(
        peak_allocated_bytes=figure(allocated, low, high, "B"),
        peak_reserved_bytes=figure(used - one["context_bytes"], low, high, "B"),
        device_used_bytes=figure(used, low, high, "B"),
        usable_bytes=usable if usable == usable else None, worst_phase=phase,
        breakdown_bytes={"weights": stage - kept, "activations": kept, "context": one["context_bytes"]},
        host_bytes=figure(one["pipeline_bytes"], 1.0, 1.15, "B") if offloaded else None,
        cheapest_fixes=tuple(_fixes(row, one, high)) if judged in (Verdict.DOES_NOT_FIT, Verdict.TOO_CLOSE) else (),
    )  # fmt: skip


def _fixes(row: Row, one: Mapping[str, float], high: float) -> list[Fix]:
    """Offload modes that make the pipeline fit."""
    fixes = []
    clip = one["seconds_per_clip"] == one["seconds_per_clip"] and row.columns["frames"] > 1
    seconds, words = ("seconds_per_clip", CLIP) if clip else ("seconds_per_image", PICTURE)
    for mode, column, cost in (
        (
            "model",
            "model_offload",
            N_("models are moved to the card one after the other: seconds for each request"),
        ),
        ("sequential", "sequential_offload", N_("layers are fetched for every step: many times slower")),
    ):
        if row.columns[column]:
            continue
        columns = {**row.columns, "model_offload": 0.0, "sequential_offload": 0.0, column: 1.0}
        table = InputTable.stacked([InputTable(columns)])
        found = diffusion_graph().evaluate(table.columns, ("device_used_bytes", seconds))
        used = float(found["device_used_bytes"][0])
        if used * high <= one["usable_memory_bytes"]:
            saves = float(round(one["device_used_bytes"] - used))
            ratio = time_ratio(1 / one[seconds], 1 / float(found[seconds][0]))
            text = Message(cost)
            if ratio is not None:
                text = Message(words, {"cost": text, "ratio": f"{ratio:.2f}"})
            fixes.append(Fix({"workload.offload": mode}, saves, text, ratio))
    return fixes
