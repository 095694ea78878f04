"""Names as people write them."""

from __future__ import annotations

import pytest

from gpuconfig.engine.builds.families import board_socket, cpu_family
from gpuconfig.engine.builds.matching import LEAST, match
from gpuconfig.engine.builds.parts_text import capacity_gb, connectors, links, mains, modules, rating_w
from gpuconfig.engine.builds.written import counted, counted_before
from gpuconfig.engine.catalogue.vocabulary import Kind
from tests.bundled_catalogue import bundled_catalogue


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("RTX 4090", "nvidia-rtx-4090-24"), ("Gigabyte RTX 3090 Turbo", "nvidia-rtx-3090-24"),
        ("RTX 3090 Ti", "nvidia-rtx-3090ti-24"), ("GeForce RTX 5070 Ti", "nvidia-rtx-5070ti-16"),
        ("RTX PRO 6000 Max-Q", "nvidia-rtx-pro-6000-maxq"), ("RTX PRO 6000 Server", "nvidia-rtx-pro-6000-server"),
        ("RTX 4090 D", "nvidia-rtx-4090d-24"), ("RX 7900 XTX", "amd-rx-7900xtx-24"), ("RX 7900 XT", "amd-rx-7900xt-20"),
        ("H100 SXM5", "nvidia-h100-sxm5-80"), ("RTX 6000 Ada", "nvidia-rtx-6000-ada-48"),
        ("nvidia-l40s-48", "nvidia-l40s-48"), ("Tesla P40", "nvidia-tesla-p40-24"),
    ],
)  # fmt: skip
def test_cards(written: str, meant: str) -> None:
    """The card that is meant, with a confidence."""
    found = match(Kind.ACCELERATOR, written, bundled_catalogue())
    assert found.item is not None
    assert found.item.id == meant
    assert LEAST <= found.confidence <= 1


@pytest.mark.parametrize(
    "written", ["RTX 9090", "blower GPU", "RTX 3080 8 GB", "dual-slot PCIe accelerator", "4090 rig"]
)
def test_no_card_is_guessed(written: str) -> None:
    """A name without its like in the catalogue matches nothing."""
    found = match(Kind.ACCELERATOR, written, bundled_catalogue())
    assert found.item is None or found.item.id == "nvidia-rtx-4090-24"


@pytest.mark.parametrize(
    ("kind", "written", "meant"),
    [
        (Kind.CPU, "Threadripper PRO 5975WX", "cpu-amd-ryzen-threadripper-pro-5975wx"),
        (Kind.CPU, "EPYC 7763", "cpu-amd-epyc-7763"), (Kind.CPU, "Core i9-14900K", "cpu-intel-core-i9-14900k"),
        (Kind.MOTHERBOARD, "ROMED8-2T", "board-asrock-rack-romed8-2t"),
        (Kind.CHASSIS, "Fractal Design Define 7", "case-fractal-design-define-7-atx"),
        (Kind.CHASSIS, "Fractal Define 7 XL", "case-fractal-design-define-7-xl"),
        (Kind.POWER_SUPPLY, "EVGA SuperNOVA 1600 P2", "psu-evga-supernova-1600-p2-1600w-fully-modular-80-platinum"),
    ],
)  # fmt: skip
def test_other_parts(kind: Kind, written: str, meant: str) -> None:
    """Model numbers decide."""
    found = match(kind, written, bundled_catalogue())
    assert found.item is not None
    assert found.item.id.startswith(meant)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (Kind.POWER_SUPPLY, "1600 W"), (Kind.POWER_SUPPLY, "single PSU"), (Kind.POWER_SUPPLY, "750 W Platinum"),
        (Kind.MEMORY, "16 GB DDR4"), (Kind.CHASSIS, "4U"), (Kind.CPU, "Xeon W5"), (Kind.COOLER, "240 mm AIO"),
    ],
)  # fmt: skip
def test_descriptions_are_no_names(kind: Kind, written: str) -> None:
    """What only describes a part stands for no part of the catalogue."""
    assert match(kind, written, bundled_catalogue()).item is None


