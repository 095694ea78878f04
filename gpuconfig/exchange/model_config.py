"""Hugging Face `config.json` -> NeuralModel; unknown architectures are refused with what is missing."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import ModelKind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.model_spec import (
    ArchitectureFields,
    MlaFields,
    model_of_fields,
)
from gpuconfig.exchange.attention_pattern import attention_pattern, hybrid_layers
from gpuconfig.exchange.config_numbers import first, positive
from gpuconfig.exchange.latent_attention import compressed_context, mla_fields
from gpuconfig.exchange.model_details import with_details
from gpuconfig.exchange.model_families import FAMILIES, UNMODELLED, Family
from gpuconfig.exchange.stored_format import native_format
from gpuconfig.exchange.vision_tower import tower_parameters, vision_tower

NAMES: Mapping[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model", "dim"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": (
        "num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "num_attention_groups",
    ),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "ffn": ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "d_ff"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "experts": ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"),
    "experts_per_token": (
        "num_experts_per_tok", "num_experts_per_token", "moe_k", "moe_top_k", "top_k_experts",
        "num_selected_experts", "moe_topk", "num_experts_per_topk",
    ),
    "expert_ffn": ("moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size"),
    "shared_experts": (
        "n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert",
    ),
    "shared_expert_ffn": (
        "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size",
        "share_expert_dim",
    ),
    "max_context": (
        "max_position_embeddings", "n_positions", "seq_length", "max_seq_len",
        "max_sequence_length", "n_ctx",
    ),
}  # fmt: skip
"""Field of the architecture -> the names that configurations use for it."""

COMPRESSED = "deepseek_v4"
"""Caches a compressed context: without its ratios nothing can be said of it."""
NEEDED = ("layers", "hidden", "heads", "vocab")


def model_from_config(config: object, path: str = "model.config") -> NeuralModel:
    """The model a `config.json` describes.

    Args:
        config: the parsed JSON.
        path: dotted name used in errors.

    Raises:
        InputError: not an object, an unknown architecture, or a missing size; the message names it
            and says what was read, so that the shape can be completed by hand.
    """
    if not isinstance(config, Mapping):
        raise InputError(
            "wrong_type", path, type(config).__name__, Message(N_("an object with named fields is needed"))
        )
    name = _name(config)
    if "_class_name" in config or "unet" in config:
        reason = Message(N_("this is a diffusion pipeline; choose it from the presets"))
        raise InputError("unknown_value", path, str(config.get("_class_name", "")), reason)
    text = _text_part(config)
    kind = str(text.get("model_type") or config.get("model_type") or "")
    family = FAMILIES.get(kind)
    if family is None:
        raise _unknown(kind or name, text, path)
    if kind == COMPRESSED and compressed_context(text) is None:
        raise _unknown(kind, text, path)
    left_out = frozenset(name for name in family.defaults if _get(text, name) is None)
    fields = _fields(text, family, path)
    model = with_details(model_of_fields(fields, path), text)
    tower = vision_tower(config)
    image_part = None if tower is None else tower_parameters(tower)
    return dataclasses.replace(
        model,
        parameters=model.parameters + (image_part or 0),
        id=f"config-{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-') or kind}",
        name=name or kind,
        kind=ModelKind.ENCODER if family.encoder else ModelKind.DECODER,
        family=kind,
        hugging_face=name if "/" in name else "",
        native_precision=native_format(config, text),
        vision_parameters=image_part,
        vision_tower=tower,
        inferred_fields=model.inferred_fields | left_out,
    )


def _name(config: Mapping[str, object]) -> str:
    given = str(config.get("_name_or_path") or "")
    if given and not given.startswith((".", "/")) and "\\" not in given:
        return given
    classes = config.get("architectures")
    return str(classes[0]) if isinstance(classes, list) and classes else ""


def _text_part(config: Mapping[str, object]) -> Mapping[str, object]:
    """The language model's own fields: vision-language configurations nest them."""
    for key in ("text_config", "llm_config", "language_config", "thinker_config"):
        inner = config.get(key)
        if isinstance(inner, Mapping) and inner:
            return _text_part({k: v for k, v in config.items() if k not in (key, "model_type")} | dict(inner))
    return config


def _unknown(kind: str, config: Mapping[str, object], path: str) -> InputError:
    found = {f: v for f in NAMES if isinstance(v := _get(config, f), int)}
    missing = [f for f in (*NEEDED, "ffn") if f not in found]
    if kind in UNMODELLED:
        reason = Message(UNMODELLED[kind], {"name": kind})
    else:
        reason = Message(
            N_("the architecture {name} is not known; read: {found}; missing: {missing}"),
            {
                "name": kind or "?",
                "found": ", ".join(f"{k}={v}" for k, v in found.items()) or "-",
                "missing": ", ".join(missing) or "-",
            },
        )
    accepted = Message(N_("complete the shape by hand as `architecture`"))
    return InputError("unknown_value", f"{path}.model_type", kind or None, reason, accepted)


def _get(config: Mapping[str, object], field: str) -> object:
    for name in NAMES[field]:
        value = config.get(name)
        if value is not None:
            return value
    return None


def _number(config: Mapping[str, object], field: str, path: str) -> int | None:
    """A whole number; of a list its commonest, of a pair of text and image experts that of text, the first."""
    value = _get(config, field)
    if isinstance(value, list | tuple):
        numbers = [v for v in value if isinstance(v, int) and v > 0]
        value = max(numbers, key=numbers.count) if numbers else value or None
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or value != int(value)
    ):
        named = next(n for n in NAMES[field] if config.get(n) is not None)
        raise InputError("wrong_type", f"{path}.{named}", value, Message(N_("a whole number is needed")))
    return int(value)


