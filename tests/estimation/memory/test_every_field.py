"""No field of the training workload is passed over: each moves memory, or the answer says why it does not."""

from dataclasses import fields
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.memory.ignored import ignored_fields
from gpuconfig.engine.estimation.memory.remarks import memory_warnings
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.training import TrainingWorkload
from tests.estimation.memory.memory_bench import A100, LLAMA_2_7B, MIXTRAL, Bench

FULL = {"method": "full", "framework": "other", "sequence_length": 4096, "checkpointing": "full"}
LORA = {"method": "lora", "framework": "hf_trainer", "sequence_length": 4096, "checkpointing": "none"}
MEGATRON = {"method": "pretrain", "framework": "megatron", "sequence_length": 4096}
STORED = {"checkpointing": "none", "micro_batch_size": 16}
GQA = {**LLAMA_2_7B, "kv_heads": 8, "parameters_b": 6.0}
HF_PLAIN = {**FULL, "framework": "hf_trainer", "weight_storage": "bf16", "master_weights": False}

MOVES: dict[str, tuple[Any, dict[str, Any], object, object]] = {
    "method": (LLAMA_2_7B, FULL, "full", "lora"),
    "stage": (LLAMA_2_7B, FULL, "sft", "dpo"),
    "sequence_length": (LLAMA_2_7B, LORA, 2048, 4096),
    "packed": (LLAMA_2_7B, LORA, True, False),
    "image_tokens": (LLAMA_2_7B, LORA, 0, 1024),
    "micro_batch_size": (LLAMA_2_7B, LORA, 1, 2),
    "gradient_accumulation": (LLAMA_2_7B, {**FULL, "micro_batch_size": 8, "loss": "full_logits"}, 1, 8),
    "precision": (LLAMA_2_7B, MEGATRON, "bf16", "fp8"),
    "autocast": (LLAMA_2_7B, {**FULL, **STORED, "framework": "hf_trainer"}, False, True),
    "weight_storage": (LLAMA_2_7B, LORA, "bf16", "fp32"),
    "master_weights": (LLAMA_2_7B, FULL, False, True),
    "gradient_dtype": (LLAMA_2_7B, FULL, "bf16", "fp32"),
    "optimizer": (LLAMA_2_7B, FULL, "adamw", "adamw_8bit"),
    "optimizer_state_dtype": (LLAMA_2_7B, FULL, "bf16", "fp32"),
    "optimizer_foreach": (LLAMA_2_7B, FULL, False, True),
    "optimizer_in_backward": (LLAMA_2_7B, FULL, False, True),
    "checkpointing": (LLAMA_2_7B, LORA, "none", "full"),
    "attention_kernel": (GQA, LORA, "flash", "sdpa"),
    "loss": (LLAMA_2_7B, LORA, "full_logits", "fused_linear"),
    "compiled": (LLAMA_2_7B, LORA, False, True),
    "lora": (LLAMA_2_7B, LORA, {"dora": False}, {"dora": True}),
    "frozen_layers": (LLAMA_2_7B, LORA, 0, 16),
    "moe_capacity_factor": (MIXTRAL, LORA, 1.0, 2.0),
    "offload": (LLAMA_2_7B, FULL, "none", "nvme"),
    "framework": (LLAMA_2_7B, FULL, "deepspeed", "torchtune"),
    "framework_version": (LLAMA_2_7B, HF_PLAIN, "4.50", "5.0"),
    "width": ("flux.1-dev", {"method": "lora", "checkpointing": "none"}, 512, 1024),
    "height": ("flux.1-dev", {"method": "lora", "checkpointing": "none"}, 512, 1024),
    "frames": ("flux.1-dev", {"method": "lora", "checkpointing": "none"}, 1, 8),
}
NOT_MEMORY = {
    "dataset_tokens": "how long the run takes, not what it holds",
    "pipeline_schedule": "which pipelines are searched; memory follows the split's own",
    "replicas": "nothing on one card; on several see test_threads.py",
}


def remarks(bench: Bench, model: Any, work: dict[str, Any]) -> dict[str, Assumption]:
    read = bench.read(model, work, A100)
    assert isinstance(read.workload, TrainingWorkload)
    settings, _ = resolve_settings(read.workload, read.model, read.accelerator, Parallelism())
    columns = bench.columns(model, work, A100)
    return {a.field: a for a in ignored_fields(read.workload, read.model, settings, columns)}


def test_the_walk_knows_every_field_of_the_workload() -> None:
    named = {f.name for f in fields(TrainingWorkload) if "derived" not in f.metadata}
    assert named == MOVES.keys() | NOT_MEMORY.keys()


