"""Step 3 for serving."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import Target
from gpuconfig.engine.workloads.serving import ENGINE_NAMES, ServingEngine, ServingWorkload, Speculative
from gpuconfig.presentation.wizard.question import (
    Answers,
    Choice,
    Condition,
    Question,
    QuestionKind,
    grouped,
    is_serving,
    text,
    workload_question,
)

_ON_CARDS = {
    ServingEngine.VLLM: N_(
        "NVIDIA from Turing on (T4, RTX 20); AMD Instinct MI200 and later, RX 7700 to 7900, RX 9000; Intel; Ascend."
    ),
    ServingEngine.SGLANG: N_("NVIDIA from Ampere on (A100, RTX 30); AMD Instinct MI300 and later."),
    ServingEngine.TENSORRT_LLM: N_("NVIDIA alone, from Ampere on (A100, RTX 30)."),
    ServingEngine.LLAMA_CPP: N_("GGUF files on nearly every card, old ones too; for few users."),
    ServingEngine.TRANSFORMERS: N_("Wherever PyTorch runs; for trials, not for many users."),
    ServingEngine.EXLLAMAV2: N_("EXL2 and EXL3 files on NVIDIA and AMD cards; for few users."),
    ServingEngine.LMDEPLOY: N_("NVIDIA from Volta on (V100), AWQ weights too; Ascend."),
    ServingEngine.MLX: N_("Made for Apple machines."),
}
"""Which cards an engine runs on, as the table of the estimates has it."""
_ENGINES = tuple(Choice(engine.value, ENGINE_NAMES[engine], cards) for engine, cards in _ON_CARDS.items())
_WEIGHTS = (
    Choice("bf16", "BF16", N_("2 bytes a parameter, no loss.")),
    Choice(
        "fp8",
        "FP8",
        N_(
            "1 byte a parameter, hardly any loss; faster on Ada, Hopper and later, "
            "on Turing and Ampere it saves memory only."
        ),
    ),
    Choice(
        "awq_int4",
        "AWQ INT4",
        N_("About 0.53 bytes a parameter; vLLM reads it from Turing on, LMDeploy from Volta on."),
    ),
    Choice("gptq_int4", "GPTQ INT4", N_("About 0.53 bytes a parameter.")),
    Choice("gptq_int8", "GPTQ INT8"),
    Choice("nvfp4", "NVFP4", N_("Made for Blackwell; on cards from Turing on it saves memory only.")),
    Choice("mxfp4", "MXFP4", N_("The form of gpt-oss; vLLM reads it from Ampere on.")),
    Choice("mxfp4_fp8", "MXFP4 + FP8"),
    Choice("gguf:q4_k_m", "GGUF Q4_K_M", N_("For llama.cpp: about 0.6 bytes a parameter.")),
    Choice("gguf:q8_0", "GGUF Q8_0"),
)
_KV = (
    Choice("bf16", "BF16"),
    Choice("fp16", "FP16"),
    Choice("fp8", "FP8", N_("Half the cache, twice the users.")),
    Choice("int8", "INT8"),
)

_BACKENDS = (
    Choice("cuda", "CUDA"),
    Choice("rocm", "ROCm"),
    Choice("vulkan", "Vulkan"),
    Choice("metal", "Metal"),
    Choice("sycl", "SYCL"),
    Choice("cann", "CANN"),
)
_DRAFTS = (
    Choice("mtp", "MTP", N_("The model's own heads, as in DeepSeek.")),
    Choice("eagle", "EAGLE"),
    Choice("eagle3", "EAGLE-3"),
    Choice("medusa", "Medusa"),
    Choice("draft_model", N_("A small model"), N_("Needs memory for its own weights and cache.")),
    Choice(
        "ngram", N_("N-grams of the prompt"), N_("Free of memory; helps where answers repeat the prompt.")
    ),
)


def _is_drafted(answers: Answers) -> bool:
    return is_serving(answers) and bool(text(answers, "speculative_method"))


def _setting(
    name: str,
    title: str,
    kind: QuestionKind | None = None,
    shown: Condition = is_serving,
    **more: object,
) -> Question:
    """A setting under "More options": a list where it has choices, else a whole number."""
    taken = kind or (QuestionKind.PICK if "choices" in more else QuestionKind.WHOLE)
    return workload_question(ServingWorkload, name, title, shown, taken, advanced=True, **more)


SERVING = (
    workload_question(
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
    workload_question(
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
    workload_question(
        ServingWorkload,
        "weight_format",
        N_("Weights kept as"),
        is_serving,
        QuestionKind.PICK,
        choices=_WEIGHTS,
        unsure=N_("BF16 is taken, as released"),
    ),
    *grouped(
        N_("Engine and memory"),
        Question(
            key="serve_rate",
            path="target.tokens_per_s",
            kind=QuestionKind.REAL,
            title=N_("At least this fast, all requests together"),
            unit=N_("tokens/s"),
            placeholder="1000",
            limits=(Target, "tokens_per_s"),
            unsure=N_("no limit"),
            advanced=True,
            shown=is_serving,
        ),
        _setting("engine", N_("Engine"), choices=_ENGINES),
        _setting(
            "engine_version",
            N_("Version of the engine"),
            QuestionKind.TEXT,
            placeholder="0.11",
            unsure=N_("a recent release"),
        ),
        _setting("backend", N_("Back end"), choices=_BACKENDS, unsure=N_("that of the card's maker")),
        _setting(
            "memory_utilization",
            N_("Share of the memory that the engine takes"),
            QuestionKind.REAL,
            unit="0–1",
            placeholder="0.9",
            unsure=N_("the engine's own default"),
        ),
        _setting(
            "offload_layers",
            N_("Layers kept in host memory"),
            unit=N_("layers"),
            placeholder="0",
            help=N_("For llama.cpp: the processor computes them, many times slower than the card."),
            unsure=N_("none, unless nothing else fits the budget"),
        ),
        _setting(
            "offload_experts",
            N_("Layers whose experts are kept in host memory"),
            unit=N_("layers"),
            placeholder="0",
            help=N_(
                "For MoE models in llama.cpp: one card serves a model far larger than its memory, to few users."
            ),
            unsure=N_("none, unless nothing else fits the budget"),
        ),
    ),
    *grouped(
        N_("Cache and prompts"),
        _setting("kv_dtype", N_("KV cache kept as"), choices=_KV),
        _setting("max_context", N_("Longest context"), unit=N_("tokens"), placeholder="8192", binary=True),
        _setting(
            "prefix_cache_hit",
            N_("Share of prompts found in the prefix cache"),
            QuestionKind.REAL,
            unit="0–1",
            placeholder="0.3",
            unsure=N_("none is assumed"),
        ),
    ),
    *grouped(
        N_("Speculative decoding"),
        _setting(
            "method",
            N_("Drafted by"),
            key="speculative_method",
            path="workload.speculative.method",
            choices=_DRAFTS,
            help=N_("Guesses further tokens cheaply; right guesses save passes of the model."),
            unsure=N_("no speculative decoding"),
        ),
        _setting(
            "tokens",
            N_("Tokens drafted at a time"),
            key="speculative_tokens",
            path="workload.speculative.tokens",
            limits=(Speculative, "tokens"),
            placeholder="3",
            unsure=N_("one, where something drafts"),
            shown=_is_drafted,
        ),
    ),
)
