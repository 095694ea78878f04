"""What the peak is made of: the parts of the worst phase, for the keys of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.memory.peaks import PHASES

PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "transient", "context")
"""Keys of the answer's breakdown; `context` lies outside what tensors take."""

_LOADS = {"weights": ("weight_bytes",), "transient": ("load_copy_bytes",)}
_LOSS = {
    "weights": ("weight_bytes",),
    "gradients": ("forward_gradient_bytes",),
    "optimizer": ("optimizer_bytes",),
    "activations": ("device_activation_bytes",),
    "logits": ("loss_bytes",),
    "transient": ("library_bytes", "loss_transient_bytes"),
}
_FIRST = {
    "weights": ("weight_bytes",),
    "gradients": (),
    "optimizer": ("optimizer_bytes",),
    "activations": ("device_activation_bytes", "layer_working_bytes"),
    "logits": ("held_logits_after_loss_bytes",),
    "transient": ("library_bytes", "first_backward_transient_bytes"),
}
_LAST = {
    **_FIRST,
    "transient": ("library_bytes", "last_backward_transient_bytes"),
    "gradients": ("gradient_state_bytes",),
    "activations": ("remaining_activation_bytes", "lowest_working_bytes"),
}
_STEP = {
    "weights": ("weight_bytes",),
    "gradients": ("gradient_state_bytes",),
    "optimizer": ("optimizer_bytes",),
    "logits": ("held_logits_after_loss_bytes",),
    "transient": ("library_bytes", "step_temporary_bytes", "data_parallel_bucket_bytes"),
}
_ENCODE = {
    "weights": ("weight_bytes",),
    "gradients": ("forward_gradient_bytes",),
    "optimizer": ("optimizer_bytes",),
    "activations": ("encoder_working_bytes",),
    "transient": ("library_bytes",),
}
_PHASE_PARTS = (_LOADS, _LOSS, _FIRST, _LAST, _STEP, _ENCODE)


def breakdown_of(values: Mapping[str, Any], rows: int) -> tuple[Any, Any]:
    """Bytes of shape (parts, rows) in the worst phase of each row, and the index of that phase."""
    totals = np.stack([np.broadcast_to(values[f"{phase}_phase_bytes"], (rows,)) for phase in PHASES])
    worst = np.argmax(totals, axis=0)
    parts = np.zeros((len(PARTS), rows))
    for index, part in enumerate(PARTS[:-1]):
        by_phase = [_sum(values, contents.get(part, ()), rows) for contents in _PHASE_PARTS]
        parts[index] = np.choose(worst, by_phase)
    first_gradients = np.maximum(values["forward_gradient_bytes"], values["head_gradient_bytes"])
    parts[1] += np.where(worst == PHASES.index("first_backward_layer"), first_gradients, 0)
    parts[-1] = values["process_overhead_bytes"]
    return parts, worst


def _sum(values: Mapping[str, Any], names: tuple[str, ...], rows: int) -> Any:
    return sum((np.broadcast_to(values[name], (rows,)) for name in names), np.zeros(rows))
