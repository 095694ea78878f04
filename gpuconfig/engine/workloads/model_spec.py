"""A model given by shape or by size: the contract's `architecture` and `parameters_b` become a NeuralModel.

Nothing is guessed silently: what a shape leaves out is an error naming the field, or noted in the model.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.neural_model import Architecture, AttentionLayers, Mla, NeuralModel
from gpuconfig.engine.catalogue.vocabulary import ModelKind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import read_number, read_object, real, whole
from gpuconfig.engine.workloads.parameter_count import count_parameters

WIDTH_MAX = 10_000_000
LAYERS_MAX = 10_000
PARAMETERS_B_RANGE = (0.001, 100_000.0)
TYPICAL_B_RANGE = (0.05, 10_000.0)
COUNT_RATIO_RANGE = (0.5, 2.0)
"""How far a stated parameter count may lie from the count by shape before the shape is refused."""
DECOUPLED_HEAD_DIM = 128
"""Head size of most published decoders whose heads do not divide the hidden size (GLM-4.5, Qwen3 MoE)."""

TYPICAL_LAYERS = (
    (0.5, 24),
    (1.5, 28),
    (3.0, 36),
    (8.0, 32),
    (14.0, 40),
    (32.0, 64),
    (70.0, 80),
    (405.0, 126),
)
"""Parameters in billions -> layers of published dense decoders (Qwen 2.5 and 3, Llama 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MlaFields:
    """The contract's `mla` object."""

    kv_rank: int = whole(512, 1, WIDTH_MAX)
    rope_dim: int = whole(64, 0, WIDTH_MAX)
    q_rank: int | None = whole(None, 1, WIDTH_MAX)
    nope_dim: int | None = whole(None, 1, WIDTH_MAX)
    value_dim: int | None = whole(None, 1, WIDTH_MAX)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionLayerFields:
    """The contract's `attention_layers` object: how many layers attend how."""

    full: int = whole(0, 0, LAYERS_MAX)
    sliding: int = whole(0, 0, LAYERS_MAX)
    window: int | None = whole(None, 1, 100_000_000)
    linear: int = whole(0, 0, LAYERS_MAX)
    linear_state_bytes: int | None = whole(None, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchitectureFields:
    """The contract's `architecture` object; None is "derived from the other fields" or "not known"."""

    name: str = ""
    layers: int | None = whole(None, 1, LAYERS_MAX)
    hidden: int | None = whole(None, 8, WIDTH_MAX)
    heads: int | None = whole(None, 1, 100_000)
    kv_heads: int | None = whole(None, 1, 100_000)
    head_dim: int | None = whole(None, 1, 65_536)
    ffn: int | None = whole(None, 0, WIDTH_MAX)
    vocab: int | None = whole(None, 1, 100_000_000)
    gated_mlp: bool = True
    tied_embeddings: bool = False
    experts: int | None = whole(None, 0, 100_000)
    experts_per_token: int | None = whole(None, 0, 100_000)
    expert_ffn: int | None = whole(None, 1, WIDTH_MAX)
    shared_experts: int | None = whole(None, 0, 1000)
    shared_expert_ffn: int | None = whole(None, 1, WIDTH_MAX)
    dense_layers: int | None = whole(None, 0, LAYERS_MAX)
    mla: MlaFields | None = None
    attention_layers: AttentionLayerFields | None = None
    sliding_window: int | None = whole(None, 1, 100_000_000)
    full_head_dim: int | None = whole(None, 1, 65_536)
    full_kv_heads: int | None = whole(None, 1, 100_000)
    attention_bias: bool | None = None
    qk_norm: bool | None = None
    positions: int | None = whole(None, 0, 100_000_000)
    max_context: int | None = whole(None, 1, 100_000_000)
    parameters_b: float | None = real(None, *PARAMETERS_B_RANGE)
    active_parameters_b: float | None = real(None, *PARAMETERS_B_RANGE)


def model_from_architecture(data: object, path: str = "model.architecture") -> NeuralModel:
    """A model of the given shape; `parameters_b`, where given, is the total its own count is scaled to.

    Raises:
        InputError: unknown field, missing size, sizes that contradict one another; names what is accepted.
    """
    return model_of_fields(read_object(ArchitectureFields, data, path), path)


def model_of_fields(fields: ArchitectureFields, path: str = "model.architecture") -> NeuralModel:
    """The model of already read fields; checks that they agree with one another."""
    shape = _shape(fields, path)
    counted = count_parameters(shape)
    parameters = counted.total
    if fields.parameters_b is not None:
        parameters = fields.parameters_b * 1e9
        low, high = (parameters * edge for edge in COUNT_RATIO_RANGE)
        if not low <= counted.total <= high:
            accepted = Message(N_("about {count:.3g} billion by this shape"), {"count": counted.total / 1e9})
            reason = Message(N_("the parameter count contradicts the shape"))
            raise InputError("impossible", f"{path}.parameters_b", fields.parameters_b, reason, accepted)
    active = counted.active * parameters / counted.total if shape.is_moe else None
    if fields.active_parameters_b is not None:
        active = fields.active_parameters_b * 1e9
        if active > parameters * 1.001:
            raise _impossible(
                f"{path}.active_parameters_b", fields.active_parameters_b, N_("more than the model has")
            )
    whole_active = None if active is None else round(active)
    shape = replace(shape, parameters=round(parameters), active_parameters=whole_active)
    return NeuralModel(
        id="custom",
        name=fields.name or "custom architecture",
        kind=ModelKind.DECODER,
        parameters=round(parameters),
        active_parameters=whole_active,
        architecture=shape,
        evidence_kind=EvidenceKind.CALCULATED,
        derived_fields=frozenset() if fields.parameters_b is not None else frozenset({"parameters"}),
        inferred_fields=frozenset({"head_dim"}) if _head_dim_open(fields) else frozenset(),
    )


def model_from_size(parameters_b: object, path: str = "model.parameters_b") -> NeuralModel:
    """A typical dense decoder of `parameters_b` billion parameters; its shape is marked as assumed.

    Raises:
        InputError: not a number or out of range.
    """
    billions = read_number(path, parameters_b, *TYPICAL_B_RANGE)
    layers = _typical_layers(billions)
    tied, head_dim = billions < 4, 64 if billions < 1 else 128
    hidden = _typical_hidden(billions, layers, tied, head_dim * (8 if billions >= 4 else 4))
    heads = hidden // head_dim
    shape = {
        "layers": layers, "hidden": hidden, "heads": heads, "kv_heads": math.gcd(heads, 8),
        "head_dim": head_dim,
        "ffn": _typical_ffn(billions, layers, hidden, tied), "vocab": _typical_vocab(billions),
        "tied_embeddings": tied, "parameters_b": billions, "name": f"typical dense decoder, {billions:g} B",
    }  # fmt: skip
    model = model_from_architecture(shape, path)
    return replace(
        model,
        id=f"typical-{billions:g}b",
        evidence_kind=EvidenceKind.ASSUMED,
        inferred_fields=frozenset({"architecture"}),
    )


def model_from_object(data: Mapping[str, object], path: str = "model") -> NeuralModel | None:
    """The model of `{"architecture": …}` or `{"parameters_b": …}`; None for an object of another kind."""
    if "architecture" in data:
        _only(data, "architecture", path)
        return model_from_architecture(data["architecture"], f"{path}.architecture")
    if "parameters_b" in data:
        _only(data, "parameters_b", path)
        return model_from_size(data["parameters_b"], f"{path}.parameters_b")
    return None


def _only(data: Mapping[str, object], name: str, path: str) -> None:
    for other in data:
        if other != name:
            accepted = Message(N_("one of {names}"), {"names": "architecture, config, file, parameters_b"})
            raise InputError("unknown_field", f"{path}.{other}", None, Message(N_("unknown field")), accepted)


def _shape(f: ArchitectureFields, path: str) -> Architecture:
    layers = _needed(f.layers, f"{path}.layers", 1, LAYERS_MAX)
    hidden = _needed(f.hidden, f"{path}.hidden", 8, WIDTH_MAX)
    heads = _needed(f.heads, f"{path}.heads", 1, 100_000)
    vocab = _needed(f.vocab, f"{path}.vocab", 1, 100_000_000)
    experts = f.experts or 0
    dense_ffn = f.ffn if f.ffn is not None else f.expert_ffn if experts else None
    ffn = _needed(dense_ffn, f"{path}.ffn", 0 if experts else 1, WIDTH_MAX)
    kv_heads = f.kv_heads or heads
    if heads % kv_heads:
        raise _impossible(f"{path}.kv_heads", kv_heads, N_("the heads must be a multiple of the KV heads"))
    dense_layers = f.dense_layers or 0
    if dense_layers > layers:
        raise _impossible(f"{path}.dense_layers", dense_layers, N_("more than the model has layers"))
    return Architecture(
        layers=layers, hidden=hidden, heads=heads, kv_heads=kv_heads, head_dim=_head_dim(f, hidden, heads, path),
        ffn=ffn, vocab=vocab, gated_mlp=f.gated_mlp, tied_embeddings=f.tied_embeddings,
        experts=experts, experts_per_token=_experts_per_token(f, path),
        expert_ffn=(f.expert_ffn or ffn) if experts else None,
        shared_experts=(f.shared_experts or 0) if experts else 0,
        shared_expert_ffn=f.shared_expert_ffn if experts else None,
        dense_layers=dense_layers if experts else 0,
        mla=_mla(f.mla), attention_layers=_attention_layers(f, layers, path),
        full_head_dim=f.full_head_dim, full_kv_heads=f.full_kv_heads, attention_bias=f.attention_bias,
        qk_norm=f.qk_norm, positions=f.positions or 0, max_context=f.max_context,
    )  # fmt: skip


def _experts_per_token(f: ArchitectureFields, path: str) -> int:
    if not f.experts:
        return 0
    if not f.experts_per_token:
        accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": f.experts})
        reason = Message(N_("a mixture of experts needs the number of experts a token passes"))
        raise InputError("missing", f"{path}.experts_per_token", None, reason, accepted)
    if f.experts_per_token > f.experts:
        raise _impossible(
            f"{path}.experts_per_token", f.experts_per_token, N_("more than the model has experts")
        )
    return f.experts_per_token


def _mla(mla: MlaFields | None) -> Mla | None:
    return None if mla is None else Mla(mla.kv_rank, mla.rope_dim, mla.q_rank, mla.nope_dim, mla.value_dim)


def _attention_layers(f: ArchitectureFields, layers: int, path: str) -> AttentionLayers | None:
    kinds = f.attention_layers
    if kinds is None:
        if f.sliding_window is None:
            return None
        return AttentionLayers(full=0, sliding=layers, window=f.sliding_window)
    where = f"{path}.attention_layers"
    if not 1 <= kinds.full + kinds.sliding + kinds.linear <= layers:
        accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": layers})
        total = kinds.full + kinds.sliding + kinds.linear
        reason = Message(N_("the counts must add up to at most the number of layers"))
        raise InputError("impossible", where, total, reason, accepted)
    window = kinds.window or f.sliding_window
    if kinds.sliding and window is None:
        reason = Message(N_("sliding layers need their window in tokens"))
        raise InputError("missing", f"{where}.window", None, reason, Message(N_("a whole number of tokens")))
    return AttentionLayers(
        full=kinds.full, sliding=kinds.sliding, window=window, linear=kinds.linear,
        linear_state_bytes=kinds.linear_state_bytes,
    )  # fmt: skip


def _head_dim(f: ArchitectureFields, hidden: int, heads: int, path: str) -> int:
    if _head_dim_open(f) and f.parameters_b is not None:
        return DECOUPLED_HEAD_DIM  # the stated total is scaled to, so only attention's share rests on it
    if f.head_dim is None and hidden % heads:
        accepted = Message(N_("a divisor of {hidden}, or a head_dim beside it"), {"hidden": hidden})
        reason = Message(N_("the hidden size must divide evenly over the heads where no head_dim is given"))
        raise InputError("impossible", f"{path}.heads", heads, reason, accepted)
    return f.head_dim or hidden // heads


def _head_dim_open(f: ArchitectureFields) -> bool:
    """Heads that do not divide the hidden size and, as in all published models, are wider than it together."""
    hidden, heads = f.hidden or 0, f.heads or 1
    return f.head_dim is None and bool(hidden % heads) and heads * DECOUPLED_HEAD_DIM > hidden


def _needed(value: int | None, path: str, low: int, high: int) -> int:
    if value is None:
        accepted = Message(N_("a number from {low} to {high}"), {"low": low, "high": high})
        raise InputError("missing", path, None, Message(N_("this field is required")), accepted)
    return int(read_number(path, value, low, high, integer=True))


def _impossible(path: str, value: object, reason: str) -> InputError:
    return InputError("impossible", path, value, Message(reason))


def _typical_layers(billions: float) -> int:
    """Log-linear between published models, to a whole number."""
    points = TYPICAL_LAYERS
    if billions <= points[0][0]:
        return max(2, round(points[0][1] * math.sqrt(math.sqrt(billions / points[0][0]))))
    for (low, few), (high, many) in itertools.pairwise(points):
        if billions <= high:
            share = math.log(billions / low) / math.log(high / low)
            return round(few + share * (many - few))
    return round(points[-1][1] * math.sqrt(math.sqrt(billions / points[-1][0])))


def _typical_vocab(billions: float) -> int:
    return 128_256 if billions >= 0.4 else 32_000


def _typical_hidden(billions: float, layers: int, tied: bool, step: int) -> int:
    """The multiple of `step` next to the root of layers · 13 · hidden² + tables · hidden = parameters."""
    a = layers * (2 * 1.25 + 3 * 3.5)
    b = _typical_vocab(billions) * (1 if tied else 2)
    hidden = (-b + math.sqrt(b * b + 4 * a * billions * 1e9)) / (2 * a)
    return max(1, round(hidden / step)) * step


def _typical_ffn(billions: float, layers: int, hidden: int, tied: bool) -> int:
    """The feed-forward size that makes the count come out, to a multiple of 64."""
    tables = _typical_vocab(billions) * hidden * (1 if tied else 2)
    left = billions * 1e9 - tables - layers * 2.5 * hidden**2
    return max(64, round(left / (3 * layers * hidden) / 64) * 64)
