"""Step 3 for serving, image, video and vision."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import Target
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ServingWorkload, VisionWorkload
from gpuconfig.presentation.wizard.question import (
    OPEN,
    Answers,
    Choice,
    Condition,
    Question,
    QuestionKind,
    is_diffusion,
    is_serving,
    is_vision,
    task,
)

_ENGINES = (
    Choice("vllm", "vLLM"),
    Choice("sglang", "SGLang"),
    Choice("tensorrt_llm", "TensorRT-LLM"),
    Choice("llama_cpp", "llama.cpp"),
    Choice("transformers", "Transformers"),
    Choice("exllamav2", "ExLlamaV2"),
    Choice("lmdeploy", "LMDeploy"),
    Choice("mlx", "MLX"),
)
_WEIGHTS = (
    Choice("bf16", "BF16", N_("2 bytes a parameter, no loss.")),
    Choice("fp8", "FP8", N_("1 byte a parameter, hardly any loss; Ada, Hopper and later.")),
    Choice("awq_int4", "AWQ INT4", N_("About 0.53 bytes a parameter.")),
    Choice("gptq_int4", "GPTQ INT4", N_("About 0.53 bytes a parameter.")),
    Choice("gptq_int8", "GPTQ INT8"),
    Choice("nvfp4", "NVFP4", N_("Blackwell cards only.")),
    Choice("mxfp4", "MXFP4"),
    Choice("gguf:q4_k_m", "GGUF Q4_K_M", N_("For llama.cpp: about 0.6 bytes a parameter.")),
    Choice("gguf:q8_0", "GGUF Q8_0"),
)
_KV = (
    Choice("bf16", "BF16"),
    Choice("fp16", "FP16"),
    Choice("fp8", "FP8", N_("Half the cache, twice the users.")),
    Choice("int8", "INT8"),
)
_IMAGE_PRECISIONS = (
    Choice("bf16", "BF16"),
    Choice("fp16", "FP16"),
    Choice("fp8", "FP8"),
    Choice("fp32", "FP32"),
)


def _is_video(answers: Answers) -> bool:
    return task(answers) == "video"


def _ask(
    kind: type,
    name: str,
    title: str,
    shown: Condition,
    how: QuestionKind = QuestionKind.WHOLE,
    **more: object,
) -> Question:
    numeric = how in (QuestionKind.WHOLE, QuestionKind.REAL)
    values: dict[str, object] = {
        "key": name,
        "path": f"workload.{name}",
        "limits": (kind, name) if numeric else None,
        "unsure": OPEN,
        "shown": shown,
        **more,
    }
    return Question(kind=how, title=title, **values)  # type: ignore[arg-type]


SERVING = (
    _ask(
        ServingWorkload,
        "prompt_tokens",
        N_("Prompt length"),
        is_serving,
        unit=N_("tokens"),
        placeholder="2048",
        binary=True,
        help=N_("What a request brings along, with system prompt and retrieved text."),
        unsure=N_("2,048 tokens is assumed: a chat with some retrieved text"),
        default="2048",
    ),
    _ask(
        ServingWorkload,
        "output_tokens",
        N_("Answer length"),
        is_serving,
        unit=N_("tokens"),
        placeholder="512",
        binary=True,
        unsure=N_("512 tokens is assumed"),
        default="512",
    ),
    Question(
        key="users",
        path="target.users",
        kind=QuestionKind.WHOLE,
        title=N_("Requests at the same time"),
        unit=N_("requests"),
        placeholder="32",
        limits=(Target, "users"),
        help=N_("About one in ten of the people who have the page open."),
        unsure=N_("one request at a time is assumed"),
        shown=is_serving,
    ),
    Question(
        key="ttft",
        path="target.ttft_ms",
        kind=QuestionKind.REAL,
        title=N_("First token within"),
        unit="ms",
        placeholder="2000",
        limits=(Target, "ttft_ms"),
        unsure=N_("no limit"),
        shown=is_serving,
    ),
    Question(
        key="tpot",
        path="target.tpot_ms",
        kind=QuestionKind.REAL,
        title=N_("Each further token within"),
        unit="ms",
        placeholder="50",
        limits=(Target, "tpot_ms"),
        help=N_("50 ms are 20 tokens a second, faster than people read."),
        unsure=N_("no limit"),
        shown=is_serving,
    ),
    _ask(
        ServingWorkload,
        "weight_format",
        N_("Weights kept as"),
        is_serving,
        QuestionKind.PICK,
        choices=_WEIGHTS,
        unsure=N_("BF16 is taken, as released"),
    ),
    _ask(
        ServingWorkload,
        "engine",
        N_("Engine"),
        is_serving,
        QuestionKind.PICK,
        choices=_ENGINES,
        advanced=True,
    ),
    _ask(
        ServingWorkload,
        "kv_dtype",
        N_("KV cache kept as"),
        is_serving,
        QuestionKind.PICK,
        choices=_KV,
        advanced=True,
    ),
    _ask(
        ServingWorkload,
        "max_context",
        N_("Longest context"),
        is_serving,
        unit=N_("tokens"),
        placeholder="8192",
        binary=True,
        advanced=True,
    ),
    _ask(
        ServingWorkload,
        "prefix_cache_hit",
        N_("Share of prompts found in the prefix cache"),
        is_serving,
        QuestionKind.REAL,
        unit="0–1",
        placeholder="0.3",
        advanced=True,
        unsure=N_("none is assumed"),
    ),
)

DIFFUSION = (
    _ask(DiffusionWorkload, "width", N_("Width"), is_diffusion, unit=N_("pixels"), placeholder="1024"),
    _ask(DiffusionWorkload, "height", N_("Height"), is_diffusion, unit=N_("pixels"), placeholder="1024"),
    _ask(DiffusionWorkload, "frames", N_("Frames"), _is_video, placeholder="81"),
    _ask(DiffusionWorkload, "steps", N_("Denoising steps"), is_diffusion, placeholder="30"),
    _ask(DiffusionWorkload, "batch", N_("Pictures at once"), is_diffusion, placeholder="1", advanced=True),
    _ask(
        DiffusionWorkload,
        "controlnets",
        N_("ControlNets"),
        is_diffusion,
        unit=N_("networks"),
        placeholder="1",
        advanced=True,
        help=N_(
            "Each runs beside the denoiser in every step: a fifth to nearly half more time, about a fifth more memory."
        ),
        unsure=N_("none: the prompt alone steers the picture"),
    ),
    _ask(
        DiffusionWorkload,
        "lora_rank",
        N_("LoRA ranks, added up"),
        is_diffusion,
        key="generation_lora_rank",
        placeholder="64",
        advanced=True,
        help=N_("Of adapters that are kept apart to be switched; merged into the weights they cost nothing."),
        unsure=N_("none, or merged into the weights"),
    ),
    _ask(
        DiffusionWorkload,
        "precision",
        N_("Precision"),
        is_diffusion,
        QuestionKind.PICK,
        key="image_precision",
        choices=_IMAGE_PRECISIONS,
        advanced=True,
    ),
)

VISION = (
    _ask(VisionWorkload, "image_size", N_("Picture size"), is_vision, unit=N_("pixels"), placeholder="224"),
    _ask(VisionWorkload, "batch_per_gpu", N_("Batch on each card"), is_vision, placeholder="256"),
    _ask(
        VisionWorkload,
        "precision",
        N_("Precision"),
        is_vision,
        QuestionKind.PICK,
        key="vision_precision",
        choices=_IMAGE_PRECISIONS,
        advanced=True,
    ),
)
