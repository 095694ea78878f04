"""Single changes of a training run that save memory, each with what it costs in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.workloads.training import (
    AttentionKernel,
    Checkpointing,
    Framework,
    Loss,
    Method,
    Offload,
    Optimizer,
    Stage,
    WeightStorage,
)

SHORTEST_HALVED = 512
"""Shorter samples than this are not offered to be cut."""
Columns = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Altered:
    """A run after a change: its settings, and the columns of strategy and machine that changed."""

    settings: TrainingSettings
    columns: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Change:
    """One change; the list is ordered from cheap to dear.

    Attributes:
        name: changes of one name exclude one another.
        shown: the request fields it sets, for the answer.
        apply: the run after it, or None where it does not apply or changes nothing.
    """

    name: str
    shown: Callable[[TrainingSettings, Columns], Mapping[str, object]]
    cost: str
    apply: Callable[[TrainingSettings, Columns], Altered | None]


def _fused_loss(s: TrainingSettings, c: Columns) -> Altered | None:
    known = s.framework not in (Framework.MEGATRON, Framework.LITGPT)
    whole = s.loss in (Loss.FULL_LOGITS, Loss.FUSED, Loss.CHUNKED)
    usable = known and whole and s.stage is Stage.SFT and c["tensor_parallel"] == 1
    return Altered(replace(s, loss=Loss.FUSED_LINEAR)) if usable else None


def _flash(s: TrainingSettings, _: Columns) -> Altered | None:
    if s.attention_kernel is not AttentionKernel.EAGER:
        return None
    return Altered(replace(s, attention_kernel=AttentionKernel.SDPA))


def _shard(stage: int) -> Callable[[TrainingSettings, Columns], Altered | None]:
    def apply(s: TrainingSettings, c: Columns) -> Altered | None:
        if c["data_parallel"] < 2 or c["zero_stage"] >= stage or (stage < 3 and not s.trains_all):
            return None
        return Altered(s, {"zero_stage": float(stage)})

    return apply


def _recompute(s: TrainingSettings, _: Columns) -> Altered | None:
    if s.checkpointing is Checkpointing.FULL:
        return None
    return Altered(replace(s, checkpointing=Checkpointing.FULL))


def _small_batch(s: TrainingSettings, _: Columns) -> Altered | None:
    if s.micro_batch_size < 2:
        return None
    more = s.gradient_accumulation * s.micro_batch_size
    return Altered(replace(s, micro_batch_size=1, gradient_accumulation=more))


def _optimizer(kind: Optimizer) -> Callable[[TrainingSettings, Columns], Altered | None]:
    def apply(s: TrainingSettings, _: Columns) -> Altered | None:
        plain = s.optimizer in (Optimizer.ADAMW, Optimizer.PAGED_ADAMW, Optimizer.MUON, Optimizer.LION)
        smaller = s.optimizer is Optimizer.ADAMW_8BIT and kind is Optimizer.PAGED_ADAMW_8BIT
        usable = (plain or smaller) and s.framework is not Framework.MEGATRON and s.trains_all
        return Altered(replace(s, optimizer=kind)) if usable else None

    return apply


def _offload(kind: Offload) -> Callable[[TrainingSettings, Columns], Altered | None]:
    def apply(s: TrainingSettings, _: Columns) -> Altered | None:
        return Altered(replace(s, offload=kind)) if s.offload is Offload.NONE and s.trains_all else None

    return apply


def _shorter(s: TrainingSettings, _: Columns) -> Altered | None:
    if s.sequence_length < SHORTEST_HALVED:
        return None
    return Altered(replace(s, sequence_length=s.sequence_length // 2))


def _adapters(method: Method) -> Callable[[TrainingSettings, Columns], Altered | None]:
    def apply(s: TrainingSettings, c: Columns) -> Altered | None:
        if s.method not in (Method.FULL, Method.LORA) or s.method is method or c["tensor_parallel"] > 1:
            return None
        storage = WeightStorage.NF4 if method is Method.QLORA else WeightStorage.BF16
        framework = Framework.HF_TRAINER if s.framework is Framework.MEGATRON else s.framework
        return Altered(
            replace(s, method=method, weight_storage=storage, master_weights=False, framework=framework)
        )

    return apply


def _more_cards(s: TrainingSettings, c: Columns) -> Altered | None:
    doubled = {"gpus": 2 * c["gpus"], "gpus_per_node": 2 * c["gpus_per_node"]}
    doubled["data_parallel"] = 2 * c["data_parallel"]
    return Altered(s, {**doubled, "zero_stage": 3.0})


def _fixed(**shown: object) -> Callable[[TrainingSettings, Columns], Mapping[str, object]]:
    named = {name.replace("__", "."): value for name, value in shown.items()}
    return lambda _s, _c: named


def _batch_shown(s: TrainingSettings, _: Columns) -> Mapping[str, object]:
    more = s.gradient_accumulation * s.micro_batch_size
    return {"workload.micro_batch_size": 1, "workload.gradient_accumulation": more}


def _shorter_shown(s: TrainingSettings, _: Columns) -> Mapping[str, object]:
    return {"workload.sequence_length": s.sequence_length // 2}


def _more_shown(_: TrainingSettings, c: Columns) -> Mapping[str, object]:
    cards = int(2 * c["gpus_per_node"])
    return {
        "hardware.gpus_per_node": cards,
        "parallelism.zero_stage": 3,
        "parallelism.data": int(2 * c["data_parallel"]),
    }


CHANGES = (
    Change(
        "loss",
        _fixed(workload__loss="fused_linear"),
        N_("None: as fast or faster, with a kernel that never writes the logits."),
        _fused_loss,
    ),
    Change("attention", _fixed(workload__attention_kernel="sdpa"), N_("None: faster."), _flash),
    Change(
        "zero",
        _fixed(parallelism__zero_stage=1),
        N_("Hardly any: every rank steps its own share of the states."),
        _shard(1),
    ),
    Change(
        "zero",
        _fixed(parallelism__zero_stage=2),
        N_("Little: gradients go straight to the rank that needs them."),
        _shard(2),
    ),
    Change(
        "checkpointing",
        _fixed(workload__checkpointing="full"),
        N_("About a third more compute: every layer runs forward twice."),
        _recompute,
    ),
    Change(
        "batch", _batch_shown, N_("Smaller matrix products: somewhat slower, the same result."), _small_batch
    ),
    Change(
        "zero",
        _fixed(parallelism__zero_stage=3),
        N_("Weights are gathered layer by layer: half as much traffic again, slow over PCIe."),
        _shard(3),
    ),
    Change(
        "optimizer",
        _fixed(workload__optimizer="adamw_8bit"),
        N_("Hardly any in speed: states are kept in 8 bits."),
        _optimizer(Optimizer.ADAMW_8BIT),
    ),
    Change(
        "optimizer",
        _fixed(workload__optimizer="paged_adamw_8bit"),
        N_("States in 8 bits that move to host memory when the card is full: slower steps then."),
        _optimizer(Optimizer.PAGED_ADAMW_8BIT),
    ),
    Change(
        "offload",
        _fixed(workload__offload="optimizer"),
        N_("The optimizer step runs on the processor: gradients and weights cross PCIe in every step."),
        _offload(Offload.OPTIMIZER),
    ),
    Change("length", _shorter_shown, N_("Longer samples are cut or split."), _shorter),
    Change(
        "method",
        _fixed(workload__method="lora"),
        N_("Only adapters are trained: faster, another result."),
        _adapters(Method.LORA),
    ),
    Change(
        "method",
        _fixed(workload__method="qlora"),
        N_("Only adapters over 4-bit weights are trained: slower than LoRA, another result."),
        _adapters(Method.QLORA),
    ),
    Change(
        "offload",
        _fixed(workload__offload="optimizer_and_parameters"),
        N_("Weights cross PCIe in every pass: several times slower."),
        _offload(Offload.OPTIMIZER_AND_PARAMETERS),
    ),
    Change("cards", _more_shown, N_("Twice as many cards."), _more_cards),
)
"""Every change on offer, from cheap to dear."""
