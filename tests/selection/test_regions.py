"""Who buys outside China is offered what is sold there; what would be an import is said to be one."""

from __future__ import annotations

import pytest

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.pricing.planning import Buyer, Pricer, same_market
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer, estimator

REGIONS = (Region.CN, Region.US, Region.EU)


def shelf(region: Region) -> Shelf:
    """Parts for a buyer of used goods too."""
    pricer = Pricer(bundled_catalogue(), Buyer(region=region, currency=Currency.USD, used_ok=True))
    return Shelf(bundled_catalogue(), pricer, estimator().coefficients)


@pytest.mark.parametrize("region", REGIONS)
def test_no_part_of_another_market_stands_on_the_shelf(region: Region) -> None:
    found = shelf(region)
    kinds = (found.boards, found.memory, found.supplies, found.cases, found.drives, found.servers)
    offers = [p.price.offer for parts in kinds for p in parts if p.price is not None]
    assert len(offers) == sum(map(len, kinds))
    assert all(same_market(offer.region, region) for offer in offers)


def test_chinese_house_brands_are_for_chinese_buyers() -> None:
    """The cheapest memory kit and case of the catalogue have offers in China alone."""
    for region, sold in ((Region.CN, True), (Region.US, False)):
        found = shelf(region)
        assert ("mem-ddr4-udimm-2x16-3600-kingbank" in {p.item.id for p in found.memory}) is sold
        assert ("case-wanjia-fengqin-atx" in {p.item.id for p in found.cases}) is sold


def test_a_guess_for_here_beats_a_price_from_abroad() -> None:
    """DRAM is dearer in the US than in China: the American class price counts, not the Chinese one converted."""
    kit = next(
        k for k in bundled_catalogue().memory_kits() if k.id == "mem-ddr5-dimm-2x16-5600-cmk32gx5m2b5600c36"
    )
    price = Pricer(bundled_catalogue(), Buyer(region=Region.US, currency=Currency.USD)).price(
        Kind.MEMORY, kit
    )
    assert price is not None
    assert price.offer.region is Region.US
    assert not price.imported


@pytest.mark.parametrize("region", ["US", "EU"])
def test_cards_made_for_china_are_offered_in_china(region: str) -> None:
    body = {
        "model": "qwen2.5-32b", "workload": {"kind": "serving"}, "target": {"users": 4},
        "constraints": {"region": region, "condition": "used_ok"}, "options": 6,
    }  # fmt: skip
    found = answer(body)
    assert not [o.accelerator.id for o in found.options if o.accelerator.made_for_china()]
    refused = {r.accelerator: r.code for r in found.rejected}
    assert refused["nvidia-l20-48"] == refused["nvidia-rtx-4090d-24"] == "region"


def test_a_named_import_is_offered_as_an_import() -> None:
    body = {
        "model": "qwen2.5-7b", "workload": {"kind": "serving"},
        "constraints": {"region": "US", "accelerators": ["nvidia-rtx-4090d-24"], "condition": "used_ok"},
    }  # fmt: skip
    option = answer(body).options[0]
    assert option.check is not None
    assert "purchase.import" in {f.rule for f in option.check.findings if f.status is Status.WARNING}


@pytest.mark.parametrize(("region", "warned"), [(Region.US, True), (Region.CN, False), (None, False)])
def test_a_list_with_a_card_for_china(region: Region | None, warned: bool) -> None:
    card = bundled_catalogue().accelerator("nvidia-rtx-4090d-24", "gpu")
    build = Build(lines=(BomLine(kind=Kind.ACCELERATOR, item=card),))
    rules = {f.rule for f in check_build(build, Environment(region=region), bundled_catalogue()).findings}
    assert ("purchase.import" in rules) is warned
