"""Three-year cost adds up and follows what it rests on."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.ownership import Use, choose_tariff, default_use, resale_class
from gpuconfig.engine.selection.recommendation import OptionKind
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer_of, estimator


def test_energy_of_a_kilowatt() -> None:
    """1 kW day and night for a year is 8,760 kWh; half the hours at a quarter's rest draw 62.5 %."""
    assert Use(years=1, utilisation=1, idle_share=0.25, pue=1).energy_kwh(1000) == pytest.approx(8760)
    assert Use(years=1, utilisation=0.5, idle_share=0.25, pue=1).energy_kwh(1000) == pytest.approx(
        8760 * 0.625
    )
    assert Use(years=1, utilisation=1, idle_share=0, pue=1.5).energy_kwh(1000) == pytest.approx(13140)


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
def test_parts_add_up(row: str) -> None:
    """Total = purchase + electricity + maintenance - resale, at both ends."""
    for option in answer_of(row).considered:
        if option.kind is not OptionKind.BUY or option.tco is None:
            continue
        p = option.tco.parts
        low = p["purchase"].low + p["maintenance"].low + p["electricity"].low - p["resale"].high
        high = p["purchase"].high + p["maintenance"].high + p["electricity"].high - p["resale"].low
        assert option.tco.total.low.amount == pytest.approx(low.amount, abs=Decimal("0.02"))
        assert option.tco.total.high.amount == pytest.approx(high.amount, abs=Decimal("0.02"))
        assert option.tco.electricity.low.amount > 0


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
