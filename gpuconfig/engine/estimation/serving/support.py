"""What a card does not run, or only partly: an engine, a format, older releases alone, a back end it lacks.

An estimate answers all the same, with a warning: a fork or a plug-in may run what the engine's own releases do not,
and who measured one compares. A purchase is never offered on it.
"""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.answer import Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.engines import last_release, support_lack
from gpuconfig.engine.estimation.serving.settings import BACKENDS, ServingSettings
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ENGINE_NAMES, Backend, ServingWorkload

EVERYWHERE = frozenset({Backend.VULKAN})
FAST_FORMATS = frozenset({Precision.FP8, Precision.FP4, Precision.INT8})


def unsupported(
    request: EstimateRequest, settings: ServingSettings, coefficients: CoefficientSet
) -> list[Warning_]:
    """What of these settings the card does not run, or only partly, each as a warning."""
    card, software, work = request.accelerator, request.accelerator.software, request.workload
    assert isinstance(work, ServingWorkload)
    found = _not_run(work, settings, card, coefficients)
    release = last_release(settings.engine, card, coefficients)
    if release and not work.engine_version:
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


def _not_run(
    work: ServingWorkload, settings: ServingSettings, card: Accelerator, coefficients: CoefficientSet
) -> list[Warning_]:
    lack = support_lack(
        settings.engine, settings.format.name, card, coefficients, work.engine, work.engine_version
    )
    if lack is None:
        return []
    text = N_("{lack}: the figures are those of the formulas alone")
    if lack.accepted:
        text = N_("{lack}: the figures are those of the formulas alone; on {card} run {names}")
    values: dict[str, object] = {"lack": lack.reason, "card": lack.card, "names": ", ".join(lack.accepted)}
    code = "engine_not_supported" if lack.field == "workload.engine" else "format_not_supported"
    return [Warning_(code, Message(text, values))]
