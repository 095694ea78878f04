"""Time of image and video generation: denoising steps, text encoder, autoencoder, transfers of offload; power."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

BYTES_16BIT = 2.0


@quantity(unit="token")
def latent_tokens(
    width: Value,
    height: Value,
    frames: Value,
    spatial_downscale: Value,
    temporal_downscale: Value,
    patch: Value,
    reference_images: Value,
) -> Value:
    """Tokens of the latent: patches of its plane times its frames, and as many for each picture that is edited."""
    plane = np.ceil(width / (spatial_downscale * patch)) * np.ceil(height / (spatial_downscale * patch))
    return plane * (np.ceil((frames - 1) / temporal_downscale + 1) + reference_images)


@quantity(unit="1")
def area_scale(width: Value, height: Value, base_pixels: Value) -> Value:
    """Pixels over those of the default size."""
    return width * height / base_pixels


@quantity(unit="FLOP")
def product_flop(
    unet_flop: Value,
    unet_attention_share: Value,
    area_scale: Value,
    frames: Value,
    token_parameters: Value,
    latent_tokens: Value,
    stream_text_tokens: Value,
) -> Value:
    """Products of one denoiser pass for one sample: a U-Net by area and frames, a transformer by tokens."""
    by_area = unet_flop * frames * area_scale * (1 - unet_attention_share + unet_attention_share * area_scale)
    return by_area + 2 * token_parameters * (latent_tokens + stream_text_tokens)


@quantity(unit="FLOP", source="https://arxiv.org/abs/2307.08691")
def attention_flop(
    attention_layers: Value,
    attention_width: Value,
    attention_heads: Value,
    softmax_values: Value,
    latent_tokens: Value,
    stream_text_tokens: Value,
    cross_text_tokens: Value,
) -> Value:
    """Attention of one denoiser pass for one sample: every token with every other, and with the text.

    The softmax of a score takes as long as so many more values of its head: narrow heads reach less of the peak.
    """
    tokens = latent_tokens + stream_text_tokens
    width = attention_width + attention_heads * softmax_values
    return 4 * attention_layers * width * tokens * (tokens + cross_text_tokens)


@quantity(unit="1")
def added_flop(controlnets: Value, controlnet_flop: Value, lora_rank: Value, lora_parameters: Value) -> Value:
    """Arithmetic of ControlNets and adapters over that of the denoiser: each pass goes through both."""
    return controlnets * controlnet_flop + lora_rank * lora_parameters


@quantity(unit="FLOP/s")
def sustained_flops(tdp_w: Value, flop_per_joule: Value) -> Value:
    """16-bit rate that the board's power feeds: small cards for servers do not hold their peak."""
    return tdp_w * flop_per_joule


@quantity(unit="FLOP/s")
def product_rate(
    product_flops: Value,
    attention_flops: Value,
    product_fraction: Value,
    sustained_flops: Value,
    card_fraction: Value,
    saturation_flops: Value,
    power_speed: Value,
) -> Value:
    """Rate of products: a share of the peak, and less the nearer the peak comes to what power and feeding allow."""
    reached = np.fmin(product_flops * product_fraction, sustained_flops * product_flops / attention_flops)
    return card_fraction * power_speed / (1 / reached + 1 / saturation_flops)


@quantity(unit="FLOP/s")
def attention_rate(
    attention_flops: Value,
    attention_fraction: Value,
    compute_units: Value,
    attention_unit_flops: Value,
    sustained_flops: Value,
    card_fraction: Value,
    saturation_flops: Value,
    power_speed: Value,
) -> Value:
    """Rate of attention, by the same rule; a kernel older than the card feeds each of its units no faster."""
    fed = np.fmin(sustained_flops, compute_units * attention_unit_flops)
    reached = np.fmin(attention_flops * attention_fraction, fed)
    return card_fraction * power_speed / (1 / reached + 1 / saturation_flops)


@quantity(unit="s")
def product_s(product_flop: Value, added_flop: Value, step_samples: Value, product_rate: Value) -> Value:
    """Products of one step."""
    return step_samples * product_flop * (1 + added_flop) / product_rate


@quantity(unit="s")
def attention_s(
    attention_flop: Value,
    controlnets: Value,
    controlnet_flop: Value,
    step_samples: Value,
    attention_rate: Value,
) -> Value:
    """Attention of one step; adapters have none of their own."""
    return step_samples * attention_flop * (1 + controlnets * controlnet_flop) / attention_rate


@quantity(unit="s")
def traffic_s(
    product_flop: Value,
    added_flop: Value,
    step_samples: Value,
    flop_per_byte: Value,
    memory_bytes_per_s: Value,
) -> Value:
    """Memory passes of one step: norms, activations and casts between products."""
    return step_samples * product_flop * (1 + added_flop) / flop_per_byte / memory_bytes_per_s


