"""Columns that describe the model."""

from __future__ import annotations

from gpuconfig.engine.catalogue.neural_model import Architecture, NeuralModel, VisionTower
from gpuconfig.engine.estimation.inputs.denoiser import denoiser_architecture, frozen_parameters
from gpuconfig.engine.estimation.inputs.work_kinds import unfit_model
from gpuconfig.engine.workloads.parameter_count import count_parameters

TOWER = ("tower_layers", "tower_hidden", "tower_heads", "tower_ffn", "tower_gated", "patches_per_token")
WIDTH_PER_LAYER = 42
"""Width over depth of transformers over patches from 0.1 to 0.7 billion parameters (SigLIP, CLIP, Qwen-VL)."""


def architecture_of(model: NeuralModel) -> Architecture:
    """The model's transformer shape; of a diffusion pipeline, that of its denoiser.

    Raises:
        InputError: the model has none (a vision network).
    """
    if model.architecture is None and model.diffusion is not None:
        denoiser = denoiser_architecture(model.diffusion)
        if denoiser is not None:
            return denoiser
    if model.architecture is None:
        raise unfit_model(model)
    return model.architecture


def model_columns(model: NeuralModel) -> dict[str, float]:
    """One row of the columns named in `names.MODEL`."""
    shape = architecture_of(model)
    extra = float(shape.extra_parameters or model.vision_parameters or 0)
    if model.architecture is None and model.diffusion is not None:
        parameters = max(1.0, float(shape.parameters or 0) - extra)
    else:
        parameters = language_parameters(model, shape)
    return {
        "layers": float(shape.layers),
        "hidden": float(shape.hidden),
        "heads": float(shape.heads),
        "kv_heads": float(shape.kv_heads),
        "head_dim": float(shape.head_dim),
        "ffn": float(shape.ffn),
        "vocab": float(shape.vocab),
        "gated_mlp": float(shape.gated_mlp),
        "tied_embeddings": float(shape.tied_embeddings),
        **_expert_columns(shape),
        **_attention_columns(shape),
        "qk_norm": float(bool(shape.qk_norm)),
        "positions": float(shape.positions),
        "active_share": _active_share(shape, parameters, model.architecture is None),
        "parameters": parameters,
        "extra_parameters": extra,
        **_tower_columns(model),
        "frozen_extra_parameters": float(frozen_parameters(model.diffusion)) if model.diffusion else 0.0,
    }


def language_parameters(model: NeuralModel, shape: Architecture) -> float:
    """Those of the language layers: as the shape tells them, else the total less the image part."""
    if shape.parameters and shape.parameters != model.parameters:
        return float(max(1, shape.parameters - shape.extra_parameters))
    beside = shape.extra_parameters or model.vision_parameters or 0
    return float(max(1, (model.parameters or shape.parameters or 0) - beside))


def _active_share(shape: Architecture, parameters: float, diffusion: bool) -> float:
    """Share of the parameters that one token touches: as published, else as counted by the shape.

    Modulation and embeddings of a denoiser work once a sample, not once a token.
    """
    if diffusion:
        counted = count_parameters(shape)
        return min(1.0, (counted.attention + counted.dense_mlp) / parameters)
    if not shape.is_moe:
        return 1.0
    if shape.active_parameters:
        return min(1.0, shape.active_parameters / parameters)
    counted = count_parameters(shape)
    return counted.active / counted.total


def tower_of(model: NeuralModel) -> VisionTower | None:
    """The image part; of a size alone, the shape that transformers over patches of that size usually have."""
    if model.vision_tower is not None or not model.vision_parameters:
        return model.vision_tower
    layers = max(1, round((model.vision_parameters / (12 * WIDTH_PER_LAYER**2)) ** (1 / 3)))
    hidden = round(WIDTH_PER_LAYER * layers)
    return VisionTower(
        layers=layers,
        hidden=hidden,
        heads=max(1, hidden // 72),
        ffn=4 * hidden,
        patch=14,
        patches_per_token=4,
    )


def _tower_columns(model: NeuralModel) -> dict[str, float]:
    tower = tower_of(model)
    if tower is None:
        return dict.fromkeys(TOWER, 0.0)
    return {
        "tower_layers": float(tower.layers),
        "tower_hidden": float(tower.hidden),
        "tower_heads": float(tower.heads),
        "tower_ffn": float(tower.ffn),
        "tower_gated": float(tower.gated_mlp),
        "patches_per_token": float(tower.patches_per_token),
    }


def _expert_columns(shape: Architecture) -> dict[str, float]:
    expert_ffn = float(shape.expert_ffn or shape.ffn) if shape.experts else 0.0
    return {
        "experts": float(shape.experts),
        "experts_per_token": float(shape.experts_per_token),
        "expert_ffn": expert_ffn,
        "expert_hidden": float(shape.expert_hidden or shape.hidden),
        "shared_experts": float(shape.shared_experts),
        "shared_expert_ffn": float(shape.shared_expert_ffn or expert_ffn),
        "moe_layers": float(shape.moe_layers),
    }


def _attention_columns(shape: Architecture) -> dict[str, float]:
    mla, kinds = shape.mla, shape.attention_layers
    sliding = float(kinds.sliding) if kinds else 0.0
    linear = float(kinds.linear) if kinds else 0.0
    return {
        "mla": float(mla is not None),
        "mla_kv_rank": float(mla.kv_rank) if mla else 0.0,
        "mla_rope_dim": float(mla.rope_dim) if mla else 0.0,
        "mla_q_rank": float(mla.q_rank or 0) if mla else 0.0,
        "mla_nope_dim": float(mla.nope_dim or shape.head_dim) if mla else 0.0,
        "mla_value_dim": float(mla.value_dim or shape.head_dim) if mla else 0.0,
        "full_attention_layers": float(kinds.full) if kinds else float(shape.layers),
        "sliding_attention_layers": sliding,
        "sliding_window": float(kinds.window or 0) if kinds else 0.0,
        "linear_attention_layers": linear,
    }
