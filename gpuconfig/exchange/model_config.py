"""Hugging Face `config.json` -> NeuralModel; unknown architectures are refused with what is missing."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence

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
from gpuconfig.exchange.model_families import ENCODER_DECODER, FAMILIES, STATE_SPACE, Family
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
    "shared_expert_ffn": ("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"),
    "max_context": (
        "max_position_embeddings", "n_positions", "seq_length", "max_seq_len",
        "max_sequence_length", "n_ctx",
    ),
}  # fmt: skip
"""Field of the architecture -> the names that configurations use for it."""

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
    fields = _fields(text, family, path)
    model = model_of_fields(fields, path)
    tower = vision_tower(config)
    return dataclasses.replace(
        model,
        id=f"config-{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-') or kind}",
        name=name or kind,
        kind=ModelKind.ENCODER if family.encoder else ModelKind.DECODER,
        family=kind,
        hugging_face=name if "/" in name else "",
        native_precision=_native_format(config, text),
        vision_parameters=None if tower is None else tower_parameters(tower),
        vision_tower=tower,
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
    if kind in STATE_SPACE:
        reason = Message(
            N_("{name} is a state-space model without attention, which is not modelled"), {"name": kind}
        )
    elif kind in ENCODER_DECODER:
        reason = Message(N_("{name} is an encoder-decoder, which is not modelled"), {"name": kind})
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
    """A whole number; a list that repeats one number counts as it, a mixed list as its commonest."""
    value = _get(config, field)
    if isinstance(value, list | tuple):
        numbers = [v for v in value if isinstance(v, int) and v > 0]
        value = max(set(numbers), key=numbers.count) if numbers else value or None
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
    number = {name: _number(config, name, path) for name in NAMES}
    for name in NEEDED:
        if number[name] is None:
            accepted = Message(N_("one of {names}"), {"names": ", ".join(NAMES[name])})
            raise InputError(
                "missing", f"{path}.{NAMES[name][0]}", None, Message(N_("this field is required")), accepted
            )
    layers, experts = number["layers"] or 0, number["experts"] or 0
    hybrid = hybrid_layers(config)
    pattern = hybrid.attention if hybrid else attention_pattern(config, layers, family.window_every)
    shared = number["shared_experts"] or (1 if number["shared_expert_ffn"] else family.shared_experts)
    ffn = _ffn(config, number, family)
    return ArchitectureFields(
        layers=hybrid.layers if hybrid else layers,
        hidden=number["hidden"], heads=number["heads"], kv_heads=_kv_heads(config, number),
        head_dim=number["head_dim"] or family.head_dim, ffn=ffn, vocab=number["vocab"],
        gated_mlp=family.gated, tied_embeddings=_flag(config, "tie_word_embeddings", family.tied),
        experts=experts or None, experts_per_token=number["experts_per_token"] if experts else None,
        expert_ffn=number["expert_ffn"] if experts else None,
        shared_experts=shared if experts else None,
        shared_expert_ffn=number["shared_expert_ffn"] if experts else None,
        dense_layers=hybrid.dense_layers if hybrid else _dense_layers(config, layers) if experts else None,
        mla=_mla(config), attention_layers=pattern,
        full_head_dim=_plain_int(config.get("global_head_dim")),
        full_kv_heads=_plain_int(config.get("num_global_key_value_heads")),
        attention_bias=_bias(config, family), qk_norm=family.qk_norm,
        positions=number["max_context"] if family.learned_positions else None,
        max_context=number["max_context"],
    )  # fmt: skip


def _ffn(config: Mapping[str, object], number: Mapping[str, int | None], family: Family) -> int | None:
    ffn = (
        _plain_int(config.get("intermediate_size_mlp")) or number["ffn"]
    )  # Llama 4 names its dense size apart
    if ffn is None and not family.gated and number["hidden"]:
        return 4 * number["hidden"]  # the GPT convention, written as null in these files
    return ffn


def _kv_heads(config: Mapping[str, object], number: Mapping[str, int | None]) -> int | None:
    if config.get("multi_query") is True and not config.get("new_decoder_architecture"):
        return 1
    return number["kv_heads"]


def _dense_layers(config: Mapping[str, object], layers: int) -> int:
    """Layers without experts."""
    if (step := _plain_int(config.get("interleave_moe_layer_step"))) and step > 1:
        return layers - layers // step
    kinds = config.get("mlp_layer_types") or config.get("moe_layer_freq")
    if isinstance(kinds, Sequence) and not isinstance(kinds, str) and len(kinds) == layers:
        return sum(1 for k in kinds if k in (0, "dense"))
    only = config.get("mlp_only_layers")
    dense = len(only) if isinstance(only, list) else 0
    sparse = _plain_int(config.get("decoder_sparse_step")) or 1
    if sparse > 1:
        return layers - layers // sparse
    for key in ("first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"):
        dense = max(dense, _plain_int(config.get(key)) or 0)
    return min(dense, layers)


def _mla(config: Mapping[str, object]) -> MlaFields | None:
    rank = _plain_int(config.get("kv_lora_rank"))
    if not rank:
        return None
    return MlaFields(
        kv_rank=rank, rope_dim=_plain_int(config.get("qk_rope_head_dim")) or 64,
        q_rank=_plain_int(config.get("q_lora_rank")), nope_dim=_plain_int(config.get("qk_nope_head_dim")),
        value_dim=_plain_int(config.get("v_head_dim")),
    )  # fmt: skip


def _bias(config: Mapping[str, object], family: Family) -> bool:
    for key in ("attention_bias", "qkv_bias", "add_qkv_bias", "use_bias", "bias"):
        if isinstance(value := config.get(key), bool):
            return value
    return family.bias


def _flag(config: Mapping[str, object], key: str, default: bool) -> bool:
    value = config.get(key)
    return value if isinstance(value, bool) else default


def _plain_int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _native_format(*configs: Mapping[str, object]) -> str:
    """The stored format: the quantisation where there is one, else the number type."""
    for config in configs:
        quantised = config.get("quantization_config")
        if isinstance(quantised, Mapping) and (found := _quantised_format(quantised)):
            return found
    for config in configs:
        dtype = str(config.get("torch_dtype") or config.get("dtype") or "")
        for word, short in (
            ("bfloat16", "bf16"),
            ("float16", "fp16"),
            ("float32", "fp32"),
            ("float8", "fp8"),
        ):
            if word in dtype:
                return short
    return "bf16"


def _quantised_format(quantised: Mapping[str, object]) -> str:
    method = str(quantised.get("quant_method") or quantised.get("quant_algo") or "").lower()
    bits = _plain_int(quantised.get("bits")) or next(_group_bits(quantised), 0)
    if method in ("awq", "gptq"):
        return f"{method}_int{bits or 4}"
    for word in ("nvfp4", "mxfp4", "fp8"):
        if word in f"{method} {quantised.get('format', '')} {quantised.get('quant_algo', '')}".lower():
            return word
    if method == "compressed-tensors" and bits:
        return "gptq_int4" if bits == 4 else "fp8" if "float" in str(quantised) else "gptq_int8"
    if method == "bitsandbytes":
        return "nf4" if quantised.get("load_in_4bit") else "int8"
    return ""


def _group_bits(quantised: Mapping[str, object]) -> Iterator[int]:
    groups = quantised.get("config_groups")
    for group in groups.values() if isinstance(groups, Mapping) else ():
        weights = group.get("weights") if isinstance(group, Mapping) else None
        if isinstance(weights, Mapping) and (bits := _plain_int(weights.get("num_bits"))):
            yield bits
