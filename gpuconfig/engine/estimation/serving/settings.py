"""What a serving request leaves open, resolved: engine, formats, lengths, layout; defaults are reported."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import Architecture, NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Software
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.work_kinds import kinds_of, unfit_model
from gpuconfig.engine.estimation.serving.engines import runs, usual_engine
from gpuconfig.engine.estimation.serving.formats import (
    WeightFormat,
    as_published,
    default_weight_format,
    kv_bits,
    weight_format,
)
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.serving import Backend, ServingEngine, ServingWorkload

GROUP = "serving"
POOLED = frozenset(
    {ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM, ServingEngine.LMDEPLOY}
)
"""Engines that take a share of the card at start and page the KV cache in it."""
LAYER_SPLIT = frozenset(
    {ServingEngine.LLAMA_CPP, ServingEngine.TRANSFORMERS, ServingEngine.EXLLAMAV2, ServingEngine.MLX}
)
"""Engines that spread layers over cards one after the other: memory, not speed."""
BACKENDS = {
    Software.CUDA: Backend.CUDA, Software.ROCM: Backend.ROCM, Software.METAL: Backend.METAL,
    Software.ONEAPI: Backend.SYCL, Software.CANN: Backend.CANN,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSettings:
    """A serving workload with nothing left open.

    Attributes:
        context_reserved: tokens the cache must hold for one sequence at least.
        context_given: whether the reserved context was asked for, not derived.
        data: replicas, each with its own cache.
        expert: cards the experts are spread over.
    """

    engine: ServingEngine
    backend: Backend
    format: WeightFormat
    kv_name: str
    kv_bits: float
    prompt_tokens: int
    output_tokens: int
    concurrency: int
    memory_utilization: float
    context_reserved: int
    context_given: bool
    tensor: int
    pipeline: int
    data: int
    expert: int
    speculative_tokens: int
    speculative_method: str
    prefix_cache_hit: float
    ttft_target_ms: float | None
    tpot_target_ms: float | None
    offload_layers: int
    offload_experts: int

    def uses_host(self) -> bool:
        """Whether weights are read from host memory."""
        return self.offload_layers > 0 or self.offload_experts > 0


def resolve(
    request: EstimateRequest, coefficients: CoefficientSet
) -> tuple[ServingSettings, tuple[Assumption, ...]]:
    """The settings of a request and the defaults taken.

    Raises:
        InputError: a format that is not known, a layout that contradicts the cards or the model.
    """
    work, shape = _workload(request), _architecture(request)
    noted: list[Assumption] = []
    engine = work.engine or _default_engine(request, coefficients, noted)
    name = work.weight_format
    if name is None:
        name = default_weight_format(engine, request.model)
        why = N_("what this engine is usually given")
        if as_published(name, request.model):
            why = N_("as the model is published")
        noted.append(Assumption("workload.weight_format", name, Message(why)))
    stored = weight_format(name, request.model, coefficients, "workload.weight_format")
    kv_name = work.kv_dtype or _default_kv(engine, stored, coefficients)
    if work.kv_dtype is None:
        noted.append(Assumption("workload.kv_dtype", kv_name, Message(N_("the engine's default"))))
    prompt = _taken(work.prompt_tokens, 1024, "workload.prompt_tokens", noted)
    output = _taken(work.output_tokens, 256, "workload.output_tokens", noted)
    layout = request.parallelism or _default_layout(request, engine, shape, noted)
    data = _check_layout(request, layout, shape, engine)
    utilization = work.memory_utilization or coefficients.value(GROUP, "memory_utilization", engine.value)
    speculative = work.speculative
    layers, experts = _offload(request, work, shape, noted)
    settings = ServingSettings(
        engine=engine,
        backend=work.backend or BACKENDS.get(request.accelerator.software, Backend.CUDA),
        format=stored, kv_name=kv_name, kv_bits=kv_bits(kv_name, "workload.kv_dtype"),
        prompt_tokens=prompt, output_tokens=output, concurrency=work.concurrency or 1,
        memory_utilization=utilization,
        context_reserved=work.max_context or max(prompt + output, 1), context_given=work.max_context is not None,
        tensor=layout.tensor, pipeline=layout.pipeline, data=data, expert=layout.expert,
        speculative_tokens=speculative.tokens if speculative else 0,
        speculative_method=speculative.method.value if speculative else "",
        prefix_cache_hit=work.prefix_cache_hit or 0.0, ttft_target_ms=work.ttft_target_ms,
        tpot_target_ms=work.tpot_target_ms, offload_layers=layers, offload_experts=experts,
    )  # fmt: skip
    return settings, tuple(noted)


def _offload(
    request: EstimateRequest, work: ServingWorkload, shape: Architecture, noted: list[Assumption]
) -> tuple[int, int]:
    """Layers kept in host memory, and layers of which the routed experts are."""
    layers = min(work.offload_layers or 0, shape.layers)
    experts = min(work.offload_experts or 0, shape.moe_layers)
    if work.offload_experts and not shape.is_moe:
        raise InputError(
            "impossible",
            "workload.offload_experts",
            work.offload_experts,
            Message(N_("{name} has no routed experts"), {"name": request.model.name}),
            Message(N_("workload.offload_layers, for whole layers")),
        )
    if not request.accelerator.unified_memory:
        return layers, experts
    for name, count in (("offload_layers", layers), ("offload_experts", experts)):
        if count:
            why = Message(N_("card and host share one memory: nothing is gained by moving weights"))
            noted.append(Assumption(f"workload.{name}", "0", why))
    return 0, 0


def _workload(request: EstimateRequest) -> ServingWorkload:
    if not isinstance(request.workload, ServingWorkload):
        raise InputError(
            "impossible", "workload.kind", request.kind.value, Message(N_("this is not a serving workload"))
        )
    return request.workload


def _architecture(request: EstimateRequest) -> Architecture:
    if request.model.architecture is None or Kind.SERVING not in kinds_of(request.model):
        raise unfit_model(request.model)
    return request.model.architecture


def _taken(value: int | None, default: int, field: str, noted: list[Assumption]) -> int:
    if value is not None:
        return value
    noted.append(Assumption(field, str(default), Message(N_("a short chat turn"))))
    return default


def _default_engine(
    request: EstimateRequest, coefficients: CoefficientSet, noted: list[Assumption]
) -> ServingEngine:
    engine = default_engine(request, coefficients)
    noted.append(Assumption("workload.engine", engine.value, Message(N_("usual for this card and format"))))
    return engine


def default_engine(request: EstimateRequest, coefficients: CoefficientSet) -> ServingEngine:
    """The engine taken where the request names none: by the weights it is given, else by what runs on the card."""
    asked = request.workload.weight_format if isinstance(request.workload, ServingWorkload) else None
    return engine_for(request.accelerator, request.model, asked, coefficients)


def engine_for(
    card: Accelerator, model: NeuralModel, asked: str | None, coefficients: CoefficientSet
) -> ServingEngine:
    """The engine of this model on a card where none is named, with the weight format that is asked for, if any."""
    given = asked or model.file_format
    if given:
        return usual_engine(card, given, coefficients)
    usual = (ServingEngine.VLLM, ServingEngine.LLAMA_CPP)
    fit = (e for e in usual if runs(e, card, coefficients, default_weight_format(e, model)))
    return next(fit, ServingEngine.VLLM)


def _default_kv(engine: ServingEngine, stored: WeightFormat, coefficients: CoefficientSet) -> str:
    """16 bit, except where an engine's checkpoints of this format carry an 8-bit cache (coefficient 1)."""
    eight = coefficients.value(GROUP, "kv_fp8_by_default", f"{engine.value}|{stored.name}", engine.value)
    return "fp8" if eight else "fp16"


