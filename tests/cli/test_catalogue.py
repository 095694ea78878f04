"""`gpuconfig catalogue` and the exit codes of wrong usage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_list_names_every_item(gpuconfig: Callable[..., Any]) -> None:
    items = gpuconfig("catalogue", "list", "--kind", "accelerator", "--json").json["items"]
    assert len(items) >= 106
    assert all(i["id"] and i["name"] for i in items)
    assert len({i["id"] for i in items}) == len(items)


def test_show_gives_sources_and_offers(gpuconfig: Callable[..., Any]) -> None:
    card = gpuconfig("catalogue", "show", "RTX 4090", "--json").json
    assert card["id"] == "nvidia-rtx-4090-24"
    assert card["bf16_fp32acc_flops"] == pytest.approx(165.2e12)
    assert card["sources"]
    assert card["offers"]
    assert all(o["source"] and o["kind"] for o in card["offers"])


def test_unknown_stays_null(gpuconfig: Callable[..., Any]) -> None:
    items = gpuconfig("catalogue", "list", "--kind", "accelerator", "--json").json["items"]
    assert not [i["id"] for i in items if i["bandwidth_bytes_per_s"] == 0 or i["tdp_w"] == 0]


@pytest.mark.parametrize(
    "kind", ["cpu", "motherboard", "power_supply", "chassis", "server", "memory", "model"]
)
def test_every_kind_can_be_listed(gpuconfig: Callable[..., Any], kind: str) -> None:
    assert gpuconfig("catalogue", "list", "--kind", kind, "--json").json["items"]


def test_an_unknown_card_names_the_near_ones(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("catalogue", "show", "nvidia-rtx-409-24", "--json")
    assert run.code == 3
    assert "nvidia-rtx-4090-24" in run.json["error"]["message"]


@pytest.mark.parametrize("words", [("cook",), ("catalogue",), ("estimate", "--fast"), ("validate", "luck")])
def test_wrong_usage_exits_2(gpuconfig: Callable[..., Any], words: tuple[str, ...]) -> None:
    assert gpuconfig(*words).code == 2


def test_a_missing_file_is_named(gpuconfig: Callable[..., Any]) -> None:
    run = gpuconfig("estimate", "/nowhere/request.json")
    assert run.code == 3
    assert "/nowhere/request.json" in run.err


def test_doctor_tells_versions(gpuconfig: Callable[..., Any]) -> None:
    report = gpuconfig("doctor", "--json").json
    assert report["accelerators"] >= 106
    assert report["this_machine"]["cpu_cores"]
