"""The arithmetic that a card does is told in one unit, in the answer and where it is opened."""

from __future__ import annotations

import pytest

from gpuconfig import app
from gpuconfig.engine.estimation.answer import Estimate


def test_tflops_are_tflops_where_they_are_opened() -> None:
    services = app.services()
    asked = services.read_estimate(
        {
            "model": "qwen2.5-7b",
            "workload": {"kind": "training", "method": "lora"},
            "hardware": {"gpu": "RTX 4090"},
        }
    )
    (answer,) = services.estimate([asked])
    assert isinstance(answer, Estimate)
    assert answer.training is not None
    figure = answer.training.model_tflops_per_gpu
    tree = services.explain(asked, "model_tflops_per_gpu")
    assert (figure.unit, tree.unit) == ("TFLOP/s", "TFLOP/s")
    assert tree.value == pytest.approx(figure.value)
    assert tree.value < 165.2, "the card's own rate"  # type: ignore[operator]
