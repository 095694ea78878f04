"""Every field of the training workload moves the answer the right way."""

from typing import Any

import pytest

from tests.estimation.memory.memory_bench import A100, LLAMA_2_7B, MIXTRAL, Bench

EIGHT = {**A100, "gpus_per_node": 8}
FULL = {"method": "full", "sequence_length": 4096, "checkpointing": "full", "framework": "other"}
LORA = {"method": "lora", "sequence_length": 4096, "checkpointing": "none", "framework": "hf_trainer"}
MEGATRON = {
    "method": "pretrain",
    "sequence_length": 4096,
    "framework": "megatron",
    "gradient_accumulation": 32,
}
EAGER = {**LORA, "attention_kernel": "eager"}


@pytest.mark.parametrize(
    ("work", "less", "more"),
    [
        (LORA, {"sequence_length": 2048}, {"sequence_length": 4096}),
        (LORA, {"image_tokens": 0}, {"image_tokens": 1024}),
        (LORA, {"micro_batch_size": 1}, {"micro_batch_size": 2}),
        (LORA, {"checkpointing": "full"}, {"checkpointing": "none"}),
        (LORA, {"checkpointing": "full"}, {"checkpointing": "selective"}),
        (LORA, {"checkpointing": "selective"}, {"checkpointing": "none"}),
        (LORA, {"attention_kernel": "flash"}, {"attention_kernel": "eager"}),
        (LORA, {"loss": "fused_linear"}, {"loss": "full_logits"}),
        (LORA, {"lora": {"rank": 8}}, {"lora": {"rank": 256}}),
        (LORA, {"lora": {"targets": ["q_proj"]}}, {"lora": {"targets": ["all-linear"]}}),
        (LORA, {"lora": {"dora": False}}, {"lora": {"dora": True}}),
        (LORA, {"lora": {"dropout": 0}}, {"lora": {"dropout": 0.1}}),
        (LORA, {"offload": "activations"}, {"offload": "none"}),
        (LORA, {"method": "qlora"}, {"method": "lora"}),
        ({**LORA, "method": "qlora"}, {"weight_storage": "nf4_dq"}, {"weight_storage": "nf4"}),
        ({**LORA, "method": "qlora"}, {"weight_storage": "nf4"}, {"weight_storage": "int8"}),
        (LORA, {"precision": "bf16"}, {"precision": "fp32"}),
        (LORA, {"stage": "sft"}, {"stage": "dpo"}),
        (LORA, {"compiled": True}, {"compiled": False}),
        (FULL, {"master_weights": False}, {"master_weights": True}),
        (FULL, {"optimizer": "adamw_8bit"}, {"optimizer": "adamw"}),
        (FULL, {"optimizer": "paged_adamw_8bit"}, {"optimizer": "adamw_8bit"}),
        (FULL, {"optimizer": "adafactor"}, {"optimizer": "lion"}),
        (FULL, {"optimizer": "lion"}, {"optimizer": "adamw"}),
        (FULL, {"optimizer": "sgd"}, {"optimizer": "muon"}),
        (FULL, {"optimizer_state_dtype": "bf16"}, {"optimizer_state_dtype": "fp32"}),
        (FULL, {"optimizer_foreach": False}, {"optimizer_foreach": True}),
        (FULL, {"optimizer_in_backward": True}, {"optimizer_in_backward": False}),
        (FULL, {"gradient_dtype": "bf16"}, {"gradient_dtype": "fp32"}),
        (FULL, {"frozen_layers": 16}, {"frozen_layers": 0}),
        (FULL, {"offload": "optimizer"}, {"offload": "none"}),
        (FULL, {"offload": "optimizer_and_parameters"}, {"offload": "optimizer"}),
        (FULL, {"stage": "dpo"}, {"stage": "ppo"}),
        (FULL, {"method": "lora"}, {"method": "full"}),
        (MEGATRON, {"precision": "bf16"}, {"precision": "fp32"}),
    ],
)
def test_a_field_moves_allocated_memory(bench: Bench, work: Any, less: Any, more: Any) -> None:
    before, after = (bench.allocated(LLAMA_2_7B, {**work, **change}, A100) for change in (less, more))
    assert before < after


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ({"tensor": 2, "data": 4}, {"data": 8}),
        ({"tensor": 4, "data": 2, "sequence": True}, {"tensor": 4, "data": 2}),
        ({"data": 8, "zero_stage": 1}, {"data": 8, "zero_stage": 0}),
        ({"pipeline": 4, "data": 2}, {"pipeline": 2, "data": 4}),
        ({"pipeline": 4, "data": 2}, {"pipeline": 4, "virtual_pipeline": 4, "data": 2}),
        ({"context": 2, "data": 4}, {"data": 8}),
    ],
)
def test_a_degree_moves_allocated_memory(bench: Bench, less: Any, more: Any) -> None:
    before, after = (bench.allocated(LLAMA_2_7B, MEGATRON, EIGHT, split) for split in (less, more))
    assert before < after


@pytest.mark.parametrize(
    ("less", "more"),
    [({"expert": 8, "data": 8}, {"expert": 2, "data": 8}), ({"expert": 2, "data": 8}, {"data": 8})],
)
def test_expert_parallelism_shards_experts(bench: Bench, less: Any, more: Any) -> None:
    before, after = (
        bench.memory(MIXTRAL, MEGATRON, EIGHT, s).breakdown_bytes["weights"] for s in (less, more)
    )
    assert before < after


def test_a_larger_capacity_of_experts_takes_more(bench: Bench) -> None:
    split = {"expert": 8, "data": 8}
    one, two = (
        bench.allocated(MIXTRAL, {**MEGATRON, "moe_capacity_factor": f}, EIGHT, split) for f in (1.0, 2.0)
    )
    assert one < two


def test_padded_batches_leave_more_in_the_cache(bench: Bench) -> None:
    packed, padded = (bench.memory(LLAMA_2_7B, {**LORA, "packed": p}, A100) for p in (True, False))
    assert packed.peak_allocated_bytes == padded.peak_allocated_bytes
    assert (packed.peak_reserved_bytes.value or 0) < (padded.peak_reserved_bytes.value or 0)


def test_windows_and_a_display_take_from_the_card(bench: Bench) -> None:
    card = {"gpu": "nvidia-rtx-4090-24"}
    work = {**LORA, "sequence_length": 512}
    plain = bench.memory(LLAMA_2_7B, work, card).usable_bytes or 0
    assert (bench.memory(LLAMA_2_7B, work, {**card, "os": "windows"}).usable_bytes or 0) < plain
    assert (bench.memory(LLAMA_2_7B, work, {**card, "display_attached": True}).usable_bytes or 0) < plain


def test_eager_attention_grows_with_the_square_of_the_length(bench: Bench) -> None:
    short, long = (bench.allocated(LLAMA_2_7B, {**EAGER, "sequence_length": s}, A100) for s in (4096, 8192))
    flash = bench.allocated(LLAMA_2_7B, {**LORA, "sequence_length": 8192}, A100)
    assert long > 2 * flash
    assert long > 3 * (short - bench.memory(LLAMA_2_7B, EAGER, A100).breakdown_bytes["weights"])
