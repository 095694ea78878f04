"""What a PCIe link carries."""

from __future__ import annotations

LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 8e9 * 128 / 130 / 8, 4: 16e9 * 128 / 130 / 8, 5: 32e9 * 128 / 130 / 8,
                    6: 64e9 * 242 / 256 / 8, 7: 128e9 * 242 / 256 / 8}  # fmt: skip
"""One lane, one direction, by generation, after line coding (PCI-SIG base specifications)."""


def pcie_bytes_per_s(generation: int, lanes: int) -> float:
    """One direction of a PCIe link after line coding: 4.0 x16 gives 31.5 GB/s."""
    return LANE_BYTES_PER_S[generation] * lanes
