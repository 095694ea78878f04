"""Which layers attend to everything, to a window, or keep a fixed state, as configurations write it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.workloads.model_spec import AttentionLayerFields
from gpuconfig.exchange.config_numbers import positive
from gpuconfig.exchange.state_layers import BF16_BYTES, StateLayer, state_layer

BLOCKS = {"mamba": "M", "attention": "*", "mlp": "-", "moe": "E"}
"""Words of a list of blocks -> letters of a pattern of blocks (Nemotron-H)."""
STATEFUL = ("linear", "mamba", "conv", "kda")
"""Parts of the names of layers that keep a state."""


@dataclass(frozen=True, slots=True)
class HybridLayers:
    """A stack of single-purpose blocks (Nemotron-H): layers of it hold attention, a state or a feed-forward.

    Attributes:
        dense_share: share of the layers without experts that hold a plain feed-forward.
    """

    layers: int
    dense_layers: int
    dense_share: float
    attention: AttentionLayerFields


def hybrid_layers(config: Mapping[str, object], hidden: int) -> HybridLayers | None:
    """Counts of a `hybrid_override_pattern` or `layers_block_type`: state space, attention, feed-forward, experts."""
    if config.get("model_type") == "falcon_h1":
        return _side_by_side(config, hidden)
    pattern = config.get("hybrid_override_pattern")
    blocks = config.get("layers_block_type")
    if isinstance(blocks, list) and all(b in BLOCKS for b in blocks):
        pattern = "".join(BLOCKS[b] for b in blocks)
    if not isinstance(pattern, str) or not pattern:
        return None
    state = state_layer(config, hidden)
    without_experts = len(pattern) - pattern.count("E")
    return HybridLayers(
        layers=len(pattern),
        dense_layers=without_experts,
        dense_share=pattern.count("-") / max(1, without_experts),
        attention=AttentionLayerFields(
            full=pattern.count("*"),
            linear=pattern.count("M"),
            linear_state_bytes=state.state_bytes if state else None,
        ),
    )


def _side_by_side(config: Mapping[str, object], hidden: int) -> HybridLayers | None:
    """Attention and a state space in each layer (Falcon-H1): as two layers that share its feed-forward.

    Weights, cache and state are those of the layer; both work on the same tokens one after the other.
    """
    layers, state = positive(config.get("num_hidden_layers")), state_layer(config, hidden)
    if not (layers and state):
        return None
    return HybridLayers(
        layers=2 * layers,
        dense_layers=2 * layers,
        dense_share=0.5,
        attention=AttentionLayerFields(full=layers, linear=layers, linear_state_bytes=state.state_bytes),
    )


def _image_layers(config: Mapping[str, object], layers: int) -> AttentionLayerFields | None:
    """Layers that attend to the image alone (Llama 3.2 Vision): they keep the cache of one image of all its tiles."""
    crossed = config.get("cross_attention_layers")
    if not isinstance(crossed, list) or not crossed:
        return None
    vision = config.get("vision_config")
    image = vision if isinstance(vision, Mapping) else {}
    patches = (positive(image.get("image_size")) or 0) // (positive(image.get("patch_size")) or 14)
    tokens = (patches**2 + 1) * (positive(image.get("max_num_tiles")) or 1)
    heads, hidden = positive(config.get("num_attention_heads")) or 1, positive(config.get("hidden_size")) or 0
    head_dim = positive(config.get("head_dim")) or hidden // heads
    values = 2 * (positive(config.get("num_key_value_heads")) or heads) * head_dim
    return AttentionLayerFields(
        full=layers - len(crossed),
        linear=len(crossed),
        linear_state_bytes=tokens * values * BF16_BYTES,
    )


def attention_pattern(
    config: Mapping[str, object], layers: int, hidden: int, window_every: int | None
) -> AttentionLayerFields | None:
    """How the layers attend; None where all see the whole context.

    `window_every` is the family's: one full layer in so many where only a window is given.
    """
    window = positive(config.get("sliding_window")) or positive(config.get("attention_chunk_size"))
    if images := _image_layers(config, layers):
        return images
    layer = state_layer(config, hidden)
    kinds = config.get("layer_types")
    if isinstance(kinds, list) and kinds:
        return _from_types([str(k) for k in kinds[:layers]], window, layer)
    sliding = config.get("hybrid_layer_pattern")
    if isinstance(sliding, list) and window:
        near = sum(1 for s in sliding[:layers] if s == 1)
        return AttentionLayerFields(full=layers - near, sliding=near, window=window)
    full = _full_among_stateful(config, layers)
    if full is not None:
        return AttentionLayerFields(
            full=full, linear=layers - full, linear_state_bytes=layer.state_bytes if layer else None
        )
    if window is None or config.get("use_sliding_window") is False:
        return None
    every = positive(config.get("sliding_window_pattern")) or window_every
    if every:
        return AttentionLayerFields(full=layers // every, sliding=layers - layers // every, window=window)
    return AttentionLayerFields(full=0, sliding=layers, window=window)


def _full_among_stateful(config: Mapping[str, object], layers: int) -> int | None:
    """Layers of full attention where the others keep a state; None where no field says so."""
    linear = config.get("linear_attn_config")
    if isinstance(linear, Mapping) and isinstance(full := linear.get("full_attn_layers"), list):
        return len(full)
    types = config.get("attn_type_list")
    if isinstance(types, list) and 0 in types:
        return sum(1 for t in types if t == 1)
    every = positive(config.get("full_attention_interval"))
    return layers // every if every and "linear_num_value_heads" in config else None


def _from_types(
    kinds: list[str], window: int | None, layer: StateLayer | None
) -> AttentionLayerFields | None:
    sliding = sum(1 for k in kinds if "sliding" in k or "chunked" in k)
    linear = sum(1 for k in kinds if any(word in k for word in STATEFUL))
    full = len(kinds) - sliding - linear
    if not linear and (not sliding or window is None):
        return None
    return AttentionLayerFields(
        full=full,
        sliding=sliding if window else 0,
        window=window,
        linear=linear,
        linear_state_bytes=layer.state_bytes if layer else None,
    )
