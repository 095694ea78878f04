"""Published sums about cost that were wrong or right, with the right answer."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuconfig.engine.catalogue.market import CloudOffer
from gpuconfig.engine.catalogue.vocabulary import RentalKind
from gpuconfig.engine.pricing.break_even import break_even_utilisation, hour_of_life, power_cost, rent_total
from gpuconfig.engine.pricing.tax import from_gross, from_net
from gpuconfig.engine.quantities.money import Currency, Money

DATA = Path(__file__).parent.parent / "data" / "build_cost_reports.jsonl"
REPORTS: dict[str, dict[str, Any]] = {r["id"]: r for r in map(json.loads, DATA.read_text().splitlines())}


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and expected answer of one report."""
    return REPORTS[name]["inputs"], REPORTS[name]["expected"]


def test_co03_break_even_of_64_accelerators() -> None:
    """Own total, cloud total and the utilisation from which owning pays."""
    given, right = case("CO03")
    own = Decimal(given["capex_usd"]) + Decimal(given["opex_total_usd"])
    rate = Decimal(str(given["cloud_usd_h"]))
    cloud = rent_total(rate, given["accelerators"], given["years"], given["utilization"])
    share = break_even_utilisation(own, rate, given["accelerators"], given["years"])
    assert float(own) == pytest.approx(right["values"]["own_total"], rel=0.01)
    assert float(cloud) == pytest.approx(right["values"]["cloud_total"], rel=0.01)
    assert float(share) == pytest.approx(right["values"]["break_even_utilization"], rel=0.01)


def test_co06_price_of_a_gpu_hour_differs_by_size() -> None:
    """Each size of an instance has its own price for one accelerator."""
    given, right = case("CO06")
    offers = [
        CloudOffer(
            provider=given["provider"], instance=str(n), accelerator_text=given["gpu"], accelerator_id=None, count=n,
            per_hour=Decimal(str(price)), currency=Currency.USD, kind=RentalKind.ON_DEMAND,
        )
        for n, price in zip(given["sizes"], given["usd_per_hour"], strict=True)
    ]  # fmt: skip
    assert [float(o.per_gpu_hour()) for o in offers] == pytest.approx(right["values"], rel=0.005)


def test_co09_hour_of_hardware() -> None:
    """30,000 over three and five years at 70 %."""
    given, right = case("CO09")
    price = Decimal(given["price_usd"])
    found = [float(hour_of_life(price, years, given["utilization"])) for years in given["life_years"]]
    assert found == pytest.approx(right["values"], rel=0.01)


def test_co11_price_with_tax_keeps_its_gross() -> None:
    """2 x 1.96 and 2 x 0.04 with tax are 4.00, never 3.98."""
    given, right = case("CO11")
    lines = [
        from_gross(
            Money(Decimal(str(line["unit_price_incl"])), Currency.CNY), line["qty"], Decimal(str(line["vat"]))
        )
        for line in given["lines"]
    ]
    assert sum(line.gross.amount for line in lines) == Decimal(str(right["value"]))
    assert all(line.net + line.tax == line.gross for line in lines)


def test_tax_on_top_adds_up() -> None:
    """1,000.00 without tax is 1,130.00 with 13 %."""
    line = from_net(Money(Decimal("1000"), Currency.CNY), 1, Decimal("0.13"))
    assert line.gross.amount == Decimal("1130.00")
    back = from_gross(line.gross, 1, Decimal("0.13"))
    assert back.net.amount == Decimal("1000.00")


def test_co17_electricity_of_a_month() -> None:
    """Eight 700 W cards at 70 % with PUE 1.4."""
    given, right = case("CO17")
    e = given["example"]
    cost = power_cost(
        e["gpu_count"], e["tdp_w"], e["utilization"], e["hours"], Decimal(str(e["usd_per_kwh"])), e["pue"]
    )
    assert float(cost) == pytest.approx(right["value"], rel=0.02)


def test_nothing_to_divide_by_is_an_error() -> None:
    """No hours, no rent: an error, never an infinite price."""
    with pytest.raises(ValueError, match="useful"):
        hour_of_life(Decimal(1), 3, 0)
    with pytest.raises(ValueError, match="rent"):
        break_even_utilisation(Decimal(1), Decimal(0), 8, 3)


def test_co08_two_3090s_hold_what_one_4090_does_not(tmp_path: Path) -> None:
    """Where the model's size decides, two older cards win, and only by sharding over both."""
    from gpuconfig import app
    from gpuconfig.engine.estimation.answer import Estimate, Verdict

    given, right = case("CO08")
    services = app.services(tmp_path / "overlay.sqlite")

    def verdict(card: str, count: int, zero_stage: int) -> Verdict:
        work = {
            "model": "llama-13b",
            "workload": {"kind": "training", "method": "lora", "sequence_length": 1024, "micro_batch_size": 1,
                         "checkpointing": "full", "weight_storage": "fp16", "framework": "axolotl"},
            "hardware": {"gpu": card, "gpus_per_node": count, "nodes": 1},
            "parallelism": {"data": count, "zero_stage": zero_stage},
        }  # fmt: skip
        (answer,) = services.estimate([services.read_estimate(work)])
        assert isinstance(answer, Estimate)
        return answer.verdict

    two, one = given["options"]
    assert right["answer"].startswith(f"{two['n']}x {two['gpu']}")
    assert "sharding" in right["must_state"]
    assert verdict(one["gpu"], one["n"], 0) is Verdict.DOES_NOT_FIT
    assert verdict(two["gpu"], two["n"], 0) is Verdict.DOES_NOT_FIT
    assert verdict(two["gpu"], two["n"], 3) is Verdict.FITS
