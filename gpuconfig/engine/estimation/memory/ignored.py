"""What a request states and memory does not move with: each such field is named with the reason, never passed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.inputs.recipe import EIGHT_BIT, FULL_PRECISION, MOMENTS, is_low_precision
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.training import (
    AttentionKernel,
    Checkpointing,
    Framework,
    Lora,
    Loss,
    Optimizer,
    Stage,
    TrainingWorkload,
)

Columns = Mapping[str, float]
Found = Iterator[tuple[str, str]]
KEEPS_LOGITS = frozenset({Stage.DPO, Stage.GRPO, Stage.PPO})


def ignored_fields(
    asked: TrainingWorkload, model: NeuralModel, settings: TrainingSettings, columns: Columns
) -> tuple[Assumption, ...]:
    """Stated fields of `asked` that memory does not follow, or not wholly, and why."""
    found = (
        *_adapters(asked, settings),
        *_model(asked, model, columns),
        *_states(asked, settings),
        *_kernels(asked, settings, columns),
    )
    return tuple(
        Assumption(f"workload.{name}", _shown(getattr(asked, name)), Message(why)) for name, why in found
    )


def _adapters(asked: TrainingWorkload, s: TrainingSettings) -> Found:
    if s.trains_all and asked.lora != Lora():
        yield "lora", N_("without effect: only LoRA and QLoRA have adapters")
    if s.trains_all:
        return
    if asked.gradient_dtype is not None:
        yield "gradient_dtype", N_("without effect: gradients of adapters have the format of the adapters")
    if asked.master_weights:
        yield "master_weights", N_("without effect: frozen weights have no fp32 copy")


def _model(asked: TrainingWorkload, model: NeuralModel, columns: Columns) -> Found:
    if asked.moe_capacity_factor is not None and not columns["experts"]:
        yield "moe_capacity_factor", N_("without effect: the model has no experts")
    if asked.image_tokens:
        if not model.vision_parameters:
            yield "image_tokens", N_("counted as text tokens: no vision tower of this model is known")
        elif not columns["trains_all"] or columns["frozen_layers"]:
            yield (
                "image_tokens",
                N_("the image part is frozen and keeps no activations: only its tokens count"),
            )
        elif model.vision_tower is None:
            yield (
                "image_tokens",
                N_("the shape of the image part is not known: one usual for its size is taken"),
            )
    if model.diffusion is None:
        for name in ("width", "height", "frames"):
            if getattr(asked, name) is not None:
                yield name, N_("without effect: only diffusion models are trained on pictures of a size")
    elif asked.loss is not None:
        yield "loss", N_("without effect: a diffusion model has no vocabulary")


def _states(asked: TrainingWorkload, s: TrainingSettings) -> Found:
    stated = asked.optimizer_state_dtype is not None
    if stated and s.optimizer in EIGHT_BIT:
        yield "optimizer_state_dtype", N_("without effect: this optimizer keeps its states in 8 bits")
    elif stated and MOMENTS[s.optimizer] == 0:
        yield "optimizer_state_dtype", N_("without effect: this optimizer keeps no states")
    if asked.optimizer_foreach and s.optimizer is not Optimizer.ADAMW:
        yield "optimizer_foreach", N_("without effect: only AdamW of torch has this form")
    elif asked.optimizer_foreach and s.optimizer_in_backward:
        yield "optimizer_foreach", N_("without effect: steps run tensor by tensor in the backward pass")
    if asked.gradient_dtype is not None and s.trains_all and s.optimizer_in_backward:
        yield "gradient_dtype", N_("without effect: steps in the backward pass keep no gradients")
    if asked.autocast and s.precision in FULL_PRECISION:
        yield "autocast", N_("without effect: the products run in fp32 anyhow")


def _kernels(asked: TrainingWorkload, s: TrainingSettings, columns: Columns) -> Found:
    if is_low_precision(s) and not columns["fp8_weight_copies"]:
        yield (
            "precision",
            N_("speed only: this framework keeps weights and activations in 16 bits between the products"),
        )
    core = asked.checkpointing is Checkpointing.SELECTIVE and not columns["selective_saves_matmuls"]
    if core and s.attention_kernel is not AttentionKernel.EAGER:
        yield "checkpointing", N_("saves nothing: fused attention keeps no scores that could be recomputed")
    if asked.loss is Loss.FUSED_LINEAR and s.stage in KEEPS_LOGITS:
        yield "loss", N_("without effect: this stage needs the logits themselves")
    if asked.loss is Loss.VOCAB_PARALLEL and columns["tensor_parallel"] == 1:
        yield "loss", N_("nothing to split: one tensor-parallel rank holds the whole vocabulary")
    if asked.framework_version is not None and s.framework is not Framework.HF_TRAINER:
        yield "framework_version", N_("memory is that of recent releases of this framework")


def _shown(value: object) -> str:
    if isinstance(value, Lora):
        return f"rank {value.rank}"
    return str(value).lower() if isinstance(value, bool) else str(value)
