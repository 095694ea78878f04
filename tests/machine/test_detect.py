"""Detecting this computer: recorded output of the real tools, and their absence."""

from pathlib import Path

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
