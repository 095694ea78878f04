"""The training workload as asked for; None is "left open" and resolved by `estimation.training.settings`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig.engine.workloads.fields import derived, real, whole
from gpuconfig.engine.workloads.hardware import PipelineSchedule

LENGTH_MAX = 100_000_000


class Method(StrEnum):
    """What is trained."""

    FULL = "full"
    LORA = "lora"
    QLORA = "qlora"
    PRETRAIN = "pretrain"


class Stage(StrEnum):
    """Which loss, and so which models are resident."""

    SFT = "sft"
    REWARD = "reward"
    DPO = "dpo"
    GRPO = "grpo"
    PPO = "ppo"


class Precision(StrEnum):
    """Format of the matrix products."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP32 = "fp32"
    TF32 = "tf32"
    FP8 = "fp8"
    MXFP8 = "mxfp8"
    NVFP4 = "nvfp4"


class WeightStorage(StrEnum):
    """Format the (frozen or trained) weights are kept in."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP32 = "fp32"
    NF4 = "nf4"
    NF4_DQ = "nf4_dq"
    INT4 = "int4"
    INT8 = "int8"


class StateDtype(StrEnum):
    """Format of optimizer states."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP32 = "fp32"
    INT8 = "int8"


class GradientDtype(StrEnum):
    """Format of gradients."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP32 = "fp32"


class Optimizer(StrEnum):
    """The optimizer and where its states live."""

    ADAMW = "adamw"
    ADAMW_8BIT = "adamw_8bit"
    PAGED_ADAMW = "paged_adamw"
    PAGED_ADAMW_8BIT = "paged_adamw_8bit"
    ADAFACTOR = "adafactor"
    SGD = "sgd"
    LION = "lion"
    MUON = "muon"


class Checkpointing(StrEnum):
    """Activation recomputation."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class AttentionKernel(StrEnum):
    """Attention implementation."""

    FLASH = "flash"
    SDPA = "sdpa"
    EAGER = "eager"


class Loss(StrEnum):
    """Implementation of the cross-entropy over the vocabulary."""

    FULL_LOGITS = "full_logits"
    FUSED = "fused"
    FUSED_LINEAR = "fused_linear"
    CHUNKED = "chunked"
    VOCAB_PARALLEL = "vocab_parallel"


class Offload(StrEnum):
    """What is kept in host memory or on NVMe."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    PARAMETERS = "parameters"
    OPTIMIZER_AND_PARAMETERS = "optimizer_and_parameters"
    ACTIVATIONS = "activations"
    NVME = "nvme"


class Framework(StrEnum):
    """Training framework; decides silent behaviour."""

    HF_TRAINER = "hf_trainer"
    DEEPSPEED = "deepspeed"
    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    TORCHTUNE = "torchtune"
    LLM_FOUNDRY = "llm_foundry"
    LITGPT = "litgpt"
    AXOLOTL = "axolotl"
    UNSLOTH = "unsloth"
    INTERNEVO = "internevo"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> Framework | None:
        """By the names of what is built on one of them: `NeMo`, `Megatron-Bridge`, `TRL`, `ms-swift`."""
        word = re.sub(r"[^a-z0-9]", "", str(value).lower())
        return next((framework for framework, words in _BUILT_ON.items() if word in words), None)


_BUILT_ON = {
    Framework.MEGATRON: (
        "nemo", "nemoframework", "megatronlm", "megatroncore", "mcore", "megatronbridge", "megatronswift",
        "paimegatronpatch", "megatrondeepspeed",
    ),
    Framework.HF_TRAINER: (
        "hf", "huggingface", "transformers", "trainer", "trl", "sfttrainer", "peft", "accelerate", "llamafactory",
        "msswift", "swift",
    ),
    Framework.LLM_FOUNDRY: ("llmfoundry", "composer"),
    Framework.LITGPT: ("litgpt",),
    Framework.INTERNEVO: ("interntrain",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lora:
    """Low-rank adapters; `dropout` is that of their inputs, None where not stated: some."""

    rank: int = whole(16, 1, 65_536)
    targets: tuple[str, ...] = ("all-linear",)
    dora: bool = False
    dropout: float | None = real(None, 0.0, 1.0)


class Replicas(StrEnum):
    """What runs the copies of a model that is trained on several cards."""

    PROCESSES = "processes"
    THREADS = "threads"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingWorkload:
    """Fields of the contract's training workload. None: left open.

    Attributes:
        pipeline_schedule: of every pipeline that is searched, or of one whose `parallelism` names none.
        replicas: a process for each card (torchrun: DDP, FSDP, ZeRO), or threads of one (torch.nn.DataParallel).
    """

    method: Method
    stage: Stage = Stage.SFT
    sequence_length: int | None = whole(None, 1, LENGTH_MAX)
    packed: bool = True
    image_tokens: int = whole(0, 0, LENGTH_MAX)
    micro_batch_size: int | None = whole(None, 1, 1_000_000)
    gradient_accumulation: int | None = whole(None, 1, 1_000_000)
    precision: Precision = Precision.BF16
    autocast: bool | None = None
    weight_storage: WeightStorage | None = None
    narrow_frozen: bool = derived(False)
    """True where frozen weights are taken to be kept in the 8 or 4 bits of the products."""
    master_weights: bool | None = None
    gradient_dtype: GradientDtype | None = None
    optimizer: Optimizer | None = None
    optimizer_state_dtype: StateDtype | None = None
    optimizer_foreach: bool | None = None
    optimizer_in_backward: bool = False
    checkpointing: Checkpointing | None = None
    attention_kernel: AttentionKernel | None = None
    loss: Loss | None = None
    compiled: bool = False
    lora: Lora = field(default_factory=Lora)
    frozen_layers: int = whole(0, 0, 10_000)
    moe_capacity_factor: float | None = real(None, 0.1, 1000)
    offload: Offload = Offload.NONE
    framework: Framework | None = None
    framework_version: str | None = None
    dataset_tokens: float | None = real(None, 1, 1e18)
    pipeline_schedule: PipelineSchedule | None = None
    replicas: Replicas | None = None
    # training of a diffusion model
    width: int | None = whole(None, 16, 65_536)
    height: int | None = whole(None, 16, 65_536)
    frames: int | None = whole(None, 1, 100_000)
