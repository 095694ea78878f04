"""What lists leave out or overdo is told: racks, empty sockets, caps, drives, makers, second supplies."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from tests.bundled_catalogue import bundled_catalogue

DESKTOP: dict[str, Any] = {
    "gpu": [{"ref": "nvidia-rtx-4090-24"}],
    "motherboard": [{"ref": "board-asus-proart-x870e-creator-wifi"}],
    "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}],
    "power_supply": [{"ref": "psu-seasonic-prime-tx-1600-atx-3-1-black-silver-1600w-fully"}],
    "chassis": [{"ref": "case-fractal-design-define-7-xl-atx-full-tower-dark-tinted"}],
    "drive": [{"ref": "drive-samsung-990-pro-4-tb"}],
}
DGX: dict[str, Any] = {
    "gpu": [{"ref": "nvidia-h100-sxm5-80", "quantity": 8}],
    "server": [{"ref": "server-nvidia-dgx-h100-h200"}],
}
U2 = "drive-kioxia-cd8-r-7-68-tb-u-2"


def judged(base: dict[str, Any], **parts: Any) -> CheckResult:
    """The list with some parts put in place of others."""
    return check_parts({"region": "EU", "parts": base | parts}, bundled_catalogue())


def statuses(result: CheckResult, rule: str) -> list[Status]:
    """What a rule says."""
    return [f.status for f in result.findings if f.rule == rule]


def lacking(result: CheckResult, rule: str) -> tuple[str, ...]:
    """What a rule could not judge for."""
    return tuple(field for n in result.not_checked if n.rule == rule for field in n.missing)


@pytest.mark.parametrize(
    ("rack", "room", "load"),
    [
        ({"rack_units": 42, "depth_mm": 1200, "max_load_kg": 1000}, Status.OK, Status.OK),
        ({"rack_units": 42, "depth_mm": 600, "max_load_kg": 1000}, Status.PROBLEM, Status.OK),
        ({"rack_units": 6, "depth_mm": 1200, "max_load_kg": 1000}, Status.PROBLEM, Status.OK),
        ({"rack_units": 42, "depth_mm": 1200, "max_load_kg": 50}, Status.OK, Status.PROBLEM),
    ],
)
def test_a_rack_in_the_list_is_judged(rack: dict[str, Any], room: Status, load: Status) -> None:
    """Height, depth and load, as for a cluster that was composed."""
    result = judged(DGX, rack=[{"name": "own rack", **rack}])
    assert statuses(result, "mechanics.rack_room") == [room]
    assert statuses(result, "mechanics.rack_load") == [load]
    assert statuses(result, "power.rack") == [Status.OK]


def test_a_rack_of_unknown_size_is_asked_for_it() -> None:
    result = judged(DGX, rack=[{"name": "own rack"}])
    assert lacking(result, "mechanics.rack_room") == ("rack.rack_units", "rack.depth_mm")


def test_servers_of_one_list_share_its_rack() -> None:
    """Five of eight units in 42."""
    rack = [{"name": "own rack", "rack_units": 40, "depth_mm": 1200, "max_load_kg": 2000}]
    five = [{"ref": "server-nvidia-dgx-h100-h200", "quantity": 5}]
    assert statuses(judged(DGX, rack=rack, server=five), "mechanics.rack_room") == [Status.PROBLEM]


@pytest.mark.parametrize(
    ("processors", "cards", "expected"),
    [(1, 8, [Status.PROBLEM]), (1, 4, [Status.WARNING]), (2, 8, [])],
)
def test_an_empty_socket_of_a_server(processors: int, cards: int, expected: list[Status]) -> None:
    """Half of the slots work at most."""
    parts = {
        "gpu": [{"ref": "nvidia-rtx-pro-6000-server", "quantity": cards}],
        "server": [{"ref": "server-gigabyte-g493-zb0"}],
        "cpu": [{"ref": "cpu-amd-epyc-9124", "quantity": processors}],
    }
    assert statuses(judged(parts), "cpu.sockets") == expected


@pytest.mark.parametrize(
    ("card", "watts", "expected"),
    [
        ("nvidia-rtx-5090-32", 100, [Status.PROBLEM]), ("nvidia-rtx-5090-32", 450, [Status.OK]),
        ("nvidia-rtx-3090-24", 90, [Status.PROBLEM]), ("nvidia-rtx-3090-24", 200, [Status.WARNING]),
        ("nvidia-rtx-3090-24", 280, [Status.OK]),
    ],
)  # fmt: skip
def test_caps_that_drivers_refuse(card: str, watts: float, expected: list[Status]) -> None:
    """A measured floor binds; the assumed one warns."""
    assert statuses(judged(DESKTOP, gpu=[{"ref": card, "power_limit_w": watts}]), "power.cap") == expected


@pytest.mark.parametrize(
    ("number", "expected"), [(4, Status.WARNING), (5, Status.PROBLEM)]
)  # fmt: skip
def test_drives_without_a_port(number: int, expected: Status) -> None:
    """Four M.2 sockets take four adapters."""
    result = judged(DESKTOP, drive=[{"ref": U2, "quantity": number}])
    assert expected in statuses(result, "storage.places")
    server_board = [{"ref": "board-asrock-rack-romed8-2t"}]
    found = judged(DESKTOP, drive=[{"ref": U2}], motherboard=server_board)
    assert Status.PROBLEM not in statuses(found, "storage.places")


def test_no_drive_is_told() -> None:
    result = judged(DESKTOP, drive=[])
    assert lacking(result, "storage.interface") == ("drive",)
    assert not lacking(judged(DESKTOP), "storage.interface")
    assert not lacking(judged(DGX), "storage.interface")


def test_cards_of_two_makers() -> None:
    """One framework build drives one of them."""
    both = [{"ref": "nvidia-rtx-4090-24"}, {"ref": "amd-rx-7900xtx-24"}]
    assert statuses(judged(DESKTOP, gpu=both), "host.mixed_makers") == [Status.WARNING]
    same = [{"ref": "nvidia-rtx-4090-24"}, {"ref": "nvidia-rtx-3090-24"}]
    assert not statuses(judged(DESKTOP, gpu=same), "host.mixed_makers")


def test_unknown_height_of_a_case_is_named() -> None:
    """A plug of 16 pins needs room above the card."""
    assert lacking(judged(DESKTOP), "mechanics.connector_bend") == ("chassis.max_gpu_height_mm",)
    known = judged(DESKTOP, chassis=[{"name": "own case", "max_gpu_height_mm": 300}])
    assert statuses(known, "mechanics.connector_bend") == [Status.OK]


@pytest.mark.parametrize("first", [True, False])
def test_every_supply_must_fit(first: bool) -> None:
    """Whichever stands first in the list."""
    odd = {"name": "server supply", "rated_w": 1600, "form_factor": "CRPS", "length_mm": 185}
    supplies = [odd, *DESKTOP["power_supply"]] if first else [*DESKTOP["power_supply"], odd]
    result = judged(DESKTOP, power_supply=supplies)
    assert statuses(result, "mechanics.supply_room") == [Status.PROBLEM]


@pytest.mark.parametrize(
    ("modules", "rate", "expected"),
    [(2, 6000, []), (4, 6000, [Status.WARNING]), (4, 4400, [Status.OK])],
)
def test_two_modules_on_a_channel(modules: int, rate: float, expected: list[Status]) -> None:
    """What modules are made for against what they run at with two on a channel."""
    kit = {"name": "own kit", "memory_type": "DDR5", "modules": modules, "module_bytes": 2**35, "speed_mts": rate,
           "registered": False}  # fmt: skip
    assert statuses(judged(DESKTOP, memory=[kit]), "memory.two_per_channel") == expected
