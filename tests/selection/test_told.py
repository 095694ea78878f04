"""What a recommendation says of itself holds for what stands beside it: waits, rivals, missing prices, rentals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.engine.selection.rental import rental_offers
from gpuconfig.i18n import Language, load, render
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer

LONG: dict[str, Any] = {
    "model": "qwen3-32b",
    "workload": {"kind": "serving", "prompt_tokens": 120_000, "output_tokens": 1000, "concurrency": 2},
    "target": {"users": 2},
    "budget": {"amount": "40000", "currency": "USD"},
    "constraints": {"region": "US"},
}


def why(option: Option) -> str:
    return " ".join(render(line, load(Language.EN)) for line in option.why)


def told(found: Recommendation) -> str:
    return " ".join(render(line, load(Language.EN)) for line in found.notes)


def test_a_prompt_of_a_book_is_not_asked_for_in_ten_seconds() -> None:
    found = answer(LONG)
    assert {a.field: a.value for a in found.assumptions}["target.ttft_ms"] == "120000"
    assert found.options


def test_a_leaner_machine_never_costs_less_than_nothing_less() -> None:
    found = answer({
        "model": "kimi-k2",
        "workload": {"kind": "serving", "prompt_tokens": 4000, "output_tokens": 800, "concurrency": 64},
        "target": {"users": 64, "tpot_ms": 60},
        "budget": {"amount": "900000", "currency": "USD"},
        "constraints": {"region": "US", "form": "server"},
    })  # fmt: skip
    assert all("costs −" not in why(option) for option in found.options)


def test_without_prices_it_is_not_said_that_no_machine_could_do_it() -> None:
    found = answer({
        "model": "gpt-oss-120b",
        "workload": {"kind": "serving", "prompt_tokens": 4000, "output_tokens": 500, "concurrency": 1},
        "budget": {"amount": "6000", "currency": "USD"},
        "constraints": {"region": "US", "accelerators": ["nvidia-rtx-a6000-48"], "condition": "new"},
    })  # fmt: skip
    assert not found.options
    assert "not judged" in told(found)
    assert "no machine of the catalogue" not in told(found)


def test_a_budget_by_the_month_says_why_cheaper_machines_stand_behind_a_rental() -> None:
    found = answer({
        "model": "llama-3.1-8b",
        "workload": {"kind": "training", "method": "lora", "sequence_length": 4096, "dataset_tokens": 50_000_000},
        "budget": {"amount": "800", "currency": "USD", "kind": "per_month"},
        "constraints": {"region": "US"},
    })  # fmt: skip
    assert found.options[0].kind is OptionKind.RENT
    assert all(option.loses_because for option in found.options[1:])


@pytest.mark.parametrize(("region", "offered"), [(Region.CN, True), (Region.US, False), (Region.EU, False)])
def test_nobody_outside_china_is_sent_to_a_chinese_list(region: Region, offered: bool) -> None:
    chinese = next(a for a in bundled_catalogue().accelerators() if a.id == "nvidia-rtx-4090d-24")
    option = replace(answer(LONG).options[0], accelerator=chinese)
    assert bool(rental_offers(option, bundled_catalogue(), region)) is offered


def test_a_run_over_stated_images_is_told_by_its_time_not_as_a_rate() -> None:
    body = {
        "model": "resnet-50", "workload": {"kind": "vision_training", "dataset_images": 1281167, "epochs": 90},
        "budget": {"amount": "80000", "currency": "CNY"},
    }  # fmt: skip
    told = [[m.english() for m in (*o.why, *o.flips_if)] for o in answer(body).options]
    assert any(text.startswith("time to train") for text in told[0])
    assert not any("sample/s" in text for texts in told for text in texts)
    unstated = answer({**body, "workload": {"kind": "vision_training"}}).options[0]
    (rate,) = (m for m in unstated.why if "in all" in m.english())
    assert rate.values["rate"].value == pytest.approx(unstated.estimate.vision.samples_per_s.value)  # type: ignore[attr-defined, union-attr]
