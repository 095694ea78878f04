"""Columns that describe the training workload, its recipe and the framework's habits."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.engine.catalogue.neural_model import Architecture
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.names import FRAMEWORK
from gpuconfig.engine.estimation.inputs.recipe import (
    LOW_PRECISION_BYTES,
    PAGED,
    is_low_precision,
    recipe_of,
)
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
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

GROUP = "memory"
ALL_LINEAR = "all-linear"
TARGETS = {
    "q": "q", "q_proj": "q", "wq": "q", "k": "k", "k_proj": "k", "wk": "k", "v": "v", "v_proj": "v", "wv": "v",
    "o": "o", "o_proj": "o", "wo": "o", "out_proj": "o", "gate_proj": "gate", "up_proj": "up", "down_proj": "down",
    "w1": "gate", "w3": "up", "w2": "down", "fc1": "up", "fc2": "down",
}  # fmt: skip
FUSED_TARGETS = {"c_attn": "qkv", "qkv_proj": "qkv", "query_key_value": "qkv", "gate_up_proj": "gate up"}
COPIES = {Stage.SFT: (0, 1), Stage.REWARD: (0, 1), Stage.DPO: (1, 1), Stage.GRPO: (1, 1), Stage.PPO: (2, 2)}
"""Frozen models beside the trained ones (reference, reward), and trained ones (policy, critic)."""
FRAMEWORK_COLUMNS = tuple(item.name for item in FRAMEWORK)
OWN_KERNELS = frozenset({Framework.MEGATRON, Framework.TORCHTITAN, Framework.TORCHTUNE, Framework.LITGPT})
"""Frameworks whose loss says nothing about their other kernels."""
QUANTISED = (WeightStorage.NF4, WeightStorage.NF4_DQ, WeightStorage.INT4, WeightStorage.INT8)
OFFLOADS = {
    Offload.NONE: (0.0, 0.0, 0.0, 0.0),
    Offload.OPTIMIZER: (1.0, 0.0, 0.0, 0.0),
    Offload.PARAMETERS: (0.0, 1.0, 0.0, 0.0),
    Offload.OPTIMIZER_AND_PARAMETERS: (1.0, 1.0, 0.0, 0.0),
    Offload.ACTIVATIONS: (0.0, 0.0, 1.0, 0.0),
    Offload.NVME: (1.0, 1.0, 0.0, 1.0),
}
"""Optimizer, parameters, activations, on to NVMe."""


def workload_columns(
    s: TrainingSettings, shape: Architecture, coefficients: CoefficientSet, fully_sharded: bool
) -> dict[str, float]:
    """One row of the columns named in `names.WORKLOAD` and `names.FRAMEWORK`."""
    _check_frozen(s, shape)
    _check_storage(s)
    r = recipe_of(s, fully_sharded)
    optimizer, parameters, activations, nvme = OFFLOADS[s.offload]
    frozen, trained = COPIES[s.stage]
    if not s.trains_all:
        frozen, trained = (1 if s.stage is Stage.PPO else 0), 1  # adapters are switched off for the reference
    capacity = s.moe_capacity_factor
    return {
        "sequence_length": float(s.sequence_length + s.image_tokens),
        "image_tokens": float(s.image_tokens),
        "micro_batch_size": float(s.micro_batch_size),
        "unpacked": float(not s.packed),
        "gradient_accumulation": float(s.gradient_accumulation),
        "trains_all": float(s.trains_all),
        "compute_bytes": r.compute,
        "residual_bytes": r.residual,
        "fp8_training": float(is_low_precision(s)),
        "low_precision_bytes": LOW_PRECISION_BYTES.get(s.precision, 1.0),
        "linear_weight_bytes": r.linear_weight,
        "other_weight_bytes": r.other_weight,
        "autocast_copies": r.autocast_copies,
        "gather_bytes": r.gather,
        "gradient_bytes": r.gradient,
        "master_bytes": r.master,
        "state_bytes": r.state,
        "embedding_state_bytes": r.embedding_state,
        "step_bytes": r.step,
        "trained_weight_bytes": r.trained_weight,
        "reduce_bytes": r.reduce,
        "optimizer_in_backward": float(s.optimizer_in_backward),
        "frozen_layers": float(s.frozen_layers),
        **_adapter_columns(s, shape, r.compute),
        "dequantised_bytes": r.compute if s.method is Method.QLORA else 0.0,
        "encoded_pixels": float(s.encoded_pixels),
        "full_recompute": float(s.checkpointing is Checkpointing.FULL),
        "selective_recompute": float(s.checkpointing is Checkpointing.SELECTIVE),
        "attention_eager": float(s.attention_kernel is AttentionKernel.EAGER),
        "attention_sdpa": float(s.attention_kernel is AttentionKernel.SDPA),
        **_loss_columns(s),
        "compiled": float(s.compiled),
        "moe_capacity": 1.0 if capacity is None else capacity,
        "fullest_expert_rank": coefficients.value(GROUP, "fullest_expert_rank") if capacity is None else 1.0,
        "resident_copies": float(frozen),
        "trained_copies": float(trained),
        "sequences_per_sample": 2.0 if s.stage in (Stage.DPO, Stage.REWARD) else 1.0,
        "scalar_head": float(s.stage is Stage.REWARD or (s.encodes and s.method is not Method.PRETRAIN)),
        "keeps_logits": float(s.stage in (Stage.DPO, Stage.GRPO, Stage.PPO)),
        "offload_optimizer": optimizer,
        "offload_parameters": parameters,
        "offload_activations": activations,
        "offload_nvme": nvme,
        "paged_states": float(s.optimizer in PAGED),
        "threaded_replicas": float(s.threaded),
        **framework_columns(s, shape, coefficients),
    }


def framework_scopes(s: TrainingSettings, shape: Architecture) -> tuple[str, ...]:
    """Scopes of framework coefficients, most special first."""
    name, loss = s.stack.value, s.loss.value
    fuses = s.loss in (Loss.FUSED, Loss.FUSED_LINEAR) and s.framework not in OWN_KERNELS
    special = (f"{name}|compiled", "compiled") if s.compiled else ("fused_kernels",) if fuses else ()
    plain = () if shape.gated_mlp else (f"{name}|plain_mlp",)
    kind = ("denoiser",) if s.denoises else ("encoder",) if s.encodes else ()
    return (*kind, f"{name}|{loss}", *special, *plain, name, loss)


def framework_columns(
    s: TrainingSettings, shape: Architecture, coefficients: CoefficientSet
) -> dict[str, float]:
    """The framework's habits, from the coefficient file; weights kept in 8 bits are the first of their copies."""
    columns = dict(coefficients.values(GROUP, FRAMEWORK_COLUMNS, *framework_scopes(s, shape)))
    if s.lora.dropout == 0:
        columns["adapter_mask_bytes"] = 0.0
    if s.groups_experts:
        columns["grouped_experts"] = 1.0
    if s.narrow_frozen:
        columns["fp8_weight_copies"] = max(columns["fp8_weight_copies"] - 1.0, 0.0)
    return columns