def _default_layout(
    request: EstimateRequest, engine: ServingEngine, shape: Architecture, noted: list[Assumption]
) -> Parallelism:
    """Tensor parallel as wide as the heads allow within a machine; layer split where the engine has only that."""
    cards, per_node = request.hardware.gpu_count, request.hardware.gpus_per_node
    if cards == 1:
        return Parallelism()
    if engine in LAYER_SPLIT:
        layout = Parallelism(pipeline=cards)
    else:
        tensor = max(d for d in range(1, per_node + 1) if per_node % d == 0 and shape.heads % d == 0)
        layout = Parallelism(tensor=tensor, pipeline=cards // tensor)
    text = f"tensor {layout.tensor}, pipeline {layout.pipeline}"
    noted.append(Assumption("parallelism", text, Message(N_("one model over all cards"))))
    return layout


def _check_layout(
    request: EstimateRequest, layout: Parallelism, shape: Architecture, engine: ServingEngine
) -> int:
    """Replicas; refuses a layout that the cards cannot hold."""
    cards, group = request.hardware.gpu_count, layout.tensor * layout.pipeline
    data = layout.data if layout.data is not None else max(cards // group, 1)
    if data * group != cards:
        accepted = Message(N_("tensor x pipeline x data = {count} cards"), {"count": cards})
        raise InputError(
            "impossible",
            "parallelism",
            data * group,
            Message(N_("the layout does not use these cards")),
            accepted,
        )
    if shape.heads % layout.tensor and engine in POOLED:
        raise InputError(
            "impossible",
            "parallelism.tensor",
            layout.tensor,
            Message(N_("the attention heads must divide evenly over the tensor-parallel ranks")),
            Message(N_("a divisor of {heads}"), {"heads": shape.heads}),
        )
    if layout.pipeline > shape.layers:
        accepted = Message(N_("at most {count} stages"), {"count": shape.layers})
        raise InputError(
            "impossible",
            "parallelism.pipeline",
            layout.pipeline,
            Message(N_("more stages than layers")),
            accepted,
        )
    return data


def with_concurrency(settings: ServingSettings, users: int) -> ServingSettings:
    """The same settings for another number of users."""
    return replace(settings, concurrency=users)


def card_family(card: Accelerator) -> str:
    """Maker and kind of memory, `nvidia_hbm` or `apple_unified`: cards whose kernels meet the same limits."""
    memory = (card.memory_type or "").upper()
    kind = (
        "unified"
        if card.unified_memory or memory.startswith("LPDDR")
        else "hbm"
        if memory.startswith("HBM")
        else "gddr"
    )
    return f"{card.vendor.value.lower().replace(' ', '_')}_{kind}"
