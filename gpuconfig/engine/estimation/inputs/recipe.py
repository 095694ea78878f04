"""Bytes per parameter by recipe: what each framework keeps of weights, gradients, masters and optimizer states."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.estimation.training.settings import LOW_PRECISION, TrainingSettings
from gpuconfig.engine.workloads.training import (
    Checkpointing,
    Framework,
    GradientDtype,
    Method,
    Optimizer,
    Precision,
    StateDtype,
    WeightStorage,
)

STORAGE_BYTES = {
    WeightStorage.BF16: 2.0,
    WeightStorage.FP16: 2.0,
    WeightStorage.FP32: 4.0,
    WeightStorage.NF4: 0.5 + 4 / 64,  # one fp32 scale a block of 64
    WeightStorage.NF4_DQ: 0.5 + 1 / 64 + 4 / (64 * 256),  # scales in 8 bits, their scales per 256 blocks
    WeightStorage.INT4: 0.5 + 2.5 / 128,  # fp16 scale and 4-bit zero a group of 128
    WeightStorage.INT8: 1.0 + 3 / 128,
}
"""Bytes of one stored weight, scales included."""
GRADIENT_BYTES = {GradientDtype.BF16: 2.0, GradientDtype.FP16: 2.0, GradientDtype.FP32: 4.0}
DTYPE_BYTES = {StateDtype.BF16: 2.0, StateDtype.FP16: 2.0, StateDtype.FP32: 4.0, StateDtype.INT8: 1.0}
LOW_PRECISION_BYTES = {
    Precision.FP8: 1.0,
    Precision.MXFP8: 1.0 + 1 / 32,  # one 8-bit scale a block of 32
    Precision.NVFP4: 0.5 + 1 / 16,  # one 8-bit scale a block of 16
}
"""Bytes of one value in a format of the matrix units, scales included."""
EIGHT_BIT_STATE = 1.0 + 4 / 256  # one fp32 scale a block of 256
FULL_PRECISION = frozenset({Precision.FP32, Precision.TF32})
EIGHT_BIT = frozenset({Optimizer.ADAMW_8BIT, Optimizer.PAGED_ADAMW_8BIT})
PAGED = frozenset({Optimizer.PAGED_ADAMW, Optimizer.PAGED_ADAMW_8BIT})
MOMENTS = {
    Optimizer.ADAMW: 2.0,
    Optimizer.PAGED_ADAMW: 2.0,
    Optimizer.ADAMW_8BIT: 2.0,
    Optimizer.PAGED_ADAMW_8BIT: 2.0,
    Optimizer.LION: 1.0,
    Optimizer.MUON: 1.0,
    Optimizer.SGD: 0.0,
    Optimizer.ADAFACTOR: 0.01,  # one row and one column a matrix
}
"""State tensors as large as the parameters."""
K_BIT_PREPARED = frozenset({Framework.HF_TRAINER})
"""Frameworks whose quantised recipe keeps every 16-bit weight that is left in fp32."""
HALF_ADAPTERS = frozenset({Framework.TORCHTUNE, Framework.LITGPT})
SHARDED_MIXED = frozenset({Framework.TORCHTITAN, Framework.LLM_FOUNDRY, Framework.HF_TRAINER})
"""Frameworks that gather fp32 shards in the compute format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Bytes per element of everything that scales with parameters or with the residual stream."""

    compute: float
    residual: float
    linear_weight: float
    other_weight: float
    gather: float
    trained_weight: float
    gradient: float
    master: float
    state: float
    embedding_state: float
    step: float
    reduce: float
    autocast_copies: float = 0.0


def recipe_of(s: TrainingSettings, fully_sharded: bool) -> Recipe:
    """The recipe of `s`; `fully_sharded` under ZeRO-3 or FSDP."""
    compute = 4.0 if s.precision in FULL_PRECISION else 2.0
    return _full(s, compute, fully_sharded) if s.trains_all else _adapters(s, compute, fully_sharded)


def _full(s: TrainingSettings, compute: float, fully_sharded: bool) -> Recipe:
    weight = STORAGE_BYTES[s.weight_storage]
    upcast = s.framework is Framework.HF_TRAINER and fully_sharded and s.autocast and compute < 4
    if upcast:
        weight = 4.0
    keeps_fp32 = weight == 4.0
    gradient = 4.0 if upcast else GRADIENT_BYTES[s.gradient_dtype]
    state_dtype = 4.0 if upcast else DTYPE_BYTES[s.optimizer_state_dtype]
    state, embedding_state = _states(s, state_dtype)
    mixed_shards = fully_sharded and s.framework in SHARDED_MIXED
    residual = 4.0 if keeps_fp32 and not mixed_shards else compute
    return Recipe(
        compute=compute,
        residual=max(residual, compute),
        linear_weight=weight,
        other_weight=weight,
        gather=min(weight, compute),
        trained_weight=weight,
        gradient=0.0 if s.optimizer_in_backward else gradient,
        master=4.0 if s.master_weights and not keeps_fp32 else 0.0,
        state=state,
        embedding_state=embedding_state,
        step=_step(s, weight),
        autocast_copies=float(s.autocast and keeps_fp32 and compute < weight and not mixed_shards),
        reduce=gradient if s.framework in (Framework.TORCHTITAN, Framework.MEGATRON) else compute,
    )


def _adapters(s: TrainingSettings, compute: float, fully_sharded: bool) -> Recipe:
    quantised = s.method is Method.QLORA
    stored = STORAGE_BYTES[s.weight_storage]
    weight = LOW_PRECISION_BYTES[s.precision] if s.narrow_frozen else stored
    plain = stored if not quantised else compute
    prepared = quantised and s.framework in K_BIT_PREPARED and not fully_sharded
    adapter = 2.0 if s.framework in HALF_ADAPTERS and compute < 4 else 4.0
    master = 0.0
    if s.framework is Framework.DEEPSPEED and compute < 4:
        adapter, master = 2.0, 4.0
    state, _ = _states(s, 4.0 if master else DTYPE_BYTES[s.optimizer_state_dtype])
    return Recipe(
        compute=compute,
        residual=4.0 if prepared else max(compute, plain if s.weight_storage is WeightStorage.FP32 else 0.0),
        linear_weight=weight,
        other_weight=4.0 if prepared else plain,
        gather=weight,
        trained_weight=adapter,
        gradient=0.0 if s.optimizer_in_backward else adapter,
        master=master,
        state=state,
        embedding_state=state,
        step=_step(s, adapter),
        reduce=compute,
        # a product with a frozen weight keeps the weight's copy for the gradient of its input
        autocast_copies=float(weight > compute and s.autocast and s.checkpointing is not Checkpointing.FULL),
    )


def _states(s: TrainingSettings, dtype: float) -> tuple[float, float]:
    """Bytes of state of one weight of the matrices, and of one embedding weight."""
    if s.optimizer in EIGHT_BIT:
        eight = 2 * EIGHT_BIT_STATE
        # the trainer keeps the states of embeddings in 32 bits for stability
        return eight, 8.0 if s.framework is Framework.HF_TRAINER else eight
    state = MOMENTS[s.optimizer] * dtype
    return state, 2 * dtype if s.optimizer is Optimizer.MUON else state


def _step(s: TrainingSettings, weight: float) -> float:
    """Temporary bytes per trained weight: torch's foreach form updates all tensors of a dtype at once."""
    plain = s.optimizer is Optimizer.ADAMW and s.optimizer_foreach and not s.optimizer_in_backward
    return weight if plain else 0.0


def is_low_precision(s: TrainingSettings) -> bool:
    """True where matrix products run in 8 or 4 bits."""
    return s.precision in LOW_PRECISION
