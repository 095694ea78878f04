"""What a training request leaves open, resolved by framework and method; every default taken is stated."""

from __future__ import annotations

from dataclasses import dataclass, fields

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Software, Vendor
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.inputs.denoiser import encoded_pixels, latent_tokens
from gpuconfig.engine.estimation.inputs.work_kinds import is_encoder
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.training import (
    AttentionKernel,
    Checkpointing,
    Framework,
    GradientDtype,
    Lora,
    Loss,
    Method,
    Offload,
    Optimizer,
    Precision,
    Replicas,
    Stage,
    StateDtype,
    TrainingWorkload,
    WeightStorage,
)

DEFAULT_LENGTH = 4096
MICRO_BATCHES_PER_STAGE = 4
FRAMES_AT_ONCE = 5
"""Frames of a clip that causal autoencoders encode at once: one, then four by four."""
GROUPING_RELEASE = 5
FLASH_SINCE = 8.0
"""NVIDIA compute capability from which FlashAttention 2 runs."""

CHECKPOINTING = {
    Framework.MEGATRON: Checkpointing.NONE,
    Framework.TORCHTITAN: Checkpointing.SELECTIVE,
    Framework.LITGPT: Checkpointing.NONE,
    Framework.INTERNEVO: Checkpointing.NONE,
}
FOREACH = frozenset({Framework.HF_TRAINER, Framework.LITGPT, Framework.OTHER})
"""Frameworks that step with torch's default AdamW, whose foreach form makes a temporary as large as the parameters."""
FUSED_STACKS = frozenset({Framework.UNSLOTH, Framework.INTERNEVO})
"""Frameworks with fused kernels of their own that no measurement here is fitted on."""
FULL = frozenset({Method.FULL, Method.PRETRAIN})
LOW_PRECISION = frozenset({Precision.FP8, Precision.MXFP8, Precision.NVFP4})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """A training workload with nothing left open. `weight_storage` is that of the trained (full) or frozen weights."""

    method: Method
    stage: Stage
    sequence_length: int
    packed: bool
    image_tokens: int
    micro_batch_size: int
    gradient_accumulation: int
    precision: Precision
    autocast: bool
    weight_storage: WeightStorage
    master_weights: bool
    gradient_dtype: GradientDtype
    optimizer: Optimizer
    optimizer_state_dtype: StateDtype
    optimizer_foreach: bool
    optimizer_in_backward: bool
    checkpointing: Checkpointing
    attention_kernel: AttentionKernel
    loss: Loss
    compiled: bool
    lora: Lora
    frozen_layers: int
    moe_capacity_factor: float | None
    offload: Offload
    framework: Framework
    framework_version: str | None
    dataset_tokens: float | None
    encoded_pixels: int = 0
    """Pixels of a sample of a diffusion model that its autoencoder encodes at once; 0 for a language model."""
    narrow_frozen: bool = False
    """True where frozen weights are kept in the 8 or 4 bits of the products, not in `weight_storage`."""
    threaded: bool = False
    """True where threads of one process train the copies of the model (torch.nn.DataParallel)."""
    unnamed: bool = False
    """True where weights are trained by a framework that is not named: any between recipes and submissions."""
    encodes: bool = False
    """True for an encoder, which is trained with dropout and tuned without its vocabulary."""

    @property
    def denoises(self) -> bool:
        """True for a diffusion model."""
        return self.encoded_pixels > 0

    @property
    def stack(self) -> Framework:
        """The framework whose coefficients speak for it: of some, those of stacks with fused kernels."""
        return Framework.OTHER if self.framework in FUSED_STACKS else self.framework

    @property
    def groups_experts(self) -> bool:
        """True for releases of transformers that multiply all experts at once; those before loop over them."""
        return self.stack is Framework.HF_TRAINER and (self.major_version or 0) >= GROUPING_RELEASE

    @property
    def trains_all(self) -> bool:
        """True where the weights themselves are trained."""
        return self.method in FULL

    @property
    def major_version(self) -> int | None:
        """Leading number of the framework's version, None where not stated."""
        head = (self.framework_version or "").split(".")[0]
        return int(head) if head.isdigit() else None


def resolve_settings(
    workload: TrainingWorkload, model: NeuralModel, accelerator: Accelerator, parallelism: Parallelism
) -> tuple[TrainingSettings, tuple[Assumption, ...]]:
    """The workload with nothing left open, and the defaults that were taken."""
    settings = settings_of(workload, model, accelerator, parallelism)
    return settings, _assumptions(workload, settings)


