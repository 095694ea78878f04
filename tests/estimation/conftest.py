"""Requests, coefficients and estimates on the catalogue built from the seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.workloads.model_spec import model_from_object
from gpuconfig.engine.workloads.request import EstimateRequest, read_request
from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue

LLAMA_3_8B = {
    "architecture": {
        "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128, "ffn": 14336, "vocab": 128256,
        "gated_mlp": True, "tied_embeddings": False,
    }
}  # fmt: skip


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("bundle") / "catalogue.sqlite"
    build(path)
    return open_catalogue(path)


@pytest.fixture(scope="session")
def coefficients(catalogue: Any) -> CoefficientSet:
    groups = catalogue.coefficient_groups()
    return CoefficientSet.of(row for group in groups for row in catalogue.coefficients(group))


@pytest.fixture(scope="session")
def read(catalogue: Any) -> Callable[[Any], EstimateRequest]:
    def model(given: Any) -> Any:
        return catalogue.model(given) if isinstance(given, str) else model_from_object(given)

    return lambda data: read_request(data, model, catalogue.accelerator)


@pytest.fixture(scope="session")
def ask(read: Any) -> Callable[..., EstimateRequest]:
    """A training request of Llama 3 8B on `count` cards of a kind; keywords change workload and split."""

    def request(
        gpu: str, count: int = 1, nodes: int = 1, split: Any = None, hardware: Any = None, **work: Any
    ) -> Any:
        model = work.pop("model", LLAMA_3_8B)
        workload = {
            "kind": "training", "method": "full", "sequence_length": 4096, "micro_batch_size": 1,
            "gradient_accumulation": 8, "checkpointing": "full", "framework": "other", **work,
        }  # fmt: skip
        machine = {"gpu": gpu, "gpus_per_node": count, "nodes": nodes, **(hardware or {})}
        split = {"data": count * nodes} if split is None else split
        data = {"id": "t", "model": model, "workload": workload, "hardware": machine}
        return read(data if split == "open" else {**data, "parallelism": split})

    return request


@pytest.fixture(scope="session")
def estimate(ask: Any, coefficients: CoefficientSet) -> Callable[..., Estimate]:
    def answer(*words: Any, **work: Any) -> Estimate:
        (result,) = estimate_training([ask(*words, **work)], coefficients)
        assert isinstance(result, Estimate), result
        return result

    return answer
