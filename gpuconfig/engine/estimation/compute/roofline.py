"""Time of single operations: arithmetic at an efficient rate plus the part of memory traffic that is not hidden.

A matrix product of m x n x k takes 2 m n k / (peak x ceiling) plus a share of its memory traffic over the bandwidth,
and never less than the traffic alone. The share is one fitted number: with it the same formula gives the published
rates of square cubes from 1,024 to 32,768 and of skinny shapes on A100 and H100 (Azure AI benchmarking guide).
"""

from __future__ import annotations

from typing import Any

import numpy as np

Value = Any


def product_seconds(
    m: Value, n: Value, k: Value, rate: Value, bytes_per_value: Value, bandwidth: Value, exposed: Value
) -> Value:
    """Seconds of one matrix product of m x k by k x n.

    Args:
        rate: FLOP/s that large products reach.
        exposed: share of the memory traffic that the arithmetic does not hide.
    """
    traffic = product_bytes(m, n, k, bytes_per_value) / bandwidth
    return np.maximum(product_flop(m, n, k) / rate + exposed * traffic, traffic)


def product_flop(m: Value, n: Value, k: Value) -> Value:
    """Operations of one matrix product of m x k by k x n."""
    return 2.0 * m * n * k


def product_bytes(m: Value, n: Value, k: Value, bytes_per_value: Value) -> Value:
    """Least memory traffic of one matrix product: each operand read, the result written, once."""
    return bytes_per_value * (m * n + n * k + m * k)


def grouped_product_seconds(
    m: Value,
    n: Value,
    k: Value,
    groups: Value,
    rate: Value,
    bytes_per_value: Value,
    bandwidth: Value,
    exposed: Value,
) -> Value:
    """Seconds of products of `m` rows in all, spread over `groups` matrices of k x n (experts)."""
    traffic = bytes_per_value * (m * n + groups * n * k + m * k) / bandwidth
    return np.maximum(2.0 * m * n * k / rate + exposed * traffic, traffic)


def hidden_behind(work: Value, host: Value) -> Value:
    """Seconds of work on the accelerator that the host launches meanwhile; near the crossing both show."""
    a, b = work * work, host * host
    return np.sqrt(np.sqrt(a * a + b * b))
