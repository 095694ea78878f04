"""Published figures and arithmetic that the model must hit."""

import pytest

from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.estimation.memory.graph import memory_graph
from tests.estimation.memory.memory_bench import A100, LLAMA_2_7B, LLAMA_2_70B, LLAMA_32_1B, MIXTRAL, Bench

FULL = {"method": "full", "sequence_length": 512, "checkpointing": "full"}


def test_states_of_llama_2_7b_at_16_bytes_a_parameter(bench: Bench) -> None:
    parts = bench.memory(LLAMA_2_7B, {**FULL, "master_weights": True}, A100).breakdown_bytes
    states = parts["weights"] + parts["gradients"] + parts["optimizer"]
    assert states / 1e9 == pytest.approx(107.8, abs=0.1)


def test_pure_bf16_full_tuning_peaks_at_ten_bytes_a_parameter(bench: Bench) -> None:
    work = {**FULL, "framework": "hf_trainer", "weight_storage": "bf16", "master_weights": False}
    assert bench.allocated(LLAMA_2_7B, work, A100) / 6.738e9 == pytest.approx(10, rel=0.01)


def test_the_same_job_under_fsdp_with_autocast_peaks_at_twenty_bytes_a_parameter_and_shard(
    bench: Bench,
) -> None:
    work = {**FULL, "framework": "hf_trainer", "weight_storage": "bf16", "autocast": True}
    two = {**A100, "gpus_per_node": 2}
    peak = bench.allocated(LLAMA_2_7B, work, two, {"zero_stage": 3, "data": 2})
    assert peak / (6.738e9 / 2) == pytest.approx(20, rel=0.02)


def test_the_loss_alone_takes_llama_32_1b_from_33_to_7_gb(bench: Bench) -> None:
    work = {"method": "lora", "sequence_length": 4096, "micro_batch_size": 4, "checkpointing": "full"}
    whole = bench.allocated(LLAMA_32_1B, {**work, "loss": "full_logits"}, A100)
    fused = bench.allocated(LLAMA_32_1B, {**work, "loss": "fused_linear"}, A100)
    assert whole / 1e9 == pytest.approx(33.1, rel=0.05)
    assert fused / 1e9 == pytest.approx(7.3, rel=0.12)


def test_memory_does_not_pool_under_data_parallelism(bench: Bench) -> None:
    work = {"method": "qlora", "sequence_length": 512, "checkpointing": "full"}
    four = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 4}
    assert bench.verdict(LLAMA_2_70B, work, four, {"data": 4}) is Verdict.DOES_NOT_FIT
    two = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 2}
    sharded = bench.memory(LLAMA_2_70B, work, two, {"data": 2, "zero_stage": 3})
    assert sharded.breakdown_bytes["weights"] / 1e9 == pytest.approx(20.5, abs=0.7)


def test_qwen_25_7b_with_masters_at_4k_never_fits_one_80_gb_card(bench: Bench) -> None:
    work = {
        "method": "full",
        "sequence_length": 4096,
        "precision": "bf16",
        "master_weights": True,
        "checkpointing": "full",
    }
    memory = bench.memory("qwen2.5-7b", work, A100)
    parts = memory.breakdown_bytes
    assert (parts["weights"] + parts["gradients"] + parts["optimizer"]) / 1e9 == pytest.approx(122, abs=1)
    assert bench.verdict("qwen2.5-7b", work, A100) is Verdict.DOES_NOT_FIT


def test_memory_of_experts_follows_all_of_them_not_the_active_ones(bench: Bench) -> None:
    work = {
        "method": "lora",
        "sequence_length": 256,
        "checkpointing": "full",
        "lora": {"targets": ["q_proj"]},
    }
    weights = bench.memory(MIXTRAL, work, A100).breakdown_bytes["weights"]
    assert weights == pytest.approx(2 * 46.703e9, rel=0.01)


def test_selective_recompute_of_core_attention_saves_nothing_with_flash_attention(bench: Bench) -> None:
    work = {
        "method": "pretrain",
        "framework": "megatron",
        "sequence_length": 4096,
        "attention_kernel": "flash",
    }
    none = bench.allocated(LLAMA_2_7B, {**work, "checkpointing": "none"}, A100)
    selective = bench.allocated(LLAMA_2_7B, {**work, "checkpointing": "selective"}, A100)
    eager = {**work, "attention_kernel": "eager"}
    assert selective == none
    assert bench.allocated(LLAMA_2_7B, {**eager, "checkpointing": "selective"}, A100) < 0.9 * bench.allocated(
        LLAMA_2_7B, {**eager, "checkpointing": "none"}, A100
    )


def test_pipeline_ranks_of_one_model_differ(bench: Bench) -> None:
    shape = {
        "layers": 28, "hidden": 7168, "heads": 128, "kv_heads": 128, "head_dim": 128, "ffn": 18432, "vocab": 129280,
        "experts": 64, "experts_per_token": 8, "expert_ffn": 2048, "shared_experts": 1, "shared_expert_ffn": 2048,
        "dense_layers": 3, "mla": {"kv_rank": 512, "rope_dim": 64, "q_rank": 1536},
    }  # fmt: skip
    work = {
        "method": "pretrain",
        "framework": "megatron",
        "sequence_length": 4096,
        "gradient_accumulation": 32,
    }
    machines = {"gpu": "nvidia-b200-sxm-180", "gpus_per_node": 8, "nodes": 4}
    split = {"pipeline": 4, "expert": 8, "data": 8, "zero_stage": 1}
    stages = bench.memory(shape, work, machines, split).by_stage
    peaks = [s.peak_allocated_bytes.value or 0 for s in stages]
    assert len(peaks) == 4
    assert 1.2 < max(peaks) / min(peaks) < 2.5


