"""The stored number format of a model's weights, from its configuration or the quantiser's file beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from gpuconfig.exchange.config_numbers import positive

NUMBER_TYPES = (("bfloat16", "bf16"), ("float16", "fp16"), ("float32", "fp32"), ("float8", "fp8"))
"""Part of a type's name -> its format; `bfloat16` before the word that it contains."""
FOUR_BIT_FLOATS = ("nvfp4", "mxfp4")


def native_format(*configs: Mapping[str, object]) -> str:
    """The stored format: the quantisation where there is one, else the number type."""
    if any(config.get("expert_dtype") == "fp4" for config in configs):
        return "mxfp4_fp8"
    for config in configs:
        quantised = config.get("quantization_config")
        if isinstance(quantised, Mapping) and (found := _quantised_format(quantised)):
            return found
    for config in configs:
        dtype = str(config.get("torch_dtype") or config.get("dtype") or "")
        for word, short in NUMBER_TYPES:
            if word in dtype:
                return short
    return "bf16"


def _quantised_format(quantised: Mapping[str, object]) -> str:
    method = str(quantised.get("quant_method") or quantised.get("quant_algo") or "").lower()
    bits = positive(quantised.get("bits")) or next(_group_bits(quantised), 0)
    for word in ("awq", "gptq"):
        if word in method:
            return f"{word}_int{bits or 4}"
    if method == "bitsandbytes":
        return "nf4" if quantised.get("load_in_4bit") else "int8"
    weights = json.dumps({k: v for k, v in quantised.items() if "kv_cache" not in k}).lower()
    for word in FOUR_BIT_FLOATS:  # beside them, fewer and smaller layers are left in FP8
        if word in weights:
            return word
    if "fp8" in weights:
        return "fp8"
    if method == "compressed-tensors" and bits:
        return "gptq_int4" if bits == 4 else "fp8" if "float" in weights else "gptq_int8"
    return ""


def _group_bits(quantised: Mapping[str, object]) -> Iterator[int]:
    groups = quantised.get("config_groups")
    for group in groups.values() if isinstance(groups, Mapping) else ():
        weights = group.get("weights") if isinstance(group, Mapping) else None
        if isinstance(weights, Mapping) and (bits := positive(weights.get("num_bits"))):
            yield bits
