"""Step 3 for training: data and settings."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import Target
from gpuconfig.engine.workloads.training import Lora, TrainingWorkload
from gpuconfig.presentation.wizard.question import (
    OPEN,
    Choice,
    Question,
    QuestionKind,
    is_adapter,
    is_training,
)

DAY_S = 86_400.0

_OPTIMIZERS = (
    Choice("adamw", N_("AdamW"), N_("8 bytes of states a trained parameter.")),
    Choice("adamw_8bit", N_("AdamW 8-bit"), N_("2 bytes of states a trained parameter.")),
    Choice("paged_adamw", N_("Paged AdamW"), N_("States move to host memory when the card is full.")),
    Choice(
        "paged_adamw_8bit", N_("Paged AdamW 8-bit"), N_("8-bit states that move to host memory when needed.")
    ),
    Choice("adafactor", N_("Adafactor"), N_("Factored states, almost no memory.")),
    Choice("sgd", N_("SGD"), N_("With momentum: 4 bytes a trained parameter.")),
    Choice("lion", N_("Lion"), N_("4 bytes of states a trained parameter.")),
    Choice("muon", N_("Muon"), N_("4 bytes for matrices; AdamW for the rest.")),
)
_PRECISIONS = (
    Choice("bf16", N_("BF16")),
    Choice("fp16", N_("FP16"), N_("Needs loss scaling; for cards without BF16.")),
    Choice("fp8", N_("FP8"), N_("Faster matrix products; memory of the states stays the same.")),
    Choice("mxfp8", N_("MXFP8"), N_("Blackwell cards only.")),
    Choice("nvfp4", N_("NVFP4"), N_("Blackwell cards only; experimental for training.")),
    Choice("tf32", N_("TF32")),
    Choice("fp32", N_("FP32"), N_("Twice the memory and many times slower.")),
)
_CHECKPOINTING = (
    Choice("none", N_("Off"), N_("Fastest, most memory.")),
    Choice("selective", N_("Selective"), N_("Recomputes attention only.")),
    Choice("full", N_("Full"), N_("Keeps only layer inputs: least memory, about a third more compute.")),
)
_STORAGE = (
    Choice("bf16", N_("BF16")),
    Choice("fp16", N_("FP16")),
    Choice("fp32", N_("FP32")),
    Choice("nf4", N_("NF4")),
    Choice("nf4_dq", N_("NF4, double quantized")),
    Choice("int4", N_("INT4")),
    Choice("int8", N_("INT8")),
)
_KERNELS = (Choice("flash", N_("FlashAttention")), Choice("sdpa", N_("SDPA")), Choice("eager", N_("Eager")))
_LOSSES = (
    Choice("full_logits", N_("Full logits")),
    Choice("fused", N_("Fused on full logits")),
    Choice("fused_linear", N_("Fused with the last layer (Liger)"), N_("The logits never exist in memory.")),
    Choice("chunked", N_("Chunked")),
    Choice("vocab_parallel", N_("Vocabulary parallel")),
)
_OFFLOAD = (
    Choice("none", N_("Nothing")),
    Choice(
        "optimizer",
        N_("Optimizer states"),
        N_("Saves 8–12 bytes a parameter; PCIe and the host slow each step."),
    ),
    Choice("parameters", N_("Parameters")),
    Choice(
        "optimizer_and_parameters", N_("States and parameters"), N_("Fits large models on few cards, slowly.")
    ),
    Choice("activations", N_("Activations")),
    Choice("nvme", N_("To NVMe"), N_("Slowest; wears the drive.")),
)
_SCHEDULES = (
    Choice("1f1b", N_("1F1B"), N_("One chunk of layers a card: the least traffic, the largest bubble.")),
    Choice("interleaved", N_("Interleaved"), N_("Several chunks a card: less bubble, more traffic.")),
    Choice(
        "zb_h1",
        N_("Zero bubble H1"),
        N_("About half of the bubble stays, memory as 1F1B."),
    ),
    Choice("zb_h2", N_("Zero bubble H2"), N_("Hardly any bubble, nearly twice the activations.")),
    Choice("zb_v", N_("Zero bubble V"), N_("Hardly any bubble at the memory of 1F1B, two chunks a card.")),
)
_FRAMEWORKS = (
    Choice("hf_trainer", N_("Hugging Face Trainer")),
    Choice("deepspeed", N_("DeepSpeed")),
    Choice("megatron", N_("Megatron-LM")),
    Choice("torchtitan", N_("TorchTitan")),
    Choice("torchtune", N_("torchtune")),
    Choice("llm_foundry", N_("LLM Foundry")),
    Choice("litgpt", N_("LitGPT")),
    Choice("axolotl", N_("Axolotl")),
    Choice("unsloth", N_("Unsloth")),
    Choice("other", N_("other")),
)


def _number(key: str, title: str, kind: QuestionKind = QuestionKind.WHOLE, **more: object) -> Question:
    """A number of the training workload under "More options"."""
    return _setting(key, title, kind, **{"limits": (TrainingWorkload, key), **more})


def _setting(key: str, title: str, kind: QuestionKind = QuestionKind.PICK, **more: object) -> Question:
    values: dict[str, object] = {
        "path": f"workload.{key}",
        "unsure": OPEN,
        "advanced": True,
        "shown": is_training,
        **more,
    }
    return Question(key=key, kind=kind, title=title, **values)  # type: ignore[arg-type]


QUESTIONS = (
    _number(
        "sequence_length",
        N_("Sequence length"),
        unit=N_("tokens"),
        placeholder="4096",
        binary=True,
        advanced=False,
        help=N_("Longest sample after packing. Activations grow with it."),
        unsure=N_("4,096 tokens is assumed, enough for most instruction data"),
        default="4096",
    ),
    _number(
        "dataset_tokens",
        N_("Tokens to train on"),
        QuestionKind.REAL,
        unit=N_("tokens"),
        placeholder="1B",
        advanced=False,
        help=N_("All samples times epochs; 1B, 500M and 10亿 are understood."),
        unsure=N_("speed is given per second; no time to finish can be given"),
    ),
    Question(
        key="deadline",
        path="target.deadline_s",
        kind=QuestionKind.REAL,
        title=N_("To be finished within"),
        unit=N_("days"),
        placeholder="7",
        limits=(Target, "deadline_s"),
        scale=DAY_S,
        help=N_("Machines that need longer are ranked after those that keep it."),
        unsure=N_("no deadline: the cheapest machine that fits wins"),
        shown=is_training,
    ),
    _setting("precision", N_("Precision"), choices=_PRECISIONS, default="bf16", unsure=N_("BF16 is taken")),
    _setting(
        "optimizer", N_("Optimizer"), choices=_OPTIMIZERS, shown=is_training, unsure=N_("AdamW is taken")
    ),
    _setting("checkpointing", N_("Activation recomputation"), choices=_CHECKPOINTING),
    _number("micro_batch_size", N_("Micro batch"), unit=N_("per card"), placeholder="1"),
    _number("gradient_accumulation", N_("Gradient accumulation"), unit=N_("steps"), placeholder="8"),
    _setting("weight_storage", N_("Weights kept as"), choices=_STORAGE, unsure=N_("as usual for the method")),
    _setting(
        "attention_kernel", N_("Attention kernel"), choices=_KERNELS, unsure=N_("FlashAttention is taken")
    ),
    _setting("loss", N_("Loss kernel"), choices=_LOSSES, unsure=N_("as the framework does by default")),
    _setting(
        "offload", N_("Moved to the host"), choices=_OFFLOAD, default="none", unsure=N_("nothing is moved")
    ),
    _setting(
        "pipeline_schedule",
        N_("Pipeline schedule"),
        choices=_SCHEDULES,
        help=N_(
            "For experts: the order of the passes where layers are split over cards; without effect elsewhere."
        ),
        unsure=N_("1F1B and interleaving are both tried; zero bubble only where it is chosen"),
    ),
    _setting("framework", N_("Framework"), choices=_FRAMEWORKS, unsure=N_("Hugging Face Trainer is taken")),
    _number(
        "lora_rank",
        N_("LoRA rank"),
        path="workload.lora.rank",
        limits=(Lora, "rank"),
        placeholder="16",
        unsure=N_("rank 16 is taken"),
        shown=is_adapter,
    ),
)
