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
    grouped,
    is_adapter,
    is_training,
    yes_no,
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
_REPLICAS = (
    Choice("processes", N_("A process for each card"), N_("torchrun: DDP, FSDP, ZeRO.")),
    Choice(
        "threads",
        N_("Threads of one process"),
        N_("nn.DataParallel: weights are copied and gradients collected through the first card each time."),
    ),
)
_GRADIENTS = (Choice("bf16", "BF16"), Choice("fp16", "FP16"), Choice("fp32", "FP32"))
_STATES = (*_GRADIENTS, Choice("int8", "INT8"))
_TARGETS = (
    Choice("all-linear", N_("Every linear layer")),
    Choice("q_proj,k_proj,v_proj,o_proj", N_("Attention (q, k, v, o)")),
    Choice("q_proj,v_proj", N_("Queries and values (q, v)"), N_("As in the first LoRA paper: the fewest.")),
    Choice("gate_proj,up_proj,down_proj", N_("Feed-forward (gate, up, down)")),
)
_AS_FRAMEWORK = N_("as the framework does by default")
_AS_METHOD = N_("as usual for the method")
_FRAMEWORKS = (
    Choice("hf_trainer", N_("Hugging Face Trainer")),
    Choice("deepspeed", N_("DeepSpeed")),
    Choice("megatron", N_("Megatron-LM, NeMo")),
    Choice("torchtitan", N_("TorchTitan")),
    Choice("torchtune", N_("torchtune")),
    Choice("llm_foundry", N_("LLM Foundry")),
    Choice("litgpt", N_("LitGPT")),
    Choice("axolotl", N_("Axolotl")),
    Choice("unsloth", N_("Unsloth")),
    Choice("internevo", N_("InternEvo")),
    Choice("other", N_("other")),
)


def _number(name: str, title: str, kind: QuestionKind = QuestionKind.WHOLE, **more: object) -> Question:
    """A number of the training workload under "More options"."""
    return _setting(name, title, kind, **{"limits": (TrainingWorkload, name), **more})


def _picture(name: str, title: str, placeholder: str, unit: str = "") -> Question:
    """A size of what an image or video model is trained on."""
    return _number(
        name,
        title,
        key=f"train_{name}",
        help=N_("For image and video models."),
        unsure=N_("the model's default"),
        placeholder=placeholder,
        unit=unit,
    )


