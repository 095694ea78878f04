"""Neural models: transformer architectures, diffusion pipelines and vision networks.

Names of the architecture's fields are those of the request format.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import ModelKind


@dataclass(frozen=True, slots=True)
class Mla:
    """Multi-head latent attention: what is cached per token and layer is `kv_rank + rope_dim` values."""

    kv_rank: int
    rope_dim: int
    q_rank: int | None = None
    nope_dim: int | None = None
    value_dim: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionLayers:
    """How many layers attend how; the counts add up to the layers that attend at all.

    Attributes:
        full: layers that see the whole context.
        sliding: layers that see the last `window` tokens.
        linear: layers with a state of fixed size (`linear_state_bytes` for one layer and sequence).
        cached_values: values one token adds to the cache of all layers together where they keep a compressed
            context beside their window (DeepSeek V4).
    """

    full: int
    sliding: int = 0
    window: int | None = None
    linear: int = 0
    linear_state_bytes: int | None = None
    cached_values: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """Shape of a transformer.

    Attributes:
        ffn: inner size of the dense feed-forward (of the dense layers in a mixture of experts).
        gated_mlp: three matrices (SwiGLU, GeGLU) instead of two.
        experts: routed experts in a layer, 0 for a dense model.
        shared_experts, shared_expert_ffn: experts every token passes; the size is that of one.
        expert_hidden: width the routed experts work in where it is not `hidden` (latent experts).
        dense_layers: layers without experts in a mixture of experts.
        kv_shared_layers: layers that read the keys and values of earlier ones and store none (Gemma 4 E).
        full_head_dim, full_kv_heads: where layers of full attention differ from the sliding ones (Gemma 4).
        positions: learned position embeddings, 0 for rotary.
        parameters: exact total where published; the truth that a count by shape is scaled to.
        active_parameters: parameters one token touches.
        extra_parameters: those in `parameters` outside the language layers (vision tower, prediction head).
    """

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    gated_mlp: bool = True
    tied_embeddings: bool = False
    experts: int = 0
    experts_per_token: int = 0
    expert_ffn: int | None = None
    expert_hidden: int | None = None
    shared_experts: int = 0
    shared_expert_ffn: int | None = None
    dense_layers: int = 0
    kv_shared_layers: int = 0
    mla: Mla | None = None
    attention_layers: AttentionLayers | None = None
    full_head_dim: int | None = None
    full_kv_heads: int | None = None
    attention_bias: bool | None = None
    qk_norm: bool | None = None
    positions: int = 0
    max_context: int | None = None
    parameters: int | None = None
    active_parameters: int | None = None
    extra_parameters: int = 0

    @property
    def is_moe(self) -> bool:
        """True for a mixture of experts."""
        return self.experts > 0

    @property
    def moe_layers(self) -> int:
        """Layers with routed experts."""
        return self.layers - self.dense_layers if self.experts else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionTower:
    """The image part of a vision-language model: a transformer over patches.

    Attributes:
        patch: edge of a patch in pixels.
        patches_per_token: patches that the merger joins into one token of the language part.
    """

    layers: int
    hidden: int
    heads: int
    ffn: int
    gated_mlp: bool = False
    patch: int
    patches_per_token: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffusionComponent:
    """One network of an image or video pipeline.

    Attributes:
        role: `denoiser`, `denoiser_low_noise`, `text_encoder`, `vae`, `motion`, `controlnet`.
        network: `unet`, `mmdit`, `dit`, `clip`, `t5`, `llm`, `vae`.
        forward_flop: one forward pass at the model's default size and batch 1, where published or counted.
        layers_text: shape that does not fit a number, for example the channel widths of a U-Net.
    """

    role: str
    name: str
    network: str
    parameters: int
    layers: int | None = None
    single_layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    text_tokens: int | None = None
    forward_flop: float | None = None
    layers_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffusionShape:
    """An image or video pipeline at its default size.

    Attributes:
        spatial_downscale, temporal_downscale: of the autoencoder.
        patch: edge of a latent patch that becomes one token; 1 for a U-Net.
        guidance_passes: denoiser passes a step (2 with classifier-free guidance, 1 with distilled guidance).
        reference_images: pictures to be edited, whose tokens go through the denoiser with those of the new one.
    """

    components: tuple[DiffusionComponent, ...]
    latent_channels: int
    spatial_downscale: int
    temporal_downscale: int = 1
    patch: int = 1
    width: int
    height: int
    frames: int = 1
    frames_per_s: float | None = None
    steps: int
    guidance_passes: int = 2
    reference_images: int = 0

    def component(self, role: str) -> DiffusionComponent | None:
        """The first component of `role`, None where the pipeline has none."""
        return next((c for c in self.components if c.role == role), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionShape:
    """An image classifier.

    Attributes:
        forward_flop: one image of `image_size` forward (2 x multiply-accumulates).
        activation_elements: elements kept for the backward pass per image of `image_size`, where counted.
    """

    network: str
    image_size: int
    forward_flop: float
    patch: int | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    ffn: int | None = None
    classes: int = 1000
    activation_elements: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralModel(CatalogueItem):
    """A preset or a model given by file or by shape.

    Attributes:
        hugging_face: `owner/Name` of the repository; empty where there is none.
        parameters: exact total of what is loaded.
        architecture: decoder and encoder transformers; the language part of a vision-language model.
        vision_parameters, vision_tower, image_tokens_default: of a vision-language model.
        file_bytes, file_format: exact size and stored format of the weights where the model was read from its files.
    """

    kind: ModelKind
    family: str = ""
    hugging_face: str = ""
    licence: str = ""
    parameters: int
    active_parameters: int | None = None
    architecture: Architecture | None = None
    diffusion: DiffusionShape | None = None
    vision: VisionShape | None = None
    native_precision: str = "bf16"
    vision_parameters: int | None = None
    vision_tower: VisionTower | None = None
    image_tokens_default: int | None = None
    release: str | None = None
    file_bytes: int | None = None
    file_format: str = ""
