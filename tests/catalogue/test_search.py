"""Search in two languages, and contradictions inside items."""

import pytest

from gpuconfig.engine.catalogue.accelerator import Accelerator, PowerConnector
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.plausibility import doubts
from gpuconfig.engine.catalogue.search import SearchIndex
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, Cooling, FormFactor, Kind, Software, Vendor


def card(**changes):
    values = {
        "id": "nvidia-rtx-4090-48-mod", "name": "RTX 4090 48GB (modified)", "brand": "NVIDIA", "vendor": Vendor.NVIDIA,
        "family": "GeForce 40", "software": Software.CUDA, "form_factor": FormFactor.PCIE, "memory_gb": 48.0,
        "memory_bytes": 48 * 2**30, "memory_type": "GDDR6X", "bus_bits": 384, "bandwidth_bytes_per_s": 1008e9,
        "cooling": Cooling.BLOWER, "modified": True, "tdp_w": 450.0,
        "power_connectors": (PowerConnector(ConnectorKind.PCIE_16, 1),),
    }  # fmt: skip
    return Accelerator(**{**values, **changes})


PLAIN = card(
    id="nvidia-rtx-4090-24",
    name="RTX 4090 24GB",
    memory_gb=24.0,
    cooling=Cooling.FLOW_THROUGH,
    modified=False,
)
BOARD = Motherboard(id="b", name="ASUS ProArt X870E", brand="ASUS", socket="AM5", chipset="X870E")
INDEX = SearchIndex([(Kind.ACCELERATOR, card()), (Kind.ACCELERATOR, PLAIN), (Kind.MOTHERBOARD, BOARD)])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("老黄 4090 涡轮 48G", ["nvidia-rtx-4090-48-mod"]), ("4090 魔改", ["nvidia-rtx-4090-48-mod"]),
        ("RTX 4090", ["nvidia-rtx-4090-24", "nvidia-rtx-4090-48-mod"]), ("华硕 主板", ["b"]), ("blower 4080", []),
        ("rtx4090 24g", ["nvidia-rtx-4090-24"]),
    ],
)  # fmt: skip
def test_search_in_two_languages(query, found):
    assert [item.id for item in INDEX.find(query)] == found


def test_search_within_a_kind_and_up_to_a_limit():
    assert [item.id for item in INDEX.find("", Kind.MOTHERBOARD)] == ["b"]
    assert len(INDEX.find("", limit=2)) == 2


def test_a_sound_card_has_no_doubt():
    assert list(doubts(card())) == []


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"bandwidth_bytes_per_s": 2039e9}, "GDDR6X"),
        ({"power_connectors": (PowerConnector(ConnectorKind.PCIE_8, 1),)}, "450 W"),
        ({"fp16_fp16acc_flops": 1e12, "fp16_fp32acc_flops": 2e12}, "FP16 accumulation"),
        ({"usable_bytes": 60 * 2**30}, "usable"),
    ],
)
def test_contradictions_of_a_card(changes, word):
    (doubt,) = doubts(card(**changes))
    assert word in str(doubt)


def test_contradictions_of_boards_and_supplies():
    slot = Slot(position=1, physical_lanes=8, electrical_lanes=16, generation=5)
    board = Motherboard(id="b", name="b", socket="LGA2066", chipset="X299", slots=(slot,))
    assert len(list(doubts(board))) == 2
    assert len(list(doubts(PowerSupply(id="p", name="p", rated_w=1200, pcie_16=0, pcie_6plus2=0)))) == 1
    assert list(doubts(PowerSupply(id="p", name="p", rated_w=1200, pcie_16=None, pcie_6plus2=0))) == []
