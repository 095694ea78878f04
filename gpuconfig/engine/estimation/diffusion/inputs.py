"""The columns of the diffusion graph: what each input is and its unit, and which coefficient it reads."""

from __future__ import annotations

from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.power.sustained import HOLDING, INLET
from gpuconfig.engine.estimation.single_rows import Named

SETTING_INPUTS = (
    Input("steps", "Denoising steps"),
    Input("width", "Width in pixels"),
    Input("height", "Height in pixels"),
    Input("frames", "Frames"),
    Input("batch", "Images or clips at once"),
    Input("guidance_passes", "Denoiser passes a step: 2 with classifier-free guidance"),
    Input("forwards", "Calls of the denoiser a step"),
    Input("sequence_parallel", "Cards that share a step"),
    Input("model_offload", "1 where whole models wait in host memory"),
    Input("sequential_offload", "1 where layers wait in host memory"),
    Input("controlnets", "ControlNets that steer every step"),
    Input("lora_rank", "Ranks of all LoRA adapters added up"),
    Input("spatial_downscale", "Pixels of an edge that become one latent value"),
    Input("temporal_downscale", "Frames that become one latent frame"),
    Input("patch", "Latent values of an edge that become one token"),
    Input("reference_images", "Pictures to be edited that the denoiser sees beside the new one"),
    Input("base_pixels", "Pixels of the default size"),
    Input("unet_flop", "U-Net: arithmetic of one pass at the default size; 0 for a transformer", "FLOP"),
    Input("token_parameters", "Transformer: parameters each token passes; 0 for a U-Net", "parameter"),
    Input("attention_layers", "Transformer layers"),
    Input("attention_width", "Hidden size"),
    Input("attention_heads", "Attention heads"),
    Input("stream_text_tokens", "Text tokens that run along with the latent", "token"),
    Input("cross_text_tokens", "Text tokens attended to", "token"),
    Input("denoiser_parameters", "Parameters of one denoiser with its add-ons", "parameter"),
    Input("denoiser_count", "Denoisers (2 where high and low noise have their own)"),
    Input("text_parameters", "Parameters of the text encoders", "parameter"),
    Input("text_tokens", "Prompt length the encoder is given", "token"),
    Input("vae_parameters", "Parameters of the autoencoder", "parameter"),
    Input("vae_frames", "Frames the autoencoder decodes at once"),
    Input("weight_bytes", "Bytes of a weight of the denoiser", "B"),
    Input("packed", "1 where weights are stored narrower than computed and widened for every pass"),
    Input("weight_shards", "Cards that share the denoiser's weights"),
    Input("text_shards", "Cards that share the text encoder's weights"),
    Input("product_flops", "Dense peak in the computed format", "FLOP/s"),
    Input("attention_flops", "Dense peak in 16 bit", "FLOP/s"),
    Input("compute_units", "Compute units of the card"),
    Input("memory_bytes_per_s", "Memory bandwidth of the card", "B/s"),
    Input("link_bytes_per_s", "Link between cards, one direction", "B/s"),
    Input("host_link_bytes_per_s", "Link to the host, achieved", "B/s"),
    Input("tdp_w", "Board power", "W"),
    Input("power_limit_w", "Power limit set", "W"),
    INLET,
)

