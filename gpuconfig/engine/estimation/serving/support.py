"""What a card cannot run as asked: an engine made for other cards, a back end it lacks, a format without units."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Precision, Software
from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.serving.settings import BACKENDS, ServingSettings
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.serving import Backend, ServingEngine

RUNS_ON = {
    ServingEngine.VLLM: frozenset({Software.CUDA, Software.ROCM, Software.ONEAPI, Software.CANN, Software.HABANA}),
    ServingEngine.SGLANG: frozenset({Software.CUDA, Software.ROCM, Software.ONEAPI, Software.CANN}),
    ServingEngine.TENSORRT_LLM: frozenset({Software.CUDA}),
    ServingEngine.LMDEPLOY: frozenset({Software.CUDA, Software.CANN}),
    ServingEngine.EXLLAMAV2: frozenset({Software.CUDA, Software.ROCM}),
    ServingEngine.MLX: frozenset({Software.METAL}),
}  # fmt: skip
"""Software of the cards an engine is published for; engines not named here run on all."""
JUDGED = frozenset({Software.CUDA, Software.ROCM, Software.METAL, Software.ONEAPI, Software.CANN})
"""Software whose engines are known well enough to say that one is missing."""
EVERYWHERE = frozenset({Backend.VULKAN})
FAST_FORMATS = frozenset({Precision.FP8, Precision.FP4, Precision.INT8})


def unsupported(card: Accelerator, settings: ServingSettings) -> list[Warning_]:
    """What of these settings the card cannot run, each as a warning; the figures stand for the formulas alone."""
    found = []
    software = card.software
    runs_on = RUNS_ON.get(settings.engine)
    if software in JUDGED and runs_on is not None and software not in runs_on:
        text = N_(
            "{engine} is not published for {card}: the figures show what its way of working would give there"
        )
        found.append(
            Warning_(
                "engine_not_for_card", Message(text, {"engine": settings.engine.value, "card": card.name})
            )
        )
    own = BACKENDS.get(software)
    if own is not None and settings.backend is not own and settings.backend not in EVERYWHERE:
        text = N_("{card} has no {backend} back end, its own is {own}: the figures are those of its own")
        values = {"card": card.name, "backend": settings.backend.value, "own": own.value}
        found.append(Warning_("backend_not_for_card", Message(text, values)))
    wanted = settings.format.compute
    if wanted in FAST_FORMATS and card.peak_flops(Precision.FP16) and not card.peak_flops(wanted):
        text = N_(
            "{card} multiplies nothing in {precision}: {format} saves memory only, products run in 16 bit"
        )
        values = {"card": card.name, "precision": wanted.value.upper(), "format": settings.format.name}
        found.append(Warning_("weight_only", Message(text, values)))
    return found
