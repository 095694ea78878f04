"""Parts lists nobody should write: no figure breaks a rule, nothing unknown passes for fine."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.parts_list import KINDS, check_parts
from gpuconfig.engine.compatibility.unlisted import CLASSES
from gpuconfig.engine.provenance.errors import InputError
from tests.bundled_catalogue import bundled_catalogue

PARTS: dict[str, dict[str, Any]] = {
    "gpu": {"ref": "RTX 4090", "quantity": 2},
    "cpu": {"ref": "cpu-amd-ryzen-5-9600x"},
    "motherboard": {"ref": "board-msi-pro-b850m-p"},
    "memory": {"ref": "mem-ddr5-dimm-2x16-5600-cmk32gx5m2b5600c36"},
    "power_supply": {"name": "own supply", "rated_w": 1000},
    "chassis": {"name": "Montech AIR 903 MAX"},
    "cooler": {"name": "Thermalright Peerless Assassin 120 SE"},
    "drive": {"name": "ZhiTai TiPlus7100 2 TB"},
    "nic": {"name": "own NIC"},
    "riser": {"name": "own riser"},
    "ups": {"name": "own UPS"},
}
ODD: tuple[Any, ...] = (0, -1, 1, 1e17, 0.5, "", "banana", "1x 8-pin", [], [1], ["x"], {}, [{}], True, False)


def _refused_field(parts: dict[str, Any]) -> str:
    try:
        check_parts({"parts": parts}, bundled_catalogue())
    except InputError as error:
        return error.field
    return ""


@pytest.mark.parametrize("key", list(PARTS))
def test_every_own_field_is_judged_or_refused(key: str) -> None:
    whole = {name: [entry] for name, entry in PARTS.items()}
    refused = 0
    for own in (
        PARTS[key],
        {"name": "own thing", "rated_w": 900} if key == "power_supply" else {"name": "own thing"},
    ):
        for field in dataclasses.fields(CLASSES[KINDS[key]]):
            for value in ODD:
                parts = whole | {key: [own | {field.name: value}]}
                refused += _refused_field(parts).startswith(f"parts.{key}[0]")
    assert refused > 50


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"power_supply": [{"name": "own", "rated_w": 0}]}, "parts.power_supply[0].rated_w"),
        ({"gpu": [{"ref": "RTX 4090", "power_connectors": [1]}]}, "parts.gpu[0].power_connectors"),
        ({"gpu": [{"ref": "RTX 4090", "edits": "x"}]}, "parts.gpu[0].edits"),
        ({"gpu": [{"ref": "RTX 4090", "slot": -1}]}, "parts.gpu[0].slot"),
        ({"gpu": [{"name": 5}]}, "parts.gpu[0].name"),
        ({"gpu": [{"name": " "}]}, "parts.gpu[0].name"),
    ],
)
def test_what_no_part_can_be_names_its_field(parts: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        check_parts({"parts": parts}, bundled_catalogue())
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("top", "field"),
    [
        ({"mains": "banana"}, "mains"),
        ({"parts": ""}, "parts"),
        ({"parts": 0}, "parts"),
        ({"links": 0}, "links"),
    ],
)
def test_nothing_is_no_answer_of_its_own(top: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        check_parts({"parts": {"gpu": [{"ref": "RTX 4090"}]}} | top, bundled_catalogue())
    assert caught.value.field == field


def test_a_card_that_nothing_is_known_of_is_never_fine() -> None:
    entries = {name: [PARTS[name]] for name in ("cpu", "motherboard", "power_supply")}
    entries["gpu"] = [{"name": "banana"}]
    assert check_parts({"parts": entries}, bundled_catalogue()).verdict is Status.UNKNOWN
