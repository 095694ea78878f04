"""Real recommendation objects for tests of papers: a four-card workstation against two rivals."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from gpuconfig.documents.bill import TaxRule
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import (
    ExportStatus,
    ModelKind,
    PriceKind,
)
from gpuconfig.engine.estimation.answer import (
    Assumption,
    Verdict,
)
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, MoneyRange, total
from gpuconfig.engine.selection.recommendation import (
    CostOfOwnership,
    Nothing,
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
from tests.documents.answers import CHECK, estimate, explain
from tests.documents.parts import card, machine_lines, yuan

DAY = date(2026, 12, 2)


RATE = ExchangeRate(
    Currency.USD,
    Currency.CNY,
    Decimal("6.7758"),
    Evidence("https://example.org/rates", "2026-06", EvidenceKind.VENDOR),
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


def _chosen() -> Option:
    return option(
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


def _rivals() -> tuple[Option, ...]:
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
    return second, third


def recommendation() -> Recommendation:
    first = _chosen()
    rivals = _rivals()
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
        options=(first, *rivals),
        considered=(first, *rivals, *more),
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
        nothing=Nothing(
            rank=len(rivals) + 2,
            price=OptionPrice(total=yuan("0"), assumed_share=0.0, oldest_date=None, tax_included=True),
            tco=CostOfOwnership(
                years=3,
                total=yuan("0"),
                electricity=yuan("0"),
                resale=yuan("0"),
                energy_kwh=Figure(0.0, unit="kWh"),
            ),
        ),
        versions={"application": "0.1.0", "catalogue": "2026-11-30", "coefficients": "2026-11-28"},
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