@pytest.mark.parametrize(
    ("kind", "written", "meant"),
    [
        (Kind.MOTHERBOARD, "华硕 ProArt X870E-Creator", "board-asus-proart-x870e-creator-wifi"),
        (Kind.MOTHERBOARD, "微星 B450M 迫击炮", "board-msi-b450m-mortar"),
        (Kind.MOTHERBOARD, "超微 H12SSL-i 主板", "board-supermicro-h12ssl-i"),
        (Kind.CHASSIS, "联力 包豪斯 O11D EVO 机箱", "case-lian-li-o11-dynamic-evo-atx-mid-tower-black-tinted-tempered"),
        (Kind.ACCELERATOR, "2080Ti 22G 魔改", "nvidia-rtx-2080ti-22-mod"),
        (Kind.ACCELERATOR, "V100 32G SXM2 转接卡", "nvidia-v100-sxm2-32-adapter"),
        (Kind.ACCELERATOR, "V100 32G SXM2", "nvidia-v100-sxm2-32"),
        (Kind.COOLER, "P40 散热风扇 导风罩", "cooler-card-blower-9733"),
    ],
)  # fmt: skip
def test_chinese_names(kind: Kind, written: str, meant: str) -> None:
    """Makers and series by what Chinese buyers call them."""
    found = match(kind, written, bundled_catalogue())
    assert found.item is not None
    assert found.item.id == meant


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (Kind.POWER_SUPPLY, "长城 850W 金牌全模组"), (Kind.POWER_SUPPLY, "1200W ATX 3.1"),
        (Kind.POWER_SUPPLY, "2000W 冗余电源"),
        (Kind.MOTHERBOARD, "微星 B760M 迫击炮"), (Kind.MOTHERBOARD, "MSI B760M Mortar"),
        (Kind.MOTHERBOARD, "X99 双路主板"), (Kind.CHASSIS, "追风者 XT PRO"),
    ],
)  # fmt: skip
def test_another_series_is_no_match(kind: Kind, written: str) -> None:
    """A rating alone, or the chipset alone, names no part of the catalogue."""
    assert match(kind, written, bundled_catalogue()).item is None


@pytest.mark.parametrize(
    ("written", "pieces", "name"),
    [
        ("4x RTX 3090", 4, "RTX 3090"), ("2 x 5090", 2, "5090"), ("RTX A6000 x 2", 2, "RTX A6000"),
        ("A100 40G PCIe * 8", 8, "A100 40G PCIe"), ("L40S 48GB ×4", 4, "L40S 48GB"), ("RTX 4090 四张", 4, "RTX 4090"),
        ("双路 8336C", 2, "8336C"), ("EVGA 1600 T2 x2", 2, "EVGA 1600 T2"), ("RTX 4090", None, "RTX 4090"),
        ("Quadro P2000 PCIe x16", None, "Quadro P2000 PCIe x16"), ("RX 7900 XTX", None, "RX 7900 XTX"),
        ("P40 卡", None, "P40 卡"), ("A6000X2张", 2, "A6000"), ("RTX 3090 卡", None, "RTX 3090 卡"),
        ("AXP90-X47", None, "AXP90-X47"), ("Kraken X73", None, "Kraken X73"),
        ("rtx4090 x 4 (tuf)", 4, "rtx4090  (tuf)"),
        ("V100 32G 8卡", 8, "V100 32G"), ("2x 4TB NVMe", 2, "4TB NVMe"), ("3x 120mm AIO", None, "3x 120mm AIO"),
        ("RTX 4090 24G*2", 2, "RTX 4090 24G"), ("4090D*8", 8, "4090D"), ("4090×4张", 4, "4090"), ("4090x2", 2, "4090"),
        ("海韵 1300W*2", 2, "海韵 1300W"), ("R9 295X2", None, "R9 295X2"), ("利民 120*25", None, "利民 120*25"),
        ("990 PRO PCIe 4.0×4", None, "990 PRO PCIe 4.0×4"), ("水冷 360×27", None, "水冷 360×27"),
    ],
)  # fmt: skip
def test_pieces_in_a_name(written: str, pieces: int | None, name: str) -> None:
    assert counted(written) == (pieces, name)


