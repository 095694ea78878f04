"""What the backward pass computes again."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.compute.passes import repeated_products_seconds
from gpuconfig.engine.estimation.training.estimate import explain_training

A100 = "nvidia-a100-sxm4-80"


def test_a_whole_layer_is_repeated_but_for_the_product_that_nothing_needs() -> None:
    forward, feed_forward = 10.0, 6.0
    seconds = repeated_products_seconds.function
    assert seconds(forward, feed_forward, 3.0, 0.0, 1.0, 1.0) == 10.0
    assert seconds(forward, feed_forward, 3.0, 1.0, 1.0, 1.0) == 8.0
    assert seconds(forward, feed_forward, 3.0, 1.0, 0.5, 0.5) == 4.0
    assert seconds(forward, feed_forward, 3.0, 1.0, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("framework", "stops"), [("torchtitan", 1.0), ("hf_trainer", 0.0), ("megatron", 0.0)]
)
def test_stacks_without_reentrant_checkpointing_stop_early(
    ask: Any, coefficients: Any, framework: str, stops: float
) -> None:
    tree = explain_training(
        ask(A100, framework=framework, checkpointing="full"), coefficients, "repeated_products_seconds"
    )
    assert next(node.value for node in tree.inputs if node.name == "recompute_stops_early") == stops
