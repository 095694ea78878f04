"""More users and longer prompts on any card and engine: the order that rates and times keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.serving.engines import runs
from gpuconfig.engine.estimation.serving.formats import default_weight_format
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.settings import LAYER_SPLIT
from gpuconfig.engine.estimation.serving.table import serving_row, stacked
from gpuconfig.engine.workloads.serving import ServingEngine

NAMES = ("output_tokens_per_s", "tpot_s", "ttft_s", "slots", "replica_users", "crowded_prompts")
USERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)
PROMPTS = (
    128,
    256,
    511,
    512,
    513,
    1024,
    1500,
    2047,
    2048,
    2049,
    3000,
    4096,
    8192,
    8193,
    12000,
    16384,
    32768,
    65536,
)
NEAR = 0.02
"""Prompts of many passes carry the steps of others, which are counted in full where those write alone too."""
EXACT = 1e-6
BOOKKEEPING = 0.08
"""Where prompts fill every pass, longer ones leave fewer sequences to sample and schedule in a step."""

REQUESTS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(
            ["llama-3-8b", "llama-3.1-70b", "qwen3-32b", "qwen3-30b-a3b", "gpt-oss-120b", "deepseek-v3", "gemma-3-27b"]
        ),
        "card": st.sampled_from(
            ["nvidia-h100-sxm5-80", "nvidia-rtx-4090-24", "nvidia-rtx-5090-32", "amd-mi300x-192", "apple-m3-ultra"]
        ),
        "cards": st.sampled_from([1, 2, 8]),
        "engine": st.sampled_from(
            ["vllm", "sglang", "tensorrt_llm", "lmdeploy", "llama_cpp", "exllamav2", "transformers"]
        ),
        "output": st.sampled_from([16, 100, 256, 1024, 4096]),
        "cached": st.sampled_from([0.0, 0.3, 0.8]),
    }
)  # fmt: skip
"""Requests whose users and prompts are varied; layouts are the defaults."""


def columns(
    read: Any, coefficients: Any, given: dict[str, Any], axis: list[tuple[int, int]]
) -> dict[str, np.ndarray]:
    """Values of one request for several pairs of prompt length and users; pairs of card and engine that run."""
    work = {"kind": "serving", "engine": given["engine"], "output_tokens": given["output"],
            "prefix_cache_hit": given["cached"]}  # fmt: skip
    hardware = {"gpu": given["card"], "gpus_per_node": given["cards"]}
    requests = [
        read({"id": "s", "model": given["model"], "hardware": hardware,
              "workload": {**work, "prompt_tokens": prompt, "concurrency": users}})
        for prompt, users in axis
    ]  # fmt: skip
    engine = ServingEngine(given["engine"])
    card, stored = requests[0].accelerator, default_weight_format(engine, requests[0].model)
    assume(runs(engine, card, coefficients, stored))
    rows = [serving_row(request, coefficients) for request in requests]
    values = serving_graph().evaluate(stacked(rows).columns, NAMES)
    return {name: np.broadcast_to(np.asarray(values[name], dtype=float), (len(axis),)) for name in NAMES}


@settings(max_examples=60, deadline=None)
@given(request=REQUESTS, prompt=st.sampled_from([0, *PROMPTS]))
def test_more_users_get_no_less_together_and_no_more_each(
    read: Any, coefficients: Any, request: dict[str, Any], prompt: int
) -> None:
    found = columns(read, coefficients, request, [(prompt, users) for users in USERS])
    together, token, first = (found[n] for n in ("output_tokens_per_s", "tpot_s", "ttft_s"))
    assert np.all(together[1:] >= together[:-1] * (1 - NEAR))
    assert np.all(token[1:] >= token[:-1] * (1 - np.where(found["crowded_prompts"][1:] > 0, NEAR, EXACT)))
    assert np.all(first[1:] >= first[:-1] * (1 - EXACT))


@settings(max_examples=60, deadline=None)
@given(request=REQUESTS, users=st.sampled_from(USERS))
def test_longer_prompts_are_answered_no_faster(
    read: Any, coefficients: Any, request: dict[str, Any], users: int
) -> None:
    """As far as all users have a slot; cards of a layer split take in prompts faster than they write answers."""
    found = columns(read, coefficients, request, [(prompt, users) for prompt in PROMPTS])
    held = found["slots"][1:] >= found["replica_users"][1:]
    crowded = found["crowded_prompts"][1:] > 0
    together, token, first = (found[n] for n in ("output_tokens_per_s", "tpot_s", "ttft_s"))
    assert np.all((first[1:] >= first[:-1] * (1 - EXACT)) | ~held)
    if request["cards"] > 1 and request["engine"] in LAYER_SPLIT:
        held &= ~crowded
    assert np.all((together[1:] <= together[:-1] * (1 + EXACT)) | ~held)
    assert np.all((token[1:] >= token[:-1] * (1 - np.where(crowded, BOOKKEEPING, EXACT))) | ~held)


@pytest.mark.parametrize("output", [1, 2, 16, 512])
@pytest.mark.parametrize("users", [1, 4, 64])
def test_prompts_of_all_users_never_take_less_than_their_work(
    read: Any, coefficients: Any, output: int, users: int
) -> None:
    """What a server takes in a second cannot exceed what it takes in with nothing else to do."""
    request = read({"id": "s", "model": "llama-3-8b", "hardware": {"gpu": "nvidia-h100-sxm5-80"},
                    "workload": {"kind": "serving", "engine": "vllm", "prompt_tokens": 16384,
                                 "output_tokens": output, "concurrency": users}})  # fmt: skip
    row = serving_row(request, coefficients)
    values = serving_graph().evaluate(
        stacked([row]).columns, ("output_tokens_per_s", "prompt_work_s", "mixing_fraction")
    )
    prompts_per_s = float(np.ravel(values["output_tokens_per_s"])[0]) / output
    busy = prompts_per_s * float(np.ravel(values["prompt_work_s"])[0])
    assert busy <= 1 / float(row.columns["mixing_fraction"])
