"""Memory of the host as engines need it and builders buy it, at the speed of the processor; cases for hot cards."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from statistics import median

import pytest

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.builds.fits import breathes, memory_runs_mts
from gpuconfig.engine.catalogue.enclosure import Chassis
from gpuconfig.engine.catalogue.host import Cpu, MemoryKit
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.parts_list import check_parts, read_parts
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.engine.selection.demand import demand_of, ram_bytes
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator, request

BUILDS = Path(__file__).parent.parent / "data" / "builds.jsonl"
MODULES = re.compile(r"(\d+)\s*x\s*(\d+)\s*GB|(\d+)\s*(GB|TB)")


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"), used_ok=True)
    return Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)


def composed(shelf: Shelf, card: str, count: int, ram_gib: int = 48, **more: object) -> Build:
    need = Need(
        accelerator=bundled_catalogue().accelerator(card), per_node=count, ram_bytes=ram_gib * GIB,
        cores=max(6, 4 * count), **more,  # type: ignore[arg-type]
    )  # fmt: skip
    build = compose(need, shelf)
    assert isinstance(build, Build), build
    return build


def test_planned_memory_is_within_what_builders_put_in() -> None:
    """Of sound builds that tell their memory the planned one is the middle within a third, by size of the cards too."""
    wish = request({"model": "llama-3.1-8b", "workload": {"kind": "serving"}, "target": {"users": 4}})
    demand = demand_of(wish, estimator().coefficients)
    ratios: list[tuple[int, float]] = []
    for line in BUILDS.read_text().splitlines():
        build = json.loads(line)
        told = MODULES.search(str((build["parts"].get("memory") or [{}])[0].get("name", "")))
        if build["outcome"] != "ok" or told is None:
            continue
        card, count = _card(build)
        if card is None:
            continue
        have = int(told[1]) * int(told[2]) if told[1] else int(told[3]) * (1024 if told[4] == "TB" else 1)
        planned = ram_bytes(demand, Candidate(card, count, 1), estimator().coefficients) / GIB
        ratios.append((int((card.memory_gb or 0) * count), have / planned))
    assert len(ratios) >= 12
    assert 0.75 <= median(r for _, r in ratios) <= 4 / 3
    assert median(r for gb, r in ratios if gb >= 256) >= 0.6  # large machines hold less than they could
    assert median(r for gb, r in ratios if gb <= 64) >= 1  # small ones more than they must


def _card(build):  # type: ignore[no-untyped-def]
    """The card of a build by the matching that lists go through, and how many there are."""
    read, _ = read_parts({"parts": {"gpu": build["parts"].get("gpu")}}, bundled_catalogue())
    found = list(read.of(Kind.ACCELERATOR))
    if len(found) != 1 or not getattr(found[0].item, "memory_bytes", None):
        return None, 0
    return found[0].item, found[0].quantity


def test_a_5090_that_serves_has_memory_for_loading() -> None:
    """More than its own 32 GB: the weights pass through it beside system, process and pinned buffers."""
    wish = request({"model": "qwen3-32b", "workload": {"kind": "serving"}, "target": {"users": 2}})
    demand = demand_of(wish, estimator().coefficients)
    card = bundled_catalogue().accelerator("nvidia-rtx-5090-32")
    assert 40 <= ram_bytes(demand, Candidate(card, 1, 1), estimator().coefficients) / GIB <= 64


@pytest.mark.parametrize(("card", "count"), [
    ("nvidia-rtx-5090-32", 1), ("nvidia-rtx-5090-32", 2), ("nvidia-rtx-4090-24", 1), ("nvidia-rtx-5090d-v2-24", 1),
    ("nvidia-rtx-pro-6000-ws", 4),
])  # fmt: skip
def test_hot_cards_stand_behind_mesh_with_room(shelf: Shelf, card: str, count: int) -> None:
    """No case of 109 yuan under a card of 450 W and more; the option says why this one."""
    build = composed(shelf, card, count, 64)
    line = build.first(Kind.CHASSIS)
    assert line is not None
    assert isinstance(line.item, Chassis)
    assert (line.item.max_gpu_length_mm or 0) >= 400
    assert breathes(line.item) is True
    result = check_build(build, Environment(region=Region.CN, volts=220, amps=32), bundled_catalogue())
    (told,) = [f for f in result.findings if f.rule == "cooling.hot_card_case"]
    assert told.status is Status.OK
    assert line.item.name in str(told.message)


def test_a_closed_front_warns_and_an_unknown_one_is_not_passed() -> None:
    def found(case: dict[str, object]):  # type: ignore[no-untyped-def]
        parts = {"gpu": [{"ref": "RTX 5090"}], "chassis": [case]}
        return check_parts({"parts": parts}, bundled_catalogue())

    closed = found({"name": "own", "max_gpu_length_mm": 420, "airflow": "solid front"})
    assert [f.status for f in closed.findings if f.rule == "cooling.hot_card_case"] == [Status.WARNING]
    unknown = found({"name": "own", "max_gpu_length_mm": 420})
    assert [n.missing for n in unknown.not_checked if n.rule == "cooling.hot_card_case"] == [
        ("chassis.airflow",)
    ]
    cool = check_parts({"parts": {"gpu": [{"ref": "RTX 5060 Ti 16GB"}], "chassis": [{"name": "own"}]}},
                       bundled_catalogue())  # fmt: skip
    assert not [f for f in (*cool.findings, *cool.not_checked) if f.rule == "cooling.hot_card_case"]


@pytest.mark.parametrize(("card", "count", "ram"), [
    ("nvidia-v100-pcie-16", 4, 64), ("nvidia-a100-pcie-80", 4, 256), ("nvidia-l20-48", 8, 256),
    ("nvidia-rtx-5090-32", 1, 48), ("nvidia-rtx-4090-24", 4, 128), ("nvidia-rtx-pro-6000-maxq", 4, 256),
])  # fmt: skip
def test_memory_runs_as_the_processor_does(shelf: Shelf, card: str, count: int, ram: int) -> None:
    """A grade below at most: no DDR4-2400 in a machine that runs 2933."""
    build = composed(shelf, card, count, ram)
    cpu, kit = build.of(Kind.CPU)[0].item, build.of(Kind.MEMORY)[0].item
    assert isinstance(cpu, Cpu)
    assert isinstance(kit, MemoryKit)
    runs = memory_runs_mts(cpu, kit.memory_type, 3200)
    assert runs is not None
    assert (kit.speed_mts or 0) >= 0.87 * runs, (cpu.name, kit.name)


def test_slow_memory_is_told_with_what_it_costs() -> None:
    parts = {
        "gpu": [{"ref": "nvidia-a100-pcie-80"}],
        "cpu": [{"ref": "cpu-intel-xeon-gold-6330"}],
        "memory": [{"ref": "mem-ddr4-rdimm-4x16-2400-used", "quantity": 2}],
    }
    (told,) = [
        f for f in check_parts({"parts": parts}, bundled_catalogue()).findings if f.rule == "memory.speed"
    ]
    assert told.status is Status.WARNING
    assert (told.measured, told.required) == (2400, 2933)
    parts["memory"] = [{"ref": "mem-ddr4-rdimm-8x16-3200-used"}]
    (told,) = [
        f for f in check_parts({"parts": parts}, bundled_catalogue()).findings if f.rule == "memory.speed"
    ]
    assert told.status is Status.OK
