"""What a card runs only partly: an engine's older releases alone, a back end it lacks, a format without units."""

from __future__ import annotations

from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.engines import last_release
from gpuconfig.engine.estimation.serving.settings import BACKENDS, ServingSettings
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ENGINE_NAMES, Backend, ServingWorkload

EVERYWHERE = frozenset({Backend.VULKAN})
FAST_FORMATS = frozenset({Precision.FP8, Precision.FP4, Precision.INT8})


def unsupported(
    request: EstimateRequest, settings: ServingSettings, coefficients: CoefficientSet
) -> list[Warning_]:
    """What of these settings the card runs only partly, each as a warning."""
    found = []
    card, software, work = request.accelerator, request.accelerator.software, request.workload
    release = last_release(settings.engine, card, coefficients)
    if release and not (isinstance(work, ServingWorkload) and work.engine_version):
        text = N_("only releases of {engine} up to {release} run on {card}")
        values: dict[str, object] = {"engine": ENGINE_NAMES[settings.engine], "release": release}
        found.append(Warning_("older_release", Message(text, {**values, "card": card.name})))
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
