"""Supplies at the load they are at: 80 PLUS curves at both voltages, and what machines draw through them."""

from __future__ import annotations

import pytest

from gpuconfig.engine.compatibility.efficiency import class_of, efficiency_at
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator

CERTIFIED = {
    (115.0, "gold"): (0.87, 0.90, 0.87), (115.0, "platinum"): (0.90, 0.92, 0.89),
    (115.0, "titanium"): (0.92, 0.94, 0.90), (230.0, "gold"): (0.88, 0.92, 0.88),
    (230.0, "platinum"): (0.90, 0.94, 0.91), (230.0, "titanium"): (0.94, 0.96, 0.91),
}  # fmt: skip
"""At 20, 50 and 100 % of the rating, as the programme publishes them."""


@pytest.mark.parametrize(("volts", "name"), CERTIFIED)
def test_the_curve_goes_through_what_is_certified(volts: float, name: str) -> None:
    numbers = estimator().coefficients
    found = [efficiency_at(numbers, volts, share, name) for share in (0.2, 0.5, 1.0)]
    assert found == pytest.approx(CERTIFIED[volts, name])
    assert found[1] > efficiency_at(numbers, volts, 0.75, name) > found[2]
    assert efficiency_at(numbers, volts, 0.05, name) == pytest.approx(found[0])


@pytest.mark.parametrize(("text", "name"), [
    ("80+ Titanium", ("titanium",)), ("80 PLUS Platinum", ("platinum",)), ("80+", ("standard",)), ("", ()),
    ("Cybenetics", ()),
])  # fmt: skip
def test_classes_as_they_are_written(text: str, name: tuple[str, ...]) -> None:
    assert class_of(text) == name


def wall(supply: dict[str, object], volts: float) -> tuple[float, float]:
    """Watts of the parts and at the wall."""
    parts = {
        "gpu": [
            {
                "name": "own",
                "tdp_w": 500,
                "slots": 2,
                "memory_gb": 24,
                "form_factor": "pcie",
                "cooling": "blower",
            }
        ],
        "power_supply": [{"name": "own", "pcie_16": 1, "pcie_6plus2": 4, "eps_8": 2, **supply}],
    }
    power = check_parts({"parts": parts, "mains": {"volts": volts, "amps": 20}}, bundled_catalogue()).power
    return float(power["known_load_w"]), float(power["wall_w"])  # type: ignore[arg-type]


def test_a_full_supply_draws_more_than_one_at_half_load() -> None:
    """The same parts on supplies of one class: at half of the rating the least is drawn."""
    drawn = {}
    for rated in (600, 1200, 3000):
        load, at_wall = wall({"rated_w": rated, "efficiency": "80+ Titanium"}, 230)
        drawn[rated] = at_wall / load
        share = min(1.0, load / rated)
        assert at_wall / load == pytest.approx(
            1 / efficiency_at(estimator().coefficients, 230, share, "titanium")
        )
    assert drawn[1200] < min(drawn[600], drawn[3000])


def test_a_weaker_class_and_a_lower_voltage_draw_more() -> None:
    walls = [
        wall({"rated_w": 1000, "efficiency": text}, 230)[1]
        for text in ("80+ Titanium", "80+ Platinum", "80+ Gold", "80+ Bronze", "80+")
    ]
    assert walls == sorted(walls)
    assert len(set(walls)) == len(walls)
    gold = {"rated_w": 1000, "efficiency": "80+ Gold"}
    assert wall(gold, 120)[1] > wall(gold, 230)[1]
