"""Names as people type them, evidence of fields, prices of offers."""

import dataclasses
import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.catalogue.connector_text import parse_connectors, write_connectors
from gpuconfig.engine.catalogue.host import Slot
from gpuconfig.engine.catalogue.item import CatalogueItem, FieldEdit
from gpuconfig.engine.catalogue.lookup import NameIndex, key
from gpuconfig.engine.catalogue.market import CloudOffer, Offer
from gpuconfig.engine.catalogue.rows import decode
from gpuconfig.engine.catalogue.vocabulary import (
    Condition,
    ConnectorKind,
    Kind,
    PriceKind,
    Region,
    RentalKind,
)
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.quantities.money import Currency, TaxBasis

CARD = CatalogueItem(
    id="nvidia-rtx-4090-24", name="RTX 4090 24GB", aliases=("RTX 4090", "4090"), brand="NVIDIA",
    part_number="900-1G136",
    sources=("https://example.org",), date="2026-11", inferred_fields=frozenset({"vgpu"}),
    derived_fields=frozenset({"bf16"}),
)  # fmt: skip
OTHER = dataclasses.replace(
    CARD, id="amd-4090", name="Radeon 4090", aliases=("4090",), brand="AMD", part_number=None
)


NAMES = st.text(st.sampled_from("RTXrtx 4090-_./()（）４０９０显卡涡轮GB·"), max_size=30)
"""What names of parts are made of."""


@given(NAMES)
def test_key_is_stable_and_knows_no_case(text):
    assert key(key(text)) == key(text) == key(text.upper()) == key(f" {text}-")


@pytest.mark.parametrize(
    "typed", ["rtx-4090", "RTX 4090", "NVIDIA RTX 4090 24GB", "ｒｔｘ４０９０", "900-1g136"]
)
def test_every_way_of_writing_finds_the_card(typed):
    assert NameIndex([CARD]).find(typed) == CARD.id


def test_a_name_of_two_items_means_neither():
    index = NameIndex([CARD, OTHER])
    assert index.find("4090") is None
    assert index.find("RTX 4090") == CARD.id
    assert set(index.near("4090")) == {CARD.id, OTHER.id}


def test_an_id_wins_over_a_name():
    index = NameIndex([CARD, dataclasses.replace(OTHER, aliases=("nvidia-rtx-4090-24",))])
    assert index.find("nvidia-rtx-4090-24") == CARD.id


def test_nothing_near_is_nothing():
    assert NameIndex([CARD]).near("zzzzzz") == ()


def test_evidence_of_a_field():
    assert CARD.evidence("bandwidth").kind is EvidenceKind.VENDOR
    assert CARD.evidence("bf16").kind is EvidenceKind.CALCULATED
    assert CARD.is_assumed("vgpu")
    own = Evidence("my test", "2026-12-01", EvidenceKind.MEASURED)
    edited = dataclasses.replace(CARD, edits=(FieldEdit(field="vgpu", bundled="1", evidence=own),))
    assert edited.evidence("vgpu") == own


def offer(**changes):
    values = {
        "id": "o", "subject_kind": Kind.ACCELERATOR, "subject_id": "x", "low": Decimal(10), "high": Decimal(14),
        "currency": Currency.CNY, "tax": TaxBasis.INCLUDED, "condition": Condition.NEW, "region": Region.CN,
        "date": "2026-05", "source": "s", "kind": PriceKind.STREET,
    }  # fmt: skip
    return Offer(**{**values, **changes})


def test_planning_price_and_age():
    seen = offer()
    assert seen.price().middle().amount == 12
    assert seen.age_days(datetime.date(2026, 6, 28)) == 58
    assert offer(date="2026").age_days(datetime.date(2026, 6, 28)) == 178
    assert offer(date=None).age_days(datetime.date(2026, 6, 28)) is None


@pytest.mark.parametrize(
    ("kind", "assumed"),
    [
        (PriceKind.STREET, False),
        (PriceKind.LIST, False),
        (PriceKind.QUOTE, False),
        (PriceKind.CONVERTED, True),
        (PriceKind.ASSUMED, True),
    ],
)
def test_what_counts_as_assumed(kind, assumed):
    assert offer(kind=kind).is_assumed() == assumed


def test_rental_price_of_one_accelerator_differs_by_instance_size():
    """Azure asks 3.673 for one A100 and 4.777 each in the larger sizes (price list of 2026-11-09)."""
    prices = [
        CloudOffer(
            provider="Azure", instance=f"NC{24 * n}ads", accelerator_text="A100 PCIe 80GB", accelerator_id=None,
            count=n,
            per_hour=Decimal(price), currency=Currency.USD, kind=RentalKind.ON_DEMAND,
        ).per_gpu_hour()
        for n, price in ((1, "3.673"), (2, "9.554"), (4, "19.108"))
    ]  # fmt: skip
    assert [float(p) for p in prices] == pytest.approx([3.673, 4.777, 4.777])


@pytest.mark.parametrize("text", ["1x pcie_16@600", "2x pcie_8 + 1x pcie_6", "none"])
def test_connector_text_round_trips(text):
    assert write_connectors(parse_connectors(text)) == text


def test_connector_text_is_read():
    (plug,) = parse_connectors("1x pcie_16@600")
    assert (plug.kind, plug.count, plug.max_w) == (ConnectorKind.PCIE_16, 1, 600.0)
    with pytest.raises(ValueError, match="2x pcie_8"):
        parse_connectors("two plugs")


def test_rows_keep_unknown_apart_from_zero():
    slot = decode(Slot, {"position": 1, "physical_lanes": 16, "electrical_lanes": None, "shared_lanes": 0})
    assert (slot.electrical_lanes, slot.generation, slot.shared_lanes) == (None, None, 0)


def test_the_point_of_a_number_counts() -> None:
    """1.3B and 13B are two models, however the names are spelt."""
    small, large = (
        dataclasses.replace(CARD, id=f"opt-{size}b", name=f"OPT {size}B", aliases=(), part_number=None)
        for size in ("1.3", "13")
    )
    index = NameIndex([small, large])
    assert [index.find(ref) for ref in ("opt-1.3b", "OPT 1.3B", "opt13b", "OPT-13B")] == [
        "opt-1.3b", "opt-1.3b", "opt-13b", "opt-13b",
    ]  # fmt: skip
