"""LLM serving, image, video and vision workloads as asked for; None is "left open"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig.engine.workloads.fields import derived, real, whole
from gpuconfig.engine.workloads.training import LENGTH_MAX


class ServingEngine(StrEnum):
    """Inference engine."""

    VLLM = "vllm"
    SGLANG = "sglang"
    TENSORRT_LLM = "tensorrt_llm"
    LLAMA_CPP = "llama_cpp"
    TRANSFORMERS = "transformers"
    EXLLAMAV2 = "exllamav2"
    LMDEPLOY = "lmdeploy"
    MLX = "mlx"


ENGINE_NAMES: Mapping[ServingEngine, str] = {
    ServingEngine.VLLM: "vLLM",
    ServingEngine.SGLANG: "SGLang",
    ServingEngine.TENSORRT_LLM: "TensorRT-LLM",
    ServingEngine.LLAMA_CPP: "llama.cpp",
    ServingEngine.TRANSFORMERS: "Transformers",
    ServingEngine.EXLLAMAV2: "ExLlamaV2",
    ServingEngine.LMDEPLOY: "LMDeploy",
    ServingEngine.MLX: "MLX",
}
"""Engines as their projects write them."""


class Backend(StrEnum):
    """Compute back end of the engine."""

    CUDA = "cuda"
    ROCM = "rocm"
    VULKAN = "vulkan"
    METAL = "metal"
    SYCL = "sycl"
    CANN = "cann"


class ImageOffload(StrEnum):
    """How a diffusion pipeline moves its models to and from the card."""

    NONE = "none"
    MODEL = "model"
    SEQUENTIAL = "sequential"


class SpeculativeMethod(StrEnum):
    """Who drafts the tokens of speculative decoding."""

    MTP = "mtp"
    EAGLE = "eagle"
    EAGLE3 = "eagle3"
    MEDUSA = "medusa"
    DRAFT_MODEL = "draft_model"
    NGRAM = "ngram"

    @classmethod
    def _missing_(cls, value: object) -> SpeculativeMethod | None:
        """As engines and papers spell them: `EAGLE-3`, `draft`, `nextn`, `prompt_lookup`."""
        word = re.sub(r"[^a-z0-9]", "", str(value).lower())
        return next((method for method, words in _SPELLED.items() if word in words), None)


_SPELLED = {
    SpeculativeMethod.MTP: ("mtp", "nextn", "deepseekmtp", "multitokenprediction"),
    SpeculativeMethod.EAGLE: ("eagle", "eagle1", "eagle2"),
    SpeculativeMethod.EAGLE3: ("eagle3",),
    SpeculativeMethod.MEDUSA: ("medusa", "medusaheads", "hydra", "mlpspeculator"),
    SpeculativeMethod.DRAFT_MODEL: ("draftmodel", "draft", "drafter", "assistantmodel", "smallmodel"),
    SpeculativeMethod.NGRAM: ("ngram", "promptlookup", "lookahead", "suffix"),
}


@dataclass(frozen=True, slots=True)
class Speculative:
    """Speculative decoding: the method and the tokens drafted a step."""

    method: SpeculativeMethod = SpeculativeMethod.MTP
    tokens: int = whole(1, 1, 64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingWorkload:
    """Fields of the contract's serving workload."""

    engine: ServingEngine | None = None
    engine_version: str | None = None
    backend: Backend | None = None
    weight_format: str | None = None
    kv_dtype: str | None = None
    prompt_tokens: int | None = whole(None, 0, LENGTH_MAX)
    output_tokens: int | None = whole(None, 0, LENGTH_MAX)
    concurrency: int | None = whole(None, 1, 1_000_000)
    memory_utilization: float | None = real(None, 0.05, 1.0)
    max_context: int | None = whole(None, 1, LENGTH_MAX)
    speculative: Speculative | None = None
    prefix_cache_hit: float | None = real(None, 0.0, 1.0)
    ttft_target_ms: float | None = real(None, 0.001)
    tpot_target_ms: float | None = real(None, 0.001)
    offload_layers: int | None = whole(None, 0, 100_000)
    offload_experts: int | None = whole(None, 0, 100_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffusionWorkload:
    """Image or video generation.

    Attributes:
        controlnets: ControlNets that steer every step.
        lora_rank: ranks of all LoRA adapters added up; adapters merged into the weights cost nothing.
    """

    video: bool = derived(False)
    steps: int | None = whole(None, 1, 10_000)
    width: int | None = whole(None, 16, 65_536)
    height: int | None = whole(None, 16, 65_536)
    frames: int | None = whole(None, 1, 100_000)
    batch: int | None = whole(None, 1, 100_000)
    guidance: float | None = real(None, 0, 1000)
    precision: str | None = None
    engine: str | None = None
    compiled: bool = False
    sequence_parallel: int | None = whole(None, 1, 1024)
    offload: ImageOffload | None = None
    controlnets: int = whole(0, 0, 16)
    lora_rank: int = whole(0, 0, 4096)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionWorkload:
    """Training or inference of a convolutional network or a vision encoder; inference of a text encoder (BERT).

    Attributes:
        dataset_images: of the training set; None: no time to train, and host memory is not taken to keep them.
        epochs: passes over them.
    """

    training: bool = derived(False)
    batch_per_gpu: int | None = whole(None, 1, 1_000_000)
    image_size: int | None = whole(None, 8, 65_536)
    sequence_length: int | None = whole(None, 1, 65_536)
    dataset_images: int | None = whole(None, 1, 10**15)
    epochs: int | None = whole(None, 1, 1_000_000)
    precision: str | None = None
    engine: str | None = None
    compiled: bool = False
