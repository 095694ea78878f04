"""Three-year cost adds up and follows what it rests on."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.case import cost_graph
from gpuconfig.engine.pricing.case_inputs import default_use
from gpuconfig.engine.pricing.resale import resale_class
from gpuconfig.engine.pricing.tariffs import choose_tariff
from gpuconfig.engine.selection.recommendation import OptionKind
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer_of, estimator


@pytest.mark.parametrize(
    ("utilisation", "idle", "expected"), [(1.0, 0.25, 8760.0), (0.5, 0.25, 8760 * 0.625), (1.0, 0.0, 8760.0)]
)
def test_energy_of_a_kilowatt(utilisation: float, idle: float, expected: float) -> None:
    """1 kW day and night for a year is 8,760 kWh; half the hours at a quarter's rest draw 62.5 %."""
    values = cost_graph().evaluate(
        {
            "wall_w": np.array([1000.0]),
            "utilisation": np.array([utilisation]),
            "idle_share": np.array([idle]),
        },
        ("energy_kwh_per_year",),
    )
    assert values["energy_kwh_per_year"][0] == pytest.approx(expected)


def test_office_has_no_cooling_overhead() -> None:
    """PUE 1 in an office, more in a machine room."""
    coefficients = estimator().coefficients
    assert default_use(coefficients, machine_room=False).pue == 1
    assert default_use(coefficients, machine_room=True).pue > 1.2


@pytest.mark.parametrize("region", [Region.CN, Region.US, Region.EU])
@pytest.mark.parametrize("server", [True, False])
def test_every_region_has_a_tariff(region: Region, server: bool) -> None:
    """Electricity is never free for want of a tariff."""
    tariff = choose_tariff(bundled_catalogue().tariffs(), region, server)
    assert tariff is not None
    assert tariff.region is region
    assert tariff.per_kwh() > 0


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("nvidia-rtx-4090-24", "consumer"), ("nvidia-h200-sxm-141", "datacentre"), ("nvidia-l40s-48", "datacentre"),
        ("nvidia-rtx-6000-ada-48", "workstation"), ("nvidia-rtx-pro-6000-ws", "workstation"),
        ("amd-rx-7900xtx-24", "consumer"), ("nvidia-rtx-a6000-48", "workstation"),
    ],
)  # fmt: skip
def test_resale_class(card: str, expected: str) -> None:
    """Consumer cards hold their value best."""
    assert resale_class(bundled_catalogue().accelerator(card)) == expected


@pytest.mark.parametrize("row", ["lora_8b", "full_7b"])
def test_lines_add_up_in_every_column(row: str) -> None:
    """The lines with their signs are the total: at the cheap end, as planned and at the dear end."""
    for option in answer_of(row).considered:
        if option.kind is not OptionKind.BUY or option.tco is None:
            continue
        tco = option.tco
        cents = Decimal("0.01") * len(tco.lines)
        for found, total in (
            ([line.low for line in tco.lines], tco.total.low),
            ([line.middle for line in tco.lines], tco.planned()),
            ([line.high for line in tco.lines], tco.total.high),
        ):
            assert abs(sum((m.amount for m in found), Decimal(0)) - total.amount) <= cents
        assert tco.total.low <= tco.planned() <= tco.total.high
        assert tco.electricity.low.amount > 0


def test_assumed_share_is_that_of_the_lines() -> None:
    """The share names what rests on prices that nobody was seen to ask."""
    for option in answer_of("full_7b").options:
        if option.build is None:
            continue
        lines = [
            (line, n) for line, n in option.build.all_lines() if not line.reused and line.price is not None
        ]
        total = sum((line.price.middle().amount * n for line, n in lines if line.price), Decimal(0))
        assumed = sum(
            (line.price.middle().amount * n for line, n in lines if line.price and line.assumed), Decimal(0)
        )
        assert option.price.assumed_share == pytest.approx(float(assumed / total), abs=1e-6)