COEFFICIENTS: tuple[Named, ...] = (
    (
        "product_fraction",
        "Share of the peak that products of this network reach",
        "1",
        (
            "{network}|{family}|{precision}|{compiled}",
            "{network}|{precision}|{compiled}",
            "{network}|{family}",
            "{network}",
            "{precision}",
        ),
    ),
    (
        "card_fraction",
        "Speed of this card over what its family reaches",
        "1",
        ("{card}", "{network}|{architecture}", "{architecture}", "{family}"),
    ),
    (
        "saturation_flops",
        "Rate that no card exceeds on these products, whatever its peak",
        "FLOP/s",
        ("{network}|{precision}", "{network}", "{precision}"),
    ),
    (
        "flop_per_joule",
        "16-bit arithmetic that a joule of board power pays for",
        "FLOP/J",
        ("{card}", "{architecture}", "{family}"),
    ),
    (
        "quantised_on_card",
        "1 where quantised weights arrive on the card in 16 bit",
        "1",
        ("{engine}|{file}", "{engine}|{precision}", "{engine}"),
    ),
    (
        "host_copy_bytes_per_s",
        "Rate of copies of weights from host memory",
        "B/s",
        ("{engine}",),
    ),
    (
        "master_bytes",
        "Bytes of a weight where the cards of a run share them; 0 as computed",
        "B",
        ("{engine}|{layout}",),
    ),
    (
        "attention_fraction",
        "Share of the 16-bit peak that attention reaches",
        "1",
        ("{program}|{architecture}", "{architecture}", "{family}"),
    ),
    (
        "attention_unit_flops",
        "Rate of attention that the kernel feeds one compute unit with",
        "FLOP/s",
        ("{program}|{architecture}", "{architecture}"),
    ),
    ("softmax_values", "Values of a head whose products take as long as the softmax of a score", "1", ()),
    (
        "flop_per_byte",
        "Arithmetic for each byte that passes through memory between products",
        "1",
        ("{body}|{compiled}", "{body}", "{network}|{compiled}", "{network}"),
    ),
    ("unet_attention_share", "Share of a U-Net's arithmetic that grows with the square of the area", "1", ()),
    (
        "launch_seconds",
        "Least time of a denoiser call: launches from the host",
        "s",
        ("{network}|{compiled}", "{network}"),
    ),
    (
        "step_overhead_seconds",
        "Scheduler and host work of a step",
        "s",
        ("{engine}|{precision}|{compiled}", "{engine}|{compiled}", "{engine}"),
    ),
    ("request_seconds", "Fixed time of a request", "s", ("{engine}",)),
    ("link_fraction", "Share of the link that exchanges reach", "1", ("{link}",)),
    ("exchange_seconds", "Latency of an exchange between cards", "s", ("{link}",)),
    ("text_fraction", "Share of the peak that text encoders reach", "1", ()),
    (
        "vae_flop_per_pixel",
        "Arithmetic of the autoencoder for a pixel",
        "FLOP",
        ("{vae}|{pipeline}", "{vae}"),
    ),
    ("vae_fraction", "Share of the peak that the autoencoder reaches", "1", ("{vae}|{compiled}", "{vae}")),
    (
        "controlnet_parameters",
        "Parameters of a ControlNet over those of its denoiser",
        "1",
        ("{body}", "{network}"),
    ),
    (
        "controlnet_flop",
        "Arithmetic of a ControlNet over that of its denoiser",
        "1",
        ("{body}", "{network}"),
    ),
    (
        "lora_parameters",
        "Parameters of one rank of an adapter over those of its denoiser",
        "1",
        ("{body}", "{network}"),
    ),
    ("text_weight_bytes", "Bytes of a weight of the text encoders", "B", ("{engine}|{stored}",)),
    ("vae_weight_bytes", "Bytes of a weight of the autoencoder", "B", ("{engine}",)),
    ("vae_chunk_frames", "Frames the autoencoder decodes at once", "1", ("{engine}", "{pipeline}", "{vae}")),
    ("vae_tile_pixels", "Pixels the autoencoder decodes at once where memory is short", "1", ("{engine}",)),
    ("vae_batch", "Images the autoencoder decodes at once", "1", ("{engine}",)),
    (
        "vae_bytes_per_pixel",
        "Peak activations of the autoencoder for a pixel",
        "B",
        ("{engine}|{vae}", "{vae}"),
    ),
    (
        "token_activation_values",
        "Values held for a token at the peak, in hidden sizes",
        "1",
        ("{engine}", "{compiled}"),
    ),
    ("unet_activation_bytes", "Peak activations of a U-Net for a pixel", "B", ()),
    ("sharded_weights", "1 where the cards of a sequence-parallel run share the weights", "1", ("{engine}",)),
    (
        "separate_guidance",
        "1 where guidance runs as a call of its own",
        "1",
        ("{engine}|{pipeline}", "{engine}"),
    ),
    ("busy_power", "Share of the board power drawn at work", "1", ("{architecture}", "{family}")),
    ("allocator_share", "Reserved beyond the allocated peak", "1", ("{engine}",)),
    ("context_bytes", "Memory of the driver's context and libraries", "B", ()),
)

DOOR_ONLY = ("master_bytes", "sharded_weights", "separate_guidance", "vae_chunk_frames")
"""Coefficients used while the row is made, not in the graph."""

INPUTS = (
    *SETTING_INPUTS, *(Input(n, t, u) for n, t, u, _ in (*COEFFICIENTS, *HOLDING) if n not in DOOR_ONLY)
)  # fmt: skip
