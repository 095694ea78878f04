"""What attention keeps for the backward pass, in bytes per token of one rank."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.graph import Value, quantity

RECOMPUTATION = "https://arxiv.org/abs/2205.05198"
FLASH = "https://arxiv.org/abs/2307.08691"
FP32 = 4.0


@quantity(unit="1")
def query_width(heads: Value, head_dim: Value, mla: Value, mla_nope_dim: Value, mla_rope_dim: Value) -> Value:
    """Elements of all queries of one token."""
    return heads * np.where(mla > 0, mla_nope_dim + mla_rope_dim, head_dim)


@quantity(unit="1")
def value_width(heads: Value, head_dim: Value, mla: Value, mla_value_dim: Value) -> Value:
    """Elements of the attention output of one token."""
    return heads * np.where(mla > 0, mla_value_dim, head_dim)


@quantity(unit="1")
def kept_kv_heads(
    heads: Value,
    kv_heads: Value,
    tensor_parallel: Value,
    mla: Value,
    expands_kv: Value,
    attention_eager: Value,
    attention_sdpa: Value,
) -> Value:
    """Key and value heads attention keeps: repeated for every query head outside flash kernels, and under MLA."""
    repeated = (mla > 0) | ((expands_kv > 0) & ((attention_eager > 0) | (attention_sdpa > 0)))
    return np.where(repeated, heads, np.maximum(kv_heads, np.minimum(tensor_parallel, heads)))


@quantity(unit="B/token", source=FLASH)
def attention_token_bytes(
    query_width: Value,
    value_width: Value,
    heads: Value,
    kept_kv_heads: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
) -> Value:
    """Queries, keys, values, output and log-sum-exp of one layer."""
    keys_values = kept_kv_heads / heads * (query_width + value_width)
    return (compute_bytes * (query_width + keys_values + value_width) + FP32 * heads) / tensor_parallel


@quantity(unit="B/token", source="https://arxiv.org/abs/2302.05442")
def qk_norm_token_bytes(
    qk_norm: Value,
    query_width: Value,
    kv_heads: Value,
    heads: Value,
    norm_fp32_copies: Value,
    trains_all: Value,
    compute_bytes: Value,
    tensor_parallel: Value,
) -> Value:
    """Queries and keys before their norms, in fp32 where not fused, and the normalised value under its weight."""
    width = query_width * (1 + kv_heads / heads)
    kept = np.where(norm_fp32_copies > 0, FP32 + trains_all * compute_bytes, compute_bytes)
    return qk_norm * width * kept / tensor_parallel


@quantity(unit="B/token", source="https://arxiv.org/abs/2405.04434")
def latent_token_bytes(
    mla_kv_rank: Value, mla_rope_dim: Value, mla_q_rank: Value, compute_bytes: Value, residual_split: Value
) -> Value:
    """Latent queries, keys and values before and after their norms."""
    return 2 * compute_bytes * (mla_kv_rank + mla_rope_dim + mla_q_rank) / residual_split


@quantity(unit="B/token", source=RECOMPUTATION)
def score_token_bytes(
    heads: Value,
    sequence_length: Value,
    score_saved_bytes: Value,
    score_dropout: Value,
    compute_bytes: Value,
    attention_eager: Value,
    tensor_parallel: Value,
    context_parallel: Value,
) -> Value:
    """Attention scores kept by unfused attention: one value per head and pair of tokens.

    Dropout keeps its mask and its result beside them.
    """
    copied = (compute_bytes < FP32) | (np.asarray(score_dropout) > 0)
    kept = score_saved_bytes + score_dropout + np.where(copied, compute_bytes, 0)
    return attention_eager * kept * heads * sequence_length / tensor_parallel / context_parallel
