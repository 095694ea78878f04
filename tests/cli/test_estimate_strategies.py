"""What `estimate` says of the strategies of an open split and of the money of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OPEN = {
    "model": "llama-3-8b",
    "workload": {
        "kind": "training", "method": "full", "sequence_length": 4096, "dataset_tokens": 1_000_000_000,
        "framework": "megatron",
    },
    "hardware": {"gpu": "nvidia-h100-sxm5-80", "gpus_per_node": 8},
}  # fmt: skip


def test_the_best_by_speed_cost_and_energy_and_why_the_next_lost(gpuconfig: Callable[..., Any]) -> None:
    training = gpuconfig("estimate", "-", "--json", request=OPEN).json["training"]
    told = training["strategies"]
    assert told["by_speed"]["tokens_per_s"] == pytest.approx(training["tokens_per_s"]["value"], rel=1e-5)
    assert told["by_energy"]["energy_wh_per_mtoken"] <= told["by_speed"]["energy_wh_per_mtoken"]
    assert told["by_cost"]["cost_per_mtoken"] == pytest.approx(
        training["rent_to_train"]["per_mtoken"]["value"], rel=1e-5
    )
    assert told["runner_up"]["tokens_per_s"] <= told["by_speed"]["tokens_per_s"]
    assert "% slower than" in told["runner_up_lost_because"]
    assert 0 < told["fitting"] <= told["evaluated"]
    front = [(one["tokens_per_s"], one["energy_wh_per_mtoken"]) for one in told["pareto"]]
    assert front == sorted(front, key=lambda one: (-one[0], -one[1]))
    assert front[0][0] == told["by_speed"]["tokens_per_s"]
    assert front[-1][1] == told["by_energy"]["energy_wh_per_mtoken"]


def test_rent_of_the_run_is_price_times_cards_times_time(gpuconfig: Callable[..., Any]) -> None:
    stated = {**OPEN, "parallelism": {"data": 8, "zero_stage": 1}}
    twice = {**stated, "workload": {**OPEN["workload"], "dataset_tokens": 2_000_000_000}}
    once, more = (
        gpuconfig("estimate", "-", "--json", request=one).json["training"] for one in (stated, twice)
    )
    rent = once["rent_to_train"]
    assert rent["currency"] == "USD"
    assert 0 < rent["amount"]["low"] < rent["amount"]["value"] < rent["amount"]["high"]
    assert rent["amount"]["value"] == pytest.approx(rent["per_mtoken"]["value"] * 1000)
    assert more["rent_to_train"]["amount"]["value"] == pytest.approx(2 * rent["amount"]["value"])
    assert "strategies" not in once


def test_a_card_that_nobody_rents_out_has_no_rent(gpuconfig: Callable[..., Any]) -> None:
    request = {**OPEN, "hardware": {"gpu": "metax-c500-64", "gpus_per_node": 8}}
    training = gpuconfig("estimate", "-", "--json", request=request).json["training"]
    assert "rent_to_train" not in training