@pytest.mark.parametrize(
    ("written", "pieces"),
    [("6x PCIe x1 riser", 6), ("riser cable x16", None), ("2x ConnectX-6 Dx", 2), ("ConnectX-5 x8", None)],
)
def test_lanes_behind_a_name_are_no_pieces(written: str, pieces: int | None) -> None:
    assert counted_before(written)[0] == pieces


@pytest.mark.parametrize(
    ("written", "size_gb", "count"),
    [
        ("芝奇 DDR5 6400 32G*2", 64, 2), ("三星 DDR4 ECC REG 16G*4", 64, 4), ("32G 2933 *8", 256, 8),
        ("32GB DDR5 RDIMM x16", 512, 16), ("8×64GB DDR5", 512, 8), ("16Gx4", 64, 4), ("512 GB (16x32)", 512, 16),
        ("2x16 DDR5", 32, 2), ("8*32 ddr4 ecc", 256, 8),
        ("2x48GB G.Skill 6000", 96, 2), ("64GB (2x32GB) DDR5", 64, 2), ("512G", 512, None),
    ],
)  # fmt: skip
def test_memory_as_written(written: str, size_gb: float, count: int | None) -> None:
    assert capacity_gb(written) == size_gb
    assert modules(written) == count


@pytest.mark.parametrize(
    ("written", "watts"),
    [
        ("长城 850W 金牌", 850), ("海盗船 RM1000x", 1000), ("Corsair RM850x (2024)", 850), ("HCG1000", 1000),
        ("own supply", None),
    ],
)  # fmt: skip
def test_watts_of_a_supply(written: str, watts: float | None) -> None:
    assert rating_w(written) == watts


@pytest.mark.parametrize(
    ("name", "socket"),
    [
        ("Xeon W-2255", "LGA2066"), ("EPYC 7002 32-core", "SP3"), ("EPYC 9575F", "SP5"), ("Threadripper 2950X", "TR4"),
        ("Ryzen 7 7800X3D", "AM5"), ("Ryzen 9 5950X", "AM4"), ("Core i9-14900K", "LGA1700"),
        ("Core Ultra 9 285K", "LGA1851"), ("Xeon E5-2695 v4", "LGA2011-3"), ("13900K", "LGA1700"),
        ("i5-10400", "LGA1200"), ("i7 8700k", "LGA1151"), ("E5-2678v3", "LGA2011-3"), ("锐龙 7 7700X", "AM5"),
        ("5600X", "AM4"), ("TR 3960X", "sTRX4"), ("epyc 7542 拆机", "SP3"),
    ],
)  # fmt: skip
def test_families_tell_the_socket(name: str, socket: str) -> None:
    """Processors outside the catalogue still have a socket."""
    family = cpu_family(name)
    assert family is not None
    assert family.socket == socket
    assert cpu_family("Foo 3000") is None


def test_free_text() -> None:
    """Plugs, sizes, modules, links, mains."""
    assert [(c.kind.value, c.count) for c in connectors("2x8-pin") or ()] == [("pcie_8", 2)]
    assert connectors("something") is None
    assert capacity_gb("10x48 GB DDR5-4800") == 480
    assert capacity_gb("2 TB") == 2048
    assert capacity_gb("lots") is None
    assert modules("512 GB (16x32)") == 16
    assert mains("120 V 15 A") == (120, 15)
    assert [x.lanes for x in links("x4/x16/x8/x16")] == [4, 16, 8, 16]
    assert [(x.generation, x.lanes) for x in links("5.0 x16 + 4.0 x4")] == [(5, 16), (4, 4)]
    assert links("no link here") == ()
    assert board_socket("SP3 board, 7 x16 4.0") == "SP3"
