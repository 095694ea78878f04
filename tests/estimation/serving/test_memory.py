"""Weights, KV cache and peaks against published values and measured runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.estimation.serving.answers import BEYOND_THE_CARD

REPORTS = Path(__file__).parents[2] / "data" / "infer_memory_reports.jsonl"
GIB = 2**30


def reports():
    return {r["id"]: r for r in map(json.loads, REPORTS.read_text(encoding="utf-8").splitlines())}


@pytest.mark.parametrize(
    ("model", "expected"),
    [("llama-3-8b", 131_072), ("llama-2-70b", 327_680), ("deepseek-v3", 70_272), ("llama-2-7b", 524_288)],
)
def test_cache_bytes_per_token(serve, model, expected):
    answer = serve(model, "h200", 8, engine="vllm", weight_format="fp8", kv_dtype="fp16")
    assert answer.serving.kv_bytes_per_token == expected


def test_cache_by_attention_design_as_reported(serve):
    """Six designs, one formula each: the report's corrected figures, within its 1 %."""
    case = reports()["IM02"]
    gemma, qwen, deepseek = case["expected"]["correct"][:3]
    contexts = {
        "gemma-3-27b-it": (131_072, gemma),
        "qwen3.5-27b": (262_144, qwen),
        "deepseek-v3": (163_840, deepseek),
    }
    for model, (context, expected) in contexts.items():
        answer = serve(
            model, "b300", 8, {"pipeline": 8}, engine="llama_cpp", weight_format="gguf:q4_k_m", kv_dtype="fp16",
            prompt_tokens=0, output_tokens=1, max_context=context,
        )  # fmt: skip
        held = answer.memory.breakdown_bytes["kv_cache"] * 8 / GIB
        tolerance = (
            0.01 if model != "qwen3.5-27b" else 0.02
        )  # the report leaves out the fixed state of linear layers
        assert held == pytest.approx(expected, rel=tolerance), model


def test_grouped_heads_divide_and_latent_rank_is_repeated(serve):
    def pool(model, tensor):
        answer = serve(
            model,
            "h200",
            tensor,
            {"tensor": tensor},
            engine="vllm",
            weight_format="fp8",
            prompt_tokens=1000,
            output_tokens=0,
        )
        return answer.memory.breakdown_bytes["kv_cache"]

    assert pool("llama-3-70b", 8) == pytest.approx(pool("llama-3-70b", 4) / 2, rel=1e-6)
    assert pool("deepseek-v3", 8) == pytest.approx(pool("deepseek-v3", 4), rel=1e-6)


def test_quantised_cache_of_a_layer_offload_report(serve):
    """Qwen2.5 14B at 32,768 tokens of Q8_0 cache takes about 3.5 GB, so 42 layers on 10 GB do not fit."""
    case = reports()["IM08"]
    answer = serve(
        "qwen2.5-14b", "nvidia-rtx-3080-10", engine="llama_cpp", weight_format="gguf:q5_k_m", kv_dtype="q8_0",
        prompt_tokens=0, output_tokens=1, max_context=32_768, offload_layers=48 - case["inputs"]["layers_on_gpu"],
    )  # fmt: skip
    full = serve("qwen2.5-14b", "h100", engine="llama_cpp", weight_format="gguf:q5_k_m", kv_dtype="q8_0",
                 prompt_tokens=0, output_tokens=1, max_context=32_768)  # fmt: skip
    assert full.memory.breakdown_bytes["kv_cache"] / 1e9 == pytest.approx(case["expected"]["kv_gb"], rel=0.05)
    assert answer.verdict is Verdict.DOES_NOT_FIT


def test_hybrid_model_is_not_charged_on_every_layer(serve):
    case = reports()["IM09"]
    answer = serve("qwen3.6-27b", "a40", engine="llama_cpp", weight_format="gguf:q4_k_m", kv_dtype="q8_0",
                   prompt_tokens=0, output_tokens=1, max_context=65_536)  # fmt: skip
    tolerance = case["expected"]["tolerance_pct"] / 100
    assert answer.memory.device_used_bytes.value / GIB == pytest.approx(
        case["expected"]["value"], rel=tolerance
    )
    assert answer.memory.device_used_bytes.value / GIB < case["expected"]["wrong"] * 0.8


