"""Every row of the research behind the seed is in it, with its source and its figures.

`research_rows.csv` lists them: the seed table, the key, a short hash of each part of the source, and either the
figures or a hash of them. Rows the seed has besides are not looked at here.
"""

import csv
import hashlib
import re
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.kinds import CLASSES


def table(path):
    """The rows of one CSV file."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


ROWS = table(Path(__file__).parent / "research_rows.csv")
WANTED: dict[str, list[dict[str, str]]] = defaultdict(list)
for one in ROWS:
    WANTED[one["table"]].append(one)

ITEM_TABLES = sorted(set(WANTED) & {kind.value for kind in CLASSES})
FIGURES = ("memory_gb", "bandwidth_gb_per_s", "bf16_fp32acc_tflops", "fp16_fp16acc_tflops", "tdp_w")


def seed(name):
    folder = paths.database_sources() / "seed"
    files = sorted((folder / "offers").glob("*.csv")) if name == "offer" else [folder / f"{name}.csv"]
    return [row for file in files for row in table(file)]


def short_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def test_counts_of_the_research():
    counted = Counter(row["table"] for row in ROWS)
    assert counted["accelerator"] == 106
    assert counted["cloud_offer"] == 909
    assert counted["quant_format"] == 178
    assert counted["motherboard"] + counted["platform"] == 69
    assert counted["chassis"] + counted["power_supply"] + counted["server"] == 70
    parts = set(ITEM_TABLES) - {"accelerator", "motherboard", "platform", "chassis", "power_supply", "server"}
    assert sum(counted[name] for name in parts) == 236


@pytest.mark.parametrize("name", ITEM_TABLES)
def test_every_item_is_there_with_its_sources(name):
    rows = {row["id"]: row for row in seed(name)}
    for wanted in WANTED[name]:
        row = rows[wanted["key"]]
        has = {short_hash(piece) for piece in row["sources"].split("|")}
        assert set(filter(None, wanted["source_pieces"].split("|"))) <= has, wanted["key"]


def test_every_figure_of_an_accelerator_is_kept():
    """A figure the research had is unchanged; one it had not is filled from the maker's page or marked as inferred."""
    rows = {row["id"]: row for row in seed("accelerator")}
    stated = defaultdict(str)
    for page in seed("accelerator_source"):
        stated[page["accelerator_id"]] += page["fields"] + "|"
    for wanted in WANTED["accelerator"]:
        row = rows[wanted["key"]]
        known = stated[row["id"]] + row["inferred_fields"]
        marked = known.replace("_flops", "_tflops").replace("bytes_per_s", "gb_per_s").split("|")
        for name, value in zip(FIGURES, wanted["values"].split("|"), strict=True):
            assert row[name] == value or (not value and (name in marked or not row[name])), (row["id"], name)


def test_every_price_is_kept_as_what_it_is():
    rows = {row["id"]: row for row in seed("offer")}
    for wanted in WANTED["offer"]:
        low, high, kind, source = wanted["values"].split("|")
        row = rows[wanted["key"]]
        assert (Decimal(row["low"]), Decimal(row["high"]), row["kind"]) == (Decimal(low), Decimal(high), kind)
        assert source in {short_hash(row["source"]), short_hash(row["basis"]), short_hash("")}


def test_every_rental_price_is_kept():
    names = ("provider", "instance", "accelerator_text", "count", "per_hour", "kind_text", "region")
    has = Counter(
        (short_hash("|".join(row[name] for name in names)), short_hash(row["source"]))
        for row in seed("cloud_offer")
    )
    wanted = Counter((row["values"], row["source_pieces"]) for row in WANTED["cloud_offer"])
    assert not wanted - has


def test_every_storage_format_is_kept():
    names = ("format", "family", "scope", "bits_per_weight", "basis", "model")
    has = Counter(
        (short_hash("|".join(row[n] for n in names)), short_hash(row["source"]))
        for row in seed("quant_format")
    )
    wanted = Counter((row["values"], row["source_pieces"]) for row in WANTED["quant_format"])
    assert not wanted - has


def test_evidence_stands_on_every_row():
    for kind in CLASSES:
        for row in seed(kind.value):
            assert row["sources"], row["id"]
            assert row["confidence"] in ("high", "medium", "low"), row["id"]


def test_no_source_is_the_number_of_a_search_index():
    """A buyer looks a source up: an address or a description serves, the number of an index does not."""
    for file in sorted((paths.database_sources() / "seed").rglob("*.csv")):
        assert not re.findall(r"search.index|\bid \d{6,}", file.read_text(encoding="utf-8")), file.name


def test_no_conversion_poses_as_a_street_price():
    for row in seed("offer"):
        text = (row["source"] + row["basis"]).lower()
        if row["kind"] in ("street", "list"):
            assert "conversion" not in text, row["id"]
        else:
            assert row["basis"], row["id"]


def test_how_sure_a_price_is_agrees_with_its_reason():
    """Nobody was seen to ask an assumed or converted amount; an estimate and what stands on memory alone are low."""
    for row in seed("offer"):
        if row["kind"] in ("assumed", "converted"):
            assert row["confidence"] != "high", row["id"]
        memory = "from memory" in row["basis"] and "not confirmed by a source" in row["basis"]
        if memory or row["basis"].startswith("estimate"):
            assert (row["kind"], row["confidence"]) == ("assumed", "low"), row["id"]


def test_modified_cards_have_no_new_price():
    modified = {row["id"] for row in seed("accelerator") if row["modified"] == "yes"}
    assert len(modified) >= 4
    for row in seed("offer"):
        if row["subject_id"] in modified:
            assert row["condition"] == "modified", row["id"]


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("accelerator", 140), ("motherboard", 60), ("cpu", 40), ("power_supply", 40), ("chassis", 40), ("server", 30),
        ("memory", 60), ("cooler", 30), ("drive", 30), ("nic", 15), ("model", 200),
    ],
)  # fmt: skip
def test_breadth(kind, least):
    assert len({row["id"] for row in seed(kind)}) >= least


ARTICLES = (
    "H100", "H200", "A100", "H800", "A800", "MI300X", "MI250X", "Gaudi 2", "Gaudi 3", "RTX 4090", "RTX 5090",
    "RTX 3090", "RTX 3090 Ti", "RTX 4080 Super", "Titan RTX", "Titan V", "Quadro RTX 8000", "RTX 4060 Ti 16GB",
    "RTX 4070 Ti", "Flex 170", "H20", "RTX 5090 D V2", "RTX 4090 48GB", "910B", "V100", "T4", "L40S", "A6000",
)  # fmt: skip


@pytest.mark.parametrize("name", ARTICLES)
def test_the_articles_cards_are_complete(catalogue, name):
    """Each is found by the articles' name with memory, bandwidth and a dense rate, all with a source."""
    found = [c for c in catalogue.search(name) if hasattr(c, "bandwidth_bytes_per_s")]
    assert found
    for card in found[:1]:
        assert card.memory_bytes
        assert card.bandwidth_bytes_per_s
        assert card.fp16_fp32acc_flops or card.bf16_fp32acc_flops or card.fp32_flops
        assert card.sources


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("老黄 4090 涡轮 48G", "nvidia-rtx-4090-48"), ("英伟达 5090 D", "nvidia-rtx-5090d"),
        ("昇腾 910B", "huawei-910b"),
    ],
)  # fmt: skip
def test_people_find_cards_by_what_they_call_them(catalogue, query, wanted):
    ids = [item.id for item in catalogue.search(query)]
    assert any(i.startswith(wanted) for i in ids), ids
