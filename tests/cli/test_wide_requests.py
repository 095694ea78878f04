"""Requests at the edges of the contract's shapes: the answer stays finite and agrees with itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.cli.test_contract_values import SERVING, TRAINING


def with_model(request: dict[str, Any], model: object, **workload: object) -> dict[str, Any]:
    body = copy.deepcopy(request)
    body["model"] = model
    body["workload"].update(workload)
    return body


EVERY_EXPERT = {
    "architecture": {
        "layers": 12, "hidden": 2048, "heads": 16, "kv_heads": 4, "ffn": 8192, "vocab": 50257, "experts": 8,
        "experts_per_token": 8, "expert_ffn": 2048,
    }
}  # fmt: skip
HALF_AS_BIG = {
    "architecture": {
        "layers": 24, "hidden": 2048, "heads": 16, "kv_heads": 4, "ffn": 8192, "vocab": 32000, "experts": 64,
        "experts_per_token": 1, "expert_ffn": 2048, "parameters_b": 11,
    }
}  # fmt: skip


def test_experts_that_every_token_passes_are_served(gpuconfig: Callable[..., Any]) -> None:
    (answer,) = gpuconfig("estimate", "--jsonl", "-", lines=[with_model(SERVING, EVERY_EXPERT)]).lines
    assert answer["serving"]["decode_tokens_per_s_per_user"]["value"] > 0


def test_a_token_never_touches_less_than_nothing(gpuconfig: Callable[..., Any]) -> None:
    """Experts of a narrower width, and a total that is smaller than the shape's own count."""
    narrow = with_model(TRAINING, "nvidia-nemotron-3-super-120b-a12b-bf16", stage="grpo")
    lines = [narrow, with_model(TRAINING, HALF_AS_BIG)]
    for answer in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines:
        speed = answer["training"]
        assert 0 < speed["mfu"]["low"] <= speed["mfu"]["value"] <= speed["mfu"]["high"] < 1
        parts = sum(speed["time_breakdown_s"].values())
        assert abs(parts - speed["step_time_s"]["value"]) < 0.02 * parts


def test_the_verdict_of_serving_is_that_of_the_band(gpuconfig: Callable[..., Any]) -> None:
    """An engine fills its share whatever it needs; the band still says whether the need fits the card."""
    lines = []
    for share in (0.4, 0.5, 0.55, 0.6, 0.7, 0.9, 1.0):
        for model in ("llama-3-8b", "qwen2.5-14b", {"parameters_b": 17}, {"parameters_b": 30}):
            body = with_model(SERVING, model, memory_utilization=share, engine="vllm", max_context=None)
            body["hardware"]["gpu"] = "nvidia-a100-sxm4-40"
            lines.append(body)
    verdicts = set()
    for answer in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines:
        used, usable = answer["memory"]["device_used_bytes"], answer["memory"]["usable_bytes"]
        said = "fits" if used["high"] <= usable else "does_not_fit" if used["low"] > usable else "too_close"
        assert answer["verdict"] == said
        assert used["low"] <= used["value"] <= used["high"]
        verdicts.add(said)
    assert verdicts == {"fits", "too_close", "does_not_fit"}


def test_loading_a_picture_model_that_is_quantised_on_the_card_is_a_stage(
    gpuconfig: Callable[..., Any],
) -> None:
    request = {
        "model": "qwen-image",
        "hardware": {"gpu": "H20 96GB"},
        "workload": {"kind": "image", "precision": "int8", "engine": "diffusers"},
    }
    memory = gpuconfig("estimate", "-", "--json", request=request).json["memory"]
    parts, peak = memory["breakdown_bytes"], memory["peak_allocated_bytes"]["value"]
    assert abs(parts["weights"] + parts["activations"] - peak) < 0.01 * peak


