"""Bounds that spare an estimate: what no split of the work over the cards can go below."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Accumulation, ModelKind, Precision
from gpuconfig.engine.workloads.request import Workload
from gpuconfig.engine.workloads.training import Method, Offload, Optimizer, TrainingWorkload
from gpuconfig.engine.workloads.training import Precision as Arithmetic

MATRIX_SHARE = 0.8
"""Share of the parameters that surely take part in matrix products: input embeddings are only looked up."""

_WHOLE = frozenset({Method.FULL, Method.PRETRAIN})


def least_state_bytes(workload: Workload) -> float:
    """Bytes a trained parameter needs at least, spread over all cards; 0 where no bound is known."""
    if not isinstance(workload, TrainingWorkload) or workload.method not in _WHOLE:
        return 0.0
    if workload.offload is not Offload.NONE or workload.optimizer_in_backward or workload.frozen_layers:
        return 0.0
    plain = workload.optimizer in (None, Optimizer.ADAMW) and workload.optimizer_state_dtype is None
    return 12.0 if plain else 4.0


def least_seconds(workload: Workload, model: NeuralModel, card: Accelerator, count: int) -> float | None:
    """Time of a training run with every card at its peak all the time; None where no bound is known."""
    if not isinstance(workload, TrainingWorkload) or workload.dataset_tokens is None:
        return None
    if model.kind is not ModelKind.DECODER or workload.frozen_layers:
        return None
    peak = _peak(card, workload.precision)
    if not peak:
        return None
    # Forward and the gradients of activations take 4 operations a parameter, those of weights 2 more.
    operations = 6.0 if workload.method in _WHOLE else 4.0
    active = model.active_parameters or model.parameters
    return operations * active * MATRIX_SHARE * workload.dataset_tokens / (count * peak)


def _peak(card: Accelerator, precision: Arithmetic) -> float:
    kinds = [Precision.BF16, Precision.FP16, Precision.TF32, Precision.FP32_MATRIX]
    if precision in (Arithmetic.FP8, Arithmetic.MXFP8, Arithmetic.NVFP4):
        kinds += [Precision.FP8, Precision.FP4]
    rates = [card.peak_flops(kind, how) for kind in kinds for how in Accumulation]
    return max((rate for rate in rates if rate is not None), default=0.0)