def test_compute_buffer_of_latent_attention_is_counted(serve):
    """DeepSeek-V2-Lite at 32,768 tokens: 2.4 GB besides weights and cache, which may push a layer off the card."""
    case = reports()["IM05"]
    answer = serve("deepseek-v2-lite", "a40", engine="llama_cpp", weight_format="gguf:q4_k_m", prompt_tokens=0,
                   output_tokens=1, max_context=case["inputs"]["ctx"])  # fmt: skip
    parts = answer.memory.breakdown_bytes
    tolerance = case["expected"]["tolerance_pct"] / 100
    assert (parts["activations"] + parts["logits"]) / 1e9 == pytest.approx(
        case["expected"]["value"], rel=tolerance
    )


def test_every_report_about_serving_memory_is_tested():
    source = Path(__file__).read_text(encoding="utf-8")
    assert all(f'reports()["{name}"]' in source for name in reports())


@pytest.mark.parametrize(
    ("weight_format", "gib"),
    [("gguf:q4_k_m", 4.58), ("gguf:q5_k_m", 5.33), ("gguf:q6_k", 6.14), ("gguf:q8_0", 7.95), ("gguf:q2_k", 2.95),
     ("gguf:iq4_xs", 4.17), ("gguf:f16", 14.96), ("bf16", 14.96)],
)  # fmt: skip
def test_weight_bytes_of_published_files(serve, weight_format, gib):
    engine = "llama_cpp" if weight_format.startswith("gguf") else "vllm"
    answer = serve("llama-3.1-8b", "a100", engine=engine, weight_format=weight_format)
    assert answer.serving.weights_bytes / GIB == pytest.approx(gib, rel=0.01)


@pytest.mark.parametrize(
    ("model", "weight_format", "gigabytes"),
    [
        ("qwen2.5-0.5b", "gguf:q4_k_m", 0.398), ("qwen2.5-0.5b", "gguf:q6_k", 0.506),
        ("gemma-3-1b", "gguf:q4_k_m", 0.806),
        ("gemma-3-1b", "gguf:q6_k", 1.01),
    ],
)  # fmt: skip
def test_rows_that_blocks_of_256_do_not_divide_are_stored_wider(serve, model, weight_format, gigabytes):
    """Published files, which hold 6 MB of vocabulary beside the weights."""
    answer = serve(model, "a100", engine="llama_cpp", weight_format=weight_format)
    assert answer.serving.weights_bytes / 1e9 == pytest.approx(gigabytes, rel=0.02)


def test_mixes_carry_over_to_another_size(serve):
    """The mix is fitted on 8B; the published 70B file must come out."""
    answer = serve("llama-3-70b", "h200", engine="llama_cpp", weight_format="gguf:q4_k_m")
    assert answer.serving.weights_bytes / GIB == pytest.approx(39.60, rel=0.01)


def test_70b_in_16_bit_never_fits_one_80_gb_card(serve):
    answer = serve(
        "llama-3-70b", "h100", engine="vllm", weight_format="bf16", prompt_tokens=7168, output_tokens=1024
    )
    assert answer.verdict is Verdict.DOES_NOT_FIT
    assert answer.serving.weights_bytes == pytest.approx(141e9, rel=0.01)
    assert answer.memory.cheapest_fixes


def test_transformers_peak_counts_the_prompt_and_one_row_of_logits(serve):
    """Qwen2.5 7B on A100: 15.4 GB after one token, 21.4 GB with 30,720 (project's speed benchmark)."""
    short = serve(
        "qwen2.5-7b", "a100", engine="transformers", weight_format="bf16", prompt_tokens=1, output_tokens=2048
    )
    long = serve(
        "qwen2.5-7b",
        "a100",
        engine="transformers",
        weight_format="bf16",
        prompt_tokens=30_720,
        output_tokens=2048,
    )
    assert short.memory.peak_allocated_bytes.value / 1e9 == pytest.approx(15.44, rel=0.03)
    assert long.memory.peak_allocated_bytes.value / 1e9 == pytest.approx(21.44, rel=0.04)