def adapter_targets(targets: tuple[str, ...]) -> frozenset[str]:
    """Projections with an adapter, of q, k, v, o, gate, up, down.

    Raises:
        InputError: an unknown name.
    """
    if not targets:
        accepted = Message(N_("one of {names}"), {"names": ", ".join((ALL_LINEAR, *TARGETS))})
        reason = Message(N_("adapters need at least one matrix to sit on"))
        raise InputError("missing", "workload.lora.targets", None, reason, accepted)
    found: set[str] = set()
    for target in targets:
        name = target.rsplit(".", 1)[-1].lower()
        if name in (ALL_LINEAR, "all_linear", "all"):
            found |= {"q", "k", "v", "o", "gate", "up", "down"}
        elif name in TARGETS:
            found.add(TARGETS[name])
        elif name in FUSED_TARGETS:
            found |= (
                set(FUSED_TARGETS[name].split()) if " " in FUSED_TARGETS[name] else set(FUSED_TARGETS[name])
            )
        else:
            accepted = Message(N_("one of {names}"), {"names": ", ".join((ALL_LINEAR, *TARGETS))})
            raise InputError(
                "unknown_value", "workload.lora.targets", target, Message(N_("not a known value")), accepted
            )
    return frozenset(found)


def _check_frozen(s: TrainingSettings, shape: Architecture) -> None:
    if s.frozen_layers > shape.layers:
        accepted = Message(N_("a number from {low} to {high}"), {"low": 0, "high": shape.layers})
        reason = Message(N_("more than the model has layers"))
        raise InputError("impossible", "workload.frozen_layers", s.frozen_layers, reason, accepted)


