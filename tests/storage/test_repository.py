"""Reading the catalogue: every kind, known values, look-up by what people type."""

import sqlite3
from decimal import Decimal

import pytest

from gpuconfig.engine.catalogue.vocabulary import (
    Accumulation,
    ConnectorKind,
    Kind,
    LinkTopology,
    Precision,
    PriceKind,
)
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.storage.repository import open_catalogue

TERA = 1e12

ENOUGH = {
    Kind.ACCELERATOR: 140, Kind.MOTHERBOARD: 60, Kind.CPU: 40, Kind.POWER_SUPPLY: 40, Kind.CHASSIS: 40,
    Kind.SERVER: 30, Kind.MEMORY: 60, Kind.MODEL: 200, Kind.COOLER: 30, Kind.DRIVE: 30, Kind.NIC: 16,
    Kind.RISER: 16, Kind.SWITCH: 11, Kind.CABLE: 10, Kind.BRIDGE: 6, Kind.UPS: 5, Kind.PDU: 3, Kind.RACK: 2,
    Kind.PLATFORM: 18,
}  # fmt: skip


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_is_there_in_breadth(catalogue, kind):
    assert len(catalogue.parts(kind)) >= ENOUGH[kind]


@pytest.mark.parametrize(
    ("card", "precision", "accumulation", "teraflops"),
    [
        ("nvidia-rtx-4090-24", Precision.BF16, Accumulation.FP32, 165.2),
        ("nvidia-rtx-4090-24", Precision.FP16, Accumulation.FP16, 330.3),
        ("nvidia-rtx-4090-24", Precision.FP8, Accumulation.FP32, 330.3),
        ("nvidia-rtx-4090-24", Precision.FP8, Accumulation.FP16, 660.6),
        ("nvidia-rtx-5090-32", Precision.BF16, Accumulation.FP32, 209.5),
        ("nvidia-a100-sxm4-80", Precision.TF32, Accumulation.FP32, 156),
        ("nvidia-h100-sxm5-80", Precision.BF16, Accumulation.FP32, 989),
        ("amd-mi300x-192", Precision.FP16, Accumulation.FP32, 1307.4),
        ("nvidia-rtx-4080-16", Precision.BF16, Accumulation.FP16, 97.47),
    ],
)
def test_peak_rates_keep_accumulation_apart(catalogue, card, precision, accumulation, teraflops):
    assert catalogue.accelerator(card).peak_flops(precision, accumulation) == pytest.approx(teraflops * TERA)


def test_unknown_rate_is_none(catalogue):
    assert catalogue.accelerator("nvidia-a100-sxm4-80").peak_flops(Precision.FP8) is None


@pytest.mark.parametrize(
    ("card", "gigabytes"),
    [
        ("nvidia-a100-pcie-40", 1555), ("nvidia-a100-pcie-80", 1935), ("nvidia-a100-sxm4-80", 2039),
        ("nvidia-h100-sxm5-80", 3350), ("nvidia-h100-pcie-80", 2000), ("nvidia-rtx-3090-24", 936),
        ("amd-mi300x-192", 5300), ("nvidia-rtx-4060ti-16", 288), ("nvidia-rtx-3060-12", 360),
    ],
)  # fmt: skip
def test_bandwidth(catalogue, card, gigabytes):
    assert catalogue.accelerator(card).bandwidth_bytes_per_s == gigabytes * 1e9


def test_nominal_capacity_is_binary_and_usable_is_what_the_driver_shows(catalogue):
    card = catalogue.accelerator("nvidia-h100-sxm5-80")
    assert card.memory_bytes == 80 * 2**30
    assert card.usable_bytes == 81559 * 2**20
    assert catalogue.accelerator("cambricon-mlu590").capacity_bytes() is None


