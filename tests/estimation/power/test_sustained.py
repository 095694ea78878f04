"""Heat: what a card holds at the air it gets, and how that reaches speed and power."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.diffusion.estimate import explain_diffusion
from gpuconfig.engine.estimation.power import sustained
from gpuconfig.engine.estimation.power.capped import speed_left
from gpuconfig.engine.estimation.training.estimate import explain_training
from gpuconfig.engine.estimation.vision.estimate import estimate_vision

CARD = "nvidia-rtx-4090-24"
SMALL = {"method": "qlora", "micro_batch_size": 1}


def test_heat_flows_in_proportion_to_the_difference() -> None:
    assert sustained.cooled_w.function(450.0, 35.0, 35.0, 87.0) == 450.0
    assert sustained.cooled_w.function(450.0, 20.0, 35.0, 87.0) == 450.0
    assert sustained.cooled_w.function(450.0, 61.0, 35.0, 87.0) == pytest.approx(225.0)
    assert sustained.cooled_w.function(450.0, float("nan"), 35.0, 87.0) == 450.0
    assert sustained.sustained_w.function(300.0, 450.0, 225.0) == 225.0
    assert sustained.sustained_w.function(float("nan"), 450.0, 400.0) == 400.0


def test_of_two_boards_with_one_chip_the_one_with_more_power_holds_the_higher_clock(
    ask: Any, coefficients: Any
) -> None:
    assert sustained.held_clock(80e12, 400.0, 0.2e12, 0.5) == 1.0
    assert sustained.held_clock(80e12, 100.0, 0.2e12, 0.5) == pytest.approx(0.5)
    assert sustained.held_clock(80e12, float("nan"), 0.2e12, 0.5) == 1.0

    def clock(card: str) -> float:
        tree = explain_training(ask(card, method="qlora"), coefficients, "clock")
        assert isinstance(tree.value, float)
        return tree.value

    assert clock("nvidia-rtx-6000-ada-48") < 1 < clock(CARD)
    assert clock("nvidia-a10-24") < clock("nvidia-rtx-a6000-48") < clock("nvidia-rtx-3090-24")
    assert clock("nvidia-h100-sxm5-80") == clock("nvidia-h100-pcie-80") == 1


def test_warm_air_slows_a_run_and_the_tree_says_why(estimate: Any, ask: Any, coefficients: Any) -> None:
    cool, warm = (estimate(CARD, hardware={"inlet_c": c}, **SMALL) for c in (25, 60))
    unsaid = estimate(CARD, **SMALL)
    assert cool.training.tokens_per_s == unsaid.training.tokens_per_s
    assert warm.training.tokens_per_s.value < cool.training.tokens_per_s.value
    assert warm.power.gpu_w.value < cool.power.gpu_w.value
    tree = explain_training(ask(CARD, hardware={"inlet_c": 60}, **SMALL), coefficients, "sustained_w")
    cooled = next(node for node in tree.inputs if node.name == "cooled_w")
    assert {node.name for node in cooled.inputs} == {"tdp_w", "inlet_c", "rated_inlet_c", "throttle_c"}


def test_a_cap_under_what_the_air_allows_leaves_the_air_without_effect(estimate: Any) -> None:
    speeds = {
        estimate(CARD, hardware={"inlet_c": c, "power_limit_w": 270}, **SMALL).training.tokens_per_s.value
        for c in (25, 45)
    }
    assert len(speeds) == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(air=st.tuples(st.floats(-20, 90), st.floats(-20, 90)).map(sorted))
def test_warmer_air_never_speeds_up(estimate: Any, air: list[float]) -> None:
    cooler, warmer = (
        estimate(CARD, hardware={"inlet_c": c}, **SMALL).training.tokens_per_s.value for c in air
    )
    assert warmer <= cooler


def test_vision_training_feels_the_heat_too(read: Any, coefficients: Any) -> None:
    answers: Any = estimate_vision(
        [
            read(
                {
                    "id": "v", "model": "resnet-50",
                    "workload": {"kind": "vision_training", "batch_per_gpu": 256, "precision": "fp16"},
                    "hardware": {"gpu": CARD, "inlet_c": c},
                }
            )
            for c in (25, 60)
        ],
        coefficients,
    )  # fmt: skip
    cool, warm = (a.vision.samples_per_s.value for a in answers)
    assert warm < cool


def test_a_picture_feels_the_heat_by_the_clock_that_training_loses(
    read: Any, ask: Any, coefficients: Any
) -> None:
    for hardware in ({"inlet_c": 60}, {"power_limit_w": 270}, {}):
        picture = read(
            {"id": "p", "model": "sdxl", "workload": {"kind": "image"}, "hardware": {"gpu": CARD, **hardware}}
        )
        clock: Any = explain_diffusion(picture, coefficients, "power_speed").value
        run = ask(CARD, hardware=hardware, **SMALL)
        assert clock == explain_training(run, coefficients, "power_speed").value
        assert (clock < 1) == bool(hardware)


def test_a_cap_that_is_advised_costs_what_estimates_say(ask: Any, coefficients: Any, catalogue: Any) -> None:
    """Four RTX 3090 at 280 of 350 W kept over 95 % of their ResNet-50 training."""
    card = catalogue.accelerator("nvidia-rtx-3090-24")
    for watts in (150, 280, 350):
        run = ask(card.id, hardware={"power_limit_w": watts}, **SMALL)
        assert (
            speed_left(card, watts, coefficients) == explain_training(run, coefficients, "power_speed").value
        )
    assert 0.95 < speed_left(card, 280, coefficients) < 1
    assert speed_left(card, 400, coefficients) == 1