def _check_storage(s: TrainingSettings) -> None:
    """Quantised weights have no gradient: they carry adapters, and QLoRA is nothing else."""
    quantised = s.weight_storage in QUANTISED
    if quantised == (s.method is Method.QLORA) or s.method is Method.LORA:
        return
    named = QUANTISED if s.method is Method.QLORA else tuple(w for w in WeightStorage if w not in QUANTISED)
    accepted = Message(N_("one of {names}"), {"names": ", ".join(word.value for word in named)})
    reason = (
        N_("QLoRA keeps quantised weights; with others it is LoRA")
        if s.method is Method.QLORA
        else N_("quantised weights cannot be trained, only carry adapters")
    )
    raise InputError(
        "impossible", "workload.weight_storage", s.weight_storage.value, Message(reason), accepted
    )


def _adapter_columns(s: TrainingSettings, shape: Architecture, compute: float) -> dict[str, float]:
    if s.trains_all:
        return dict.fromkeys(
            ("lora_rank", "lora_attention_inputs", "lora_o", "lora_mlp_inputs", "lora_down", "dora",
             "dora_attention_width", "dora_inner", "dora_down", "lora_parameters_per_rank_layer",
             "lora_expert_parameters_per_rank_layer", "lora_input_bytes"), 0.0,
        )  # fmt: skip
    targets = adapter_targets(s.lora.targets)
    if not shape.gated_mlp:
        targets -= {"gate"}
    attention_inputs = len(targets & {"q", "k", "v"})
    if s.denoises:  # without dropout the three share their input
        attention_inputs = min(attention_inputs, 1)
    h, q, kv = shape.hidden, shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    widths = {"q": h + q, "k": h + kv, "v": h + kv, "o": q + h}
    attention = sum(width for name, width in widths.items() if name in targets)
    mlp = len(targets & {"gate", "up", "down"})
    dense_share = (shape.layers - shape.moe_layers) / shape.layers
    experts = shape.experts * (h + (shape.expert_ffn or shape.ffn)) * (1 - dense_share)
    shared = shape.shared_experts * (h + (shape.shared_expert_ffn or shape.ffn)) * (1 - dense_share)
    return {
        "lora_rank": float(s.lora.rank),
        "lora_attention_inputs": float(attention_inputs),
        "lora_o": float("o" in targets),
        "lora_mlp_inputs": float(len(targets & {"gate", "up"})),
        "lora_down": float("down" in targets),
        "lora_parameters_per_rank_layer": attention + mlp * ((h + shape.ffn) * dense_share + shared),
        "lora_expert_parameters_per_rank_layer": float(mlp * experts),
        "lora_input_bytes": compute,
        "dora": float(s.lora.dora),
        **_magnitude_columns(s.lora.dora, targets, {"q": q, "k": kv, "v": kv, "o": h}),
    }


def _magnitude_columns(dora: bool, targets: frozenset[str], outputs: Mapping[str, int]) -> dict[str, float]:
    """Outputs that DoRA scales by a learned magnitude."""
    return {
        "dora_attention_width": float(dora * sum(w for name, w in outputs.items() if name in targets)),
        "dora_inner": float(dora * len(targets & {"gate", "up"})),
        "dora_down": float(dora and "down" in targets),
    }


def _loss_columns(s: TrainingSettings) -> dict[str, float]:
    return {
        "loss_full": float(s.loss is Loss.FULL_LOGITS),
        "loss_fused": float(s.loss is Loss.FUSED),
        "loss_fused_linear": float(s.loss is Loss.FUSED_LINEAR),
        "loss_chunked": float(s.loss is Loss.CHUNKED),
        "loss_vocab_parallel": float(s.loss is Loss.VOCAB_PARALLEL),
    }


def uses_muon(s: TrainingSettings) -> bool:
    """True where matrices and embeddings keep different states."""
    return s.optimizer is Optimizer.MUON
