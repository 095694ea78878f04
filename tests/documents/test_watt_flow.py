"""The watt flow: bands add up, labels never share a row, thin loads are still seen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gpuconfig.documents.watt_flow import WattFlow, WattNode, lay_out

ROW = 13.0


def flow(*watts: float, lost: float = 133.0) -> WattFlow:
    """A machine of these loads."""
    loads = tuple(WattNode(str(w), w, f"{w} W") for w in watts)
    total = sum(watts)
    return WattFlow(
        wall=WattNode("wall", total + lost, ""), supply=WattNode("supply", total, ""), loads=loads,
        lost=WattNode("lost", lost, "", lost=True), summary="",
    )  # fmt: skip


@pytest.mark.parametrize("watts", [(300, 60), (1200, 155, 100, 64, 8), (5600, 400, 400, 120, 64, 20, 8, 1)])
def test_bands_add_up_and_labels_keep_apart(watts: tuple[float, ...]) -> None:
    """What leaves the wall arrives; each label has a row."""
    placed = lay_out(flow(*watts), 480, ROW, 190)
    wall, supply, *ends = placed.bars
    arriving = [band for band in placed.bands[1:] if not band.lost]
    assert sum(band.height for band in arriving) == pytest.approx(supply.height)
    assert supply.height + placed.bands[-1].height == pytest.approx(wall.height)
    assert all(lower.label_y - upper.label_y >= ROW * 0.9 for upper, lower in pairwise(ends))
    assert all(bar.height >= 1.5 for bar in ends)
    assert max(bar.top + bar.height for bar in placed.bars) <= placed.height


def test_nothing_lost_is_no_band() -> None:
    assert not any(band.lost for band in lay_out(flow(300, 60, lost=0.0), 480, ROW, 190).bands)
