"""Speed: traps that other estimators fall into, and properties that must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig import app
from gpuconfig.engine.estimation.serving.estimate import estimate_serving, explain_serving
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.host_kept import joint_host_s, pass_host_s
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.units import GIB


def decode(answer):
    return answer.serving.decode_tokens_per_s_per_user.value


def test_layer_split_adds_memory_not_speed(serve):
    """70B 4-bit on 2, 4 and 8 cards of 24 GB: 19.1, 18.8, 18.8 tokens/s measured."""
    rates = [
        decode(
            serve(
                "llama-3-70b", "rtx 4090", n, {"pipeline": n}, engine="llama_cpp", weight_format="gguf:q4_k_m"
            )
        )
        for n in (2, 4, 8)
    ]
    assert rates[0] >= rates[1] >= rates[2]
    assert rates[2] == pytest.approx(18.8, rel=0.2)


def test_four_cards_without_peer_to_peer_gain_little_over_two(serve):
    def rate(n, peer):
        pcie = {"intra_node": "pcie", "pcie": {"peer_to_peer": peer}}
        return decode(
            serve("qwen2.5-32b", "rtx 4090", n, {"tensor": n}, pcie, engine="vllm", weight_format="awq_int4")
        )

    assert rate(4, False) < 1.5 * rate(2, False)
    assert rate(4, True) > rate(4, False)


def test_layers_in_ddr4_hold_a_671b_model_under_two_tokens(serve):
    answer = serve(
        "deepseek-r1", "rtx 4090", engine="llama_cpp", weight_format="gguf:q8_0", offload_layers=58,
        hardware={"host_bandwidth_bytes_per_s": 45e9},
    )  # fmt: skip
    assert decode(answer) < 2
    assert "host_layers" in {w.code for w in answer.warnings}


PUBLISHED_EXPERTS = [
    ("deepseek-v3", "rtx 4090 d", 1, "gguf:q4_k_m", 61, 307.2e9, 32, 8.73),
    ("deepseek-r1", "rtx 4090", 1, "gguf:q4_k_m", 58, 460.8e9, 96, 14.0),
    ("deepseek-r1", "rtx 4090", 1, "gguf:q4_k_m", 58, 204.8e9, 32, 6.5),
    ("qwen3-30b-a3b", "rtx 2080", 1, "gguf:q4_k_m", 36, 102.4e9, 10, 36.7),
    ("gpt-oss-120b", "rtx 5090", 2, "gguf:mxfp4", 3, 89.6e9, 16, 108.0),
]
"""Experts in host memory: model, card, cards, format, layers moved, bandwidth, cores, token/s; sources in the seed."""


@pytest.mark.parametrize(
    ("model", "card", "count", "stored", "moved", "rate", "cores", "measured"), PUBLISHED_EXPERTS
)
def test_experts_in_host_memory_answer_as_published(
    serve, model, card, count, stored, moved, rate, cores, measured
):
    """From two channels to twelve, from three layers to all; the middle of the reports is within a few percent."""
    answer = serve(
        model, card, count, engine="llama_cpp", weight_format=stored, offload_experts=moved,
        prompt_tokens=500, output_tokens=300,
        hardware={"host_bandwidth_bytes_per_s": rate, "cpu_cores": cores},
    )  # fmt: skip
    assert decode(answer) == pytest.approx(measured, rel=0.25)
    assert "host_experts" in {w.code for w in answer.warnings}


def test_layers_without_experts_have_none_to_move(serve):
    """Three of 61 layers of DeepSeek-V3 are dense: the experts of 58 layers are all, 14 GB stay on the card."""
    whole, more = (
        serve(
            "deepseek-v3", "rtx 4090 d", engine="llama_cpp", weight_format="gguf:q4_k_m", offload_experts=n
        ).memory
        for n in (58, 61)
    )
    assert whole.host_bytes == more.host_bytes
    assert whole.device_used_bytes.value < 16 * GIB


def test_experts_are_only_moved_of_models_that_have_them(read, coefficients):
    data = {
        "model": "qwen3-32b",
        "workload": {"kind": "serving", "offload_experts": 8},
        "hardware": {"gpu": "rtx 4090"},
    }
    (refused,) = estimate_serving([read(data)], coefficients)
    assert isinstance(refused, InputError)
    assert refused.field == "workload.offload_experts"


def test_a_prompt_takes_the_shorter_way_through_host_memory(serve):
    """A faster slot or more cores never make it slower, and either alone can be what it waits for."""

    def first(**hardware):
        work = {
            "engine": "llama_cpp",
            "weight_format": "gguf:q4_k_m",
            "offload_experts": 61,
            "prompt_tokens": 4000,
        }
        answer = serve(
            "deepseek-v3", "rtx 5090", hardware={"host_bandwidth_bytes_per_s": 300e9, **hardware}, **work
        )
        return answer.serving.ttft_ms.value

    few, many = first(cpu_cores=8), first(cpu_cores=2000)
    assert many < few
    assert first(cpu_cores=8, pcie={"generation": 3, "lanes": [16]}) > few


def test_a_short_prompt_under_load_is_computed_no_faster_than_alone():
    """What the processor computes grows with the tokens: a share of a full pass is that of its tokens."""
    host = {
        "experts": 256.0, "experts_per_token": 8.0, "routing_evenness": 1.0,
        "host_layer_read_s": 0.0, "host_expert_read_s": 1.0, "host_sent_s": 1e3, "host_token_s": 0.02,
    }  # fmt: skip
    for tokens in (200.0, 500.0, 2048.0):
        alone = pass_host_s.function(new_tokens=tokens, prompt_passes=1.0, **host)
        assert tokens / 2048 * joint_host_s.function(chunk_tokens=2048.0, **host) == pytest.approx(alone)


def test_experts_touched_grow_with_the_batch(serve):
    alone = serve("qwen3-30b-a3b", "h100", engine="vllm", weight_format="bf16", concurrency=1)
    dense = serve("qwen3-32b", "h100", engine="vllm", weight_format="bf16", concurrency=1)
    many = serve("qwen3-30b-a3b", "h100", engine="vllm", weight_format="bf16", concurrency=64)
    assert decode(alone) > 3 * decode(dense)
    assert decode(many) < decode(alone) / 1.5


def test_longer_context_slows_decode(serve):
    near = serve("llama-3-8b", "rtx 4090", engine="llama_cpp", weight_format="gguf:q4_k_m", prompt_tokens=512)
    far = serve("llama-3-8b", "rtx 4090", engine="llama_cpp", weight_format="gguf:q4_k_m", prompt_tokens=8192)
    assert 0.7 < decode(far) / decode(near) < 0.97


def test_power_cap_hurts_prompts_more_than_decode(serve):
    def pair(limit):
        answer = serve("llama-3-8b", "h100", engine="vllm", weight_format="bf16", prompt_tokens=4096,
                       hardware={"power_limit_w": limit})  # fmt: skip
        return decode(answer), answer.serving.prefill_tokens_per_s.value

    (fast, quick), (slow, late) = pair(700), pair(350)
    assert slow < fast
    assert late / quick < slow / fast


def test_warm_air_slows_prompts_more_than_decode_and_lowers_the_watts(serve):
    def pair(air):
        answer = serve("llama-3-8b", "rtx 4090", engine="vllm", weight_format="fp8", prompt_tokens=4096,
                       hardware={"inlet_c": air})  # fmt: skip
        return decode(answer), answer.serving.prefill_tokens_per_s.value, answer.power.gpu_w.value

    (fast, quick, cool), (slow, late, hot) = pair(25), pair(60)
    assert slow < fast
    assert late / quick < slow / fast
    assert hot < cool


def test_speculation_raises_the_rate_of_one_user(serve):
    plain = serve("qwen3-32b", "h100", engine="vllm", weight_format="fp8")
    drafted = serve(
        "qwen3-32b", "h100", engine="vllm", weight_format="fp8", speculative={"method": "mtp", "tokens": 2}
    )
    assert 1.1 < decode(drafted) / decode(plain) < 2.5


def test_targets_bound_the_users(serve):
    work = {"engine": "vllm", "weight_format": "fp8", "prompt_tokens": 2000, "output_tokens": 500}
    loose = serve("llama-3-8b", "h100", **work, tpot_target_ms=50)
    tight = serve("llama-3-8b", "h100", **work, tpot_target_ms=10)
    assert 0 < tight.serving.max_concurrency.value < loose.serving.max_concurrency.value
    users = int(loose.serving.max_concurrency.value)
    at = serve("llama-3-8b", "h100", **work, concurrency=users)
    assert at.serving.tpot_ms.value <= 50
    assert tight.serving.max_concurrency.low <= tight.serving.max_concurrency.value


def test_more_users_than_slots_wait(serve):
    answer = serve("llama-3-70b", "h100", 2, {"tensor": 2}, engine="vllm", weight_format="fp8", prompt_tokens=8000,
                   output_tokens=500, concurrency=400)  # fmt: skip
    assert "cache_full" in {w.code for w in answer.warnings}
    few = serve("llama-3-70b", "h100", 2, {"tensor": 2}, engine="vllm", weight_format="fp8", prompt_tokens=8000,
                output_tokens=500, concurrency=4)  # fmt: skip
    assert answer.serving.ttft_ms.value > 5 * few.serving.ttft_ms.value


@settings(max_examples=40, deadline=None)
@given(
    users=st.integers(1, 2000), prompt=st.integers(0, 100_000), output=st.integers(1, 10_000),
    engine=st.sampled_from(["vllm", "sglang", "tensorrt_llm", "llama_cpp", "transformers", "lmdeploy"]),
)  # fmt: skip
def test_answers_are_positive_and_banded(serve, users, prompt, output, engine):
    stored = "gguf:q4_k_m" if engine == "llama_cpp" else "bf16"
    answer = serve("llama-3-8b", "h100", engine=engine, weight_format=stored, concurrency=users,
                   prompt_tokens=prompt, output_tokens=output)  # fmt: skip
    for name in (
        "decode_tokens_per_s_per_user",
        "output_tokens_per_s",
        "ttft_ms",
        "tpot_ms",
        "kv_capacity_tokens",
    ):
        figure = getattr(answer.serving, name)
        assert 0 < figure.low <= figure.value <= figure.high or name == "kv_capacity_tokens"


def request(model="llama-3-8b", gpu="h100", **work):
    return {"id": "r", "model": model, "workload": {"kind": "serving", **work}, "hardware": {"gpu": gpu}}


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (request(weight_format="gguf:q99"), "workload.weight_format"),
        (request(weight_format="five bit"), "workload.weight_format"),
        (request(kv_dtype="fp3"), "workload.kv_dtype"),
        (request(model="resnet-50"), "model"),
        ({**request(), "parallelism": {"tensor": 4}}, "parallelism"),
    ],
)
def test_bad_rows_do_not_stop_the_others(read, coefficients, data, field):
    rows = estimate_serving([read(request()), read(data), read(request())], coefficients)
    assert isinstance(rows[1], InputError)
    assert rows[1].field == field
    assert rows[0] == rows[2]


def test_explanation_reaches_the_inputs(read, coefficients):
    tree = explain_serving(read(request(engine="vllm")), coefficients, "tpot_ms")
    names = set()

    def walk(node):
        names.add(node.name)
        for below in node.inputs:
            walk(below)

    walk(tree)
    assert {"memory_bytes_per_s", "weight_stream_fraction", "layer_parameters"} <= names
    with pytest.raises(InputError, match="no such quantity"):
        explain_serving(read(request()), coefficients, "happiness")


def test_every_quantity_has_a_unit_and_a_title():
    for quantity in serving_graph().quantities.values():
        assert quantity.unit
        assert quantity.title[0].isupper()


def codes(answer):
    return {w.code for w in answer.warnings}


@pytest.mark.parametrize(
    ("gpu", "work", "code"),
    [
        ("nvidia-v100-sxm2-32", {"engine": "vllm", "weight_format": "bf16"}, "older_release"),
        ("h100", {"engine": "llama_cpp", "backend": "metal"}, "backend_not_for_card"),
        ("a100", {"engine": "vllm", "weight_format": "fp8"}, "weight_only"),
        ("h100", {"engine": "vllm", "weight_format": "nvfp4"}, "weight_only"),
    ],
)
def test_what_a_card_runs_only_partly_is_named(serve, gpu, work, code):
    assert code in codes(serve("llama-3-8b", gpu, **work))


@pytest.mark.parametrize(
    ("gpu", "work"),
    [
        ("h100", {"engine": "vllm", "weight_format": "fp8"}),
        ("apple-m3-max", {"engine": "mlx", "weight_format": "mlx:4bit"}),
        ("amd-mi300x-192", {"engine": "sglang", "weight_format": "fp8"}),
        ("a100", {"engine": "vllm", "weight_format": "awq_int4"}),
        ("rtx 4090", {"engine": "llama_cpp", "backend": "vulkan"}),
        ("nvidia-v100-sxm2-32", {"engine": "vllm", "engine_version": "0.11.2", "weight_format": "bf16"}),
        ("nvidia-v100-sxm2-32", {"engine": "llama_cpp", "weight_format": "gguf:q4_k_m"}),
    ],
)
def test_what_a_card_runs_is_not_doubted(serve, gpu, work):
    named = {"older_release", "backend_not_for_card", "weight_only"}
    assert not named & codes(serve("llama-3-8b", gpu, **work))


def test_without_an_answer_there_is_no_decode_speed(serve):
    answer = serve("llama-3-8b", "h100", engine="vllm", prompt_tokens=4096, output_tokens=0)
    served = answer.serving
    for figure in (served.decode_tokens_per_s_per_user, served.output_tokens_per_s, served.tpot_ms):
        assert figure.value is None
        assert figure.low is None
    assert served.prefill_tokens_per_s.value > 0
    assert served.ttft_ms.value > 0
    assert any("no decode speed" in note.english() for note in answer.notes)


def test_prefix_cache_shortens_the_first_token(serve):
    work = {
        "engine": "vllm",
        "weight_format": "bf16",
        "prompt_tokens": 16_000,
        "output_tokens": 200,
        "concurrency": 16,
    }
    firsts = [serve("llama-3-8b", "h100", prefix_cache_hit=h, **work).serving for h in (0.0, 0.5, 0.9)]
    assert firsts[0].ttft_ms.value > firsts[1].ttft_ms.value > firsts[2].ttft_ms.value
    assert firsts[0].output_tokens_per_s.value < firsts[2].output_tokens_per_s.value


def test_targets_that_tighten_allow_fewer_users(serve):
    work = {"engine": "vllm", "weight_format": "fp8", "prompt_tokens": 4000, "output_tokens": 500}

    def users(**targets):
        return serve("llama-3-70b", "h100", 4, {"tensor": 4}, **work, **targets).serving.max_concurrency.value

    assert users(ttft_target_ms=20_000) >= users(ttft_target_ms=2_000) > users(ttft_target_ms=300) >= 0
    both = users(ttft_target_ms=2_000, tpot_target_ms=30)
    assert both <= min(users(ttft_target_ms=2_000), users(tpot_target_ms=30))


def test_tensor_parallel_speeds_one_user_and_a_pipeline_does_not(serve):
    work = {"engine": "vllm", "weight_format": "bf16", "concurrency": 1}
    alone = decode(serve("llama-3-8b", "h100", **work))
    joined = decode(serve("llama-3-8b", "h100", 4, {"tensor": 4}, **work))
    staged = decode(serve("llama-3-8b", "h100", 4, {"pipeline": 4}, **work))
    assert joined > 1.3 * alone
    assert staged <= alone


def test_drafts_that_are_seldom_taken_widen_the_band(serve):
    work = {"engine": "vllm", "weight_format": "fp8"}
    plain = serve("qwen3-32b", "h100", **work).serving.decode_tokens_per_s_per_user
    drafted = serve("qwen3-32b", "h100", **work, speculative={"method": "mtp", "tokens": 3})
    rate = drafted.serving.decode_tokens_per_s_per_user
    assert rate.low / rate.value < plain.low / plain.value
    assert rate.high / rate.value > plain.high / plain.value


def test_paged_engines_are_near_each_other(serve):
    """The same card and weights: kernels differ by tens of percent, not by factors."""
    rates = [
        decode(serve("llama-3-8b", "h100", engine=e, weight_format="bf16"))
        for e in ("vllm", "sglang", "tensorrt_llm", "lmdeploy")
    ]
    assert max(rates) < 1.35 * min(rates)


@pytest.mark.parametrize(
    "engine", ["vllm", "sglang", "tensorrt_llm", "llama_cpp", "transformers", "exllamav2"]
)
def test_no_card_streams_faster_than_its_memory(serve, engine):
    for gpu in ("l40s", "rtx 4090", "h100", "a100", "nvidia-b200-sxm-180"):
        stored = "gguf:f16" if engine == "llama_cpp" else "bf16"
        answer = serve("llama-3-8b", gpu, engine=engine, weight_format=stored, prompt_tokens=1)
        assert decode(answer) * 15e9 < {"l40s": 864e9, "rtx 4090": 1008e9, "h100": 3.35e12}.get(gpu, 8e12)


@pytest.mark.parametrize("name", ["ttft_ms", "tpot_ms"])
def test_an_opened_figure_is_in_the_unit_of_its_name_and_inside_its_band(name):
    services = app.services()
    asked = services.read_estimate(
        {"model": "qwen3-8b", "workload": {"kind": "serving"}, "hardware": {"gpu": "nvidia-l40s-48"}}
    )
    (answer,) = services.estimate([asked])
    tree = services.explain(asked, name)
    assert tree.unit == "ms"
    assert tree.value == pytest.approx(getattr(answer.serving, name).value)
    assert tree.low < tree.value < tree.high
    assert tree.inputs[0].value * 1000 == pytest.approx(tree.value)
