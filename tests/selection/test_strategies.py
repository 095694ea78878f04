"""Strategy search: complete, in agreement with single estimates, and what the founding advice comes out as."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.estimation.training.search import DEGREES, strategy_table, with_strategy
from gpuconfig.engine.selection.strategies import Candidate, search_strategies
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.model_spec import model_from_object
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.training import Framework, Method, TrainingWorkload
from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue

H100, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-rtx-4090-24"


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("bundle") / "catalogue.sqlite"
    build(path)
    return open_catalogue(path)


@pytest.fixture(scope="module")
def coefficients(catalogue: Any) -> CoefficientSet:
    return CoefficientSet.of(
        r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)
    )


def _request(
    catalogue: Any, size: float, gpu: str, count: int, nodes: int = 1, **work: Any
) -> EstimateRequest:
    model = model_from_object({"parameters_b": size})
    assert model is not None
    workload = TrainingWorkload(**{"method": Method.PRETRAIN, "framework": Framework.MEGATRON, **work})
    return EstimateRequest(
        id="s", kind=Kind.TRAINING, model=model, accelerator=catalogue.accelerator(gpu), workload=workload,
        hardware=Hardware(gpu=gpu, gpus_per_node=count, nodes=nodes),
    )  # fmt: skip


def test_every_strategy_uses_every_card_once(catalogue: Any, coefficients: Any) -> None:
    table = strategy_table(_request(catalogue, 70, H100, 8, 4), coefficients)
    c = table.columns
    used = c["tensor_parallel"] * c["pipeline_parallel"] * c["context_parallel"] * c["data_parallel"]
    assert table.count > 1000
    assert (used == 32).all()
    assert len(np.unique(np.stack([c[name] for name in DEGREES]), axis=1).T) == table.count


def test_search_agrees_with_single_estimates(catalogue: Any, coefficients: Any) -> None:
    request = _request(catalogue, 13, H100, 8, 2)
    table = strategy_table(request, coefficients)
    picks = np.linspace(0, table.count - 1, 12).astype(int)
    rows = [table.row(int(i)) for i in picks]
    answers = estimate_training([with_strategy(request, row) for row in rows], coefficients)
    for row, answer in zip(rows, answers, strict=True):
        assert answer.training.tokens_per_s.value == pytest.approx(row.tokens_per_s, rel=1e-6)


def test_the_best_is_the_largest_that_fits(catalogue: Any, coefficients: Any) -> None:
    request = _request(catalogue, 13, H100, 8)
    table = strategy_table(request, coefficients)
    found = search_strategies(
        request.model,
        request.workload,
        request.accelerator,
        [Candidate(request.hardware, 20.0)],
        coefficients,
    )
    assert found.by_speed is not None
    assert found.by_speed.strategy.fits
    assert found.by_speed.strategy.tokens_per_s == pytest.approx(
        table.columns["tokens_per_s"][table.fits].max()
    )
    assert found.strategies == table.count
    assert found.runner_up is not None
    assert found.runner_up_lost_because is not None
    assert found.runner_up.strategy.tokens_per_s <= found.by_speed.strategy.tokens_per_s
    assert found.by_cost is not None
    assert found.by_energy is not None


def test_more_cards_train_faster_and_cost_is_compared(catalogue: Any, coefficients: Any) -> None:
    request = _request(catalogue, 7, H100, 8)
    machines = [Candidate(replace(request.hardware, nodes=n), 20.0 * n) for n in (1, 2, 4)]
    found = search_strategies(request.model, request.workload, request.accelerator, machines, coefficients)
    speeds = [c.strategy.tokens_per_s for c in found.of_candidate if c is not None]
    assert speeds == sorted(speeds)
    assert found.by_cost is not None
    assert found.by_cost.cost_per_mtoken == min(
        c.cost_per_mtoken for c in found.of_candidate if c is not None
    )
    assert {c.candidate for c in found.pareto} <= {0, 1, 2}


def test_what_does_not_fit_says_by_how_much(catalogue: Any, coefficients: Any) -> None:
    request = _request(catalogue, 70, RTX_4090, 2, method=Method.FULL)
    found = search_strategies(
        request.model, request.workload, request.accelerator, [Candidate(request.hardware)], coefficients
    )
    assert found.by_speed is None
    assert found.by_cost is None
    assert found.pareto == ()
    assert found.nearest[0] is not None
    assert found.nearest[0].strategy.device_used_bytes > found.usable_bytes


def test_4090s_want_data_parallelism_where_the_model_fits(catalogue: Any, coefficients: Any) -> None:
    """The founding advice "4090s: data parallel only" comes out of the search for a model that fits one card."""
    request = _request(catalogue, 1, RTX_4090, 4, sequence_length=2048)
    found = search_strategies(
        request.model, request.workload, request.accelerator, [Candidate(request.hardware)], coefficients
    )
    assert found.by_speed is not None
    split = found.by_speed.strategy.parallelism
    assert (split.tensor, split.context) == (1, 1)
