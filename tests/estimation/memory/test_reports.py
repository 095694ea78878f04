"""Public bug reports with a known right answer, as far as the request format can say them."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Verdict
from tests.estimation.memory.memory_bench import LLAMA_2_7B, LLAMA_2_70B, MIXTRAL, Bench

REPORTS = Path(__file__).parents[2] / "data" / "train_memory_reports.jsonl"
LLAMA_3_8B = {
    "layers": 32,
    "hidden": 4096,
    "heads": 32,
    "kv_heads": 8,
    "ffn": 14336,
    "vocab": 128256,
    "parameters_b": 8.03,
}
LLAMA_30B = {
    "layers": 60,
    "hidden": 6656,
    "heads": 52,
    "kv_heads": 52,
    "ffn": 17920,
    "vocab": 32000,
    "parameters_b": 32.529,
}
A100 = {"gpu": "nvidia-a100-sxm4-80"}
LORA_QV = {"lora": {"rank": 16, "targets": ["q_proj", "v_proj"]}}


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    return {r["id"]: r for r in map(json.loads, REPORTS.read_text(encoding="utf-8").splitlines())}


def test_every_report_is_here(reports: dict[str, Any]) -> None:
    assert len(reports) == 12


def test_tm04_full_tuning_of_90b_does_not_fit_eight_80_gb_cards(
    bench: Bench, reports: dict[str, Any]
) -> None:
    shape = {**LLAMA_2_70B, "layers": 100, "parameters_b": 88.6}
    work = {"method": "full", "sequence_length": 2048, "checkpointing": "full", "master_weights": True}
    memory = bench.memory(shape, work, {**A100, "gpus_per_node": 8}, {"zero_stage": 3, "data": 8})
    parts = memory.breakdown_bytes
    states = parts["weights"] + parts["gradients"] + parts["optimizer"]
    assert states / 1e9 == pytest.approx(reports["TM04"]["expected"]["full_ft_state_per_gpu_gb"], rel=0.05)


def test_tm11_paged_full_tuning_of_70b_fits_eight_80_gb_cards(bench: Bench, reports: dict[str, Any]) -> None:
    work = {
        "method": "full", "framework": "torchtune", "weight_storage": "bf16", "optimizer": "paged_adamw",
        "sequence_length": 2048, "micro_batch_size": 2, "checkpointing": "full",
    }  # fmt: skip
    memory = bench.memory(LLAMA_2_70B, work, {**A100, "gpus_per_node": 8}, {"zero_stage": 3, "data": 8})
    expected = reports["TM11"]["expected"]["peak_per_gpu_gb"] * 1e9
    assert (
        (memory.peak_allocated_bytes.value or 0) * 0.88
        <= expected
        <= (memory.device_used_bytes.value or 0) * 1.12
    )


def test_tm13_full_tuning_of_7b_takes_16_to_20_bytes_a_parameter(
    bench: Bench, reports: dict[str, Any]
) -> None:
    work = {"method": "full", "framework": "hf_trainer", "sequence_length": 512, "checkpointing": "full"}
    four = {"gpu": "nvidia-a100-sxm4-40", "gpus_per_node": 4}
    peak = bench.allocated(LLAMA_2_7B, work, four, {"zero_stage": 3, "data": 4}) * 4 / 1e9
    low, high = reports["TM13"]["expected"]["total_gb_range"]
    assert low <= peak <= high
    assert bench.verdict(LLAMA_2_7B, {**work, "framework": "other"}, A100) is Verdict.DOES_NOT_FIT


def test_tm14_the_vocabulary_makes_the_difference(bench: Bench) -> None:
    work = {"method": "qlora", "sequence_length": 16384, "checkpointing": "full", "loss": "full_logits"}
    small = bench.memory(LLAMA_2_7B, work, A100)
    large = bench.memory(LLAMA_3_8B, work, A100)
    apart = (large.peak_allocated_bytes.value or 0) - (small.peak_allocated_bytes.value or 0)
    assert large.breakdown_bytes["logits"] - small.breakdown_bytes["logits"] > 0.8 * apart
    assert (large.peak_allocated_bytes.value or 0) > 1.8 * (small.peak_allocated_bytes.value or 0)
    assert bench.verdict(LLAMA_3_8B, work, {"gpu": "nvidia-t4-16"}) is Verdict.DOES_NOT_FIT


def test_tm15_100k_tokens_do_not_fit_one_80_gb_card(bench: Bench, reports: dict[str, Any]) -> None:
    work = {
        "method": "qlora",
        "sequence_length": 102400,
        "checkpointing": "full",
        "loss": "full_logits",
        **LORA_QV,
    }
    memory = bench.memory(LLAMA_3_8B, work, A100)
    fp32_logits = 102400 * 128256 * 4 / 1e9
    assert fp32_logits == pytest.approx(reports["TM15"]["expected"]["fp32_logits_gb_at_102400"], rel=0.01)
    assert memory.breakdown_bytes["logits"] / 1e9 > fp32_logits
    assert bench.verdict(LLAMA_3_8B, work, A100) is Verdict.DOES_NOT_FIT


def test_tm24_checkpointing_decides_whether_30b_fits_24_gb(bench: Bench) -> None:
    work = {
        "method": "qlora",
        "weight_storage": "int4",
        "framework": "other",
        "sequence_length": 512,
        **LORA_QV,
    }
    card = {"gpu": "nvidia-rtx-4090-24"}
    assert bench.verdict(LLAMA_30B, {**work, "checkpointing": "full"}, card) is Verdict.FITS
    assert bench.verdict(LLAMA_30B, {**work, "checkpointing": "none"}, card) is not Verdict.FITS


def test_tm25_a_chunked_loss_shrinks_the_peak_of_a_large_vocabulary(bench: Bench) -> None:
    work = {"method": "lora", "sequence_length": 16384, "checkpointing": "full"}
    before = bench.allocated(LLAMA_3_8B, {**work, "loss": "full_logits"}, A100)
    after = bench.allocated(LLAMA_3_8B, {**work, "loss": "fused_linear"}, A100)
    assert after < 0.6 * before


def test_tm03_offloaded_weights_need_host_memory(bench: Bench) -> None:
    work = {"method": "qlora", "sequence_length": 3072, "checkpointing": "full", "offload": "parameters"}
    four = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 4}
    memory = bench.memory(LLAMA_2_70B, work, four, {"zero_stage": 3, "data": 4})
    assert memory.host_bytes is not None
    assert (memory.host_bytes.value or 0) > 16 * 2**30


def test_tm17_qlora_of_mixtral_at_32k_tokens_fits_80_gb_with_one_sample_only(bench: Bench) -> None:
    work = {"method": "qlora", "sequence_length": 32768, "checkpointing": "full"}
    assert bench.verdict(MIXTRAL, {**work, "micro_batch_size": 1}, A100) is not Verdict.DOES_NOT_FIT
    assert bench.verdict(MIXTRAL, {**work, "micro_batch_size": 2}, A100) is not Verdict.FITS


def test_tm19_lora_of_a_7b_vision_language_model_fits_24_gb_with_its_head_frozen(bench: Bench) -> None:
    work = {"method": "lora", "sequence_length": 1024, "checkpointing": "full"}
    memory = bench.memory("qwen2.5-vl-7b", work, {"gpu": "nvidia-rtx-4090-24"})
    assert (memory.device_used_bytes.high or 0) <= (memory.usable_bytes or 0)
    head = (
        152064 * 3584
    )  # the report's trained head: fp32 weights, gradients and Adam states beside the 16-bit one
    assert (memory.device_used_bytes.value or 0) + 16 * head > (memory.usable_bytes or 0)


FLUX_LORA = {
    "method": "lora", "framework": "deepspeed", "checkpointing": "none", "width": 512, "height": 512,
    "micro_batch_size": 1, "gradient_accumulation": 2,
    "lora": {"rank": 16, "targets": ["q_proj", "k_proj", "v_proj", "o_proj"]},
}  # fmt: skip
"""The default settings of the report's example files (XLabs-AI/x-flux, train_configs/test_lora.yaml)."""


