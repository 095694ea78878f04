"""What must hold for every run: more of anything never needs less, and the parts add up."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.inputs.parallelism import valid_mixes
from gpuconfig.engine.estimation.memory.graph import memory_graph
from tests.estimation.memory.memory_bench import Bench

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
LONG = settings(SLOW, max_examples=2000)
SHAPES = st.builds(
    lambda layers, heads, kv, dim, ffn, vocab, tied, gated: {
        "layers": layers, "hidden": heads * dim, "heads": heads, "kv_heads": max(1, heads // kv), "head_dim": dim,
        "ffn": ffn, "vocab": vocab, "tied_embeddings": tied, "gated_mlp": gated,
    },
    st.integers(2, 60), st.sampled_from([8, 16, 32, 64]), st.sampled_from([1, 2, 4, 8]), st.sampled_from([64, 128]),
    st.sampled_from([2048, 8192, 14336]), st.sampled_from([32000, 128256]), st.booleans(), st.booleans(),
)  # fmt: skip
WORKS = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["full", "pretrain", "lora", "qlora"]),
        "framework": st.sampled_from(
            ["hf_trainer", "deepspeed", "megatron", "torchtitan", "torchtune", "litgpt", "other"]
        ),
        "sequence_length": st.sampled_from([128, 1024, 8192]),
        "micro_batch_size": st.sampled_from([1, 2, 8]),
        "gradient_accumulation": st.sampled_from([1, 8]),
        "checkpointing": st.sampled_from(["none", "selective", "full"]),
        "attention_kernel": st.sampled_from(["flash", "sdpa", "eager"]),
        "loss": st.sampled_from(["full_logits", "fused", "fused_linear", "chunked"]),
        "optimizer": st.sampled_from(
            ["adamw", "adamw_8bit", "paged_adamw_8bit", "adafactor", "sgd", "lion", "muon"]
        ),
        "offload": st.sampled_from(["none", "optimizer", "parameters", "activations", "nvme"]),
        "stage": st.sampled_from(["sft", "reward", "dpo", "grpo", "ppo"]),
        "packed": st.booleans(),
        "compiled": st.booleans(),
    }
)
EIGHT = {"gpu": "nvidia-h100-sxm5-80", "gpus_per_node": 8, "nodes": 1}
SPLITS = st.sampled_from(
    [
        {"data": 8}, {"data": 8, "zero_stage": 1}, {"data": 8, "zero_stage": 2}, {"data": 8, "zero_stage": 3},
        {"tensor": 2, "data": 4, "sequence": True}, {"pipeline": 2, "data": 4}, {"context": 2, "data": 4},
        {"pipeline": 2, "tensor": 2, "data": 2, "zero_stage": 1},
    ]
)  # fmt: skip
COUNTERS = ("peak_allocated_bytes", "device_used_bytes", "device_used_high_bytes")
TOLERANCE = 1 + 1e-9


def values(bench: Bench, *request: Any) -> dict[str, float]:
    columns = {n: np.array([v]) for n, v in bench.columns(*request).items()}
    found = memory_graph().evaluate(columns, COUNTERS)
    return {name: float(found[name][0]) for name in COUNTERS}


GROWING = ("batch", "length", "images", "rank", "layers", "vocab", "ffn", "heads")
RUNS = given(shape=SHAPES, work=WORKS, split=SPLITS)
MORE = given(shape=SHAPES, work=WORKS, split=SPLITS, more=st.sampled_from(GROWING))
RANKS = given(shape=SHAPES, work=WORKS, ranks=st.sampled_from([2, 4, 8]))
GATHERS = (
    "gathered_first_bytes", "gathered_at_loss_bytes", "unsharded_gradient_bytes", "load_copy_bytes",
    "retained_input_bytes", "step_temporary_bytes",
)  # fmt: skip


@SLOW
@MORE
def test_more_of_anything_never_lowers_the_peak(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any], more: str
) -> None:
    _grows(bench, shape, work, split, more)


@pytest.mark.long
@LONG
@MORE
def test_more_of_anything_never_lowers_the_peak_of_2_000_runs(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any], more: str
) -> None:
    _grows(bench, shape, work, split, more)


@SLOW
@RUNS
def test_the_breakdown_adds_up_to_the_peak_and_no_part_is_negative(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]
) -> None:
    _adds_up(bench, shape, work, split)


@pytest.mark.long
@LONG
@RUNS
def test_the_breakdown_adds_up_in_2_000_runs(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]
) -> None:
    _adds_up(bench, shape, work, split)


@SLOW
@RUNS
def test_counters_stand_in_order_and_inside_their_bands(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]
) -> None:
    _in_order(bench, shape, work, split)


@pytest.mark.long
@LONG
@RUNS
def test_counters_stand_in_order_in_2_000_runs(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]
) -> None:
    _in_order(bench, shape, work, split)


@SLOW
@RANKS
def test_sharding_never_raises_a_shard_beyond_what_gathering_adds(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], ranks: int
) -> None:
    _shards(bench, shape, work, ranks)


@pytest.mark.long
@LONG
@RANKS
def test_sharding_never_raises_a_shard_beyond_what_gathering_adds_in_2_000_runs(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], ranks: int
) -> None:
    _shards(bench, shape, work, ranks)


def _grows(
    bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any], more: str
) -> None:
    before = values(bench, shape, work, EIGHT, split)
    if more == "batch":
        work = {**work, "micro_batch_size": 2 * work["micro_batch_size"]}
    elif more == "length":
        work = {**work, "sequence_length": 2 * work["sequence_length"]}
    elif more == "images":
        work = {**work, "image_tokens": 1024}
    elif more == "rank":
        work = {**work, "lora": {"rank": 64}}
    elif more == "heads":
        shape = {
            **shape,
            "heads": 2 * shape["heads"],
            "hidden": 2 * shape["hidden"],
            "kv_heads": 2 * shape["kv_heads"],
        }
    else:
        shape = {**shape, more: 2 * shape[more]}
    after = values(bench, shape, work, EIGHT, split)
    for name in COUNTERS:
        assert after[name] * TOLERANCE >= before[name], name


def _adds_up(bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]) -> None:
    answer = bench.memory(shape, work, EIGHT, split)
    parts = answer.breakdown_bytes
    assert sum(parts.values()) == (answer.peak_allocated_bytes.value or 0) + parts["context"]
    assert all(value >= -16 for value in parts.values()), parts  # whole bytes, rounded part by part


def _in_order(bench: Bench, shape: dict[str, Any], work: dict[str, Any], split: dict[str, Any]) -> None:
    answer = bench.memory(shape, work, EIGHT, split)
    figures = (answer.peak_allocated_bytes, answer.peak_reserved_bytes, answer.device_used_bytes)
    for smaller, larger in pairwise(figures):
        assert (smaller.value or 0) <= (larger.value or 0)
    for figure in figures:
        assert figure.low is not None
        assert figure.low <= (figure.value or 0) <= (figure.high or 0)


def _shards(bench: Bench, shape: dict[str, Any], work: dict[str, Any], ranks: int) -> None:
    machine = {**EIGHT, "gpus_per_node": ranks}
    states = ("gradient_state_bytes", "stored_weight_bytes")
    whole, sharded = (
        memory_graph().evaluate(
            bench.columns(shape, work, machine, {"data": ranks, "zero_stage": z}),
            ["peak_allocated_bytes", "optimizer_bytes", *states, *GATHERS],
        )
        for z in (2, 3)
    )
    upcast = work["framework"] == "hf_trainer"  # 16-bit weights become fp32 shards there
    for name in states:
        assert sharded[name] <= whole[name] * (1 + upcast) * TOLERANCE, name
    if not upcast and work["framework"] != "torchtitan":  # fully sharded, it computes by another recipe
        added = sum(float(sharded[name]) for name in GATHERS)
        assert sharded["peak_allocated_bytes"] <= (whole["peak_allocated_bytes"] + added) * TOLERANCE


def test_arrays_answer_as_single_rows_do(bench: Bench) -> None:
    shape = {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 128256}
    work = {"method": "full", "framework": "megatron", "sequence_length": 4096, "gradient_accumulation": 16}
    splits = [{"tensor": t, "pipeline": p, "data": 8 // t // p} for t in (1, 2, 4) for p in (1, 2)]
    rows = [bench.columns(shape, work, EIGHT, split) for split in splits]
    together = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    many = memory_graph().evaluate(together, COUNTERS)
    for index, row in enumerate(rows):
        one = memory_graph().evaluate(row, COUNTERS)
        for name in COUNTERS:
            assert float(one[name]) == float(many[name][index])


def test_the_mask_of_valid_mixes_refuses_what_does_not_divide(bench: Bench) -> None:
    shape = {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 128256}
    row = bench.columns(shape, {"method": "full", "sequence_length": 1024}, EIGHT, {"data": 8})
    degrees = {
        "tensor_parallel": np.array([1.0, 3, 8, 1, 2, 1]),
        "pipeline_parallel": np.array([1.0, 1, 1, 64, 2, 1]),
        "expert_parallel": np.array([1.0, 1, 1, 1, 1, 2]),
        "data_parallel": np.array([8.0, 1, 1, 1, 2, 8]),
    }
    assert list(valid_mixes({**row, **degrees})) == [True, False, True, False, True, False]
