"""Power limits: what a card accepts, and what a limit costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.estimation.power.limits import check_power_limit
from gpuconfig.engine.provenance.errors import InputError

RTX_4090 = "nvidia-rtx-4090-24"


@pytest.mark.parametrize("watts", [1, 50, 5000])
def test_limit_that_no_card_takes_is_refused_with_the_range(
    ask: Any, coefficients: Any, watts: float
) -> None:
    request = ask(RTX_4090, hardware={"power_limit_w": watts})
    with pytest.raises(InputError) as error:
        check_power_limit(request.accelerator, request.hardware, coefficients)
    assert error.value.field == "hardware.power_limit_w"
    assert "from 90 to 608" in error.value.message.english()


@pytest.mark.parametrize("watts", [150, 300, 450, 600])
def test_limits_of_the_maker_are_accepted(ask: Any, coefficients: Any, watts: float) -> None:
    request = ask(RTX_4090, hardware={"power_limit_w": watts})
    check_power_limit(request.accelerator, request.hardware, coefficients)


def test_card_of_unknown_power_is_not_checked(ask: Any, coefficients: Any) -> None:
    request = ask(RTX_4090, hardware={"power_limit_w": 1})
    check_power_limit(replace(request.accelerator, tdp_w=None), request.hardware, coefficients)


def test_only_the_bad_one_of_many_is_refused(ask: Any, coefficients: Any) -> None:
    estimator = Estimator(coefficients, (), {})
    requests = [ask(RTX_4090, hardware={"power_limit_w": watts}) for watts in (300, 1, 450)]
    found = estimator.estimate(requests)
    assert [isinstance(a, InputError) for a in found] == [False, True, False]


def test_less_power_never_speeds_up(estimate: Any) -> None:
    speeds = [
        estimate(RTX_4090, method="lora", hardware={"power_limit_w": w}).training.tokens_per_s.value
        for w in (150, 200, 250, 300, 350, 400, 450, 600)
    ]
    assert speeds == sorted(speeds)
    assert speeds[-1] == speeds[-2]
