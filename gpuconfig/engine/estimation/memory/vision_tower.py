"""What the image part of a vision-language model keeps: a transformer over patches below the language layers.

It is trained where all weights are and no layer is frozen; under adapters, which sit on the language part, and below
frozen layers it keeps nothing between forward and backward pass. Its ranks are copies: it is not split by tensor or
context parallelism, and it lies on the first pipeline stage.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

TOWER = "https://arxiv.org/abs/2409.12191"
FP32 = 4.0


@quantity(unit="1")
def tower_trained(trains_all: Value, frozen_layers: Value, tower_layers: Value) -> Value:
    """1 where the image part is trained: it lies below every layer."""
    return trains_all * np.where((frozen_layers == 0) & (tower_layers > 0), 1.0, 0.0)


@quantity(unit="token")
def sample_patches(image_tokens: Value, patches_per_token: Value) -> Value:
    """Patches of the images of one sample."""
    return image_tokens * patches_per_token


@quantity(unit="token")
def rank_patches(sample_patches: Value, micro_batch_size: Value, sequences_per_sample: Value) -> Value:
    """Patches of one micro-batch."""
    return sample_patches * micro_batch_size * sequences_per_sample


@quantity(unit="B/token", source=TOWER)
def tower_layer_patch_bytes(
    tower_hidden: Value,
    tower_heads: Value,
    tower_ffn: Value,
    tower_gated: Value,
    mlp_saves_activation: Value,
    residual_bytes: Value,
    compute_bytes: Value,
    attention_eager: Value,
    score_saved_bytes: Value,
    sample_patches: Value,
) -> Value:
    """A layer of the image part with nothing recomputed: norms, inputs of its matrices, attention, feed-forward."""
    norms = 2 * tower_hidden * residual_bytes
    inputs = 2 * tower_hidden * compute_bytes
    attention = 4 * tower_hidden * compute_bytes + FP32 * tower_heads
    inner = tower_ffn * compute_bytes * (2 + tower_gated * (1 + mlp_saves_activation))
    scores = attention_eager * tower_heads * sample_patches * (score_saved_bytes + compute_bytes)
    return norms + inputs + attention + inner + scores


@quantity(unit="B/token")
def tower_kept_patch_bytes(
    tower_layer_patch_bytes: Value, tower_hidden: Value, residual_bytes: Value, full_recompute: Value
) -> Value:
    """What stays of a layer of the image part between forward and backward pass."""
    return np.where(full_recompute > 0, tower_hidden * residual_bytes, tower_layer_patch_bytes)


@quantity(unit="B/token", source=TOWER)
def merger_token_bytes(
    tower_hidden: Value, patches_per_token: Value, hidden: Value, compute_bytes: Value
) -> Value:
    """The merger that joins patches into one token: its input, its inner layer twice, its output."""
    return compute_bytes * (3 * tower_hidden * patches_per_token + hidden)


@quantity(unit="B")
def tower_activation_bytes(
    rank_patches: Value,
    patches_per_token: Value,
    tower_layers: Value,
    tower_kept_patch_bytes: Value,
    merger_token_bytes: Value,
    tower_trained: Value,
    in_flight_micro_batches: Value,
    on_first_stage: Value,
) -> Value:
    """Activations of the image part, of all micro-batches in flight."""
    merged = merger_token_bytes / np.maximum(patches_per_token, 1)
    kept = rank_patches * (tower_layers * tower_kept_patch_bytes + merged)
    return kept * tower_trained * in_flight_micro_batches * on_first_stage


@quantity(unit="B")
def tower_working_bytes(
    rank_patches: Value,
    tower_layer_patch_bytes: Value,
    tower_hidden: Value,
    tower_ffn: Value,
    tower_gated: Value,
    compute_bytes: Value,
    residual_bytes: Value,
    full_recompute: Value,
    tower_trained: Value,
    on_first_stage: Value,
) -> Value:
    """Backward working set of one layer of the image part: what is recomputed, and the gradients beside it."""
    gradients = compute_bytes * tower_ffn * (1 + tower_gated) + residual_bytes * tower_hidden
    again = full_recompute * tower_layer_patch_bytes
    return rank_patches * (again + gradients) * tower_trained * on_first_stage
