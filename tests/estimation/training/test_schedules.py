"""Pipeline schedules: what they leave of the bubble, what they hold in memory, and which mixes do not exist."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.provenance.errors import InputError

H100 = "nvidia-h100-sxm5-80"
SPLIT = {"pipeline": 4, "data": 2}


@pytest.fixture(scope="module")
def schedules(estimate: Any) -> dict[str, Any]:
    def one(name: str | None, chunks: int = 1) -> Any:
        split = {**SPLIT, "virtual_pipeline": chunks, **({} if name is None else {"schedule": name})}
        return estimate(H100, 8, split=split, gradient_accumulation=8, checkpointing="none")

    found = {name: one(name) for name in ("1f1b", "zb_h1", "zb_h2", "zb_v")}
    return {**found, "open": one(None), "interleaved": one("interleaved", 2), "open_chunks": one(None, 2)}


def bubble(answer: Any) -> float:
    return float(answer.training.time_breakdown_s.get("pipeline_bubble", 0.0))


def activations(answer: Any) -> float:
    return float(answer.memory.breakdown_bytes["activations"])


def test_open_schedule_is_1f1b_or_interleaved(schedules: dict[str, Any]) -> None:
    for given, left_open in (("1f1b", "open"), ("interleaved", "open_chunks")):
        assert bubble(schedules[given]) == bubble(schedules[left_open])
        assert activations(schedules[given]) == activations(schedules[left_open])


def test_zero_bubble_leaves_less_the_more_it_fills(schedules: dict[str, Any]) -> None:
    """Two weight passes fill a part, three half as much again; V has half the rest for its two chunks."""
    whole, h1, h2, v = (bubble(schedules[name]) for name in ("1f1b", "zb_h1", "zb_h2", "zb_v"))
    assert 0.33 * whole < h1 < 0.7 * whole
    assert (whole - h2) / (whole - h1) == pytest.approx(3 / 2, rel=0.01)
    assert v < 0.6 * h2


def test_memory_of_the_schedules(schedules: dict[str, Any]) -> None:
    """H1 holds what 1F1B holds, H2 nearly twice (2 p - 1 of p), V the same on every stage."""
    held = activations(schedules["1f1b"])
    assert activations(schedules["zb_h1"]) == held
    assert activations(schedules["zb_h2"]) == pytest.approx(7 / 4 * held, rel=0.02)
    assert activations(schedules["zb_v"]) == pytest.approx(held, rel=0.05)


def test_frozen_weights_leave_nothing_to_fill_the_bubble_with(estimate: Any) -> None:
    def one(name: str) -> Any:
        return estimate(H100, 8, split={**SPLIT, "schedule": name}, method="lora", framework="hf_trainer")

    assert bubble(one("zb_h1")) == pytest.approx(bubble(one("1f1b")))


@pytest.mark.parametrize(
    ("split", "accepted"),
    [
        ({"data": 8, "schedule": "zb_h1"}, "pipeline"),
        ({**SPLIT, "schedule": "interleaved"}, "virtual_pipeline"),
        ({**SPLIT, "schedule": "1f1b", "virtual_pipeline": 2}, "interleaved"),
        ({**SPLIT, "schedule": "zb_v", "virtual_pipeline": 4}, "interleaved"),
    ],
)
def test_impossible_schedules_are_refused(ask: Any, coefficients: Any, split: Any, accepted: str) -> None:
    (error,) = estimate_training([ask(H100, 8, split=split)], coefficients)
    assert isinstance(error, InputError)
    assert error.field == "parallelism.schedule"
    assert accepted in error.message.english()
