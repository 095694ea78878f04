"""Real recommendation objects for tests of papers: a four-card workstation against two rivals."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from gpuconfig.documents.bill import TaxRule
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import (
    Condition,
    ExportStatus,
    FormFactor,
    Kind,
    ModelKind,
    PriceKind,
    Region,
    Software,
    Vendor,
)
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, NotChecked, Remedy, Status
from gpuconfig.engine.estimation.answer import (
    Assumption,
    BoundBy,
    Estimate,
    MemoryAnswer,
    PowerAnswer,
    TrainingAnswer,
    Verdict,
)
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark, NearMeasurement
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, MoneyRange, TaxBasis, total
from gpuconfig.engine.selection.recommendation import (
    CostOfOwnership,
    Option,
    OptionKind,
    OptionPrice,
    Recommendation,
    Rejected,
)
from gpuconfig.engine.selection.request import read_recommend_request
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest, read_workload
from gpuconfig.engine.workloads.request import Kind as WorkloadKind
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.settings import Organisation

DAY = date(2026, 12, 2)
GIB = 2**30
RATE = ExchangeRate(
    Currency.USD,
    Currency.CNY,
    Decimal("6.7758"),
    Evidence("https://example.org/rates", "2026-06", EvidenceKind.VENDOR),
)


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


VAT = TaxRule(rate=Decimal("0.13"), included=True, source="https://www.chinatax.gov.cn", date="2026-11")
SELLER = Organisation(
    name="上海某某信息技术有限公司", tax_number="91310000XXXXXXXXXX", bank="招商银行上海分行"
)
MODEL = NeuralModel(id="qwen2.5-7b", name="Qwen2.5-7B", kind=ModelKind.DECODER, parameters=7_615_616_512)
REQUEST_JSON = {
    "id": "r1",
    "model": "qwen2.5-7b",
    "workload": {
        "kind": "training",
        "method": "full",
        "sequence_length": 4096,
        "optimizer": "adamw",
        "dataset_tokens": 1_000_000_000,
    },
    "target": {"deadline_s": 2_592_000},
    "budget": {"amount": "500000", "currency": "CNY"},
    "constraints": {"region": "CN", "form": "any", "mains": {"volts": 230, "amps": 32}, "noise": "lab"},
}


def machine_lines(
    accelerator: Accelerator, count: int, card_price: MoneyRange, how: PriceKind
) -> tuple[BomLine, ...]:
    return (
        line(Kind.ACCELERATOR, accelerator, count, card_price, how, "2026-05", lead_time_days=21),
        line(
            Kind.MOTHERBOARD,
            Motherboard(
                id="wrx90e", name="ASUS Pro WS WRX90E-SAGE SE", socket="sTR5", part_number="90MB1FW0-M0EAY0"
            ),
            1,
            yuan("9299"),
            PriceKind.STREET,
            "2026-06-11",
        ),
        line(
            Kind.CPU,
            Cpu(id="tr-7965wx", name="AMD Ryzen Threadripper PRO 7965WX", socket="sTR5"),
            1,
            yuan("17500", "19800.50"),
            PriceKind.LIST,
            "2026-03",
        ),
        line(
            Kind.MEMORY,
            MemoryKit(
                id="ddr5-rdimm",
                name="DDR5-4800 RDIMM ECC 64GB",
                memory_type="DDR5",
                modules=1,
                module_bytes=64 * GIB,
            ),
            8,
            yuan("5201.33", "7800.10"),
            PriceKind.CONVERTED,
            "2026-02",
            basis="USD 920 x 6.7758, incl. 13 % import VAT",
        ),
        line(
            Kind.DRIVE,
            Drive(id="pm9a3", name="Samsung PM9A3 3.84TB U.2", capacity_bytes=3_840_000_000_000),
            2,
            yuan("4100"),
            PriceKind.STREET,
            "2026-02-05",
        ),
        line(
            Kind.POWER_SUPPLY,
            PowerSupply(id="psu-2000", name="Great Wall 2000W 80+ Platinum ATX 3.1", rated_w=2000.0),
            2,
            yuan("1899"),
            PriceKind.STREET,
            "2026-05",
        ),
        line(Kind.COOLER, Cooler(id="xe360", name="SilverStone XE360-TR5"), 1, None, PriceKind.ASSUMED, None),
        line(
            Kind.CHASSIS,
            Chassis(id="rm600", name="4U 塔式/机架两用机箱（支持 8 卡，定制）", rack_units=4, weight_kg=18.5),
            1,
            yuan("1500", "3500"),
            PriceKind.ASSUMED,
            None,
            basis="no listing found; price of a similar chassis",
        ),
    )


def estimate(seconds: float, use_gib: float, gib: int, verdict: Verdict = Verdict.FITS) -> Estimate:
    def band(value: float, unit: str, part: float = 0.15) -> Figure:
        return Figure(value, value * (1 - part), value * (1 + part), unit)

    rate = 1e9 / seconds
    return Estimate(
        id="r1",
        verdict=verdict,
        memory=MemoryAnswer(
            peak_allocated_bytes=band(use_gib * 0.95 * GIB, "B", 0.04),
            peak_reserved_bytes=band(use_gib * 0.98 * GIB, "B", 0.05),
            device_used_bytes=band(use_gib * GIB, "B", 0.05),
            usable_bytes=float(gib * GIB),
            breakdown_bytes={
                "weights": 3.5 * GIB,
                "gradients": 3.5 * GIB,
                "optimizer": 10.6 * GIB,
                "activations": 4.2 * GIB,
                "logits": 2.3 * GIB,
                "transient": 1.0 * GIB,
                "context": 0.6 * GIB,
            },
        ),
        training=TrainingAnswer(
            tokens_per_s=band(rate, "token/s"),
            tokens_per_s_per_gpu=band(rate / 4, "token/s"),
            step_time_s=band(12.4, "s"),
            mfu=Figure(0.31, 0.26, 0.36, "1"),
            bound_by=BoundBy.COMMUNICATION,
            scaling_efficiency=Figure(0.78, 0.7, 0.85, "1"),
            time_to_train_s=band(seconds, "s"),
        ),
        power=PowerAnswer(gpu_w=band(2100, "W"), wall_w=band(2750, "W")),
        parallelism={"zero_stage": 3, "data": 4, "tensor": 1, "pipeline": 1},
        nearest=(
            NearMeasurement(
                0.21,
                2810.0,
                "token/s",
                "https://github.com/example/benchmarks",
                "Llama-3-8B, 4 × RTX 5090, ZeRO-3",
            ),
        ),
        assumptions=(
            Assumption("workload.micro_batch_size", "1", Message("the smallest that keeps the card busy")),
            Assumption(
                "workload.checkpointing", "full", Message("the states leave no room for all activations")
            ),
        ),
    )


def option(rank: int, accelerator: Accelerator, count: int, card_price: MoneyRange, **more: Any) -> Option:
    lines = more.pop("lines", None) or machine_lines(
        accelerator, count, card_price, more.pop("how", PriceKind.STREET)
    )
    build = Build(lines=lines)
    priced = [(item.price, quantity) for item, quantity in build.all_lines() if item.price is not None]
    low = total((price.low * quantity for price, quantity in priced), Currency.CNY)
    high = total((price.high * quantity for price, quantity in priced), Currency.CNY)
    seconds = more.pop("seconds", 900_000.0)
    kind, workload = read_workload(REQUEST_JSON["workload"])
    request = EstimateRequest(
        id="r1",
        kind=kind,
        model=MODEL,
        accelerator=accelerator,
        workload=workload,
        hardware=Hardware(gpu=accelerator.id, gpus_per_node=count),
    )
    assert kind is WorkloadKind.TRAINING
    return Option(
        rank=rank,
        kind=more.pop("kind", OptionKind.BUY),
        accelerator=accelerator,
        count=count,
        nodes=1,
        parallelism={"zero_stage": 3, "data": count},
        estimate=estimate(
            seconds,
            more.pop("use_gib", 27.0),
            int(accelerator.memory_gb or 0),
            more.pop("verdict", Verdict.FITS),
        ),
        estimate_request=request,
        build=build,
        check=more.pop("check", CHECK),
        price=OptionPrice(
            total=MoneyRange(low, high),
            assumed_share=more.pop("assumed_share", 0.37),
            oldest_date="2026-02",
            tax_included=True,
            missing=("SilverStone XE360-TR5",),
        ),
        tco=CostOfOwnership(
            years=3.0,
            total=MoneyRange(low * Decimal("1.1"), high * Decimal("1.25")),
            electricity=yuan("32000", "58000"),
            resale=yuan("30000", "90000"),
            energy_kwh=Figure(61_000_000.0, 50_000_000.0, 70_000_000.0, "Wh"),
            per_month=Money(Decimal("7480"), Currency.CNY),
            parts={
                "purchase": MoneyRange(low, high),
                "electricity": yuan("32000", "58000"),
                "maintenance": yuan("15000", "30000"),
                "resale": yuan("-90000", "-30000"),
            },
        ),
        **more,
    )


CHECK = CheckResult(
    verdict=Status.WARNING,
    findings=(
        Finding(
            rule="power.continuous",
            status=Status.OK,
            title=Message("Continuous power of the supplies"),
            message=Message("Two supplies carry the load with a reserve."),
            measured=2750.0,
            required=3200.0,
            unit="W",
        ),
        Finding(
            rule="power.circuit",
            status=Status.WARNING,
            title=Message("Mains circuit"),
            message=Message("The machine needs more than a 16 A circuit may carry continuously."),
            measured=12.0,
            required=12.8,
            unit="A",
            remedy=Remedy(text=Message("Have a 32 A circuit laid."), cost=yuan("1500", "4000")),
        ),
        Finding(
            rule="pcie.peer_to_peer",
            status=Status.WARNING,
            title=Message("Direct transfers between cards"),
            message=Message(
                "The cards have neither NVLink nor peer-to-peer over PCIe: transfers go through host memory."
            ),
            remedy=Remedy(text=Message("Set fewer synchronisations by gradient accumulation."), slower=0.04),
        ),
        Finding(
            rule="memory.type",
            status=Status.OK,
            title=Message("Memory type"),
            message=Message("The board takes DDR5 RDIMM."),
        ),
    ),
    not_checked=(NotChecked("cooling.cpu", Message("Cooler of the processor"), ("cooling_w", "height_mm")),),
)


def recommendation() -> Recommendation:
    first = option(
        1,
        card(
            "NVIDIA GeForce RTX 5090 32GB",
            32,
            export_status=ExportStatus.LICENCE,
            export_china="not sold since 2025-01; licence needed",
        ),
        4,
        yuan("23999.99", "28000"),
        pareto=True,
        meets_target=True,
        risk=0.42,
        why=(
            Message("Cheapest machine that finishes within the deadline."),
            Message("States of 16 bytes a parameter are sharded by ZeRO-3 over four cards: 30.5 GB each."),
            Message("Every part is in stock at two sellers or more."),
        ),
        flips_if=(Message("Below ¥19,000 a card, eight RTX 4090 would be cheaper over three years."),),
    )
    second = option(
        2,
        card("NVIDIA RTX PRO 6000 Blackwell 96GB", 96),
        4,
        yuan("62000", "71000"),
        seconds=620_000.0,
        use_gib=51.0,
        pareto=True,
        meets_target=True,
        risk=0.31,
        loses_because=(Message("It costs ¥160,000 more over three years."),),
    )
    third = option(
        3,
        card("NVIDIA GeForce RTX 4090 48GB (modified)", 48, modified=True),
        4,
        yuan("24000", "29000"),
        seconds=1_300_000.0,
        use_gib=40.0,
        meets_target=True,
        risk=0.66,
        loses_because=(
            Message("Modified cards carry no maker's warranty."),
            Message("It is slower and not cheaper."),
        ),
    )
    more = tuple(
        option(
            9,
            card(f"NVIDIA Test Card {index} 24GB", 24),
            4,
            yuan(str(18000 + 4500 * index)),
            seconds=2_000_000.0 - 90_000.0 * index,
        )
        for index in range(9)
    )
    return Recommendation(
        id="r1",
        options=(first, second, third),
        considered=(first, second, third, *more),
        rejected=tuple(
            Rejected(
                "nvidia-h100-sxm5-80",
                f"{count} × NVIDIA H100 SXM5 80GB",
                Message("over the budget"),
                "over_budget",
                float(count * 250_000),
                500_000.0,
                "CNY",
            )
            for count in range(2, 9)
        ),
        strategies=12_480,
        seconds=0.4,
        assumptions=(
            Assumption("workload.master_weights", "true", Message("bf16 with an fp32 master copy is usual")),
        ),
        versions={"application": "0.1.0", "catalogue": "2026-11-30", "coefficients": "2026-11-28"},
    )


def explain(_request: EstimateRequest, name: str) -> Explanation:
    """A tree with formula, inputs and sources."""
    if name not in ("device_used_bytes", "tokens_per_s", "step_time_s", "wall_w"):
        raise InputError("unknown_value", "quantity", name, Message("not a known value"))
    card_evidence = Evidence(
        "https://www.nvidia.com/rtx-5090.pdf; https://docs.nvidia.com/", "2026-05", EvidenceKind.VENDOR
    )
    leaves = (
        Explanation(
            name="parameters",
            title="parameters of the model",
            value=7.6156e9,
            unit="parameter",
            mark=Mark.GIVEN,
        ),
        Explanation(
            name="peak_flops",
            title="peak of the card, BF16 with FP32 accumulation",
            value=209.5e12,
            unit="FLOP/s",
            mark=Mark.VENDOR,
            evidence=card_evidence,
        ),
        Explanation(
            name="efficiency",
            title="kernel efficiency",
            value=0.62,
            unit="1",
            mark=Mark.ASSUMED,
            low=0.5,
            high=0.7,
            source="https://arxiv.org/abs/1910.02054",
        ),
    )
    middle = Explanation(
        name="gradient_bytes",
        title="Gradients held by one GPU between backward and the optimizer step.",
        value=3.8e9,
        unit="B",
        mark=Mark.CALCULATED,
        formula="trainable_parameters_per_gpu * bytes_per_gradient / gradient_shard_count",
        inputs=leaves,
    )
    return Explanation(
        name=name,
        title=f"Title of {name}",
        value=2.9e10,
        unit="B",
        low=2.7e10,
        high=3.1e10,
        mark=Mark.CALCULATED,
        formula="weights_bytes + gradient_bytes + optimizer_bytes + activation_bytes",
        inputs=(middle, *leaves),
        source="https://arxiv.org/abs/1910.02054",
    )


def context(
    kind: DocumentKind = DocumentKind.PROPOSAL, language: Language = Language.ZH, **changes: Any
) -> DocumentContext:
    made = recommendation()
    base = DocumentContext(
        kind=kind,
        language=language,
        project=Project(title="", notes=""),
        request=read_recommend_request(REQUEST_JSON, lambda _: MODEL),
        recommendation=made,
        option=made.options[0],
        organisation=Organisation(
            name="杭州某某人工智能研究院",
            department="算力平台部",
            address="浙江省杭州市余杭区文一西路 969 号",
            tax_number="91330100MA2XXXXXX0",
            bank="中国工商银行杭州余杭支行",
            bank_account="1202 0000 0000 0000 000",
            contact="赵喆",
            phone="0571-0000 0000",
            email="it@example.org",
        ),
        number="PR-20261202-001",
        issued=DAY,
        explain=explain,
        rate=RATE,
        tax=VAT,
    )
    return replace(base, **changes)
