"""Serving requests on the bundled catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.serving.estimate import estimate_serving


@pytest.fixture(scope="session")
def serve(read: Any, coefficients: Any) -> Callable[..., Estimate]:
    """The answer for `model` on `count` cards; keywords are fields of the workload."""

    def answer(
        model: Any, gpu: str, count: int = 1, split: Any = None, hardware: Any = None, **work: Any
    ) -> Estimate:
        data = {
            "id": "s", "model": model, "workload": {"kind": "serving", **work},
            "hardware": {"gpu": gpu, "gpus_per_node": count, "nodes": 1, **(hardware or {})},
        }  # fmt: skip
        if split:
            data["parallelism"] = split
        (result,) = estimate_serving([read(data)], coefficients)
        assert isinstance(result, Estimate), result
        return result

    return answer
