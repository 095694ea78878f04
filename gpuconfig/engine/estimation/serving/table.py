"""A serving request as one row of the graph's columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import Architecture, NeuralModel
from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.catalogue.vocabulary import Accumulation, Precision
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet, scoped_evidence
from gpuconfig.engine.estimation.graph import Input, InputTable
from gpuconfig.engine.estimation.inputs.device import usable_memory
from gpuconfig.engine.estimation.inputs.model import language_parameters
from gpuconfig.engine.estimation.inputs.network import (
    architecture_scope,
    fast_link,
    peer_to_peer,
)
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.host import host_columns
from gpuconfig.engine.estimation.power.sustained import HOLDING
from gpuconfig.engine.estimation.serving.inputs import COEFFICIENT_INPUTS, CoefficientInput
from gpuconfig.engine.estimation.serving.settings import (
    GROUP,
    LAYER_SPLIT,
    POOLED,
    ServingSettings,
    card_family,
    resolve,
)
from gpuconfig.engine.estimation.serving.weights import BYTES_16BIT
from gpuconfig.engine.estimation.single_rows import coefficient_columns
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.pcie import pcie_bytes_per_s
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.parameter_count import ParameterCount, count_parameters
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingEngine

NAN = float("nan")
HALF_ACCUMULATION = frozenset({ServingEngine.LLAMA_CPP, ServingEngine.EXLLAMAV2})
"""Engines whose prompt products accumulate in FP16."""
DEFAULT_HOST_BYTES_PER_S = "host_bytes_per_s"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingRow:
    """One request, resolved.

    Attributes:
        scopes: words that scopes of coefficients are made of.
        columns: one value for every input of the graph.
    """

    settings: ServingSettings
    assumptions: tuple[Assumption, ...]
    scopes: dict[str, str]
    columns: dict[str, float]
    power_notes: dict[str, Input]


def serving_row(request: EstimateRequest, coefficients: CoefficientSet) -> ServingRow:
    """The columns of one request.

    Raises:
        InputError: see `resolve`.
    """
    settings, assumptions = resolve(request, coefficients)
    scopes = scopes_of(request, settings, coefficients)
    shape = request.model.architecture
    assert shape is not None  # resolve refuses models without one
    columns = {
        **_model_columns(request.model, shape, settings.format.name, coefficients),
        **_setting_columns(settings),
        **_hardware_columns(request, settings, scopes["link"], coefficients),
    }
    noted = list(assumptions)
    if settings.uses_host():
        noted.extend(_usual_host(request.hardware, columns))
    for item, row in coefficient_rows(scopes, coefficients):
        columns[item.name] = NAN if row.value is None else row.value
    machines, notes = host_columns(request, coefficients)
    held, held_notes = coefficient_columns(POWER, HOLDING, scopes, coefficients)
    return ServingRow(
        settings=settings,
        assumptions=tuple(noted),
        scopes=scopes,
        columns={**columns, **machines, **held},
        power_notes={**notes, **held_notes},
    )


def _usual_host(hardware: Hardware, columns: Mapping[str, float]) -> Iterator[Assumption]:
    """What is taken of a host that nothing is said of, where weights are read from its memory."""
    if hardware.host_bandwidth_bytes_per_s is None:
        text = f"{columns['host_bytes_per_s'] / 1e9:g} GB/s"
        yield Assumption("hardware.host_bandwidth_bytes_per_s", text, Message(N_("two channels of DDR5")))
    if hardware.cpu_cores is None:
        cores = f"{columns['host_cores']:g}"
        yield Assumption("hardware.cpu_cores", cores, Message(N_("a usual workstation processor")))


def scopes_of(
    request: EstimateRequest, settings: ServingSettings, coefficients: CoefficientSet
) -> dict[str, str]:
    """The words that scopes of coefficients are made of."""
    card = request.accelerator
    large, few = (coefficients.value(GROUP, name) for name in ("large_card_bytes", "few_users"))
    return {
        "engine": settings.engine.value,
        "stack": "served" if settings.engine in POOLED else settings.engine.value,
        "backend": settings.backend.value,
        "family": card_family(card),
        "architecture": architecture_scope(card),
        "card": card.id,
        "size": "large" if (card.capacity_bytes() or 0) >= large else "small",
        "format": settings.format.group,
        "stored": settings.format.name,
        "software": card.software.value,
        "link": link_scope(card, request.hardware),
        "method": settings.speculative_method or "none",
        "crowd": "few" if settings.concurrency <= few * settings.data else "many",
    }


def link_scope(card: Accelerator, hardware: Hardware) -> str:
    """What joins the cards: `fast`, `pcie_peer`, `pcie_host`."""
    if fast_link(card, hardware) is not None:
        return "fast"
    return "pcie_peer" if peer_to_peer(card, hardware) else "pcie_host"


def coefficient_rows(
    scopes: dict[str, str], coefficients: CoefficientSet
) -> Iterator[tuple[CoefficientInput, Coefficient]]:
    """Each coefficient input with the row that these scopes read."""
    for item in COEFFICIENT_INPUTS:
        yield item, coefficients.row(GROUP, item.name, *(s.format_map(scopes) for s in item.scopes))


def input_notes(row: ServingRow, coefficients: CoefficientSet) -> dict[str, Input]:
    """What is known of each input of this request, for `explain`."""
    notes = dict(row.power_notes)
    for item, found in coefficient_rows(row.scopes, coefficients):
        leaf = item.input
        notes[item.name] = Input(
            leaf.name, leaf.title, leaf.unit, Mark.of(found.evidence), scoped_evidence(found)
        )
    for assumption in row.assumptions:
        name = assumption.field.rpartition(".")[2]
        if name in row.columns:
            notes[name] = Input(name, assumption.why.english(), mark=Mark.ASSUMED)
    return notes


def stacked(rows: list[ServingRow]) -> InputTable:
    """The rows as one table."""
    return InputTable.stacked([InputTable(dict(r.columns)) for r in rows])


def _layer_columns(
    model: NeuralModel, shape: Architecture, counted: ParameterCount, coefficients: CoefficientSet
) -> dict[str, float]:
    """Parameters of the layers with the published total and active count: in the experts and outside them."""
    total = language_parameters(model, shape)
    tables = counted.embedding + counted.head
    rest = max(counted.total - tables, 1.0)
    scale = max(total - tables, coefficients.value(GROUP, "least_layer_share") * rest) / rest
    routed = counted.routed * scale
    in_layers = (rest - counted.routed) * scale
    if shape.active_parameters and shape.experts_per_token < shape.experts:
        active = in_layers + routed * shape.experts_per_token / shape.experts + tables
        short = coefficients.value(GROUP, "active_tolerance") * shape.active_parameters - active
        most = coefficients.value(GROUP, "most_passed_share") * routed
        moved = min(max(short, 0.0), most) / (1 - shape.experts_per_token / shape.experts)
        routed, in_layers = routed - moved, in_layers + moved
    return {"layer_parameters": in_layers, "routed_parameters": routed}


def _model_columns(
    model: NeuralModel, shape: Architecture, stored: str, coefficients: CoefficientSet
) -> dict[str, float]:
    counted = count_parameters(shape)
    beside = stored.startswith("gguf:")  # the image part is a file of its own, which text alone does not load
    kinds = shape.attention_layers
    sliding = kinds.sliding if kinds else 0
    linear = kinds.linear if kinds else 0
    full = kinds.full if kinds else shape.layers
    full_dim, full_heads = shape.full_head_dim or shape.head_dim, shape.full_kv_heads or shape.kv_heads
    mla = shape.mla
    state: float | None = kinds.linear_state_bytes if kinds else None
    if linear and state is None:
        state = BYTES_16BIT * shape.heads * shape.head_dim * coefficients.value(GROUP, "linear_key_width")
    latent = mla.kv_rank + mla.rope_dim if mla else 0
    storing = 1 - shape.kv_shared_layers / shape.layers
    return {
        **_layer_columns(model, shape, counted, coefficients), "layers": shape.layers, "hidden": shape.hidden,
        "embedding_parameters": counted.embedding + shape.extra_parameters, "head_parameters": counted.head,
        "head_read_parameters": counted.head or float(shape.vocab) * shape.hidden,
        "wide_parameters": 0.0 if beside else float(model.vision_parameters or 0),
        "experts": max(shape.experts, 1), "experts_per_token": max(shape.experts_per_token, 1),
        "moe_layers": shape.moe_layers, "full_layers": full, "sliding_layers": sliding, "linear_layers": linear,
        "latent_layers": shape.layers if mla else 0,
        "window_tokens": (kinds.window if kinds and kinds.window else 0) or 1e12,
        "full_kv_values": latent or storing * 2 * full_heads * full_dim,
        "sliding_kv_values": latent or storing * 2 * shape.kv_heads * shape.head_dim,
        "compressed_kv_values": (kinds.cached_values if kinds else None) or 0,
        "linear_state_bytes": state or 0.0, "heads": shape.heads, "kv_heads": 1 if mla else shape.kv_heads,
        "attention_width": shape.heads * _head_width(shape), "vocab": shape.vocab, "ffn_width": _ffn_width(shape),
        "expert_width": (shape.expert_ffn if shape.is_moe else None) or shape.ffn,
        "file_weights_bytes": NAN if model.file_bytes is None else model.file_bytes,
    }  # fmt: skip


def _head_width(shape: Architecture) -> float:
    """Values of a head in scores and in values, the mean of both."""
    if shape.mla is None:
        return shape.head_dim
    nope, value = shape.mla.nope_dim or shape.head_dim, shape.mla.value_dim or shape.head_dim
    return (nope + shape.mla.rope_dim + value) / 2


def _ffn_width(shape: Architecture) -> float:
    if not shape.is_moe:
        return shape.ffn
    shared = shape.shared_experts * (shape.shared_expert_ffn or shape.expert_ffn or 0)
    return shape.experts_per_token * (shape.expert_ffn or shape.ffn) + shared


def _setting_columns(s: ServingSettings) -> dict[str, float]:
    pooled = s.engine in POOLED
    return {
        "layer_bits": s.format.layers, "routed_bits": s.format.routed, "embedding_bits": s.format.embedding,
        "head_bits": s.format.head, "kv_bits": s.kv_bits, "prompt_tokens": s.prompt_tokens,
        "output_tokens": s.output_tokens, "concurrency": s.concurrency,
        "prefix_cache_hit": s.prefix_cache_hit,
        "speculative_tokens": s.speculative_tokens, "context_reserved": s.context_reserved,
        "memory_utilization": s.memory_utilization, "offload_layers": s.offload_layers,
        "offload_experts": s.offload_experts,
        "held_sequences": 1.0 if pooled else max(1.0, s.concurrency / s.data), "pooled": float(pooled),
        "preallocated": float(s.engine is not ServingEngine.TRANSFORMERS),
        "tensor_parallel": s.tensor, "pipeline_parallel": s.pipeline, "data_parallel": s.data,
        "expert_parallel": s.expert, "pipelined": float(s.engine not in LAYER_SPLIT),
    }  # fmt: skip


def _hardware_columns(
    request: EstimateRequest, settings: ServingSettings, link: str, coefficients: CoefficientSet
) -> dict[str, float]:
    card, hardware = request.accelerator, request.hardware
    host = hardware.host_bandwidth_bytes_per_s
    if host is None:
        host = coefficients.value(GROUP, DEFAULT_HOST_BYTES_PER_S)
    if card.unified_memory and card.bandwidth_bytes_per_s:
        host = card.bandwidth_bytes_per_s
    limit = hardware.power_limit_w
    sixteen = _peak(card, Precision.FP16)
    return {
        "memory_bytes_per_s": _number(card.bandwidth_bytes_per_s),
        "usable_memory_bytes": usable_memory(card, hardware, coefficients),
        "product_flops": _peak(card, settings.format.compute, settings.engine in HALF_ACCUMULATION),
        "attention_flops": sixteen,
        "host_bytes_per_s": host, "host_cores": _host_cores(hardware, coefficients),
        "slot_bytes_per_s": _slot_rate(card, hardware), "link_bytes_per_s": _link_rate(card, hardware, link),
        "tdp_w": _number(card.tdp_w), "idle_w": _number(card.idle_w), "power_limit_w": _number(limit),
        "inlet_c": _number(hardware.inlet_c),
    }  # fmt: skip


def _peak(card: Accelerator, wanted: Precision, half: bool = False) -> float:
    """The dense peak of the wanted format; without such units the 16-bit one, then FP32.

    `half`: products accumulate in FP16, which is twice as fast on consumer cards.
    """
    if half and (fast := card.peak_flops(Precision.FP16, Accumulation.FP16)):
        return fast
    order: tuple[Precision, ...] = (wanted, Precision.FP16, Precision.BF16, Precision.FP32)
    if wanted is Precision.TF32:
        order = (wanted, Precision.FP32)
    return next((p for p in map(card.peak_flops, order) if p), NAN)


def _link_rate(card: Accelerator, hardware: Hardware, link: str) -> float:
    if link == "fast":
        found = fast_link(card, hardware)
        if found is not None and found.per_direction_bytes_per_s:
            return found.per_direction_bytes_per_s
    rate = _slot_rate(card, hardware)
    return rate if link == "pcie_peer" else rate / 2  # through host memory each byte crosses twice


def _slot_rate(card: Accelerator, hardware: Hardware) -> float:
    """Bytes a second one way through the slot of a card."""
    generation = hardware.pcie.generation or card.pcie_generation or 4
    lanes = min(hardware.pcie.lanes) if hardware.pcie.lanes else card.pcie_lanes or 16
    return pcie_bytes_per_s(
        min(generation, card.pcie_generation or generation), min(lanes, card.pcie_lanes or lanes)
    )


def _host_cores(hardware: Hardware, coefficients: CoefficientSet) -> float:
    return float(hardware.cpu_cores or coefficients.value(GROUP, "host_cores"))


def _number(value: float | None) -> float:
    return NAN if value is None else float(value)
