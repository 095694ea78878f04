"""Rental prices from the two public catalogue formats."""

import pytest

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.exchange.cloud_table import read_cloud_prices
from gpuconfig.exchange.text_table import parse_text_table

GPUHUNT = """instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot
h100.8,eu,23.60,192,1800,8,H100,80.0,False
h100.8,eu,9.00,192,1800,8,H100,80.0,True
cpu.2,eu,0.10,2,8,0,,,False
"""
SKYPILOT = """InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region
p5.48xlarge,H100,8.0,192,2048,55.04,,us-east-1
g5.xlarge,A10G,1.0,4,16,1.006,0.40,us-east-1
"""


def prices(text):
    found = {"H100": "nvidia-h100-sxm5-80", "H100 80GB": "nvidia-h100-sxm5-80"}
    return read_cloud_prices(parse_text_table(text, "x.csv"), "Provider", "2026-11-30", "x.csv", found.get)


def test_gpuhunt():
    on_demand, spot = prices(GPUHUNT)
    assert (on_demand["per_hour"], on_demand["count"], on_demand["kind"]) == ("23.60", 8, "on_demand")
    assert on_demand["accelerator_id"] == "nvidia-h100-sxm5-80"
    assert (spot["kind"], spot["provider"], spot["date"]) == ("spot", "Provider", "2026-11-30")


def test_skypilot():
    rows = prices(SKYPILOT)
    assert [(row["accelerator_text"], row["kind"], row["per_hour"]) for row in rows] == [
        ("H100", "on_demand", "55.04"), ("A10G", "on_demand", "1.006"), ("A10G", "spot", "0.40"),
    ]  # fmt: skip
    assert rows[1]["accelerator_id"] is None, "a name the catalogue does not know is kept as text"


def test_other_columns_are_refused():
    with pytest.raises(DataError):
        prices("a,b\n1,2\n")