@pytest.mark.parametrize("name", MOVES)
def test_each_field_moves_memory(bench: Bench, name: str) -> None:
    model, work, one, other = MOVES[name]
    answers = [bench.memory(model, {**work, name: value}, A100) for value in (one, other)]
    before, after = (
        (a.peak_allocated_bytes, a.peak_reserved_bytes, a.device_used_bytes, a.host_bytes) for a in answers
    )
    assert before != after


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("lora", {**FULL, "lora": {"rank": 64}}),
        ("gradient_dtype", {**LORA, "gradient_dtype": "bf16"}),
        ("master_weights", {**LORA, "master_weights": True}),
        ("moe_capacity_factor", {**LORA, "moe_capacity_factor": 1.25}),
        ("image_tokens", {**LORA, "image_tokens": 576}),
        ("width", {**LORA, "width": 1024}),
        ("optimizer_state_dtype", {**FULL, "optimizer": "adamw_8bit", "optimizer_state_dtype": "fp32"}),
        ("optimizer_state_dtype", {**FULL, "optimizer": "sgd", "optimizer_state_dtype": "fp32"}),
        ("optimizer_foreach", {**FULL, "optimizer": "lion", "optimizer_foreach": True}),
        ("optimizer_foreach", {**FULL, "optimizer_in_backward": True, "optimizer_foreach": True}),
        ("gradient_dtype", {**FULL, "optimizer_in_backward": True, "gradient_dtype": "fp32"}),
        ("autocast", {**FULL, "precision": "fp32", "autocast": True}),
        ("precision", {**FULL, "framework": "torchtitan", "precision": "fp8"}),
        ("checkpointing", {**MEGATRON, "checkpointing": "selective", "attention_kernel": "flash"}),
        ("loss", {**FULL, "stage": "dpo", "loss": "fused_linear"}),
        ("loss", {**FULL, "loss": "vocab_parallel"}),
        ("framework_version", {**FULL, "framework_version": "1.0"}),
    ],
)
def test_a_stated_field_without_effect_is_named_with_the_reason(
    bench: Bench, name: str, work: dict[str, Any]
) -> None:
    found = remarks(bench, LLAMA_2_7B, work)
    assert f"workload.{name}" in found
    assert str(found[f"workload.{name}"].why)


def test_a_plain_request_has_nothing_to_remark(bench: Bench) -> None:
    assert not remarks(bench, LLAMA_2_7B, FULL)
    assert not remarks(bench, LLAMA_2_7B, LORA)


def test_formats_of_the_matrix_units_are_told_apart(bench: Bench) -> None:
    by_format = [
        bench.allocated(LLAMA_2_7B, {**MEGATRON, "precision": p}, A100) for p in ("nvfp4", "fp8", "mxfp8")
    ]
    assert by_format == sorted(by_format)
    assert len(set(by_format)) == 3


def test_frozen_layers_at_the_bottom_keep_no_activations_and_no_states(bench: Bench) -> None:
    for work in ({**FULL, **STORED}, {**LORA, **STORED}):
        none, half = (
            bench.memory(LLAMA_2_7B, {**work, "frozen_layers": n}, A100).breakdown_bytes for n in (0, 16)
        )
        assert half["activations"] < none["activations"]
        assert half["optimizer"] < 0.6 * none["optimizer"]


def test_dora_keeps_two_outputs_of_each_adapted_matrix(bench: Bench) -> None:
    work = {**LORA, "lora": {"rank": 16, "targets": ["q_proj"]}}
    plain = bench.memory(LLAMA_2_7B, work, A100).breakdown_bytes["activations"]
    work["lora"] = {**work["lora"], "dora": True}  # type: ignore[dict-item]
    dora = bench.memory(LLAMA_2_7B, work, A100).breakdown_bytes["activations"]
    assert dora - plain == pytest.approx(32 * 4096 * 2 * 4096 * 2, rel=0.01)


def test_weights_offloaded_from_one_card_come_back_layer_by_layer(bench: Bench) -> None:
    work = {**FULL, "offload": "parameters"}
    parts = bench.memory(LLAMA_2_7B, work, A100).breakdown_bytes
    assert parts["weights"] == 0
    assert bench.allocated(LLAMA_2_7B, work, A100) > 0


def test_nvme_leaves_less_in_the_host_than_the_host_itself_would_hold(bench: Bench) -> None:
    both = {**FULL, "framework": "deepspeed"}
    host, drive = (
        bench.memory(LLAMA_2_7B, {**both, "offload": o}, A100).host_bytes
        for o in ("optimizer_and_parameters", "nvme")
    )
    assert host is not None
    assert drive is not None
    assert 0 < (drive.value or 0) < 0.5 * (host.value or 0)


def test_nvme_offload_says_how_much_room_the_drives_need(bench: Bench) -> None:
    work = {**FULL, "framework": "deepspeed", "offload": "nvme"}
    answer, columns = bench.memory(LLAMA_2_7B, work, A100), bench.columns(LLAMA_2_7B, work, A100)
    assert answer.drive_bytes is not None
    assert answer.drive_bytes.value == pytest.approx(14 * 6.738e9, rel=0.01)
    codes = [w.code for w in memory_warnings(answer, columns, 2.0**40)]
    assert codes == ["drive_room_needed"]