def test_tm21_memory_of_a_lora_of_flux(bench: Bench, reports: dict[str, Any]) -> None:
    expected = reports["TM21"]["expected"]
    used = bench.memory("flux.1-dev", FLUX_LORA, A100).device_used_bytes.value
    assert used == pytest.approx(expected["value"] * 2**20, rel=expected["tolerance_pct"] / 100)


def test_tm21_fits_80_gb_under_deepspeed_and_not_with_the_scripts_fp32_weights(bench: Bench) -> None:
    assert bench.verdict("flux.1-dev", FLUX_LORA, A100) is Verdict.FITS
    plain = {**FLUX_LORA, "framework": "other", "weight_storage": "fp32", "autocast": True}
    assert bench.verdict("flux.1-dev", plain, A100) is Verdict.DOES_NOT_FIT


def test_pictures_are_encoded_before_the_forward_pass(bench: Bench) -> None:
    """Where little is trained on large pictures, the autoencoder makes the peak."""
    work = {"method": "qlora", "checkpointing": "full", "width": 2048, "height": 2048}
    parts = bench.memory("stable-diffusion-3-medium", work, A100)
    assert parts.worst_phase == "encode"
    assert parts.breakdown_bytes["activations"] == pytest.approx(2048 * 2048 * 2048, rel=1e-6)


def test_tm23_lora_of_flux_at_512_pixels_does_not_surely_fit_48_gb(bench: Bench) -> None:
    work = {"method": "lora", "checkpointing": "none", "width": 512, "height": 512, "lora": {"rank": 8}}
    card = {"gpu": "nvidia-l40s-48"}
    assert bench.verdict("flux.1-dev", work, card) is not Verdict.FITS
    assert (bench.memory("flux.1-dev", work, card).usable_bytes or 0) < 45.1 * 2**30


def test_gb_and_gib_are_told_apart(bench: Bench) -> None:
    work = {"method": "qlora", "sequence_length": 512, "checkpointing": "full"}
    usable = bench.memory(LLAMA_2_7B, work, {"gpu": "nvidia-rtx-4090-24"}).usable_bytes or 0
    assert 23.5 * 2**30 < usable < 24 * 2**30  # what 24 GB means on a card: binary units
    assert usable > 25e9