def settings_of(
    workload: TrainingWorkload, model: NeuralModel, accelerator: Accelerator, parallelism: Parallelism
) -> TrainingSettings:
    """The workload with nothing left open."""
    framework = workload.framework or _framework(workload, parallelism)
    storage = workload.weight_storage or _storage(workload, framework)
    master = _master(workload, framework, storage)
    if (
        workload.method in FULL
        and master
        and storage is not WeightStorage.FP32
        and framework in _FP32_PARAMETERS
    ):
        storage = WeightStorage.FP32  # these keep the master copy as the parameter itself
    checkpointing = workload.checkpointing or CHECKPOINTING.get(framework, Checkpointing.FULL)
    autocast = workload.autocast
    if autocast is None:
        autocast = framework in _AUTOCAST and workload.master_weights is not False
    return TrainingSettings(
        method=workload.method,
        stage=workload.stage,
        sequence_length=workload.sequence_length or _length(model, workload),
        packed=workload.packed,
        image_tokens=workload.image_tokens,
        micro_batch_size=workload.micro_batch_size or 1,
        gradient_accumulation=workload.gradient_accumulation
        or (MICRO_BATCHES_PER_STAGE * parallelism.pipeline if parallelism.pipeline > 1 else 1),
        precision=workload.precision,
        autocast=autocast,
        weight_storage=storage,
        master_weights=master,
        gradient_dtype=workload.gradient_dtype or _gradient(workload, framework, storage),
        optimizer=workload.optimizer or Optimizer.ADAMW,
        optimizer_state_dtype=workload.optimizer_state_dtype or _state(workload, storage, master, framework),
        optimizer_foreach=_foreach(workload, framework),
        optimizer_in_backward=workload.optimizer_in_backward,
        checkpointing=checkpointing,
        attention_kernel=workload.attention_kernel or _kernel(accelerator),
        loss=workload.loss or _loss(framework, parallelism),
        compiled=workload.compiled,
        lora=workload.lora,
        frozen_layers=workload.frozen_layers,
        moe_capacity_factor=workload.moe_capacity_factor,
        offload=_offload(workload, framework, checkpointing),
        framework=framework,
        framework_version=workload.framework_version,
        dataset_tokens=workload.dataset_tokens,
        encoded_pixels=_pixels(model, workload),
        narrow_frozen=_narrow_frozen(workload, framework),
        threaded=workload.replicas is Replicas.THREADS,
        unnamed=workload.framework is None and workload.method in FULL and model.diffusion is None,
        encodes=is_encoder(model),
    )


_AUTOCAST = frozenset({Framework.HF_TRAINER, Framework.AXOLOTL})
_FP32_PARAMETERS = frozenset(
    {Framework.HF_TRAINER, Framework.TORCHTITAN, Framework.LLM_FOUNDRY, Framework.TORCHTUNE, Framework.AXOLOTL,
     Framework.LITGPT}
)  # fmt: skip
_PURE = frozenset({Framework.TORCHTUNE, Framework.AXOLOTL, Framework.LITGPT})
_HALF = {
    Precision.FP16: WeightStorage.FP16,
    Precision.FP32: WeightStorage.FP32,
    Precision.TF32: WeightStorage.FP32,
}
_GRADIENT_DTYPE = {WeightStorage.FP16: GradientDtype.FP16, WeightStorage.FP32: GradientDtype.FP32}
_DTYPE = {WeightStorage.FP16: StateDtype.FP16, WeightStorage.FP32: StateDtype.FP32}


def _framework(workload: TrainingWorkload, parallelism: Parallelism) -> Framework:
    if workload.method in (Method.LORA, Method.QLORA):
        return Framework.HF_TRAINER
    split = parallelism.tensor * parallelism.pipeline * parallelism.context * parallelism.expert
    return Framework.MEGATRON if split > 1 else Framework.OTHER


def _length(model: NeuralModel, workload: TrainingWorkload) -> int:
    if model.diffusion is not None:
        return latent_tokens(model.diffusion, workload.width, workload.height, workload.frames)
    limit = model.architecture.max_context if model.architecture else None
    return min(DEFAULT_LENGTH, limit) if limit else DEFAULT_LENGTH


def _pixels(model: NeuralModel, workload: TrainingWorkload) -> int:
    if model.diffusion is None:
        return 0
    return encoded_pixels(model.diffusion, workload.width, workload.height, workload.frames, FRAMES_AT_ONCE)


def _storage(workload: TrainingWorkload, framework: Framework) -> WeightStorage:
    half = _HALF.get(workload.precision, WeightStorage.BF16)
    if workload.method is Method.QLORA:
        return WeightStorage.NF4
    if workload.method is Method.LORA or workload.master_weights is False:
        return half
    if framework in (Framework.HF_TRAINER, Framework.TORCHTITAN, Framework.LLM_FOUNDRY):
        return WeightStorage.FP32
    return half


