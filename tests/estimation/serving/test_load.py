"""Many users at once: waiting for others' prompts, experts that a batch meets, drafts, bands of the first token."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.estimation.serving.decode import touched_share
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.table import serving_row
from gpuconfig.engine.provenance.errors import InputError

PROMPTS = {"engine": "vllm", "weight_format": "fp8", "prompt_tokens": 4096, "output_tokens": 256}
SHORT = {**PROMPTS, "prompt_tokens": 1024}


def quantities(read: Any, coefficients: Any, names: tuple[str, ...], **work: Any) -> dict[str, float]:
    request = read({"id": "s", "model": "llama-3-8b", "hardware": {"gpu": "h100"},
                    "workload": {"kind": "serving", **work}})  # fmt: skip
    row = serving_row(request, coefficients)
    values = serving_graph().evaluate({n: np.array([v]) for n, v in row.columns.items()}, names)
    return {name: float(np.ravel(values[name])[0]) for name in names}


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt_llm", "lmdeploy"])
@pytest.mark.parametrize("users", [2, 8, 32, 128])
def test_first_token_comes_after_the_own_prompt_and_before_all_prompts(
    read: Any, coefficients: Any, engine: str, users: int
) -> None:
    """All asking at once wait for half of all prompts on average; users who come and go never wait for all."""
    names = ("ttft_s", "prefill_s", "prompt_turn_s", "prompt_mixing_s", "delivery_s", "slot_wait_s")
    work = {**PROMPTS, "engine": engine, "concurrency": users}
    found = quantities(read, coefficients, names, **work)
    rest = found["prompt_mixing_s"] + found["delivery_s"] + found["slot_wait_s"]
    waited = found["ttft_s"] - found["prefill_s"] - rest
    assert 0 < waited <= (users - 1) * found["prompt_turn_s"]


def test_short_prompts_that_wait_together_share_a_pass(read: Any, coefficients: Any) -> None:
    names = ("prefill_s", "prompt_turn_s", "shared_passes")
    short = quantities(read, coefficients, names, **{**SHORT, "prompt_tokens": 256})
    whole = quantities(read, coefficients, names, **{**SHORT, "prompt_tokens": 8192})
    assert short["shared_passes"] < 0.05 < whole["shared_passes"] == 1.0
    assert short["prompt_turn_s"] < 0.2 * short["prefill_s"]
    assert whole["prompt_turn_s"] > 0.8 * whole["prefill_s"]


def test_bundled_tokens_delay_the_first_not_the_last(read: Any, coefficients: Any) -> None:
    work = {
        "engine": "sglang",
        "weight_format": "fp8",
        "prompt_tokens": 512,
        "output_tokens": 512,
        "concurrency": 8,
    }
    names = ("ttft_s", "output_tokens_per_s", "delivery_s", "decode_step_s")
    bundled = quantities(read, coefficients, names, **work)
    (row,) = [r for r in coefficients.rows if (r.name, r.scope) == ("delivery_steps", "sglang")]
    assert bundled["delivery_s"] == pytest.approx(row.value * bundled["decode_step_s"])
    assert bundled["ttft_s"] > bundled["delivery_s"]
    single = quantities(read, coefficients, names, **{**work, "engine": "vllm"})
    assert bundled["output_tokens_per_s"] > 0.7 * single["output_tokens_per_s"]


def test_one_user_waits_for_the_prompt_alone_and_knows_it_as_well(serve: Any) -> None:
    alone, many = (serve("llama-3-8b", "h100", **PROMPTS, concurrency=n).serving for n in (1, 128))
    prefill, first = alone.prefill_tokens_per_s, alone.ttft_ms
    assert first.high / first.value == pytest.approx(prefill.value / prefill.low)
    assert first.high / first.low < many.ttft_ms.high / many.ttft_ms.low


@given(
    tokens=st.floats(1, 1e6), experts=st.sampled_from([8, 64, 128, 256, 384]), each=st.sampled_from([1, 2, 4, 8]),
    evenness=st.floats(0.2, 100),
)  # fmt: skip
def test_share_of_experts_met(tokens: float, experts: int, each: int, evenness: float) -> None:
    share = float(touched_share(tokens, experts, each, evenness))
    assert each / experts - 1e-9 <= share <= 1 + 1e-9
    assert share <= float(touched_share(2 * tokens, experts, each, evenness)) + 1e-12
    alike = 1 - (1 - each / experts) ** tokens
    assert share <= alike + 1e-9


def test_one_token_meets_its_own_experts_and_a_dense_model_is_read_whole() -> None:
    assert touched_share(1.0, 8, 2, 1.0) == pytest.approx(0.25)
    assert touched_share(1.0, 128, 4, 0.7) == pytest.approx(4 / 128)
    assert touched_share(1.0, 1, 1, 1.0) == pytest.approx(1.0)
    assert touched_share(1e7, 256, 8, 1.0) == pytest.approx(1.0, abs=1e-3)


def test_unknown_way_of_drafting_is_refused_by_name(read: Any) -> None:
    with pytest.raises(InputError) as caught:
        read({"id": "s", "model": "qwen3-32b", "hardware": {"gpu": "h100"},
              "workload": {"kind": "serving", "speculative": {"method": "magic", "tokens": 3}}})  # fmt: skip
    assert caught.value.field == "workload.speculative.method"
    assert "eagle3, medusa, draft_model, ngram" in caught.value.accepted.english()


def test_ways_of_drafting_differ(serve: Any) -> None:
    def rate(method: str) -> Any:
        drafts = {"method": method, "tokens": 3}
        answer = serve("qwen3-32b", "h100", engine="vllm", weight_format="fp8", speculative=drafts)
        return answer.serving.decode_tokens_per_s_per_user

    looked_up, layer = rate("ngram"), rate("eagle3")
    assert looked_up.value < layer.value
    assert (
        looked_up.high / looked_up.low > layer.high / layer.low
    )  # what can be looked up depends on the text


def test_drafting_heads_beat_chance_but_not_the_drafted_count(serve: Any) -> None:
    plain = serve("qwen3-32b", "h100", engine="vllm", weight_format="fp8").serving
    for method in ("mtp", "eagle", "eagle3", "medusa", "draft_model"):
        drafted = serve("qwen3-32b", "h100", engine="vllm", weight_format="fp8",
                        speculative={"method": method, "tokens": 3}).serving  # fmt: skip
        gain = drafted.decode_tokens_per_s_per_user.value / plain.decode_tokens_per_s_per_user.value
        assert 1.1 < gain < 4.0, method
