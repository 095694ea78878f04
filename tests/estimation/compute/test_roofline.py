"""Matrix products against published rates, and limits of the model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.estimation.compute.passes import cast_seconds
from gpuconfig.engine.estimation.compute.roofline import (
    grouped_product_seconds,
    hidden_behind,
    product_seconds,
)

A100 = {"rate": 256.5e12, "bytes_per_value": 2.0, "bandwidth": 1.75e12}
PUBLISHED = {(8192, 8192, 8192): 253.7e12, (16384, 16384, 16384): 256.5e12, (6144, 12288, 12288): 250.8e12}
"""FP16 rates of an A100 SXM4 80 GB, Azure AI benchmarking guide."""


@pytest.mark.parametrize("shape", PUBLISHED)
def test_published_products(shape: tuple[int, int, int], coefficients: Any) -> None:
    exposed = coefficients.value("compute", "exposed_traffic")
    seconds = product_seconds(*map(float, shape), exposed=exposed, **A100)
    assert 2 * shape[0] * shape[1] * shape[2] / seconds == pytest.approx(PUBLISHED[shape], rel=0.05)


def test_skinny_products_are_slow(coefficients: Any) -> None:
    """802,816 x 192 x 768 ran at 157.8 TFLOP/s on the same card."""
    exposed = coefficients.value("compute", "exposed_traffic")
    seconds = product_seconds(802816.0, 192.0, 768.0, exposed=exposed, **A100)
    assert 2 * 802816 * 192 * 768 / seconds == pytest.approx(157.8e12, rel=0.2)


@given(m=st.floats(1, 1e6), n=st.floats(1, 1e5), k=st.floats(1, 1e5), exposed=st.floats(0, 1))
def test_never_faster_than_peak_or_bandwidth(m: float, n: float, k: float, exposed: float) -> None:
    seconds = product_seconds(m, n, k, exposed=exposed, **A100)
    assert seconds >= 2 * m * n * k / A100["rate"] * (1 - 1e-12)
    assert seconds >= 2 * (m * n + n * k + m * k) / A100["bandwidth"] * (1 - 1e-12)


def test_many_small_experts_read_more_weights() -> None:
    one, many = (grouped_product_seconds(4096.0, 4096.0, 4096.0, g, exposed=0.5, **A100) for g in (1.0, 64.0))
    assert many > one


def test_a_layer_of_experts_casts_each_copy_of_a_token() -> None:
    """1,000 tokens of width 64 to four experts of width 32: 64 for attention, 4 x 64 for the experts' inputs."""
    known = {
        "fp8_training": 1.0, "cast_passes": 1.0, "tokens_per_gpu": 1000.0, "hidden": 64.0,
        "attention_output_width": 64.0, "active_ffn": 4 * 32.0, "tensor_parallel": 1.0, "usable_bytes_per_s": 1.0,
        "layers": 10.0, "shared_experts": 0.0,
    }  # fmt: skip
    experts = cast_seconds.function(**known, routed_tokens_per_gpu=4000.0, moe_layers=10.0)
    assert experts == 1000 * (64 + 4 * 64 + 64 + 4 * 32)
    dense = cast_seconds.function(**known, routed_tokens_per_gpu=4000.0, moe_layers=0.0)
    assert dense == 1000 * (2 * 64 + 64 + 4 * 32)


@given(work=st.floats(1e-6, 1), host=st.floats(1e-6, 1))
def test_launching_and_work_hide_each_other(work: float, host: float) -> None:
    assert max(work, host) <= hidden_behind(work, host) * (1 + 1e-9)
    assert hidden_behind(work, host) <= (work + host) * (1 + 1e-9)
