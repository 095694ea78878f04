"""What a person reads at the terminal: no warning of a recommendation stays in the JSON alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REQUEST = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "lora", "sequence_length": 4096, "dataset_tokens": 50_000_000},
    "budget": {"amount": "100000", "currency": "CNY"},
    "constraints": {"accelerators": ["RTX 4090"], "gpu_count": 2},
}


def test_findings_and_warnings_are_printed(gpuconfig: Callable[..., Any]) -> None:
    answer = gpuconfig("recommend", "-", "--json", "--lang", "en", request=REQUEST).json
    text = gpuconfig("recommend", "-", "--lang", "en", request=REQUEST).out
    told = [w["message"] for w in answer["warnings"]]
    for option in filter(None, (*answer["options"], answer["rental"])):
        told += [w["message"] for w in option["estimate"]["warnings"]]
        told += [f["message"] for f in option["findings"] if f["status"] != "ok"]
    assert told
    assert [message for message in told if message not in text] == []


def test_rent_is_told_from_purchase(gpuconfig: Callable[..., Any]) -> None:
    answer = gpuconfig("recommend", "-", "--json", "--lang", "en", request=REQUEST).json
    text = gpuconfig("recommend", "-", "--lang", "en", request=REQUEST).out
    kinds = [option["kind"] for option in (*answer["options"], answer["rental"]) if option]
    assert text.count("(bought)") == kinds.count("buy")
    assert text.count("(rented, for all years)") == kinds.count("rent")


def test_several_machines_are_told_with_the_cards_of_each(gpuconfig: Callable[..., Any]) -> None:
    request = {
        "model": "llama-3.1-8b",
        "workload": {"kind": "training", "method": "full", "sequence_length": 4096},
        "constraints": {"accelerators": ["H100 SXM5 80GB"], "gpu_count": 16, "region": "US"},
    }
    for command in ("recommend", "tco"):
        assert "1. 2 x 8x H100 SXM5 80GB" in gpuconfig(command, "-", "--lang", "en", request=request).out


def test_the_help_lists_every_field_with_its_default(gpuconfig: Callable[..., Any]) -> None:
    text = gpuconfig("estimate", "--help").out
    for field in (
        "workload.sequence_length",
        "hardware.pcie.lanes",
        "parallelism.zero_stage",
        "workload.kv_dtype",
    ):
        assert field in text
    assert "workload.video" not in text
