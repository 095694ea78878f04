"""Stored formats of weights and KV cache: bits by kind of tensor, what the matrix units compute in.

A "4-bit" model is not four bits everywhere: embeddings and output projection stay wide, scales are added, and a GGUF
mix gives some tensors more bits. The bits of GGUF types and mixes are coefficients (`serving_formats`, names `gguf_…`).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from gpuconfig.engine.catalogue.neural_model import Architecture, NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.parameter_count import count_parameters
from gpuconfig.engine.workloads.serving import ServingEngine

GROUP = "serving_formats"
K_QUANT_WIDTH = 256
"""K-quants need rows of a multiple of this; other rows fall back to a 32-wide type."""

KV_BITS = {
    "fp32": 32.0, "bf16": 16.0, "fp16": 16.0, "fp8": 8.0, "int8": 8.08, "q8_0": 8.5, "q5_1": 6.0, "q5_0": 5.5,
    "q4_1": 5.0, "q4_0": 4.5, "iq4_nl": 4.5, "int4": 4.25,
}  # fmt: skip
"""Bits of a cached value, scales included (block layouts of the formats)."""

_WEIGHT_ONLY = re.compile(r"(?:(?:awq|gptq)_)?int([2-8])")
"""Integers with a scale for each group of weights, multiplied in 16 bit."""
PLAIN_BITS = {"fp32": 32.0, "bf16": 16.0, "fp16": 16.0}
WEIGHT_FORMATS = (
    "bf16, fp16, fp32, fp8, int8, int4, awq_int4, gptq_int4, gptq_int8, nf4, nvfp4, mxfp4, mxfp4_fp8, "
    "gguf:<type>, exl2:<bits>, mlx:<n>bit"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFormat:
    """Bits of a weight by kind of tensor.

    Attributes:
        name: as asked for.
        group: what kernels treat alike (`16bit`, `fp8`, `int8`, `int4`, `fp4`, `q4`, …), a scope of coefficients.
        layers, routed: projections of the layers; experts.
        embedding, head: the table and the output projection.
        compute: what the matrix units compute in.
        read_embedding_on_gpu: False where the table stays in host memory.
    """

    name: str
    group: str
    layers: float
    routed: float
    embedding: float
    head: float
    compute: Precision


def weight_format(name: str, model: NeuralModel, coefficients: CoefficientSet, field: str) -> WeightFormat:
    """The format named in a request, for this model.

    Raises:
        InputError: unknown format; names the accepted ones.
    """
    word = name.strip().lower()
    find = coefficients.value
    if word in PLAIN_BITS:
        bits = PLAIN_BITS[word]
        compute = Precision.TF32 if word == "fp32" else Precision.BF16 if word == "bf16" else Precision.FP16
        return WeightFormat(
            name=word, group="16bit", layers=bits, routed=bits, embedding=bits, head=bits, compute=compute
        )
    if word.startswith("gguf:"):
        return _gguf(word, model, coefficients, field)
    if match := re.fullmatch(r"exl[23]:(\d+(?:\.\d+)?)", word):
        bits = float(match[1])
        return WeightFormat(
            name=word, group="int4", layers=bits, routed=bits, embedding=16.0, head=find(GROUP, "exl2_head_bits"),
            compute=Precision.FP16,
        )  # fmt: skip
    if match := re.fullmatch(r"mlx:(\d)bit", word):
        bits = float(match[1]) + find(GROUP, "group_overhead_bits", "mlx")
        return WeightFormat(
            name=word, group="int4" if bits < 6 else "int8", layers=bits, routed=bits, embedding=bits, head=bits,
            compute=Precision.FP16,
        )  # fmt: skip
    if (match := _WEIGHT_ONLY.fullmatch(word)) and word != "int8":
        bits = float(match[1])
        stored = bits + find(GROUP, "group_overhead_bits", word, "gptq_int4")
        return WeightFormat(
            name=word, group="int4" if bits <= 4 else "int8", layers=stored, routed=stored, embedding=16.0, head=16.0,
            compute=Precision.FP16,
        )  # fmt: skip
    kinds = {
        "fp8": (8.0, "fp8", Precision.FP8), "int8": (8.0, "int8", Precision.INT8),
        "nf4": (4.0, "nf4", Precision.BF16),
        "nvfp4": (4.0, "fp4", Precision.FP4), "mxfp4": (4.0, "fp4", Precision.FP4),
        "mxfp4_fp8": (4.0, "fp4", Precision.FP4),
    }  # fmt: skip
    if word not in kinds:
        accepted = Message(N_("one of {names}"), {"names": WEIGHT_FORMATS})
        raise InputError("unknown_value", field, name, Message(N_("not a known weight format")), accepted)
    bits, group, compute = kinds[word]
    stored = bits + find(GROUP, "group_overhead_bits", word, word.partition("_")[0])
    layers, routed = stored, stored
    if word == "mxfp4_fp8":  # DeepSeek V4: experts in four bits, the other projections in eight
        layers = 8.0 + find(GROUP, "group_overhead_bits", "fp8")
    if word == "mxfp4" and model.architecture is not None and model.architecture.experts:
        multiple = find(GROUP, "fp4_row_multiple")
        layers = 16.0  # gpt-oss quantises its experts only
        routed *= math.ceil(model.architecture.hidden / multiple) * multiple / model.architecture.hidden
    return WeightFormat(
        name=word, group=group, layers=layers, routed=routed, embedding=16.0, head=16.0, compute=compute
    )


def kv_bits(name: str, field: str) -> float:
    """Bits of one cached value.

    Raises:
        InputError: unknown format.
    """
    word = name.strip().lower()
    if word not in KV_BITS:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(KV_BITS)})
        raise InputError("unknown_value", field, name, Message(N_("not a known KV cache format")), accepted)
    return KV_BITS[word]


def default_weight_format(engine: ServingEngine, model: NeuralModel) -> str:
    """What an engine is usually given for this model, where the request does not say."""
    if model.file_format:
        return model.file_format
    if engine is ServingEngine.LLAMA_CPP:
        return "gguf:mxfp4" if model.native_precision == "mxfp4" else "gguf:q4_k_m"
    if engine is ServingEngine.MLX:
        return "mlx:4bit"
    if engine is ServingEngine.EXLLAMAV2:
        return "exl2:4.0"
    return model.native_precision or "bf16"


def as_published(name: str, model: NeuralModel) -> bool:
    """Whether weights stored as `name` are those the model is published in, whatever file they are in."""
    return name == model.file_format or name.removeprefix("gguf:") == (model.native_precision or "bf16")


def _gguf(word: str, model: NeuralModel, coefficients: CoefficientSet, field: str) -> WeightFormat:
    kind = word.removeprefix("gguf:").removeprefix("ud-")
    known = coefficients.find(GROUP, "gguf_layer_bits", kind)
    if known is None or known.scope != kind:
        accepted = Message(N_("one of {names}"), {"names": WEIGHT_FORMATS})
        raise InputError("unknown_value", field, word, Message(N_("not a known GGUF type")), accepted)
    find = coefficients.value
    shape = model.architecture
    widened = find(GROUP, "gguf_widened_bits", kind)
    layers = routed = find(GROUP, "gguf_layer_bits", kind)
    head, table = (find(GROUP, f"gguf_{name}_bits", kind) for name in ("head", "embedding"))
    if shape is not None and "_k" in kind and shape.hidden % K_QUANT_WIDTH:
        layers = routed = find(GROUP, "gguf_fallback_bits", kind)
        head, table = max(head, find(GROUP, "gguf_head_fallback_bits")), max(table, layers)
        if (
            not shape.is_moe and shape.ffn % K_QUANT_WIDTH == 0
        ):  # rows of the down projection are as long as this
            layers += (widened - layers) * _widened_shares(shape)[1]
    elif shape is not None:
        value, down = _widened_shares(shape)
        layers += (widened - layers) * (value + (0.0 if shape.is_moe else down))
        routed += (widened - routed) * (1 / 3 if shape.gated_mlp else 1 / 2) if shape.is_moe else 0.0
        layers = max(layers, find(GROUP, "gguf_moe_layer_bits", kind)) if shape.is_moe else layers
    tied = shape is not None and shape.tied_embeddings
    embedding = head if tied else table
    compute = Precision.BF16 if kind == "bf16" else Precision.FP16
    return WeightFormat(
        name=word,
        group=_gguf_group(kind),
        layers=layers,
        routed=routed,
        embedding=embedding,
        head=head,
        compute=compute,
    )


def _gguf_group(kind: str) -> str:
    if kind in ("bf16", "f16", "f32"):
        return "16bit"
    if kind.startswith("mxfp4"):
        return "q4"
    match = re.match(r"t?i?q(\d)", kind)
    digit = match[1] if match else "4"
    return f"iq{digit}" if kind.startswith("iq") and digit in "123" else f"q{digit}"


def _widened_shares(shape: Architecture) -> tuple[float, float]:
    """Shares of the layers' parameters in the value and in the down projections, which a mix gives more bits."""
    counted = count_parameters(shape)
    in_layers = counted.attention + counted.dense_mlp + counted.shared
    if not in_layers:
        return 0.0, 0.0
    value = 0.0 if shape.mla else float(shape.layers) * shape.hidden * shape.kv_heads * shape.head_dim
    down = (counted.dense_mlp + counted.shared) / (3 if shape.gated_mlp else 2)
    return value / in_layers, down / in_layers
