"""Logits, loss and their gradients on the stage that holds the output head."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

FP32 = 4.0


@quantity(unit="1")
def rank_vocab(vocab: Value, tensor_parallel: Value, scalar_head: Value) -> Value:
    """Columns of the logits on one rank; one value per token for a reward model."""
    return np.where(scalar_head > 0, 1, vocab / tensor_parallel)


@quantity(unit="B")
def whole_logits_bytes(
    rank_tokens: Value,
    rank_vocab: Value,
    loss_fp32_copies: Value,
    loss_half_copies: Value,
    compute_bytes: Value,
) -> Value:
    """Logits in every copy that lives at the peak of the loss."""
    return rank_tokens * rank_vocab * (FP32 * loss_fp32_copies + compute_bytes * loss_half_copies)


@quantity(unit="B")
def final_norm_bytes(
    rank_tokens: Value,
    hidden: Value,
    norm_fp32_copies: Value,
    residual_bytes: Value,
    compute_bytes: Value,
    residual_split: Value,
) -> Value:
    """The last norm and the input of the output head."""
    norm = np.where(norm_fp32_copies > 0, FP32, residual_bytes)
    return rank_tokens * hidden * (norm + compute_bytes) / residual_split


@quantity(unit="B", source="https://github.com/linkedin/Liger-Kernel")
def unwritten_logits_bytes(
    rank_tokens: Value, hidden: Value, compute_bytes: Value, rank_vocab: Value
) -> Value:
    """A fused linear loss: gradient of the hidden state and one chunk of logits as large as it."""
    chunk = np.minimum(rank_vocab, hidden)
    return rank_tokens * (hidden * compute_bytes + chunk * (compute_bytes + FP32))


@quantity(unit="B")
def loss_bytes(
    whole_logits_bytes: Value,
    unwritten_logits_bytes: Value,
    final_norm_bytes: Value,
    loss_fused_linear: Value,
    keeps_logits: Value,
    on_last_stage: Value,
) -> Value:
    """Logits, loss and gradients at their peak on this stage."""
    unwritten = (loss_fused_linear > 0) & (keeps_logits == 0)
    return on_last_stage * (
        final_norm_bytes + np.where(unwritten, unwritten_logits_bytes, whole_logits_bytes)
    )


@quantity(unit="B")
def held_logits_after_loss_bytes(
    rank_tokens: Value,
    rank_vocab: Value,
    held_logits_bytes: Value,
    loss_fused_linear: Value,
    on_last_stage: Value,
) -> Value:
    """Logits that the model's output keeps alive until the next step."""
    return on_last_stage * (1 - loss_fused_linear) * held_logits_bytes * rank_tokens * rank_vocab


@quantity(unit="B", source="https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html")
def replica_output_bytes(
    rank_tokens: Value, rank_vocab: Value, loss_fused_linear: Value, threaded_replicas: Value
) -> Value:
    """Logits in fp32 that each copy of the model sends to the first card of a process with threads."""
    return threaded_replicas * rank_tokens * rank_vocab * FP32 * (1 - loss_fused_linear)
