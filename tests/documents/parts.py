"""Parts of a workstation with prices of every kind, for tests of papers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import (
    Condition,
    FormFactor,
    Kind,
    PriceKind,
    Region,
    Software,
    Vendor,
)
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange, TaxBasis

GIB = 2**30


def yuan(low: str, high: str | None = None, currency: Currency = Currency.CNY) -> MoneyRange:
    return MoneyRange(Money(Decimal(low), currency), Money(Decimal(high or low), currency))


def offer(item: str, kind: Kind, price: MoneyRange, how: PriceKind, day: str | None, **more: Any) -> Offer:
    return Offer(
        id=f"offer-{item}",
        subject_kind=kind,
        subject_id=item,
        low=price.low.amount,
        high=price.high.amount,
        currency=price.low.currency,
        tax=TaxBasis.INCLUDED,
        condition=more.pop("condition", Condition.NEW),
        region=Region.CN,
        date=day,
        source=f"https://shop.example.org/{item}/very/long/path/that/goes/on?item={item}&page=1",
        kind=how,
        **more,
    )


def line(
    kind: Kind,
    item: CatalogueItem,
    quantity: int,
    price: MoneyRange | None,
    how: PriceKind,
    day: str | None,
    **more: Any,
) -> BomLine:
    made = None if price is None else offer(item.id, kind, price, how, day, **more)
    return BomLine(
        kind=kind,
        item=item,
        quantity=quantity,
        offer=made,
        price=price,
        converted=how is PriceKind.CONVERTED,
    )


def card(name: str, gib: int, **more: Any) -> Accelerator:
    return Accelerator(
        id=name.lower().replace(" ", "-"),
        name=name,
        brand="NVIDIA",
        vendor=Vendor.NVIDIA,
        family="GeForce",
        architecture="Blackwell",
        software=Software.CUDA,
        form_factor=FormFactor.PCIE,
        memory_gb=gib,
        memory_bytes=gib * GIB,
        memory_type="GDDR7",
        bandwidth_bytes_per_s=1.792e12,
        bf16_fp32acc_flops=209.5e12,
        fp32_flops=104.8e12,
        pcie_generation=5,
        pcie_lanes=16,
        link_known=True,
        peer_to_peer=False,
        tdp_w=575.0,
        slots=2.0,
        length_mm=304.0,
        date="2026-05",
        sources=("https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/",),
        **more,
    )


def machine_lines(
    accelerator: Accelerator, count: int, card_price: MoneyRange, how: PriceKind
) -> tuple[BomLine, ...]:
    cards = line(Kind.ACCELERATOR, accelerator, count, card_price, how, "2026-05", lead_time_days=21)
    street = PriceKind.STREET
    board = Motherboard(
        id="wrx90e", name="ASUS Pro WS WRX90E-SAGE SE", socket="sTR5", part_number="90MB1FW0-M0EAY0"
    )
    cpu = Cpu(id="tr-7965wx", name="AMD Ryzen Threadripper PRO 7965WX", socket="sTR5")
    memory = MemoryKit(
        id="ddr5", name="DDR5-4800 RDIMM ECC 64GB", memory_type="DDR5", modules=1, module_bytes=64 * GIB
    )
    drive = Drive(id="pm9a3", name="Samsung PM9A3 3.84TB U.2", capacity_bytes=3_840_000_000_000)
    supply = PowerSupply(id="psu-2000", name="Great Wall 2000W 80+ Platinum ATX 3.1", rated_w=2000.0)
    cooler = Cooler(id="xe360", name="SilverStone XE360-TR5")
    chassis = Chassis(
        id="rm600", name="4U 塔式/机架两用机箱（支持 8 卡，定制）", rack_units=4, weight_kg=18.5
    )
    imported = "USD 920 x 6.7758, incl. 13 % import VAT"
    similar = "no listing found; price of a similar chassis"
    return (
        cards,
        line(Kind.MOTHERBOARD, board, 1, yuan("9299"), street, "2026-06-11"),
        line(Kind.CPU, cpu, 1, yuan("17500", "19800.50"), PriceKind.LIST, "2026-03"),
        line(
            Kind.MEMORY, memory, 8, yuan("5201.33", "7800.10"), PriceKind.CONVERTED, "2026-02", basis=imported
        ),
        line(Kind.DRIVE, drive, 2, yuan("4100"), street, "2026-02-05"),
        line(Kind.POWER_SUPPLY, supply, 2, yuan("1899"), street, "2026-05"),
        line(Kind.COOLER, cooler, 1, None, PriceKind.ASSUMED, None),
        line(Kind.CHASSIS, chassis, 1, yuan("1500", "3500"), PriceKind.ASSUMED, None, basis=similar),
    )
