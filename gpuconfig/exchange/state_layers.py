"""Layers that keep a state of fixed size instead of keys and values: weights and state, by configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.exchange.config_numbers import positive

FP32_BYTES = 4
BF16_BYTES = 2
USUAL_KERNEL = 4
"""Taps of the short convolution before such a layer, where a configuration does not say."""


@dataclass(frozen=True, slots=True)
class StateLayer:
    """One layer with a state: weights of its projections, and the state of one sequence."""

    parameters: int
    state_bytes: int


def state_layer(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """The kind of state layer that the configuration describes; None where it has none or leaves out its size."""
    kinds = (_delta_net, _kimi_delta, _mamba, _short_convolution, _lightning)
    return next((found for kind in kinds if (found := kind(config, hidden))), None)


def _delta_net(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """Gated delta-net (Qwen3-Next, Qwen3.5): a key x value matrix a head, and the convolution before it."""
    heads, key, value = (
        positive(config.get(f"linear_{name}"))
        for name in ("num_value_heads", "key_head_dim", "value_head_dim")
    )
    if not (heads and key and value):
        return None
    keys = (positive(config.get("linear_num_key_heads")) or heads) * key
    values = heads * value
    kernel = positive(config.get("linear_conv_kernel_dim")) or USUAL_KERNEL
    matrix = FP32_BYTES if "32" in str(config.get("mamba_ssm_dtype", "")) else BF16_BYTES
    mixed = 2 * keys + values
    return StateLayer(
        parameters=hidden * (mixed + 2 * values + 2 * heads) + kernel * mixed,
        state_bytes=heads * key * value * matrix + (kernel - 1) * mixed * BF16_BYTES,
    )


def _kimi_delta(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """Kimi delta attention (GLM-5.3 Flash too): gates of low rank, in Kimi K3 one of full rank."""
    given = config.get("linear_attn_config")
    linear = given if isinstance(given, Mapping) else {}
    heads = positive(linear.get("num_heads")) or positive(config.get("linear_num_heads"))
    head_dim = positive(linear.get("head_dim")) or positive(config.get("linear_head_dim"))
    if not (heads and head_dim):
        return None
    kernel = positive(linear.get("short_conv_kernel_size")) or USUAL_KERNEL
    width = heads * head_dim
    low_rank = (hidden + width) * head_dim
    gate = hidden * width if linear.get("use_full_rank_gate") is True else low_rank
    return StateLayer(
        parameters=hidden * (4 * width + heads) + low_rank + gate + 3 * kernel * width,
        state_bytes=width * head_dim * FP32_BYTES + (kernel - 1) * 3 * width * BF16_BYTES,
    )


def _mamba(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """Mamba-2 (Nemotron-H and its followers, Granite 4 hybrids)."""
    heads = positive(config.get("mamba_num_heads")) or positive(config.get("mamba_n_heads"))
    head_dim = positive(config.get("mamba_head_dim")) or positive(config.get("mamba_d_head"))
    state = positive(config.get("ssm_state_size")) or positive(config.get("mamba_d_state"))
    if not (heads and head_dim and state):
        return None
    kernel = positive(config.get("conv_kernel")) or positive(config.get("mamba_d_conv")) or USUAL_KERNEL
    groups = positive(config.get("n_groups")) or positive(config.get("mamba_n_groups")) or 1
    inner = heads * head_dim
    mixed = inner + 2 * groups * state
    return StateLayer(
        parameters=hidden * (2 * inner + mixed + heads) + kernel * mixed,
        state_bytes=inner * state * FP32_BYTES + (kernel - 1) * mixed * BF16_BYTES,
    )


def _short_convolution(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """Gated short convolutions (LFM2): the last few tokens are all they keep."""
    kernel = positive(config.get("conv_L_cache"))
    if not kernel:
        return None
    return StateLayer(parameters=hidden * (4 * hidden + kernel), state_bytes=kernel * hidden * BF16_BYTES)


def _lightning(config: Mapping[str, object], hidden: int) -> StateLayer | None:
    """Lightning attention (MiniMax-01 and M1) with an output gate."""
    heads, head_dim = positive(config.get("num_attention_heads")), positive(config.get("head_dim"))
    if not (heads and head_dim and isinstance(config.get("attn_type_list"), list)):
        return None
    width = heads * head_dim
    return StateLayer(parameters=5 * hidden * width, state_bytes=width * head_dim * FP32_BYTES)
