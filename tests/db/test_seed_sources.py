"""What each accelerator rests on: the maker's own pages, a third party's, or nothing a buyer could look up.

The rule: a field is the maker's where `accelerator_source.csv` names a page at the maker (or in a repository of the
maker) that states it; else the row's kind holds, which is `secondary` where a source has an address and `assumed`
where none has.
"""

import csv
from urllib.parse import urlsplit

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Vendor
from gpuconfig.engine.provenance.evidence import EvidenceKind

MAKERS = {
    Vendor.NVIDIA: ("nvidia.com", "github.com/NVIDIA/", "github.com/ai-dynamo/"),
    Vendor.AMD: ("amd.com", "github.com/ROCm/"),
    Vendor.INTEL: ("intel.com", "habana.ai", "github.com/intel/"),
    Vendor.HUAWEI: ("huawei.com", "hiascend.com"),
    Vendor.CAMBRICON: ("cambricon.com",),
    Vendor.HYGON: ("hygon.cn",),
    Vendor.MOORE_THREADS: ("mthreads.com",),
    Vendor.APPLE: ("apple.com",),
}
"""Where each maker publishes: sites with everything below them, and the repositories of its own organisations."""


def table(name):
    text = (paths.database_sources() / "seed" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def is_makers(address, vendor):
    parts = urlsplit(address)
    for place in MAKERS.get(vendor, ()):
        host, _, path = place.partition("/")
        if (parts.netloc == host or parts.netloc.endswith("." + host)) and parts.path.startswith("/" + path):
            return True
    return False


@pytest.mark.parametrize(
    ("address", "vendor", "is_one"),
    [
        ("https://docs.nvidia.com/x", Vendor.NVIDIA, True), ("https://notnvidia.com/x", Vendor.NVIDIA, False),
        ("https://github.com/ROCm/docs", Vendor.AMD, True), ("https://github.com/ROCmfan/docs", Vendor.AMD, False),
        ("https://rocm.docs.amd.com/x", Vendor.NVIDIA, False),
    ],
)  # fmt: skip
def test_a_makers_address_is_told_from_others(address, vendor, is_one):
    assert is_makers(address, vendor) is is_one


def test_a_vendor_row_names_an_address_of_the_vendor():
    for row in table("accelerator.csv"):
        if row["evidence_kind"] == EvidenceKind.VENDOR:
            first = row["sources"].split("|")[0].split(" ")[0]
            assert is_makers(first, Vendor(row["vendor"])), row["id"]


def test_confirmed_fields_name_a_page_of_their_maker(catalogue):
    pages = table("accelerator_source.csv")
    assert len(pages) >= 50
    for page in pages:
        card = catalogue.accelerator(page["accelerator_id"])
        assert is_makers(page["address"], card.vendor), page
        for field in page["fields"].split("|"):
            assert field in Accelerator.__dataclass_fields__, page
            assert getattr(card, field) is not None, (card.id, field)
            assert field not in card.inferred_fields | card.derived_fields, (card.id, field)
            evidence = card.evidence(field)
            assert evidence.kind is EvidenceKind.VENDOR, (card.id, field)
            assert is_makers(evidence.source, card.vendor), (card.id, field)
            assert evidence.day() is not None, (card.id, field)


def test_what_no_maker_confirmed_is_not_the_makers(catalogue):
    seen = set()
    for card in catalogue.accelerators():
        stated = frozenset().union(*(page.fields for page in card.confirmations))
        for field in ("bandwidth_bytes_per_s", "fp16_fp32acc_flops", "tdp_w", "memory_bytes", "slots"):
            kind = card.evidence(field).kind
            seen.add(kind)
            assert (kind is EvidenceKind.VENDOR) == (field in stated), (card.id, field)
    assert seen == {
        EvidenceKind.VENDOR, EvidenceKind.SECONDARY, EvidenceKind.CALCULATED, EvidenceKind.ASSUMED,
    }  # fmt: skip


def test_a_secondary_row_can_be_looked_up_and_an_assumed_one_cannot():
    pages = {page["accelerator_id"] for page in table("accelerator_source.csv")}
    for row in table("accelerator.csv"):
        can = "://" in row["sources"] or row["id"] in pages
        assert can == (row["evidence_kind"] == EvidenceKind.SECONDARY), row["id"]


def test_a_figure_from_memory_says_so():
    for row in table("accelerator.csv"):
        for source in row["sources"].split("|"):
            assert (
                "data sheet" not in source or "from memory" in source or source == "NVIDIA A40 datasheet"
            ), row["id"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("沐曦 C500", "metax-c500-64"), ("天数智芯 天垓150", "iluvatar-bi-v150-64"), ("智铠100", "iluvatar-mr-v100-32"),
        ("壁砺106M", "biren-106m"), ("壁砺166M", "biren-166m"), ("Jetson AGX Orin", "nvidia-jetson-agx-orin-64"),
        ("Jetson Thor", "nvidia-jetson-agx-thor-128"), ("CMP 170HX", "nvidia-cmp-170hx-8"),
        ("RTX 5090 Laptop", "nvidia-rtx-5090-laptop-24"),
    ],
)  # fmt: skip
def test_cards_that_people_ask_for_are_found(catalogue, query, wanted):
    assert catalogue.search(query)[0].id == wanted


def test_what_a_maker_keeps_to_itself_stays_unknown(catalogue):
    for card_id in ("biren-106m", "biren-166c", "iluvatar-mr-v100-32"):
        card = catalogue.accelerator(card_id)
        assert card.bandwidth_bytes_per_s is None
        assert card.bf16_fp32acc_flops is None
    assert catalogue.accelerator("metax-c500-64").fp16_fp32acc_flops is None


@pytest.mark.parametrize(
    ("card", "field", "value"),
    [
        ("nvidia-rtx-2000-ada-16", "bandwidth_bytes_per_s", 224e9), ("intel-arc-b570-10", "int8_ops", 203e12),
        ("amd-rx-7900xtx-24", "slots", 2.5), ("amd-mi210-64", "l2_bytes", 8 * 2**20),
        ("amd-rx-7700xt-12", "l2_bytes", 4 * 2**20), ("amd-mi300a-128", "l2_bytes", 24 * 2**20),
    ],
)  # fmt: skip
def test_figures_that_were_wrong_stay_right(catalogue, card, field, value):
    assert getattr(catalogue.accelerator(card), field) == value
