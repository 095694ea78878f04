"""Card memory of image and video generation by stage: loading, text encoding, denoising, decoding."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.diffusion.quantities import BYTES_16BIT
from gpuconfig.engine.estimation.graph import Value, quantity


@quantity(unit="B")
def added_bytes(
    denoiser_parameters: Value,
    controlnets: Value,
    controlnet_parameters: Value,
    lora_rank: Value,
    lora_parameters: Value,
) -> Value:
    """Weights of ControlNets and adapters, 16 bit."""
    share = controlnets * controlnet_parameters + lora_rank * lora_parameters
    return denoiser_parameters * share * BYTES_16BIT


@quantity(unit="B")
def denoiser_bytes(denoiser_parameters: Value, weight_bytes: Value, weight_shards: Value) -> Value:
    """Weights of one denoiser on a card."""
    return denoiser_parameters * weight_bytes / weight_shards


@quantity(unit="B")
def text_bytes(text_parameters: Value, text_weight_bytes: Value, text_shards: Value) -> Value:
    """Weights of the text encoders on a card."""
    return text_parameters * text_weight_bytes / text_shards


@quantity(unit="B")
def vae_bytes(vae_parameters: Value, vae_weight_bytes: Value) -> Value:
    """Weights of the autoencoder."""
    return vae_parameters * vae_weight_bytes


@quantity(unit="B")
def pipeline_bytes(
    denoiser_bytes: Value, denoiser_count: Value, added_bytes: Value, text_bytes: Value, vae_bytes: Value
) -> Value:
    """Weights of all networks."""
    return denoiser_bytes * denoiser_count + added_bytes + text_bytes + vae_bytes


@quantity(unit="B")
def denoiser_activation_bytes(
    latent_tokens: Value,
    attention_width: Value,
    step_samples: Value,
    forwards: Value,
    token_activation_values: Value,
    sequence_parallel: Value,
    unet_activation_bytes: Value,
    unet_flop: Value,
    area_scale: Value,
    frames: Value,
    base_pixels: Value,
) -> Value:
    """Activations of a denoiser pass: a U-Net sees every frame at once, a transformer its tokens."""
    together = step_samples / forwards
    by_token = latent_tokens * attention_width * token_activation_values * BYTES_16BIT / sequence_parallel
    seen = np.where(unet_flop > 0, frames, 1.0)
    return together * (by_token + unet_activation_bytes * area_scale * base_pixels * seen)


@quantity(unit="B")
def vae_activation_bytes(
    width: Value,
    height: Value,
    vae_tile_pixels: Value,
    vae_frames: Value,
    batch: Value,
    vae_bytes_per_pixel: Value,
    vae_batch: Value,
) -> Value:
    """Activations of the autoencoder's widest layers, for as many pixels as are decoded at once."""
    pixels = np.minimum(width * height, vae_tile_pixels)
    return pixels * vae_frames * np.minimum(batch, vae_batch) * vae_bytes_per_pixel


@quantity(unit="B")
def denoiser_stage_bytes(
    pipeline_bytes: Value,
    denoiser_bytes: Value,
    added_bytes: Value,
    denoiser_activation_bytes: Value,
    model_offload: Value,
    sequential_offload: Value,
    attention_layers: Value,
) -> Value:
    """Card memory while denoising."""
    layer = (denoiser_bytes + added_bytes) / np.maximum(attention_layers, 10.0)
    kept = np.where(
        sequential_offload > 0,
        layer,
        np.where(model_offload > 0, denoiser_bytes + added_bytes, pipeline_bytes),
    )
    return kept + denoiser_activation_bytes


@quantity(unit="B")
def vae_stage_bytes(
    pipeline_bytes: Value,
    vae_bytes: Value,
    vae_activation_bytes: Value,
    model_offload: Value,
    sequential_offload: Value,
) -> Value:
    """Card memory while decoding."""
    return np.where(model_offload + sequential_offload > 0, vae_bytes, pipeline_bytes) + vae_activation_bytes


@quantity(unit="B")
def text_stage_bytes(
    pipeline_bytes: Value, text_bytes: Value, model_offload: Value, sequential_offload: Value
) -> Value:
    """Card memory while encoding the prompt."""
    largest = np.where(sequential_offload > 0, text_bytes / 10, text_bytes)
    return np.where(model_offload + sequential_offload > 0, largest, pipeline_bytes)


@quantity(unit="B")
def load_stage_bytes(
    denoiser_parameters: Value,
    denoiser_count: Value,
    text_bytes: Value,
    vae_bytes: Value,
    quantised_on_card: Value,
    model_offload: Value,
    sequential_offload: Value,
    weight_bytes: Value,
) -> Value:
    """Card memory while a model that is quantised on the card is still in 16 bit."""
    wide = denoiser_parameters * denoiser_count * BYTES_16BIT + text_bytes + vae_bytes
    happens = (
        (quantised_on_card > 0) & (weight_bytes < BYTES_16BIT) & (model_offload + sequential_offload == 0)
    )
    return np.where(happens, wide, 0.0)


@quantity(unit="B")
def peak_allocated_bytes(
    denoiser_stage_bytes: Value, vae_stage_bytes: Value, text_stage_bytes: Value, load_stage_bytes: Value
) -> Value:
    """Peak over the stages."""
    stages = np.maximum(np.maximum(denoiser_stage_bytes, vae_stage_bytes), text_stage_bytes)
    return np.maximum(stages, load_stage_bytes)


@quantity(unit="B")
def device_used_bytes(peak_allocated_bytes: Value, allocator_share: Value, context_bytes: Value) -> Value:
    """What the driver shows."""
    return peak_allocated_bytes * (1 + allocator_share) + context_bytes