def test_breakdown_adds_up(serve):
    memory = serve("llama-3-8b", "a100", engine="llama_cpp", weight_format="gguf:q8_0").memory
    assert sum(memory.breakdown_bytes.values()) == pytest.approx(memory.device_used_bytes.value, rel=1e-6)


def test_cache_sized_at_the_longest_context_is_pointed_out(serve):
    answer = serve("qwen3-8b", "rtx 4090", engine="llama_cpp", weight_format="gguf:q4_k_m", prompt_tokens=1000,
                   output_tokens=200, max_context=262_144)  # fmt: skip
    assert "long_context" in {w.code for w in answer.warnings}


def test_cache_of_16_384_image_tokens_is_that_of_16_384_tokens(serve):
    """One picture at a default pixel cap is 16,384 tokens of a vision-language model's cache."""
    work = {"engine": "llama_cpp", "weight_format": "gguf:q4_k_m", "output_tokens": 1}
    text, picture = (serve("qwen2.5-vl-7b", "a100", prompt_tokens=n, **work) for n in (256, 256 + 16_384))
    more = picture.memory.breakdown_bytes["kv_cache"] - text.memory.breakdown_bytes["kv_cache"]
    assert more == pytest.approx(16_384 * picture.serving.kv_bytes_per_token, rel=1e-3)


def test_sliding_layers_stop_at_their_window(serve):
    """Gemma 3 27B at 131,072 tokens: 10.4 GiB; the public formula for full layers says 682 % more."""
    answer = serve("gemma-3-27b-it", "h200", engine="llama_cpp", weight_format="gguf:q4_k_m", kv_dtype="fp16",
                   prompt_tokens=0, output_tokens=1, max_context=131_072)  # fmt: skip
    full = 2 * 62 * 16 * 128 * 2 * 131_072 / GIB
    assert answer.memory.breakdown_bytes["kv_cache"] / GIB == pytest.approx(10.41, rel=0.01)
    assert full / (answer.memory.breakdown_bytes["kv_cache"] / GIB) > 5


LONG = {"prompt_tokens": 100_000, "output_tokens": 100}


