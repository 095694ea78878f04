"""Leaner ways to do the same work where the plain one does not fit or is too slow, and how they are told.

A leaner way saves memory at a price: other weights than the published ones, or time for moving them. It is tried only
in what the request leaves open, the least changed first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Software
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.engines import format_lack
from gpuconfig.engine.estimation.serving.formats import as_published
from gpuconfig.engine.estimation.serving.settings import default_engine
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.workloads.number_format import number_format
from gpuconfig.engine.workloads.request import EstimateRequest, Workload
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ImageOffload, ServingEngine, ServingWorkload
from gpuconfig.engine.workloads.training import Offload, TrainingWorkload

QUANTISED, QUANTISED_GGUF = ("fp8", "awq_int4"), ("gguf:q8_0", "gguf:q4_k_m")
"""Weight formats of language models tried where the model as it is published does not do; the mildest first."""
PICTURE_FORMS: tuple[tuple[str | None, ImageOffload | None], ...] = (
    ("fp8", None),
    (None, ImageOffload.MODEL),
    ("fp8", ImageOffload.MODEL),
    (None, ImageOffload.SEQUENTIAL),
    ("gguf:q4_k_m", ImageOffload.MODEL),
    ("fp8", ImageOffload.SEQUENTIAL),
)
"""Precision and offload of a picture or clip; None: as published, nothing moved."""
MOVED_BY = "comfyui"
"""The engine of a leaner form where the request names none: it reads packed weights and moves models by itself."""
SHARED_BY = "xdit"
"""The engine that shares one picture or clip among several cards, where the request names none."""

_MOVED = {
    Offload.OPTIMIZER.value: N_(
        "the optimizer's states stay in the host's memory, every step waits for them"
    ),
    Offload.OPTIMIZER_AND_PARAMETERS.value: N_(
        "weights and optimizer's states stay in the host's memory, every step waits for them"
    ),
    ImageOffload.MODEL.value: N_("each model is moved to the card in its turn: it fits, and loses time"),
    ImageOffload.SEQUENTIAL.value: N_(
        "layers are fetched from the host's memory at every step: it fits, and loses time each step"
    ),
}


def shared(workload: Workload, model: NeuralModel, cards: int) -> Workload:
    """A picture or clip of a transformer is computed by all cards of a machine, where the request leaves that open.

    Heads are dealt out evenly, so as many cards take part as divide them.
    """
    if not isinstance(workload, DiffusionWorkload) or cards == 1 or model.diffusion is None:
        return workload
    denoiser = model.diffusion.component("denoiser")
    if workload.sequence_parallel is not None or denoiser is None or not denoiser.heads:
        return workload
    degree = max(d for d in range(1, cards + 1) if denoiser.heads % d == 0)
    if degree == 1 or workload.offload not in (None, ImageOffload.NONE):
        return workload
    return replace(workload, sequence_parallel=degree, engine=workload.engine or SHARED_BY)


def leaner(request: EstimateRequest, coefficients: CoefficientSet) -> tuple[EstimateRequest, ...]:
    """The same work with less memory, where the request leaves that open, the least changed first."""
    workload = request.workload
    if isinstance(workload, DiffusionWorkload):
        return tuple(replace(request, workload=form) for form in _pictures(workload))
    if isinstance(workload, ServingWorkload) and workload.weight_format is None:
        formats = _quantised(request, workload, coefficients)
        return tuple(replace(request, workload=replace(workload, weight_format=name)) for name in formats)
    return ()


def _quantised(
    request: EstimateRequest, workload: ServingWorkload, coefficients: CoefficientSet
) -> tuple[str, ...]:
    """Leaner weights that the engine reads on this card: that which is named, else that which runs there."""
    card = request.accelerator
    engine = workload.engine or default_engine(request, coefficients)
    if engine is ServingEngine.LLAMA_CPP:
        return QUANTISED_GGUF
    if workload.engine is None and card.software not in (Software.CUDA, Software.ROCM):
        return QUANTISED_GGUF
    return tuple(name for name in QUANTISED if format_lack(engine, name, card, coefficients) is None)


def _pictures(workload: DiffusionWorkload) -> Iterator[DiffusionWorkload]:
    shared_by_cards = (workload.sequence_parallel or 1) > 1
    for precision, offload in PICTURE_FORMS:
        if precision is not None and workload.precision is not None:
            continue
        if offload is not None and (workload.offload is not None or shared_by_cards):
            continue
        yield replace(
            workload,
            engine=workload.engine or MOVED_BY,
            precision=precision or workload.precision,
            offload=offload if workload.offload is None else workload.offload,
        )


def changed_settings(
    asked: Workload, request: EstimateRequest, assumptions: Sequence[Assumption] = ()
) -> dict[str, str]:
    """Fields in which the work is done leaner than asked or published, with their values.

    Args:
        assumptions: what the estimate took by itself: an engine's usual weights are not always the published ones.
    """
    done = request.workload
    found: dict[str, str] = {}
    if isinstance(asked, DiffusionWorkload) and isinstance(done, DiffusionWorkload):
        if done.precision is not None and done.precision != asked.precision:
            found["precision"] = done.precision
        if done.offload is not None and done.offload is not asked.offload:
            found["offload"] = done.offload.value
    if isinstance(asked, TrainingWorkload) and isinstance(done, TrainingWorkload):
        found |= {"offload": done.offload.value} if done.offload is not asked.offload else {}
    if isinstance(asked, ServingWorkload) and isinstance(done, ServingWorkload):
        taken = next((a.value for a in assumptions if a.field == "workload.weight_format"), None)
        stored = done.weight_format or taken
        if stored is not None and asked.weight_format is None and not as_published(stored, request.model):
            found["weight_format"] = stored
        if done.offload_experts != asked.offload_experts:
            found["offload_experts"] = str(done.offload_experts)
    return found


def told(option: Option) -> tuple[Message, ...]:
    """What is leaner about an option, one sentence for each setting; empty where it is done as published."""
    return tuple(given_up(option).values())


def given_up(option: Option) -> dict[str, Message]:
    """What each leaner setting of an option costs, by the setting's field."""
    settings = option.leaner
    found = {}
    if "weight_format" in settings:
        text = N_("weights quantised to {format}: check the answers on your own tasks before you buy")
        found["weight_format"] = Message(text, {"format": number_format(settings["weight_format"])})
    if "offload_experts" in settings:
        text = N_(
            "llama.cpp keeps the experts of {count} layers in the host's memory and reads them there for every token:"
            " for few users, long prompts wait"
        )
        found["offload_experts"] = Message(text, {"count": settings["offload_experts"]})
    if "precision" in settings:
        text = N_("weights kept as {format} instead of 16 bit: check pictures of your own before you buy")
        found["precision"] = Message(text, {"format": number_format(settings["precision"])})
    moved = _MOVED.get(settings.get("offload", ""))
    if moved is not None:
        found["offload"] = Message(moved)
    return found


def plain_first(shown: Sequence[Option], considered: Sequence[Option]) -> tuple[Option, ...]:
    """The options shown; where all of them are leaner, the last gives way to the best that does it as published."""
    if not shown or any(not o.leaner for o in shown):
        return tuple(shown)
    plain = next((o for o in considered if not o.leaner and o.within_budget), None)
    if plain is None:
        return tuple(shown)
    kept = shown if len(shown) == 1 else shown[:-1]
    return tuple(replace(o, rank=i) for i, o in enumerate((*kept, plain), start=1))


def before_plain(option: Option, shown: Sequence[Option]) -> Option | None:
    """The option that does it as published and yet stands behind this leaner one; None where there is none."""
    if not option.leaner:
        return None
    return next((o for o in shown if not o.leaner and o.rank > option.rank), None)
