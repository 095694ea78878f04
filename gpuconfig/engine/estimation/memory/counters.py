"""From allocated tensors to what the allocator reserves and what the driver shows."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity


@quantity(unit="B")
def varying_bytes(peak_allocated_bytes: Value, resident_bytes: Value) -> Value:
    """The part of the peak that comes and goes within a step, which the allocator cannot pack tightly."""
    return np.maximum(peak_allocated_bytes - resident_bytes, 0)


@quantity(unit="B", source="https://pytorch.org/docs/stable/notes/cuda.html")
def peak_reserved_bytes(
    peak_allocated_bytes: Value, varying_bytes: Value, allocator_share: Value, resident_share: Value
) -> Value:
    """Most memory that the caching allocator takes from the driver."""
    resident = peak_allocated_bytes - varying_bytes
    return peak_allocated_bytes + allocator_share * varying_bytes + resident_share * resident


@quantity(unit="B")
def process_overhead_bytes(context_bytes: Value, communicator_bytes: Value, gpus: Value) -> Value:
    """Driver context, kernels, and the collective library's buffers where there is more than one card."""
    return context_bytes + np.where(gpus > 1, communicator_bytes, 0)


@quantity(unit="B")
def device_used_bytes(peak_reserved_bytes: Value, process_overhead_bytes: Value) -> Value:
    """Memory of the card as the driver's own tool shows it."""
    return peak_reserved_bytes + process_overhead_bytes