def _fields(config: Mapping[str, object], family: Family, path: str) -> ArchitectureFields:
    number = {name: _number(config, name, path) or family.defaults.get(name) for name in NAMES}
    hybrid = hybrid_layers(config, number["hidden"] or 0)
    if hybrid:
        number["layers"] = hybrid.layers
    for name in NEEDED:
        if number[name] is None:
            accepted = Message(N_("one of {names}"), {"names": ", ".join(NAMES[name])})
            raise InputError(
                "missing", f"{path}.{NAMES[name][0]}", None, Message(N_("this field is required")), accepted
            )
    layers, experts, hidden = number["layers"] or 0, number["experts"] or 0, number["hidden"] or 0
    pattern = hybrid.attention if hybrid else attention_pattern(config, layers, hidden, family.window_every)
    shared = number["shared_experts"] or (1 if number["shared_expert_ffn"] else family.shared_experts)
    ffn, mla = _ffn(config, number, family), mla_fields(config)
    beside = (
        ffn if experts and config.get("enable_moe_block") is True else None
    )  # Gemma 4: beside the experts
    return ArchitectureFields(
        layers=layers, hidden=hidden, heads=number["heads"], kv_heads=_kv_heads(config, number),
        head_dim=_head_dim(config, number, mla) or family.head_dim,
        ffn=round(ffn * hybrid.dense_share) if ffn and hybrid else ffn, vocab=number["vocab"],
        gated_mlp=family.gated, tied_embeddings=_flag(config, "tie_word_embeddings", family.tied),
        experts=experts or None, experts_per_token=number["experts_per_token"] if experts else None,
        expert_ffn=_expert_ffn(config, number) if experts else None,
        shared_experts=(1 if beside else shared) if experts else None,
        shared_expert_ffn=(beside or number["shared_expert_ffn"]) if experts else None,
        dense_layers=hybrid.dense_layers if hybrid else _dense_layers(config, layers) if experts else None,
        mla=mla, attention_layers=pattern,
        full_head_dim=positive(config.get("global_head_dim")), full_kv_heads=_full_kv_heads(config),
        attention_bias=_bias(config, family), qk_norm=family.qk_norm,
        positions=number["max_context"] if family.learned_positions else None,
        max_context=number["max_context"],
    )  # fmt: skip


def _ffn(config: Mapping[str, object], number: Mapping[str, int | None], family: Family) -> int | None:
    ffn, hidden = _dense_ffn(config) or number["ffn"], number["hidden"]
    if ffn is None and not family.gated and hidden:
        return 4 * hidden  # the GPT convention, written as null in these files
    if ffn and config.get("block_auto_adjust_ff_dim") is True:  # LFM2 states it before the gate's share
        multiple = positive(config.get("block_multiple_of")) or 1
        return math.ceil(2 * ffn // 3 / multiple) * multiple
    shared = positive(config.get("num_kv_shared_layers"))
    if ffn and shared and config.get("use_double_wide_mlp") is True:
        return round(ffn * (1 + shared / (number["layers"] or shared)))
    return ffn


def _dense_ffn(config: Mapping[str, object]) -> int | None:
    """The dense layers' own size where `intermediate_size` is that of an expert (Llama 4, MiniMax M3)."""
    return positive(config.get("intermediate_size_mlp")) or positive(config.get("dense_intermediate_size"))


def _expert_ffn(config: Mapping[str, object], number: Mapping[str, int | None]) -> int | None:
    return number["expert_ffn"] or (number["ffn"] if _dense_ffn(config) else None)


def _head_dim(
    config: Mapping[str, object], number: Mapping[str, int | None], mla: MlaFields | None
) -> int | None:
    """Head size; with values narrower than keys the mean of both, which has their weights, cache and work."""
    if mla:
        return number["head_dim"] or mla.nope_dim
    key, value = number["head_dim"], positive(config.get("v_head_dim"))
    return (key + value) // 2 if key and value else key


def _full_kv_heads(config: Mapping[str, object]) -> int | None:
    if positive(config.get("swa_num_key_value_heads")):
        return positive(config.get("num_key_value_heads"))
    return positive(config.get("num_global_key_value_heads"))


def _kv_heads(config: Mapping[str, object], number: Mapping[str, int | None]) -> int | None:
    if config.get("multi_query") is True and not config.get("new_decoder_architecture"):
        return 1
    return positive(config.get("swa_num_key_value_heads")) or number["kv_heads"]


def _dense_layers(config: Mapping[str, object], layers: int) -> int:
    """Layers without experts."""
    if (step := positive(config.get("interleave_moe_layer_step"))) and step > 1:
        return layers - layers // step
    kinds = config.get("mlp_layer_types") or config.get("moe_layer_freq")
    if isinstance(kinds, Sequence) and not isinstance(kinds, str) and len(kinds) == layers:
        return sum(1 for k in kinds if k in (0, "dense"))
    sparse_layers = config.get("moe_layers_enum")
    if isinstance(sparse_layers, str):
        return layers - len(sparse_layers.split(","))
    only = config.get("mlp_only_layers")
    dense = len(only) if isinstance(only, list) else 0
    sparse = positive(config.get("decoder_sparse_step")) or 1
    if sparse > 1:
        return layers - layers // sparse
    for key in ("first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"):
        dense = max(dense, positive(first(config.get(key))) or 0)
    return min(dense, layers)


def _bias(config: Mapping[str, object], family: Family) -> bool:
    for key in ("attention_bias", "qkv_bias", "add_qkv_bias", "use_bias", "bias"):
        if isinstance(value := config.get(key), bool):
            return value
    return family.bias


def _flag(config: Mapping[str, object], key: str, default: bool) -> bool:
    value = config.get(key)
    return value if isinstance(value, bool) else default
