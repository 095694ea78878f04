"""Whole parts lists as buyers write them, Chinese and English: what is meant, how many, and no invented problem."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.host import MemoryKit
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.parts_list import check_parts, read_parts
from tests.bundled_catalogue import bundled_catalogue

LISTS = {
    "one 4090 in Chinese": (
        {
            "gpu": ["RTX 4090 24G"], "cpu": ["i9-14900K"], "motherboard": ["ROG MAXIMUS Z790 HERO"],
            "memory": ["芝奇 DDR5 6400 32G*2"], "power_supply": ["海韵 VERTEX GX-1200 1200W 金牌"],
            "chassis": ["联力 包豪斯 O11D EVO"], "cooler": ["恩杰 Kraken 360"],
        },
        {"nvidia-rtx-4090-24": 1, "cpu-intel-core-i9-14900k": 1, "board-asus-rog-maximus-z790-hero": 1},
        2,
    ),
    "two modified cards on an old board": (
        {
            "gpu": ["2080Ti 22G 魔改 *2"], "cpu": ["E5 2680v4"], "motherboard": ["华南金牌 X99-F8"],
            "memory": ["三星 DDR4 ECC REG 16G*4"], "power_supply": ["长城 1250W 金牌"], "chassis": ["开放式机架"],
        },
        {"nvidia-rtx-2080ti-22-mod": 2, "cpu-intel-xeon-e5-2680-v4": 1, "board-huananzhi-x99-f8": 1},
        4,
    ),
    "four cards in a mining frame": (
        {
            "gpu": ["4x RTX 3090"], "cpu": ["EPYC 7302P"], "motherboard": ["ROMED8-2T"],
            "memory": ["8x32GB DDR4 3200 ECC RDIMM"], "power_supply": ["EVGA 1600 T2 x2"], "chassis": ["mining frame"],
        },
        {"nvidia-rtx-3090-24": 4, "cpu-amd-epyc-7302p": 1, "board-asrock-rack-romed8-2t": 1},
        8,
    ),
    "a server of eight": (
        {"gpu": ["A100 40G PCIe * 8"], "server": ["超微 4124GS-TNR"], "cpu": ["AMD 7763 *2"], "memory": ["64G*16"]},
        {"nvidia-a100-pcie-40": 8, "server-supermicro-as-4124gs-tnr": 1, "cpu-amd-epyc-7763": 2},
        16,
    ),
    "a workstation of four": (
        {
            "gpu": ["RTX 6000 Ada ×4"], "cpu": ["Xeon w9-3495X"], "motherboard": ["ASUS Pro WS W790E-SAGE SE"],
            "memory": ["8×64GB DDR5 ECC RDIMM"], "power_supply": ["2x 1600W"], "chassis": ["Silverstone RM52"],
        },
        {"nvidia-rtx-6000-ada-48": 4, "cpu-intel-xeon-w9-3495x": 1, "board-asus-pro-ws-w790e-sage-se": 1},
        8,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(LISTS))
def test_what_is_written_is_what_is_judged(name: str) -> None:
    parts, meant, modules = LISTS[name]
    build, _ = read_parts({"parts": parts}, bundled_catalogue())
    found = {line.item.id: line.quantity for line in build.lines}
    assert meant.items() <= found.items()
    kit = build.first(Kind.MEMORY)
    assert kit is not None
    assert isinstance(kit.item, MemoryKit)
    assert kit.item.modules * kit.quantity == modules
    result = check_parts({"parts": parts}, bundled_catalogue())
    assert not [f.rule for f in result.findings if f.status == "problem"]


def test_a_quantity_of_its_own_stands_over_the_name() -> None:
    build, _ = read_parts({"parts": {"gpu": [{"name": "2x RTX 3090", "quantity": 4}]}}, bundled_catalogue())
    assert [line.quantity for line in build.lines] == [4]


def test_blower_cards_stand_side_by_side() -> None:
    """A 4090 of three slots does not fit four times; board makers' blower cards do."""
    parts = {
        "motherboard": ["ASUS Pro WS WRX90E-SAGE SE"],
        "chassis": ["Phanteks Enthoo Pro 2 Server Edition"],
    }
    told = {}
    for name in ("RTX 4090 四张", "华硕涡轮 4090 24G 四张", "ASUS Turbo RTX 4090 x4"):
        result = check_parts({"parts": {**parts, "gpu": [name]}}, bundled_catalogue())
        told[name] = {f.rule for f in result.findings if f.status == "problem"}
    assert [rules & {"pcie.slots"} for rules in told.values()] == [{"pcie.slots"}, set(), set()]


