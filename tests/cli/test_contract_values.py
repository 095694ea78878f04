"""Every value that the contract names for a field is taken, and the answer has the contract's parts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

TRAINING: dict[str, Any] = {
    "id": "x1",
    "model": "llama-3-8b",
    "workload": {
        "kind": "training", "method": "lora", "stage": "sft", "sequence_length": 4096, "packed": True,
        "image_tokens": 0, "micro_batch_size": 1, "gradient_accumulation": 8, "precision": "bf16",
        "autocast": True, "weight_storage": "bf16", "master_weights": True, "gradient_dtype": "bf16",
        "optimizer": "adamw", "optimizer_state_dtype": "fp32", "optimizer_foreach": True,
        "optimizer_in_backward": False, "checkpointing": "full", "attention_kernel": "flash",
        "loss": "full_logits", "compiled": False,
        "lora": {"rank": 16, "targets": ["q_proj", "v_proj"], "dora": False}, "frozen_layers": 0,
        "moe_capacity_factor": None, "offload": "none", "framework": "hf_trainer", "framework_version": "4.50",
        "dataset_tokens": 1000000000,
    },
    "hardware": {
        "gpu": "nvidia-a100-sxm4-80", "gpus_per_node": 8, "nodes": 1, "power_limit_w": None, "os": "linux",
        "display_attached": False, "intra_node": "nvlink",
        "pcie": {"generation": 4, "lanes": 16, "peer_to_peer": True, "topology": "root"},
        "inter_node": {"gbit_per_s_per_gpu": 200, "rdma": True}, "host_memory_bytes": None,
        "cpu_cores": None, "storage_bytes_per_s": None,
    },
    "parallelism": {
        "zero_stage": 0, "tensor": 1, "sequence": False, "pipeline": 1, "virtual_pipeline": 1, "context": 1,
        "expert": 1, "expert_tensor": 1, "data": 8,
    },
}  # fmt: skip
SERVING: dict[str, Any] = {
    "model": "llama-3-8b",
    "hardware": {"gpu": "H100"},
    "workload": {
        "kind": "serving", "engine_version": "0.6", "weight_format": "bf16", "kv_dtype": "bf16",
        "prompt_tokens": 0, "output_tokens": 100, "concurrency": 4, "memory_utilization": 0.9,
        "max_context": 8192, "prefix_cache_hit": 0.5, "ttft_target_ms": 500, "tpot_target_ms": 50,
        "offload_layers": 0,
    },
}  # fmt: skip
TRAINING_VALUES = {
    "workload.stage": "sft|reward|dpo|grpo|ppo",
    "workload.method": "full|lora|pretrain",
    "workload.precision": "bf16|fp16|fp32|tf32|fp8|mxfp8|nvfp4",
    "workload.weight_storage": "bf16|fp16|fp32|nf4|nf4_dq|int4|int8",
    "workload.gradient_dtype": "bf16|fp16|fp32",
    "workload.optimizer": "adamw|adamw_8bit|paged_adamw|paged_adamw_8bit|adafactor|sgd|lion|muon",
    "workload.optimizer_state_dtype": "fp32|bf16|int8",
    "workload.checkpointing": "none|selective|full",
    "workload.attention_kernel": "flash|sdpa|eager",
    "workload.loss": "full_logits|fused|fused_linear|chunked|vocab_parallel",
    "workload.offload": "none|optimizer|parameters|optimizer_and_parameters|activations|nvme",
    "workload.framework": "hf_trainer|deepspeed|megatron|torchtitan|torchtune|llm_foundry|litgpt|axolotl|unsloth|other",
    "hardware.os": "linux|windows",
    "hardware.intra_node": "nvlink|infinity_fabric|pcie|auto",
    "hardware.pcie.topology": "root|switch|two_switches|cross_socket",
}
SERVING_VALUES = {
    "workload.engine": "vllm|sglang|tensorrt_llm|llama_cpp|transformers|exllamav2|lmdeploy|mlx",
    "workload.backend": "cuda|rocm|vulkan|metal|sycl|cann",
    "workload.weight_format": "bf16|fp16|fp8|awq_int4|gptq_int4|gptq_int8|nvfp4|mxfp4|gguf:q4_k_m|gguf:f16"
    "|gguf:q4_k_xl|exl2:4.0|mlx:4bit",
    "workload.kv_dtype": "bf16|fp16|fp8|int8|q8_0|q4_0",
}
PICTURE_VALUES = {
    "precision": "fp32|tf32|fp16|bf16|fp8|int8",
    "engine": "diffusers|webui|comfyui|xdit|wan|tensorrt",
    "offload": "none|model|sequential",
}
BAND = {"value", "low", "high"}


def _each(request: dict[str, Any], values: dict[str, str]) -> list[dict[str, Any]]:
    found = []
    for path, words in values.items():
        *parents, last = path.split(".")
        for word in words.split("|"):
            body = copy.deepcopy(request)
            at = body
            for name in parents:
                at = at[name]
            at[last] = word
            body["id"] = f"{path}={word}"
            found.append(body)
    return found


def _refused(gpuconfig: Callable[..., Any], requests: list[dict[str, Any]]) -> dict[str, str]:
    answers = gpuconfig("estimate", "--jsonl", "-", "--lang", "en", lines=requests).lines
    assert [answer["id"] for answer in answers] == [request["id"] for request in requests]
    return {a["id"]: a["error"]["message"] if "error" in a else "" for a in answers if "verdict" not in a}


def test_every_value_of_training_and_serving_is_taken(gpuconfig: Callable[..., Any]) -> None:
    requests = _each(TRAINING, TRAINING_VALUES) + _each(SERVING, SERVING_VALUES)
    assert _refused(gpuconfig, requests) == {}


@pytest.mark.parametrize(("model", "kind"), [("sdxl", "image"), ("wan2.1-t2v-14b", "video")])
def test_every_value_of_pictures_is_taken(gpuconfig: Callable[..., Any], model: str, kind: str) -> None:
    request = {"model": model, "hardware": {"gpu": "H100"}, "workload": {"kind": kind}}
    requests = _each(request, {f"workload.{name}": words for name, words in PICTURE_VALUES.items()})
    assert _refused(gpuconfig, requests) == {}


def test_an_answer_to_the_whole_request_has_every_part(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("estimate", "-", "--json", request=TRAINING)
    answer = run.json
    assert (run.code, answer["id"], answer["verdict"]) == (0, "x1", "fits")
    assert {"catalogue", "coefficients", "application"} <= answer["versions"].keys()
    memory, training = answer["memory"], answer["training"]
    for name in ("peak_allocated_bytes", "peak_reserved_bytes", "device_used_bytes"):
        assert memory[name].keys() >= BAND
        assert memory[name]["low"] <= memory[name]["value"] <= memory[name]["high"]
    parts = {"weights", "gradients", "optimizer", "activations", "logits", "transient", "context"}
    assert parts <= memory["breakdown_bytes"].keys()
    assert memory["worst_rank"].keys() == {"pipeline_stage"}
    assert all(s.keys() >= {"pipeline_stage", "peak_allocated_bytes"} for s in memory["by_stage"])
    assert all(f.keys() >= {"change", "saves_bytes", "cost"} for f in memory["cheapest_fixes"])
    assert isinstance(memory["worst_phase"], str)
    for name in (
        "tokens_per_s", "tokens_per_s_per_gpu", "samples_per_s", "step_time_s", "model_tflops_per_gpu", "mfu",
        "scaling_efficiency", "time_to_train_s", "energy_wh_per_mtoken",
    ):  # fmt: skip
        assert training[name].keys() >= BAND, name
    assert training["bound_by"] in {"compute", "memory", "communication", "pipeline", "input", "host"}
    assert answer["power"].keys() >= {"gpu_w", "wall_w"}
    assert all(m.keys() >= {"distance", "measured", "unit", "source"} for m in answer["nearest_measurements"])
    assert all(a.keys() >= {"field", "value", "why"} for a in answer["assumptions"])
    assert all(w.keys() >= {"code", "message"} for w in answer["warnings"])


def test_a_recommendation_has_every_part(gpuconfig: Callable[..., Any]) -> None:
    request = {
        "id": "r1",
        "model": "qwen2.5-7b",
        "workload": {"kind": "serving", "prompt_tokens": 1024, "output_tokens": 256},
        "target": {"deadline_s": None, "tokens_per_s": 20, "users": 2, "ttft_ms": 5000, "tpot_ms": 80},
        "budget": {"amount": "60000", "currency": "CNY", "tax_included": True, "kind": "purchase"},
        "constraints": {
            "accelerators": ["RTX 4090 D"], "gpu_count": None, "vendors": ["nvidia"], "condition": "new",
            "form": "workstation", "max_gpus": 4, "mains": {"volts": 220, "amps": 10}, "ambient_c": 28,
            "noise": "office", "region": "CN", "software": "cuda", "available_within_days": None, "reuse": {},
        },
        "weights": {"cost": 1, "time": 1, "energy": 0, "risk": 1},
        "options": 2,
    }  # fmt: skip
    answer = gpuconfig("recommend", "-", "--json", request=request).json
    assert answer.keys() >= {
        "id", "options", "rejected", "smallest_budget_that_works", "searched", "assumptions", "warnings", "notes",
        "versions",
    }  # fmt: skip
    assert answer["searched"].keys() >= {"strategies", "seconds"}
    assert answer["options"]
    for option in answer["options"]:
        assert option.keys() >= {
            "rank", "kind", "why", "loses_because", "flips_if", "accelerator", "count", "nodes", "parallelism",
            "estimate", "findings", "price", "tco",
        }  # fmt: skip
        assert option["price"].keys() >= {"amount", "currency", "low", "high", "assumed_share", "oldest_date"}
        assert option["kind"] in {"buy", "rent", "keep"}
    assert answer["smallest_budget_that_works"].keys() >= {"amount", "currency", "build"}


def test_the_price_an_hour_adds_up_to_the_month(gpuconfig: Callable[..., Any]) -> None:
    """What is paid beside the cards is named where the month is more than hours times the rate."""
    request = {
        "model": "qwen2.5-7b",
        "workload": {"kind": "serving"},
        "target": {"users": 1},
        "budget": {"amount": "40000", "currency": "CNY"},
        "constraints": {"accelerators": ["RTX 4090 D"], "gpu_count": 1},
    }
    answer = gpuconfig("recommend", "-", "--json", "--lang", "en", request=request).json
    (rented,) = (o for o in answer["options"] if o["kind"] == "rent")
    assert any("a month at" in why and "for storage" in why for why in rented["why"])


def test_a_reason_shared_by_many_cards_is_told_once(gpuconfig: Callable[..., Any]) -> None:
    request = {
        "model": "qwen2.5-7b",
        "workload": {"kind": "serving"},
        "target": {"users": 1},
        "budget": {"amount": "20000", "currency": "CNY"},
    }
    text = gpuconfig("recommend", "-", "--lang", "en", request=request).out
    assert text.count("used_ok takes them") == 1


@pytest.mark.parametrize(("card", "count"), [("B200", 7), ("M2 Ultra", 2)])
def test_a_count_that_no_machine_holds_is_told(gpuconfig: Callable[..., Any], card: str, count: int) -> None:
    request = {
        "model": "llama-3-8b",
        "workload": {"kind": "serving"},
        "budget": {"amount": "6000000", "currency": "CNY"},
        "constraints": {"accelerators": [card], "gpu_count": count},
    }
    run = gpuconfig("recommend", "-", "--json", request=request)
    (row,) = run.json["rejected"]
    assert (run.code, row["code"], row["required"]) == (1, "gpu_count", count)
