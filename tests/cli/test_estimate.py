"""`gpuconfig estimate` and `explain` as contract.md states them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

LORA = {
    "id": "x1",
    "model": "llama-3.1-8b",
    "workload": {"kind": "training", "method": "lora", "sequence_length": 2048, "micro_batch_size": 1},
    "hardware": {"gpu": "nvidia-rtx-4090-24"},
    "parallelism": {"data": 1},
}
FULL = {
    "model": "qwen2.5-7b",
    "workload": {
        "kind": "training", "method": "full", "sequence_length": 4096, "micro_batch_size": 1, "precision": "bf16",
        "master_weights": True, "optimizer": "adamw",
    },
    "hardware": {"gpu": "nvidia-h100-sxm5-80"},
    "parallelism": {"data": 1},
}  # fmt: skip


def changed(request: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    body = copy.deepcopy(request)
    *parents, last = path.split(".")
    at = body
    for name in parents:
        at = at.setdefault(name, {})
    at[last] = value
    return body


def test_an_answer_has_the_contract_s_parts(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("estimate", "-", "--json", request=LORA)
    answer = run.json
    assert run.code == 0
    assert answer["id"] == "x1"
    assert set(answer["versions"]) == {"catalogue", "coefficients", "application"}
    memory = answer["memory"]
    for counter in ("peak_allocated_bytes", "peak_reserved_bytes", "device_used_bytes"):
        assert memory[counter]["low"] <= memory[counter]["value"] <= memory[counter]["high"]
    parts = memory["breakdown_bytes"]
    assert set(parts) >= {
        "weights",
        "gradients",
        "optimizer",
        "activations",
        "logits",
        "transient",
        "context",
    }
    assert memory["worst_rank"] == {"pipeline_stage": 0}
    speed = answer["training"]
    assert speed["tokens_per_s"]["value"] > 0
    assert 0 < speed["mfu"]["value"] < 1
    assert speed["bound_by"] in ("compute", "memory", "communication", "pipeline", "input", "host")
    assert answer["power"]["gpu_w"]["value"] <= 450


def test_one_80_gb_card_never_holds_a_full_7b_with_master_weights(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("estimate", "-", "--json", request=FULL)
    assert run.code == 1
    assert run.json["verdict"] == "does_not_fit"
    states = {k: run.json["memory"]["breakdown_bytes"][k] for k in ("weights", "gradients", "optimizer")}
    assert sum(states.values()) == pytest.approx(16 * 7_615_616_512, rel=0.01)


@pytest.mark.parametrize(
    ("path", "value", "code", "field"),
    [
        ("model", "llama-3.1-8c", "unknown_value", "model"),
        ("hardware.gpu", "rtx 4091", "unknown_value", "hardware.gpu"),
        ("hardware.gpus_per_node", 0, "out_of_range", "hardware.gpus_per_node"),
        ("workload.sequence_length", -5, "out_of_range", "workload.sequence_length"),
        ("workload.speed", 5, "unknown_field", "workload.speed"),
        ("parallelism.tensor", 3, "impossible", "parallelism.tensor"),
        ("modle", "x", "unknown_field", "modle"),
    ],
)
def test_bad_input_names_the_field_and_exits_3(
    gpuconfig: Callable[..., Any], path: str, value: Any, code: str, field: str
) -> None:
    run = gpuconfig("estimate", "-", "--json", request=changed(LORA, path, value))
    assert run.code == 3
    assert (run.json["error"]["code"], run.json["error"]["field"]) == (code, field)
    assert field in run.err


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"model": NaN}', "﻿{}", '"x"', "[" * 100_000])
def test_what_is_no_request_is_refused_without_a_traceback(gpuconfig: Callable[..., Any], text: str) -> None:
    run = gpuconfig("estimate", "-", request=text)
    assert run.code == 3
    assert "Traceback" not in run.err


def test_jsonl_keeps_the_order_and_goes_on_after_a_bad_line(gpuconfig: Callable[..., Any]) -> None:
    lines = [
        changed(LORA, "id", "a"),
        "{not json",
        changed(LORA, "workload.kind", "?"),
        changed(LORA, "id", "b"),
    ]
    run = gpuconfig("estimate", "--jsonl", "-", lines=lines)
    assert run.code == 0
    assert [line["id"] for line in run.lines] == ["a", None, "x1", "b"]
    assert run.lines[1]["error"]["code"] == "not_json"
    assert run.lines[2]["error"]["field"] == "workload.kind"
    assert run.lines[0]["memory"] == run.lines[3]["memory"]


def test_one_line_and_many_lines_agree(gpuconfig: Callable[..., Any]) -> None:
    lengths = [512, 1024, 2048, 4096]
    many = gpuconfig(
        "estimate", "--jsonl", "-", lines=[changed(LORA, "workload.sequence_length", n) for n in lengths]
    ).lines
    for length, row in zip(lengths, many, strict=True):
        one = gpuconfig(
            "estimate", "-", "--json", request=changed(LORA, "workload.sequence_length", length)
        ).json
        assert one["memory"]["peak_allocated_bytes"] == row["memory"]["peak_allocated_bytes"]
        assert one["training"]["step_time_s"] == row["training"]["step_time_s"]


def test_both_languages(gpuconfig: Callable[..., Any]) -> None:
    english = gpuconfig("estimate", "-", "--lang", "en", request=LORA).out
    chinese = gpuconfig("estimate", "-", "--lang", "zh", request=LORA).out
    assert "Verdict: " in english
    assert "结论：" in chinese
    assert "Verdict" not in chinese


def test_explain_walks_from_a_figure_to_the_sources(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("explain", "-", "--quantity", "step_time_s", "--json", request=LORA)
    assert run.code == 0
    tree = run.json

    def walk(node: dict[str, Any]) -> Any:
        yield node
        for child in node["inputs"]:
            yield from walk(child)

    nodes = list(walk(tree))
    assert tree["name"] == "step_time_s"
    assert tree["formula"]
    assert tree["low"] < tree["value"] < tree["high"]
    assert all(n["unit"] for n in nodes)
    assert any(n.get("evidence", {}).get("source") for n in nodes), "no input names its source"
    assert not [
        n["name"] for n in nodes if n["mark"] == "calculated" and not (n["formula"] or n.get("evidence"))
    ]


def test_explain_refuses_an_unknown_quantity(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("explain", "-", "--quantity", "happiness", "--json", request=LORA)
    assert run.code == 3
    assert run.json["error"]["field"] == "quantity"


@pytest.mark.parametrize("micro", [3, 5, 48])
@pytest.mark.parametrize("cards", [1, 3, 8])
def test_a_stated_micro_batch_always_finds_a_split(
    gpuconfig: Callable[..., Any], micro: int, cards: int
) -> None:
    body = changed(changed(LORA, "workload.micro_batch_size", micro), "hardware.gpus_per_node", cards)
    del body["parallelism"]
    run = gpuconfig("estimate", "-", "--json", request=body)
    assert run.code in (0, 1)
    assert run.json["parallelism"]
