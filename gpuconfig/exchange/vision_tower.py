"""The image part of a vision-language model, read from the `vision_config` of its Hugging Face `config.json`."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gpuconfig.engine.catalogue.neural_model import VisionTower

USUAL_PATCH = 14
"""Edge of a patch of CLIP, SigLIP and Qwen-VL, where a configuration does not say."""
GATED = frozenset({"silu"})
"""Activations that image parts use in gated feed-forwards (Qwen2.5-VL, Pixtral); the others use GELU in plain ones."""


def vision_tower(config: Mapping[str, object]) -> VisionTower | None:
    """The image part by its shape; None where the model has none or its shape is not written."""
    vision = config.get("vision_config")
    if not isinstance(vision, Mapping):
        return None
    layers = _first(vision, "num_hidden_layers", "depth", "vt_num_hidden_layers")
    # beside `embed_dim`, `hidden_size` is that of the language part
    hidden = _first(vision, "embed_dim", "hidden_size", "vt_hidden_size")
    if not layers or not hidden:
        return None
    patch = _first(vision, "patch_size", "spatial_patch_size") or USUAL_PATCH
    return VisionTower(
        layers=layers + (_first(vision, "num_global_layers") or 0),
        hidden=hidden,
        heads=_first(vision, "num_attention_heads", "num_heads", "vt_num_attention_heads", "attention_heads")
        or max(1, hidden // 64),
        ffn=_first(vision, "intermediate_size", "vt_intermediate_size")
        or round(hidden * (_positive(vision.get("mlp_ratio")) or 4)),
        gated_mlp=vision.get("hidden_act") in GATED,
        patch=patch,
        patches_per_token=_patches_per_token(config, vision, patch),
    )


def tower_parameters(tower: VisionTower) -> int:
    """Weights of its layers."""
    return tower.layers * tower.hidden * (4 * tower.hidden + (2 + tower.gated_mlp) * tower.ffn)


def _patches_per_token(config: Mapping[str, object], vision: Mapping[str, object], patch: int) -> int:
    """Patches that become one token: by the edge of the merger, the tokens of an image, or the shuffle of pixels."""
    edge = _first(vision, "spatial_merge_size") or _first(config, "spatial_merge_size")
    if edge:
        return edge**2
    kernel = vision.get("merge_kernel_size")
    if isinstance(kernel, list) and all(isinstance(edge, int) for edge in kernel):
        return max(1, math.prod(kernel))
    tokens, size = _first(config, "mm_tokens_per_image"), _first(vision, "image_size")
    if tokens and size:
        return max(1, (size // patch) ** 2 // tokens)
    ratio = _positive(vision.get("pixel_shuffle_ratio")) or _positive(config.get("downsample_ratio"))
    return max(1, round(1 / ratio**2)) if ratio else 1


def _first(config: Mapping[str, object], *names: str) -> int | None:
    """The first of the fields that is a whole number over zero."""
    values = (_positive(config.get(name)) for name in names)
    return next((int(value) for value in values if value and value == int(value)), None)


def _positive(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value > 0 else None
