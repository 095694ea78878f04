"""The peak: memory of each phase of a step, and the largest of them."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

PHASES = ("load", "loss", "first_backward_layer", "last_backward_layer", "optimizer_step", "encode")
"""Phases of a step, in the order of `phase_bytes`."""


@quantity(unit="B")
def resident_bytes(weight_bytes: Value, optimizer_bytes: Value, library_bytes: Value) -> Value:
    """What stays on the card through the whole step: weights, optimizer states, library workspaces."""
    return weight_bytes + optimizer_bytes + library_bytes


@quantity(unit="B")
def forward_gradient_bytes(
    gradient_state_bytes: Value,
    resident_gradients: Value,
    gradient_accumulation: Value,
    pipeline_parallel: Value,
) -> Value:
    """Gradients that already exist during a forward pass: buffers that stay, or those of earlier micro-batches."""
    exist = (resident_gradients > 0) | (gradient_accumulation > 1) | (pipeline_parallel > 1)
    return np.where(exist, gradient_state_bytes, 0)


@quantity(unit="B")
def loss_transient_bytes(
    gathered_at_loss_bytes: Value,
    data_parallel_bucket_bytes: Value,
    autocast_copy_bytes: Value,
    gathered_output_bytes: Value,
) -> Value:
    """Gathered weights and outputs, buckets and autocast copies at the end of the forward pass."""
    return gathered_at_loss_bytes + data_parallel_bucket_bytes + autocast_copy_bytes + gathered_output_bytes


@quantity(unit="B")
def backward_buffer_bytes(
    unsharded_gradient_bytes: Value,
    data_parallel_bucket_bytes: Value,
    dequantised_matrix_bytes: Value,
    magnitude_matrix_bytes: Value,
) -> Value:
    """Unsharded gradients, buckets and whole matrices of the backward pass."""
    gradients = unsharded_gradient_bytes + data_parallel_bucket_bytes
    return gradients + dequantised_matrix_bytes + magnitude_matrix_bytes


@quantity(unit="B")
def first_backward_transient_bytes(
    backward_buffer_bytes: Value,
    gathered_first_bytes: Value,
    autocast_copy_bytes: Value,
    full_recompute: Value,
) -> Value:
    """Transients of the first backward layer; copies of weights stay where no layer is recomputed."""
    return backward_buffer_bytes + gathered_first_bytes + autocast_copy_bytes * (1 - full_recompute)


@quantity(unit="B")
def last_backward_transient_bytes(
    backward_buffer_bytes: Value, gathered_last_bytes: Value, summed_gradient_bytes: Value
) -> Value:
    """Transients of the last backward layer."""
    return backward_buffer_bytes + gathered_last_bytes + summed_gradient_bytes


@quantity(unit="B")
def load_phase_bytes(weight_bytes: Value, load_copy_bytes: Value) -> Value:
    """Memory while the weights are loaded."""
    return weight_bytes + load_copy_bytes


@quantity(unit="B")
def loss_phase_bytes(
    resident_bytes: Value,
    forward_gradient_bytes: Value,
    device_activation_bytes: Value,
    loss_bytes: Value,
    loss_transient_bytes: Value,
) -> Value:
    """Memory at the peak of the loss, at the end of the forward pass."""
    forward = resident_bytes + forward_gradient_bytes + device_activation_bytes
    return forward + loss_bytes + loss_transient_bytes


@quantity(unit="B")
def first_backward_layer_phase_bytes(
    resident_bytes: Value,
    forward_gradient_bytes: Value,
    head_gradient_bytes: Value,
    device_activation_bytes: Value,
    layer_working_bytes: Value,
    held_logits_after_loss_bytes: Value,
    first_backward_transient_bytes: Value,
) -> Value:
    """Memory while the last layer, the first of the backward pass, is differentiated."""
    gradients = np.maximum(forward_gradient_bytes, head_gradient_bytes)
    activations = device_activation_bytes + layer_working_bytes + held_logits_after_loss_bytes
    return resident_bytes + gradients + activations + first_backward_transient_bytes


@quantity(unit="B")
def remaining_activation_bytes(
    device_activation_bytes: Value,
    tower_activation_bytes: Value,
    offload_activations: Value,
    in_flight_micro_batches: Value,
    differentiated_layers: Value,
    retained_input_bytes: Value,
) -> Value:
    """Activations left when the backward pass of one micro-batch reaches the lowest layer of the stage."""
    layers = np.maximum(differentiated_layers, 1)
    tower = tower_activation_bytes * (1 - offload_activations)  # lies below the lowest layer
    others = (device_activation_bytes - tower) * (1 - (1 - 1 / layers) / in_flight_micro_batches)
    return others + tower + retained_input_bytes


@quantity(unit="B")
def lowest_working_bytes(layer_working_bytes: Value, tower_working_bytes: Value) -> Value:
    """Backward working set at the end of the backward pass: of the lowest layer, or of the image part below it."""
    return np.maximum(layer_working_bytes, tower_working_bytes)


@quantity(unit="B")
def last_backward_layer_phase_bytes(
    resident_bytes: Value,
    gradient_state_bytes: Value,
    remaining_activation_bytes: Value,
    lowest_working_bytes: Value,
    held_logits_after_loss_bytes: Value,
    last_backward_transient_bytes: Value,
) -> Value:
    """Memory while the lowest layer, the last of the backward pass, is differentiated."""
    activations = remaining_activation_bytes + lowest_working_bytes + held_logits_after_loss_bytes
    return resident_bytes + gradient_state_bytes + activations + last_backward_transient_bytes


@quantity(unit="B")
def optimizer_step_phase_bytes(
    resident_bytes: Value,
    gradient_state_bytes: Value,
    step_temporary_bytes: Value,
    held_logits_after_loss_bytes: Value,
    data_parallel_bucket_bytes: Value,
) -> Value:
    """Memory during the optimizer step."""
    held = held_logits_after_loss_bytes + data_parallel_bucket_bytes
    return resident_bytes + gradient_state_bytes + step_temporary_bytes + held


@quantity(unit="B", source="https://arxiv.org/abs/2112.10752")
def encoder_working_bytes(
    encoded_pixels: Value, micro_batch_size: Value, encoder_pixel_bytes: Value, on_first_stage: Value
) -> Value:
    """Working set of the autoencoder that turns the pictures of a micro-batch into latent values, without gradients."""
    return encoded_pixels * micro_batch_size * encoder_pixel_bytes * on_first_stage


@quantity(unit="B")
def encode_phase_bytes(
    resident_bytes: Value, forward_gradient_bytes: Value, encoder_working_bytes: Value
) -> Value:
    """Memory while pictures are encoded, before the forward pass of a diffusion model."""
    encodes = np.where(encoder_working_bytes > 0, 1.0, 0.0)
    return encodes * (resident_bytes + forward_gradient_bytes + encoder_working_bytes)


@quantity(unit="B")
def peak_allocated_bytes(
    load_phase_bytes: Value,
    loss_phase_bytes: Value,
    first_backward_layer_phase_bytes: Value,
    last_backward_layer_phase_bytes: Value,
    optimizer_step_phase_bytes: Value,
    encode_phase_bytes: Value,
) -> Value:
    """Most memory that tensors take on this rank: the largest phase, not the sum of all."""
    backward = np.maximum(first_backward_layer_phase_bytes, last_backward_layer_phase_bytes)
    early = np.maximum(np.maximum(load_phase_bytes, encode_phase_bytes), loss_phase_bytes)
    return np.maximum(np.maximum(early, backward), optimizer_step_phase_bytes)