def test_full_tuning_of_8b_with_paged_states_and_steps_in_the_backward_pass_takes_19_gib(
    bench: Bench,
) -> None:
    shape = {
        "layers": 32,
        "hidden": 4096,
        "heads": 32,
        "kv_heads": 8,
        "ffn": 14336,
        "vocab": 128256,
        "parameters_b": 8.03,
    }
    work = {
        "method": "full", "framework": "torchtune", "weight_storage": "bf16", "master_weights": False, "compiled": True,
        "optimizer": "paged_adamw_8bit", "optimizer_in_backward": True, "checkpointing": "full", "loss": "chunked",
        "sequence_length": 2048, "micro_batch_size": 2,
    }  # fmt: skip
    assert bench.allocated(shape, work, A100) / 2**30 == pytest.approx(18.9, rel=0.08)


def test_offloading_names_the_host_memory_it_needs(bench: Bench) -> None:
    work = {**FULL, "framework": "deepspeed", "offload": "optimizer"}
    eight = {**A100, "gpus_per_node": 8}
    kept = bench.memory(LLAMA_2_70B, {**FULL, "framework": "deepspeed"}, eight, {"zero_stage": 3, "data": 8})
    moved = bench.memory(LLAMA_2_70B, work, eight, {"zero_stage": 3, "data": 8})
    assert kept.host_bytes is None
    assert moved.host_bytes is not None
    assert moved.host_bytes.value == pytest.approx(14 * 68.98e9, rel=0.02)
    assert (moved.peak_allocated_bytes.value or 0) < 0.3 * (kept.peak_allocated_bytes.value or 0)


@pytest.mark.parametrize(("stage", "models"), [("sft", 1), ("dpo", 2), ("grpo", 2), ("ppo", 4)])
def test_stages_keep_their_models_on_the_card(bench: Bench, stage: str, models: int) -> None:
    shape = {**LLAMA_32_1B}
    work = {**FULL, "weight_storage": "bf16", "master_weights": False, "stage": stage}
    weights = bench.memory(shape, work, A100).breakdown_bytes["weights"]
    assert weights == pytest.approx(models * 2 * 1.236e9, rel=0.01)


def test_lora_of_a_diffusion_transformer_keeps_its_encoders_on_the_card(bench: Bench) -> None:
    work = {"method": "lora", "checkpointing": "full"}
    memory = bench.memory("flux.1-dev", work, A100)
    assert memory.breakdown_bytes["weights"] == pytest.approx(2 * 16.87e9, rel=0.02)
    assert memory.device_used_bytes.value == pytest.approx(42837 * 2**20, rel=0.15)
    small = bench.allocated("flux.1-dev", {**work, "width": 512, "height": 512}, A100)
    assert small < (memory.peak_allocated_bytes.value or 0)
    full = bench.memory(
        "flux.1-dev", {"method": "full", "checkpointing": "full", "master_weights": True}, A100
    )
    states = full.breakdown_bytes["gradients"] + full.breakdown_bytes["optimizer"]
    assert states == pytest.approx(14 * 11.9e9, rel=0.02)  # the encoders are not trained


BERT_LARGE = {
    "layers": 24, "hidden": 1024, "heads": 16, "kv_heads": 16, "ffn": 4096, "vocab": 30522, "parameters_b": 0.335,
    "gated_mlp": False, "tied_embeddings": True,
}  # fmt: skip
BERT_TUNING = {
    "method": "full", "framework": "hf_trainer", "precision": "fp32", "weight_storage": "fp32", "sequence_length": 512,
    "micro_batch_size": 4, "checkpointing": "none", "attention_kernel": "eager",
}  # fmt: skip


def test_an_encoder_keeps_what_dropout_makes_of_its_scores(bench: Bench) -> None:
    scores = memory_graph().evaluate(bench.columns(BERT_LARGE, BERT_TUNING, A100), ["score_token_bytes"])
    assert scores["score_token_bytes"] == 16 * 512 * (4 + 1 + 4)  # softmax, mask, result
    half = {**BERT_TUNING, "precision": "fp16", "autocast": True}
    scores = memory_graph().evaluate(bench.columns(BERT_LARGE, half, A100), ["score_token_bytes"])
    assert scores["score_token_bytes"] == 16 * 512 * (4 + 1 + 2)


def test_tuning_an_encoder_writes_no_vocabulary(bench: Bench) -> None:
    tuned = bench.columns(BERT_LARGE, BERT_TUNING, A100)
    assert tuned["scalar_head"] == 1
    assert bench.columns(BERT_LARGE, {**BERT_TUNING, "method": "pretrain"}, A100)["scalar_head"] == 0
