"""From allocated tensors to what the allocator reserves and what the driver shows.

A caching allocator keeps blocks of one phase that the next phase cannot use; when the card is full it gives them back
before it fails. So what a card *shows* grows up to its capacity, and what a run *needs* is less.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

ROOM_SHARE = 0.96
"""Share of the card that is handed out before cached blocks are given back."""
CACHING_ALLOCATOR = "https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management"


@quantity(unit="B", source=CACHING_ALLOCATOR)
def other_phase_bytes(
    device_activation_bytes: Value,
    loss_bytes: Value,
    layer_working_bytes: Value,
    gradient_state_bytes: Value,
    step_temporary_bytes: Value,
    encoder_working_bytes: Value,
) -> Value:
    """Tensors of the phases that are not the largest one: the blocks these leave in the allocator's cache."""
    activations = device_activation_bytes + np.maximum(loss_bytes, layer_working_bytes)
    step = gradient_state_bytes + np.maximum(layer_working_bytes, step_temporary_bytes)
    everything = device_activation_bytes + loss_bytes + layer_working_bytes
    everything = everything + gradient_state_bytes + step_temporary_bytes + encoder_working_bytes
    return everything - np.maximum(np.maximum(activations, step), encoder_working_bytes)


@quantity(unit="B", source=CACHING_ALLOCATOR)
def displaced_logits_bytes(loss_bytes: Value, device_activation_bytes: Value, loss_fused: Value) -> Value:
    """Few huge blocks of a fused loss: what activations carve out of them is not whole for the next step's logits."""
    return loss_fused * np.maximum(loss_bytes - device_activation_bytes, 0)


@quantity(unit="B")
def process_overhead_bytes(context_bytes: Value, communicator_bytes: Value, gpus: Value) -> Value:
    """Driver context, kernels, and the collective library's buffers where there is more than one card."""
    return context_bytes + np.where(gpus > 1, communicator_bytes, 0)


@quantity(unit="1")
def lost_share(spread_share: Value, sharded_share: Value, fully_sharded: Value) -> Value:
    """What the allocator cannot give back of what comes and goes, as a share of it; weights stay where they are."""
    return spread_share + sharded_share * fully_sharded


@quantity(unit="B")
def needed_reserved_bytes(peak_allocated_bytes: Value, weight_bytes: Value, lost_share: Value) -> Value:
    """What the allocator cannot do without, after it gave back every block that it can."""
    return peak_allocated_bytes + lost_share * np.maximum(peak_allocated_bytes - weight_bytes, 0)


@quantity(unit="B", source=CACHING_ALLOCATOR)
def loss_reserved_bytes(
    loss_phase_bytes: Value,
    weight_bytes: Value,
    lost_share: Value,
    displaced_logits_bytes: Value,
    displaced_share: Value,
) -> Value:
    """What the allocator holds when the logits of the next step do not find their blocks whole."""
    moving = np.maximum(loss_phase_bytes - weight_bytes, 0)
    return loss_phase_bytes + lost_share * moving + displaced_share * displaced_logits_bytes


@quantity(unit="B", source=CACHING_ALLOCATOR)
def peak_reserved_bytes(
    needed_reserved_bytes: Value,
    loss_reserved_bytes: Value,
    other_phase_bytes: Value,
    phase_share: Value,
    padded_share: Value,
    unpacked: Value,
    peak_allocated_bytes: Value,
    resident_bytes: Value,
    usable_memory_bytes: Value,
    process_overhead_bytes: Value,
) -> Value:
    """Most memory that the caching allocator takes from the driver, as long as the card has it."""
    lengths = unpacked * padded_share * np.maximum(peak_allocated_bytes - resident_bytes, 0)
    grown = np.maximum(needed_reserved_bytes, loss_reserved_bytes) + phase_share * other_phase_bytes + lengths
    room = np.where(
        np.isnan(usable_memory_bytes), grown, usable_memory_bytes * ROOM_SHARE - process_overhead_bytes
    )
    return np.clip(grown, needed_reserved_bytes, np.maximum(room, needed_reserved_bytes))


@quantity(unit="B")
def device_used_bytes(peak_reserved_bytes: Value, process_overhead_bytes: Value) -> Value:
    """Memory of the card as the driver's own tool shows it."""
    return peak_reserved_bytes + process_overhead_bytes


@quantity(unit="B")
def device_used_low_bytes(
    device_used_bytes: Value,
    device_low: Value,
    needed_reserved_bytes: Value,
    allocated_low: Value,
    process_overhead_bytes: Value,
) -> Value:
    """Low end of the band: at least what tensors need at the low end of theirs."""
    needed = needed_reserved_bytes * allocated_low + process_overhead_bytes
    return np.minimum(device_used_bytes, np.maximum(device_used_bytes * device_low, needed))


@quantity(unit="B")
def device_used_high_bytes(
    device_used_bytes: Value,
    device_high: Value,
    needed_reserved_bytes: Value,
    allocated_high: Value,
    process_overhead_bytes: Value,
    usable_memory_bytes: Value,
) -> Value:
    """High end of the band: a cache cannot grow beyond the card, only what is needed can."""
    needed = needed_reserved_bytes * allocated_high + process_overhead_bytes
    grown = device_used_bytes * device_high
    limit = np.where(np.isnan(usable_memory_bytes), grown, np.maximum(usable_memory_bytes, needed))
    return np.maximum(device_used_bytes, np.minimum(grown, limit))
