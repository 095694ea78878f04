"""GGUF header -> NeuralModel with exact parameters, weight bytes and stored format."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from gguf.constants import LlamaFileType

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.model_spec import (
    ArchitectureFields,
    AttentionLayerFields,
    MlaFields,
    model_of_fields,
)
from gpuconfig.exchange.gguf_header import GgufHeader, read_gguf_header

WINDOW_EVERY = {"gemma2": 2, "gemma3": 6, "gemma4": 6, "gpt-oss": 2, "cohere2": 4, "exaone4": 4}
"""llama.cpp's architecture -> one layer of full attention in so many, where the file carries no pattern."""

_SHARD = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")


def model_from_gguf(path: Path, field: str = "model.file") -> NeuralModel:
    """The model of a GGUF file; the other parts of a split file are read where they lie beside it.

    Raises:
        DataError: not a readable GGUF file.
        InputError: an architecture whose header lacks what a transformer needs; names it and what is missing.
    """
    headers = [read_gguf_header(p) for p in _parts(path, field)]
    first = headers[0]
    arch = str(first.metadata.get("general.architecture", "?"))
    tensors = {t.name: t for h in headers for t in h.tensors}
    fields = _Keys(first, arch, field).fields(tensors.keys(), _vocabulary(first, tensors))
    elements = sum(h.elements for h in headers)
    checked = dataclasses.replace(fields, parameters_b=None)
    model = model_of_fields(checked, field)
    shape = model.architecture
    if shape is None:  # model_of_fields always gives one
        raise InputError("missing", field, arch, Message(N_("this field is required")))
    share = elements / model.parameters
    active = None if model.active_parameters is None else round(model.active_parameters * share)
    name = str(first.metadata.get("general.name") or path.stem)
    return dataclasses.replace(
        model,
        id=f"gguf-{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-')}",
        name=name,
        family=arch,
        parameters=elements,
        active_parameters=active,
        architecture=dataclasses.replace(shape, parameters=elements, active_parameters=active),
        native_precision=_file_format(first, path),
        file_bytes=sum(h.tensor_bytes for h in headers),
        file_format=_file_format(first, path),
    )


def _parts(path: Path, field: str) -> list[Path]:
    match = _SHARD.search(path.name)
    if not match:
        return [path]
    stem, count = path.name[: match.start()], int(match[2])
    parts = [path.with_name(f"{stem}-{i:05d}-of-{count:05d}.gguf") for i in range(1, min(count, 1000) + 1)]
    missing = [p.name for p in parts if not p.exists()]
    if missing:
        reason = Message(
            N_("other parts of the split file are missing: {names}"), {"names": ", ".join(missing[:3])}
        )
        raise InputError("missing", field, path.name, reason)
    return parts


def _vocabulary(header: GgufHeader, tensors: object) -> int | None:
    table = tensors.get("token_embd.weight") if isinstance(tensors, dict) else None
    if table is not None and len(table.shape) > 1:
        return int(table.shape[1])
    return header.array_lengths.get("tokenizer.ggml.tokens")


def _file_format(header: GgufHeader, path: Path) -> str:
    """`gguf:` and the file type in the names of requests."""
    number = header.metadata.get("general.file_type")
    named = re.search(r"(UD-)?(I?Q\d\w*_?\w*|MXFP4|BF16|F16|F32)", path.stem, re.IGNORECASE)
    if isinstance(number, int) and number in set(LlamaFileType):
        word = (
            LlamaFileType(number)
            .name.removeprefix("MOSTLY_")
            .removeprefix("ALL_")
            .removesuffix("_MOE")
            .lower()
        )
        return f"gguf:{word}"
    return f"gguf:{named[2].lower()}" if named else "gguf:f16"