@pytest.mark.parametrize(
    ("model", "values"),
    [
        ("gemma-4-e4b-it", 4 * 2 * 2 * 512),  # 18 of 42 layers read the cache of others: 4 full ones store
        ("deepseek-v4-flash", 21 * (512 + 128) // 4 + 20 * 512 // 128),
        ("mimo-v2-flash", 9 * 4 * (192 + 128)),
        ("kimi-k3", 24 * (512 + 64)),
    ],
)
def test_cache_of_layers_that_share_or_compress_or_keep_a_state(serve, model, values):
    answer = serve(model, "h200", engine="vllm", kv_dtype="bf16", **LONG)
    assert answer.serving.kv_bytes_per_token == pytest.approx(2 * values, rel=1e-6)


@pytest.mark.parametrize("weight_format", ["bf16", "gguf:f16"])
def test_image_part_is_loaded_beside_the_language_part(serve, weight_format):
    """Qwen3-VL 8B: 8.767 billion stored; a GGUF file holds the 8.191 billion of its language part."""
    gguf = weight_format.startswith("gguf")
    answer = serve("qwen3-vl-8b", "a100", engine="llama_cpp" if gguf else "vllm", weight_format=weight_format,
                   prompt_tokens=100, output_tokens=10)  # fmt: skip
    expected = 8.1907e9 if gguf else 8.7671e9
    assert answer.serving.weights_bytes == pytest.approx(2 * expected, rel=1e-3)


@pytest.mark.parametrize(("kv_dtype", "share"), [("fp8", 0.5), ("q8_0", 0.53125), ("q4_0", 0.28125)])
def test_quantised_cache_takes_its_share(serve, kv_dtype, share):
    work = {
        "engine": "llama_cpp",
        "weight_format": "gguf:q4_k_m",
        "prompt_tokens": 8000,
        "output_tokens": 100,
    }
    whole, small = (serve("llama-3-8b", "a100", kv_dtype=k, **work) for k in ("fp16", kv_dtype))
    assert small.serving.kv_bytes_per_token == pytest.approx(
        share * whole.serving.kv_bytes_per_token, rel=1e-3
    )
    assert small.memory.peak_allocated_bytes.value < whole.memory.peak_allocated_bytes.value


def test_quantised_cache_holds_more_tokens(serve):
    work = {"engine": "vllm", "weight_format": "bf16", "prompt_tokens": 8000, "output_tokens": 100}
    whole, small = (serve("llama-3-8b", "a100", kv_dtype=k, **work) for k in ("fp16", "fp8"))
    ratio = small.serving.kv_capacity_tokens.value / whole.serving.kv_capacity_tokens.value
    assert ratio == pytest.approx(2, rel=0.01)
    assert small.serving.decode_tokens_per_s_per_user.value > whole.serving.decode_tokens_per_s_per_user.value


def test_each_layer_in_host_memory_frees_the_card(serve):
    work = {
        "engine": "llama_cpp",
        "weight_format": "gguf:q4_k_m",
        "hardware": {"host_bandwidth_bytes_per_s": 80e9},
    }
    answers = [serve("llama-3-70b", "h200", offload_layers=n, **work) for n in (0, 20, 40, 80)]
    peaks = [a.memory.peak_allocated_bytes.value for a in answers]
    rates = [a.serving.decode_tokens_per_s_per_user.value for a in answers]
    assert peaks == sorted(peaks, reverse=True)
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 80e9 / 39e9
    assert answers[-1].memory.host_bytes.value == pytest.approx(39e9, rel=0.1)


def test_experts_in_host_memory_cost_what_a_token_touches(serve):
    """Of a mixture of experts only the touched ones are read: far faster than a dense model of its size."""
    host = {"host_bandwidth_bytes_per_s": 80e9}
    work = {"engine": "llama_cpp", "weight_format": "gguf:q4_k_m", "hardware": host}
    sparse = serve("qwen3-30b-a3b", "h200", offload_layers=48, **work)
    dense = serve("qwen3-32b", "h200", offload_layers=64, **work)
    assert (
        sparse.serving.decode_tokens_per_s_per_user.value
        > 4 * dense.serving.decode_tokens_per_s_per_user.value
    )


@pytest.mark.parametrize(
    ("model", "engine", "weight_format", "why"),
    [
        ("gpt-oss-120b", "llama_cpp", "gguf:mxfp4", "as the model is published"),
        ("qwen3-32b", "llama_cpp", "gguf:q4_k_m", "what this engine is usually given"),
        ("qwen3-32b", "vllm", "bf16", "as the model is published"),
    ],
)
def test_weights_that_nobody_names_are_those_an_engine_is_given_and_it_says_so(
    serve, model, engine, weight_format, why
):
    told = {a.field: a for a in serve(model, "h200", engine=engine).assumptions}["workload.weight_format"]
    assert (told.value, told.why.text) == (weight_format, why)


def test_what_an_engine_reserves_never_ends_over_its_share(serve):
    """32B in AWQ on 24 GB: whether it starts is open, what it reserves if it does is its share."""
    answer = serve("qwen2.5-32b", "rtx 4090", engine="vllm", weight_format="awq_int4")
    memory = answer.memory
    context = memory.breakdown_bytes["context"]
    assert answer.verdict is Verdict.TOO_CLOSE
    reserved = memory.peak_reserved_bytes
    assert reserved.low <= reserved.value <= reserved.high <= memory.usable_bytes - context
    assert reserved.value == pytest.approx(0.9 * memory.usable_bytes - context, rel=0.001)
    assert reserved.high == pytest.approx(reserved.value, rel=0.03)


def test_memory_told_beyond_the_card_says_what_it_means(serve):
    """70B in four bits on two cards of 24 GB is near the edge; on four it is not, and nothing is said."""
    near, clear = (
        serve("llama-3.3-70b", "rtx 3090", n, {"tensor": n}, engine="vllm", weight_format="awq_int4")
        for n in (2, 4)
    )
    assert near.memory.device_used_bytes.high > near.memory.usable_bytes
    assert any(note.text == BEYOND_THE_CARD for note in near.notes)
    assert clear.memory.device_used_bytes.high <= clear.memory.usable_bytes
    assert not any(note.text == BEYOND_THE_CARD for note in clear.notes)
