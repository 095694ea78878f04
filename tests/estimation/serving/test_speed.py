"""Speed: traps that other estimators fall into, and properties that must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.serving.estimate import estimate_serving, explain_serving
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.provenance.errors import InputError


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
