"""What a machine sold whole with its modules draws: what its maker rates it for, not its modules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Finding, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

HGX = {"server": [{"ref": "server-hgx-h100-80-8"}]}
MI325X = {"server": [{"ref": "server-8x-mi325x"}], "gpu": [{"ref": "amd-mi325x-256", "quantity": 8}]}


def finding(parts: dict[str, Sequence[dict[str, Any]]], rule: str, region: str = "CN") -> Finding:
    answer = check_parts({"parts": parts, "region": region}, bundled_catalogue())
    return next(f for f in answer.findings if f.rule == rule)


@pytest.mark.parametrize("gpu", [{}, {"gpu": [{"ref": "nvidia-h100-sxm5-80", "quantity": 8}]}])
def test_all_that_it_brings_is_counted_once(gpu: dict[str, Sequence[dict[str, Any]]]) -> None:
    assert finding({**HGX, **gpu}, "power.rack").measured == pytest.approx(10_200)


def test_without_a_rating_it_draws_what_such_machines_are_rated_for() -> None:
    watts = finding({"server": [{"ref": "server-supermicro-sys-821ge-tnhr"}]}, "power.rack").measured
    assert watts == pytest.approx(10_200, rel=0.1)


def test_the_supplies_its_maker_chose_are_no_warning() -> None:
    assert finding(MI325X, "power.continuous").status is Status.OK


def test_an_american_machine_room_feeds_each_supply_with_two_phases() -> None:
    circuit = finding(
        HGX | {"gpu": [{"ref": "nvidia-h100-sxm5-80", "quantity": 8}]}, "power.mains_circuit", "US"
    )
    assert (circuit.status, circuit.required) == (Status.OK, pytest.approx(208 * 16 * 0.8))


def test_a_server_of_unknown_height_is_asked_for_it() -> None:
    """Several machines want a rack: without their height none is chosen, and the field is named."""
    server = bundled_catalogue().part(Kind.SERVER, "server-supermicro-as-4125gs-tnrt")
    lines = (BomLine(kind=Kind.SERVER, item=replace(server, rack_units=None)),)  # type: ignore[call-arg]
    for nodes, lacking in ((2, True), (1, False)):
        checked = check_build(Build(lines=lines, nodes=nodes), Environment(), bundled_catalogue())
        assert (("server.rack_units",) in [entry.missing for entry in checked.not_checked]) is lacking