@quantity(unit="1")
def step_samples(batch: Value, guidance_passes: Value) -> Value:
    """Samples of one step: each image once, twice with guidance."""
    return batch * guidance_passes


@quantity(unit="s")
def exchange_s(
    attention_layers: Value,
    attention_width: Value,
    latent_tokens: Value,
    step_samples: Value,
    sequence_parallel: Value,
    link_bytes_per_s: Value,
    link_fraction: Value,
    exchange_seconds: Value,
) -> Value:
    """Exchange of heads and tokens between the cards of a sequence-parallel step (four all-to-alls a layer)."""
    moved = 4 * attention_layers * attention_width * latent_tokens * step_samples * BYTES_16BIT
    share = (sequence_parallel - 1) / sequence_parallel**2
    latency = 4 * attention_layers * exchange_seconds
    return np.where(sequence_parallel > 1, moved * share / (link_bytes_per_s * link_fraction) + latency, 0.0)


@quantity(unit="s")
def step_s(
    product_s: Value,
    attention_s: Value,
    traffic_s: Value,
    launch_seconds: Value,
    forwards: Value,
    sequence_parallel: Value,
    exchange_s: Value,
    step_overhead_seconds: Value,
    offload_step_s: Value,
    unpack_s: Value,
) -> Value:
    """One denoising step of a batch."""
    work = (product_s + attention_s + traffic_s) / sequence_parallel
    return (
        np.maximum(work, forwards * launch_seconds)
        + exchange_s
        + step_overhead_seconds
        + offload_step_s
        + unpack_s
    )


@quantity(unit="s")
def unpack_s(
    denoiser_parameters: Value,
    weight_bytes: Value,
    weight_shards: Value,
    packed: Value,
    forwards: Value,
    memory_bytes_per_s: Value,
) -> Value:
    """Widening packed weights for every pass: read packed, written and read again in 16 bit."""
    moved = denoiser_parameters / weight_shards * (weight_bytes + 2 * BYTES_16BIT)
    return packed * forwards * moved / memory_bytes_per_s


@quantity(unit="B/s", source="https://developer.nvidia.com/blog/how-optimize-data-transfers-cuda-cc/")
def host_rate(host_link_bytes_per_s: Value, host_copy_bytes_per_s: Value) -> Value:
    """Rate at which weights come from the host: the link, or the copy through pinned memory before it."""
    return np.minimum(host_link_bytes_per_s, host_copy_bytes_per_s)


@quantity(unit="s")
def offload_step_s(
    denoiser_bytes: Value, sequential_offload: Value, host_rate: Value, forwards: Value
) -> Value:
    """Weights that sequential offload fetches for every pass."""
    return sequential_offload * denoiser_bytes * forwards / host_rate


@quantity(unit="1/s")
def iterations_per_s(step_s: Value) -> Value:
    """Denoising steps of a batch a second."""
    return 1 / step_s


@quantity(unit="s")
def denoise_s(steps: Value, step_s: Value) -> Value:
    """All denoising steps."""
    return steps * step_s


@quantity(unit="s")
def text_s(
    text_parameters: Value,
    text_tokens: Value,
    batch: Value,
    guidance_passes: Value,
    attention_flops: Value,
    text_fraction: Value,
) -> Value:
    """Text encoders."""
    return 2 * text_parameters * text_tokens * batch * guidance_passes / (attention_flops * text_fraction)


@quantity(unit="s")
def vae_s(
    width: Value,
    height: Value,
    frames: Value,
    batch: Value,
    vae_flop_per_pixel: Value,
    attention_flops: Value,
    vae_fraction: Value,
) -> Value:
    """Autoencoder: decoding the latent."""
    return width * height * frames * batch * vae_flop_per_pixel / (attention_flops * vae_fraction)


@quantity(unit="s")
def transfer_s(
    model_offload: Value, sequential_offload: Value, pipeline_bytes: Value, host_rate: Value
) -> Value:
    """Moving whole models to the card and back; layers are fetched only."""
    return (2 * model_offload + sequential_offload) * pipeline_bytes / host_rate


@quantity(unit="s")
def batch_s(
    denoise_s: Value, text_s: Value, vae_s: Value, transfer_s: Value, request_seconds: Value
) -> Value:
    """One batch from prompt to pixels."""
    return denoise_s + text_s + vae_s + transfer_s + request_seconds


@quantity(unit="s")
def seconds_per_image(batch_s: Value, batch: Value) -> Value:
    """Time per image."""
    return batch_s / batch


@quantity(unit="s")
def seconds_per_clip(batch_s: Value, batch: Value) -> Value:
    """Time per clip."""
    return batch_s / batch
