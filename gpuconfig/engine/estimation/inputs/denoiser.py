"""A diffusion model as the training graph sees it: a transformer over latent patches, the rest frozen."""

from __future__ import annotations

from gpuconfig.engine.catalogue.neural_model import Architecture, DiffusionComponent, DiffusionShape

UNET_HIDDEN, UNET_HEADS, UNET_BLOCKS = 320, 8, 18
"""Activations of a U-Net: blocks of the first level's width over all tokens; a level below holds half."""
FFN_RATIO = 4
NORMALISED = frozenset({"mmdit"})
"""Networks whose queries and keys are normalised (FLUX, SD 3.5, Qwen-Image, HunyuanVideo)."""


def denoiser_architecture(shape: DiffusionShape) -> Architecture | None:
    """The denoiser as a transformer; None where the pipeline names none.

    A U-Net keeps about as much as 18 blocks of its first level; its other parameters count as extra ones.
    """
    part = shape.component("denoiser")
    if part is None:
        return None
    return _transformer(shape, part) if part.hidden and part.heads and part.layers else _unet(shape, part)


def frozen_parameters(shape: DiffusionShape) -> int:
    """Parameters of text encoders and autoencoder, which stay on the card and are never trained."""
    return sum(c.parameters for c in shape.components if c.role not in ("denoiser", "motion"))


def latent_tokens(shape: DiffusionShape, width: int | None, height: int | None, frames: int | None) -> int:
    """Tokens of one sample: latent patches of all frames, and the text beside them."""
    edge = shape.spatial_downscale * shape.patch
    columns, rows = (width or shape.width) // edge, (height or shape.height) // edge
    depth = ((frames or shape.frames) - 1) // max(1, shape.temporal_downscale) + 1
    text = max((c.text_tokens or 0 for c in shape.components), default=0)
    return max(1, columns * rows * depth + text)


def encoded_pixels(
    shape: DiffusionShape, width: int | None, height: int | None, frames: int | None, at_once: int
) -> int:
    """Pixels of one sample that go through the encoder together: of a clip, so many frames after one another."""
    return (width or shape.width) * (height or shape.height) * min(frames or shape.frames, at_once)


def _transformer(shape: DiffusionShape, part: DiffusionComponent) -> Architecture:
    assert part.hidden
    assert part.heads
    assert part.layers
    return Architecture(
        layers=part.layers + (part.single_layers or 0), hidden=part.hidden, heads=part.heads, kv_heads=part.heads,
        head_dim=part.head_dim or part.hidden // part.heads, ffn=part.ffn or FFN_RATIO * part.hidden,
        vocab=shape.latent_channels * shape.patch**2, gated_mlp=False, parameters=part.parameters,
        qk_norm=part.network in NORMALISED,
    )  # fmt: skip


def _unet(shape: DiffusionShape, part: DiffusionComponent) -> Architecture:
    counted = UNET_BLOCKS * (4 + 2 * FFN_RATIO) * UNET_HIDDEN**2
    return Architecture(
        layers=UNET_BLOCKS, hidden=UNET_HIDDEN, heads=UNET_HEADS, kv_heads=UNET_HEADS,
        head_dim=UNET_HIDDEN // UNET_HEADS, ffn=FFN_RATIO * UNET_HIDDEN, vocab=shape.latent_channels, gated_mlp=False,
        parameters=part.parameters, extra_parameters=max(0, part.parameters - counted),
    )  # fmt: skip