def _setting(name: str, title: str, kind: QuestionKind = QuestionKind.PICK, **more: object) -> Question:
    values: dict[str, object] = {
        "key": name,
        "path": f"workload.{name}",
        "unsure": OPEN,
        "advanced": True,
        "shown": is_training,
        **more,
    }
    return Question(kind=kind, title=title, **values)  # type: ignore[arg-type]


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
    *grouped(
        N_("Batch and samples"),
        Question(
            key="train_rate",
            path="target.tokens_per_s",
            kind=QuestionKind.REAL,
            title=N_("At least this fast"),
            unit=N_("tokens/s"),
            placeholder="20000",
            limits=(Target, "tokens_per_s"),
            unsure=N_("no limit"),
            advanced=True,
            shown=is_training,
        ),
        _number("micro_batch_size", N_("Micro batch"), unit=N_("per card"), placeholder="1"),
        _number("gradient_accumulation", N_("Gradient accumulation"), unit=N_("steps"), placeholder="8"),
        _setting(
            "packed",
            N_("Samples packed to full length"),
            choices=yes_no("", N_("Short samples are padded: part of the work is lost.")),
            unsure=N_("packed: no padding is counted"),
        ),
        _number(
            "image_tokens",
            N_("Image tokens in a sample"),
            unit=N_("tokens"),
            placeholder="576",
            help=N_(
                "For models that read images: they lengthen the sequence and are decoded by the processor."
            ),
            unsure=N_("text only"),
        ),
        _picture("width", N_("Width"), "1024", N_("pixels")),
        _picture("height", N_("Height"), "1024", N_("pixels")),
        _picture("frames", N_("Frames"), "81"),
    ),
    *grouped(
        N_("Number formats"),
        _setting(
            "precision", N_("Precision"), choices=_PRECISIONS, default="bf16", unsure=N_("BF16 is taken")
        ),
        _setting("weight_storage", N_("Weights kept as"), choices=_STORAGE, unsure=_AS_METHOD),
        _setting("autocast", N_("Autocast"), choices=yes_no(), unsure=_AS_FRAMEWORK),
        _setting(
            "master_weights",
            N_("FP32 master weights"),
            choices=yes_no(N_("4 bytes a trained parameter."), N_("Updates are rounded to 16 bits.")),
            unsure=_AS_FRAMEWORK,
        ),
        _setting("gradient_dtype", N_("Gradients kept as"), choices=_GRADIENTS, unsure=_AS_FRAMEWORK),
        _setting(
            "optimizer_state_dtype", N_("Optimizer states kept as"), choices=_STATES, unsure=_AS_FRAMEWORK
        ),
    ),
    *grouped(
        N_("Optimizer and memory"),
        _setting("optimizer", N_("Optimizer"), choices=_OPTIMIZERS, unsure=N_("AdamW is taken")),
        _setting(
            "optimizer_foreach",
            N_("Optimizer over all tensors at once (foreach)"),
            choices=yes_no(N_("A short-lived copy as large as the weights.")),
            unsure=_AS_FRAMEWORK,
        ),
        _setting(
            "optimizer_in_backward",
            N_("Optimizer step inside backward"),
            choices=yes_no(N_("Each gradient is freed at once; no accumulation, no clipping.")),
            unsure=N_("after backward: all gradients are held"),
        ),
        _setting("checkpointing", N_("Activation recomputation"), choices=_CHECKPOINTING),
        _setting(
            "offload",
            N_("Moved to the host"),
            choices=_OFFLOAD,
            default="none",
            unsure=N_("nothing is moved"),
        ),
        _number(
            "frozen_layers",
            N_("Layers that are not trained"),
            placeholder="0",
            help=N_("Counted from the input; they need neither gradients nor optimizer states."),
            unsure=N_("all layers are trained"),
        ),
        _number(
            "moe_capacity_factor",
            N_("Capacity factor of the experts"),
            QuestionKind.REAL,
            placeholder="1.25",
            help=N_("For MoE models: tokens beyond it are dropped."),
            unsure=N_("no tokens are dropped: the fullest expert sets the memory"),
        ),
    ),
    *grouped(
        N_("Adapters"),
        _number(
            "lora_rank",
            N_("LoRA rank"),
            path="workload.lora.rank",
            limits=(Lora, "rank"),
            placeholder="16",
            unsure=N_("rank 16 is taken"),
            shown=is_adapter,
        ),
        _setting(
            "lora_targets",
            N_("Layers with adapters"),
            path="workload.lora.targets",
            choices=_TARGETS,
            listed=True,
            unsure=N_("every linear layer"),
            shown=is_adapter,
        ),
        _setting(
            "lora_dora",
            N_("DoRA"),
            path="workload.lora.dora",
            choices=yes_no(N_("Learns a magnitude too: slower, more memory.")),
            unsure=N_("plain LoRA"),
            shown=is_adapter,
        ),
        _number(
            "lora_dropout",
            N_("Dropout before the adapters"),
            QuestionKind.REAL,
            path="workload.lora.dropout",
            limits=(Lora, "dropout"),
            unit="0–1",
            placeholder="0.05",
            help=N_("0 saves its mask and its passes."),
            unsure=N_("some is assumed, as recipes have it"),
            shown=is_adapter,
        ),
    ),
    *grouped(
        N_("Programs and kernels"),
        _setting(
            "framework", N_("Framework"), choices=_FRAMEWORKS, unsure=N_("Hugging Face Trainer is taken")
        ),
        _setting(
            "framework_version",
            N_("Version of the framework"),
            QuestionKind.TEXT,
            placeholder="4.57",
            unsure=N_("a recent release"),
        ),
        _setting(
            "attention_kernel",
            N_("Attention kernel"),
            choices=_KERNELS,
            unsure=N_("FlashAttention is taken"),
        ),
        _setting("loss", N_("Loss kernel"), choices=_LOSSES, unsure=_AS_FRAMEWORK),
        _setting(
            "compiled", N_("torch.compile"), key="train_compiled", choices=yes_no(), unsure=N_("not compiled")
        ),
        _setting(
            "replicas",
            N_("Copies of the model run by"),
            choices=_REPLICAS,
            unsure=N_("a process for each card"),
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
    ),
)
