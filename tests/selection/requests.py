"""Requests of the founding requirement, as the contract writes them, and how they are run."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.engine.selection.recommend import recommend
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.engine.selection.request import RecommendRequest, read_recommend_request
from gpuconfig.exchange.model_reference import read_model
from tests.bundled_catalogue import bundled_catalogue

TODAY = date(2026, 12, 2)

ROWS: dict[str, dict[str, Any]] = {
    "lora_8b": {
        "model": "llama-3.1-8b",
        "workload": {"kind": "training", "method": "lora"},
        "budget": {"amount": "20000", "currency": "CNY"},
    },
    "full_7b": {
        "model": "qwen2.5-7b",
        "workload": {
            "kind": "training", "method": "full", "optimizer": "adamw", "master_weights": True, "sequence_length": 4096,
        },
        "budget": {"amount": "500000", "currency": "CNY"},
    },
    "lora_7b_two_4090": {
        "model": "qwen2.5-7b",
        "workload": {"kind": "training", "method": "lora", "sequence_length": 4096},
        "budget": {"amount": "100000", "currency": "CNY"},
        "constraints": {"accelerators": ["nvidia-rtx-4090-24"], "gpu_count": 2},
    },
    "pretrain_30b": {
        "model": {"parameters_b": 30},
        "workload": {"kind": "training", "method": "pretrain"},
        "budget": {"amount": "1000000", "currency": "CNY"},
        "constraints": {"accelerators": ["nvidia-h100-sxm5-80", "nvidia-h200-sxm-141"], "gpu_count": 8},
    },
    "serve_70b": {
        "model": "llama-3.1-70b",
        "workload": {"kind": "serving"},
        "target": {"users": 20},
        "budget": {"amount": "150000", "currency": "USD"},
        "constraints": {"region": "US"},
    },
    "sdxl": {
        "model": "sdxl",
        "workload": {"kind": "image"},
        "budget": {"amount": "6000", "currency": "CNY"},
    },
}  # fmt: skip


@cache
def estimator() -> Estimator:
    """The estimator over the shipped catalogue."""
    return Estimator.of(bundled_catalogue(), "test")


def request(body: dict[str, Any]) -> RecommendRequest:
    """A request read as the command line reads it."""
    return read_recommend_request(body, lambda data: read_model(data, bundled_catalogue()))


def answer(body: dict[str, Any], progress: Progress | None = None) -> Recommendation:
    """The recommendation for a request."""
    return recommend(request(body), bundled_catalogue(), estimator(), TODAY, progress or Silent())


@cache
def answer_of(row: str) -> Recommendation:
    """The recommendation for one row, computed once."""
    return answer(ROWS[row])
