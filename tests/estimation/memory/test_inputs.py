"""Impossible shapes and mixes are refused by field, reason and accepted range; recipes are what frameworks do."""

from typing import Any

import pytest

from gpuconfig.engine.estimation.inputs.names import TRAINING_INPUTS
from gpuconfig.engine.provenance.errors import InputError
from tests.estimation.memory.memory_bench import A100, LLAMA_2_7B, MIXTRAL, Bench

NO_SUCH_TARGET = {"method": "lora", "lora": {"targets": ["nose_proj"]}}
BF16 = {"method": "full", "framework": "hf_trainer", "weight_storage": "bf16"}
EIGHT = {**A100, "gpus_per_node": 8}
WORK = {"method": "full", "sequence_length": 1024}


@pytest.mark.parametrize(
    ("model", "work", "split", "field", "accepted"),
    [
        (LLAMA_2_7B, WORK, {"tensor": 3, "data": 2}, "parallelism.tensor", "32"),
        (LLAMA_2_7B, WORK, {"pipeline": 64}, "parallelism.pipeline", "32"),
        (LLAMA_2_7B, WORK, {"tensor": 2, "data": 8}, "parallelism.data", "8"),
        (LLAMA_2_7B, WORK, {"expert": 2, "data": 8}, "parallelism.expert", "1"),
        (MIXTRAL, WORK, {"expert": 3, "data": 8}, "parallelism.expert", "8"),
        (LLAMA_2_7B, {**WORK, "sequence_length": 4}, {"context": 8}, "parallelism.context", "4"),
        (LLAMA_2_7B, NO_SUCH_TARGET, {"data": 8}, "workload.lora.targets", "q_proj"),
        ({**MIXTRAL, "experts_per_token": 9}, WORK, {"data": 8}, "model.architecture.experts_per_token", ""),
        ({**LLAMA_2_7B, "kv_heads": 5}, WORK, {"data": 8}, "model.architecture.kv_heads", ""),
        (LLAMA_2_7B, {**WORK, "sequence_length": 0}, {"data": 8}, "workload.sequence_length", "1"),
        (LLAMA_2_7B, {**WORK, "sequence_length": float("nan")}, {"data": 8}, "workload.sequence_length", "1"),
        (LLAMA_2_7B, {**WORK, "micro_batch_size": 10**12}, {"data": 8}, "workload.micro_batch_size", "1"),
        ({**LLAMA_2_7B, "layers": -3}, WORK, {"data": 8}, "model.architecture.layers", "1"),
        ({**LLAMA_2_7B, "heads": 30, "kv_heads": 30}, WORK, {"data": 8}, "model.architecture.heads", "4096"),
        ({**LLAMA_2_7B, "layers": 10**12}, WORK, {"data": 8}, "model.architecture.layers", "10000"),
        (LLAMA_2_7B, {**WORK, "sequence_length": 10**12}, {"data": 8}, "workload.sequence_length", "1"),
        (LLAMA_2_7B, {**WORK, "sequence_length": -1}, {"data": 8}, "workload.sequence_length", "1"),
        (LLAMA_2_7B, {**WORK, "sequence_length": float("inf")}, {"data": 8}, "workload.sequence_length", "1"),
        (LLAMA_2_7B, {**WORK, "frozen_layers": 33}, {"data": 8}, "workload.frozen_layers", "32"),
        (LLAMA_2_7B, {**WORK, "gradient_dtype": "int8"}, {"data": 8}, "workload.gradient_dtype", "bf16, fp16, fp32"),
        (LLAMA_2_7B, {**WORK, "optimizer": "adam9"}, {"data": 8}, "workload.optimizer", "adamw"),
        (LLAMA_2_7B, WORK, {"tensor": 64}, "parallelism.tensor", "32"),
        (LLAMA_2_7B, WORK, {"data": 16}, "parallelism.data", "8"),
    ],
)  # fmt: skip
def test_the_impossible_names_field_reason_and_range(
    bench: Bench, model: Any, work: Any, split: Any, field: str, accepted: str
) -> None:
    with pytest.raises(InputError) as caught:
        bench.columns(model, work, EIGHT, split)
    assert caught.value.field == field
    assert str(caught.value.reason)
    assert accepted in str(caught.value.accepted or "")


def test_every_input_of_the_graph_has_a_column(bench: Bench) -> None:
    columns = bench.columns(LLAMA_2_7B, WORK, EIGHT, {"data": 8})
    assert {item.name for item in TRAINING_INPUTS} <= columns.keys()


@pytest.mark.parametrize(
    ("work", "split", "weights", "gradients", "master", "state"),
    [
        ({"framework": "megatron", "method": "pretrain"}, {"data": 8}, 2, 4, 4, 8),
        ({"framework": "torchtitan", "method": "pretrain"}, {"data": 8, "zero_stage": 3}, 4, 4, 0, 8),
        ({"framework": "deepspeed", "method": "full"}, {"data": 8, "zero_stage": 3}, 2, 2, 4, 8),
        ({"framework": "torchtune", "method": "full"}, {"data": 8}, 2, 2, 0, 4),
        ({"framework": "hf_trainer", "method": "full"}, {"data": 8}, 4, 4, 0, 8),
        (BF16, {"data": 8, "zero_stage": 3}, 4, 4, 0, 8),
        ({**BF16, "master_weights": False}, {"data": 8}, 2, 2, 0, 4),
        ({"framework": "other", "method": "full", "optimizer": "sgd"}, {"data": 8}, 2, 2, 4, 0),
        ({"framework": "other", "method": "full", "precision": "fp32"}, {"data": 8}, 4, 4, 0, 8),
        ({"framework": "megatron", "method": "pretrain", "optimizer_state_dtype": "bf16"}, {"data": 8}, 2, 4, 4, 4),
    ],
)  # fmt: skip
def test_bytes_per_parameter_by_framework(
    bench: Bench, work: Any, split: Any, weights: float, gradients: float, master: float, state: float
) -> None:
    c = bench.columns(LLAMA_2_7B, {"sequence_length": 1024, **work}, EIGHT, split)
    got = (c["linear_weight_bytes"], c["gradient_bytes"], c["master_bytes"], c["state_bytes"])
    assert got == (weights, gradients, master, state)


def test_k_bit_preparation_keeps_embeddings_and_head_in_fp32(bench: Bench) -> None:
    prepared = bench.columns(LLAMA_2_7B, {"method": "qlora", "framework": "hf_trainer"}, A100)
    plain = bench.columns(LLAMA_2_7B, {"method": "qlora", "framework": "other"}, A100)
    assert (prepared["other_weight_bytes"], plain["other_weight_bytes"]) == (4, 2)
    assert (prepared["residual_bytes"], plain["residual_bytes"]) == (4, 2)
    assert prepared["linear_weight_bytes"] == 0.5625
