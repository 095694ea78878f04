"""The search for the best strategy spares work, never an answer: it finds what the whole table says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.estimation.training.fastest import best_strategies, chance_to_fit
from gpuconfig.engine.estimation.training.search import StrategyTable, strategy_table
from gpuconfig.engine.estimation.training.strategy_grid import Strategy
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.workloads.hardware import Hardware, PipelineSchedule
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.training import Checkpointing, Framework, Loss, Method, TrainingWorkload
from gpuconfig.storage.repository import open_catalogue

MODELS = ("llama-3-8b", "llama-2-70b", "mixtral-8x7b", "qwen2.5-0.5b", "gpt2-xl", "deepseek-v3")
MACHINES = (
    ("nvidia-h100-sxm5-80", 8, 1), ("nvidia-h100-sxm5-80", 8, 2), ("nvidia-a100-sxm4-80", 4, 1),
    ("nvidia-rtx-4090-24", 1, 1), ("nvidia-rtx-4090-24", 3, 1), ("nvidia-rtx-3090-24", 2, 1),
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return open_catalogue()


@pytest.fixture(scope="module")
def coefficients(catalogue: Catalogue) -> CoefficientSet:
    return CoefficientSet.of(
        r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)
    )


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, tuple[str, int, int], TrainingWorkload]:
    work = TrainingWorkload(
        method=draw(st.sampled_from(Method)),
        sequence_length=draw(st.sampled_from([512, 4096, 32768])),
        framework=draw(
            st.sampled_from(
                [None, Framework.MEGATRON, Framework.TORCHTITAN, Framework.OTHER, Framework.DEEPSPEED]
            )
        ),
        micro_batch_size=draw(st.sampled_from([None, 1, 4])),
        gradient_accumulation=draw(st.sampled_from([None, None, 2])),
        checkpointing=draw(st.sampled_from([None, None, None, *Checkpointing])),
        loss=draw(st.sampled_from([None, None, Loss.FUSED])),
        pipeline_schedule=draw(st.sampled_from([None, None, *PipelineSchedule])),
        optimizer_in_backward=draw(st.integers(0, 9)) == 0,
    )
    return draw(st.sampled_from(MODELS)), draw(st.sampled_from(MACHINES)), work


@settings(max_examples=150, deadline=None)
@given(several=st.lists(asked(), min_size=1, max_size=4))
def test_the_best_strategies_are_those_of_the_whole_tables(
    several: list[tuple[str, tuple[str, int, int], TrainingWorkload]],
    catalogue: Catalogue,
    coefficients: CoefficientSet,
) -> None:
    requests = [_request(catalogue, *one) for one in several]
    for request, found in zip(requests, best_strategies(requests, coefficients), strict=True):
        if isinstance(found, UserError):
            assert not _strategies(request, coefficients)
            continue
        table = strategy_table(request, coefficients)
        merit = _merit(table)
        assert merit[_place(table, found)] == pytest.approx(merit.max(), rel=1e-5)
        assert found.fits == bool(table.fits.any())


@pytest.mark.parametrize("cards", [2, 4, 8])
def test_an_open_loss_is_never_slower_than_a_stated_one(
    cards: int, catalogue: Catalogue, coefficients: CoefficientSet
) -> None:
    """LoRA of 8B on 24 GB cards: logits of 128k words leave little room, a leaner loss makes it."""
    machine = ("nvidia-rtx-4090-24", cards, 1)
    open_work = TrainingWorkload(method=Method.LORA, sequence_length=4096)
    works = [replace(open_work, loss=loss) for loss in (None, Loss.FULL_LOGITS, Loss.FUSED_LINEAR)]
    requests = [_request(catalogue, "llama-3-8b", machine, work) for work in works]
    left, usual, lean = (
        answer.training.tokens_per_s.value
        for answer in estimate_training(requests, coefficients)
        if not isinstance(answer, UserError) and answer.training is not None
    )
    assert left is not None
    assert usual is not None
    assert lean is not None
    assert left >= max(usual, lean)
    assert lean > 1.1 * usual


def test_where_nothing_surely_fits_speed_counts_too(
    catalogue: Catalogue, coefficients: CoefficientSet
) -> None:
    """70B by DeepSpeed on 16 cards: full sharding nearly fits, splitting every layer eight ways is far slower."""
    work = TrainingWorkload(method=Method.FULL, sequence_length=4096, framework=Framework.DEEPSPEED)
    request = _request(catalogue, "llama-3-70b", ("nvidia-h100-sxm5-80", 8, 2), work)
    (found,) = best_strategies([request], coefficients)
    assert not isinstance(found, UserError)
    assert not found.fits
    table = strategy_table(request, coefficients)
    least = int(np.argmin(table.columns["device_used_bytes"]))
    speed = table.columns["tokens_per_s"]
    assert speed[_place(table, found)] > speed[least]
    assert table.columns["device_used_low_bytes"][_place(table, found)] <= table.usable_bytes


@given(
    ends=st.tuples(*(st.floats(1e9, 1e11) for _ in range(3))).map(sorted),
    usable=st.lists(st.floats(1e9, 1e11), min_size=2, max_size=2).map(sorted),
)
def test_more_memory_never_lowers_the_chance_to_fit(ends: list[float], usable: list[float]) -> None:
    low, middle, high = ends
    less, more = (float(chance_to_fit(low, middle, high, room)) for room in usable)
    assert 0.0 <= less <= more <= 0.95
    assert float(chance_to_fit(low, middle, high, low - 1.0)) == 0.0


def test_a_request_that_cannot_be_split_does_not_stop_the_others(
    catalogue: Catalogue, coefficients: CoefficientSet
) -> None:
    good = _request(catalogue, MODELS[0], MACHINES[0], TrainingWorkload(method=Method.FULL))
    work = TrainingWorkload(method=Method.FULL, frozen_layers=1000)
    bad, fine = best_strategies([replace(good, workload=work), good], coefficients)
    assert isinstance(bad, UserError)
    assert not isinstance(fine, UserError)


def _request(
    catalogue: Catalogue, model: str, machine: tuple[str, int, int], work: TrainingWorkload
) -> EstimateRequest:
    gpu, cards, nodes = machine
    return EstimateRequest(
        id="s", kind=Kind.TRAINING, model=catalogue.model(model), accelerator=catalogue.accelerator(gpu), workload=work,
        hardware=Hardware(gpu=gpu, gpus_per_node=cards, nodes=nodes),
    )  # fmt: skip


def _strategies(request: EstimateRequest, coefficients: CoefficientSet) -> int:
    try:
        return strategy_table(request, coefficients).count
    except UserError:
        return 0


def _merit(table: StrategyTable) -> Any:
    c = table.columns
    if table.fits.any():
        return np.where(table.fits, c["tokens_per_s"], -1)
    chance = chance_to_fit(
        c["device_used_low_bytes"], c["device_used_bytes"], c["device_used_high_bytes"], table.usable_bytes
    )
    return c["tokens_per_s"] * chance if (chance > 0).any() else -c["device_used_bytes"]


def _place(table: StrategyTable, found: Strategy) -> int:
    rows = [i for i in range(table.count) if _same(table, i, found)]
    assert len(rows) == 1
    return rows[0]


def _same(table: StrategyTable, index: int, found: Strategy) -> bool:
    c, p = table.columns, found.parallelism
    stated = {
        "tensor_parallel": p.tensor, "sequence_parallel": p.sequence, "pipeline_parallel": p.pipeline,
        "virtual_pipeline": p.virtual_pipeline, "context_parallel": p.context, "expert_parallel": p.expert,
        "expert_tensor_parallel": p.expert_tensor, "data_parallel": p.data, "zero_stage": p.zero_stage,
        "micro_batch_size": found.micro_batch_size,
        "gradient_accumulation": found.gradient_accumulation,
        "full_recompute": found.checkpointing is Checkpointing.FULL,
        "selective_recompute": found.checkpointing is Checkpointing.SELECTIVE,
    }  # fmt: skip
    same_loss = table.losses[int(c["loss"][index])] is found.loss
    return same_loss and all(c[name][index] == value for name, value in stated.items())
