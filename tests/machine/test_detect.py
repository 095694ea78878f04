"""Detecting this computer: recorded output of the real tools, and their absence."""

from pathlib import Path

import pytest

from gpuconfig.machine.detect import detect, parse_cpu, parse_lspci, parse_memory, parse_nvidia_smi

NVIDIA = """NVIDIA GeForce RTX 4090, 24564, 450.00, 4, 16, 550.54.15
NVIDIA GeForce RTX 3090, 24576, [N/A], 4, [N/A], 550.54.15
"""
LSPCI = """00:02.0 "VGA compatible controller" "Intel Corporation" "AlderLake-S GT1 [UHD Graphics 770]" -r0c "" ""
01:00.0 "3D controller" "NVIDIA Corporation" "GA100 [A100 PCIe 40GB]" -ra1 "NVIDIA Corporation" "Device 145f"
02:00.0 "Non-Volatile memory controller" "Samsung" "NVMe SSD" -p02 "" ""
"""


def test_nvidia_smi_gives_names_and_memory_and_leaves_unknown_unknown() -> None:
    first, second = parse_nvidia_smi(NVIDIA)
    assert (first.name, first.memory_bytes, first.power_limit_w) == (
        "NVIDIA GeForce RTX 4090",
        24564 * 2**20,
        450.0,
    )
    assert second.power_limit_w is None
    assert second.pcie_lanes is None


def test_lspci_lists_cards_only() -> None:
    assert [c.name for c in parse_lspci(LSPCI)] == [
        "Intel Corporation UHD Graphics 770",
        "NVIDIA Corporation A100 PCIe 40GB",
    ]


def test_processor_and_memory() -> None:
    assert parse_cpu("processor\t: 0\nmodel name\t: AMD Ryzen 9 9950X\n") == "AMD Ryzen 9 9950X"
    assert parse_memory("MemTotal:       65536000 kB\nMemFree: 1 kB\n") == 65536000 * 1024


def test_absent_tools_are_said_and_nothing_is_invented(tmp_path: Path) -> None:
    machine = detect(run=lambda _: None, proc=tmp_path)
    assert machine.cards == ()
    assert machine.memory_bytes is None
    assert len(machine.notes) == 3


def test_this_computer_can_be_looked_at() -> None:
    assert detect().cpu_cores


ROCM = (
    '{"card0": {"Card Series": "AMD Instinct MI300X", "VRAM Total Memory (B)": "206141652992"},'
    ' "system": {"Driver version": "6.10"}}'
)
WINDOWS = (
    '{"cpu": "AMD Ryzen 9 9950X 16-Core Processor  ", "memory": 102976516096,'
    ' "cards": ["NVIDIA GeForce RTX 5090", "AMD Radeon(TM) Graphics"]}'
)


def test_amd_cards_of_rocm_smi(tmp_path):
    found = detect(lambda command: ROCM if command[0] == "rocm-smi" else None, tmp_path)
    (card,) = found.cards
    assert (card.name, card.memory_bytes) == ("AMD Instinct MI300X", 206141652992)


def test_windows_tells_processor_memory_and_cards(tmp_path):
    found = detect(lambda command: WINDOWS if command[0] == "powershell" else None, tmp_path)
    assert found.cpu == "AMD Ryzen 9 9950X 16-Core Processor"
    assert found.memory_bytes == 102976516096
    assert [card.name for card in found.cards] == ["NVIDIA GeForce RTX 5090", "AMD Radeon(TM) Graphics"]
    assert all(card.memory_bytes is None for card in found.cards)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"card0": 3}', '{"cards": 5, "memory": -1}', "\x00"]
)
def test_broken_answers_are_unknown(tmp_path, text):
    found = detect(lambda command: text, tmp_path)  # noqa: ARG005
    assert found.cards == ()
    assert found.memory_bytes is None