def test_links_and_connectors(catalogue):
    mi300x = catalogue.accelerator("MI300X")
    assert (mi300x.link.topology, mi300x.link.pair_bytes_per_s) == (LinkTopology.MESH, 64e9)
    ada = catalogue.accelerator("RTX 6000 Ada")
    assert (ada.link, ada.link_known) == (None, True)
    card = catalogue.accelerator("RTX 4090")
    assert (card.power_connectors[0].kind, card.adapter_connectors[0].count) == (ConnectorKind.PCIE_16, 3)
    assert catalogue.accelerator("nvidia-l4-24").power_connectors == ()
    assert catalogue.accelerator("hygon-k100-64").power_connectors is None


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("RTX 4090", "nvidia-rtx-4090-24"), ("rtx4090", "nvidia-rtx-4090-24"), ("４０９０", "nvidia-rtx-4090-24"),
        ("老黄 4090 涡轮 48G", "nvidia-rtx-4090-48-mod"), ("NVIDIA H100 80GB HBM3", "nvidia-h100-sxm5-80"),
        ("NVIDIA A100-SXM4-40GB", "nvidia-a100-sxm4-40"), ("昇腾 910B", "huawei-910b-64"),
        ("Tesla T4", "nvidia-t4-16"), ("m3 max", "apple-m3-max"),
    ],
)  # fmt: skip
def test_accelerator_by_what_people_type(catalogue, typed, found):
    assert catalogue.accelerator(typed).id == found


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("meta-llama/Llama-2-7b-hf", "llama-2-7b"), ("Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("Qwen2.5-7B-Instruct", "qwen2.5-7b"), ("gpt-oss:20b", "gpt-oss-20b"), ("SDXL", "stable-diffusion-xl-base-1.0"),
        ("Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b-v0.1"), ("bert-large", "bert-large-uncased"),
    ],
)  # fmt: skip
def test_model_by_what_people_type(catalogue, typed, found):
    assert catalogue.model(typed).id == found


def test_unknown_name_lists_the_nearest(catalogue):
    with pytest.raises(InputError) as error:
        catalogue.accelerator("rtx 4099", "hardware.gpu")
    assert (error.value.code, error.value.field) == ("unknown_value", "hardware.gpu")
    assert "nvidia-rtx-4090-24" in str(error.value)


def test_offers_of_one_item_seen_ones_first(catalogue):
    offers = catalogue.offers(Kind.ACCELERATOR, "nvidia-rtx-5090-32")
    assert offers[0].kind is PriceKind.STREET
    assert {offer.kind for offer in offers} >= {PriceKind.STREET, PriceKind.LIST}
    (listed,) = [offer for offer in offers if offer.kind is PriceKind.LIST]
    assert listed.low == listed.high == Decimal(1999)


def test_evidence_follows_the_field(catalogue):
    card = catalogue.accelerator("nvidia-rtx-4090-24")
    assert card.evidence("bandwidth_bytes_per_s").kind is EvidenceKind.SECONDARY
    assert card.evidence("bf16_fp32acc_flops").kind is EvidenceKind.CALCULATED
    assert card.is_assumed("vgpu")
    confirmed = catalogue.accelerator("nvidia-a100-sxm4-80").evidence("bandwidth_bytes_per_s")
    assert confirmed.kind is EvidenceKind.VENDOR
    assert confirmed.source.startswith("https://github.com/NVIDIA/")


def test_slots_say_what_they_lose_together(catalogue):
    board = catalogue.part(Kind.MOTHERBOARD, "ASUS ProArt X870E-Creator WiFi")
    first, second, third = board.slots
    assert (first.electrical_lanes, first.shared_lanes, first.shares_with) == (16, 8, (4,))
    assert (second.position, second.electrical_lanes, third.source) == (4, 8, "chipset")


def test_rate_is_the_newest_and_converts(catalogue):
    rate = catalogue.exchange_rate(Currency.USD, Currency.CNY)
    assert (rate.rate, rate.evidence.date) == (Decimal("6.7758"), "2026-06")
    assert rate.convert(Money(Decimal(100), Currency.USD), Currency.CNY).amount == Decimal("677.58")


def test_bundle_cannot_be_written(catalogue):
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        catalogue._database.execute("DELETE FROM item")


def test_missing_bundle_says_what_builds_it(tmp_path):
    with pytest.raises(DataError, match="setup"):
        open_catalogue(tmp_path / "nowhere.sqlite")


def test_memory_bandwidth_of_a_processor(catalogue):
    assert catalogue.part(Kind.CPU, "AMD EPYC 9554").memory_bytes_per_s() == 12 * 4800e6 * 8