def test_every_preset_is_served_in_the_format_it_is_published_in(gpuconfig: Callable[..., Any]) -> None:
    listed = gpuconfig("catalogue", "list", "--kind", "model", "--json").json["items"]
    models = [item["id"] for item in listed if item["kind"] == "decoder"]
    hardware = {"gpu": "H200", "gpus_per_node": 8}
    lines = [{"id": m, "model": m, "workload": {"kind": "serving"}, "hardware": hardware} for m in models]
    assert [a["id"] for a in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines if "error" in a] == []


def test_integers_of_other_widths_lie_between_their_neighbours(gpuconfig: Callable[..., Any]) -> None:
    formats = ("gptq_int2", "gptq_int3", "int4", "gptq_int5", "gptq_int6", "gptq_int8")
    lines = [with_model(SERVING, "llama-3-8b", weight_format=name) for name in formats]
    sizes = [a["serving"]["weights_bytes"] for a in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines]
    assert sizes == sorted(sizes)


def test_a_denoiser_in_training_is_never_over_the_peak(gpuconfig: Callable[..., Any]) -> None:
    lines = [
        {
            "model": model,
            "hardware": {"gpu": gpu, "gpus_per_node": 8},
            "workload": {"kind": "training", "method": "full", "micro_batch_size": 4},
        }
        for model in ("qwen-image", "stable-diffusion-3.5-large", "flux.1-dev", "sdxl")
        for gpu in ("H200", "MI210", "A100")
    ]
    for answer in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines:
        assert 0 < answer["training"]["mfu"]["value"] < 0.9


def test_one_user_keeps_one_replica_busy(gpuconfig: Callable[..., Any]) -> None:
    lines = []
    for users in (1, 4, 6, 8, 12):
        body = with_model(SERVING, "gpt-oss-20b", concurrency=users, prompt_tokens=16384, prefix_cache_hit=0)
        body["hardware"]["gpus_per_node"] = 6
        lines.append({**body, "parallelism": {"tensor": 1}})
    answers = [a["serving"] for a in gpuconfig("estimate", "--jsonl", "-", lines=lines).lines]
    rates = [a["output_tokens_per_s"]["value"] for a in answers]
    assert rates == sorted(rates)
    assert rates[0] <= answers[0]["decode_tokens_per_s_per_user"]["value"]


def test_a_picture_of_a_clip_model_is_one_frame_and_a_picture_model_makes_no_clip(
    gpuconfig: Callable[..., Any],
) -> None:
    still = {"model": "wan2.1-t2v-14b", "hardware": {"gpu": "H100"}, "workload": {"kind": "image"}}
    clip = {**still, "workload": {"kind": "video"}}
    wrong = {**clip, "model": "sdxl"}
    one, many, refused = gpuconfig("estimate", "--jsonl", "-", lines=[still, clip, wrong]).lines
    assert one["image"]["seconds_per_image"]["value"] < 0.2 * many["video"]["seconds_per_clip"]["value"]
    assert (refused["error"]["code"], refused["error"]["field"]) == ("impossible", "workload.kind")


def test_ways_of_drafting_are_taken_as_engines_spell_them(gpuconfig: Callable[..., Any]) -> None:
    spelled = (
        "EAGLE-3",
        "eagle2",
        "draft",
        "draft-model",
        "NextN",
        "prompt_lookup",
        "Medusa",
        "MTP",
        "[ngram]",
    )
    lines = [with_model(SERVING, "llama-3-8b", speculative={"method": m, "tokens": 3}) for m in spelled]
    answers = gpuconfig("estimate", "--jsonl", "-", lines=[*lines, with_model(lines[0], "llama-3-8b")]).lines
    assert ["error" in answer for answer in answers] == [False] * 10
    wrong = with_model(SERVING, "llama-3-8b", speculative={"method": "guessing"})
    (refused,) = gpuconfig("estimate", "--jsonl", "-", lines=[wrong]).lines
    assert refused["error"]["field"] == "workload.speculative.method"