def test_what_is_not_known_of_a_supply_is_named() -> None:
    """A rating alone tells watts, not plugs: the check says which fields it lacks."""
    parts = {"gpu": ["RTX 4090"], "cpu": ["i9-14900K"], "power_supply": ["长城 850W 金牌全模组"]}
    result = check_parts({"parts": parts}, bundled_catalogue())
    lacking = {field for entry in result.not_checked for field in entry.missing}
    assert {"power_supply.pcie_16", "power_supply.pcie_6plus2"} <= lacking
    assert result.power["rated_w"] == 850


def told_of(parts: dict[str, list[str]], region: str = "US") -> tuple[set[str], set[str]]:
    """Rules that find a problem, and fields that are named as lacking."""
    result = check_parts({"region": region, "parts": parts}, bundled_catalogue())
    problems = {f.rule for f in result.findings if f.status == "problem"}
    return problems, {field for entry in result.not_checked for field in entry.missing}


def test_a_board_outside_the_catalogue_tells_socket_and_memory() -> None:
    """A processor of another socket is found though neither part is in the catalogue; ordinary memory is taken."""
    problems, _ = told_of(
        {"gpu": ["RTX 3060"], "cpu": ["i5-10400"], "motherboard": ["ASUS B250 Mining Expert"]}
    )
    assert problems == {"cpu.socket"}
    parts = {"cpu": ["7700X"], "motherboard": ["ASUS ROG Strix B850-I"]}
    assert told_of({**parts, "memory": ["2x32GB DDR5-6000 CL30"]}) == (set(), {"power_supply"})
    assert told_of({**parts, "memory": ["2x32GB DDR5 RDIMM"]})[0] == {"memory.type"}


def test_nothing_is_invented_of_parts_outside_the_catalogue() -> None:
    """Two processors on an unknown board, a server supply in an unknown case: open questions, no problems."""
    problems, lacking = told_of({"gpu": ["RTX A4000"], "cpu": ["2x E5-2690 v4"], "motherboard": ["HP Z840"]})
    assert problems == set()
    assert "motherboard.cpu_sockets" in lacking
    problems, lacking = told_of(
        {"gpu": ["RTX 3090"], "power_supply": ["长城 2000W"], "chassis": ["4U 服务器机箱"]}, "CN"
    )
    assert problems == set()
    assert "chassis.max_psu_mm" in lacking


def test_a_series_of_a_board_maker_is_no_other_chip() -> None:
    build, _ = read_parts(
        {"parts": {"gpu": ["2x 4090 Suprim X", "RTX 3080 Gaming X Trio 10G"]}}, bundled_catalogue()
    )
    assert [(line.item.id, line.quantity) for line in build.lines] == [
        ("nvidia-rtx-4090-24", 2),
        ("nvidia-rtx-3080-10", 1),
    ]


def test_a_load_known_in_part_is_judged_by_what_is_known() -> None:
    """Of a processor that nothing is known of only more watts can come."""
    parts = {"gpu": ["RTX 4090"], "cpu": ["some processor"], "power_supply": ["Corsair CX550M"]}
    result = check_parts({"parts": parts}, bundled_catalogue())
    assert "power.continuous" in {f.rule for f in result.findings if f.status == "warning"}


def test_redundant_supplies_carry_more_than_what_remains_without_them() -> None:
    """Eight cards of 450 W on four supplies of 2 kW run; that only one may fail is said."""
    parts = {"server": ["超微 4125GS-TNRT"], "gpu": ["4090 48G 涡轮 *8"], "cpu": ["EPYC 9354 *2"]}
    result = check_parts({"region": "CN", "parts": parts}, bundled_catalogue())
    found = {f.rule: f for f in result.findings}
    assert found["power.continuous"].status == "ok"
    assert found["power.redundancy"].required == 6000


def statuses(parts: dict[str, list[str]]) -> dict[str, str]:
    """Rules with their outcome."""
    found = check_parts({"region": "CN", "parts": parts}, bundled_catalogue()).findings
    return {f.rule: f.status.value for f in found}


def test_lanes_are_judged_where_cards_hang_in_a_frame() -> None:
    """Risers that nobody lists, and USB risers: what feeds each card is judged all the same."""
    frame = {
        "gpu": ["4x RTX 3090"],
        "cpu": ["EPYC 7302P"],
        "motherboard": ["ROMED8-2T"],
        "chassis": ["mining frame"],
    }
    assert statuses(frame)["pcie.slots"] == "warning"
    assert statuses(frame)["pcie.lane_width"] == "ok"
    found = statuses({**frame, "riser": ["4x PCIe x1 USB riser"]})
    assert (found["pcie.riser"], found["pcie.lane_width"]) == ("warning", "problem")