class _Keys:
    """Reads the keys of one architecture."""

    def __init__(self, header: GgufHeader, arch: str, field: str) -> None:
        self._metadata, self._arch, self._field = header.metadata, arch, field

    def fields(self, names: Iterable[str], vocab: int | None) -> ArchitectureFields:
        found = set(names)
        layers, hidden, heads = (
            self._one("block_count"),
            self._one("embedding_length"),
            self._one("attention.head_count"),
        )
        needs = {
            "block_count": layers,
            "embedding_length": hidden,
            "attention.head_count": heads,
            "vocab_size": vocab,
        }
        missing = [f"{self._arch}.{k}" for k, v in needs.items() if not v]
        if missing or not any(".attn_" in n or ".attn." in n for n in found):
            reason = Message(
                N_("the architecture {name} is not a transformer that can be read; missing: {missing}"),
                {"name": self._arch, "missing": ", ".join(missing) or "attn tensors"},
            )
            accepted = Message(N_("complete the shape by hand as `architecture`"))
            raise InputError("unknown_value", self._field, self._arch, reason, accepted)
        expert_ffn, experts = self._one("expert_feed_forward_length"), self._one("expert_count")
        kv_heads = self._one("attention.head_count_kv")
        mla = self._mla()
        return ArchitectureFields(
            layers=layers, hidden=hidden, heads=heads, kv_heads=heads if mla else kv_heads,
            head_dim=self._one("attention.key_length_swa") or self._one("attention.key_length_mla")
            or self._one("attention.key_length"),
            ffn=self._one("feed_forward_length") or expert_ffn, vocab=vocab,
            gated_mlp=any("ffn_gate" in n for n in found), tied_embeddings="output.weight" not in found,
            experts=experts, experts_per_token=self._one("expert_used_count") if experts else None,
            expert_ffn=expert_ffn if experts else None,
            shared_experts=self._shared(found) if experts else None,
            shared_expert_ffn=self._one("expert_shared_feed_forward_length") if experts else None,
            dense_layers=self._one("leading_dense_block_count") if experts else None,
            mla=mla, attention_layers=self._pattern(layers or 0), full_kv_heads=self._full_kv_heads(),
            full_head_dim=self._one("attention.key_length") if self._one("attention.key_length_swa") else None,
            attention_bias="blk.0.attn_q.bias" in found, qk_norm="blk.0.attn_q_norm.weight" in found,
            max_context=self._one("context_length"),
        )  # fmt: skip

    def _value(self, key: str) -> object:
        return self._metadata.get(f"{self._arch}.{key}")

    def _one(self, key: str) -> int | None:
        value = self._value(key)
        if isinstance(value, list):
            positive = [int(v) for v in value if v]
            return max(set(positive), key=positive.count) if positive else None
        return int(value) if isinstance(value, int) and value > 0 else None

    def _full_kv_heads(self) -> int | None:
        """KV heads of the layers of full attention, where the file tells them layer by layer."""
        kv_heads, sliding = (
            self._value("attention.head_count_kv"),
            self._value("attention.sliding_window_pattern"),
        )
        if not isinstance(kv_heads, list) or not isinstance(sliding, list):
            return None
        return next((int(v) for v, near in zip(kv_heads, sliding, strict=False) if v and not near), None)

    def _shared(self, names: set[str]) -> int:
        return self._one("expert_shared_count") or int(any("ffn_up_shexp" in n for n in names))

    def _mla(self) -> MlaFields | None:
        rank = self._one("attention.kv_lora_rank")
        if not rank:
            return None
        rope = self._one("rope.dimension_count") or 64
        key = self._one("attention.key_length_mla") or self._one("attention.key_length")
        nope = key - rope if key and key > rope else None
        value = self._one("attention.value_length_mla") or self._one("attention.value_length")
        return MlaFields(
            kv_rank=rank,
            rope_dim=rope,
            q_rank=self._one("attention.q_lora_rank"),
            nope_dim=nope,
            value_dim=value,
        )

    def _pattern(self, layers: int) -> AttentionLayerFields | None:
        window = self._one("attention.sliding_window")
        kv_heads = self._value("attention.head_count_kv")
        if isinstance(kv_heads, list) and 0 in kv_heads:
            inner = self._value("feed_forward_length")
            alone = inner if isinstance(inner, list) and 0 in inner else [0] * layers  # blocks of one purpose
            stateful = sum(1 for v, ffn in zip(kv_heads, alone, strict=False) if not v and not ffn)
            return self._hybrid(sum(1 for v in kv_heads if v), stateful)
        if every := self._one("full_attention_interval"):
            return self._hybrid(layers // every, layers - layers // every)
        if self._one("ssm.inner_size") and not isinstance(kv_heads, list):
            return self._hybrid(layers // 4, layers - layers // 4)
        if window is None:
            return None
        pattern = self._value("attention.sliding_window_pattern")
        if isinstance(pattern, Sequence) and not isinstance(pattern, str):
            sliding = sum(1 for v in pattern[:layers] if v)
            return AttentionLayerFields(full=layers - sliding, sliding=sliding, window=window)
        every = pattern if isinstance(pattern, int) and pattern > 0 else WINDOW_EVERY.get(self._arch, 0)
        full = layers // every if every else 0
        return AttentionLayerFields(full=full, sliding=layers - full, window=window)

    def _hybrid(self, full: int, linear: int) -> AttentionLayerFields:
        return AttentionLayerFields(full=full, linear=linear, linear_state_bytes=self._state_bytes())

    def _state_bytes(self) -> int | None:
        """State of one sequence in one layer: of a state space or a delta rule, or a short convolution alone."""
        inner, state = self._one("ssm.inner_size"), self._one("ssm.state_size")
        kernel, groups = self._one("ssm.conv_kernel") or 4, self._one("ssm.group_count") or 1
        if inner and state:
            return 4 * (inner * state + (kernel - 1) * (inner + 2 * groups * state))
        delta, heads = self._one("kda.head_dim"), self._one("attention.head_count")
        if delta and heads:
            return 4 * heads * delta * (delta + 3 * (kernel - 1))
        taps, hidden = self._one("shortconv.l_cache"), self._one("embedding_length")
        return 4 * taps * hidden if taps and hidden else None
