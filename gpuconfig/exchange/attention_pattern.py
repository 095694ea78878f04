"""Which layers attend to everything, to a window, or keep a fixed state, as configurations write it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.workloads.model_spec import AttentionLayerFields

FP32_BYTES = 4
BF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class HybridLayers:
    """A stack of single-purpose blocks (Nemotron-H), counted as layers of attention plus feed-forward."""

    layers: int
    dense_layers: int
    attention: AttentionLayerFields


def hybrid_layers(config: Mapping[str, object]) -> HybridLayers | None:
    """Counts of a `hybrid_override_pattern`: M state space, * attention, - dense, E expert feed-forward."""
    pattern = config.get("hybrid_override_pattern")
    if not isinstance(pattern, str) or not pattern:
        return None
    mamba, full = pattern.count("M"), pattern.count("*")
    dense, experts = pattern.count("-"), pattern.count("E")
    return HybridLayers(
        layers=max(mamba + full, dense + experts),
        dense_layers=dense if experts else 0,
        attention=AttentionLayerFields(full=full, linear=mamba, linear_state_bytes=_mamba_state(config)),
    )


def attention_pattern(
    config: Mapping[str, object], layers: int, window_every: int | None
) -> AttentionLayerFields | None:
    """How the layers attend; None where all see the whole context.

    `window_every` is the family's: one full layer in so many where only a window is given.
    """
    window = _int(config.get("sliding_window")) or _int(config.get("attention_chunk_size"))
    state = _delta_state(config)
    kinds = config.get("layer_types")
    if isinstance(kinds, list) and kinds:
        return _from_types([str(k) for k in kinds[:layers]], window, state)
    linear = config.get("linear_attn_config")
    if isinstance(linear, Mapping) and isinstance(full := linear.get("full_attn_layers"), list):
        return AttentionLayerFields(
            full=len(full), linear=layers - len(full), linear_state_bytes=_kda_state(linear)
        )
    types = config.get("attn_type_list")
    if isinstance(types, list) and 0 in types:
        full_count = sum(1 for t in types if t == 1)
        return AttentionLayerFields(full=full_count, linear=layers - full_count, linear_state_bytes=state)
    if (every := _int(config.get("full_attention_interval"))) and "linear_num_value_heads" in config:
        return AttentionLayerFields(
            full=layers // every, linear=layers - layers // every, linear_state_bytes=state
        )
    if window is None or config.get("use_sliding_window") is False:
        return None
    every = _int(config.get("sliding_window_pattern")) or window_every
    if every:
        return AttentionLayerFields(full=layers // every, sliding=layers - layers // every, window=window)
    return AttentionLayerFields(full=0, sliding=layers, window=window)


def _from_types(kinds: list[str], window: int | None, state: int | None) -> AttentionLayerFields | None:
    sliding = sum(1 for k in kinds if "sliding" in k or "chunked" in k)
    linear = sum(1 for k in kinds if "linear" in k or "mamba" in k)
    full = len(kinds) - sliding - linear
    if not linear and (not sliding or window is None):
        return None
    return AttentionLayerFields(
        full=full, sliding=sliding if window else 0, window=window, linear=linear, linear_state_bytes=state
    )


def _delta_state(config: Mapping[str, object]) -> int | None:
    """A gated delta-net layer's state for one sequence: a key x value matrix a head, and the convolution."""
    heads, key, value = (
        _int(config.get(f"linear_{n}")) for n in ("num_value_heads", "key_head_dim", "value_head_dim")
    )
    if not (heads and key and value):
        return None
    key_heads = _int(config.get("linear_num_key_heads")) or heads
    kernel = _int(config.get("linear_conv_kernel_dim")) or 4
    matrix = FP32_BYTES if "32" in str(config.get("mamba_ssm_dtype", "")) else BF16_BYTES
    return heads * key * value * matrix + (kernel - 1) * (2 * key_heads * key + heads * value) * BF16_BYTES


def _kda_state(linear: Mapping[str, object]) -> int | None:
    heads, head_dim = _int(linear.get("num_heads")), _int(linear.get("head_dim"))
    if not (heads and head_dim):
        return None
    kernel = _int(linear.get("short_conv_kernel_size")) or 4
    return heads * head_dim * head_dim * FP32_BYTES + (kernel - 1) * 3 * heads * head_dim * BF16_BYTES


def _mamba_state(config: Mapping[str, object]) -> int | None:
    heads, head_dim = _int(config.get("mamba_num_heads")), _int(config.get("mamba_head_dim"))
    state = _int(config.get("ssm_state_size"))
    if not (heads and head_dim and state):
        return None
    kernel, groups = _int(config.get("conv_kernel")) or 4, _int(config.get("n_groups")) or 1
    convolution = (kernel - 1) * (heads * head_dim + 2 * groups * state) * BF16_BYTES
    return heads * head_dim * state * FP32_BYTES + convolution


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