def _narrow_frozen(workload: TrainingWorkload, framework: Framework) -> bool:
    """Whether frozen weights are held as the products read them, as benchmark submissions do (`fp8_params`)."""
    own = framework is Framework.OTHER and workload.weight_storage is None
    return workload.narrow_frozen or (
        own and workload.method is Method.LORA and workload.precision in LOW_PRECISION
    )


def _master(workload: TrainingWorkload, framework: Framework, storage: WeightStorage) -> bool:
    """Whether fp32 copies of the trained weights exist beside, or as, the weights."""
    if workload.method not in FULL:
        return False
    if workload.master_weights is not None:
        return workload.master_weights
    if storage is WeightStorage.FP32:
        return True
    if framework is Framework.HF_TRAINER:
        return workload.weight_storage is None
    return framework not in _PURE and framework not in (Framework.TORCHTITAN, Framework.LLM_FOUNDRY)


def _gradient(workload: TrainingWorkload, framework: Framework, storage: WeightStorage) -> GradientDtype:
    if framework is Framework.MEGATRON:
        return GradientDtype.FP32
    if workload.method not in FULL:
        return GradientDtype.BF16 if framework in _PURE else GradientDtype.FP32
    return _GRADIENT_DTYPE.get(storage, GradientDtype.BF16)


def _state(
    workload: TrainingWorkload, storage: WeightStorage, master: bool, framework: Framework
) -> StateDtype:
    if workload.method not in FULL:
        return StateDtype.BF16 if framework in _PURE else StateDtype.FP32
    return StateDtype.FP32 if master else _DTYPE.get(storage, StateDtype.BF16)


def _foreach(workload: TrainingWorkload, framework: Framework) -> bool:
    if workload.optimizer_foreach is not None:
        return workload.optimizer_foreach
    version = (workload.framework_version or "").split(".")[0]
    fused_default = framework is Framework.HF_TRAINER and version.isdigit() and int(version) >= 5
    return framework in FOREACH and not fused_default


def _kernel(accelerator: Accelerator) -> AttentionKernel:
    capability = accelerator.compute_capability_number()
    if accelerator.vendor is Vendor.NVIDIA and capability is not None and capability < FLASH_SINCE:
        return AttentionKernel.SDPA
    return AttentionKernel.FLASH if accelerator.software is not Software.METAL else AttentionKernel.SDPA


def _offload(workload: TrainingWorkload, framework: Framework, checkpointing: Checkpointing) -> Offload:
    """As asked for; Unsloth's checkpointing keeps the inputs of its layers in host memory."""
    moves = framework is Framework.UNSLOTH and checkpointing is Checkpointing.FULL
    return Offload.ACTIVATIONS if moves and workload.offload is Offload.NONE else workload.offload


def _loss(framework: Framework, parallelism: Parallelism) -> Loss:
    if framework is Framework.UNSLOTH:
        return Loss.FUSED_LINEAR
    if framework is Framework.MEGATRON or (framework is Framework.TORCHTITAN and parallelism.tensor > 1):
        return Loss.VOCAB_PARALLEL
    return Loss.CHUNKED if framework in (Framework.TORCHTUNE, Framework.LITGPT) else Loss.FULL_LOGITS


_MOVED = N_("Unsloth's checkpointing keeps the inputs of layers in host memory")
_NARROW = N_("not stated: frozen weights as their products read them, as benchmark submissions keep them")
_UNNAMED = N_(
    "not stated: speed as most people reach it with published recipes, a band that holds benchmark submissions too"
)
_MATTERS = {
    "sequence_length": N_("not stated: a usual length, at most what the model was made for"),
    "micro_batch_size": N_("not stated: the smallest"),
    "gradient_accumulation": N_("not stated: one, or four micro-batches a pipeline stage"),
    "optimizer": N_("not stated: the usual optimizer"),
    "checkpointing": N_("not stated: as the framework's recipes do"),
    "attention_kernel": N_("not stated: the best this card runs"),
    "loss": N_("not stated: as the framework computes it"),
    "weight_storage": N_("not stated: as the framework loads the weights"),
    "framework": N_("not stated: the usual one for this method"),
}


def _assumptions(workload: TrainingWorkload, settings: TrainingSettings) -> tuple[Assumption, ...]:
    taken = []
    for item in fields(TrainingSettings):
        why = _MATTERS.get(item.name)
        if why is not None and getattr(workload, item.name) is None:
            value = getattr(settings, item.name)
            if item.name == "weight_storage" and settings.narrow_frozen:
                value, why = settings.precision, _NARROW
            if item.name == "framework" and settings.unnamed and not settings.encodes:
                why = _UNNAMED
            taken.append(Assumption(f"workload.{item.name}", str(value), Message(why)))
    if settings.offload is not workload.offload:
        taken.append(Assumption("workload.offload", settings.offload.value, Message(_MOVED)))
    return tuple(taken)
