"""Every kind of work says what its machines draw at the wall, by one formula."""

from __future__ import annotations

import pytest

from gpuconfig import app
from gpuconfig.engine.estimation.answer import Estimate

WORK = {
    "training": ("qwen2.5-7b", {"kind": "training", "method": "lora"}),
    "serving": ("qwen2.5-7b", {"kind": "serving", "prompt_tokens": 512, "output_tokens": 256}),
    "image": ("stable-diffusion-xl-base-1.0", {"kind": "image"}),
    "vision_inference": ("resnet-50", {"kind": "vision_inference"}),
}


def answers(kind: str, *counts: int) -> list[Estimate]:
    model, work = WORK[kind]
    services = app.services()
    requests = [
        services.read_estimate(
            {
                "model": model,
                "workload": work,
                "hardware": {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": count},
            }
        )
        for count in counts
    ]
    found = services.estimate(requests)
    assert all(isinstance(one, Estimate) for one in found), found
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("kind", WORK)
def test_the_wall_carries_the_cards_and_the_host_and_more_cards_draw_more(kind: str) -> None:
    one, two = answers(kind, 1, 2)
    assert one.power is not None
    assert two.power is not None
    assert one.power.gpu_w.value is not None
    assert one.power.wall_w.value is not None
    assert two.power.wall_w.value is not None
    assert one.power.wall_w.value > one.power.gpu_w.value
    assert two.power.wall_w.value > one.power.wall_w.value
    assert one.power.wall_w.low < one.power.wall_w.value < one.power.wall_w.high


@pytest.mark.parametrize("kind", WORK)
def test_it_opens_down_to_host_and_supplies(kind: str) -> None:
    model, work = WORK[kind]
    services = app.services()
    request = services.read_estimate(
        {"model": model, "workload": work, "hardware": {"gpu": "nvidia-rtx-4090-24"}}
    )
    opened = services.explain(request, "wall_w")
    names = {child.name for child in opened.inputs}
    assert {"gpu_w", "host_w", "supply_efficiency"} <= names
    host = next(child for child in opened.inputs if child.name == "host_w")
    assert {"usual_host_w", "host_rated_w", "host_working_share"} <= {child.name for child in host.inputs}
    assert next(child for child in host.inputs if child.name == "usual_host_w").mark.value == "assumed"


@pytest.mark.parametrize("kind", WORK)
def test_the_parts_of_the_machine_count_where_they_are_known(kind: str) -> None:
    model, work = WORK[kind]
    services = app.services()
    walls = []
    for stated in (
        {},
        {"host_rated_w": 100},
        {"host_rated_w": 1000},
        {"host_rated_w": 100, "supply_efficiency": 0.8},
    ):
        hardware = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 2, **stated}
        [found] = services.estimate(
            [services.read_estimate({"model": model, "workload": work, "hardware": hardware})]
        )
        assert isinstance(found, Estimate)
        assert found.power is not None
        assert found.power.wall_w.value is not None
        walls.append(found.power.wall_w.value)
    usual, small, large, lossy = walls
    assert small < usual < large
    assert small < lossy


@pytest.mark.parametrize(
    ("card", "count", "least", "most"),
    [
        ("nvidia-rtx-4090-24", 1, 40, 180),
        ("nvidia-rtx-4090-24", 4, 120, 400),
        ("nvidia-h100-sxm5-80", 8, 2000, 4000),
        ("nvidia-h100-sxm5-80", 1, 200, 700),
        ("nvidia-dgx-spark-gb10", 1, 10, 100),
    ],
)
def test_the_usual_host_is_that_of_machines_of_this_kind_and_size(
    card: str, count: int, least: float, most: float
) -> None:
    services = app.services()
    hardware = {"gpu": card, "gpus_per_node": count}
    request = services.read_estimate(
        {"model": "qwen2.5-7b", "workload": {"kind": "serving"}, "hardware": hardware}
    )
    opened = services.explain(request, "wall_w")
    host = next(child for child in opened.inputs if child.name == "host_w").value
    assert isinstance(host, float)
    assert least < host < most
